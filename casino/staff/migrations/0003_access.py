import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('staff', '0002_api_tokens'),
    ]

    operations = [
        migrations.CreateModel(
            name='EnrolmentCode',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('place', models.UUIDField(verbose_name='stands at')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('code_sha256', models.BinaryField(max_length=32)),
                ('good_until', models.DateTimeField(verbose_name='good until')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='used or replaced')),
            ],
            options={
                'verbose_name': 'enrolment code',
                'verbose_name_plural': 'enrolment codes',
            },
        ),
        migrations.CreateModel(
            name='SecondFactor',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='second_factor', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('secret', models.CharField(editable=False, max_length=64)),
                ('last_step', models.BigIntegerField(editable=False)),
                ('enrolled_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='enrolled')),
            ],
            options={
                'verbose_name': 'second factor',
                'verbose_name_plural': 'second factors',
            },
        ),
        migrations.CreateModel(
            name='SignInEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what', models.CharField(choices=[('signed-in', 'Signed in'), ('signed-out', 'Signed out'), ('wrong', 'Wrong badge or secret'), ('locked', 'Locked after three wrong tries'), ('locked-out', 'Tried with a locked badge'), ('code-wrong', 'Wrong or used code'), ('refused', 'Refused'), ('quiet', 'Ended after a quiet time'), ('old', 'Ended for its age'), ('ended', 'Sign-in no longer held'), ('ended-by', 'Signed out everywhere by somebody'), ('device-ended-by', 'Tablet signed out by somebody'), ('approved', 'Gave badge and PIN as the second person'), ('unlocked', 'Unlocked'), ('pin-reset', 'New PIN'), ('factor-enrolled', 'Second factor enrolled'), ('factor-reset', 'Second factor reset'), ('enrol-code', 'Code for a tablet made'), ('enrol-wrong', 'Wrong code for a tablet'), ('enrolled', 'Tablet enrolled'), ('retired', 'Tablet retired')], max_length=20, verbose_name='what')),
                ('way', models.CharField(choices=[('web', 'Web'), ('tablet', 'Tablet'), ('token', 'API token'), ('approval', 'Approval'), ('server', 'On the server')], max_length=10, verbose_name='way')),
                ('badge_number', models.CharField(blank=True, max_length=40, verbose_name='badge number')),
                ('address', models.GenericIPAddressField(null=True, verbose_name='address')),
                ('user_agent', models.CharField(blank=True, max_length=300, verbose_name='browser')),
                ('about', models.CharField(blank=True, max_length=300, verbose_name='about')),
                ('code', models.CharField(blank=True, max_length=60, verbose_name='code')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='at')),
            ],
            options={
                'verbose_name': 'line of the sign-in log',
                'verbose_name_plural': 'sign-in log',
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='device',
            name='sign_ins_ended',
            field=models.PositiveIntegerField(default=0, editable=False, verbose_name='times signed out'),
        ),
        migrations.AddField(
            model_name='user',
            name='sign_ins_ended',
            field=models.PositiveIntegerField(default=0, editable=False, verbose_name='times signed out everywhere'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='user',
            trigger=pgtrigger.compiler.Trigger(name='change_ends_sign_ins', sql=pgtrigger.compiler.UpsertTriggerSql(func='\n                    NEW.sign_ins_ended = GREATEST(NEW.sign_ins_ended, OLD.sign_ins_ended);\n                    IF (NEW.roles, NEW.password, NEW.pin, NEW.is_active)\n                        IS DISTINCT FROM (OLD.roles, OLD.password, OLD.pin, OLD.is_active)\n                    THEN NEW.sign_ins_ended = NEW.sign_ins_ended + 1; END IF;\n                    RETURN NEW;\n                ', hash='db089629d9fd3493499af9fc5412ed552c9c8e26', operation='UPDATE', pgid='pgtrigger_change_ends_sign_ins_ed536', table='staff_user', when='BEFORE')),
        ),
        migrations.AddField(
            model_name='enrolmentcode',
            name='made_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='signinevent',
            name='by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by'),
        ),
        migrations.AddField(
            model_name='signinevent',
            name='device',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='staff.device', verbose_name='device'),
        ),
        migrations.AddField(
            model_name='signinevent',
            name='user',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='sign_in_events', to=settings.AUTH_USER_MODEL, verbose_name='who'),
        ),
        migrations.AddConstraint(
            model_name='enrolmentcode',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('place',), name='enrolmentcode_one_a_place'),
        ),
        migrations.AddIndex(
            model_name='signinevent',
            index=models.Index(fields=['address', 'at'], name='signinevent_address_time'),
        ),
        migrations.AddIndex(
            model_name='signinevent',
            index=models.Index(fields=['user', 'at'], name='signinevent_user_time'),
        ),
        migrations.AddConstraint(
            model_name='signinevent',
            constraint=models.CheckConstraint(condition=models.Q(('what__in', ['signed-in', 'signed-out', 'wrong', 'locked', 'locked-out', 'code-wrong', 'refused', 'quiet', 'old', 'ended', 'ended-by', 'device-ended-by', 'approved', 'unlocked', 'pin-reset', 'factor-enrolled', 'factor-reset', 'enrol-code', 'enrol-wrong', 'enrolled', 'retired'])), name='signinevent_what_known'),
        ),
        migrations.AddConstraint(
            model_name='signinevent',
            constraint=models.CheckConstraint(condition=models.Q(('way__in', ['web', 'tablet', 'token', 'approval', 'server'])), name='signinevent_way_known'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='signinevent',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='0889503eb135a94fac7af18db19baa03949040c9', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_84f1c', table='staff_signinevent', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='signinevent',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='c455d983419ca8cd2d49d6296f95296e94f743e7', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_cbc30', table='staff_signinevent', when='BEFORE')),
        ),
    ]
