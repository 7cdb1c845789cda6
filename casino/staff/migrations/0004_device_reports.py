from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("staff", "0003_access")]

    operations = [
        migrations.AddField(
            model_name="device",
            name="last_seen_at",
            field=models.DateTimeField(editable=False, null=True, verbose_name="last seen"),
        ),
        migrations.AddField(
            model_name="device",
            name="unsent_count",
            field=models.PositiveSmallIntegerField(db_default=0, editable=False, verbose_name="presses not sent"),
        ),
        migrations.AddField(
            model_name="device",
            name="oldest_unsent_at",
            field=models.DateTimeField(editable=False, null=True, verbose_name="oldest not sent"),
        ),
    ]
