import uuid

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0025_day_ends"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="LookedAt",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("seen", "Looked at"),
                            ("note", "Note"),
                            ("question", "Question"),
                            ("sign-off", "Signed off"),
                        ],
                        max_length=8,
                        verbose_name="what",
                    ),
                ),
                (
                    "about",
                    models.CharField(
                        choices=[
                            ("hand", "Hand"),
                            ("session", "Session"),
                            ("account", "Account"),
                            ("seal", "Seal"),
                            ("report", "Report"),
                            ("day", "Gaming day"),
                        ],
                        max_length=7,
                        verbose_name="about",
                    ),
                ),
                ("key", models.CharField(max_length=80, verbose_name="which")),
                ("query", models.CharField(blank=True, max_length=400, verbose_name="filters")),
                ("figures_sha256", models.BinaryField(max_length=32, null=True, verbose_name="SHA-256 of the figures")),
                ("name", models.CharField(max_length=200, verbose_name="called")),
                ("gaming_date", models.DateField(null=True, verbose_name="gaming day")),
                ("words", models.CharField(blank=True, max_length=300, verbose_name="words")),
                ("at", models.DateTimeField(verbose_name="when")),
            ],
            options={
                "verbose_name": "thing looked at",
                "verbose_name_plural": "things looked at",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="LookedAtReply",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[("answer", "Answer"), ("closed", "Closed")], max_length=6, verbose_name="kind"
                    ),
                ),
                ("words", models.CharField(blank=True, max_length=300, verbose_name="words")),
                ("at", models.DateTimeField(verbose_name="when")),
            ],
            options={
                "verbose_name": "reply to a question",
                "verbose_name_plural": "replies to questions",
                "abstract": False,
            },
        ),
        migrations.RemoveConstraint(
            model_name="command",
            name="command_at_a_table",
        ),
        migrations.AddField(
            model_name="replayrun",
            name="hand",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="replays", to="tables.hand"
            ),
        ),
        migrations.AddIndex(
            model_name="replayrun",
            index=models.Index(fields=["room", "gaming_date", "-asked_at"], name="replayrun_of_a_day"),
        ),
        migrations.AddConstraint(
            model_name="command",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("table__isnull", False),
                    ("verb__regex", "^(rules|schedule|patron|jackpot|staff|waiting|sheet|audit)\\."),
                    _connector="OR",
                ),
                name="command_at_a_table",
            ),
        ),
        migrations.AddField(
            model_name="lookedat",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="by",
            ),
        ),
        migrations.AddField(
            model_name="lookedat",
            name="command",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.command"
            ),
        ),
        migrations.AddField(
            model_name="lookedat",
            name="room",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.room"
            ),
        ),
        migrations.AddField(
            model_name="lookedatreply",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="by",
            ),
        ),
        migrations.AddField(
            model_name="lookedatreply",
            name="command",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.command"
            ),
        ),
        migrations.AddField(
            model_name="lookedatreply",
            name="question",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="replies", to="tables.lookedat"
            ),
        ),
        migrations.AddIndex(
            model_name="lookedat",
            index=models.Index(fields=["-at", "id"], name="lookedat_by_time"),
        ),
        migrations.AddIndex(
            model_name="lookedat",
            index=models.Index(fields=["about", "key"], name="lookedat_of_a_thing"),
        ),
        migrations.AddIndex(
            model_name="lookedat",
            index=models.Index(fields=["room", "gaming_date"], name="lookedat_of_a_day"),
        ),
        migrations.AddIndex(
            model_name="lookedat",
            index=models.Index(condition=models.Q(("kind", "question")), fields=["at"], name="lookedat_questions"),
        ),
        migrations.AddConstraint(
            model_name="lookedat",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "sign-off")),
                fields=("about", "key", "query", "by"),
                name="lookedat_signed_off_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="lookedat",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["seen", "note", "question", "sign-off"])), name="lookedat_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="lookedat",
            constraint=models.CheckConstraint(
                condition=models.Q(("about__in", ["hand", "session", "account", "seal", "report", "day"])),
                name="lookedat_about_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="lookedat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind__in", ["seen", "sign-off"]), models.Q(("words", ""), _negated=True), _connector="OR"
                ),
                name="lookedat_says_something",
            ),
        ),
        migrations.AddConstraint(
            model_name="lookedat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("about", "report"), models.Q(("figures_sha256__isnull", True), ("query", "")), _connector="OR"
                ),
                name="lookedat_filters_are_of_a_report",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="lookedat",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="e5687b85769f42e47789f88be467cad365af9a11",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_da375",
                    table="tables_lookedat",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="lookedat",
            trigger=pgtrigger.compiler.Trigger(
                name="no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;",
                    hash="d5562383321a562dcd209052568f6ffe2322c5ea",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_no_truncate_c3450",
                    table="tables_lookedat",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="lookedatreply",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "closed")), fields=("question",), name="lookedatreply_closed_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="lookedatreply",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["answer", "closed"])), name="lookedatreply_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="lookedatreply",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind", "closed"), models.Q(("words", ""), _negated=True), _connector="OR"),
                name="lookedatreply_answer_says_something",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="lookedatreply",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="be316aca7bd54dfd53b4aefc622b1520f5bf3cc1",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_2ce6a",
                    table="tables_lookedatreply",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="lookedatreply",
            trigger=pgtrigger.compiler.Trigger(
                name="no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;",
                    hash="97aa571fe331ff1d2d123103c6feae92b2e6b596",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_no_truncate_a6b32",
                    table="tables_lookedatreply",
                    when="BEFORE",
                ),
            ),
        ),
    ]
