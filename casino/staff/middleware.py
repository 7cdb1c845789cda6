"""Puts the actor on each request."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from casino.staff.actor import Actor
from casino.staff.models import Device
from casino.staff.selectors import device_by_token

DEVICE_COOKIE = "backline_device"
SESSION_DEVICE = "device"


def actor_of(request: HttpRequest) -> Actor | None:
    """Who is signed in on this request."""
    actor: Actor | None = request.actor  # type: ignore[attr-defined]
    return Actor(**{name: getattr(actor, name) for name in Actor.__slots__}) if actor else None


def device_of(request: HttpRequest) -> Device | None:
    """The enrolled device this request comes from."""
    device: Device | None = request.device  # type: ignore[attr-defined]
    return device if device else None


class ActorMiddleware:
    """Sets ``request.device`` (what the device cookie says) and ``request.actor`` (who is signed in), both lazily.

    Views ask ``actor_of`` and ``device_of``; the lazy values are for templates.

    A sign-in by PIN holds only on the device it was made on: a session carried to another browser, or on a
    device that was retired since, has no actor.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.device = SimpleLazyObject(lambda: device_by_token(request.COOKIES.get(DEVICE_COOKIE, "")))  # type: ignore[attr-defined]
        request.actor = SimpleLazyObject(lambda: _actor(request))  # type: ignore[attr-defined]
        return self.get_response(request)


def _actor(request: HttpRequest) -> Actor | None:
    if not request.user.is_authenticated:
        return None
    signed_in_on = request.session.get(SESSION_DEVICE)
    if signed_in_on is None:
        return Actor.of(request.user)
    device = device_of(request)
    if device is None or str(device.pk) != signed_in_on:
        return None
    return Actor.of(request.user, device)
