import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0015_floor_map'),
    ]

    operations = [
        migrations.CreateModel(
            name='Taking',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('taken_at', models.DateTimeField(verbose_name='taken')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='ended')),
                ('command', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command')),
                ('dispute', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='takings', to='tables.dispute')),
                ('ended_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command')),
                ('exception', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='takings', to='tables.tableexception')),
            ],
            options={
                'verbose_name': 'taken by',
                'verbose_name_plural': 'taken by',
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('exception',), name='taking_one_an_exception'), models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('dispute',), name='taking_one_a_dispute'), models.CheckConstraint(condition=models.Q(models.Q(('dispute__isnull', True), ('exception__isnull', False)), models.Q(('dispute__isnull', False), ('exception__isnull', True)), _connector='OR'), name='taking_of_one_thing'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('ended_by__isnull', True)), models.Q(('ended_at__gte', models.F('taken_at')), ('ended_by__isnull', False)), _connector='OR'), name='taking_ended_by_a_command')],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='taking',
            trigger=pgtrigger.compiler.Trigger(name='no_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='d340cdab45c86cbc3ae27b1946ff24b7a58bd2c0', operation='DELETE', pgid='pgtrigger_no_delete_f992f', table='tables_taking', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='taking',
            trigger=pgtrigger.compiler.Trigger(name='ended_is_final', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."ended_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='a2937e72c2e85ed3f05a695d0f496a6cb4ccaf13', operation='UPDATE', pgid='pgtrigger_ended_is_final_f74de', table='tables_taking', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='taking',
            trigger=pgtrigger.compiler.Trigger(name='facts_fixed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."exception_id" IS DISTINCT FROM (NEW."exception_id") OR OLD."dispute_id" IS DISTINCT FROM (NEW."dispute_id") OR OLD."taken_at" IS DISTINCT FROM (NEW."taken_at") OR OLD."command_id" IS DISTINCT FROM (NEW."command_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='c521c1369e04465ea0b801b0ed116c8267929e02', operation='UPDATE', pgid='pgtrigger_facts_fixed_8a365', table='tables_taking', when='BEFORE')),
        ),
    ]
