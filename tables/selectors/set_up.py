"""What still waits in the set-up of a house: rooms that could not play tonight, and what they would play without."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from casino.staff.actor import ON_THE_FLOOR
from casino.staff.models import Device
from tables.models import CollectionSchedule, PostedSheet, Room, RoomStaff, Table
from tables.models.rooms import Game


@dataclass(slots=True)
class RoomSetUp:
    """A room, and what it lacks: games are those that its tables are for."""

    room: Room
    tables: list[Table] = field(default_factory=list)
    has_floor: bool = False
    without_tablet: list[Table] = field(default_factory=list)
    without_sheet: list[Game] = field(default_factory=list)
    without_schedule: list[Game] = field(default_factory=list)


def rooms_set_up() -> Sequence[RoomSetUp]:
    """Every room by its name, with what it lacks. Six queries, however many rooms there are."""
    rooms = {room.pk: RoomSetUp(room) for room in Room.objects.order_by("name", "pk")}
    for table in Table.objects.select_related("room").order_by("number", "pk"):
        rooms[table.room_id].tables.append(table)
    floor = RoomStaff.objects.filter(user__is_active=True, user__roles__overlap=list(ON_THE_FLOOR))
    with_floor = set(floor.values_list("room_id", flat=True))
    with_tablet = set(Device.objects.filter(retired_at__isnull=True).values_list("place", flat=True))
    posted = _games(PostedSheet.objects.values_list("room_id", "rules__game").distinct())
    scheduled = _games(CollectionSchedule.objects.values_list("room_id", "game").distinct())
    for found in rooms.values():
        games = [game for game in Game if any(table.game == game for table in found.tables)]
        found.has_floor = found.room.pk in with_floor
        found.without_tablet = [table for table in found.tables if table.pk not in with_tablet]
        found.without_sheet = [game for game in games if game not in posted[found.room.pk]]
        found.without_schedule = [game for game in games if game not in scheduled[found.room.pk]]
    return list(rooms.values())


def _games(rows: Iterable[tuple[UUID, str]]) -> defaultdict[UUID, set[str]]:
    games: defaultdict[UUID, set[str]] = defaultdict(set)
    for room_id, game in rows:
        games[room_id].add(game)
    return games
