"""The floor's pages of waiting lists: who waits for what beside the seats that are open, and what happened on a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_GET

from casino.csv_files import Cell, csv_response, instant_cell
from casino.staff.actor import Actor
from casino.staff.pages import page
from tables.asked import day_asked, number_asked
from tables.floor.polling import polled
from tables.models import WaitingEvent, WaitingList
from tables.models.rooms import Game
from tables.selectors.waiting import (
    Kind,
    history_page,
    list_history,
    list_read,
    list_states,
    rooms_with_lists,
    waiting_read,
)

ROWS_AT_ONCE = 500
LONGEST_AMOUNT = 12


@require_GET
@page
def lists(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Every list, each with the tables of its game and stake."""
    return render(request, "floor/lists.html", _context(actor))


@require_GET
@conditional_page
@page
def now(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The lists alone, to be polled; ``entry`` is who is open beside them."""
    return polled(render(request, "floor/lists_now.html", _context(actor) | {"open_id": request.GET.get("entry", "")}))


@require_GET
@page
def entry(request: HttpRequest, actor: Actor, entry_id: UUID) -> HttpResponse:
    """The lists with somebody open beside them: what was done, and what can be."""
    shown, tables = waiting_read(actor, entry_id)
    places = [(table, table.seats_for(shown.entry.patron_id)) for table in tables]
    context = {"open_id": str(entry_id), "row": shown, "places": places}
    return render(request, "floor/lists.html", _context(actor) | context)


@require_GET
@page
def add(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The lists with the form beside them that puts somebody on one: that of the stake in the query, or of a new one."""
    rooms = {room.slug: room for room in rooms_with_lists(actor)}
    game = request.GET.get("game", "")
    cents = {name: request.GET.get(name, "") for name in ("point_value_cents", "table_min_cents", "table_max_cents")}
    stake = {name: int(text) for name, text in cents.items() if text.isdecimal() and len(text) < LONGEST_AMOUNT}
    room = rooms.get(request.GET.get("room", ""))
    adding: dict[str, Any] = {"rooms": list(rooms.values()), "list": None}
    if room is not None and game in Game.values and stake:
        adding["list"] = WaitingList(room=room, game=game, **stake)
    return render(request, "floor/lists.html", _context(actor) | {"adding": adding})


def _context(actor: Actor) -> dict[str, Any]:
    states = list_states(actor)
    return {"states": states, "has_rooms": len({state.room.pk for state in states}) > 1}


@require_GET
@page
def history(request: HttpRequest, actor: Actor, list_id: UUID) -> HttpResponse:
    """What happened on a list in a gaming day, newest first, a page at a time."""
    found, day = _of_day(request, actor, list_id)
    events, has_older = history_page(list_history(found, day), number_asked(request, "before"))
    context = {
        "list": found,
        "day": day,
        "is_today": day == found.room.gaming_day(timezone.now()),
        "events": events,
        "has_older": has_older,
    }
    return render(request, "floor/list_history.html", context)


@require_GET
@page
def history_csv(request: HttpRequest, actor: Actor, list_id: UUID) -> StreamingHttpResponse:
    """The same as CSV, the whole day."""
    found, day = _of_day(request, actor, list_id)
    columns = [
        _("When"),
        _("Name or description"),
        _("Card number"),
        _("What"),
        _("Waited for until"),
        _("Seat"),
        _("Why"),
        _("In words"),
        _("By"),
        _("Badge"),
    ]
    return csv_response(f"waiting-list-{day}", columns, _csv_rows(found, list_history(found, day)))


def _of_day(request: HttpRequest, actor: Actor, list_id: UUID) -> tuple[WaitingList, date]:
    """The list and the gaming day that is asked for; what is no date counts as today."""
    found = list_read(actor, list_id)
    return found, day_asked(request) or found.room.gaming_day(timezone.now())


def _csv_rows(found: WaitingList, events: QuerySet[WaitingEvent]) -> Iterator[Sequence[Cell]]:
    zone = found.room.zone
    for event in events.order_by("happened_at", "pk").iterator(chunk_size=ROWS_AT_ONCE):
        yield (
            instant_cell(event.happened_at.astimezone(zone)),
            event.entry.patron.name,
            event.entry.patron.number,
            str(Kind(event.kind).label),
            instant_cell(event.until.astimezone(zone) if event.until else None),
            str(event.seat or ""),
            event.get_why_display(),
            event.words,
            event.command.actor.name,
            event.command.actor.badge_number,
        )
