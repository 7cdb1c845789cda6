"""Collections by versioned schedules: their rates, waivers, and the amounts that the database lets a hand collect."""

import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
import uuid
from django.db import migrations, models


COLLECTIONS = """
CREATE FUNCTION tables_collection_due(session uuid, for_whom text, measure bigint) RETURNS bigint LANGUAGE sql STABLE
    SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN ts.schedule_id IS NOT NULL THEN coalesce((
            SELECT r.amount_cents FROM tables_collectionrate r WHERE r.schedule_id = ts.schedule_id AND r.payer = for_whom
            AND measure >= r.bracket_from AND (r.bracket_to IS NULL OR measure <= r.bracket_to)
        ), 0)
        WHEN for_whom = 'bank' THEN ts.bank_collection_cents
        ELSE ts.collection_cents
    END FROM tables_tablesession ts WHERE ts.id = session
$$;

CREATE OR REPLACE FUNCTION tables_flat_collection() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    terms record;
    given record;
BEGIN
    IF NEW.reference ~ '^hand:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN
        SELECT ts.collection_cents, ts.bank_collection_cents, ts.schedule_id, ts.drop_account_id,
            h.action_account_id IS NOT NULL AS has_bank INTO terms
            FROM tables_tablesession ts JOIN tables_hand h ON h.session_id = ts.id
            WHERE h.id = substring(NEW.reference FROM 6)::uuid AND ts.book_id = NEW.book_id;
    END IF;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'tables: a collection is about a hand of the session in whose book it is, not about %', NEW.reference
            USING ERRCODE = 'check_violation', CONSTRAINT = 'tables_collection_for_a_hand';
    END IF;
    SELECT amount_cents, account_id INTO given FROM ledger_entry WHERE transaction_id = NEW.id AND amount_cents > 0;
    IF NEW.entry_count <> 2 OR given.account_id <> terms.drop_account_id THEN
        RAISE EXCEPTION 'tables: a collection is from one stack to the drop box of its session'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'tables_collection_of_one';
    END IF;
    IF terms.schedule_id IS NOT NULL THEN
        IF NOT EXISTS (
            SELECT FROM tables_collectionrate WHERE schedule_id = terms.schedule_id AND amount_cents = given.amount_cents
        ) THEN
            RAISE EXCEPTION 'tables: a collection of % cents is no rate of its schedule', given.amount_cents
                USING ERRCODE = 'check_violation', CONSTRAINT = 'tables_collection_is_flat';
        END IF;
    ELSIF given.amount_cents <> terms.collection_cents
        AND NOT (terms.has_bank AND given.amount_cents = terms.bank_collection_cents) THEN
        RAISE EXCEPTION 'tables: a collection of % cents is not what the session was opened with', given.amount_cents
            USING ERRCODE = 'check_violation', CONSTRAINT = 'tables_collection_is_flat';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION tables_collection_back() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    over record;
BEGIN
    SELECT sum(e.amount_cents) * CASE a.kind WHEN 'stack' THEN 1 ELSE -1 END AS cents INTO over
        FROM ledger_transaction t JOIN ledger_entry e ON e.transaction_id = t.id
        JOIN ledger_account a ON a.id = e.account_id
        LEFT JOIN ledger_transaction original ON original.id = t.reverses_id
        WHERE t.reference = NEW.reference AND t.book_id = NEW.book_id
        AND coalesce(original.kind, t.kind) IN ('collection', 'waiver', 'collection-refund')
        GROUP BY e.account_id, a.kind HAVING sum(e.amount_cents) * CASE a.kind WHEN 'stack' THEN 1 ELSE -1 END > 0 LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'tables: for % went % cents more back than was collected', NEW.reference, over.cents
            USING ERRCODE = 'check_violation', CONSTRAINT = 'tables_collection_back';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER tables_collection_back AFTER INSERT ON ledger_transaction
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind IN ('waiver', 'collection-refund'))
    EXECUTE FUNCTION tables_collection_back();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0006_waivers'),
        ('tables', '0008_seats'),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='tablesession',
            name='terms_fixed',
        ),
        migrations.CreateModel(
            name='CollectionRate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('payer', models.CharField(choices=[('player', 'A player'), ('wager', 'A wager'), ('bank', 'The bank')], max_length=10, verbose_name='for')),
                ('bracket_from', models.BigIntegerField(verbose_name='from')),
                ('bracket_to', models.BigIntegerField(null=True, verbose_name='to')),
                ('amount_cents', models.BigIntegerField(verbose_name='amount')),
            ],
            options={
                'verbose_name': 'collection rate',
                'verbose_name_plural': 'collection rates',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='CollectionSchedule',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('slug', models.SlugField(max_length=60, verbose_name='slug')),
                ('version', models.PositiveIntegerField(verbose_name='version')),
                ('game', models.CharField(choices=[('chinese-poker', 'Chinese Poker'), ('pai-gow-poker', 'Pai Gow Poker')], max_length=20, verbose_name='game')),
                ('title', models.CharField(max_length=120, verbose_name='title')),
                ('rate_count', models.PositiveSmallIntegerField(verbose_name='rates')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='added')),
                ('reason', models.CharField(max_length=300, verbose_name='why it was added')),
            ],
            options={
                'verbose_name': 'collection schedule',
                'verbose_name_plural': 'collection schedules',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Waiver',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('payer', models.CharField(choices=[('player', 'A player'), ('wager', 'A wager'), ('bank', 'The bank')], max_length=10, verbose_name='for')),
                ('amount_cents', models.BigIntegerField(verbose_name='amount')),
                ('reason', models.CharField(max_length=300, verbose_name='why')),
            ],
            options={
                'verbose_name': 'waiver of a collection',
                'verbose_name_plural': 'waivers of collections',
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='tablesession',
            name='carried_hand',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.hand'),
        ),
        migrations.AddField(
            model_name='collectionschedule',
            name='command',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='collectionschedule',
            name='room',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='collection_schedules', to='tables.room'),
        ),
        migrations.AddField(
            model_name='collectionrate',
            name='schedule',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rates', to='tables.collectionschedule'),
        ),
        migrations.AddField(
            model_name='tablesession',
            name='schedule',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='sessions', to='tables.collectionschedule'),
        ),
        migrations.AddConstraint(
            model_name='tablesession',
            constraint=models.CheckConstraint(condition=models.Q(('schedule__isnull', True), models.Q(('bank_collection_cents', 0), ('collection_cents', 0)), _connector='OR'), name='tablesession_schedule_or_flat_amounts'),
        ),
        migrations.AddField(
            model_name='waiver',
            name='command',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='waiver',
            name='hand',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='waivers', to='tables.hand'),
        ),
        migrations.AddField(
            model_name='waiver',
            name='sitting',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='waivers', to='tables.sitting'),
        ),
        migrations.AddConstraint(
            model_name='collectionschedule',
            constraint=models.UniqueConstraint(fields=('room', 'slug', 'version'), name='collectionschedule_once'),
        ),
        migrations.AddConstraint(
            model_name='collectionschedule',
            constraint=models.CheckConstraint(condition=models.Q(('game__in', ['chinese-poker', 'pai-gow-poker'])), name='collectionschedule_game_known'),
        ),
        migrations.AddConstraint(
            model_name='collectionschedule',
            constraint=models.CheckConstraint(condition=models.Q(('rate_count__gte', 1), ('rate_count__lte', 5)), name='collectionschedule_at_most_five_rates'),
        ),
        migrations.AddConstraint(
            model_name='collectionschedule',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='collectionschedule_has_a_reason'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='collectionschedule',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='28f2c9e9123ea386453f7cb4e6920cbed1620790', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_4d69c', table='tables_collectionschedule', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='collectionschedule',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='89a22a665de5dd22b4841e3fad353e732831d9b8', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_a5d1b', table='tables_collectionschedule', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='collectionrate',
            constraint=models.UniqueConstraint(fields=('schedule', 'number'), name='collectionrate_once'),
        ),
        migrations.AddConstraint(
            model_name='collectionrate',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1), ('number__lte', 5)), name='collectionrate_at_most_five'),
        ),
        migrations.AddConstraint(
            model_name='collectionrate',
            constraint=models.CheckConstraint(condition=models.Q(('payer__in', ['player', 'wager', 'bank'])), name='collectionrate_payer_known'),
        ),
        migrations.AddConstraint(
            model_name='collectionrate',
            constraint=models.CheckConstraint(condition=models.Q(('amount_cents__gt', 0)), name='collectionrate_amount_positive'),
        ),
        migrations.AddConstraint(
            model_name='collectionrate',
            constraint=models.CheckConstraint(condition=models.Q(('bracket_from__gte', 1), models.Q(('bracket_to__isnull', True), ('bracket_to__gte', models.F('bracket_from')), _connector='OR')), name='collectionrate_bracket_is_one'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='collectionrate',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='fc4bcd633a3eb79af259b9d199904a81eac5ffec', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_87a63', table='tables_collectionrate', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='collectionrate',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='8c68134312ddd7be10483f36ee05a6d95f265e03', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_23c48', table='tables_collectionrate', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='collectionrate',
            trigger=pgtrigger.compiler.Trigger(name='none_added_later', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF NEW.number > (SELECT rate_count FROM tables_collectionschedule WHERE id = NEW.schedule_id) THEN\n                        RAISE EXCEPTION 'schedule % has all its rates', NEW.schedule_id;\n                    END IF;\n                    RETURN NEW;\n                ", hash='ddd051bc8707b4deddb91ce6b6710f26f0f5075a', operation='INSERT', pgid='pgtrigger_none_added_later_e045a', table='tables_collectionrate', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='waiver',
            constraint=models.CheckConstraint(condition=models.Q(('payer__in', ['player', 'wager', 'bank'])), name='waiver_payer_known'),
        ),
        migrations.AddConstraint(
            model_name='waiver',
            constraint=models.CheckConstraint(condition=models.Q(('amount_cents__gt', 0)), name='waiver_amount_positive'),
        ),
        migrations.AddConstraint(
            model_name='waiver',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='waiver_has_a_reason'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='waiver',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='8f38deb1117ff384869a973bed434b18474e03b8', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_cf664', table='tables_waiver', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='waiver',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='179758796c643bede6aa4b81c4e76e858daf3151', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_58c3c', table='tables_waiver', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablesession',
            trigger=pgtrigger.compiler.Trigger(name='terms_fixed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."table_id" IS DISTINCT FROM (NEW."table_id") OR OLD."rules_id" IS DISTINCT FROM (NEW."rules_id") OR OLD."point_value_cents" IS DISTINCT FROM (NEW."point_value_cents") OR OLD."table_min_cents" IS DISTINCT FROM (NEW."table_min_cents") OR OLD."table_max_cents" IS DISTINCT FROM (NEW."table_max_cents") OR OLD."collection_cents" IS DISTINCT FROM (NEW."collection_cents") OR OLD."bank_collection_cents" IS DISTINCT FROM (NEW."bank_collection_cents") OR OLD."schedule_id" IS DISTINCT FROM (NEW."schedule_id") OR OLD."chip_denominations" IS DISTINCT FROM (NEW."chip_denominations") OR OLD."clock_seconds" IS DISTINCT FROM (NEW."clock_seconds") OR OLD."opened_at" IS DISTINCT FROM (NEW."opened_at") OR OLD."opened_by_id" IS DISTINCT FROM (NEW."opened_by_id") OR OLD."book_id" IS DISTINCT FROM (NEW."book_id") OR OLD."cash_account_id" IS DISTINCT FROM (NEW."cash_account_id") OR OLD."chips_account_id" IS DISTINCT FROM (NEW."chips_account_id") OR OLD."drop_account_id" IS DISTINCT FROM (NEW."drop_account_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='61c1c28d042b541d9a4b22a4e9cf78ce5e733521', operation='UPDATE', pgid='pgtrigger_terms_fixed_72127', table='tables_tablesession', when='BEFORE')),
        ),
        migrations.RunSQL(COLLECTIONS),
    ]
