"""The floor's pages: every table at a glance, and beside them the table that is open, with what floor may do there.

What refreshes itself holds no form, but for the one press that answers a call, and is answered with 304 while its bytes are
the same.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import logout
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_GET, require_POST

from casino.errors import Forbidden, NotThere
from casino.staff.actor import ON_THE_FLOOR, Actor
from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.models import User
from casino.staff.pages import page
from casino.staff.selectors import tablets_at
from casino.staff.services import device_enrol, device_retire, user_unlock
from tables.access import access_table
from tables.models import RoomStaff, Table, TableSession
from tables.selectors.corrections import ruling_window
from tables.selectors.hands import JUDGED, hands_read_by
from tables.selectors.rules import newest_rule_sets
from tables.selectors.rulings import open_exceptions
from tables.selectors.table_state import TableState, table_state, table_states

DEVICE_COOKIE_SECONDS = 365 * 24 * 60 * 60
HANDS_SHOWN = 8


@require_GET
@page
def tables(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Every table of the actor's rooms as a tile."""
    context = {"states": _states(actor), "locked": _locked_badges(actor), "exceptions": open_exceptions(actor)}
    return render(request, "floor/tables.html", context)


@require_GET
@conditional_page
@page
def board(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The tiles alone, to be polled; ``open`` is the table whose panel stands beside them."""
    context = {"states": _states(actor), "open_id": request.GET.get("open", "")}
    return _polled(render(request, "floor/board.html", context))


@require_GET
@page
def table(request: HttpRequest, actor: Actor, table_id: UUID) -> HttpResponse:
    """The tiles with one table's panel beside them."""
    at = access_table(actor, table_id, ON_THE_FLOOR)
    context = _facts(actor, at) | {
        "states": _states(actor),
        "open_id": str(at.pk),
        "rule_sets": newest_rule_sets(at.game),
        "tablets": tablets_at(at.pk),
        "last_session": TableSession.objects.filter(table=at).select_related("rules").order_by("-opened_at").first(),
    }
    return render(request, "floor/table.html", context)


@require_GET
@conditional_page
@page
def facts(request: HttpRequest, actor: Actor, table_id: UUID) -> HttpResponse:
    """What the panel says about a table, without its forms, to be polled."""
    at = access_table(actor, table_id, ON_THE_FLOOR)
    return _polled(render(request, "floor/facts.html", _facts(actor, at)))


@require_POST
@page
def enrol(request: HttpRequest, actor: Actor, table_id: UUID) -> HttpResponse:
    """Make this browser the table's tablet: from here on it takes badge and PIN, and acts at this table alone."""
    at = access_table(actor, table_id, ON_THE_FLOOR)
    _device, token = device_enrol(actor=actor, name=_("Tablet %(table)s") % {"table": at}, place=at.pk)
    logout(request)
    response = redirect("tablet:app")
    response.set_cookie(
        DEVICE_COOKIE,
        token,
        max_age=DEVICE_COOKIE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


@require_POST
@page
def unlock(request: HttpRequest, actor: Actor, user_id: UUID) -> HttpResponse:
    """Open the badge of somebody who works in the actor's rooms again, after three wrong tries."""
    if not _locked_badges(actor).filter(pk=user_id).exists():
        raise NotThere("no-such-badge", _("No locked badge of your rooms is meant here. Load the page again."))
    user_unlock(actor=actor, user_id=user_id)
    return redirect("floor:tables")


@require_POST
@page
def retire(request: HttpRequest, actor: Actor, table_id: UUID, device_id: UUID) -> HttpResponse:
    """End a tablet that stands at the table: lost, broken or replaced."""
    at = access_table(actor, table_id, ON_THE_FLOOR)
    if not tablets_at(at.pk).filter(pk=device_id).exists():
        raise NotThere("no-such-tablet", _("No tablet of this table is meant here. Load the page again."))
    device_retire(actor=actor, device_id=device_id)
    return redirect("floor:table", table_id=at.pk)


def _locked_badges(actor: Actor) -> QuerySet[User]:
    own_rooms = RoomStaff.objects.filter(user_id=actor.user_id).values("room")
    return User.objects.filter(locked_at__isnull=False, rooms__room__in=own_rooms).distinct().order_by("badge_number")


def _states(actor: Actor) -> list[TableState]:
    if not actor.on_the_floor:
        raise Forbidden("not-allowed", _("These pages are for floor supervisors and managers. Ask floor."))
    return table_states(
        list(
            Table.objects.filter(room__staff__user_id=actor.user_id)
            .select_related("room")
            .order_by("room__name", "room_id", "number")
        )
    )


def _facts(actor: Actor, at: Table) -> dict[str, Any]:
    hands = list(hands_read_by(actor).filter(session__table=at)[:HANDS_SHOWN])
    last = next((hand for hand in hands if hand.status in JUDGED), None)
    return {
        "state": table_state(at),
        "hands": hands,
        "window_hand": last,
        "window": ruling_window(last) if last is not None else None,
    }


def _polled(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-cache"
    return response
