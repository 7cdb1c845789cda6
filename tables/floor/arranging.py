"""Arranging the map: the tables of a room on a grid, moved by hand or by the arrow keys, and saved all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from casino.errors import Malformed, Refusal
from casino.staff.actor import Actor
from casino.staff.pages import page
from tables.models import Table
from tables.models.rooms import MAP_COLUMNS, MAP_ROWS
from tables.selectors.floor_tiles import game_in_short
from tables.services.floor_map import Place, room_map_arrange, room_to_arrange

MOST_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Piece:
    """A table to be moved, and where it stands so far."""

    table: Table
    place: Place | None

    @property
    def value(self) -> str:
        """The place as the form sends it: ``3 2`` for column 3 of row 2, nothing beside the map."""
        return f"{self.place.column} {self.place.row}" if self.place else ""

    @property
    def game_words(self) -> str:
        """The game, as its tile says it."""
        return game_in_short(self.table)


@require_http_methods(["GET", "POST"])
@page
def arrange(request: HttpRequest, actor: Actor, room_id: UUID) -> HttpResponse:
    """The map to be arranged; posted, it is saved. What is refused leaves everything where it was put."""
    room = room_to_arrange(actor, room_id)
    tables = list(room.tables.order_by("number"))
    places = {table.pk: _stored(table) for table in tables}
    refusal = None
    if request.method == "POST":
        try:
            places |= _sent(request.POST, tables)
            room_map_arrange(actor=actor, room_id=room.pk, places=places)
            return redirect("floor:tables")
        except Refusal as refused:
            refusal = refused
    context = {
        "room": room,
        "pieces": [Piece(table, places[table.pk]) for table in tables],
        "columns": range(1, MAP_COLUMNS + 1),
        "rows": range(1, MAP_ROWS + 1),
        "refusal": refusal,
    }
    return render(request, "floor/arrange.html", context, status=refusal.status if refusal else 200)


def _stored(table: Table) -> Place | None:
    if table.map_column is None or table.map_row is None:
        return None
    return Place(table.map_column, table.map_row)


def _sent(sent: Mapping[str, str], tables: Sequence[Table]) -> dict[UUID, Place | None]:
    """The places of the form, ``place-<table>`` each; a table that it does not name stays. Raises ``Malformed``."""
    return {table.pk: _place(table, sent[name]) for table in tables if (name := f"place-{table.pk}") in sent}


def _place(table: Table, text: str) -> Place | None:
    numbers = text.split()
    if not numbers:
        return None
    if len(numbers) != 2 or not all(
        each.isascii() and each.isdecimal() and len(each) <= MOST_DIGITS for each in numbers
    ):
        message = _("Say where %(table)s stands by column and row, such as 3 2.") % {"table": table}
        raise Malformed("malformed", message, fields={str(table.pk): message})
    return Place(int(numbers[0]), int(numbers[1]))
