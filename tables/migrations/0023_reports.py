import uuid

import django.contrib.postgres.indexes
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0008_by_time"),
        ("tables", "0022_hand_search"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ReportPrinting",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("ordinal", models.PositiveIntegerField(verbose_name="count")),
                ("number", models.CharField(max_length=17, verbose_name="number")),
                ("report", models.SlugField(max_length=40, verbose_name="report")),
                ("asked", models.JSONField(verbose_name="filters")),
                ("data_sha256", models.BinaryField(max_length=32, verbose_name="SHA-256 of the figures")),
                (
                    "paper",
                    models.CharField(choices=[("letter", "Letter"), ("a4", "A4")], max_length=6, verbose_name="paper"),
                ),
                ("printed_at", models.DateTimeField(verbose_name="printed")),
            ],
            options={
                "verbose_name": "printing of a report",
                "verbose_name_plural": "printings of reports",
                "abstract": False,
            },
        ),
        migrations.AddIndex(
            model_name="dispute",
            index=models.Index(fields=["raised_at"], name="dispute_by_time"),
        ),
        migrations.AddIndex(
            model_name="tableexception",
            index=models.Index(fields=["raised_at"], name="tableexception_by_time"),
        ),
        migrations.AddIndex(
            model_name="tablesession",
            index=django.contrib.postgres.indexes.GistIndex(
                models.Func("opened_at", "closed_at", models.Value("[]"), function="tstzrange"),
                name="tablesession_by_time",
            ),
        ),
        migrations.AddField(
            model_name="reportprinting",
            name="again",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tables.reportprinting"
            ),
        ),
        migrations.AddField(
            model_name="reportprinting",
            name="printed_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="reportprinting",
            name="room",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="report_printings", to="tables.room"
            ),
        ),
        migrations.AddIndex(
            model_name="reportprinting",
            index=models.Index(fields=["room", "report", "ordinal"], name="reportprinting_of_report"),
        ),
        migrations.AddConstraint(
            model_name="reportprinting",
            constraint=models.UniqueConstraint(fields=("room", "number"), name="reportprinting_number_once"),
        ),
        migrations.AddConstraint(
            model_name="reportprinting",
            constraint=models.CheckConstraint(
                condition=models.Q(("ordinal__gte", 1)), name="reportprinting_counts_from_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="reportprinting",
            constraint=models.CheckConstraint(
                condition=models.Q(("paper__in", ["letter", "a4"])), name="reportprinting_paper_known"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="reportprinting",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="870accb66f6d588c7898674420662bfde7d91032",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_30fb8",
                    table="tables_reportprinting",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="reportprinting",
            trigger=pgtrigger.compiler.Trigger(
                name="no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;",
                    hash="d97244b3e9d2b6f6cd9896fa426fbb6e4b320a04",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_no_truncate_489f5",
                    table="tables_reportprinting",
                    when="BEFORE",
                ),
            ),
        ),
    ]
