import casino.set_up_history
import django.contrib.postgres.fields
import django.db.models.deletion
import pghistory.utils
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('staff', '0004_device_reports'), ('pghistory', '0007_auto_20250421_0444')]

    operations = [
        migrations.CreateModel(
            name='ApiTokenChange',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_role', models.TextField(db_default=casino.set_up_history.SessionUser(), editable=False, verbose_name='database role')),
                ('pgh_context', pghistory.utils.JSONField(null=True)),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('revoked_at', models.DateTimeField(blank=True, null=True, verbose_name='revoked')),
            ],
            options={
                'verbose_name': 'change: API token',
                'verbose_name_plural': 'changes: API token',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='DeviceChange',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_role', models.TextField(db_default=casino.set_up_history.SessionUser(), editable=False, verbose_name='database role')),
                ('pgh_context', pghistory.utils.JSONField(null=True)),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('place', models.UUIDField(blank=True, null=True, verbose_name='stands at')),
                ('retired_at', models.DateTimeField(blank=True, null=True, verbose_name='retired')),
            ],
            options={
                'verbose_name': 'change: device',
                'verbose_name_plural': 'changes: device',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='UserChange',
            fields=[
                ('pgh_id', models.AutoField(primary_key=True, serialize=False)),
                ('pgh_created_at', models.DateTimeField(auto_now_add=True)),
                ('pgh_label', models.TextField(help_text='The event label.')),
                ('pgh_role', models.TextField(db_default=casino.set_up_history.SessionUser(), editable=False, verbose_name='database role')),
                ('pgh_context', pghistory.utils.JSONField(null=True)),
                ('badge_number', models.CharField(max_length=12, verbose_name='badge number')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('roles', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('dealer', 'Dealer'), ('floor', 'Floor'), ('manager', 'Manager'), ('compliance', 'Compliance'), ('auditor', 'Auditor'), ('admin', 'Admin')], max_length=20), size=None, verbose_name='roles')),
                ('locked_at', models.DateTimeField(blank=True, null=True, verbose_name='locked')),
                ('is_active', models.BooleanField(default=True, verbose_name='works here')),
            ],
            options={
                'verbose_name': 'change: staff member',
                'verbose_name_plural': 'changes: staff member',
                'abstract': False,
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='apitoken',
            trigger=pgtrigger.compiler.Trigger(name='added_insert', sql=casino.set_up_history.RecordingSql(func='INSERT INTO "staff_apitokenchange" ("device_id", "name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "revoked_at", "user_id") VALUES (NEW."device_id", NEW."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'added\', NEW."id", NEW."revoked_at", NEW."user_id"); RETURN NULL;', hash='78be7a2ccc1f4eb33ed08be52349735f1e36959c', operation='INSERT', pgid='pgtrigger_added_insert_0e2f2', table='staff_apitoken', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='apitoken',
            trigger=pgtrigger.compiler.Trigger(name='changed_update', sql=casino.set_up_history.RecordingSql(condition='WHEN (OLD."device_id" IS DISTINCT FROM (NEW."device_id") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."revoked_at" IS DISTINCT FROM (NEW."revoked_at") OR OLD."user_id" IS DISTINCT FROM (NEW."user_id"))', func='INSERT INTO "staff_apitokenchange" ("device_id", "name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "revoked_at", "user_id") VALUES (NEW."device_id", NEW."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'changed\', NEW."id", NEW."revoked_at", NEW."user_id"); RETURN NULL;', hash='a5bf2e405b7c0a30c80c22705d05deefe14b727b', operation='UPDATE', pgid='pgtrigger_changed_update_dcbf0', table='staff_apitoken', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='apitoken',
            trigger=pgtrigger.compiler.Trigger(name='removed_delete', sql=casino.set_up_history.RecordingSql(func='INSERT INTO "staff_apitokenchange" ("device_id", "name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "revoked_at", "user_id") VALUES (OLD."device_id", OLD."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'removed\', OLD."id", OLD."revoked_at", OLD."user_id"); RETURN NULL;', hash='bc9d7cc7785fd2f4ec4a600ab5a4b644d404b9b1', operation='DELETE', pgid='pgtrigger_removed_delete_f4360', table='staff_apitoken', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='device',
            trigger=pgtrigger.compiler.Trigger(name='added_insert', sql=casino.set_up_history.RecordingSql(func='INSERT INTO "staff_devicechange" ("enrolled_by_id", "name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "retired_at") VALUES (NEW."enrolled_by_id", NEW."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'added\', NEW."id", NEW."place", NEW."retired_at"); RETURN NULL;', hash='63bf62b620430c5e3d24baf8d1a69bcc51b7f224', operation='INSERT', pgid='pgtrigger_added_insert_b9a36', table='staff_device', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='device',
            trigger=pgtrigger.compiler.Trigger(name='changed_update', sql=casino.set_up_history.RecordingSql(condition='WHEN (OLD."enrolled_by_id" IS DISTINCT FROM (NEW."enrolled_by_id") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."place" IS DISTINCT FROM (NEW."place") OR OLD."retired_at" IS DISTINCT FROM (NEW."retired_at"))', func='INSERT INTO "staff_devicechange" ("enrolled_by_id", "name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "retired_at") VALUES (NEW."enrolled_by_id", NEW."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'changed\', NEW."id", NEW."place", NEW."retired_at"); RETURN NULL;', hash='dfaa6748f962906421c48f0866a523be25eede77', operation='UPDATE', pgid='pgtrigger_changed_update_83e2c', table='staff_device', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='device',
            trigger=pgtrigger.compiler.Trigger(name='removed_delete', sql=casino.set_up_history.RecordingSql(func='INSERT INTO "staff_devicechange" ("enrolled_by_id", "name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "place", "retired_at") VALUES (OLD."enrolled_by_id", OLD."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'removed\', OLD."id", OLD."place", OLD."retired_at"); RETURN NULL;', hash='7642f9074111d6bc8e552fbe214e9b015e09fdd8', operation='DELETE', pgid='pgtrigger_removed_delete_b718c', table='staff_device', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='user',
            trigger=pgtrigger.compiler.Trigger(name='added_insert', sql=casino.set_up_history.RecordingSql(func='INSERT INTO "staff_userchange" ("badge_number", "is_active", "locked_at", "name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "roles") VALUES (NEW."badge_number", NEW."is_active", NEW."locked_at", NEW."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'added\', NEW."id", NEW."roles"); RETURN NULL;', hash='feea45d4eccd5cac959ec9c87629366c68951c8c', operation='INSERT', pgid='pgtrigger_added_insert_90a1a', table='staff_user', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='user',
            trigger=pgtrigger.compiler.Trigger(name='changed_update', sql=casino.set_up_history.RecordingSql(condition='WHEN (OLD."badge_number" IS DISTINCT FROM (NEW."badge_number") OR OLD."is_active" IS DISTINCT FROM (NEW."is_active") OR OLD."locked_at" IS DISTINCT FROM (NEW."locked_at") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."roles" IS DISTINCT FROM (NEW."roles"))', func='INSERT INTO "staff_userchange" ("badge_number", "is_active", "locked_at", "name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "roles") VALUES (NEW."badge_number", NEW."is_active", NEW."locked_at", NEW."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'changed\', NEW."id", NEW."roles"); RETURN NULL;', hash='b651bba8dc93fcc70c221c0b93e2bf2f96c51ee3', operation='UPDATE', pgid='pgtrigger_changed_update_e1d8c', table='staff_user', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='user',
            trigger=pgtrigger.compiler.Trigger(name='removed_delete', sql=casino.set_up_history.RecordingSql(func='INSERT INTO "staff_userchange" ("badge_number", "is_active", "locked_at", "name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "roles") VALUES (OLD."badge_number", OLD."is_active", OLD."locked_at", OLD."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'removed\', OLD."id", OLD."roles"); RETURN NULL;', hash='01a469625440b4254416dac79e2993f692ded44d', operation='DELETE', pgid='pgtrigger_removed_delete_12cc1', table='staff_user', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='user',
            trigger=pgtrigger.compiler.Trigger(name='new_password_update', sql=casino.set_up_history.RecordingSql(condition='WHEN (OLD."password" IS DISTINCT FROM (NEW."password"))', func='INSERT INTO "staff_userchange" ("badge_number", "is_active", "locked_at", "name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "roles") VALUES (NEW."badge_number", NEW."is_active", NEW."locked_at", NEW."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'new-password\', NEW."id", NEW."roles"); RETURN NULL;', hash='e10087cdf9ec06eee227c8dccb9b90b0ee8dc317', operation='UPDATE', pgid='pgtrigger_new_password_update_a710e', table='staff_user', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='user',
            trigger=pgtrigger.compiler.Trigger(name='new_pin_update', sql=casino.set_up_history.RecordingSql(condition='WHEN (OLD."pin" IS DISTINCT FROM (NEW."pin"))', func='INSERT INTO "staff_userchange" ("badge_number", "is_active", "locked_at", "name", "pgh_context", "pgh_created_at", "pgh_label", "pgh_obj_id", "roles") VALUES (NEW."badge_number", NEW."is_active", NEW."locked_at", NEW."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, CLOCK_TIMESTAMP(), \'new-pin\', NEW."id", NEW."roles"); RETURN NULL;', hash='5bacce1375525f76467a16542b74f8cde0b9ec00', operation='UPDATE', pgid='pgtrigger_new_pin_update_d9505', table='staff_user', when='AFTER')),
        ),
        migrations.AddField(
            model_name='apitokenchange',
            name='device',
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to='staff.device', verbose_name='on'),
        ),
        migrations.AddField(
            model_name='apitokenchange',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='set_up_changes', related_query_name='set_up_change', to='staff.apitoken'),
        ),
        migrations.AddField(
            model_name='apitokenchange',
            name='user',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to=settings.AUTH_USER_MODEL, verbose_name='acts as'),
        ),
        migrations.AddField(
            model_name='devicechange',
            name='enrolled_by',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', related_query_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='devicechange',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='set_up_changes', related_query_name='set_up_change', to='staff.device'),
        ),
        migrations.AddField(
            model_name='userchange',
            name='pgh_obj',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='set_up_changes', related_query_name='set_up_change', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name='apitokenchange',
            index=models.Index(fields=['pgh_created_at'], name='apitokenchange_time'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='apitokenchange',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='7f2793be5daa4b87b6b92f60533d81c31698bea2', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_fe21b', table='staff_apitokenchange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='apitokenchange',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='ebb4e873c5f50633acff828fa39cb1140904c252', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_8043d', table='staff_apitokenchange', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='devicechange',
            index=models.Index(fields=['pgh_created_at'], name='devicechange_time'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='devicechange',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='825cc994e40caa8a703d80af2d0be0c05073d456', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_8b030', table='staff_devicechange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='devicechange',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='4cb9a70a9777f0fbb1a15783d848011447df4df9', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_ea516', table='staff_devicechange', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='userchange',
            index=models.Index(fields=['pgh_created_at'], name='userchange_time'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='userchange',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='f97f57aa5d31ada78f03b5fa9578d81a4d185825', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_ebd2a', table='staff_userchange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='userchange',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='82c3014668ffb3804a9924f6ff0a1a8b2a864a99', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_c6257', table='staff_userchange', when='BEFORE')),
        ),
        migrations.RunSQL(casino.set_up_history.was_there_sql('staff', 'user', 'badge_number', 'name', 'roles', 'locked_at', 'is_active'), migrations.RunSQL.noop),
        migrations.RunSQL(casino.set_up_history.was_there_sql('staff', 'device', 'name', 'place', 'enrolled_by_id', 'retired_at'), migrations.RunSQL.noop),
        migrations.RunSQL(casino.set_up_history.was_there_sql('staff', 'apitoken', 'name', 'user_id', 'device_id', 'revoked_at'), migrations.RunSQL.noop),
    ]
