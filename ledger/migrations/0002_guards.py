"""The promises that the database holds itself; docs/ledger.md says in words what each is for.

Plain SQL rather than pgtrigger: nothing a session can set switches these off. The functions that need more than
the application's role may do run with the owner's rights and a fixed search path; nobody else may execute them, or
the application's role could hang them on a temporary table of its own and move balances without entries.
"""

from django.db import migrations

_FUNCTION = "LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp"

REFUSE_CHANGE = f"""
CREATE FUNCTION ledger_refuse_change() RETURNS trigger {_FUNCTION} AS $$
BEGIN
    RAISE EXCEPTION 'ledger: % of % is refused: it would change history', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER ledger_account_keep BEFORE UPDATE ON ledger_account FOR EACH ROW
    WHEN ((OLD.id, OLD.kind, OLD.name, OLD.guarded, OLD.created_at)
        IS DISTINCT FROM (NEW.id, NEW.kind, NEW.name, NEW.guarded, NEW.created_at))
    EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_balance_keep BEFORE UPDATE ON ledger_balance FOR EACH ROW
    WHEN (OLD.account_id IS DISTINCT FROM NEW.account_id) EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_book_keep BEFORE UPDATE ON ledger_book FOR EACH ROW
    WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER ledger_account_stay BEFORE DELETE ON ledger_account FOR EACH ROW
    EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_balance_stay BEFORE DELETE ON ledger_balance FOR EACH ROW
    EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_book_stay BEFORE DELETE ON ledger_book FOR EACH ROW
    EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER ledger_account_no_truncate BEFORE TRUNCATE ON ledger_account
    EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_balance_no_truncate BEFORE TRUNCATE ON ledger_balance
    EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_book_no_truncate BEFORE TRUNCATE ON ledger_book
    EXECUTE FUNCTION ledger_refuse_change();
"""

OPEN_BALANCE = f"""
CREATE FUNCTION ledger_open_balance() RETURNS trigger {_FUNCTION} SECURITY DEFINER AS $$
BEGIN
    INSERT INTO ledger_balance (account_id, balance_cents, version) VALUES (NEW.id, 0, 0);
    RETURN NULL;
END $$;

CREATE TRIGGER ledger_account_balance AFTER INSERT ON ledger_account FOR EACH ROW WHEN (NEW.guarded)
    EXECUTE FUNCTION ledger_open_balance();
REVOKE ALL ON FUNCTION ledger_open_balance() FROM PUBLIC;
"""

# A transaction follows the last one of its book, and a reversal takes back something that is no reversal.
GUARD_TRANSACTION = f"""
CREATE FUNCTION ledger_guard_transaction() RETURNS trigger {_FUNCTION} AS $$
DECLARE
    head record;
    original record;
BEGIN
    SELECT sequence, digest INTO head FROM ledger_transaction
        WHERE book_id = NEW.book_id ORDER BY sequence DESC LIMIT 1;
    IF NEW.sequence <> coalesce(head.sequence, 0) + 1 THEN
        RAISE EXCEPTION 'ledger: number % of book % does not follow %',
            NEW.sequence, NEW.book_id, coalesce(head.sequence, 0)
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_transaction_follows';
    END IF;
    IF NEW.previous_digest <> coalesce(head.digest, sha256(uuid_send(NEW.book_id))) THEN
        RAISE EXCEPTION 'ledger: number % of book % does not chain to the digest before it', NEW.sequence, NEW.book_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_transaction_chained';
    END IF;
    IF NEW.reverses_id IS NOT NULL THEN
        SELECT kind, entry_count INTO original FROM ledger_transaction WHERE id = NEW.reverses_id;
        IF original.kind IS NULL OR original.kind = 'reversal' OR original.entry_count <> NEW.entry_count THEN
            RAISE EXCEPTION 'ledger: transaction % is no reversal of %', NEW.id, NEW.reverses_id
                USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_reversal_mirrors';
        END IF;
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER ledger_transaction_guard BEFORE INSERT ON ledger_transaction FOR EACH ROW
    EXECUTE FUNCTION ledger_guard_transaction();
"""

# Judged at commit: as many entries as it says, summing to zero. A transaction that passed has all its lines
# taken, and no entry may have another line, so nothing can be added to it later.
WHOLE_TRANSACTION = f"""
CREATE FUNCTION ledger_whole_transaction() RETURNS trigger {_FUNCTION} AS $$
DECLARE
    written bigint;
    total numeric;
BEGIN
    SELECT count(*), coalesce(sum(amount_cents), 0) INTO written, total
        FROM ledger_entry WHERE transaction_id = NEW.id;
    IF written <> NEW.entry_count THEN
        RAISE EXCEPTION 'ledger: transaction % says % entries and has %', NEW.id, NEW.entry_count, written
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_transaction_whole';
    END IF;
    IF total <> 0 THEN
        RAISE EXCEPTION 'ledger: the entries of transaction % sum to % cents, not to zero', NEW.id, total
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_transaction_zero_sum';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER ledger_transaction_whole AFTER INSERT ON ledger_transaction
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_whole_transaction();
"""

# The account row is read with a key-share lock so that a freeze, which takes the full lock, and an entry cannot pass
# each other unseen.
GUARD_ENTRY = f"""
CREATE FUNCTION ledger_guard_entry() RETURNS trigger {_FUNCTION} SECURITY DEFINER AS $$
DECLARE
    txn record;
    acct record;
    original record;
    held record;
BEGIN
    SELECT kind, entry_count, reverses_id INTO txn FROM ledger_transaction WHERE id = NEW.transaction_id;
    IF txn.kind IS NULL OR NEW.line NOT BETWEEN 1 AND txn.entry_count THEN
        RAISE EXCEPTION 'ledger: transaction % has no line %', NEW.transaction_id, NEW.line
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_entry_belongs';
    END IF;

    SELECT kind, name, guarded, frozen_at INTO acct FROM ledger_account WHERE id = NEW.account_id FOR KEY SHARE;
    IF acct.kind IS NULL THEN
        RAISE EXCEPTION 'ledger: there is no account %', NEW.account_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    IF acct.frozen_at IS NOT NULL THEN
        RAISE EXCEPTION 'ledger: account % is frozen', NEW.account_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_entry_account_frozen', DETAIL = acct.name;
    END IF;

    IF txn.reverses_id IS NULL THEN
        PERFORM FROM ledger_kindrule WHERE transaction_kind = txn.kind AND account_kind = acct.kind
            AND sign = sign(NEW.amount_cents);
        IF NOT FOUND THEN
            RAISE EXCEPTION 'ledger: a % may not move % cents on a % account', txn.kind, NEW.amount_cents, acct.kind
                USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_entry_kind_rule';
        END IF;
    ELSE
        SELECT account_id, amount_cents INTO original FROM ledger_entry
            WHERE transaction_id = txn.reverses_id AND line = NEW.line;
        IF (original.account_id, original.amount_cents) IS DISTINCT FROM (NEW.account_id, -NEW.amount_cents) THEN
            RAISE EXCEPTION 'ledger: line % of transaction % does not mirror what it reverses',
                NEW.line, NEW.transaction_id
                USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_reversal_mirrors';
        END IF;
    END IF;

    IF acct.guarded THEN
        UPDATE ledger_balance SET balance_cents = balance_cents + NEW.amount_cents, version = version + 1
            WHERE account_id = NEW.account_id RETURNING balance_cents, version INTO held;
    ELSE
        SELECT NULL::bigint AS balance_cents, NULL::bigint AS version INTO held;
    END IF;
    IF (held.balance_cents, held.version) IS DISTINCT FROM (NEW.balance_after_cents, NEW.account_version) THEN
        RAISE EXCEPTION 'ledger: account % has % cents at version % after this entry, not % at %', NEW.account_id,
            held.balance_cents, held.version, NEW.balance_after_cents, NEW.account_version
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_entry_balance_follows';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER ledger_entry_guard BEFORE INSERT ON ledger_entry FOR EACH ROW EXECUTE FUNCTION ledger_guard_entry();
REVOKE ALL ON FUNCTION ledger_guard_entry() FROM PUBLIC;
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_initial")]

    operations = [
        migrations.RunSQL(REFUSE_CHANGE),
        migrations.RunSQL(OPEN_BALANCE),
        migrations.RunSQL(GUARD_TRANSACTION),
        migrations.RunSQL(WHOLE_TRANSACTION),
        migrations.RunSQL(GUARD_ENTRY),
    ]
