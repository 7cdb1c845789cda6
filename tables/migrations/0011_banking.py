from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0010_hand_life")]

    operations = []
