"""The panel of one table beside the tiles: everything on it now, and every verb that floor has there."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import conditional_page, require_GET

from casino.staff.actor import ON_THE_FLOOR, Actor
from casino.staff.pages import page
from casino.staff.selectors import tablets_at
from tables.access import access_table
from tables.floor.board import board_of
from tables.floor.polling import polled
from tables.models import DeckRequest, Incident, Table
from tables.selectors.corrections import ruling_window
from tables.selectors.hands import JUDGED
from tables.selectors.panel import Panel, offers, panel


@require_GET
@page
def table(request: HttpRequest, actor: Actor, table_id: UUID) -> HttpResponse:
    """The tiles with one table's panel beside them."""
    at = access_table(actor, table_id, ON_THE_FLOOR)
    shown, open_id = panel(actor, at), str(at.pk)
    board = {"board": board_of(actor, open_id=open_id).html, "open_id": open_id}
    return render(request, "floor/table.html", board | _facts(shown) | _forms(at, shown))


@require_GET
@conditional_page
@page
def facts(request: HttpRequest, actor: Actor, table_id: UUID) -> HttpResponse:
    """What the panel says about a table, without its forms, to be polled."""
    at = access_table(actor, table_id, ON_THE_FLOOR)
    return polled(render(request, "floor/facts.html", _facts(panel(actor, at))))


def _facts(shown: Panel) -> dict[str, Any]:
    last = next((hand for hand in shown.hands if hand.status in JUDGED), None)
    return {
        "panel": shown,
        "state": shown.state,
        "window_hand": last,
        "window": ruling_window(last) if last is not None else None,
    }


def _forms(at: Table, shown: Panel) -> dict[str, Any]:
    return {
        "offers": offers(shown),
        "tablets": tablets_at(at.pk),
        "incident_kinds": Incident.Kind.choices,
        "consequences": Incident.Consequence.choices,
        "deck_requests": DeckRequest.What.choices,
    }
