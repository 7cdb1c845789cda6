import uuid

import django.core.validators
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0016_inbox")]

    operations = [
        migrations.CreateModel(
            name='WaitingEntry',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('added_at', models.DateTimeField(verbose_name='added')),
                ('in_line_at', models.DateTimeField(verbose_name='in line since')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='ended')),
            ],
            options={
                'verbose_name': 'entry of a waiting list',
                'verbose_name_plural': 'entries of waiting lists',
            },
        ),
        migrations.CreateModel(
            name='WaitingEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('kind', models.CharField(choices=[('added', 'Added'), ('called', 'Called'), ('put-last', 'Put at the end'), ('seated', 'Seated'), ('removed', 'Removed')], max_length=10, verbose_name='what')),
                ('happened_at', models.DateTimeField(verbose_name='when')),
                ('until', models.DateTimeField(null=True, verbose_name='waited for until')),
                ('why', models.CharField(blank=True, choices=[('gave-up', 'Gave up'), ('did-not-come', 'Did not come'), ('other', 'Other')], max_length=14, verbose_name='why')),
                ('words', models.CharField(blank=True, max_length=300, verbose_name='in words')),
            ],
            options={
                'verbose_name': 'event of a waiting list',
                'verbose_name_plural': 'events of waiting lists',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='WaitingList',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('game', models.CharField(choices=[('chinese-poker', 'Chinese Poker'), ('pai-gow-poker', 'Pai Gow Poker')], max_length=20, verbose_name='game')),
                ('point_value_cents', models.BigIntegerField(null=True, verbose_name='a point')),
                ('table_min_cents', models.BigIntegerField(null=True, verbose_name='minimum')),
                ('table_max_cents', models.BigIntegerField(null=True, verbose_name='maximum')),
            ],
            options={
                'verbose_name': 'waiting list',
                'verbose_name_plural': 'waiting lists',
            },
        ),
        migrations.RemoveConstraint(
            model_name='command',
            name='command_at_a_table',
        ),
        migrations.AddField(
            model_name='patron',
            name='folded_name',
            field=models.GeneratedField(db_persist=True, expression=models.Func('name', template="lower(translate(regexp_replace(normalize(%(expressions)s, NFKD), '[\\u0300-\\u036f]', '', 'g'), 'đĐðÐøØłŁħĦŧŦ', 'dDdDoOlLhHtT'))"), output_field=models.TextField()),
        ),
        migrations.AddField(
            model_name='room',
            name='waiting_hold_minutes',
            field=models.PositiveSmallIntegerField(default=5, help_text='Floor can choose another time at each call.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(120)], verbose_name='who is called from a waiting list is waited for, in minutes'),
        ),
        migrations.AddConstraint(
            model_name='command',
            constraint=models.CheckConstraint(condition=models.Q(('table__isnull', False), ('verb__regex', '^(rules|schedule|patron|jackpot|waiting)\\.'), _connector='OR'), name='command_at_a_table'),
        ),
        migrations.AddConstraint(
            model_name='room',
            constraint=models.CheckConstraint(condition=models.Q(('waiting_hold_minutes__gte', 1), ('waiting_hold_minutes__lte', 120)), name='room_waiting_hold_in_reason'),
        ),
        migrations.AddField(
            model_name='waitingentry',
            name='patron',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='waiting', to='tables.patron'),
        ),
        migrations.AddField(
            model_name='waitingevent',
            name='command',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.command'),
        ),
        migrations.AddField(
            model_name='waitingevent',
            name='entry',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='tables.waitingentry'),
        ),
        migrations.AddField(
            model_name='waitingevent',
            name='seat',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.seat'),
        ),
        migrations.AddField(
            model_name='waitinglist',
            name='room',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='waiting_lists', to='tables.room'),
        ),
        migrations.AddField(
            model_name='waitingentry',
            name='waiting_list',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='tables.waitinglist'),
        ),
        migrations.AddIndex(
            model_name='waitingevent',
            index=models.Index(fields=['-happened_at', '-id'], name='waitingevent_by_time'),
        ),
        migrations.AddConstraint(
            model_name='waitingevent',
            constraint=models.UniqueConstraint(fields=('entry', 'number'), name='waitingevent_numbered'),
        ),
        migrations.AddConstraint(
            model_name='waitingevent',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'added'), ('number', 1), ('seat__isnull', True), ('until__isnull', True), ('why', ''), ('words', '')), models.Q(('kind', 'called'), ('number__gt', 1), ('until__gt', models.F('happened_at')), ('why', ''), ('words', '')), models.Q(('kind', 'put-last'), ('number__gt', 1), ('seat__isnull', True), ('until__isnull', True), ('why', ''), ('words', '')), models.Q(('kind', 'seated'), ('number__gt', 1), ('seat__isnull', False), ('until__isnull', True), ('why', ''), ('words', '')), models.Q(models.Q(('why__in', ['gave-up', 'did-not-come']), models.Q(('why', 'other'), models.Q(('words', ''), _negated=True)), _connector='OR'), ('kind', 'removed'), ('number__gt', 1), ('seat__isnull', True), ('until__isnull', True)), _connector='OR'), name='waitingevent_says_what_its_kind_says'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='waitingevent',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='49383dd1964c18ec692e5d2c854050aa4498a0ca', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_32f97', table='tables_waitingevent', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='waitingevent',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='1690e8efc3d3efad0826a9122d6006ebdec4221a', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_e30f5', table='tables_waitingevent', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='waitinglist',
            constraint=models.UniqueConstraint(fields=('room', 'game', 'point_value_cents', 'table_min_cents', 'table_max_cents'), name='waitinglist_once', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='waitinglist',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('game', 'chinese-poker'), ('point_value_cents__gt', 0), ('table_max_cents__isnull', True), ('table_min_cents__isnull', True)), models.Q(('game', 'pai-gow-poker'), ('point_value_cents__isnull', True), ('table_max_cents__gte', models.F('table_min_cents')), ('table_min_cents__gt', 0)), _connector='OR'), name='waitinglist_stakes_of_its_game'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='waitinglist',
            trigger=pgtrigger.compiler.Trigger(name='no_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='3de1a0cb18808d2cb83bfc27967ed2abfd6953b6', operation='DELETE', pgid='pgtrigger_no_delete_3e5e0', table='tables_waitinglist', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='waitinglist',
            trigger=pgtrigger.compiler.Trigger(name='facts_fixed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."room_id" IS DISTINCT FROM (NEW."room_id") OR OLD."game" IS DISTINCT FROM (NEW."game") OR OLD."point_value_cents" IS DISTINCT FROM (NEW."point_value_cents") OR OLD."table_min_cents" IS DISTINCT FROM (NEW."table_min_cents") OR OLD."table_max_cents" IS DISTINCT FROM (NEW."table_max_cents"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='3c62299aef2854ebad4ee4d90d88693878160e9a', operation='UPDATE', pgid='pgtrigger_facts_fixed_3f2db', table='tables_waitinglist', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='waitingentry',
            index=models.Index(fields=['waiting_list', 'ended_at'], name='waitingentry_by_end'),
        ),
        migrations.AddConstraint(
            model_name='waitingentry',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('waiting_list', 'patron'), name='waitingentry_once_a_list'),
        ),
        migrations.AddConstraint(
            model_name='waitingentry',
            constraint=models.CheckConstraint(condition=models.Q(('in_line_at__gte', models.F('added_at'))), name='waitingentry_in_line_once_added'),
        ),
        migrations.AddConstraint(
            model_name='waitingentry',
            constraint=models.CheckConstraint(condition=models.Q(('ended_at__isnull', True), ('ended_at__gte', models.F('in_line_at')), _connector='OR'), name='waitingentry_ends_after_it_began'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='waitingentry',
            trigger=pgtrigger.compiler.Trigger(name='no_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='02c736658c66354c3b9f9472c2b3c7d9c301ade6', operation='DELETE', pgid='pgtrigger_no_delete_cc819', table='tables_waitingentry', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='waitingentry',
            trigger=pgtrigger.compiler.Trigger(name='ended_is_final', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."ended_at" IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='453f4c01e0065a56a50a73516db63a4799d22a1a', operation='UPDATE', pgid='pgtrigger_ended_is_final_b7523', table='tables_waitingentry', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='waitingentry',
            trigger=pgtrigger.compiler.Trigger(name='facts_fixed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."waiting_list_id" IS DISTINCT FROM (NEW."waiting_list_id") OR OLD."patron_id" IS DISTINCT FROM (NEW."patron_id") OR OLD."added_at" IS DISTINCT FROM (NEW."added_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='3224b2b82a69ef56133d73d355f75785fe7a5541', operation='UPDATE', pgid='pgtrigger_facts_fixed_3921f', table='tables_waitingentry', when='BEFORE')),
        ),
    ]
