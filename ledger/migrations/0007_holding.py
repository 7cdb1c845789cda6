"""What a posting waits for and reads, as one call of the database: each statement in it sees what is committed by then."""

from django.db import migrations

# By index always: a plan made while the tables were empty would be kept.
HOLD = """
CREATE FUNCTION ledger_hold(of_book uuid, of_accounts uuid[], of_keys text[])
RETURNS TABLE (
    account_id uuid, account_kind text, account_name text, balance_cents bigint, version bigint,
    head_sequence bigint, head_digest bytea, recorded_at timestamptz, keys_known boolean
) LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
BEGIN
    PERFORM FROM ledger_book WHERE id = of_book FOR NO KEY UPDATE;
    RETURN QUERY
    WITH held AS MATERIALIZED (
        SELECT balance.account_id, balance.balance_cents, balance.version FROM ledger_balance AS balance
        WHERE balance.account_id = ANY(of_accounts) ORDER BY balance.account_id FOR NO KEY UPDATE
    )
    SELECT account.id, account.kind::text, account.name::text, held.balance_cents, held.version,
        head.sequence, head.digest, clock_timestamp(),
        EXISTS (SELECT FROM ledger_transaction WHERE key = ANY(of_keys))
    FROM (SELECT) AS always
    LEFT JOIN (
        SELECT sequence, digest FROM ledger_transaction WHERE book_id = of_book ORDER BY sequence DESC LIMIT 1
    ) AS head ON true
    LEFT JOIN ledger_account AS account ON account.id = ANY(of_accounts)
    LEFT JOIN held ON held.account_id = account.id;
END
$$;
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0006_waivers")]

    operations = [migrations.RunSQL(HOLD, "DROP FUNCTION ledger_hold(uuid, uuid[], text[])")]
