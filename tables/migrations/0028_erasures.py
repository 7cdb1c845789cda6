"""Personal texts of patrons apart from the commands that are hashed, and erasures, which the database carries out itself.

Plain SQL for what erases: nothing that a session can set switches it off. It runs with the owner's rights, as the trigger of an
``Erasure`` alone, so whoever erases leaves that row. Stacks were called after their patron until now; a ledger's account is
history, so that only the owner can call them otherwise, here and once.
"""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

ERASE = """
CREATE FUNCTION tables_erase_patron() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    ignored text := current_setting('pgtrigger.ignore', true);
BEGIN
    PERFORM FROM tables_patron WHERE id = NEW.patron_id AND room_id = NEW.room_id FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'patron % is not of the room that erases them', NEW.patron_id USING ERRCODE = 'check_violation';
    END IF;
    DELETE FROM tables_personaltext WHERE patron_id = NEW.patron_id;
    PERFORM set_config('pgtrigger.ignore', '{pgtrigger_append_only_40d3f}', true);
    UPDATE tables_patronchange SET name = NEW.label, number = '', pgh_context = pgh_context - 'reason'
        WHERE pgh_obj_id = NEW.patron_id;
    PERFORM set_config('pgtrigger.ignore', coalesce(nullif(ignored, ''), '{}'), true);
    UPDATE django_admin_log entry SET object_repr = NEW.label FROM django_content_type kind
        WHERE kind.id = entry.content_type_id AND (kind.app_label, kind.model) = ('tables', 'patron')
        AND entry.object_id = NEW.patron_id::text;
    UPDATE tables_patron SET name = NEW.label, number = '' WHERE id = NEW.patron_id;
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION tables_erase_patron() FROM PUBLIC;

CREATE TRIGGER tables_erasure_erases AFTER INSERT ON tables_erasure FOR EACH ROW EXECUTE FUNCTION tables_erase_patron();
"""

NOT_ERASE = "DROP TRIGGER tables_erasure_erases ON tables_erasure; DROP FUNCTION tables_erase_patron();"

STACKS_BY_SEAT = """
ALTER TABLE ledger_account DISABLE TRIGGER ledger_account_keep;
UPDATE ledger_account a SET name = 'T' || t.number || coalesce(' seat ' || seat.number, ' standing')
    FROM tables_sitting s JOIN tables_tablesession ts ON ts.id = s.session_id JOIN tables_table t ON t.id = ts.table_id
    LEFT JOIN tables_seat seat ON seat.id = s.seat_id
    WHERE s.stack_id = a.id;
ALTER TABLE ledger_account ENABLE TRIGGER ledger_account_keep;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("ledger", "0002_guards"),
        ("tables", "0027_expectations"),
    ]

    operations = [
        migrations.CreateModel(
            name="Erasure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("label", models.CharField(max_length=120, verbose_name="called from now on")),
                ("asked_date", models.DateField(verbose_name="asked for on")),
                ("reason", models.CharField(max_length=300, verbose_name="why")),
                ("erased_at", models.DateTimeField(verbose_name="erased")),
            ],
            options={
                "verbose_name": "erasure",
                "verbose_name_plural": "erasures",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="PersonalText",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.CharField(max_length=40, verbose_name="place")),
                ("salt", models.BinaryField(max_length=32, verbose_name="salt")),
                ("text", models.TextField(verbose_name="text")),
            ],
            options={
                "verbose_name": "personal text",
                "verbose_name_plural": "personal texts",
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="patron",
            trigger=pgtrigger.compiler.Trigger(
                name="erased_for_good",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."number" IS DISTINCT FROM (NEW."number") OR OLD."room_id" IS DISTINCT FROM (NEW."room_id"))',
                    func="\n                    IF EXISTS (\n                        SELECT FROM tables_erasure e\n                        WHERE e.patron_id = OLD.id AND (NEW.name, NEW.number, NEW.room_id) <> (e.label, '', e.room_id)\n                    ) THEN\n                        RAISE EXCEPTION 'patron % was erased, and stays so', OLD.id\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'patron_erased_for_good';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="9c33e0b61c3911c7c5b787e209835efdec2db496",
                    operation="UPDATE",
                    pgid="pgtrigger_erased_for_good_38b84",
                    table="tables_patron",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddField(
            model_name="erasure",
            name="command",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.command"
            ),
        ),
        migrations.AddField(
            model_name="erasure",
            name="patron",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="erasure", to="tables.patron"
            ),
        ),
        migrations.AddField(
            model_name="erasure",
            name="room",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="erasures", to="tables.room"
            ),
        ),
        migrations.AddField(
            model_name="personaltext",
            name="command",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="personal_texts", to="tables.command"
            ),
        ),
        migrations.AddField(
            model_name="personaltext",
            name="patron",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="personal_texts", to="tables.patron"
            ),
        ),
        migrations.AddConstraint(
            model_name="erasure",
            constraint=models.UniqueConstraint(fields=("room", "number"), name="erasure_numbered"),
        ),
        migrations.AddConstraint(
            model_name="erasure",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("number__gt", 0), models.Q(("label", ""), _negated=True), models.Q(("reason", ""), _negated=True)
                ),
                name="erasure_says_how_and_why",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="erasure",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="b43e912cbe2d12de2c48b3dde25d9dfc9b1227dc",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_bfa38",
                    table="tables_erasure",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="erasure",
            trigger=pgtrigger.compiler.Trigger(
                name="no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;",
                    hash="41a5f32d5b9a6117af16756effc5d62e1e0dea28",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_no_truncate_f9d6d",
                    table="tables_erasure",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="personaltext",
            constraint=models.UniqueConstraint(fields=("command", "place"), name="personaltext_once_a_place"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="personaltext",
            trigger=pgtrigger.compiler.Trigger(
                name="fixed",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="a2d195560d98698c04e18e3fe1759e192bbeb28b",
                    operation="UPDATE",
                    pgid="pgtrigger_fixed_ebc25",
                    table="tables_personaltext",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="personaltext",
            trigger=pgtrigger.compiler.Trigger(
                name="of_nobody_erased",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n                    PERFORM FROM tables_patron WHERE id = NEW.patron_id FOR KEY SHARE;\n                    IF EXISTS (SELECT FROM tables_erasure WHERE patron_id = NEW.patron_id) THEN\n                        RAISE EXCEPTION 'patron % was erased: nothing personal is written down of them', NEW.patron_id\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'personaltext_of_nobody_erased';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="d6a5f7ecb60f9c928aa5921d7e59fe92ba8ba90c",
                    operation="INSERT",
                    pgid="pgtrigger_of_nobody_erased_b88dd",
                    table="tables_personaltext",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="personaltext",
            trigger=pgtrigger.compiler.Trigger(
                name="goes_with_its_patron",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n                    IF NOT EXISTS (SELECT FROM tables_erasure WHERE patron_id = OLD.patron_id) THEN\n                        RAISE EXCEPTION 'patron % was not erased: their personal texts stay', OLD.patron_id\n                            USING ERRCODE = 'restrict_violation';\n                    END IF;\n                    RETURN OLD;\n                ",
                    hash="b748876618630c3a12ce9abc8e9e1700d8e173a8",
                    operation="DELETE",
                    pgid="pgtrigger_goes_with_its_patron_84b11",
                    table="tables_personaltext",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="personaltext",
            trigger=pgtrigger.compiler.Trigger(
                name="no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'personal texts: TRUNCATE of % refused', TG_TABLE_NAME;",
                    hash="25be7a8ab9cf3254df93baa5e63128038ab3a75a",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_no_truncate_f58ba",
                    table="tables_personaltext",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.RunSQL(ERASE, NOT_ERASE),
        migrations.RunSQL(STACKS_BY_SEAT, migrations.RunSQL.noop),
    ]
