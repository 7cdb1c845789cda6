"""How a command begins, as one call of the database: the answer to its key is looked for once the key was waited for."""

from django.db import migrations

BEGIN_COMMAND = """
CREATE FUNCTION tables_begin_command(of_key uuid, wait_at_most text) RETURNS TABLE (fingerprint bytea, answer jsonb)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
BEGIN
    PERFORM set_config('lock_timeout', wait_at_most, true), set_config('plan_cache_mode', 'force_generic_plan', true);
    PERFORM pg_advisory_xact_lock(hashtextextended(of_key::text, 0));
    RETURN QUERY SELECT command.fingerprint, command.answer FROM tables_command AS command WHERE command.key = of_key;
END
$$;
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0018_line_up")]

    operations = [migrations.RunSQL(BEGIN_COMMAND, "DROP FUNCTION tables_begin_command(uuid, text)")]
