"""The program's own jobs in the admin: what runs by itself, when, and whether it did."""

from __future__ import annotations

from django.contrib import admin
from django_celery_beat.admin import CrontabScheduleAdmin, IntervalScheduleAdmin, PeriodicTaskAdmin
from django_celery_beat.models import CrontabSchedule, IntervalSchedule, PeriodicTask

from casino.admin_lists import ListAdmin

for theirs in (PeriodicTask, CrontabSchedule, IntervalSchedule):
    admin.site.unregister(theirs)


@admin.register(PeriodicTask)
class JobAdmin(PeriodicTaskAdmin, ListAdmin):  # type: ignore[misc]  # theirs has no types
    """What runs by itself."""

    # Theirs translates times of day with a script of its own.
    change_form_template = None
    date_hierarchy = None
    list_display = ("name", "enabled", "crontab", "interval", "last_run_at", "total_run_count")
    list_filter = ("enabled", "task")
    ordering = ("name", "pk")


@admin.register(CrontabSchedule)
class TimeOfDayAdmin(CrontabScheduleAdmin, ListAdmin):  # type: ignore[misc]  # theirs has no types
    """Times of day at which jobs run."""

    inlines = ()
    list_filter = ("timezone",)
    search_fields = ("hour", "minute")
    ordering = ("hour", "minute", "pk")


@admin.register(IntervalSchedule)
class IntervalAdmin(IntervalScheduleAdmin, ListAdmin):  # type: ignore[misc]  # theirs has no types
    """How often jobs run that run all day."""

    inlines = ()
    list_filter = ("period",)
    search_fields = ("every", "period")
    ordering = ("period", "every", "pk")
