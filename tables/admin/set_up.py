"""Set-up: rooms, their staff and tables, patrons. Money never goes through here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from unfold.admin import TabularInline
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from casino.errors import Refusal
from casino.staff.admin import UserAdmin
from casino.staff.recorded_admin import ReasonForm, RecordedAdmin
from tables.admin.fields import MoneyField
from tables.models import NumberSeries, Patron, Room, RoomStaff, Table
from tables.models.rooms import MAP_COLUMNS, MAP_ROWS
from tables.selectors.day_ends import hands_of_archived_days, may_be_archived
from tables.selectors.reports import REPORTS
from tables.services.floor_map import Place, check_place, free_place
from tables.services.sessions import table_add


class SetUpAdmin(RecordedAdmin):
    """Base of set-up that history points at: never deleted, and ``fixed`` stays what it was when it was added."""

    fixed: tuple[str, ...] = ()

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: models.Model | None = None) -> tuple[str, ...]:
        return self.fixed if obj else ()

    def zone_of(self, obj: Any) -> ZoneInfo:
        """The zone of the room that it belongs to."""
        room: Room = obj if isinstance(obj, Room) else obj.room
        return room.zone


class WorksIn(TabularInline):
    """Who works in which room, on the page of either."""

    model = RoomStaff
    extra = 0
    verbose_name = _lazy("person who works here")
    verbose_name_plural = _lazy("people who work here")

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[RoomStaff]:
        """With the names that are shown."""
        return super().get_queryset(request).select_related("room", "user").order_by("room__name", "user__badge_number")


class RoomsOfAPerson(WorksIn):
    """The same, seen from the person."""

    verbose_name = _lazy("room of this person")
    verbose_name_plural = _lazy("rooms of this person")


# The person's page is the ground floor's, which knows no rooms.
UserAdmin.inlines = (*UserAdmin.inlines, RoomsOfAPerson)
UserAdmin.history_also = (*UserAdmin.history_also, (RoomStaff, "user"))


def _archivable() -> list[tuple[str, Any]]:
    return [(report.slug, report.title) for report in REPORTS.values() if may_be_archived(report)]


class RoomForm(ReasonForm):
    """A room, with its amounts in dollars."""

    instance: Room

    approval_limit_cents = MoneyField(
        label=_lazy("Corrections need two people above, in dollars"),
        help_text=_lazy("What may change hands by one person's correction, before the next hand begins (PG-45)."),
    )
    day_end_reports = forms.MultipleChoiceField(
        label=_lazy("Reports in the archive of a gaming day"),
        choices=_archivable,
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text=Room._meta.get_field("day_end_reports").help_text,
    )

    def clean(self) -> dict[str, Any]:
        """Refuse a later beginning of the gaming day for hands that are dealt: the day before, theirs then, is archived."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        room = self.instance
        clock, starts_at = values.get("time_zone"), values.get("day_starts_at")
        if room._state.adding or starts_at is None or clock not in available_timezones():
            return values
        if hands := hands_of_archived_days(room, ZoneInfo(clock), starts_at):
            message = _(
                "The last archived gaming day would end only after hands that were dealt since, %(hands)s of them, and its"
                " archive stays as it is. Change this on a day before its first hand is dealt, or choose an earlier time."
            )
            self.add_error("day_starts_at", message % {"hands": hands})
        return values


@admin.register(Room)
class RoomAdmin(SetUpAdmin):
    """Rooms, and who works there."""

    form = RoomForm
    fields = (
        "name",
        "slug",
        "time_zone",
        "day_starts_at",
        "approval_limit_cents",
        "waiting_hold_minutes",
        "dealer_minutes",
        "day_end_reports",
        "day_end_paper",
        "silent_minutes",
        "decision_minutes",
        "mail_to",
    )
    # Seals and notes name the room and its days by it.
    fixed = ("slug",)
    list_display = ("name", "slug", "time_zone", "day_starts_at")
    list_filter = ("time_zone",)
    search_fields = ("name", "slug")
    ordering = ("name", "pk")
    inlines = (WorksIn,)
    history_also = ((RoomStaff, "room"), (NumberSeries, "room"))

    def get_prepopulated_fields(
        self, request: HttpRequest, obj: models.Model | None = None
    ) -> dict[str, Sequence[str]]:
        """The slug of a new room is offered."""
        return {} if obj else {"slug": ("name",)}


@admin.register(RoomStaff)
class RoomStaffAdmin(RecordedAdmin):
    """Who works in which room. Taking somebody off a room deletes a row here; what they did there stays theirs."""

    fields = ("room", "user")
    list_display = ("room", "user")
    list_filter = ("room",)
    list_select_related = ("room", "user")
    search_fields = ("user__name", "user__badge_number")
    ordering = ("room__name", "user__badge_number", "pk")

    def zone_of(self, obj: RoomStaff) -> ZoneInfo:
        """The room's."""
        return obj.room.zone


class TableForm(ReasonForm):
    """A table and its place on the map of the floor's page, both numbers or neither; a free place is offered."""

    instance: Table

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "map_row" in self.fields:
            self.fields["map_column"].help_text = _("1 to %(most)s; empty for a table beside the map.") % {
                "most": MAP_COLUMNS
            }
            self.fields["map_row"].help_text = self._offer()

    def _offer(self) -> str:
        free = free_place(self.instance.room_id) if self.instance.room_id else None
        if free is None:
            return _("1 to %(most)s; empty for a table beside the map.") % {"most": MAP_ROWS}
        place = {"column": free.column, "row": free.row}
        return _("Free: column %(column)s, row %(row)s.") % place

    def clean(self) -> dict[str, Any]:
        """Hold the room's tables still, so that nobody arranges the map meanwhile, and look whether the place is free."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        column, row = values.get("map_column"), values.get("map_row")
        if self.errors or (column is None and row is None):
            return values
        if column is None or row is None:
            missing = "map_column" if column is None else "map_row"
            self.add_error(missing, _("Give both the column and the row, or neither."))
            return values
        room: Room = values.get("room") or self.instance.room
        try:
            check_place(room.pk, self._table_id(), Place(column, row))
        except Refusal as refusal:
            self.add_error("map_column", refusal.message)
        return values

    def _table_id(self) -> UUID | None:
        return None if self.instance._state.adding else self.instance.pk


@admin.register(Table)
class TableAdmin(SetUpAdmin):
    """Tables. A new one gets the seats of its game, so neither game nor room changes afterwards."""

    form = TableForm
    fields = ("room", "number", "game", "map_column", "map_row")
    fixed = ("room", "game")
    list_display = ("__str__", "room", "number", "game", "map_column", "map_row")
    list_filter = ("room", "game")
    list_select_related = ("room",)
    search_fields = ("number__exact", "room__name")
    ordering = ("room__name", "number", "pk")
    change_form_outer_after_template: Any = "admin/set_up/map_link.html"

    def save_recorded(self, obj: Any, *, change: bool) -> None:
        """Add through the service that makes the seats; a change is the number and the place alone."""
        if change:
            obj.save(update_fields=["number", "map_column", "map_row"])
            return
        place = Place(obj.map_column, obj.map_row) if obj.map_column is not None else None
        added = table_add(room_id=obj.room_id, number=obj.number, game=obj.game, place=place)
        obj.pk = added.pk
        obj.created_at = added.created_at
        obj._state.adding = False


@admin.register(Patron)
class PatronAdmin(SetUpAdmin):
    """Patrons with a card, and those who were only described."""

    fields = ("room", "number", "name", "provider")
    fixed = ("room",)
    list_display = ("name", "number", "room", "created_at")
    list_filter = ("room", "created_at")
    list_select_related = ("room",)
    search_fields = ("name", "number")
    ordering = ("room__name", "number", "name", "pk")

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        """Nobody changes a patron who was erased."""
        return super().has_change_permission(request, obj) and not hasattr(obj, "erasure")
