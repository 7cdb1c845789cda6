import uuid

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0023_reports"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Job",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("kind", models.SlugField(max_length=40, verbose_name="kind")),
                ("key", models.CharField(max_length=200, verbose_name="key")),
                ("asked", models.JSONField(verbose_name="asked for")),
                ("asked_at", models.DateTimeField(verbose_name="asked")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("running", "running"),
                            ("done", "done"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                        ],
                        default="waiting",
                        max_length=9,
                        verbose_name="state",
                    ),
                ),
                ("step", models.CharField(blank=True, max_length=200, verbose_name="step")),
                ("done_steps", models.PositiveIntegerField(default=0, verbose_name="steps done")),
                ("all_steps", models.PositiveIntegerField(default=0, verbose_name="steps in all")),
                ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="attempts")),
                ("attempts_until", models.PositiveSmallIntegerField(default=3, verbose_name="attempts at most")),
                ("busy_tries", models.PositiveSmallIntegerField(default=0, verbose_name="attempts among others")),
                ("last_error", models.TextField(blank=True, verbose_name="last error")),
                ("once", models.JSONField(default=dict, verbose_name="settled once")),
                ("sent_at", models.DateTimeField(null=True, verbose_name="sent")),
                ("not_before", models.DateTimeField(null=True, verbose_name="not before")),
                ("started_at", models.DateTimeField(null=True, verbose_name="started")),
                ("seen_at", models.DateTimeField(null=True, verbose_name="last sign of life")),
                ("ended_at", models.DateTimeField(null=True, verbose_name="ended")),
                ("cancel_asked_at", models.DateTimeField(null=True, verbose_name="cancel asked")),
                (
                    "asked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "cancelled_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="jobs", to="tables.room"
                    ),
                ),
            ],
            options={
                "verbose_name": "job",
                "verbose_name_plural": "jobs",
            },
        ),
        migrations.CreateModel(
            name="KeptFile",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=160, verbose_name="name")),
                ("title", models.CharField(max_length=200, verbose_name="title")),
                ("report", models.SlugField(blank=True, max_length=40, verbose_name="report")),
                ("content_type", models.CharField(max_length=100, verbose_name="content type")),
                ("sha256", models.BinaryField(max_length=32, verbose_name="SHA-256")),
                ("size", models.PositiveBigIntegerField(verbose_name="size in bytes")),
                ("content", models.BinaryField(verbose_name="content")),
                ("made_at", models.DateTimeField(verbose_name="made")),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="files", to="tables.job"
                    ),
                ),
            ],
            options={
                "verbose_name": "kept file",
                "verbose_name_plural": "kept files",
                "abstract": False,
            },
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(fields=["-asked_at", "id"], name="job_by_time"),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(
                condition=models.Q(("state__in", ["waiting", "running"])), fields=["asked_at"], name="job_not_ended"
            ),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.UniqueConstraint(fields=("kind", "key"), name="job_once"),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at__isnull", True), ("state__in", ["waiting", "running"])),
                    models.Q(("ended_at__isnull", False), ("state__in", ["done", "failed", "cancelled"])),
                    _connector="OR",
                ),
                name="job_ended_in_an_end",
            ),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.CheckConstraint(
                condition=models.Q(("last_error", ""), ("state", "failed"), _negated=True),
                name="job_says_why_it_failed",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="job",
            trigger=pgtrigger.compiler.Trigger(
                name="no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="13dfd268c916da7b535a77de4c4f97332eaf90bf",
                    operation="DELETE",
                    pgid="pgtrigger_no_delete_7cc2b",
                    table="tables_job",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="job",
            trigger=pgtrigger.compiler.Trigger(
                name="facts_fixed",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."key" IS DISTINCT FROM (NEW."key") OR OLD."asked" IS DISTINCT FROM (NEW."asked") OR OLD."room_id" IS DISTINCT FROM (NEW."room_id") OR OLD."asked_by_id" IS DISTINCT FROM (NEW."asked_by_id") OR OLD."asked_at" IS DISTINCT FROM (NEW."asked_at"))',
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="ef1763a1260ee12bb112889780f91bd2c6307a43",
                    operation="UPDATE",
                    pgid="pgtrigger_facts_fixed_907bd",
                    table="tables_job",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="job",
            trigger=pgtrigger.compiler.Trigger(
                name="done_is_done",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.\"state\" = 'done')",
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="abd70fdd0a813606e441fbeee984daca664c933b",
                    operation="UPDATE",
                    pgid="pgtrigger_done_is_done_9ccb6",
                    table="tables_job",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="keptfile",
            constraint=models.UniqueConstraint(fields=("job", "name"), name="keptfile_once_a_job"),
        ),
        migrations.AddConstraint(
            model_name="keptfile",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("sha256", models.Func(models.F("content"), function="sha256", output_field=models.BinaryField()))
                ),
                name="keptfile_digest_is_of_content",
            ),
        ),
        migrations.AddConstraint(
            model_name="keptfile",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "size",
                        models.Func(models.F("content"), function="octet_length", output_field=models.IntegerField()),
                    )
                ),
                name="keptfile_size_is_of_content",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="keptfile",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="31a43fb39c7af7d4f1d8bd8aaf0429680ad0cd83",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_15552",
                    table="tables_keptfile",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="keptfile",
            trigger=pgtrigger.compiler.Trigger(
                name="no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;",
                    hash="4df911e21d7ce6d4a03135bf115b9a0b18ead718",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_no_truncate_29398",
                    table="tables_keptfile",
                    when="BEFORE",
                ),
            ),
        ),
    ]
