"""Indexes of the lists: the few hands that were void or misdealt, and sittings, both by time."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0021_set_up_history")]

    operations = [
        migrations.AddIndex(
            model_name="hand",
            index=models.Index(
                condition=models.Q(("status__in", ["void", "misdeal"])),
                fields=["-started_at", "id"],
                name="hand_void_or_misdeal_by_time",
            ),
        ),
        migrations.AddIndex(
            model_name="sitting",
            index=models.Index(fields=["-started_at", "id"], name="sitting_by_time"),
        ),
    ]
