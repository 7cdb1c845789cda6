"""Ends of gaming days, watches and mail: history, to be looked at."""

from __future__ import annotations

from django.contrib import admin

from ledger.admin import HistoryAdmin
from tables.models import DayEnd, DayEndPaper, Mail, Watch


@admin.register(DayEnd)
class DayEndAdmin(HistoryAdmin):
    """Ends of gaming days."""

    list_display = ("gaming_date", "room", "seal", "differences", "hands", "kept_cents", "ended_at")
    list_select_related = ("room", "seal")
    list_filter = ("room", "gaming_date")
    search_fields = ("room__name",)
    ordering = ("-gaming_date", "pk")


@admin.register(DayEndPaper)
class DayEndPaperAdmin(HistoryAdmin):
    """What is in the archives."""

    list_display = ("day_end", "report", "printing")
    list_select_related = ("day_end__room", "printing")
    list_filter = ("report", "day_end__room")
    search_fields = ("printing__number__exact",)
    ordering = ("-pk",)


@admin.register(Watch)
class WatchAdmin(HistoryAdmin):
    """What the watchdogs saw."""

    list_display = ("kind", "words", "room", "since", "raised_at", "ended_at")
    list_select_related = ("room",)
    list_filter = ("kind", "room", "raised_at")
    search_fields = ("words",)
    ordering = ("-raised_at", "pk")


@admin.register(Mail)
class MailAdmin(HistoryAdmin):
    """Mail that went out or waits."""

    list_display = ("subject", "about", "written_at", "sent_at", "attempts", "last_error")
    list_filter = ("about", "written_at", "sent_at")
    search_fields = ("subject",)
    ordering = ("-written_at", "pk")
