from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0008_seats")]

    operations = []
