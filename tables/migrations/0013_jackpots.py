import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0012_rulings'),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='tablesession',
            name='terms_fixed',
        ),
        migrations.CreateModel(
            name='Jackpot',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('game', models.CharField(choices=[('chinese-poker', 'Chinese Poker'), ('pai-gow-poker', 'Pai Gow Poker')], max_length=20, verbose_name='game')),
                ('slug', models.SlugField(max_length=60, verbose_name='slug')),
                ('title', models.CharField(max_length=120, verbose_name='title')),
                ('fee_cents', models.BigIntegerField(verbose_name='fee')),
                ('qualifying', models.JSONField(verbose_name='qualifying hands')),
                ('opened_at', models.DateTimeField(verbose_name='opened')),
                ('closed_at', models.DateTimeField(null=True, verbose_name='closed')),
            ],
            options={
                'verbose_name': 'jackpot',
                'verbose_name_plural': 'jackpots',
            },
        ),
        migrations.CreateModel(
            name='JackpotAward',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField(verbose_name='seat or position')),
                ('amount_cents', models.BigIntegerField(verbose_name='amount')),
            ],
            options={
                'verbose_name': 'jackpot award',
                'verbose_name_plural': 'jackpot awards',
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='jackpot',
            name='account',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ledger.account'),
        ),
        migrations.AddField(
            model_name='jackpot',
            name='closed_by',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='jackpot',
            name='opened_by',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='jackpot',
            name='room',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='jackpots', to='tables.room'),
        ),
        migrations.AddField(
            model_name='tablesession',
            name='jackpot',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='sessions', to='tables.jackpot'),
        ),
        migrations.AddField(
            model_name='jackpotaward',
            name='approver',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='jackpotaward',
            name='command',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='jackpotaward',
            name='jackpot',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='awards', to='tables.jackpot'),
        ),
        migrations.AddField(
            model_name='jackpotaward',
            name='record',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='jackpot_awards', to='tables.handrecord'),
        ),
        migrations.AddField(
            model_name='jackpotaward',
            name='sitting',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='jackpot_awards', to='tables.sitting'),
        ),
        migrations.AddConstraint(
            model_name='jackpot',
            constraint=models.UniqueConstraint(fields=('room', 'slug'), name='jackpot_slug_once_a_room'),
        ),
        migrations.AddConstraint(
            model_name='jackpot',
            constraint=models.UniqueConstraint(condition=models.Q(('closed_at__isnull', True)), fields=('room', 'game'), name='jackpot_one_open_a_game'),
        ),
        migrations.AddConstraint(
            model_name='jackpot',
            constraint=models.CheckConstraint(condition=models.Q(('game__in', ['chinese-poker', 'pai-gow-poker'])), name='jackpot_game_known'),
        ),
        migrations.AddConstraint(
            model_name='jackpot',
            constraint=models.CheckConstraint(condition=models.Q(('fee_cents__gt', 0)), name='jackpot_fee_positive'),
        ),
        migrations.AddConstraint(
            model_name='jackpot',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', True), ('closed_by__isnull', True)), models.Q(('closed_at__isnull', False), ('closed_by__isnull', False)), _connector='OR'), name='jackpot_closed_by_a_command'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='jackpot',
            trigger=pgtrigger.compiler.Trigger(name='no_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='4f5c58a21234268e5b3666a1022088554cc5113b', operation='DELETE', pgid='pgtrigger_no_delete_1656c', table='tables_jackpot', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='jackpot',
            trigger=pgtrigger.compiler.Trigger(name='closed_is_final', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."closed_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='525fd6b28f9b18fe09c5b1baab94d707666a16b9', operation='UPDATE', pgid='pgtrigger_closed_is_final_e256d', table='tables_jackpot', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='jackpot',
            trigger=pgtrigger.compiler.Trigger(name='terms_fixed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."room_id" IS DISTINCT FROM (NEW."room_id") OR OLD."game" IS DISTINCT FROM (NEW."game") OR OLD."slug" IS DISTINCT FROM (NEW."slug") OR OLD."title" IS DISTINCT FROM (NEW."title") OR OLD."fee_cents" IS DISTINCT FROM (NEW."fee_cents") OR OLD."qualifying" IS DISTINCT FROM (NEW."qualifying") OR OLD."account_id" IS DISTINCT FROM (NEW."account_id") OR OLD."opened_at" IS DISTINCT FROM (NEW."opened_at") OR OLD."opened_by_id" IS DISTINCT FROM (NEW."opened_by_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='db5e60593666c83509fea8630415bfe7986bb463', operation='UPDATE', pgid='pgtrigger_terms_fixed_713c9', table='tables_jackpot', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='jackpotaward',
            constraint=models.UniqueConstraint(fields=('record', 'place'), name='jackpotaward_once_a_hand'),
        ),
        migrations.AddConstraint(
            model_name='jackpotaward',
            constraint=models.CheckConstraint(condition=models.Q(('amount_cents__gt', 0)), name='jackpotaward_amount_positive'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='jackpotaward',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='6b062f70d52366ea02b56ffb6fb988a6e84170c5', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_0e115', table='tables_jackpotaward', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='jackpotaward',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='5f194f93152fb18c162ea62e00cd559c0d5edc09', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_1e8b6', table='tables_jackpotaward', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablesession',
            trigger=pgtrigger.compiler.Trigger(name='terms_fixed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."table_id" IS DISTINCT FROM (NEW."table_id") OR OLD."rules_id" IS DISTINCT FROM (NEW."rules_id") OR OLD."point_value_cents" IS DISTINCT FROM (NEW."point_value_cents") OR OLD."table_min_cents" IS DISTINCT FROM (NEW."table_min_cents") OR OLD."table_max_cents" IS DISTINCT FROM (NEW."table_max_cents") OR OLD."collection_cents" IS DISTINCT FROM (NEW."collection_cents") OR OLD."bank_collection_cents" IS DISTINCT FROM (NEW."bank_collection_cents") OR OLD."schedule_id" IS DISTINCT FROM (NEW."schedule_id") OR OLD."jackpot_id" IS DISTINCT FROM (NEW."jackpot_id") OR OLD."chip_denominations" IS DISTINCT FROM (NEW."chip_denominations") OR OLD."clock_seconds" IS DISTINCT FROM (NEW."clock_seconds") OR OLD."opened_at" IS DISTINCT FROM (NEW."opened_at") OR OLD."opened_by_id" IS DISTINCT FROM (NEW."opened_by_id") OR OLD."book_id" IS DISTINCT FROM (NEW."book_id") OR OLD."cash_account_id" IS DISTINCT FROM (NEW."cash_account_id") OR OLD."chips_account_id" IS DISTINCT FROM (NEW."chips_account_id") OR OLD."drop_account_id" IS DISTINCT FROM (NEW."drop_account_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='858fb42b5414609cec29c702dae414edda47688c', operation='UPDATE', pgid='pgtrigger_terms_fixed_72127', table='tables_tablesession', when='BEFORE')),
        ),
    ]
