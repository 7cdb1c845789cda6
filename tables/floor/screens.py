"""Wall screens: browsers that show the tables of one room and nothing else, with nobody signed in.

A screen is a device that stands at a room as a tablet stands at a table. It can press nothing, since every page and every
verb asks who is signed in; it goes on until floor ends it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_GET, require_POST

from casino.errors import Forbidden, NotThere
from casino.staff.actor import Actor
from casino.staff.middleware import device_of
from casino.staff.models import Device
from casino.staff.pages import made_a_tablet, page
from casino.staff.services import device_enrol, device_retire
from tables.floor.board import wall_of_room
from tables.floor.polling import polled_shown
from tables.models import Room
from tables.services.floor_map import room_to_arrange


def on_a_screen(view: Callable[[HttpRequest, Room], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A page of a wall screen, ``view(request, room)``, whoever is signed in; 403 for every other browser."""

    @wraps(view)
    def wrapped(request: HttpRequest) -> HttpResponse:
        device = device_of(request)
        room = Room.objects.filter(pk=device.place).first() if device and device.place else None
        if room is not None:
            return view(request, room)
        message = _("This browser is no wall screen, or floor has ended it. Floor makes one on the staff page.")
        refusal = Forbidden("no-screen", message)
        response = render(request, "refused.html", {"refusal": refusal}, status=refusal.status)
        response.refusal_code = refusal.code  # type: ignore[attr-defined]
        return response

    return wrapped


@require_GET
@on_a_screen
def screen(request: HttpRequest, room: Room) -> HttpResponse:
    """The tables of the screen's room, to be read across it."""
    return render(request, "floor/screen.html", {"board": wall_of_room(room.pk).html, "room": room})


@require_GET
@conditional_page
@on_a_screen
def board(request: HttpRequest, room: Room) -> HttpResponse:
    """The tiles alone, to be polled."""
    return polled_shown(wall_of_room(room.pk))


@require_POST
@page
def enrol(request: HttpRequest, actor: Actor, room_id: UUID) -> HttpResponse:
    """Make this browser a wall screen of the room; whoever was signed in on it is not any more."""
    room = room_to_arrange(actor, room_id)
    _device, token = device_enrol(actor=actor, name=_("Wall screen of %(room)s") % {"room": room}, place=room.pk)
    return made_a_tablet(request, token, shows="floor:screen")


@require_POST
@page
def retire(request: HttpRequest, actor: Actor, screen_id: UUID) -> HttpResponse:
    """End a wall screen of one of the actor's rooms: it shows nothing from its next question on."""
    screen = Device.objects.filter(pk=screen_id, place__in=Room.objects.values("pk"), retired_at__isnull=True).first()
    if screen is None or screen.place is None:
        raise NotThere("no-such-screen", _("No wall screen in use is meant here. Load the page again."))
    room_to_arrange(actor, screen.place)
    device_retire(actor=actor, device_id=screen.pk)
    return redirect("floor:staff")
