import uuid

import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models

import casino.set_up_history
import tables.models.rooms


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0008_by_time"),
        ("tables", "0024_jobs"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="DayEnd",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("gaming_date", models.DateField(verbose_name="gaming day")),
                ("checks", models.JSONField(null=True, verbose_name="checks")),
                ("checked_at", models.DateTimeField(null=True, verbose_name="checked")),
                ("differences", models.PositiveIntegerField(null=True, verbose_name="hands that differ")),
                ("hands", models.PositiveIntegerField(null=True, verbose_name="hands dealt")),
                ("taken_cents", models.BigIntegerField(null=True, verbose_name="collected")),
                ("waived_cents", models.BigIntegerField(null=True, verbose_name="waived")),
                ("back_cents", models.BigIntegerField(null=True, verbose_name="given back")),
                ("kept_cents", models.BigIntegerField(null=True, verbose_name="kept")),
                ("open_exceptions", models.PositiveIntegerField(null=True, verbose_name="exceptions waiting")),
                ("open_disputes", models.PositiveIntegerField(null=True, verbose_name="disputes waiting")),
                ("counted_at", models.DateTimeField(null=True, verbose_name="counted")),
                ("ended_at", models.DateTimeField(null=True, verbose_name="ended")),
            ],
            options={
                "verbose_name": "end of a gaming day",
                "verbose_name_plural": "ends of gaming days",
            },
        ),
        migrations.CreateModel(
            name="DayEndPaper",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("report", models.SlugField(max_length=40, verbose_name="report")),
            ],
            options={
                "verbose_name": "report of an ended day",
                "verbose_name_plural": "reports of ended days",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Mail",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "about",
                    models.CharField(
                        choices=[
                            ("raised", "a watch was raised"),
                            ("ended", "a watch ended"),
                            ("day-end", "a gaming day ended"),
                        ],
                        max_length=10,
                        verbose_name="about",
                    ),
                ),
                (
                    "to",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.EmailField(max_length=254), size=None, verbose_name="to"
                    ),
                ),
                ("subject", models.CharField(max_length=200, verbose_name="subject")),
                ("text", models.TextField(verbose_name="text")),
                ("written_at", models.DateTimeField(verbose_name="written")),
                ("sent_at", models.DateTimeField(null=True, verbose_name="sent")),
                ("attempts", models.PositiveIntegerField(default=0, verbose_name="attempts")),
                ("next_try_at", models.DateTimeField(verbose_name="next attempt")),
                ("last_error", models.CharField(blank=True, max_length=300, verbose_name="last error")),
            ],
            options={
                "verbose_name": "mail",
                "verbose_name_plural": "mail",
            },
        ),
        migrations.CreateModel(
            name="Watch",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("table-silent", "Table silent"),
                            ("decision-late", "Decision waits too long"),
                            ("checks-failed", "Checks of a gaming day failed"),
                            ("job-failed", "Job failed"),
                            ("seal-missing", "Seal missing"),
                        ],
                        max_length=20,
                        verbose_name="kind",
                    ),
                ),
                ("subject", models.CharField(max_length=100, verbose_name="about")),
                ("words", models.CharField(max_length=300, verbose_name="in words")),
                ("since", models.DateTimeField(verbose_name="since")),
                ("raised_at", models.DateTimeField(verbose_name="raised")),
                ("ended_at", models.DateTimeField(null=True, verbose_name="ended")),
            ],
            options={
                "verbose_name": "watch",
                "verbose_name_plural": "watches",
            },
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="room",
            name="added_insert",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="room",
            name="changed_update",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="room",
            name="removed_delete",
        ),
        migrations.AddField(
            model_name="room",
            name="day_end_paper",
            field=models.CharField(
                choices=[("letter", "Letter"), ("a4", "A4")],
                default="letter",
                max_length=6,
                verbose_name="paper of the archive",
            ),
        ),
        migrations.AddField(
            model_name="room",
            name="day_end_reports",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=40),
                blank=True,
                default=tables.models.rooms.usual_day_end_reports,
                help_text="Printed when a gaming day has ended, each under the next number of the room, after the summary.",
                size=None,
                verbose_name="reports in the archive of a gaming day",
            ),
        ),
        migrations.AddField(
            model_name="room",
            name="decision_minutes",
            field=models.PositiveSmallIntegerField(
                default=20,
                help_text="Exceptions and disputes that wait longer are told to the addresses below.",
                validators=[
                    django.core.validators.MinValueValidator(2),
                    django.core.validators.MaxValueValidator(1440),
                ],
                verbose_name="a decision waits, in minutes",
            ),
        ),
        migrations.AddField(
            model_name="room",
            name="mail_to",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.EmailField(max_length=254),
                blank=True,
                default=list,
                help_text="Separated by commas. They are told what the watchdogs see, and when a gaming day has ended.",
                size=None,
                verbose_name="e-mail addresses",
            ),
        ),
        migrations.AddField(
            model_name="room",
            name="silent_minutes",
            field=models.PositiveSmallIntegerField(
                default=15,
                help_text="Without a press for so long at a table with players, the floor is told, and the addresses below.",
                validators=[django.core.validators.MinValueValidator(2), django.core.validators.MaxValueValidator(240)],
                verbose_name="a table in play is silent, in minutes",
            ),
        ),
        migrations.AddField(
            model_name="roomchange",
            name="day_end_paper",
            field=models.CharField(
                choices=[("letter", "Letter"), ("a4", "A4")],
                default="letter",
                max_length=6,
                verbose_name="paper of the archive",
            ),
        ),
        migrations.AddField(
            model_name="roomchange",
            name="day_end_reports",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=40),
                blank=True,
                default=tables.models.rooms.usual_day_end_reports,
                help_text="Printed when a gaming day has ended, each under the next number of the room, after the summary.",
                size=None,
                verbose_name="reports in the archive of a gaming day",
            ),
        ),
        migrations.AddField(
            model_name="roomchange",
            name="decision_minutes",
            field=models.PositiveSmallIntegerField(
                default=20,
                help_text="Exceptions and disputes that wait longer are told to the addresses below.",
                validators=[
                    django.core.validators.MinValueValidator(2),
                    django.core.validators.MaxValueValidator(1440),
                ],
                verbose_name="a decision waits, in minutes",
            ),
        ),
        migrations.AddField(
            model_name="roomchange",
            name="mail_to",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.EmailField(max_length=254),
                blank=True,
                default=list,
                help_text="Separated by commas. They are told what the watchdogs see, and when a gaming day has ended.",
                size=None,
                verbose_name="e-mail addresses",
            ),
        ),
        migrations.AddField(
            model_name="roomchange",
            name="silent_minutes",
            field=models.PositiveSmallIntegerField(
                default=15,
                help_text="Without a press for so long at a table with players, the floor is told, and the addresses below.",
                validators=[django.core.validators.MinValueValidator(2), django.core.validators.MaxValueValidator(240)],
                verbose_name="a table in play is silent, in minutes",
            ),
        ),
        migrations.AlterField(
            model_name="reportprinting",
            name="printed_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="room",
            trigger=pgtrigger.compiler.Trigger(
                name="added_insert",
                sql=casino.set_up_history.RecordingSql(
                    func='INSERT INTO "tables_roomchange" ("approval_limit_cents", "day_end_paper", "day_end_reports", "day_starts_at", "dealer_minutes", "decision_minutes", "mail_to", "name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "silent_minutes", "slug", "time_zone", "waiting_hold_minutes") VALUES (NEW."approval_limit_cents", NEW."day_end_paper", NEW."day_end_reports", NEW."day_starts_at", NEW."dealer_minutes", NEW."decision_minutes", NEW."mail_to", NEW."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'added\', NEW."id", NEW."silent_minutes", NEW."slug", NEW."time_zone", NEW."waiting_hold_minutes"); RETURN NULL;',
                    hash="f1cdeac1466e4586ab43f10b0ac128a80c3f3a42",
                    operation="INSERT",
                    pgid="pgtrigger_added_insert_837ec",
                    table="tables_room",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="room",
            trigger=pgtrigger.compiler.Trigger(
                name="changed_update",
                sql=casino.set_up_history.RecordingSql(
                    condition='WHEN (OLD."approval_limit_cents" IS DISTINCT FROM (NEW."approval_limit_cents") OR OLD."day_end_paper" IS DISTINCT FROM (NEW."day_end_paper") OR OLD."day_end_reports" IS DISTINCT FROM (NEW."day_end_reports") OR OLD."day_starts_at" IS DISTINCT FROM (NEW."day_starts_at") OR OLD."dealer_minutes" IS DISTINCT FROM (NEW."dealer_minutes") OR OLD."decision_minutes" IS DISTINCT FROM (NEW."decision_minutes") OR OLD."mail_to" IS DISTINCT FROM (NEW."mail_to") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."silent_minutes" IS DISTINCT FROM (NEW."silent_minutes") OR OLD."slug" IS DISTINCT FROM (NEW."slug") OR OLD."time_zone" IS DISTINCT FROM (NEW."time_zone") OR OLD."waiting_hold_minutes" IS DISTINCT FROM (NEW."waiting_hold_minutes"))',
                    func='INSERT INTO "tables_roomchange" ("approval_limit_cents", "day_end_paper", "day_end_reports", "day_starts_at", "dealer_minutes", "decision_minutes", "mail_to", "name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "silent_minutes", "slug", "time_zone", "waiting_hold_minutes") VALUES (NEW."approval_limit_cents", NEW."day_end_paper", NEW."day_end_reports", NEW."day_starts_at", NEW."dealer_minutes", NEW."decision_minutes", NEW."mail_to", NEW."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'changed\', NEW."id", NEW."silent_minutes", NEW."slug", NEW."time_zone", NEW."waiting_hold_minutes"); RETURN NULL;',
                    hash="02c5d95a142a350dc478622de2aa9a897fade636",
                    operation="UPDATE",
                    pgid="pgtrigger_changed_update_98ff1",
                    table="tables_room",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="room",
            trigger=pgtrigger.compiler.Trigger(
                name="removed_delete",
                sql=casino.set_up_history.RecordingSql(
                    func='INSERT INTO "tables_roomchange" ("approval_limit_cents", "day_end_paper", "day_end_reports", "day_starts_at", "dealer_minutes", "decision_minutes", "mail_to", "name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "silent_minutes", "slug", "time_zone", "waiting_hold_minutes") VALUES (OLD."approval_limit_cents", OLD."day_end_paper", OLD."day_end_reports", OLD."day_starts_at", OLD."dealer_minutes", OLD."decision_minutes", OLD."mail_to", OLD."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'removed\', OLD."id", OLD."silent_minutes", OLD."slug", OLD."time_zone", OLD."waiting_hold_minutes"); RETURN NULL;',
                    hash="1c8932ab12183e4fb4b1abfd1bd05576acd843cc",
                    operation="DELETE",
                    pgid="pgtrigger_removed_delete_37c83",
                    table="tables_room",
                    when="AFTER",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="room",
            constraint=models.CheckConstraint(
                condition=models.Q(("day_end_paper__in", ["letter", "a4"])), name="room_paper_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="room",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("decision_minutes__gte", 2),
                    ("decision_minutes__lte", 1440),
                    ("silent_minutes__gte", 2),
                    ("silent_minutes__lte", 240),
                ),
                name="room_watches_in_reason",
            ),
        ),
        migrations.AddField(
            model_name="dayend",
            name="job",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="day_end", to="tables.job"
            ),
        ),
        migrations.AddField(
            model_name="dayend",
            name="replay",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.replayrun"
            ),
        ),
        migrations.AddField(
            model_name="dayend",
            name="room",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="day_ends", to="tables.room"
            ),
        ),
        migrations.AddField(
            model_name="dayend",
            name="seal",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="ledger.seal"
            ),
        ),
        migrations.AddField(
            model_name="dayendpaper",
            name="day_end",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="papers", to="tables.dayend"
            ),
        ),
        migrations.AddField(
            model_name="dayendpaper",
            name="file",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.keptfile"
            ),
        ),
        migrations.AddField(
            model_name="dayendpaper",
            name="printing",
            field=models.OneToOneField(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.reportprinting"
            ),
        ),
        migrations.AddField(
            model_name="mail",
            name="day_end",
            field=models.OneToOneField(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="mail", to="tables.dayend"
            ),
        ),
        migrations.AddField(
            model_name="watch",
            name="room",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="watches", to="tables.room"
            ),
        ),
        migrations.AddField(
            model_name="watch",
            name="table",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="watches", to="tables.table"
            ),
        ),
        migrations.AddField(
            model_name="mail",
            name="watch",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="mails", to="tables.watch"
            ),
        ),
        migrations.AddConstraint(
            model_name="dayend",
            constraint=models.UniqueConstraint(fields=("room", "gaming_date"), name="dayend_once_a_day"),
        ),
        migrations.AddConstraint(
            model_name="dayend",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("checked_at__isnull", True), ("checks__isnull", True)),
                    models.Q(("checked_at__isnull", False), ("checks__isnull", False)),
                    _connector="OR",
                ),
                name="dayend_checked_with_a_result",
            ),
        ),
        migrations.AddConstraint(
            model_name="dayend",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("counted_at__isnull", True), ("hands__isnull", True), ("kept_cents__isnull", True)),
                    models.Q(
                        ("back_cents__isnull", False),
                        ("counted_at__isnull", False),
                        ("hands__isnull", False),
                        (
                            "kept_cents",
                            django.db.models.expressions.CombinedExpression(
                                django.db.models.expressions.CombinedExpression(
                                    models.F("taken_cents"), "-", models.F("waived_cents")
                                ),
                                "-",
                                models.F("back_cents"),
                            ),
                        ),
                        ("open_disputes__isnull", False),
                        ("open_exceptions__isnull", False),
                        ("taken_cents__isnull", False),
                        ("waived_cents__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="dayend_counted_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="dayend",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ended_at__isnull", True),
                    models.Q(
                        ("checked_at__isnull", False),
                        ("counted_at__isnull", False),
                        ("differences__isnull", False),
                        ("replay__isnull", False),
                        ("seal__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="dayend_ended_with_every_step",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dayend",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="c960503f77e1ba579ae009543e3d03b1902dc063",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_fa8d3",
                    table="tables_dayend",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dayend",
            trigger=pgtrigger.compiler.Trigger(
                name="facts_fixed",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."room_id" IS DISTINCT FROM (NEW."room_id") OR OLD."gaming_date" IS DISTINCT FROM (NEW."gaming_date") OR OLD."job_id" IS DISTINCT FROM (NEW."job_id"))',
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="895338110596b33fd49b9a2d53107ebdc3f81fab",
                    operation="UPDATE",
                    pgid="pgtrigger_facts_fixed_e6133",
                    table="tables_dayend",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dayend",
            trigger=pgtrigger.compiler.Trigger(
                name="over_is_over",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."ended_at" IS NOT NULL)',
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="53f6261b23cef7f27eec8d3a39bbe99ea609eba1",
                    operation="UPDATE",
                    pgid="pgtrigger_over_is_over_98432",
                    table="tables_dayend",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dayend",
            trigger=pgtrigger.compiler.Trigger(
                name="sealing_is_done",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."seal_id" IS NOT NULL AND OLD."seal_id" IS DISTINCT FROM (NEW."seal_id"))',
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="33ab9847a32b0157d638e71ce48386c918def64a",
                    operation="UPDATE",
                    pgid="pgtrigger_sealing_is_done_83a66",
                    table="tables_dayend",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dayend",
            trigger=pgtrigger.compiler.Trigger(
                name="checking_is_done",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."checked_at" IS NOT NULL AND OLD."checked_at" IS DISTINCT FROM (NEW."checked_at"))',
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="90c0a5be162ddc097658ba7829cc1c8e12c3138f",
                    operation="UPDATE",
                    pgid="pgtrigger_checking_is_done_76463",
                    table="tables_dayend",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dayend",
            trigger=pgtrigger.compiler.Trigger(
                name="replay_is_done",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."replay_id" IS NOT NULL AND OLD."replay_id" IS DISTINCT FROM (NEW."replay_id"))',
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="61b35d97125211015dd15f09d29e4b44be4e931a",
                    operation="UPDATE",
                    pgid="pgtrigger_replay_is_done_8dd9b",
                    table="tables_dayend",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dayend",
            trigger=pgtrigger.compiler.Trigger(
                name="comparing_is_done",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."differences" IS NOT NULL AND OLD."differences" IS DISTINCT FROM (NEW."differences"))',
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="62f219d3c6b748fb3da932c7fa3cef2645ce9882",
                    operation="UPDATE",
                    pgid="pgtrigger_comparing_is_done_0def8",
                    table="tables_dayend",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dayend",
            trigger=pgtrigger.compiler.Trigger(
                name="counting_is_done",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."counted_at" IS NOT NULL AND OLD."counted_at" IS DISTINCT FROM (NEW."counted_at"))',
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="b2df7f17af893fc3893900eba7619c8ebad80dfc",
                    operation="UPDATE",
                    pgid="pgtrigger_counting_is_done_0dec2",
                    table="tables_dayend",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="dayendpaper",
            constraint=models.UniqueConstraint(fields=("day_end", "report"), name="dayendpaper_once"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dayendpaper",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="fa9c2ff722014cad4cc4978adede6ee139a81311",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_9a0b2",
                    table="tables_dayendpaper",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dayendpaper",
            trigger=pgtrigger.compiler.Trigger(
                name="no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;",
                    hash="85102772d33571fb3fb50344ae8358fe1ac5c68f",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_no_truncate_c382a",
                    table="tables_dayendpaper",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="watch",
            index=models.Index(fields=["-raised_at"], name="watch_by_time"),
        ),
        migrations.AddConstraint(
            model_name="watch",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at__isnull", True)), fields=("kind", "subject"), name="watch_one_at_a_time"
            ),
        ),
        migrations.AddConstraint(
            model_name="watch",
            constraint=models.CheckConstraint(
                condition=models.Q(("ended_at__gte", models.F("raised_at"))), name="watch_ends_after_it_was_raised"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="watch",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="d9419c5d29990edfcbf395265c296eb4773e4c6b",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_2193f",
                    table="tables_watch",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="watch",
            trigger=pgtrigger.compiler.Trigger(
                name="over_is_over",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."ended_at" IS NOT NULL)',
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="bfe6093cec6f36207a9fd18a097db95cc46ee1e5",
                    operation="UPDATE",
                    pgid="pgtrigger_over_is_over_b0109",
                    table="tables_watch",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="mail",
            index=models.Index(
                condition=models.Q(("sent_at__isnull", True)), fields=["next_try_at"], name="mail_to_be_sent"
            ),
        ),
        migrations.AddConstraint(
            model_name="mail",
            constraint=models.UniqueConstraint(fields=("watch", "about"), name="mail_one_a_turn_of_a_watch"),
        ),
        migrations.AddConstraint(
            model_name="mail",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("about", "day-end"), ("day_end__isnull", False), ("watch__isnull", True)),
                    models.Q(("about__in", ["raised", "ended"]), ("day_end__isnull", True), ("watch__isnull", False)),
                    _connector="OR",
                ),
                name="mail_is_about_one_thing",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="mail",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="1669e64bbc4a2d4f0c1fd48e8e9379d7fe18ac7d",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_83317",
                    table="tables_mail",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="mail",
            trigger=pgtrigger.compiler.Trigger(
                name="sent_is_sent",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."sent_at" IS NOT NULL)',
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="03969a30e63cda4c6629df69344b8a934ba82c50",
                    operation="UPDATE",
                    pgid="pgtrigger_sent_is_sent_69928",
                    table="tables_mail",
                    when="BEFORE",
                ),
            ),
        ),
    ]
