"""What the history of set-up needs to be told of this floor: money, places, and the time of the house."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, tzinfo
from uuid import UUID
from zoneinfo import ZoneInfo

from casino.staff import change_log
from tables.models import Room, Table
from tables.rules.sentences import dollars


def house_zone() -> tzinfo:
    """The time zone of the rooms where all have the same, else UTC."""
    zones = set(Room.objects.values_list("time_zone", flat=True))
    return ZoneInfo(zones.pop()) if len(zones) == 1 else UTC


def place_names(places: Collection[UUID]) -> dict[UUID, str]:
    """Where devices stand, by the place that they know: tablets at tables, wall screens in rooms."""
    tables = Table.objects.filter(pk__in=places).select_related("room")
    rooms = Room.objects.filter(pk__in=places)
    return {table.pk: f"{table}, {table.room}" for table in tables} | {room.pk: room.name for room in rooms}


change_log.house_time(house_zone)
change_log.word_values("staff.device.place", place_names)
change_log.word_values("tables.room.approval_limit_cents", lambda amounts: {cents: dollars(cents) for cents in amounts})
