"""The admin of the rooms: set-up is done here, history is looked at. Money and play go through services alone."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from ledger.admin import HistoryAdmin
from tables.models import (
    BankShare,
    BuyIn,
    Command,
    Hand,
    HandRecord,
    HandSeat,
    Patron,
    Resettlement,
    Reversal,
    Room,
    RoomStaff,
    RuleSetVersion,
    Sitting,
    Table,
    TableSession,
    Verdict,
    Wager,
)
from tables.services.sessions import table_add


class SetUpAdmin(ModelAdmin):
    """Base of set-up that history points at: never deleted, and ``fixed`` stays what it was when it was added."""

    actions = None
    fixed: tuple[str, ...] = ()

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: models.Model | None = None) -> tuple[str, ...]:
        return self.fixed if obj else ()


@admin.register(Room)
class RoomAdmin(SetUpAdmin):
    """Rooms."""

    fields = ("name", "slug", "time_zone", "day_starts_at", "approval_limit_cents")
    prepopulated_fields = {"slug": ("name",)}
    list_display = ("name", "slug", "time_zone", "day_starts_at")
    ordering = ("name", "pk")


@admin.register(RoomStaff)
class RoomStaffAdmin(ModelAdmin):
    """Who works in which room. Taking somebody off a room deletes a row here; what they did there stays theirs."""

    list_display = ("room", "user")
    list_filter = ("room",)
    list_select_related = ("room", "user")
    search_fields = ("user__name", "user__badge_number")
    ordering = ("room__name", "user__badge_number", "pk")


@admin.register(Table)
class TableAdmin(SetUpAdmin):
    """Tables. A new one gets the seats of its game, so neither game nor room changes afterwards."""

    fields = ("room", "number", "game")
    fixed = ("room", "game")
    list_display = ("__str__", "room", "number", "game")
    list_filter = ("room", "game")
    list_select_related = ("room",)
    ordering = ("room__name", "number", "pk")

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Add through the service that makes the seats; a change is the number alone."""
        if change:
            obj.save(update_fields=["number"])
            return
        added = table_add(room_id=obj.room_id, number=obj.number, game=obj.game)
        obj.pk = added.pk
        obj.created_at = added.created_at
        obj._state.adding = False


@admin.register(Patron)
class PatronAdmin(SetUpAdmin):
    """Patrons with a card, and those who were only described."""

    fields = ("room", "number", "name")
    fixed = ("room",)
    list_display = ("name", "number", "room", "created_at")
    list_filter = ("room",)
    list_select_related = ("room",)
    search_fields = ("name", "number")
    ordering = ("room__name", "number", "name", "pk")


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

    list_display = ("patron", "session", "seat", "started_at", "ended_at")
    list_select_related = ("patron", "session__table", "seat__table")
    search_fields = ("patron__name",)
    ordering = ("-started_at", "pk")


@admin.register(BuyIn)
class BuyInAdmin(HistoryAdmin):
    """Buy-ins."""

    list_display = ("sitting", "amount_cents", "means", "is_short", "bought_at")
    list_select_related = ("sitting__patron", "sitting__seat__table", "sitting__session__table")
    ordering = ("-bought_at", "pk")


@admin.register(Hand)
class HandAdmin(HistoryAdmin):
    """Hands."""

    list_display = ("__str__", "status", "rules", "started_at", "ended_at")
    list_select_related = ("session__table", "rules")
    list_filter = ("status",)
    ordering = ("-started_at", "pk")


@admin.register(HandSeat, Wager, BankShare)
class HandPartAdmin(HistoryAdmin):
    """Seats, wagers and shares of the bank."""

    list_display = ("__str__", "sitting")
    list_select_related = ("hand__session__table", "sitting__patron", "sitting__seat__table", "sitting__session__table")
    ordering = ("-hand__started_at", "pk")


@admin.register(HandRecord)
class HandRecordAdmin(HistoryAdmin):
    """Hand records, every revision."""

    list_display = ("__str__", "revision")
    list_select_related = ("hand__session__table",)
    ordering = ("-hand__started_at", "pk")


@admin.register(Verdict)
class VerdictAdmin(HistoryAdmin):
    """Verdicts."""

    list_display = ("__str__",)
    list_select_related = ("record__hand__session__table",)
    ordering = ("-record_id",)


@admin.register(Resettlement)
class ResettlementAdmin(HistoryAdmin):
    """Hands that were settled again."""

    list_display = ("__str__", "status_before", "status_after", "moved_cents", "in_window", "approver", "reason")
    list_select_related = ("hand__session__table", "approver")
    list_filter = ("reason_code", "in_window")
    ordering = ("-pk",)


@admin.register(Reversal)
class ReversalAdmin(HistoryAdmin):
    """Buy-ins and cash-outs that were taken back."""

    list_display = ("__str__", "moved_cents", "in_window", "approver", "reason")
    list_select_related = ("sitting__patron", "sitting__seat__table", "sitting__session__table", "approver")
    list_filter = ("reason_code", "in_window")
    ordering = ("-pk",)


@admin.register(Command)
class CommandAdmin(HistoryAdmin):
    """Commands: what people did."""

    list_display = ("verb", "table", "actor", "device", "occurred_at", "recorded_at")
    list_select_related = ("table", "actor", "device")
    list_filter = ("verb", "table__room")
    search_fields = ("key", "actor__name")
    ordering = ("-recorded_at", "key")
