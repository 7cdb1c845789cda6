"""The floor's pages: every table at a glance, and beside them the table that is open, with what floor may do there.

What refreshes itself holds no form, but for the one press that answers a call, and is answered with 304 while its bytes are
the same.
"""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_GET, require_POST

from casino.errors import NotThere
from casino.staff.actor import ON_THE_FLOOR, Actor
from casino.staff.models import User
from casino.staff.pages import made_a_tablet, page
from casino.staff.selectors import tablets_at
from casino.staff.services import device_enrol, device_retire, user_unlock
from tables.access import access_table
from tables.floor.board import board_of, wall_of
from tables.floor.polling import polled_shown
from tables.models import RoomStaff


@require_GET
@page
def tables(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Every table of the actor's rooms as a tile on the map of its room; with ``wall``, to be read across the room."""
    is_wall = "wall" in request.GET
    board = wall_of(actor) if is_wall else board_of(actor)
    context = {"board": board.html, "is_wall": is_wall, "locked": _locked_badges(actor)}
    return render(request, "floor/tables.html", context)


@require_GET
@conditional_page
@page
def board(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The strip and the tiles alone, to be polled; ``open`` is the table whose panel stands beside them."""
    return polled_shown(board_of(actor, open_id=request.GET.get("open", "")))


@require_GET
@conditional_page
@page
def wall(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The tiles of the page with ``wall``, to be polled."""
    return polled_shown(wall_of(actor))


@require_POST
@page
def enrol(request: HttpRequest, actor: Actor, table_id: UUID) -> HttpResponse:
    """Make this browser the table's tablet: from here on it takes badge and PIN, and acts at this table alone."""
    at = access_table(actor, table_id, ON_THE_FLOOR)
    _device, token = device_enrol(actor=actor, name=_("Tablet %(table)s") % {"table": at}, place=at.pk)
    return made_a_tablet(request, token)


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
