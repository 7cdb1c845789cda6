import django.db.models.constraints
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0014_calls")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="map_column",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="column on the map"),
        ),
        migrations.AddField(
            model_name="table",
            name="map_row",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="row on the map"),
        ),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.UniqueConstraint(
                deferrable=django.db.models.constraints.Deferrable["DEFERRED"],
                fields=("room", "map_column", "map_row"),
                name="table_one_a_place_of_the_map",
            ),
        ),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("map_column__isnull", True), ("map_row__isnull", True)),
                    models.Q(
                        ("map_column__isnull", False),
                        ("map_row__isnull", False),
                        ("map_column__gte", 1),
                        ("map_column__lte", 12),
                        ("map_row__gte", 1),
                        ("map_row__lte", 12),
                    ),
                    _connector="OR",
                ),
                name="table_place_is_on_the_map",
            ),
        ),
    ]
