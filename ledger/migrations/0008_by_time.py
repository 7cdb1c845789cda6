from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0007_holding")]

    operations = [
        migrations.AddIndex(
            model_name="transaction",
            index=models.Index(
                condition=models.Q(("kind", "note"), _negated=True),
                fields=["recorded_at"],
                name="ledger_transaction_by_time",
            ),
        ),
    ]
