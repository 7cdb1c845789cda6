"""Disputes, exceptions, calls, collections and jackpots, and the commands behind everything: history, to be looked at."""

from __future__ import annotations

from django.contrib import admin

from ledger.admin import HistoryAdmin
from tables.models import (
    CallAnswer,
    CallClose,
    CollectionRate,
    CollectionSchedule,
    Command,
    Dispute,
    ExceptionDecision,
    FloorCall,
    Jackpot,
    JackpotAward,
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
    ordering = ("-raised_at", "pk")


@admin.register(Ruling)
class RulingAdmin(HistoryAdmin):
    """Rulings on disputes."""

    list_display = ("__str__", "outcome", "rule", "error_by", "ruled_at")
    list_select_related = ("dispute__hand__session__table",)
    list_filter = ("outcome", "error_by")
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
    ordering = ("-pk",)


@admin.register(TableException)
class TableExceptionAdmin(HistoryAdmin):
    """Exceptions for floor to decide on."""

    list_display = ("session", "kind", "words", "raised_at")
    list_select_related = ("session__table",)
    list_filter = ("kind",)
    ordering = ("-raised_at", "pk")


@admin.register(ExceptionDecision)
class ExceptionDecisionAdmin(HistoryAdmin):
    """What floor made of exceptions."""

    list_display = ("exception", "outcome", "reason", "decided_at")
    list_select_related = ("exception__session__table",)
    list_filter = ("outcome",)
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
    ordering = ("-taken_at", "pk")


@admin.register(FloorCall)
class FloorCallAdmin(HistoryAdmin):
    """Calls for floor."""

    list_display = ("session", "reason", "note", "called_at")
    list_select_related = ("session__table",)
    list_filter = ("reason",)
    ordering = ("-called_at", "pk")


@admin.register(CallAnswer)
class CallAnswerAdmin(HistoryAdmin):
    """Who answered calls for floor."""

    list_display = ("__str__", "answered_at")
    list_select_related = ("call__session__table", "command__actor")
    ordering = ("-answered_at", "pk")


@admin.register(CallClose)
class CallCloseAdmin(HistoryAdmin):
    """Who ended calls for floor."""

    list_display = ("__str__", "closed_at")
    list_select_related = ("call__session__table", "command__actor")
    ordering = ("-closed_at", "pk")


@admin.register(CollectionSchedule)
class CollectionScheduleAdmin(HistoryAdmin):
    """Collection schedules, every version."""

    list_display = ("__str__", "room", "game", "title", "created_at", "reason")
    list_select_related = ("room",)
    list_filter = ("room", "game")
    ordering = ("slug", "-version")


@admin.register(CollectionRate)
class CollectionRateAdmin(HistoryAdmin):
    """The rates of collection schedules."""

    list_display = ("schedule", "payer", "bracket_from", "bracket_to", "amount_cents")
    list_select_related = ("schedule",)
    ordering = ("schedule__slug", "-schedule__version", "number")


@admin.register(Waiver)
class WaiverAdmin(HistoryAdmin):
    """Collections that were waived."""

    list_display = ("hand", "sitting", "payer", "amount_cents", "reason")
    list_select_related = ("hand__session__table", "sitting__patron", "sitting__seat__table", "sitting__session__table")
    list_filter = ("payer",)
    ordering = ("-pk",)


@admin.register(Jackpot)
class JackpotAdmin(HistoryAdmin):
    """Jackpots, open and closed."""

    list_display = ("title", "room", "game", "fee_cents", "opened_at", "closed_at")
    list_select_related = ("room",)
    list_filter = ("room", "game")
    ordering = ("-opened_at", "pk")


@admin.register(JackpotAward)
class JackpotAwardAdmin(HistoryAdmin):
    """What was paid out of jackpots."""

    list_display = ("jackpot", "record", "place", "sitting", "amount_cents", "approver")
    list_select_related = (
        "jackpot",
        "record__hand__session__table",
        "sitting__patron",
        "sitting__seat__table",
        "sitting__session__table",
        "approver",
    )
    ordering = ("-pk",)


@admin.register(Command)
class CommandAdmin(HistoryAdmin):
    """Commands: what people did."""

    list_display = ("verb", "table", "actor", "device", "occurred_at", "recorded_at")
    list_select_related = ("table", "actor", "device")
    list_filter = ("verb", "table__room")
    search_fields = ("key", "actor__name")
    ordering = ("-recorded_at", "key")
