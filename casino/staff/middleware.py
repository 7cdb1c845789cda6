"""Puts the actor on each request, ends sign-ins that no longer hold, and has refusals written down."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user, login, user_logged_in, user_logged_out
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from casino.staff import log
from casino.staff.actor import Actor
from casino.staff.models import Device, User, Way, What
from casino.staff.selectors import device_by_token

DEVICE_COOKIE = "backline_device"
BACKEND = "casino.staff.sessions.StaffBackend"

SESSION_DEVICE = "device"
SESSION_DEVICE_ENDED = "device_ended"
SESSION_ENDED = "ended"
SESSION_SINCE = "since"
SESSION_SEEN = "seen"

SEEN_AGAIN_AFTER_S = 60
"""How old what a session says about its last use may become, so that not every request writes."""


def actor_of(request: HttpRequest) -> Actor | None:
    """Who is signed in on this request."""
    actor: Actor | None = request.actor  # type: ignore[attr-defined]
    return Actor(**{name: getattr(actor, name) for name in Actor.__slots__}) if actor else None


def device_of(request: HttpRequest) -> Device | None:
    """The enrolled device this request comes from."""
    device: Device | None = request.device  # type: ignore[attr-defined]
    return device if device else None


def sign_in(request: HttpRequest, user: User, device: Device | None = None) -> None:
    """Sign somebody in who has proved who they are: on a device by PIN, else on the web. What the session held before is gone."""
    user.refresh_from_db(fields=["sign_ins_ended"])
    request.session.flush()
    login(request, user, backend=BACKEND)
    if device is not None:
        request.session[SESSION_DEVICE] = str(device.pk)
        request.session[SESSION_DEVICE_ENDED] = device.sign_ins_ended
    log.write(What.SIGNED_IN, way=Way.TABLET if device else Way.WEB, user_id=user.pk, badge_number=user.badge_number)


@receiver(user_logged_in)
def _begin(sender: object, request: HttpRequest, user: User, **_: object) -> None:
    """Keep with the session what decides whether it still holds."""
    request.session[SESSION_ENDED] = user.sign_ins_ended
    request.session[SESSION_SINCE] = request.session[SESSION_SEEN] = int(time.time())


@receiver(user_logged_out)
def _write_sign_out(sender: object, request: HttpRequest, user: User | None, **_: object) -> None:
    if isinstance(user, User):
        way = Way.TABLET if SESSION_DEVICE in request.session else Way.WEB
        log.write(What.SIGNED_OUT, way=way, user_id=user.pk, badge_number=user.badge_number)


def is_quiet(session: SessionBase | Mapping[str, Any]) -> bool:
    """Whether a sign-in on the web was not used for the quiet time. A tablet has none: a table may wait for players for long."""
    quiet_s = settings.QUIET_MINUTES * 60
    return SESSION_DEVICE not in session and time.time() - session.get(SESSION_SEEN, time.time()) > quiet_s


def is_old(session: SessionBase | Mapping[str, Any]) -> bool:
    """Whether a sign-in is older than any lasts, however much it is used."""
    since: float = session.get(SESSION_SINCE, time.time())
    return time.time() - since > settings.SESSION_COOKIE_AGE


class ActorMiddleware:
    """Sets ``request.device`` (what the device cookie says) and ``request.actor`` (who is signed in), both lazily.

    Views ask ``actor_of`` and ``device_of``; the lazy values are for templates.

    A sign-in by PIN holds only on the device it was made on: a session carried to another browser, or on a
    device that was retired since, has no actor. Every sign-in ends when its person's were ended, and on the web after a quiet
    time; a view marked ``unattended`` is no use of it. Refusals are written to the log of sign-ins.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.device = SimpleLazyObject(lambda: device_by_token(request.COOKIES.get(DEVICE_COOKIE, "")))  # type: ignore[attr-defined]
        request.user = SimpleLazyObject(lambda: _user(request))  # type: ignore[assignment]
        request.actor = SimpleLazyObject(lambda: _actor(request))  # type: ignore[attr-defined]
        with log.during(request):
            response = self.get_response(request)
            if _is_refusal(response):
                _write_refusal(request, response)
        return response


def _user(request: HttpRequest) -> User | AnonymousUser:
    """Who is signed in by the session, which ends here when it no longer holds."""
    user = get_user(request)
    if not isinstance(user, User):
        return AnonymousUser()
    why = None
    if request.session.get(SESSION_ENDED, 0) != user.sign_ins_ended:
        why = What.ENDED
    elif is_quiet(request.session):
        why = What.QUIET
    elif is_old(request.session):
        why = What.OLD
    if why is not None:
        way = Way.TABLET if SESSION_DEVICE in request.session else Way.WEB
        log.write(why, way=way, user_id=user.pk, badge_number=user.badge_number)
        request.session.flush()
        return AnonymousUser()
    _keep_seen(request)
    return user


def _keep_seen(request: HttpRequest) -> None:
    view = request.resolver_match.func if request.resolver_match else None
    now = int(time.time())
    if not getattr(view, "is_unattended", False) and now - request.session.get(SESSION_SEEN, 0) >= SEEN_AGAIN_AFTER_S:
        request.session[SESSION_SEEN] = now


def _actor(request: HttpRequest) -> Actor | None:
    if not isinstance(user := request.user, User):
        return None
    signed_in_on = request.session.get(SESSION_DEVICE)
    if signed_in_on is None:
        return Actor.of(user)
    device = device_of(request)
    if device is None or str(device.pk) != signed_in_on:
        return None
    if device.sign_ins_ended != request.session.get(SESSION_DEVICE_ENDED, 0):
        return None
    return Actor.of(user, device)


def _is_refusal(response: HttpResponse) -> bool:
    """Whether somebody may not do this: told so, sent to sign in, or told that there is no such thing by who knows better."""
    if response.status_code == 404:
        return hasattr(response, "refusal_code")
    return response.status_code in (401, 403) or hasattr(response, "sends_to_sign_in")


def _write_refusal(request: HttpRequest, response: HttpResponse) -> None:
    # What the API has found out: a token's person, or whose press it was.
    found = getattr(request, "auth", None)
    actor = found if isinstance(found, Actor) else actor_of(request)
    on_the_site = Way.TABLET if actor and actor.place else Way.WEB
    way = Way.TOKEN if "Authorization" in request.headers else on_the_site
    code = getattr(response, "refusal_code", "")
    log.write_refusal(request, way=way, user_id=actor.user_id if actor else None, code=code)
