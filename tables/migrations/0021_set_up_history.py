import casino.set_up_history
import datetime
import django.core.validators
import django.db.models.deletion
import pghistory.utils
import pgtrigger.compiler
import pgtrigger.migrations
import tables.models.rooms
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('tables', '0020_posted_sheets'), ('staff', '0005_set_up_history'), ('pghistory', '0007_auto_20250421_0444')]

    operations = [
        migrations.AlterField(
            model_name='roomstaff',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rooms', to=settings.AUTH_USER_MODEL, verbose_name='person'),
        ),
        migrations.AlterField(
            model_name='room',
            name='approval_limit_cents',
            field=models.BigIntegerField(default=100000, help_text="What may change hands by one person's correction, before the next hand begins (PG-45).", verbose_name='corrections need two people above'),
        ),
        migrations.CreateModel(
            name='NumberSeriesChange',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_role', models.TextField(db_default=casino.set_up_history.SessionUser(), editable=False, verbose_name='database role')),
                ('pgh_context', pghistory.utils.JSONField(null=True)),
                ('kind', models.CharField(choices=[('posted-sheet', 'Posted sheets'), ('report', 'Printed reports')], max_length=20, verbose_name='kind')),
                ('prefix', models.CharField(help_text='What stands before the number of every paper that is made from now on, such as S-.', max_length=7, validators=[django.core.validators.RegexValidator('^[A-Z][A-Z0-9]{0,5}-\\Z', 'Use up to six capital letters and figures, then a hyphen.')], verbose_name='prefix')),
            ],
            options={
                'verbose_name': 'change: number series',
                'verbose_name_plural': 'changes: number series',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='PatronChange',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_role', models.TextField(db_default=casino.set_up_history.SessionUser(), editable=False, verbose_name='database role')),
                ('pgh_context', pghistory.utils.JSONField(null=True)),
                ('number', models.CharField(blank=True, max_length=20, verbose_name='card number')),
                ('name', models.CharField(max_length=120, verbose_name='name or description')),
                ('provider', models.CharField(blank=True, help_text='The provider of proposition services that this person plays for; empty for everybody else.', max_length=120, verbose_name='third-party provider')),
            ],
            options={
                'verbose_name': 'change: patron',
                'verbose_name_plural': 'changes: patron',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='RoomChange',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_role', models.TextField(db_default=casino.set_up_history.SessionUser(), editable=False, verbose_name='database role')),
                ('pgh_context', pghistory.utils.JSONField(null=True)),
                ('slug', models.SlugField(db_index=False, verbose_name='slug')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('time_zone', models.CharField(max_length=64, validators=[tables.models.rooms.validate_time_zone], verbose_name='time zone')),
                ('day_starts_at', models.TimeField(default=datetime.time(6, 0), verbose_name='gaming day starts at')),
                ('approval_limit_cents', models.BigIntegerField(default=100000, help_text="What may change hands by one person's correction, before the next hand begins (PG-45).", verbose_name='corrections need two people above')),
                ('waiting_hold_minutes', models.PositiveSmallIntegerField(default=5, help_text='Floor can choose another time at each call.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(120)], verbose_name='who is called from a waiting list is waited for, in minutes')),
                ('dealer_minutes', models.PositiveSmallIntegerField(default=60, help_text='Who deals longer stands out on the staff page.', validators=[django.core.validators.MinValueValidator(5), django.core.validators.MaxValueValidator(480)], verbose_name='a dealer stays at a table, in minutes')),
            ],
            options={
                'verbose_name': 'change: room',
                'verbose_name_plural': 'changes: room',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='RoomStaffChange',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_role', models.TextField(db_default=casino.set_up_history.SessionUser(), editable=False, verbose_name='database role')),
                ('pgh_context', pghistory.utils.JSONField(null=True)),
            ],
            options={
                'verbose_name': 'change: staff of a room',
                'verbose_name_plural': 'changes: staff of a room',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='TableChange',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_role', models.TextField(db_default=casino.set_up_history.SessionUser(), editable=False, verbose_name='database role')),
                ('pgh_context', pghistory.utils.JSONField(null=True)),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('game', models.CharField(choices=[('chinese-poker', 'Chinese Poker'), ('pai-gow-poker', 'Pai Gow Poker')], max_length=20, verbose_name='game')),
                ('map_column', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='column on the map')),
                ('map_row', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='row on the map')),
            ],
            options={
                'verbose_name': 'change: table',
                'verbose_name_plural': 'changes: table',
                'abstract': False,
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='numberseries',
            trigger=pgtrigger.compiler.Trigger(name='added_insert', sql=casino.set_up_history.RecordingSql(func='INSERT INTO "tables_numberserieschange" ("kind", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "prefix", "room_id") VALUES (NEW."kind", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'added\', NEW."id", NEW."prefix", NEW."room_id"); RETURN NULL;', hash='a1e89827f64bc9ff54479c32759b8fa59d7f6d18', operation='INSERT', pgid='pgtrigger_added_insert_8f431', table='tables_numberseries', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='numberseries',
            trigger=pgtrigger.compiler.Trigger(name='changed_update', sql=casino.set_up_history.RecordingSql(condition='WHEN (OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."prefix" IS DISTINCT FROM (NEW."prefix") OR OLD."room_id" IS DISTINCT FROM (NEW."room_id"))', func='INSERT INTO "tables_numberserieschange" ("kind", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "prefix", "room_id") VALUES (NEW."kind", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'changed\', NEW."id", NEW."prefix", NEW."room_id"); RETURN NULL;', hash='b8c364b3a4d524135e6b6cf202f6c2e828b5a867', operation='UPDATE', pgid='pgtrigger_changed_update_d4cbe', table='tables_numberseries', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='numberseries',
            trigger=pgtrigger.compiler.Trigger(name='removed_delete', sql=casino.set_up_history.RecordingSql(func='INSERT INTO "tables_numberserieschange" ("kind", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "prefix", "room_id") VALUES (OLD."kind", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'removed\', OLD."id", OLD."prefix", OLD."room_id"); RETURN NULL;', hash='570aef0e3f22938862cdf5ac90496bdd209414fe', operation='DELETE', pgid='pgtrigger_removed_delete_c5bdd', table='tables_numberseries', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='patron',
            trigger=pgtrigger.compiler.Trigger(name='added_insert', sql=casino.set_up_history.RecordingSql(func='INSERT INTO "tables_patronchange" ("name", "number", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "provider", "room_id") VALUES (NEW."name", NEW."number", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'added\', NEW."id", NEW."provider", NEW."room_id"); RETURN NULL;', hash='a978e257d269b101befe29a9da8e2807611bfa16', operation='INSERT', pgid='pgtrigger_added_insert_5b7f0', table='tables_patron', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='patron',
            trigger=pgtrigger.compiler.Trigger(name='changed_update', sql=casino.set_up_history.RecordingSql(condition='WHEN (OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."number" IS DISTINCT FROM (NEW."number") OR OLD."provider" IS DISTINCT FROM (NEW."provider") OR OLD."room_id" IS DISTINCT FROM (NEW."room_id"))', func='INSERT INTO "tables_patronchange" ("name", "number", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "provider", "room_id") VALUES (NEW."name", NEW."number", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'changed\', NEW."id", NEW."provider", NEW."room_id"); RETURN NULL;', hash='d9cd3726b56745a8d8bf1fb0d13bc0ff2d0cb552', operation='UPDATE', pgid='pgtrigger_changed_update_3117c', table='tables_patron', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='patron',
            trigger=pgtrigger.compiler.Trigger(name='removed_delete', sql=casino.set_up_history.RecordingSql(func='INSERT INTO "tables_patronchange" ("name", "number", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "provider", "room_id") VALUES (OLD."name", OLD."number", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'removed\', OLD."id", OLD."provider", OLD."room_id"); RETURN NULL;', hash='0bd004cf221e214473350e7d9298fdf1e27ecc92', operation='DELETE', pgid='pgtrigger_removed_delete_f4fe5', table='tables_patron', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='room',
            trigger=pgtrigger.compiler.Trigger(name='added_insert', sql=casino.set_up_history.RecordingSql(func='INSERT INTO "tables_roomchange" ("approval_limit_cents", "day_starts_at", "dealer_minutes", "name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "slug", "time_zone", "waiting_hold_minutes") VALUES (NEW."approval_limit_cents", NEW."day_starts_at", NEW."dealer_minutes", NEW."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'added\', NEW."id", NEW."slug", NEW."time_zone", NEW."waiting_hold_minutes"); RETURN NULL;', hash='e951e1f25d1d5c2de1af655701fd2a7b71f2ced5', operation='INSERT', pgid='pgtrigger_added_insert_837ec', table='tables_room', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='room',
            trigger=pgtrigger.compiler.Trigger(name='changed_update', sql=casino.set_up_history.RecordingSql(condition='WHEN (OLD."approval_limit_cents" IS DISTINCT FROM (NEW."approval_limit_cents") OR OLD."day_starts_at" IS DISTINCT FROM (NEW."day_starts_at") OR OLD."dealer_minutes" IS DISTINCT FROM (NEW."dealer_minutes") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."slug" IS DISTINCT FROM (NEW."slug") OR OLD."time_zone" IS DISTINCT FROM (NEW."time_zone") OR OLD."waiting_hold_minutes" IS DISTINCT FROM (NEW."waiting_hold_minutes"))', func='INSERT INTO "tables_roomchange" ("approval_limit_cents", "day_starts_at", "dealer_minutes", "name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "slug", "time_zone", "waiting_hold_minutes") VALUES (NEW."approval_limit_cents", NEW."day_starts_at", NEW."dealer_minutes", NEW."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'changed\', NEW."id", NEW."slug", NEW."time_zone", NEW."waiting_hold_minutes"); RETURN NULL;', hash='4d91c746c1b81ca6fd33c0177c08e081bfac7e4f', operation='UPDATE', pgid='pgtrigger_changed_update_98ff1', table='tables_room', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='room',
            trigger=pgtrigger.compiler.Trigger(name='removed_delete', sql=casino.set_up_history.RecordingSql(func='INSERT INTO "tables_roomchange" ("approval_limit_cents", "day_starts_at", "dealer_minutes", "name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "slug", "time_zone", "waiting_hold_minutes") VALUES (OLD."approval_limit_cents", OLD."day_starts_at", OLD."dealer_minutes", OLD."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'removed\', OLD."id", OLD."slug", OLD."time_zone", OLD."waiting_hold_minutes"); RETURN NULL;', hash='3cdbfbecada4a62d4e84ccfb8024edba34aaeb6b', operation='DELETE', pgid='pgtrigger_removed_delete_37c83', table='tables_room', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roomstaff',
            trigger=pgtrigger.compiler.Trigger(name='added_insert', sql=casino.set_up_history.RecordingSql(func='INSERT INTO "tables_roomstaffchange" ("pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "room_id", "user_id") VALUES (COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'added\', NEW."id", NEW."room_id", NEW."user_id"); RETURN NULL;', hash='773c24574391fe59d529c53c78e0ed03d030747b', operation='INSERT', pgid='pgtrigger_added_insert_c65f7', table='tables_roomstaff', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roomstaff',
            trigger=pgtrigger.compiler.Trigger(name='changed_update', sql=casino.set_up_history.RecordingSql(condition='WHEN (OLD."room_id" IS DISTINCT FROM (NEW."room_id") OR OLD."user_id" IS DISTINCT FROM (NEW."user_id"))', func='INSERT INTO "tables_roomstaffchange" ("pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "room_id", "user_id") VALUES (COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'changed\', NEW."id", NEW."room_id", NEW."user_id"); RETURN NULL;', hash='8bb1f8501629590bee9ea0a0af7a8edf3300b7c8', operation='UPDATE', pgid='pgtrigger_changed_update_65acb', table='tables_roomstaff', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roomstaff',
            trigger=pgtrigger.compiler.Trigger(name='removed_delete', sql=casino.set_up_history.RecordingSql(func='INSERT INTO "tables_roomstaffchange" ("pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "room_id", "user_id") VALUES (COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'removed\', OLD."id", OLD."room_id", OLD."user_id"); RETURN NULL;', hash='176477405e7e1e63405c02a3f6dfdf7fab7aeee0', operation='DELETE', pgid='pgtrigger_removed_delete_06c86', table='tables_roomstaff', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seat',
            trigger=pgtrigger.compiler.Trigger(name='stays', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='677004fbf91afeb1c535f48c828e9c1779be1120', operation='UPDATE OR DELETE', pgid='pgtrigger_stays_0add2', table='tables_seat', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='table',
            trigger=pgtrigger.compiler.Trigger(name='added_insert', sql=casino.set_up_history.RecordingSql(func='INSERT INTO "tables_tablechange" ("game", "map_column", "map_row", "number", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "room_id") VALUES (NEW."game", NEW."map_column", NEW."map_row", NEW."number", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'added\', NEW."id", NEW."room_id"); RETURN NULL;', hash='57252276bb16e176b695907393b452fb14b0bdd6', operation='INSERT', pgid='pgtrigger_added_insert_67057', table='tables_table', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='table',
            trigger=pgtrigger.compiler.Trigger(name='changed_update', sql=casino.set_up_history.RecordingSql(condition='WHEN (OLD."game" IS DISTINCT FROM (NEW."game") OR OLD."map_column" IS DISTINCT FROM (NEW."map_column") OR OLD."map_row" IS DISTINCT FROM (NEW."map_row") OR OLD."number" IS DISTINCT FROM (NEW."number") OR OLD."room_id" IS DISTINCT FROM (NEW."room_id"))', func='INSERT INTO "tables_tablechange" ("game", "map_column", "map_row", "number", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "room_id") VALUES (NEW."game", NEW."map_column", NEW."map_row", NEW."number", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'changed\', NEW."id", NEW."room_id"); RETURN NULL;', hash='12881c47c4b6a5e9ded5fe1099d5b045f12c9630', operation='UPDATE', pgid='pgtrigger_changed_update_4d13b', table='tables_table', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='table',
            trigger=pgtrigger.compiler.Trigger(name='removed_delete', sql=casino.set_up_history.RecordingSql(func='INSERT INTO "tables_tablechange" ("game", "map_column", "map_row", "number", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "room_id") VALUES (OLD."game", OLD."map_column", OLD."map_row", OLD."number", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'removed\', OLD."id", OLD."room_id"); RETURN NULL;', hash='e2c2ffa2b0aa27e6ebf6703de37a96677148be40', operation='DELETE', pgid='pgtrigger_removed_delete_cc80c', table='tables_table', when='AFTER')),
        ),
        migrations.AddField(
            model_name='numberserieschange',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='set_up_changes', related_query_name='set_up_change', to='tables.numberseries'),
        ),
        migrations.AddField(
            model_name='numberserieschange',
            name='room',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='tables.room'),
        ),
        migrations.AddField(
            model_name='patronchange',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='set_up_changes', related_query_name='set_up_change', to='tables.patron'),
        ),
        migrations.AddField(
            model_name='patronchange',
            name='room',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='tables.room'),
        ),
        migrations.AddField(
            model_name='roomchange',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='set_up_changes', related_query_name='set_up_change', to='tables.room'),
        ),
        migrations.AddField(
            model_name='roomstaffchange',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='set_up_changes', related_query_name='set_up_change', to='tables.roomstaff'),
        ),
        migrations.AddField(
            model_name='roomstaffchange',
            name='room',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='tables.room'),
        ),
        migrations.AddField(
            model_name='roomstaffchange',
            name='user',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to=settings.AUTH_USER_MODEL, verbose_name='person'),
        ),
        migrations.AddField(
            model_name='tablechange',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='set_up_changes', related_query_name='set_up_change', to='tables.table'),
        ),
        migrations.AddField(
            model_name='tablechange',
            name='room',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='tables.room'),
        ),
        migrations.AddIndex(
            model_name='numberserieschange',
            index=models.Index(fields=['pgh_created_at'], name='numberserieschange_time'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='numberserieschange',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='6ac665f7dd25028fb239cb0d92638619276b7f5a', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_d29b1', table='tables_numberserieschange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='numberserieschange',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='5ced8be8387e155c720450d2f32f7313e59de0ec', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_9d960', table='tables_numberserieschange', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='patronchange',
            index=models.Index(fields=['pgh_created_at'], name='patronchange_time'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='patronchange',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='85274824cfefb4cd368754b3279e85989f133465', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_40d3f', table='tables_patronchange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='patronchange',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='8c1652ab85806e949c3c7e27074637e146867f88', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_6034f', table='tables_patronchange', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='roomchange',
            index=models.Index(fields=['pgh_created_at'], name='roomchange_time'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roomchange',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='753091ba9176a709a07cc86c2c552d7b25f778a2', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_e7c79', table='tables_roomchange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roomchange',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='a9a49a0473a7bba482599156c15f70cfd41d05d9', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_fcf59', table='tables_roomchange', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='roomstaffchange',
            index=models.Index(fields=['pgh_created_at'], name='roomstaffchange_time'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roomstaffchange',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='50bb5f8bf0e417f36c87b503010bd8f862afe0c6', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_268b5', table='tables_roomstaffchange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roomstaffchange',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='1756daff748fa0f1639cec1a232151096f341db4', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_128c4', table='tables_roomstaffchange', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='tablechange',
            index=models.Index(fields=['pgh_created_at'], name='tablechange_time'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablechange',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='4e5af8d2c439e0bc215ca132bfc6874584a3d5e0', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_ac7cb', table='tables_tablechange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablechange',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='25a6fa5182f5e9d2b75d432b1494cd54aa47b7a6', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_e446b', table='tables_tablechange', when='BEFORE')),
        ),
        migrations.RunSQL(casino.set_up_history.was_there_sql('tables', 'room', 'slug', 'name', 'time_zone', 'day_starts_at', 'approval_limit_cents', 'waiting_hold_minutes', 'dealer_minutes'), migrations.RunSQL.noop),
        migrations.RunSQL(casino.set_up_history.was_there_sql('tables', 'roomstaff', 'room_id', 'user_id'), migrations.RunSQL.noop),
        migrations.RunSQL(casino.set_up_history.was_there_sql('tables', 'table', 'room_id', 'number', 'game', 'map_column', 'map_row'), migrations.RunSQL.noop),
        migrations.RunSQL(casino.set_up_history.was_there_sql('tables', 'patron', 'room_id', 'number', 'name', 'provider'), migrations.RunSQL.noop),
        migrations.RunSQL(casino.set_up_history.was_there_sql('tables', 'numberseries', 'room_id', 'kind', 'prefix'), migrations.RunSQL.noop),
    ]
