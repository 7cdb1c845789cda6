"""The tables of somebody's floor, with all that tells whether a tile has to be made anew.

Every page of the floor asks for this every two seconds, so it is two short reads of values, composed once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import F, FilteredRelation, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import Forbidden
from casino.staff.actor import Actor
from casino.staff.models import Device
from ledger.rows import Composed
from tables.models import Command, Restriction, RestrictionLift, Sitting, Table
from tables.selectors.tile_alerts import NOTHING_SAID, DeviceReport, TabletsSaid, tablets_said


class FloorTable(NamedTuple):
    """A table of the floor. While all of it is what it was, nobody has done anything that shows on its tile.

    ``last_command`` is what was done last at the table, ``last_arrival`` who came last from another one, whose command is
    written down there; ``opened_at`` is when the open session began, if there is one. The last restriction and the last one
    lifted, of anybody, decide who can have the bank.
    """

    id: UUID
    number: int
    game: str
    room_id: UUID
    room_name: str
    time_zone: str
    map_row: int | None
    map_column: int | None
    opened_at: datetime | None
    last_command: UUID | None
    last_arrival: UUID | None
    last_restriction: int | None
    last_lift: int | None
    tablets: TabletsSaid = NOTHING_SAID

    def __str__(self) -> str:
        return f"T{self.number}"


def floor_tables(actor: Actor) -> list[FloorTable]:
    """The tables of the actor's rooms by room, in the order of the map, those without a place last. Raises ``Forbidden``."""
    if not actor.on_the_floor:
        raise Forbidden("not-allowed", _("These pages are for floor supervisors and managers. Ask floor."))
    return _OF_ACTOR.read(actor.user_id)


def room_tables(room_id: UUID) -> list[FloorTable]:
    """The tables of one room in the same order."""
    return _OF_ROOM.read(room_id)


class _Reads:
    """The reads for some tables, which are chosen by an id."""

    def __init__(self, chosen: Callable[[UUID], QuerySet[Table]]) -> None:
        self._tables = Composed(lambda chosen_by: _tables(chosen(chosen_by)))
        self._devices = Composed(lambda chosen_by: _devices(chosen(chosen_by)))

    def read(self, chosen_by: UUID) -> list[FloorTable]:
        tables = [FloorTable(*row) for row in self._tables(chosen_by)]
        now = timezone.now()
        reports: dict[UUID, list[DeviceReport]] = defaultdict(list)
        for place, *report in self._devices(chosen_by):
            reports[place].append(DeviceReport(*report))
        return [
            table._replace(tablets=tablets_said(reports[table.id], table.opened_at, now))
            if table.id in reports
            else table
            for table in tables
        ]


def _tables(tables: QuerySet[Table]) -> QuerySet[Table, Any]:
    command = Command.objects.filter(table=OuterRef("pk")).order_by("-recorded_at", "-key")
    arrival = Sitting.objects.filter(
        session__table=OuterRef("pk"), session__closed_at__isnull=True, moved_from__isnull=False
    ).order_by("-started_at", "-pk")
    return (
        tables.annotate(open=FilteredRelation("sessions", condition=Q(sessions__closed_at__isnull=True)))
        .order_by(
            "room__name",
            "room_id",
            F("map_row").asc(nulls_last=True),
            F("map_column").asc(nulls_last=True),
            "number",
        )
        .values_list(
            "pk",
            "number",
            "game",
            "room_id",
            "room__name",
            "room__time_zone",
            "map_row",
            "map_column",
            "open__opened_at",
            Subquery(command.values("key")[:1]),
            Subquery(arrival.values("pk")[:1]),
            Subquery(Restriction.objects.order_by("-pk").values("pk")[:1]),
            Subquery(RestrictionLift.objects.order_by("-pk").values("pk")[:1]),
        )
    )


def _devices(tables: QuerySet[Table]) -> QuerySet[Device, Any]:
    rows = Device.objects.filter(place__in=tables.values("pk"), retired_at__isnull=True)
    return rows.order_by("pk").values_list("place", "last_seen_at", "unsent_count", "oldest_unsent_at")


_OF_ACTOR = _Reads(lambda user_id: Table.objects.filter(room__staff__user_id=user_id))
_OF_ROOM = _Reads(lambda room_id: Table.objects.filter(room_id=room_id))
