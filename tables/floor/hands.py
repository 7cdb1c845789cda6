"""A hand for the floor: everything about it on one page, and what can be done about it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import conditional_page, require_GET

from casino.staff.actor import ON_THE_FLOOR, Actor
from casino.staff.pages import page
from tables.access import check_table_access
from tables.floor.polling import polled
from tables.models import BankShare, Hand, HandSeat, Sitting, Wager
from tables.selectors.declared import declared_splits
from tables.selectors.hands import HandPage, hand_page
from tables.selectors.inbox import items_of


@require_GET
@page
def hand(request: HttpRequest, actor: Actor, hand_id: UUID) -> HttpResponse:
    """As dealt, set and paid; the verdict in words; who did what; the ledger behind it; and what waits to be decided."""
    found = _hand(actor, hand_id)
    declared = declared_splits(found.record) if found.is_as_stored else []
    context = _standing(actor, found) | {"declared": declared, "sittings": _people(found.hand)}
    return render(request, "floor/hand.html", context)


@require_GET
@conditional_page
@page
def standing(request: HttpRequest, actor: Actor, hand_id: UUID) -> HttpResponse:
    """How the hand stands and how long it can be ruled on, without the forms, to be polled."""
    return polled(render(request, "floor/hand_standing.html", _standing(actor, _hand(actor, hand_id))))


def _hand(actor: Actor, hand_id: UUID) -> HandPage:
    found = hand_page(actor, hand_id)
    check_table_access(actor, found.hand.session.table, ON_THE_FLOOR)
    return found


def _standing(actor: Actor, found: HandPage) -> dict[str, Any]:
    return {"page": found, "items": items_of(actor, found.hand)}


def _people(hand: Hand) -> list[Sitting]:
    """Who was in a hand, by seat, by wager or in the bank, each once."""
    parts: list[HandSeat | Wager | BankShare] = [*hand.seats.all(), *hand.wagers.all(), *hand.bank_shares.all()]
    return list({part.sitting_id: part.sitting for part in parts}.values())
