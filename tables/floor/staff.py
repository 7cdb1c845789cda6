"""The staff page: who is on and where, the line-up of dealers, and what floor does about badges, PINs, sign-ins and tablets."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import conditional_page, require_GET, require_POST

from casino.errors import NotThere, Refusal
from casino.staff.actor import ON_THE_FLOOR, Actor
from casino.staff.enrolment import enrolment_code_make
from casino.staff.models import Device, Role
from casino.staff.pages import page
from casino.staff.second_factor import may_reset, second_factor_reset
from casino.staff.services import device_sign_ins_end, pin_reset, sign_ins_end
from tables.access import access_table
from tables.floor.polling import polled
from tables.selectors.line_up import staff_member, staff_of_rooms
from tables.services.line_up import BREAK_MINUTES, LONGEST_BREAK_MINUTES

_TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"')


@require_GET
@page
def staff(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The line-up, who is signed in, the tablets and the wall screens, of every room of the actor's."""
    return render(request, "floor/staff.html", _of_rooms(actor))


@require_GET
@conditional_page
@page
def now(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The same alone, to be polled. The forms' tokens are others each time, and no reason to send it again."""
    response = polled(render(request, "floor/staff_now.html", _of_rooms(actor)))
    response["ETag"] = f'"{sha256(_TOKEN.sub(b"", response.content)).hexdigest()[:32]}"'
    return response


def _of_rooms(actor: Actor) -> dict[str, Any]:
    return {
        "rooms": staff_of_rooms(actor),
        "break_minutes": BREAK_MINUTES,
        "longest_break": LONGEST_BREAK_MINUTES,
    }


@require_GET
@page
def person(request: HttpRequest, actor: Actor, user_id: UUID) -> HttpResponse:
    """One person: signed in where, and what can be done about badge, PIN and phone."""
    return _person(request, actor, user_id)


def _person(request: HttpRequest, actor: Actor, user_id: UUID, refusal: Refusal | None = None) -> HttpResponse:
    found = staff_member(actor, user_id)
    context = {
        "person": found,
        "is_oneself": actor.user_id == found.user.pk,
        "only_deals": found.user.roles == [Role.DEALER],
        "may_reset_phone": found.has_phone and may_reset(actor, found.user),
        "refusal": refusal,
    }
    return render(request, "floor/staff_person.html", context, status=refusal.status if refusal else 200)


@sensitive_post_parameters("pin", "again")
@require_POST
@page
def new_pin(request: HttpRequest, actor: Actor, user_id: UUID) -> HttpResponse:
    """A new PIN, which the dealer types here twice; a locked badge opens with it."""
    staff_member(actor, user_id)
    try:
        pin_reset(actor=actor, user_id=user_id, pin=request.POST.get("pin", ""), again=request.POST.get("again", ""))
    except Refusal as refusal:
        if refusal.status == 403:
            raise
        return _person(request, actor, user_id, refusal)
    return redirect("floor:staff-person", user_id=user_id)


@require_POST
@page
def reset_phone(request: HttpRequest, actor: Actor, user_id: UUID) -> HttpResponse:
    """Forget a phone; the next sign-in sets up another."""
    staff_member(actor, user_id)
    second_factor_reset(actor=actor, user_id=user_id)
    return redirect("floor:staff-person", user_id=user_id)


@require_POST
@page
def sign_out(request: HttpRequest, actor: Actor, user_id: UUID) -> HttpResponse:
    """End everything a person is signed in with."""
    staff_member(actor, user_id)
    sign_ins_end(actor=actor, user_id=user_id)
    return redirect("floor:staff-person", user_id=user_id)


@require_POST
@page
def tablet_out(request: HttpRequest, actor: Actor, device_id: UUID) -> HttpResponse:
    """End the sign-in on a tablet; it asks for badge and PIN."""
    device = Device.objects.filter(pk=device_id, retired_at__isnull=True).first()
    if device is None or device.place is None:
        raise NotThere("no-such-tablet", _("No tablet in use is meant here. Load the page again."))
    access_table(actor, device.place, ON_THE_FLOOR)
    device_sign_ins_end(actor=actor, device_id=device_id)
    return redirect("floor:staff")


@require_POST
@never_cache
@page
def code(request: HttpRequest, actor: Actor, table_id: UUID) -> HttpResponse:
    """A code for a new tablet of a table, shown this once."""
    at = access_table(actor, table_id, ON_THE_FLOOR)
    made = enrolment_code_make(actor=actor, name=_("Tablet %(table)s") % {"table": at}, place=at.pk)
    return render(request, "floor/staff_code.html", {"table": at, "code": made})
