
import django.contrib.postgres.fields
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
import uuid
from django.conf import settings
from django.db import migrations, models


# Whoever deals while this runs does so since the last command that dealt them in.
SHIFTS_NOW = """
    INSERT INTO tables_dealershift (session_id, dealer_id, started_at)
    SELECT s.id, s.dealer_id, max(c.recorded_at) FROM tables_tablesession s
    JOIN tables_command c ON c.verb = 'session.deal_in' AND c.answer ->> 'session' = s.id::text
    WHERE s.closed_at IS NULL AND s.dealer_id IS NOT NULL GROUP BY s.id, s.dealer_id
"""


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0005_table_moves"),
        ("tables", "0007_stages_of_a_hand"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='DealerShift',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('started_at', models.DateTimeField(verbose_name='dealt in')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='dealt out')),
            ],
            options={
                'verbose_name': "dealer's shift",
                'verbose_name_plural': "dealers' shifts",
            },
        ),
        migrations.CreateModel(
            name='MoneyBehind',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('cause', models.CharField(choices=[('coloured-up', 'Coloured up'), ('played', 'Paid with in a hand'), ('put-back', 'Put back on the table'), ('taken-back', 'Colour-up taken back'), ('moved', 'Taken along to another table')], max_length=12, verbose_name='why')),
                ('change_cents', models.BigIntegerField(verbose_name='change')),
            ],
            options={
                'verbose_name': 'change of money behind',
                'verbose_name_plural': 'changes of money behind',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Restriction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('barred', 'Barred'), ('self-restricted', 'Self-restricted')], max_length=16, verbose_name='kind')),
                ('started_at', models.DateTimeField(verbose_name='from')),
                ('until_date', models.DateField(null=True, verbose_name='last day')),
                ('reason', models.CharField(max_length=300, verbose_name='why')),
            ],
            options={
                'verbose_name': 'restriction',
                'verbose_name_plural': 'restrictions',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='RestrictionLift',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('lifted_at', models.DateTimeField(verbose_name='lifted')),
                ('reason', models.CharField(max_length=300, verbose_name='why')),
            ],
            options={
                'verbose_name': 'lifted restriction',
                'verbose_name_plural': 'lifted restrictions',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='SeatHold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('held_at', models.DateTimeField(verbose_name='held since')),
                ('until', models.DateTimeField(verbose_name='held until')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='ended')),
            ],
            options={
                'verbose_name': 'held seat',
                'verbose_name_plural': 'held seats',
            },
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='sitting',
            name='facts_fixed',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='tablesession',
            name='terms_fixed',
        ),
        migrations.AddField(
            model_name='patron',
            name='provider',
            field=models.CharField(blank=True, help_text='The provider of proposition services that this person plays for; empty for everybody else.', max_length=120, verbose_name='third-party provider'),
        ),
        migrations.AddField(
            model_name='sitting',
            name='absent_at',
            field=models.DateTimeField(null=True, verbose_name='absent since'),
        ),
        migrations.AddField(
            model_name='sitting',
            name='is_new',
            field=models.BooleanField(default=False, verbose_name='new player'),
        ),
        migrations.AddField(
            model_name='sitting',
            name='money_behind_cents',
            field=models.BigIntegerField(default=0, verbose_name='money behind'),
        ),
        migrations.AddField(
            model_name='sitting',
            name='moved_from',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='moved_to', to='tables.sitting'),
        ),
        migrations.AddField(
            model_name='tablesession',
            name='chip_denominations',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), blank=True, default=list, size=None, verbose_name='chips'),
        ),
        migrations.AddField(
            model_name='tablesession',
            name='clock_seconds',
            field=models.PositiveSmallIntegerField(default=60, verbose_name='clock, in seconds'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='sitting',
            trigger=pgtrigger.compiler.Trigger(name='facts_fixed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."session_id" IS DISTINCT FROM (NEW."session_id") OR OLD."patron_id" IS DISTINCT FROM (NEW."patron_id") OR OLD."stack_id" IS DISTINCT FROM (NEW."stack_id") OR OLD."started_at" IS DISTINCT FROM (NEW."started_at") OR OLD."moved_from_id" IS DISTINCT FROM (NEW."moved_from_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='b7ba2b3582dba0a48ec4cab6f3364d4f2f6c7da0', operation='UPDATE', pgid='pgtrigger_facts_fixed_e5540', table='tables_sitting', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablesession',
            trigger=pgtrigger.compiler.Trigger(name='terms_fixed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."table_id" IS DISTINCT FROM (NEW."table_id") OR OLD."rules_id" IS DISTINCT FROM (NEW."rules_id") OR OLD."point_value_cents" IS DISTINCT FROM (NEW."point_value_cents") OR OLD."table_min_cents" IS DISTINCT FROM (NEW."table_min_cents") OR OLD."table_max_cents" IS DISTINCT FROM (NEW."table_max_cents") OR OLD."collection_cents" IS DISTINCT FROM (NEW."collection_cents") OR OLD."bank_collection_cents" IS DISTINCT FROM (NEW."bank_collection_cents") OR OLD."chip_denominations" IS DISTINCT FROM (NEW."chip_denominations") OR OLD."clock_seconds" IS DISTINCT FROM (NEW."clock_seconds") OR OLD."opened_at" IS DISTINCT FROM (NEW."opened_at") OR OLD."opened_by_id" IS DISTINCT FROM (NEW."opened_by_id") OR OLD."book_id" IS DISTINCT FROM (NEW."book_id") OR OLD."cash_account_id" IS DISTINCT FROM (NEW."cash_account_id") OR OLD."chips_account_id" IS DISTINCT FROM (NEW."chips_account_id") OR OLD."drop_account_id" IS DISTINCT FROM (NEW."drop_account_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='635b65a70e81966892d62c2c3433273848821919', operation='UPDATE', pgid='pgtrigger_terms_fixed_72127', table='tables_tablesession', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='sitting',
            constraint=models.CheckConstraint(condition=models.Q(('money_behind_cents__gte', 0)), name='sitting_money_behind_not_negative'),
        ),
        migrations.AddConstraint(
            model_name='tablesession',
            constraint=models.CheckConstraint(condition=models.Q(('clock_seconds__gte', 1), ('clock_seconds__lte', 3600)), name='tablesession_clock_runs'),
        ),
        migrations.AddField(
            model_name='dealershift',
            name='dealer',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='dealer_shifts', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='dealershift',
            name='session',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='dealer_shifts', to='tables.tablesession'),
        ),
        migrations.AddField(
            model_name='moneybehind',
            name='command',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='moneybehind',
            name='sitting',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='money_behind', to='tables.sitting'),
        ),
        migrations.AddField(
            model_name='restriction',
            name='command',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='restriction',
            name='patron',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='restrictions', to='tables.patron'),
        ),
        migrations.AddField(
            model_name='restrictionlift',
            name='command',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='restrictionlift',
            name='restriction',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='lift', to='tables.restriction'),
        ),
        migrations.AddField(
            model_name='seathold',
            name='command',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='seathold',
            name='patron',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seat_holds', to='tables.patron'),
        ),
        migrations.AddField(
            model_name='seathold',
            name='seat',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='holds', to='tables.seat'),
        ),
        migrations.AddField(
            model_name='seathold',
            name='session',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seat_holds', to='tables.tablesession'),
        ),
        migrations.AddConstraint(
            model_name='dealershift',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('session',), name='dealershift_one_a_session'),
        ),
        migrations.AddConstraint(
            model_name='dealershift',
            constraint=models.CheckConstraint(condition=models.Q(('ended_at__isnull', True), ('ended_at__gte', models.F('started_at')), _connector='OR'), name='dealershift_ends_after_it_began'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dealershift',
            trigger=pgtrigger.compiler.Trigger(name='no_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='0e0912184a50cf73d0bcf52ffb9b47d9562818c1', operation='DELETE', pgid='pgtrigger_no_delete_4d2f1', table='tables_dealershift', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dealershift',
            trigger=pgtrigger.compiler.Trigger(name='ended_is_final', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."ended_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='1fbfb798bb1247efeefa9e3f0f520c6561bd19d5', operation='UPDATE', pgid='pgtrigger_ended_is_final_7242f', table='tables_dealershift', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dealershift',
            trigger=pgtrigger.compiler.Trigger(name='facts_fixed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."session_id" IS DISTINCT FROM (NEW."session_id") OR OLD."dealer_id" IS DISTINCT FROM (NEW."dealer_id") OR OLD."started_at" IS DISTINCT FROM (NEW."started_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='599d041dfd326464fe34e51bf05c2b0bf292126d', operation='UPDATE', pgid='pgtrigger_facts_fixed_32d30', table='tables_dealershift', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='moneybehind',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('cause', 'coloured-up'), ('change_cents__gt', 0)), models.Q(('cause__in', ['played', 'put-back', 'taken-back']), ('change_cents__lt', 0)), models.Q(('cause', 'moved'), models.Q(('change_cents', 0), _negated=True)), _connector='OR'), name='moneybehind_grows_or_shrinks'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='moneybehind',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='bc34eaf8a1b7f7e6aa7ac0eace13982faf5082b6', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_4719d', table='tables_moneybehind', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='moneybehind',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='421e066706153b0819d2cd97fdb24330f83fca31', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_c813a', table='tables_moneybehind', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='restriction',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['barred', 'self-restricted'])), name='restriction_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='restriction',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='restriction_has_a_reason'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='restriction',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='8cc2f49ca63830ede9a0667dd3c606cad9e9bde4', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_c2718', table='tables_restriction', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='restriction',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='a7cee14338526954ba627c0943bdd76d1f38966d', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_5c714', table='tables_restriction', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='restrictionlift',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='restrictionlift_has_a_reason'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='restrictionlift',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='d76062121030c4fb80359a43fd2af446cb1aedeb', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_e88e2', table='tables_restrictionlift', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='restrictionlift',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='e0ad29dc4a0ae5b2cf9950cf38abbe968dbc8ff0', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_14e86', table='tables_restrictionlift', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='seathold',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('seat',), name='seathold_one_a_seat'),
        ),
        migrations.AddConstraint(
            model_name='seathold',
            constraint=models.CheckConstraint(condition=models.Q(('until__gt', models.F('held_at'))), name='seathold_ends_after_it_began'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seathold',
            trigger=pgtrigger.compiler.Trigger(name='no_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='d706c1539148be6ff21e4858fb1cd60c2f14c4ae', operation='DELETE', pgid='pgtrigger_no_delete_f7560', table='tables_seathold', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seathold',
            trigger=pgtrigger.compiler.Trigger(name='ended_is_final', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."ended_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='c619afee6407402c3e0a18f7c4718d438c78486f', operation='UPDATE', pgid='pgtrigger_ended_is_final_4d893', table='tables_seathold', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seathold',
            trigger=pgtrigger.compiler.Trigger(name='facts_fixed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."session_id" IS DISTINCT FROM (NEW."session_id") OR OLD."seat_id" IS DISTINCT FROM (NEW."seat_id") OR OLD."patron_id" IS DISTINCT FROM (NEW."patron_id") OR OLD."held_at" IS DISTINCT FROM (NEW."held_at") OR OLD."until" IS DISTINCT FROM (NEW."until") OR OLD."command_id" IS DISTINCT FROM (NEW."command_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='10dcd0ebc1f3754dea3af5a1adac3324d797e70e', operation='UPDATE', pgid='pgtrigger_facts_fixed_2daf7', table='tables_seathold', when='BEFORE')),
        ),
        migrations.RunSQL(SHIFTS_NOW, migrations.RunSQL.noop),
    ]
