"""Offers of the bank and their answers; wagers and banks that are placed one by one and taken back before the dice."""

import django.db.models.deletion
import django.db.models.manager
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0010_hand_life'),
    ]

    operations = [
        migrations.CreateModel(
            name='BankAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('accepts', models.BooleanField(verbose_name='accepted')),
                ('answered_at', models.DateTimeField(verbose_name='answered')),
            ],
            options={
                'verbose_name': 'answer to an offer of the bank',
                'verbose_name_plural': 'answers to offers of the bank',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='BankOffer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hand_number', models.PositiveIntegerField(verbose_name='for hand')),
                ('round', models.PositiveIntegerField(verbose_name='round')),
                ('seat', models.PositiveSmallIntegerField(verbose_name='seat')),
                ('skipped', models.CharField(blank=True, choices=[('limit', 'held it for as many hands in a row as anybody may'), ('absent', 'absent'), ('no-chips', 'no chips'), ('provider', 'its provider had the turn before'), ('no-wager', 'no wager on this spot in the hand before')], max_length=10, verbose_name='why it was passed by')),
                ('offered_at', models.DateTimeField(verbose_name='offered')),
            ],
            options={
                'verbose_name': 'offer of the bank',
                'verbose_name_plural': 'offers of the bank',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Withdrawal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('withdrawn_at', models.DateTimeField(verbose_name='taken back')),
            ],
            options={
                'verbose_name': 'withdrawal before the dice',
                'verbose_name_plural': 'withdrawals before the dice',
                'abstract': False,
            },
        ),
        migrations.AlterModelManagers(
            name='bankshare',
            managers=[
                ('not_withdrawn', django.db.models.manager.Manager()),
            ],
        ),
        migrations.AlterModelManagers(
            name='wager',
            managers=[
                ('not_withdrawn', django.db.models.manager.Manager()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='bankshare',
            name='bankshare_ordinal_once',
        ),
        migrations.RemoveConstraint(
            model_name='bankshare',
            name='bankshare_sitting_once',
        ),
        migrations.AddField(
            model_name='bankshare',
            name='command',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='bankshare',
            name='giving',
            field=models.PositiveSmallIntegerField(default=1, verbose_name='giving'),
        ),
        migrations.AddField(
            model_name='tablesession',
            name='offers_required',
            field=models.BooleanField(default=False, verbose_name='bank offered before every hand'),
        ),
        migrations.AddField(
            model_name='tablesession',
            name='rotation_pack',
            field=models.BooleanField(default=False, verbose_name='rotation of the bank is timed'),
        ),
        migrations.AddField(
            model_name='wager',
            name='command',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='wager',
            name='put_down_by_dealer',
            field=models.BooleanField(default=False, verbose_name='put down by the dealer'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablesession',
            trigger=pgtrigger.compiler.Trigger(name='rotation_fixed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."offers_required" IS DISTINCT FROM (NEW."offers_required") OR OLD."rotation_pack" IS DISTINCT FROM (NEW."rotation_pack"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='88eeeccd2ac4dd615641cca3fe25c5eeb71ec5c5', operation='UPDATE', pgid='pgtrigger_rotation_fixed_8b26e', table='tables_tablesession', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='bankshare',
            constraint=models.UniqueConstraint(fields=('hand', 'giving', 'ordinal'), name='bankshare_ordinal_once'),
        ),
        migrations.AddConstraint(
            model_name='bankshare',
            constraint=models.UniqueConstraint(fields=('hand', 'giving', 'sitting'), name='bankshare_sitting_once'),
        ),
        migrations.AddField(
            model_name='bankanswer',
            name='command',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='bankoffer',
            name='command',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='bankoffer',
            name='session',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='bank_offers', to='tables.tablesession'),
        ),
        migrations.AddField(
            model_name='bankoffer',
            name='sitting',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.sitting'),
        ),
        migrations.AddField(
            model_name='bankanswer',
            name='offer',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='tables.bankoffer'),
        ),
        migrations.AddField(
            model_name='withdrawal',
            name='command',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='withdrawal',
            name='share',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='withdrawal', to='tables.bankshare'),
        ),
        migrations.AddField(
            model_name='withdrawal',
            name='wager',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='withdrawal', to='tables.wager'),
        ),
        migrations.AddConstraint(
            model_name='bankoffer',
            constraint=models.UniqueConstraint(fields=('session', 'hand_number', 'round', 'seat'), name='bankoffer_once_a_round'),
        ),
        migrations.AddConstraint(
            model_name='bankoffer',
            constraint=models.CheckConstraint(condition=models.Q(('skipped__in', ['', 'limit', 'absent', 'no-chips', 'provider', 'no-wager'])), name='bankoffer_skip_known'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='bankoffer',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='ef54d0e8d7b746e5f2d89b38276eb3686a80cac0', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_4235f', table='tables_bankoffer', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='bankoffer',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='fd4f9ba60f349ff4f419c08ebcc39f91ac6de009', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_2a785', table='tables_bankoffer', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='bankanswer',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='cfb367a41caf6b6ef28098a607a1945f146f9d2b', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_e5839', table='tables_bankanswer', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='bankanswer',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='e63ef64089233a49b25abf9df4a59376be9a6258', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_09c8b', table='tables_bankanswer', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='withdrawal',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('share__isnull', False), ('wager__isnull', True)), models.Q(('share__isnull', True), ('wager__isnull', False)), _connector='OR'), name='withdrawal_of_one_thing'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='withdrawal',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='ba6d1284ebf6941afbeff2d28df82d68d6fccc44', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_8bbf7', table='tables_withdrawal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='withdrawal',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='643cb9664fe5b331ef3731b686314481b6d3d4c5', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_e971e', table='tables_withdrawal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='withdrawal',
            trigger=pgtrigger.compiler.Trigger(name='before_the_dice', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF NOT EXISTS (\n                        SELECT FROM tables_hand h WHERE h.status = 'out' AND h.wagers_closed_at IS NULL AND h.id IN (\n                            SELECT hand_id FROM tables_wager WHERE id = NEW.wager_id\n                            UNION ALL SELECT hand_id FROM tables_bankshare WHERE id = NEW.share_id\n                        )\n                    ) THEN\n                        RAISE EXCEPTION 'nothing is withdrawn after the dice'\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_before_the_dice';\n                    END IF;\n                    RETURN NEW;\n                ", hash='5b5078dcbfc1abc8515c34f8993f991bb222973d', operation='INSERT', pgid='pgtrigger_before_the_dice_0be11', table='tables_withdrawal', when='BEFORE')),
        ),
    ]
