"""Disputes, exceptions, calls, waived collections, and the commands behind everything: history, to be looked at."""

from __future__ import annotations

from django.contrib import admin

from ledger.admin import HistoryAdmin
from tables.admin.erasures import PersonalTexts
from tables.models import (
    CallAnswer,
    CallClose,
    Command,
    Dispute,
    ExceptionDecision,
    FloorCall,
    PaidDifferently,
    Ruling,
    TableException,
    Taking,
    Waiver,
)


@admin.register(Dispute)
class DisputeAdmin(HistoryAdmin):
    """Disputes about hands."""

    list_display = ("__str__", "sitting", "raised_at")
    list_select_related = ("hand__session__table", "sitting__patron", "sitting__seat__table", "sitting__session__table")
    list_filter = ("session__table__room", "raised_at")
    search_fields = ("hand__session__table__number__exact", "hand__number__exact", "sitting__patron__name", "about")
    ordering = ("-raised_at", "pk")


@admin.register(Ruling)
class RulingAdmin(HistoryAdmin):
    """Rulings on disputes."""

    list_display = ("__str__", "outcome", "rule", "error_by", "ruled_at")
    list_select_related = ("dispute__hand__session__table",)
    list_filter = ("outcome", "error_by", "ruled_at")
    search_fields = ("dispute__hand__session__table__number__exact", "dispute__hand__number__exact", "rule", "words")
    ordering = ("-ruled_at", "pk")


@admin.register(PaidDifferently)
class PaidDifferentlyAdmin(HistoryAdmin):
    """Lines of verdicts that were paid otherwise."""

    list_display = ("record", "payer", "payee", "wager", "share", "due_cents", "paid_cents")
    list_select_related = (
        "record__hand__session__table",
        "wager__hand__session__table",
        "share__hand__session__table",
    )
    list_filter = ("record__hand__session__table__room", "command__recorded_at")
    search_fields = ("record__hand__session__table__number__exact", "record__hand__number__exact")
    ordering = ("-pk",)


@admin.register(TableException)
class TableExceptionAdmin(HistoryAdmin):
    """Exceptions for floor to decide on."""

    list_display = ("session", "kind", "words", "raised_at")
    list_select_related = ("session__table",)
    list_filter = ("session__table__room", "kind", "raised_at")
    search_fields = ("session__table__number__exact", "words")
    ordering = ("-raised_at", "pk")


@admin.register(ExceptionDecision)
class ExceptionDecisionAdmin(HistoryAdmin):
    """What floor made of exceptions."""

    list_display = ("exception", "outcome", "reason", "decided_at")
    list_select_related = ("exception__session__table",)
    list_filter = ("outcome", "decided_at")
    search_fields = ("exception__session__table__number__exact", "reason", "exception__words")
    ordering = ("-decided_at", "pk")


@admin.register(Taking)
class TakingAdmin(HistoryAdmin):
    """Who had exceptions and disputes in hand."""

    list_display = ("__str__", "taken_at", "ended_at")
    list_select_related = (
        "exception__session__table",
        "dispute__hand__session__table",
        "command__actor",
    )
    list_filter = ("taken_at", "ended_at")
    search_fields = (
        "command__actor__name",
        "exception__session__table__number__exact",
        "dispute__session__table__number__exact",
    )
    ordering = ("-taken_at", "pk")


@admin.register(FloorCall)
class FloorCallAdmin(HistoryAdmin):
    """Calls for floor."""

    list_display = ("session", "reason", "note", "called_at")
    list_select_related = ("session__table",)
    list_filter = ("session__table__room", "reason", "called_at")
    search_fields = ("session__table__number__exact", "note")
    ordering = ("-called_at", "pk")


@admin.register(CallAnswer)
class CallAnswerAdmin(HistoryAdmin):
    """Who answered calls for floor."""

    list_display = ("__str__", "answered_at")
    list_select_related = ("call__session__table", "command__actor")
    list_filter = ("answered_at",)
    search_fields = ("call__session__table__number__exact", "command__actor__name")
    ordering = ("-answered_at", "pk")


@admin.register(CallClose)
class CallCloseAdmin(HistoryAdmin):
    """Who ended calls for floor."""

    list_display = ("__str__", "closed_at")
    list_select_related = ("call__session__table", "command__actor")
    list_filter = ("closed_at",)
    search_fields = ("call__session__table__number__exact", "command__actor__name")
    ordering = ("-closed_at", "pk")


@admin.register(Waiver)
class WaiverAdmin(HistoryAdmin):
    """Collections that were waived."""

    list_display = ("hand", "sitting", "payer", "amount_cents", "reason")
    list_select_related = ("hand__session__table", "sitting__patron", "sitting__seat__table", "sitting__session__table")
    list_filter = ("hand__session__table__room", "payer", "command__recorded_at")
    search_fields = ("hand__session__table__number__exact", "hand__number__exact", "sitting__patron__name", "reason")
    ordering = ("-pk",)


@admin.register(Command)
class CommandAdmin(HistoryAdmin):
    """Commands: what people did."""

    list_display = ("verb", "table", "actor", "device", "occurred_at", "recorded_at")
    list_select_related = ("table", "actor", "device")
    list_filter = ("verb", "table__room")
    search_fields = ("key", "actor__name")
    ordering = ("-recorded_at", "key")
    inlines = (PersonalTexts,)
