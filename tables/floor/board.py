"""The tiles of the floor and the strip of what needs deciding, put together for a page or for its polling.

A tile is made when something has happened at its table, and kept for a few seconds: what comes of time alone, such as a tablet
that falls silent, shows that much later. The instants themselves are sent, and the browser counts from them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.core.cache import cache
from django.template.loader import get_template
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from casino.staff.actor import Actor
from casino.staff.models import Device
from tables.models import Room, Table
from tables.selectors.calls import OpenCall, open_calls_of
from tables.selectors.floor_tables import floor_tables, tablets_of
from tables.selectors.floor_tiles import tiles_of
from tables.selectors.inbox import InboxRow, needs_deciding

KEPT_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Placed:
    """A table on the page: its tile, and where on the map that stands.

    ``key`` changes with all that somebody does at the table or about it; ``needs`` says whether something there is in the strip.
    """

    table: Table
    key: str
    html: SafeString
    needs: bool


@dataclass(frozen=True, slots=True)
class RoomShown:
    """A room of the floor: the tables on its map in the order of rows, and those that have no place there."""

    room: Room
    on_map: Sequence[Placed]
    off_map: Sequence[Placed]


@dataclass(frozen=True, slots=True)
class Needed:
    """One thing of the strip: a call with its table, which is answered there, or a row of the inbox, which leads to it."""

    table: Table
    call: OpenCall | None = None
    row: InboxRow | None = None


def board_context(actor: Actor, *, open_id: str = "", is_wall: bool = False) -> dict[str, Any]:
    """What the board's template takes. ``open_id`` is the table whose panel stands beside it. Raises ``Forbidden``.

    A wall screen has no strip: nobody presses anything there.
    """
    tables = floor_tables(actor)
    if open_id not in {str(table.pk) for table in tables}:
        open_id = ""  # whatever else was asked for is open nowhere, and no key of what is kept
    placed = _placed(tables, open_id)
    rooms = [_room(list(group)) for _room_id, group in groupby(placed, key=attrgetter("table.room_id"))]
    return {
        "rooms": rooms,
        "needed": "" if is_wall else _strip(actor, placed, open_id),
        "open_id": open_id,
        "is_wall": is_wall,
    }


def _room(placed: Sequence[Placed]) -> RoomShown:
    on_map = [each for each in placed if each.table.map_row is not None]
    return RoomShown(placed[0].table.room, on_map, placed[len(on_map) :])


def _placed(tables: Sequence[Table], open_id: str) -> list[Placed]:
    tablets = tablets_of(tables)
    keys = [_key(table, tablets.get(table.pk, ()), open_id) for table in tables]
    kept: dict[str, tuple[str, bool]] = cache.get_many(keys)
    changed = {key: table for key, table in zip(keys, tables, strict=True) if key not in kept}
    if changed:
        template = get_template("floor/tile.html")
        tiles = tiles_of(list(changed.values()), tablets, timezone.now())
        made = {
            key: (str(template.render({"tile": tile, "is_open": str(tile.table.pk) == open_id})), tile.needs_deciding)
            for key, tile in zip(changed, tiles, strict=True)
        }
        cache.set_many(made, KEPT_SECONDS)
        kept |= made
    return [
        Placed(table, key, mark_safe(kept[key][0]), kept[key][1])  # noqa: S308 - our own template's
        for key, table in zip(keys, tables, strict=True)
    ]


def _key(table: Table, tablets: Collection[Device], open_id: str) -> str:
    """Changes with all that somebody does at a table or about it."""
    unsent = [f"{tablet.unsent_count}.{tablet.oldest_unsent_at:%s}" for tablet in tablets if tablet.oldest_unsent_at]
    parts = (
        "tile",
        get_language(),
        table.pk,
        table.number,
        table.last_command,  # type: ignore[attr-defined]  # annotated, as are the next two
        table.last_arrival,  # type: ignore[attr-defined]
        table.open_session,  # type: ignore[attr-defined]
        str(table.pk) == open_id,
        *unsent,
    )
    return ":".join(map(str, parts))


def _strip(actor: Actor, placed: Sequence[Placed], open_id: str) -> SafeString:
    """The strip, made anew when something is done at a table that it has something of, or at one that it gets something of."""
    needing = sha256(" ".join(each.key for each in placed if each.needs).encode()).hexdigest()
    key = f"needed:{get_language()}:{actor.user_id}:{open_id}:{needing}"
    html: str | None = cache.get(key)
    if html is None:
        needed = _needed(actor, [each.table for each in placed], open_id)
        html = str(get_template("floor/needed.html").render({"needed": needed}))
        cache.set(key, html, KEPT_SECONDS)
    return mark_safe(html)  # noqa: S308 - our own template's


def _needed(actor: Actor, tables: Sequence[Table], open_id: str) -> list[Needed]:
    """What needs a person, the oldest first; the calls of the open table are in its panel."""
    rows = ((row.raised_at, Needed(row.table, row=row)) for row in needs_deciding(actor) if row.kind != "call")
    found = [*_calls(tables, open_id), *rows]
    return [needed for _at, needed in sorted(found, key=lambda each: each[0])]


def _calls(tables: Sequence[Table], open_id: str) -> Iterator[tuple[datetime, Needed]]:
    sessions = {table.open_session: table for table in tables if table.open_session}  # type: ignore[attr-defined]
    for session, calls in open_calls_of(sessions).items():
        table = sessions[session]
        if str(table.pk) != open_id:
            yield from ((call.called_at, Needed(table, call=call)) for call in calls)
