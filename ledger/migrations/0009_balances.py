import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0008_by_time'),
    ]

    operations = [
        migrations.CreateModel(
            name='BroughtForward',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.UUIDField(verbose_name='place')),
                ('account_kind', models.CharField(choices=[('stack', 'stack'), ('hand-action', "hand's action"), ('table-float', 'table float'), ('drop-box', 'drop box'), ('jackpot', 'jackpot'), ('cage', 'cage'), ('outside-cash', "patrons' cash"), ('outside-chips', 'chips carried in and out'), ('ruling', 'held during a ruling')], max_length=20, verbose_name='kind of account')),
                ('amount_cents', models.BigIntegerField(verbose_name='held in cents')),
                ('newest_at', models.DateTimeField(verbose_name='newest recorded')),
                ('seal', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='brought_forward', to='ledger.seal')),
            ],
            options={
                'verbose_name': 'balance brought forward',
                'verbose_name_plural': 'balances brought forward',
                'abstract': False,
                'constraints': [models.UniqueConstraint(fields=('seal', 'place', 'account_kind'), name='ledger_broughtforward_once'), models.CheckConstraint(condition=models.Q(('account_kind__in', ['stack', 'hand-action', 'table-float', 'drop-box', 'jackpot', 'cage', 'outside-cash', 'outside-chips', 'ruling'])), name='ledger_broughtforward_account_kind')],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='broughtforward',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='068e32a1f8041fa88a5ab3eed5a566514146e2d7', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_c0401', table='ledger_broughtforward', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='broughtforward',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='f02e96d7e36db85b6c2d0f9796437721b6e674c5', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_fb30e', table='ledger_broughtforward', when='BEFORE')),
        ),
    ]
