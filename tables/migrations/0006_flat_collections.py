"""A collection is flat and fixed before the deal (Business and Professions Code 19984), held at commit by the database.

The ledger knows no hands, so the floor that does puts the trigger on the ledger's table: a collection is about a hand of
the session whose book it is written in, and moves from one stack to the session's own drop box an amount that the session
was opened with.
"""

from django.db import migrations

FLAT_COLLECTION = """
CREATE FUNCTION tables_flat_collection() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    terms record;
    given record;
BEGIN
    IF NEW.reference ~ '^hand:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN
        SELECT ts.collection_cents, ts.bank_collection_cents, ts.drop_account_id, h.action_account_id IS NOT NULL AS has_bank INTO terms
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
    IF given.amount_cents <> terms.collection_cents
        AND NOT (terms.has_bank AND given.amount_cents = terms.bank_collection_cents) THEN
        RAISE EXCEPTION 'tables: a collection of % cents is not what the session was opened with', given.amount_cents
            USING ERRCODE = 'check_violation', CONSTRAINT = 'tables_collection_is_flat';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER tables_flat_collection AFTER INSERT ON ledger_transaction
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind = 'collection')
    EXECUTE FUNCTION tables_flat_collection();
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0005_replay"), ("ledger", "0004_seals")]

    operations = [migrations.RunSQL(FLAT_COLLECTION)]
