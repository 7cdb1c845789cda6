import django.core.validators
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0017_waiting_lists'),
        ('staff', '0003_access'),
    ]

    operations = [
        migrations.CreateModel(
            name='DealerBreak',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('started_at', models.DateTimeField(verbose_name='began')),
                ('due_back_at', models.DateTimeField(verbose_name='due back')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='ended')),
            ],
            options={
                'verbose_name': "dealer's break",
                'verbose_name_plural': "dealers' breaks",
            },
        ),
        migrations.CreateModel(
            name='Duty',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('came_on_at', models.DateTimeField(verbose_name='came on')),
                ('went_off_at', models.DateTimeField(null=True, verbose_name='went off')),
            ],
            options={
                'verbose_name': 'dealer on duty',
                'verbose_name_plural': 'dealers on duty',
            },
        ),
        migrations.RemoveConstraint(
            model_name='command',
            name='command_at_a_table',
        ),
        migrations.AddField(
            model_name='room',
            name='dealer_minutes',
            field=models.PositiveSmallIntegerField(default=60, help_text='Who deals longer stands out on the staff page.', validators=[django.core.validators.MinValueValidator(5), django.core.validators.MaxValueValidator(480)], verbose_name='a dealer stays at a table, in minutes'),
        ),
        migrations.AddConstraint(
            model_name='command',
            constraint=models.CheckConstraint(condition=models.Q(('table__isnull', False), ('verb__regex', '^(rules|schedule|patron|jackpot|staff|waiting)\\.'), _connector='OR'), name='command_at_a_table'),
        ),
        migrations.AddField(
            model_name='dealerbreak',
            name='command',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='duty',
            name='command',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='duty',
            name='dealer',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='duties', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='duty',
            name='room',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='duties', to='tables.room'),
        ),
        migrations.AddField(
            model_name='dealerbreak',
            name='duty',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='breaks', to='tables.duty'),
        ),
        migrations.AddConstraint(
            model_name='duty',
            constraint=models.UniqueConstraint(condition=models.Q(('went_off_at__isnull', True)), fields=('dealer',), name='duty_one_a_dealer'),
        ),
        migrations.AddConstraint(
            model_name='duty',
            constraint=models.CheckConstraint(condition=models.Q(('went_off_at__isnull', True), ('went_off_at__gte', models.F('came_on_at')), _connector='OR'), name='duty_ends_after_it_began'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='duty',
            trigger=pgtrigger.compiler.Trigger(name='no_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='5a7a48b58b6137fdc5560b30cc36fcba026ae066', operation='DELETE', pgid='pgtrigger_no_delete_359ec', table='tables_duty', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='duty',
            trigger=pgtrigger.compiler.Trigger(name='ended_is_final', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."went_off_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='c9c2fed2f5b86325b735cfcf3cd7ec844766a519', operation='UPDATE', pgid='pgtrigger_ended_is_final_0c432', table='tables_duty', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='duty',
            trigger=pgtrigger.compiler.Trigger(name='facts_fixed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."room_id" IS DISTINCT FROM (NEW."room_id") OR OLD."dealer_id" IS DISTINCT FROM (NEW."dealer_id") OR OLD."came_on_at" IS DISTINCT FROM (NEW."came_on_at") OR OLD."command_id" IS DISTINCT FROM (NEW."command_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='4cd816dd19f5a2b0ee7b26e1caadafa26c65fc23', operation='UPDATE', pgid='pgtrigger_facts_fixed_00820', table='tables_duty', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='dealerbreak',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('duty',), name='dealerbreak_one_a_duty'),
        ),
        migrations.AddConstraint(
            model_name='dealerbreak',
            constraint=models.CheckConstraint(condition=models.Q(('due_back_at__gt', models.F('started_at')), models.Q(('ended_at__isnull', True), ('ended_at__gte', models.F('started_at')), _connector='OR')), name='dealerbreak_times_in_order'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dealerbreak',
            trigger=pgtrigger.compiler.Trigger(name='no_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='7a0f83cdc78b5c0ea70300823b20fcdea242ab59', operation='DELETE', pgid='pgtrigger_no_delete_5de85', table='tables_dealerbreak', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dealerbreak',
            trigger=pgtrigger.compiler.Trigger(name='ended_is_final', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."ended_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='75d483bff7e1886f423773ce036d8d88c150e218', operation='UPDATE', pgid='pgtrigger_ended_is_final_23d16', table='tables_dealerbreak', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dealerbreak',
            trigger=pgtrigger.compiler.Trigger(name='facts_fixed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."duty_id" IS DISTINCT FROM (NEW."duty_id") OR OLD."started_at" IS DISTINCT FROM (NEW."started_at") OR OLD."due_back_at" IS DISTINCT FROM (NEW."due_back_at") OR OLD."command_id" IS DISTINCT FROM (NEW."command_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='6861524a1de67e4a4d638bdd4ed4936487a43b4f', operation='UPDATE', pgid='pgtrigger_facts_fixed_a614b', table='tables_dealerbreak', when='BEFORE')),
        ),
    ]
