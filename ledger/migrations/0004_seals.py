"""Seals and their lines, with the promises that the database holds of them; docs/ledger.md says what each is for."""

import django.db.models.deletion
import django.db.models.functions.text
import django.db.models.lookups
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

# By index always: a plan made while the tables were empty would be kept, and read them whole for every line.
_FUNCTION = "LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off"

# A seal follows the last one, names its digest, and is made with the key that the last one names.
GUARD_SEAL = f"""
CREATE FUNCTION ledger_guard_seal() RETURNS trigger {_FUNCTION} AS $$
DECLARE
    head record;
BEGIN
    SELECT number, digest, next_public_key INTO head FROM ledger_seal ORDER BY number DESC LIMIT 1;
    IF NEW.number <> coalesce(head.number, 0) + 1 THEN
        RAISE EXCEPTION 'ledger: seal % does not follow seal %', NEW.number, coalesce(head.number, 0)
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_seal_follows';
    END IF;
    IF NEW.previous <> coalesce(head.digest, decode(repeat('00', 32), 'hex')) THEN
        RAISE EXCEPTION 'ledger: seal % does not chain to the seal before it', NEW.number
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_seal_chained';
    END IF;
    IF NEW.public_key <> head.next_public_key THEN
        RAISE EXCEPTION 'ledger: seal % is not made with the key that the seal before it names', NEW.number
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_seal_key_follows';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER ledger_seal_guard BEFORE INSERT ON ledger_seal FOR EACH ROW EXECUTE FUNCTION ledger_guard_seal();
"""

# A line begins where the seals of its book ended, and tells the digests that are stored.
GUARD_LINE = f"""
CREATE FUNCTION ledger_guard_sealline() RETURNS trigger {_FUNCTION} AS $$
DECLARE
    sealed bigint;
    before bytea;
    head bytea;
BEGIN
    SELECT last INTO sealed FROM ledger_sealline WHERE book_id = NEW.book_id ORDER BY first DESC LIMIT 1;
    IF NEW.first <> coalesce(sealed, 0) + 1 OR NEW.last < NEW.first THEN
        RAISE EXCEPTION 'ledger: transactions % to % of book % do not follow %, the last one sealed',
            NEW.first, NEW.last, NEW.book_id, coalesce(sealed, 0)
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_sealline_follows';
    END IF;
    IF NEW.first = 1 THEN
        before := sha256(uuid_send(NEW.book_id));
    ELSE
        SELECT digest INTO before FROM ledger_transaction WHERE book_id = NEW.book_id AND sequence = NEW.first - 1;
    END IF;
    SELECT digest INTO head FROM ledger_transaction WHERE book_id = NEW.book_id AND sequence = NEW.last;
    IF (NEW.previous_digest, NEW.digest) IS DISTINCT FROM (before, head) THEN
        RAISE EXCEPTION 'ledger: book % has other digests at % and %', NEW.book_id, NEW.first - 1, NEW.last
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_sealline_digests';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER ledger_sealline_guard BEFORE INSERT ON ledger_sealline FOR EACH ROW
    EXECUTE FUNCTION ledger_guard_sealline();
"""

# At commit a seal has the lines it says. Never has it more, so that none can be added to a seal made before.
WHOLE_SEAL = f"""
CREATE FUNCTION ledger_whole_seal() RETURNS trigger {_FUNCTION} AS $$
DECLARE
    written bigint;
BEGIN
    SELECT count(*) INTO written FROM ledger_sealline WHERE seal_id = NEW.id;
    IF written <> NEW.lines THEN
        RAISE EXCEPTION 'ledger: seal % says % lines and has %', NEW.number, NEW.lines, written
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_seal_whole';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER ledger_seal_whole AFTER INSERT ON ledger_seal
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_whole_seal();

CREATE FUNCTION ledger_full_seal() RETURNS trigger {_FUNCTION} AS $$
DECLARE
    full_seal bigint;
BEGIN
    SELECT number INTO full_seal FROM ledger_seal s WHERE id IN (SELECT seal_id FROM added)
        AND lines < (SELECT count(*) FROM ledger_sealline l WHERE l.seal_id = s.id) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger: seal % has all its lines already', full_seal
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_seal_full';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER ledger_sealline_full AFTER INSERT ON ledger_sealline REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_full_seal();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0003_notes'),
    ]

    operations = [
        migrations.CreateModel(
            name='SealLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first', models.BigIntegerField(verbose_name='first transaction')),
                ('last', models.BigIntegerField(verbose_name='last transaction')),
                ('previous_digest', models.BinaryField(verbose_name='digest before')),
                ('digest', models.BinaryField(verbose_name='digest of the last')),
                ('root', models.BinaryField(verbose_name='Merkle root')),
            ],
            options={
                'verbose_name': 'line of a seal',
                'verbose_name_plural': 'lines of seals',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Seal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.BigIntegerField(verbose_name='number')),
                ('kind', models.CharField(choices=[('hour', 'every hour'), ('gaming-day', 'end of a gaming day'), ('request', 'asked for'), ('rotation', 'change of the key')], max_length=20, verbose_name='kind')),
                ('label', models.CharField(blank=True, max_length=100, verbose_name='label')),
                ('made_at', models.DateTimeField(verbose_name='made')),
                ('lines', models.IntegerField(verbose_name='number of lines')),
                ('root', models.BinaryField(verbose_name='Merkle root')),
                ('books', models.BigIntegerField(verbose_name='books sealed so far')),
                ('transactions', models.BigIntegerField(verbose_name='transactions sealed so far')),
                ('entries', models.BigIntegerField(verbose_name='entries sealed so far')),
                ('previous', models.BinaryField(verbose_name='digest of the seal before')),
                ('public_key', models.BinaryField(verbose_name='public key')),
                ('next_public_key', models.BinaryField(verbose_name='public key of the next seal')),
                ('digest', models.BinaryField(verbose_name='digest')),
                ('signature', models.BinaryField(verbose_name='signature')),
            ],
            options={
                'verbose_name': 'seal',
                'verbose_name_plural': 'seals',
                'abstract': False,
                'constraints': [models.UniqueConstraint(fields=('number',), name='ledger_seal_number'), models.UniqueConstraint(condition=models.Q(('label', ''), _negated=True), fields=('label',), name='ledger_seal_label'), models.CheckConstraint(condition=models.Q(('kind__in', ['hour', 'gaming-day', 'request', 'rotation'])), name='ledger_seal_kind'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'gaming-day'), _negated=True), models.Q(('label', ''), _negated=True), _connector='OR'), name='ledger_seal_gaming_day_is_named'), models.CheckConstraint(condition=models.Q(('kind', 'rotation'), ('next_public_key', models.F('public_key')), _connector='OR'), name='ledger_seal_key_changes_by_rotation'), models.CheckConstraint(condition=models.Q(('books__gte', 0), ('entries__gte', 0), ('lines__gte', 0), ('number__gte', 1), ('transactions__gte', 0)), name='ledger_seal_counts'), models.CheckConstraint(condition=models.Q(django.db.models.lookups.Exact(django.db.models.functions.text.Length(models.F('root')), 32), django.db.models.lookups.Exact(django.db.models.functions.text.Length(models.F('previous')), 32), django.db.models.lookups.Exact(django.db.models.functions.text.Length(models.F('public_key')), 32), django.db.models.lookups.Exact(django.db.models.functions.text.Length(models.F('next_public_key')), 32), django.db.models.lookups.Exact(django.db.models.functions.text.Length(models.F('digest')), 32), django.db.models.lookups.Exact(django.db.models.functions.text.Length(models.F('signature')), 64)), name='ledger_seal_lengths')],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seal',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='f83a6923d956c167d9f218e4e77841a9a816683d', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_addd1', table='ledger_seal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seal',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='990993add10a3e5ddb7061fa607edd4355477582', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_5723d', table='ledger_seal', when='BEFORE')),
        ),
        migrations.AddField(
            model_name='sealline',
            name='book',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='seal_lines', to='ledger.book'),
        ),
        migrations.AddField(
            model_name='sealline',
            name='seal',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='ranges', to='ledger.seal'),
        ),
        migrations.AddConstraint(
            model_name='sealline',
            constraint=models.UniqueConstraint(fields=('book', 'first'), name='ledger_sealline_first'),
        ),
        migrations.AddConstraint(
            model_name='sealline',
            constraint=models.UniqueConstraint(fields=('seal', 'book'), name='ledger_sealline_book'),
        ),
        migrations.AddConstraint(
            model_name='sealline',
            constraint=models.CheckConstraint(condition=models.Q(('first__gte', 1), ('last__gte', models.F('first'))), name='ledger_sealline_range'),
        ),
        migrations.AddConstraint(
            model_name='sealline',
            constraint=models.CheckConstraint(condition=models.Q(django.db.models.lookups.Exact(django.db.models.functions.text.Length(models.F('previous_digest')), 32), django.db.models.lookups.Exact(django.db.models.functions.text.Length(models.F('digest')), 32), django.db.models.lookups.Exact(django.db.models.functions.text.Length(models.F('root')), 32)), name='ledger_sealline_lengths'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='sealline',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='70e3b7b00941d7e94229b960639c21c5c1cbb55e', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_17e36', table='ledger_sealline', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='sealline',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='96c34d868dc58b5739f6faa0dc1fa06ad7a4138f', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_83aba', table='ledger_sealline', when='BEFORE')),
        ),
        migrations.RunSQL(GUARD_SEAL),
        migrations.RunSQL(GUARD_LINE),
        migrations.RunSQL(WHOLE_SEAL),
    ]
