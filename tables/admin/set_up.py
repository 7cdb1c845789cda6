"""Set-up: rooms, their staff and tables, patrons. Money never goes through here."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from tables.models import Patron, Room, RoomStaff, Table
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

    fields = (
        "name",
        "slug",
        "time_zone",
        "day_starts_at",
        "approval_limit_cents",
        "waiting_hold_minutes",
        "dealer_minutes",
    )
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

    fields = ("room", "number", "name", "provider")
    fixed = ("room",)
    list_display = ("name", "number", "room", "created_at")
    list_filter = ("room",)
    list_select_related = ("room",)
    search_fields = ("name", "number")
    ordering = ("room__name", "number", "name", "pk")
