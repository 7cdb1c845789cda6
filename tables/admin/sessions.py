"""Tables from opening to closing, and the people at them: history, to be looked at."""

from __future__ import annotations

from django.contrib import admin

from ledger.admin import HistoryAdmin
from tables.models import (
    BuyIn,
    DealerBreak,
    DealerShift,
    Duty,
    MoneyBehind,
    Restriction,
    RestrictionLift,
    RuleSetVersion,
    SeatHold,
    Sitting,
    TableSession,
    WaitingEntry,
    WaitingEvent,
    WaitingList,
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


@admin.register(WaitingList)
class WaitingListAdmin(HistoryAdmin):
    """The games and stakes that people have waited for."""

    list_display = ("room", "game", "point_value_cents", "table_min_cents", "table_max_cents")
    list_select_related = ("room",)
    list_filter = ("room", "game")
    ordering = ("room__name", "game", "point_value_cents", "table_min_cents", "pk")


@admin.register(WaitingEntry)
class WaitingEntryAdmin(HistoryAdmin):
    """Who waited, from when to when."""

    list_display = ("patron", "waiting_list", "added_at", "in_line_at", "ended_at")
    list_select_related = ("patron", "waiting_list__room")
    ordering = ("-added_at", "pk")


@admin.register(WaitingEvent)
class WaitingEventAdmin(HistoryAdmin):
    """What happened to whom on a waiting list."""

    list_display = ("entry", "kind", "happened_at", "until", "seat", "why", "words")
    list_select_related = ("entry__patron", "entry__waiting_list__room", "seat__table")
    list_filter = ("kind", "why")
    ordering = ("-happened_at", "-pk")


@admin.register(Duty)
class DutyAdmin(HistoryAdmin):
    """Which dealers were on duty, from when to when."""

    list_display = ("dealer", "room", "came_on_at", "went_off_at")
    list_select_related = ("dealer", "room")
    list_filter = ("room",)
    ordering = ("-came_on_at", "pk")


@admin.register(DealerBreak)
class DealerBreakAdmin(HistoryAdmin):
    """The breaks of dealers."""

    list_display = ("duty", "started_at", "due_back_at", "ended_at")
    list_select_related = ("duty__dealer", "duty__room")
    ordering = ("-started_at", "pk")


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
