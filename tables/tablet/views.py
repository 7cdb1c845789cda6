"""The dealer's tablet: sign-in by badge and PIN, and the one screen of the table it stands at."""

from __future__ import annotations

import hashlib
from typing import Any
from uuid import uuid4

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from casino.errors import Forbidden, Refusal
from casino.staff.actor import Actor
from casino.staff.middleware import SESSION_DEVICE, actor_of, device_of
from casino.staff.models import Role
from casino.staff.pages import page
from casino.staff.services import pin_sign_in
from tables.access import access_table
from tables.models import Table, TableSession
from tables.rules.cards import RANKS
from tables.rules.explain import Line, explain
from tables.selectors.declared import declared_splits
from tables.selectors.table_state import HandState, TableState, state_changed_at, table_state
from tables.services.commands import Order
from tables.services.sessions import session_deal_in
from tables.services.sittings import full_buy_in_cents
from tables.wording import in_words

BACKEND = "django.contrib.auth.backends.ModelBackend"
SUITS_ON_SCREEN = "shdc"
SEGMENTS = {True: {"front": 3, "middle": 5, "back": 5}, False: {"front": 2, "back": 5}}


@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Badge and PIN, on an enrolled device only. Three wrong PINs lock the badge."""
    device = device_of(request)
    if request.method == "GET" and (actor := actor_of(request)) and actor.place:
        return redirect("tablet:table")
    badge_number = request.POST.get("badge_number", "").strip()
    refusal = None
    if request.method == "POST" and device:
        try:
            user = pin_sign_in(device=device, badge_number=badge_number, pin=request.POST.get("pin", ""))
            _take_over(Actor.of(user, device))
        except Refusal as error:
            refusal = error
        else:
            login(request, user, backend=BACKEND)
            request.session[SESSION_DEVICE] = str(device.pk)
            return redirect("tablet:table")
    place = device.place if device else None
    at = Table.objects.filter(pk=place).select_related("room").first() if place else None
    context = {"table": at, "badge_number": badge_number, "refusal": refusal}
    return render(request, "tablet/sign_in.html", context, status=refusal.status if refusal else 200)


def _take_over(actor: Actor) -> None:
    """A dealer who signs in at an open table deals there from now on. Raises ``Forbidden`` for who has no rights here."""
    session = TableSession.objects.filter(table=_own_table(actor), closed_at__isnull=True).first()
    if session is not None and actor.has_role(Role.DEALER) and session.dealer_id != actor.user_id:
        session_deal_in(Order(key=uuid4(), actor=actor, occurred_at=timezone.now()), session_id=session.pk)


@require_GET
@page
def table(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The screen of the table this tablet stands at."""
    return render(request, "tablet/table.html", _context(_own_table(actor), actor))


@require_GET
@page
def screen(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The changing part of the screen; 304 while nothing has happened at the table."""
    own = _own_table(actor)
    etag = f'"{hashlib.sha256(f"{actor.user_id} {state_changed_at(own)}".encode()).hexdigest()[:32]}"'
    if request.headers.get("If-None-Match") == etag:
        return HttpResponseNotModified(headers={"ETag": etag})
    response = render(request, "tablet/screen.html", _context(own, actor))
    response["ETag"] = etag
    return response


def _own_table(actor: Actor) -> Table:
    if actor.place is None:
        raise Forbidden("tablet-only", _("This page belongs to a tablet. Floor enrols one at the table."))
    return access_table(actor, actor.place)


def _context(at: Table, actor: Actor) -> dict[str, Any]:
    state = table_state(at)
    full = full_buy_in_cents(state.session) if state.session else None
    return {
        "state": state,
        "actor": actor,
        "full_buy_in": f"{full / 100:.2f}".removesuffix(".00") if full else "",
        "picker": _picker(state, state.hand) if state.hand and not state.hand.wagers_open else None,
        "key_rows": [[f"{rank}{suit}" for rank in reversed(RANKS)] for suit in SUITS_ON_SCREEN],
        "explained": _explained(state, state.hand),
        "declared": declared_splits(state.hand.record) if state.hand else [],
    }


def _picker(state: TableState, hand: HandState) -> dict[str, Any]:
    """What the card picker's script works with."""
    segments = SEGMENTS[state.is_chinese]
    seated = {seat.number: seat.occupant.name for seat in state.seats if seat.occupant}
    naturals = hand.hand.rules.parameters.get("naturals") or []
    return {
        "hand": str(hand.hand.pk),
        "revision": hand.record.revision if hand.record else 0,
        "seat_key": "seat" if state.is_chinese else "position",
        "segments": segments,
        "size": sum(segments.values()),
        "seats": [{"number": number, "name": seated.get(number, _("backline"))} for number in _deal_order(hand)],
        "naturals": [{"kind": natural["kind"], "words": in_words(natural["kind"])} for natural in naturals],
        "entered": hand.record.data["seats" if state.is_chinese else "hands"] if hand.record else [],
    }


def _deal_order(hand: HandState) -> list[int]:
    """Seats in the order in which hands are opened: from the left of the button, the button or Player/Dealer last."""
    button = hand.hand.button_seat
    return sorted(hand.positions, key=lambda number: (number <= button, number))


def _explained(state: TableState, hand: HandState | None) -> list[Line]:
    """The verdict on the hand that is out in words, line by line."""
    if hand is None or hand.record is None or hand.verdict is None:
        return []
    return explain(hand.verdict, hand.record.data, state.names)
