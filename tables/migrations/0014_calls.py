import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0013_jackpots'),
    ]

    operations = [
        migrations.CreateModel(
            name='CallAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('answered_at', models.DateTimeField(verbose_name='answered')),
            ],
            options={
                'verbose_name': 'answer to a call',
                'verbose_name_plural': 'answers to calls',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='CallClose',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('closed_at', models.DateTimeField(verbose_name='closed')),
            ],
            options={
                'verbose_name': 'end of a call',
                'verbose_name_plural': 'ends of calls',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='FloorCall',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('reason', models.CharField(choices=[('decision', 'Decision'), ('fill', 'Fill'), ('dispute', 'Dispute'), ('service', 'Service')], max_length=10, verbose_name='reason')),
                ('note', models.CharField(blank=True, max_length=300, verbose_name='note')),
                ('called_at', models.DateTimeField(verbose_name='called')),
            ],
            options={
                'verbose_name': 'call for floor',
                'verbose_name_plural': 'calls for floor',
                'abstract': False,
            },
        ),
        migrations.RemoveConstraint(
            model_name='tableexception',
            name='tableexception_kind_known',
        ),
        migrations.AlterField(
            model_name='tableexception',
            name='kind',
            field=models.CharField(choices=[('paid-differently', 'Paid differently'), ('dispute-not-ruled', 'Dispute not ruled in time'), ('contradiction', 'Chips and record disagree'), ('undo-asked', 'Asked to take back a hand'), ('other', 'Something else')], max_length=20, verbose_name='kind'),
        ),
        migrations.AddConstraint(
            model_name='tableexception',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['paid-differently', 'dispute-not-ruled', 'contradiction', 'undo-asked', 'other'])), name='tableexception_kind_known'),
        ),
        migrations.AddField(
            model_name='callanswer',
            name='command',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='callclose',
            name='command',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='floorcall',
            name='command',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='floorcall',
            name='hand',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='calls', to='tables.hand'),
        ),
        migrations.AddField(
            model_name='floorcall',
            name='session',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='calls', to='tables.tablesession'),
        ),
        migrations.AddField(
            model_name='callclose',
            name='call',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='close', to='tables.floorcall'),
        ),
        migrations.AddField(
            model_name='callanswer',
            name='call',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='answer', to='tables.floorcall'),
        ),
        migrations.AddConstraint(
            model_name='floorcall',
            constraint=models.CheckConstraint(condition=models.Q(('reason__in', ['decision', 'fill', 'dispute', 'service'])), name='floorcall_reason_known'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='floorcall',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='95f5746ab850f66802f7d45fc69e9e696af24c7f', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_259d0', table='tables_floorcall', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='floorcall',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='0d8764a37f3d7fa3ed8ae790872abf6aacbeaa26', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_cf4f0', table='tables_floorcall', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='floorcall',
            trigger=pgtrigger.compiler.Trigger(name='one_open_a_reason', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF EXISTS (\n                        SELECT FROM tables_floorcall c WHERE c.session_id = NEW.session_id AND c.reason = NEW.reason\n                        AND NOT EXISTS (SELECT FROM tables_callclose o WHERE o.call_id = c.id)\n                    ) THEN\n                        RAISE EXCEPTION 'floor is called for this reason already at session %', NEW.session_id;\n                    END IF;\n                    RETURN NEW;\n                ", hash='f6ebef38bf5b10fc7d4b32efa130baf249dc143f', operation='INSERT', pgid='pgtrigger_one_open_a_reason_fcf31', table='tables_floorcall', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='callclose',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='25efea364e65ba43622078ab8d06e6ac31a7edcd', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_55372', table='tables_callclose', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='callclose',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='e48dc9c881a3dfa27f879a80b5b85961aeaa4acd', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_98d9b', table='tables_callclose', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='callanswer',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='dce462eac4f2cbe0af15b799e5daec76fafa580f', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_050fb', table='tables_callanswer', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='callanswer',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='949a4d679f5105fb07e5977a9e9e4bbf2f842226', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_2a5cd', table='tables_callanswer', when='BEFORE')),
        ),
    ]
