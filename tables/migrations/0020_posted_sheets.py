import django.core.validators
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0019_beginning_a_command'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='command',
            name='command_at_a_table',
        ),
        migrations.AddConstraint(
            model_name='command',
            constraint=models.CheckConstraint(condition=models.Q(('table__isnull', False), ('verb__regex', '^(rules|schedule|patron|jackpot|staff|waiting|sheet)\\.'), _connector='OR'), name='command_at_a_table'),
        ),
        migrations.CreateModel(
            name='NumberSeries',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('posted-sheet', 'Posted sheets'), ('report', 'Printed reports')], max_length=20, verbose_name='kind')),
                ('prefix', models.CharField(help_text='What stands before the number of every paper that is made from now on, such as S-.', max_length=7, validators=[django.core.validators.RegexValidator('^[A-Z][A-Z0-9]{0,5}-\\Z', 'Use up to six capital letters and figures, then a hyphen.')], verbose_name='prefix')),
                ('next_number', models.PositiveIntegerField(default=1, verbose_name='next number')),
            ],
            options={
                'verbose_name': 'number series',
                'verbose_name_plural': 'number series',
            },
        ),
        migrations.CreateModel(
            name='PostedSheet',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('ordinal', models.PositiveIntegerField(verbose_name='count')),
                ('number', models.CharField(max_length=17, verbose_name='number')),
                ('content', models.JSONField(verbose_name='content')),
                ('sha256', models.BinaryField(verbose_name='SHA-256')),
                ('posted_at', models.DateTimeField(verbose_name='posted')),
                ('reason', models.CharField(blank=True, max_length=300, verbose_name='why')),
            ],
            options={
                'verbose_name': 'posted sheet',
                'verbose_name_plural': 'posted sheets',
                'abstract': False,
            },
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='tablesession',
            name='terms_fixed',
        ),
        migrations.AddField(
            model_name='numberseries',
            name='room',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='number_series', to='tables.room'),
        ),
        migrations.AddField(
            model_name='postedsheet',
            name='command',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='postedsheet',
            name='room',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='posted_sheets', to='tables.room'),
        ),
        migrations.AddField(
            model_name='postedsheet',
            name='rules',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='posted_sheets', to='tables.rulesetversion'),
        ),
        migrations.AddField(
            model_name='tablesession',
            name='sheet',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='sessions', to='tables.postedsheet'),
        ),
        migrations.AddConstraint(
            model_name='numberseries',
            constraint=models.UniqueConstraint(fields=('room', 'kind'), name='numberseries_one_a_kind'),
        ),
        migrations.AddConstraint(
            model_name='numberseries',
            constraint=models.CheckConstraint(condition=models.Q(('next_number__gte', 1)), name='numberseries_counts_from_one'),
        ),
        migrations.AddConstraint(
            model_name='numberseries',
            constraint=models.CheckConstraint(condition=models.Q(('prefix__regex', '^[A-Z][A-Z0-9]{0,5}-$')), name='numberseries_prefix_well_formed'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='numberseries',
            trigger=pgtrigger.compiler.Trigger(name='no_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='2861e03d87247ec234aa8d681b4352bfd78d2d4e', operation='DELETE', pgid='pgtrigger_no_delete_d5c78', table='tables_numberseries', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='numberseries',
            trigger=pgtrigger.compiler.Trigger(name='place_fixed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."room_id" IS DISTINCT FROM (NEW."room_id") OR OLD."kind" IS DISTINCT FROM (NEW."kind"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='62dc6ff068a20809fab76e93913a895d2745cb96', operation='UPDATE', pgid='pgtrigger_place_fixed_2711e', table='tables_numberseries', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='numberseries',
            trigger=pgtrigger.compiler.Trigger(name='one_by_one', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."next_number" IS DISTINCT FROM (OLD."next_number") AND NOT (NEW."next_number" = (OLD."next_number" + 1)))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='7755d3a92ac87180b0903a5841a8285482a1a1e9', operation='UPDATE', pgid='pgtrigger_one_by_one_5e945', table='tables_numberseries', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='postedsheet',
            constraint=models.UniqueConstraint(fields=('room', 'ordinal'), name='postedsheet_numbered'),
        ),
        migrations.AddConstraint(
            model_name='postedsheet',
            constraint=models.UniqueConstraint(fields=('room', 'number'), name='postedsheet_number_once'),
        ),
        migrations.AddConstraint(
            model_name='postedsheet',
            constraint=models.UniqueConstraint(fields=('room', 'rules', 'sha256'), name='postedsheet_once'),
        ),
        migrations.AddConstraint(
            model_name='postedsheet',
            constraint=models.CheckConstraint(condition=models.Q(('ordinal__gte', 1)), name='postedsheet_counts_from_one'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='postedsheet',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='ab936fac74285b41fe6871c7542e47447814f96c', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_7b4bb', table='tables_postedsheet', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='postedsheet',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='4dbf962d3d480f087e481f5eb6f43653db2d1c62', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_07fb1', table='tables_postedsheet', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablesession',
            trigger=pgtrigger.compiler.Trigger(name='terms_fixed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."table_id" IS DISTINCT FROM (NEW."table_id") OR OLD."rules_id" IS DISTINCT FROM (NEW."rules_id") OR OLD."point_value_cents" IS DISTINCT FROM (NEW."point_value_cents") OR OLD."table_min_cents" IS DISTINCT FROM (NEW."table_min_cents") OR OLD."table_max_cents" IS DISTINCT FROM (NEW."table_max_cents") OR OLD."collection_cents" IS DISTINCT FROM (NEW."collection_cents") OR OLD."bank_collection_cents" IS DISTINCT FROM (NEW."bank_collection_cents") OR OLD."schedule_id" IS DISTINCT FROM (NEW."schedule_id") OR OLD."jackpot_id" IS DISTINCT FROM (NEW."jackpot_id") OR OLD."sheet_id" IS DISTINCT FROM (NEW."sheet_id") OR OLD."chip_denominations" IS DISTINCT FROM (NEW."chip_denominations") OR OLD."clock_seconds" IS DISTINCT FROM (NEW."clock_seconds") OR OLD."opened_at" IS DISTINCT FROM (NEW."opened_at") OR OLD."opened_by_id" IS DISTINCT FROM (NEW."opened_by_id") OR OLD."book_id" IS DISTINCT FROM (NEW."book_id") OR OLD."cash_account_id" IS DISTINCT FROM (NEW."cash_account_id") OR OLD."chips_account_id" IS DISTINCT FROM (NEW."chips_account_id") OR OLD."drop_account_id" IS DISTINCT FROM (NEW."drop_account_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='5b306832eafbd9bd2c1e9e57b07c2f5f29adfae8', operation='UPDATE', pgid='pgtrigger_terms_fixed_72127', table='tables_tablesession', when='BEFORE')),
        ),
    ]
