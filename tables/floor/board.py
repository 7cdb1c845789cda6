"""The board of the floor's pages: the tiles of every table and the strip of what needs deciding, made as seldom as can be.

Every page asks for it every two seconds. What the tables are is read each time (``floor_tables``), and all that was made is
kept with the tables it was made of: while they are what they were, and time alone changes nothing, it is shown again, to
every page that shows the same rooms. The instants themselves are sent, and the browser counts from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID

from django.template.loader import get_template
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from casino.kept import Kept
from casino.staff.actor import Actor
from tables.floor.polling import KEPT_AT_MOST, MadeOf, Shown
from tables.selectors.floor_tables import FloorTable, floor_tables, room_tables
from tables.selectors.floor_tiles import tiles_of
from tables.selectors.needed import InboxRow, needs_deciding


@dataclass(frozen=True, slots=True)
class _MadeTile:
    table: FloorTable
    until: datetime
    html: str


@dataclass(frozen=True, slots=True)
class _RoomShown:
    """A room of the floor: the tables on its map in the order of rows, and those that have no place there."""

    id: UUID
    name: str
    time_zone: str
    on_map: SafeString
    off_map: SafeString


@dataclass(frozen=True, slots=True)
class _View:
    """What a page wants of the board: in which language, with which table open, for which rooms, and whether it is a wall."""

    language: str | None
    open_id: str
    is_wall: bool
    rooms: tuple[UUID, ...]


_boards: Kept[_View, MadeOf] = Kept(100)
_tiles: Kept[tuple[str | None, UUID, bool], _MadeTile] = Kept(2_000)
_strips: Kept[_View, tuple[list[InboxRow], str]] = Kept(100)


def board_of(actor: Actor, *, open_id: str = "") -> Shown:
    """The board of the actor's rooms. ``open_id`` is the table whose panel stands beside it. Raises ``Forbidden``."""
    return _board(floor_tables(actor), open_id, lambda: needs_deciding(actor))


def wall_of(actor: Actor) -> Shown:
    """The same without the strip: nobody presses anything on a wall. Raises ``Forbidden``."""
    return _board(floor_tables(actor))


def wall_of_room(room_id: UUID) -> Shown:
    """The wall of one room, for its own screen."""
    return _board(room_tables(room_id))


def forget_boards() -> None:
    """Make everything anew at the next question."""
    _boards.clear()
    _tiles.clear()
    _strips.clear()


def _board(
    tables: Sequence[FloorTable], open_id: str = "", needed: Callable[[], list[InboxRow]] | None = None
) -> Shown:
    if open_id and open_id not in {str(table.id) for table in tables}:
        open_id = ""  # whatever else was asked for is open nowhere, and no key of what is kept
    rooms = tuple({table.room_id: None for table in tables})
    view, now = _View(get_language(), open_id, needed is None, rooms), timezone.now()
    made = _boards.get(view)
    if made is None or not made.holds(tables, now):
        made = _make(view, tables, needed, now)
        _boards.put(view, made)
    return made.shown


def _make(
    view: _View, tables: Sequence[FloorTable], needed: Callable[[], list[InboxRow]] | None, now: datetime
) -> MadeOf:
    tiles = _made_tiles(view, tables, now)
    html = get_template("floor/board.html").render(
        {
            "rooms": [_room(list(group)) for _id, group in groupby(tiles, key=lambda tile: tile.table.room_id)],
            "strip": "" if needed is None else _strip(view, needed()),
            "is_wall": view.is_wall,
        }
    )
    until = min((tile.until for tile in tiles), default=now + KEPT_AT_MOST)
    return MadeOf(tables, until, Shown.of(html))


def _made_tiles(view: _View, tables: Sequence[FloorTable], now: datetime) -> list[_MadeTile]:
    """The tiles of these tables; those at which something has happened, or that time alone changes, are made anew."""
    keys = [(view.language, table.id, str(table.id) == view.open_id) for table in tables]
    made = [_tiles.get(key) for key in keys]
    changed = [
        place
        for place, (tile, table) in enumerate(zip(made, tables, strict=True))
        if tile is None or tile.table != table or tile.until <= now
    ]
    if changed:
        template, latest = get_template("floor/tile.html"), now + KEPT_AT_MOST
        for place, tile in zip(changed, tiles_of([tables[place] for place in changed], now), strict=True):
            html = template.render({"tile": tile, "is_open": keys[place][2]})
            made[place] = anew = _MadeTile(tile.table, min(tile.until, latest), html)
            _tiles.put(keys[place], anew)
    return [tile for tile in made if tile is not None]


def _room(tiles: Sequence[_MadeTile]) -> _RoomShown:
    first = tiles[0].table
    return _RoomShown(
        first.room_id,
        first.room_name,
        first.time_zone,
        on_map=_items(tile for tile in tiles if tile.table.map_row is not None),
        off_map=_items(tile for tile in tiles if tile.table.map_row is None),
    )


def _items(tiles: Iterable[_MadeTile]) -> SafeString:
    return mark_safe("".join(tile.html for tile in tiles))  # noqa: S308 - our own template's


def _strip(view: _View, rows: list[InboxRow]) -> SafeString:
    """The strip; what is raised at the open table is in its panel."""
    needed = [
        row for row in rows if row.kind != "call" or (row.call and str(row.table and row.table.pk) != view.open_id)
    ]
    made = _strips.get(view)
    if made is None or made[0] != needed:
        made = needed, get_template("floor/needed.html").render({"needed": needed})
        _strips.put(view, made)
    return mark_safe(made[1])  # noqa: S308 - our own template's
