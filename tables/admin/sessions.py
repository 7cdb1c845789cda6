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
    SeatHold,
    Sitting,
    TableSession,
    WaitingEntry,
    WaitingEvent,
    WaitingList,
)


@admin.register(TableSession)
class TableSessionAdmin(HistoryAdmin):
    """Table sessions."""

    list_display = ("table", "rules", "opened_at", "closed_at", "hands_dealt", "dealer")
    list_select_related = ("table", "rules", "dealer")
    list_filter = ("table__room", "table__game", "opened_at", "closed_at")
    search_fields = ("table__number__exact", "rules__slug", "dealer__name")
    ordering = ("-opened_at", "pk")


@admin.register(Sitting)
class SittingAdmin(HistoryAdmin):
    """Sittings."""

    list_display = ("patron", "session", "seat", "started_at", "absent_at", "ended_at")
    list_select_related = ("patron", "session__table", "seat__table")
    search_fields = ("patron__name", "patron__number", "session__table__number__exact")
    list_filter = ("session__table__room", "started_at", "ended_at")
    ordering = ("-started_at", "pk")


@admin.register(BuyIn)
class BuyInAdmin(HistoryAdmin):
    """Buy-ins."""

    list_display = ("sitting", "amount_cents", "means", "is_short", "bought_at")
    list_select_related = ("sitting__patron", "sitting__seat__table", "sitting__session__table")
    list_filter = ("sitting__session__table__room", "means", "is_short", "bought_at")
    search_fields = ("sitting__patron__name", "sitting__session__table__number__exact")
    ordering = ("-bought_at", "pk")


@admin.register(MoneyBehind)
class MoneyBehindAdmin(HistoryAdmin):
    """What was coloured up, and what became of it."""

    list_display = ("sitting", "cause", "change_cents")
    list_select_related = ("sitting__patron", "sitting__seat__table", "sitting__session__table")
    list_filter = ("cause", "command__recorded_at")
    search_fields = ("sitting__patron__name", "sitting__session__table__number__exact")
    ordering = ("-pk",)


@admin.register(DealerShift)
class DealerShiftAdmin(HistoryAdmin):
    """Who dealt where, and when."""

    list_display = ("dealer", "session", "started_at", "ended_at")
    list_select_related = ("dealer", "session__table")
    list_filter = ("session__table__room", "started_at")
    search_fields = ("dealer__name", "dealer__badge_number", "session__table__number__exact")
    ordering = ("-started_at", "pk")


@admin.register(SeatHold)
class SeatHoldAdmin(HistoryAdmin):
    """Seats that were held for somebody."""

    list_display = ("seat", "patron", "held_at", "until", "ended_at")
    list_select_related = ("seat__table", "patron")
    list_filter = ("session__table__room", "held_at")
    search_fields = ("patron__name", "session__table__number__exact")
    ordering = ("-held_at", "pk")


@admin.register(WaitingList)
class WaitingListAdmin(HistoryAdmin):
    """The games and stakes that people have waited for."""

    list_display = ("room", "game", "point_value_cents", "table_min_cents", "table_max_cents")
    list_select_related = ("room",)
    list_filter = ("room", "game")
    search_fields = ("room__name", "game")
    ordering = ("room__name", "game", "point_value_cents", "table_min_cents", "pk")


@admin.register(WaitingEntry)
class WaitingEntryAdmin(HistoryAdmin):
    """Who waited, from when to when."""

    list_display = ("patron", "waiting_list", "added_at", "in_line_at", "ended_at")
    list_select_related = ("patron", "waiting_list__room")
    list_filter = ("waiting_list__room", "waiting_list__game", "added_at")
    search_fields = ("patron__name", "patron__number")
    ordering = ("-added_at", "pk")


@admin.register(WaitingEvent)
class WaitingEventAdmin(HistoryAdmin):
    """What happened to whom on a waiting list."""

    list_display = ("entry", "kind", "happened_at", "until", "seat", "why", "words")
    list_select_related = ("entry__patron", "entry__waiting_list__room", "seat__table")
    list_filter = ("entry__waiting_list__room", "kind", "why", "happened_at")
    search_fields = ("entry__patron__name", "words")
    ordering = ("-happened_at", "-pk")


@admin.register(Duty)
class DutyAdmin(HistoryAdmin):
    """Which dealers were on duty, from when to when."""

    list_display = ("dealer", "room", "came_on_at", "went_off_at")
    list_select_related = ("dealer", "room")
    list_filter = ("room", "came_on_at")
    search_fields = ("dealer__name", "dealer__badge_number")
    ordering = ("-came_on_at", "pk")


@admin.register(DealerBreak)
class DealerBreakAdmin(HistoryAdmin):
    """The breaks of dealers."""

    list_display = ("duty", "started_at", "due_back_at", "ended_at")
    list_select_related = ("duty__dealer", "duty__room")
    list_filter = ("duty__room", "started_at")
    search_fields = ("duty__dealer__name", "duty__dealer__badge_number")
    ordering = ("-started_at", "pk")


@admin.register(Restriction)
class RestrictionAdmin(HistoryAdmin):
    """Patrons who were barred, or restricted themselves."""

    list_display = ("patron", "kind", "started_at", "until_date", "reason")
    list_select_related = ("patron",)
    list_filter = ("kind", "started_at")
    search_fields = ("patron__name", "patron__number", "reason")
    ordering = ("-started_at", "pk")


@admin.register(RestrictionLift)
class RestrictionLiftAdmin(HistoryAdmin):
    """Restrictions that two people ended."""

    list_display = ("restriction", "lifted_at", "reason")
    list_select_related = ("restriction__patron",)
    list_filter = ("restriction__kind", "lifted_at")
    search_fields = ("restriction__patron__name", "reason")
    ordering = ("-lifted_at", "pk")
