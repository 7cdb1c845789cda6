"""Where the tables of a room stand on the map of the floor's page: set-up, so no command of a table and nothing in the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere
from casino.staff.actor import ON_THE_FLOOR, Actor
from casino.staff.changes import say_who
from tables.access import check_web_access, check_works_in
from tables.lock_objects import lock_tables
from tables.models import Room, Table
from tables.models.rooms import MAP_COLUMNS, MAP_ROWS


@dataclass(frozen=True, slots=True)
class Place:
    """A place on a map, from 1 at the top left."""

    column: int
    row: int


def room_to_arrange(actor: Actor, room_id: UUID) -> Room:
    """The room, for who may arrange its map: floor and managers who work there. Raises ``NotThere`` and ``Forbidden``."""
    check_web_access(actor, ON_THE_FLOOR)
    room = Room.objects.filter(pk=room_id).first()
    if room is None:
        raise NotThere("no-such-room", _("There is no such room."))
    check_works_in(actor, room.pk)
    return room


def room_map_arrange(*, actor: Actor, room_id: UUID, places: Mapping[UUID, Place | None]) -> None:
    """Put tables of a room where they stand, all at once; ``None`` takes one off the map, and who is not named stays.

    Raises ``Forbidden``, ``NotThere`` for a table that is not of this room, ``Malformed`` for a place outside the map, and
    ``Conflict`` where two tables would stand in one place. Nothing is changed then.
    """
    room = room_to_arrange(actor, room_id)
    with transaction.atomic():
        tables = lock_tables(list(room.tables.values_list("pk", flat=True)))
        if not places.keys() <= tables.keys():
            raise NotThere("no-such-table", _("One of these tables is not of this room. Load the page again."))
        for table_id, place in places.items():
            _check_on_map(tables[table_id], place)
            tables[table_id].map_column = place.column if place else None
            tables[table_id].map_row = place.row if place else None
        _check_one_a_place(tables)
        say_who(actor.user_id)
        Table.objects.bulk_update([tables[table_id] for table_id in places], ["map_column", "map_row"])


def check_place(room_id: UUID, table_id: UUID | None, place: Place) -> None:
    """Hold a room's tables still to the end of the transaction, and check that one of them, or a new one, may stand there.

    Raises ``Malformed`` for a place outside the map and ``Conflict`` where another table stands.
    """
    tables = lock_tables(list(Table.objects.filter(room_id=room_id).values_list("pk", flat=True)))
    if not _is_on_map(place):
        values = {"columns": MAP_COLUMNS, "rows": MAP_ROWS}
        message = _("The map has %(columns)s columns and %(rows)s rows. Choose a place on it.") % values
        raise Malformed("out-of-range", message)
    for other in tables.values():
        if other.pk != table_id and (other.map_column, other.map_row) == (place.column, place.row):
            there = {"table": other, "column": place.column, "row": place.row}
            message = _("%(table)s stands in column %(column)s, row %(row)s already. Choose another place.") % there
            raise Conflict("place-taken", message)


def free_place(room_id: UUID) -> Place | None:
    """The first place of a room's map where no table stands, row by row; ``None`` where the map is full."""
    taken = set(Table.objects.filter(room_id=room_id).values_list("map_row", "map_column"))
    places = ((row, column) for row in range(1, MAP_ROWS + 1) for column in range(1, MAP_COLUMNS + 1))
    free = next((place for place in places if place not in taken), None)
    return Place(column=free[1], row=free[0]) if free else None


def _is_on_map(place: Place) -> bool:
    return 1 <= place.column <= MAP_COLUMNS and 1 <= place.row <= MAP_ROWS


def _check_on_map(table: Table, place: Place | None) -> None:
    if place is None or _is_on_map(place):
        return
    values = {"table": table, "columns": MAP_COLUMNS, "rows": MAP_ROWS}
    message = _("%(table)s would stand outside the map, which has %(columns)s columns and %(rows)s rows.") % values
    raise Malformed("out-of-range", message, fields={str(table.pk): message})


def _check_one_a_place(tables: Mapping[UUID, Table]) -> None:
    there: dict[tuple[int, int], Table] = {}
    for table in sorted(tables.values(), key=lambda table: table.number):
        if table.map_column is None or table.map_row is None:
            continue
        place = (table.map_column, table.map_row)
        if place in there:
            values = {"one": there[place], "other": table, "column": place[0], "row": place[1]}
            message = _("%(one)s and %(other)s cannot both stand in column %(column)s, row %(row)s. Move one of them.")
            raise Conflict("place-taken", message % values, fields={str(table.pk): message % values})
        there[place] = table
