import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('staff', '0005_set_up_history')]

    operations = [
        migrations.CreateModel(
            name='AccessReview',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('year', models.PositiveSmallIntegerField(verbose_name='year')),
                ('quarter', models.PositiveSmallIntegerField(verbose_name='quarter')),
                ('room', models.UUIDField(editable=False, null=True, verbose_name='room')),
                ('scope', models.CharField(max_length=120, verbose_name='of')),
                ('started_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='started')),
                ('started_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='started by')),
            ],
            options={
                'verbose_name': 'access review',
                'verbose_name_plural': 'access reviews',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='AccessReviewLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=140, verbose_name='name')),
                ('roles', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('dealer', 'Dealer'), ('floor', 'Floor'), ('manager', 'Manager'), ('compliance', 'Compliance'), ('auditor', 'Auditor'), ('admin', 'Admin')], max_length=20), size=None, verbose_name='roles')),
                ('rooms', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), size=None, verbose_name='rooms')),
                ('tokens', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), size=None, verbose_name='API tokens')),
                ('devices', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), size=None, verbose_name='tablets enrolled')),
                ('last_sign_in_at', models.DateTimeField(null=True, verbose_name='last sign-in')),
                ('has_phone', models.BooleanField(verbose_name='phone enrolled')),
                ('is_locked', models.BooleanField(verbose_name='locked')),
                ('review', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='staff.accessreview')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='access_reviews', to=settings.AUTH_USER_MODEL, verbose_name='who')),
            ],
            options={
                'verbose_name': 'line of an access review',
                'verbose_name_plural': 'lines of access reviews',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='AccessReviewDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('outcome', models.CharField(choices=[('keep', 'Keeps what they have'), ('take', 'Roles taken away'), ('later', 'Left for later')], max_length=10, verbose_name='outcome')),
                ('taken', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('dealer', 'Dealer'), ('floor', 'Floor'), ('manager', 'Manager'), ('compliance', 'Compliance'), ('auditor', 'Auditor'), ('admin', 'Admin')], max_length=20), size=None, verbose_name='roles taken')),
                ('note', models.CharField(blank=True, max_length=300, verbose_name='note')),
                ('decided_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='decided')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by')),
                ('line', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='staff.accessreviewline')),
            ],
            options={
                'verbose_name': 'decision of an access review',
                'verbose_name_plural': 'decisions of access reviews',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='AccessReviewEnd',
            fields=[
                ('review', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='end', serialize=False, to='staff.accessreview')),
                ('finished_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='finished')),
                ('finished_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='finished by')),
            ],
            options={
                'verbose_name': 'end of an access review',
                'verbose_name_plural': 'ends of access reviews',
                'abstract': False,
            },
        ),
        migrations.AddConstraint(
            model_name='accessreview',
            constraint=models.CheckConstraint(condition=models.Q(('quarter__gte', 1), ('quarter__lte', 4)), name='accessreview_quarter_of_a_year'),
        ),
        migrations.AddConstraint(
            model_name='accessreview',
            constraint=models.UniqueConstraint(condition=models.Q(('room__isnull', False)), fields=('year', 'quarter', 'room'), name='accessreview_once_a_room'),
        ),
        migrations.AddConstraint(
            model_name='accessreview',
            constraint=models.UniqueConstraint(condition=models.Q(('room__isnull', True)), fields=('year', 'quarter'), name='accessreview_once_the_house'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='accessreview',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='8b17e479157b1f25d1f0b15fc8edcb91cf29345c', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_68eb3', table='staff_accessreview', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='accessreview',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='682e6ec2916145a688566bcb6e2bc7b3918dc5fe', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_34482', table='staff_accessreview', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='accessreviewline',
            constraint=models.UniqueConstraint(fields=('review', 'user'), name='accessreviewline_once'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='accessreviewline',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='7e2468dd360c600692f5cec9e17ac4913dda398f', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_b44cc', table='staff_accessreviewline', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='accessreviewline',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='637b3d54ddefef04a9936aab963b3e2632de75eb', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_055f7', table='staff_accessreviewline', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='accessreviewdecision',
            constraint=models.UniqueConstraint(fields=('line', 'number'), name='accessreviewdecision_numbered'),
        ),
        migrations.AddConstraint(
            model_name='accessreviewdecision',
            constraint=models.CheckConstraint(condition=models.Q(('outcome__in', ['keep', 'take', 'later'])), name='accessreviewdecision_outcome_known'),
        ),
        migrations.AddConstraint(
            model_name='accessreviewdecision',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('outcome', 'take'), models.Q(('taken__len', 0), _negated=True)), models.Q(models.Q(('outcome', 'take'), _negated=True), ('taken__len', 0)), _connector='OR'), name='accessreviewdecision_takes_roles'),
        ),
        migrations.AddConstraint(
            model_name='accessreviewdecision',
            constraint=models.CheckConstraint(condition=models.Q(('outcome', 'keep'), models.Q(('note', ''), _negated=True), _connector='OR'), name='accessreviewdecision_says_why'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='accessreviewdecision',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='2cf987d0444fc16672320bf615bfe9609dca805f', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_96de1', table='staff_accessreviewdecision', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='accessreviewdecision',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='7220d8830e4f6585afe8d0fe6f90b0fef49031d0', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_ee71a', table='staff_accessreviewdecision', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='accessreviewdecision',
            trigger=pgtrigger.compiler.Trigger(name='by_somebody_else', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF EXISTS (SELECT FROM staff_accessreviewline WHERE id = NEW.line_id AND user_id = NEW.by_id)\n                    THEN RAISE EXCEPTION 'access review: nobody decides about their own line'; END IF;\n                    IF EXISTS (SELECT FROM staff_accessreviewdecision\n                        WHERE line_id = NEW.line_id AND outcome <> 'later')\n                    THEN RAISE EXCEPTION 'access review: this line is decided'; END IF;\n                    IF EXISTS (SELECT FROM staff_accessreviewend e JOIN staff_accessreviewline l USING (review_id)\n                        WHERE l.id = NEW.line_id)\n                    THEN RAISE EXCEPTION 'access review: this review is finished'; END IF;\n                    RETURN NEW;\n                ", hash='9e5fda47538c4685bffafacd1f8b4f27b17ce107', operation='INSERT', pgid='pgtrigger_by_somebody_else_a3b44', table='staff_accessreviewdecision', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='accessreviewend',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='d9b53a29a28860438d1f274ac814828f685fd0a6', operation='UPDATE OR DELETE', pgid='pgtrigger_append_only_9d378', table='staff_accessreviewend', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='accessreviewend',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'history: TRUNCATE of % refused', TG_TABLE_NAME;", hash='0f21f142f8c8319baeefb94c431e50ee89e76893', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_c9032', table='staff_accessreviewend', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='accessreviewend',
            trigger=pgtrigger.compiler.Trigger(name='all_decided', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n                    IF EXISTS (SELECT FROM staff_accessreviewline l WHERE l.review_id = NEW.review_id AND NOT EXISTS\n                        (SELECT FROM staff_accessreviewdecision d WHERE d.line_id = l.id AND d.outcome <> 'later'))\n                    THEN RAISE EXCEPTION 'access review: lines are open'; END IF;\n                    RETURN NEW;\n                ", hash='4a24ce84640774d45d839419a0a2d7c1ecc3e672', operation='INSERT', pgid='pgtrigger_all_decided_39962', table='staff_accessreviewend', when='BEFORE')),
        ),
    ]
