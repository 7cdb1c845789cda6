"""The tablet as an app: a shell that holds no data, what it draws from, and signing in without a page load."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.middleware.csrf import get_token
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from casino.errors import Forbidden, Malformed, NotThere, Refusal
from casino.staff.actor import Actor
from casino.staff.device_reports import UNSENT_HEADER, device_left, device_report, unsent_in
from casino.staff.middleware import actor_of, device_of, sign_in
from casino.staff.models import Device, Role
from casino.staff.press_tokens import press_token_make
from casino.staff.services import SignInRefused, pin_sign_in
from tables.access import access_table
from tables.models import Hand, Table, TableSession
from tables.services.commands import Order
from tables.services.sessions import session_deal_in
from tables.tablet.state import me, table_shown, tablet_state
from tables.tablet.tag import state_tag
from tables.tablet.verdicts import judged_hand, verdict_shown


def answered(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Refusals in the one shape of errors, and nothing kept by a cache."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Refusal as refusal:
            response = JsonResponse(refusal.as_data(), status=refusal.status)
            response.refusal_code = refusal.code  # type: ignore[attr-defined]
            return response

    return never_cache(wrapped)


def at_own_table(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """An answer for who is signed in on a tablet, ``view(request, actor, table, …)``; 401 for nobody."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        actor = actor_of(request)
        if actor is None:
            _keep_left(request)
            raise SignInRefused("not-signed-in", _("Sign in, then go on."))
        return view(request, actor, own_table(actor), *args, **kwargs)

    return answered(wrapped)


@require_GET
@at_own_table
def state(request: HttpRequest, actor: Actor, at: Table) -> HttpResponse:
    """The state of the table; 304 while nothing has changed."""
    _keep_report(request)
    etag = f'"{state_tag(at, actor)}"'
    if request.headers.get("If-None-Match") == etag:
        return HttpResponseNotModified(headers={"ETag": etag})
    return JsonResponse(tablet_state(at, actor), headers={"ETag": etag})


def _keep_report(request: HttpRequest) -> None:
    """Keep for floor that the tablet is there, and what it says it has not sent."""
    if device := device_of(request):
        now = timezone.now()
        device_report(device=device, unsent=unsent_in(request.headers.get(UNSENT_HEADER, ""), now), now=now)


def _keep_left(request: HttpRequest) -> None:
    """Keep for floor that nobody is signed in on the tablet, so that its silence means nothing."""
    if device := device_of(request):
        device_left(device)


@require_GET
@at_own_table
def verdict(request: HttpRequest, actor: Actor, at: Table, hand_id: UUID) -> HttpResponse:
    """The verdict on a hand of this table, for a tablet that was offline when it was settled."""
    hand = Hand.objects.select_related("rules", "final_record__verdict").filter(pk=hand_id, session__table=at).first()
    judged = judged_hand(hand) if hand is not None else None
    if judged is None:
        raise NotThere("no-such-verdict", _("There is no verdict on such a hand at this table."))
    return JsonResponse(verdict_shown(judged))


@require_http_methods(["GET", "POST"])
@ensure_csrf_cookie
@answered
def who(request: HttpRequest) -> HttpResponse:
    """Who is signed in and where the tablet stands; posted, badge and PIN sign in. Three wrong PINs lock the badge."""
    device = device_of(request)
    place = _place(device)
    if request.method == "GET":
        actor = actor_of(request)
        return JsonResponse(
            {
                "me": me(actor) if actor and actor.place else None,
                "table": place,
                "csrf": get_token(request),
            }
        )
    if device is None or place is None:
        message = _("This browser is not enrolled as a tablet. Floor enrols one at the table.")
        raise SignInRefused("not-a-tablet", message)
    badge_number, pin = _badge_and_pin(request)
    user = pin_sign_in(device=device, badge_number=badge_number, pin=pin)
    actor = Actor.of(user, device)
    _take_over(actor)
    sign_in(request, user, device)
    token = press_token_make(user=user, device=device)
    return JsonResponse({"me": me(actor), "press_token": token, "csrf": get_token(request)})


def own_table(actor: Actor) -> Table:
    """The table that the actor's tablet stands at. Raises ``Forbidden`` on the web and for who does not work there."""
    if actor.place is None:
        raise Forbidden("tablet-only", _("This page belongs to a tablet. Floor enrols one at the table."))
    return access_table(actor, actor.place)


def _take_over(actor: Actor) -> None:
    """A dealer who signs in at an open table deals there from now on. Raises ``Forbidden`` for who has no rights here."""
    session = TableSession.objects.filter(table=own_table(actor), closed_at__isnull=True).first()
    if session is not None and actor.has_role(Role.DEALER) and session.dealer_id != actor.user_id:
        session_deal_in(Order(key=uuid4(), actor=actor, occurred_at=timezone.now()), session_id=session.pk)


@require_POST
@answered
def out(request: HttpRequest) -> HttpResponse:
    """End the sign-in; the tablet stays where it is and asks for badge and PIN."""
    logout(request)
    _keep_left(request)
    return JsonResponse({"csrf": get_token(request)})


def _place(device: Device | None) -> dict[str, Any] | None:
    table = Table.objects.select_related("room").filter(pk=device.place).first() if device and device.place else None
    return table_shown(table) if table else None


def _badge_and_pin(request: HttpRequest) -> tuple[str, str]:
    try:
        values = json.loads(request.body)
        badge_number, pin = values["badge"], values["pin"]
    except (ValueError, TypeError, KeyError) as error:
        raise Malformed("malformed", _("Send badge and PIN as a JSON object.")) from error
    if not isinstance(badge_number, str) or not isinstance(pin, str):
        raise Malformed("malformed", _("Send badge and PIN, both as text."))
    return badge_number.strip(), pin
