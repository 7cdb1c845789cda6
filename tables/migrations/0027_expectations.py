import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0026_looked_at")]

    operations = [
        migrations.CreateModel(
            name="Expectation",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("rules_sha256", models.BinaryField(max_length=32, verbose_name="SHA-256 of the rules")),
                ("chart_sha256", models.BinaryField(max_length=32, verbose_name="SHA-256 of the chart")),
                ("seed", models.BigIntegerField(verbose_name="seed")),
                ("deals", models.PositiveIntegerField(verbose_name="deals")),
                (
                    "outcomes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.PositiveIntegerField(), size=28, verbose_name="deals by outcome"
                    ),
                ),
                (
                    "made_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name="made"
                    ),
                ),
                (
                    "rules",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="expectations",
                        to="tables.rulesetversion",
                    ),
                ),
            ],
            options={
                "verbose_name": "expected result of the bank",
                "verbose_name_plural": "expected results of the bank",
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(fields=("rules", "rules_sha256", "chart_sha256"), name="expectation_once"),
                    models.CheckConstraint(condition=models.Q(("deals__gte", 1)), name="expectation_of_some_deals"),
                    models.CheckConstraint(
                        condition=models.Q(("outcomes__len", 28)), name="expectation_counts_every_outcome"
                    ),
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="expectation",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="23a8c217d5b06410168622b396e99124ce21c063",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_380ca",
                    table="tables_expectation",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="expectation",
            trigger=pgtrigger.compiler.Trigger(
                name="no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;",
                    hash="36f7c61afcb945df9eea09ed57780e0a9352a7e0",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_no_truncate_56d0f",
                    table="tables_expectation",
                    when="BEFORE",
                ),
            ),
        ),
    ]
