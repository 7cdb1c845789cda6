from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0007_stages_of_a_hand")]

    operations = []
