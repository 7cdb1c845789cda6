import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0011_banking")]

    operations = [
        migrations.CreateModel(
            name='Dispute',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('about', models.CharField(max_length=300, verbose_name='about')),
                ('raised_at', models.DateTimeField(verbose_name='raised')),
            ],
            options={
                'verbose_name': 'dispute',
                'verbose_name_plural': 'disputes',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='ExceptionDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('outcome', models.CharField(choices=[('accepted', 'Accepted'), ('refused', 'Refused')], max_length=10, verbose_name='decision')),
                ('reason', models.CharField(max_length=300, verbose_name='why')),
                ('decided_at', models.DateTimeField(verbose_name='decided')),
            ],
            options={
                'verbose_name': 'decision on an exception',
                'verbose_name_plural': 'decisions on exceptions',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='PaidDifferently',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('payer', models.PositiveSmallIntegerField(null=True, verbose_name='payer')),
                ('payee', models.PositiveSmallIntegerField(null=True, verbose_name='payee')),
                ('due_cents', models.BigIntegerField(verbose_name='due')),
                ('paid_cents', models.BigIntegerField(verbose_name='paid')),
            ],
            options={
                'verbose_name': 'line paid differently',
                'verbose_name_plural': 'lines paid differently',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Ruling',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('outcome', models.CharField(choices=[('stands', 'Stands'), ('resettled', 'Settled again'), ('voided', 'Voided'), ('not-in-time', 'Not ruled in time')], max_length=12, verbose_name='outcome')),
                ('rule', models.CharField(max_length=5, verbose_name='rule')),
                ('words', models.CharField(max_length=300, verbose_name='ruling')),
                ('error_by', models.CharField(choices=[('none', "Nobody's"), ('patron', "A patron's"), ('dealer', "The dealer's")], max_length=10, verbose_name='whose mistake')),
                ('ruled_at', models.DateTimeField(verbose_name='ruled')),
            ],
            options={
                'verbose_name': 'ruling',
                'verbose_name_plural': 'rulings',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='TableException',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('paid-differently', 'Paid differently'), ('dispute-not-ruled', 'Dispute not ruled in time'), ('contradiction', 'Chips and record disagree'), ('other', 'Something else')], max_length=20, verbose_name='kind')),
                ('words', models.TextField(verbose_name='what happened')),
                ('raised_at', models.DateTimeField(verbose_name='raised')),
            ],
            options={
                'verbose_name': 'exception',
                'verbose_name_plural': 'exceptions',
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='dispute',
            name='command',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='dispute',
            name='hand',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='disputes', to='tables.hand'),
        ),
        migrations.AddField(
            model_name='dispute',
            name='session',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='disputes', to='tables.tablesession'),
        ),
        migrations.AddField(
            model_name='dispute',
            name='sitting',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.sitting'),
        ),
        migrations.AddField(
            model_name='exceptiondecision',
            name='command',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='paiddifferently',
            name='command',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='paiddifferently',
            name='record',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='paid_differently', to='tables.handrecord'),
        ),
        migrations.AddField(
            model_name='paiddifferently',
            name='share',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.bankshare'),
        ),
        migrations.AddField(
            model_name='paiddifferently',
            name='wager',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.wager'),
        ),
        migrations.AddField(
            model_name='ruling',
            name='command',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='ruling',
            name='dispute',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='ruling', to='tables.dispute'),
        ),
        migrations.AddField(
            model_name='tableexception',
            name='command',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='tableexception',
            name='hand',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='exceptions', to='tables.hand'),
        ),
        migrations.AddField(
            model_name='tableexception',
            name='session',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='exceptions', to='tables.tablesession'),
        ),
        migrations.AddField(
            model_name='exceptiondecision',
            name='exception',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='decision', to='tables.tableexception'),
        ),
        migrations.AddConstraint(
            model_name='dispute',
            constraint=models.CheckConstraint(condition=models.Q(('about', ''), _negated=True), name='dispute_says_what'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dispute',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='91bd2a9966a42145ad2b4fb2a0d8d7ea5c150090', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_dbfd5', table='tables_dispute', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dispute',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='0acc903f49f3e77d49bb55795f6ff3955254515f', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_12516', table='tables_dispute', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='paiddifferently',
            constraint=models.UniqueConstraint(fields=('record', 'payer', 'payee'), name='paiddifferently_pair_once'),
        ),
        migrations.AddConstraint(
            model_name='paiddifferently',
            constraint=models.UniqueConstraint(fields=('record', 'wager'), name='paiddifferently_wager_once'),
        ),
        migrations.AddConstraint(
            model_name='paiddifferently',
            constraint=models.UniqueConstraint(fields=('record', 'share'), name='paiddifferently_share_once'),
        ),
        migrations.AddConstraint(
            model_name='paiddifferently',
            constraint=models.CheckConstraint(condition=models.Q(('paid_cents', models.F('due_cents')), _negated=True), name='paiddifferently_differs'),
        ),
        migrations.AddConstraint(
            model_name='paiddifferently',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('paid_cents__gte', 0), ('payee__isnull', False), ('payer__isnull', False), ('share__isnull', True), ('wager__isnull', True)), models.Q(('payee__isnull', True), ('payer__isnull', True), ('share__isnull', True), ('wager__isnull', False)), models.Q(('payee__isnull', True), ('payer__isnull', True), ('share__isnull', False), ('wager__isnull', True)), _connector='OR'), name='paiddifferently_one_line'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='paiddifferently',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='d32864c39ecd6d50a2afa147cacf37de73aab530', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_eff63', table='tables_paiddifferently', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='paiddifferently',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='b0b75053603f369bf91e3fcfc97b95241f777333', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_0f9f6', table='tables_paiddifferently', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('words', ''), _negated=True), models.Q(('rule', ''), _negated=True)), name='ruling_says_what'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.CheckConstraint(condition=models.Q(('outcome__in', ['stands', 'resettled', 'voided', 'not-in-time'])), name='ruling_outcome_known'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.CheckConstraint(condition=models.Q(('error_by__in', ['none', 'patron', 'dealer'])), name='ruling_error_known'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ruling',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='71662572690fb244498f241b326905f8747d2482', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_85df5', table='tables_ruling', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ruling',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='b0d64e6580c5440119ccc16661d99e4804dd26d3', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_9e07b', table='tables_ruling', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='tableexception',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['paid-differently', 'dispute-not-ruled', 'contradiction', 'other'])), name='tableexception_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='tableexception',
            constraint=models.CheckConstraint(condition=models.Q(('words', ''), _negated=True), name='tableexception_says_what'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tableexception',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='bc200b637ccbf10ec6d8720fd520decd2b99f920', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_6376b', table='tables_tableexception', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tableexception',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='becae413829a8f67e61057b697d8afc2a0d2c090', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_61c77', table='tables_tableexception', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='exceptiondecision',
            constraint=models.CheckConstraint(condition=models.Q(('outcome__in', ['accepted', 'refused'])), name='exceptiondecision_outcome_known'),
        ),
        migrations.AddConstraint(
            model_name='exceptiondecision',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='exceptiondecision_says_why'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='exceptiondecision',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='f84f94f13528668f80c5ce0d81d6a3766b72e095', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_f4d77', table='tables_exceptiondecision', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='exceptiondecision',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='19fb2365906687e6a6f041e3a14f5e0944652f70', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_af6f5', table='tables_exceptiondecision', when='BEFORE')),
        ),
    ]
