"""Tables from opening to closing, and the people at them: history, to be looked at."""

from __future__ import annotations

from django.contrib import admin

from ledger.admin import HistoryAdmin
from tables.models import (
    BuyIn,
    DealerShift,
    MoneyBehind,
    Restriction,
    RestrictionLift,
    RuleSetVersion,
    SeatHold,
    Sitting,
    TableSession,
)


@admin.register(RuleSetVersion)
class RuleSetVersionAdmin(HistoryAdmin):
    """Versions of rule sets: shipped ones as they were stored when first used, and the house's own with the reason."""

    list_display = ("slug", "version", "game", "created_at", "reason")
    ordering = ("slug", "-version")


@admin.register(TableSession)
class TableSessionAdmin(HistoryAdmin):
    """Table sessions."""

    list_display = ("table", "rules", "opened_at", "closed_at", "hands_dealt", "dealer")
    list_select_related = ("table", "rules", "dealer")
    list_filter = ("table__room",)
    ordering = ("-opened_at", "pk")


@admin.register(Sitting)
class SittingAdmin(HistoryAdmin):
    """Sittings."""

    list_display = ("patron", "session", "seat", "started_at", "absent_at", "ended_at")
    list_select_related = ("patron", "session__table", "seat__table")
    search_fields = ("patron__name",)
    ordering = ("-started_at", "pk")


@admin.register(BuyIn)
class BuyInAdmin(HistoryAdmin):
    """Buy-ins."""

    list_display = ("sitting", "amount_cents", "means", "is_short", "bought_at")
    list_select_related = ("sitting__patron", "sitting__seat__table", "sitting__session__table")
    ordering = ("-bought_at", "pk")


@admin.register(MoneyBehind)
class MoneyBehindAdmin(HistoryAdmin):
    """What was coloured up, and what became of it."""

    list_display = ("sitting", "cause", "change_cents")
    list_select_related = ("sitting__patron", "sitting__seat__table", "sitting__session__table")
    list_filter = ("cause",)
    ordering = ("-pk",)


@admin.register(DealerShift)
class DealerShiftAdmin(HistoryAdmin):
    """Who dealt where, and when."""

    list_display = ("dealer", "session", "started_at", "ended_at")
    list_select_related = ("dealer", "session__table")
    ordering = ("-started_at", "pk")


@admin.register(SeatHold)
class SeatHoldAdmin(HistoryAdmin):
    """Seats that were held for somebody."""

    list_display = ("seat", "patron", "held_at", "until", "ended_at")
    list_select_related = ("seat__table", "patron")
    ordering = ("-held_at", "pk")


@admin.register(Restriction)
class RestrictionAdmin(HistoryAdmin):
    """Patrons who were barred, or restricted themselves."""

    list_display = ("patron", "kind", "started_at", "until_date", "reason")
    list_select_related = ("patron",)
    list_filter = ("kind",)
    ordering = ("-started_at", "pk")


@admin.register(RestrictionLift)
class RestrictionLiftAdmin(HistoryAdmin):
    """Restrictions that two people ended."""

    list_display = ("restriction", "lifted_at", "reason")
    list_select_related = ("restriction__patron",)
    ordering = ("-lifted_at", "pk")
