"""What every page needs: somebody signed in, and refusals shown as a page."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from casino.errors import Forbidden, Malformed, Refusal
from casino.staff.middleware import DEVICE_COOKIE, actor_of

DEVICE_COOKIE_SECONDS = 365 * 24 * 60 * 60


def page(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A page for staff signed in on the web, ``view(request, actor, …)``. Others are sent to sign in; a refusal becomes a page.

    What a form says has no NUL, which the database takes in no text.
    A sign-in by PIN opens the tablet's own screens and no page: it has no second factor.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        actor = actor_of(request)
        if actor is None:
            response: HttpResponse = redirect_to_login(request.get_full_path())
            response.sends_to_sign_in = True  # type: ignore[attr-defined]
            return response
        try:
            if actor.place is not None:
                raise Forbidden("web-only", _("This is done on the web, signed in with badge and password."))
            if any("\0" in value for _name, values in request.POST.lists() for value in values):
                raise Malformed(
                    "malformed", _("A field holds a character that cannot be stored. Clear it and type it anew.")
                )
            return view(request, actor, *args, **kwargs)
        except Refusal as refusal:
            response = render(request, "refused.html", {"refusal": refusal}, status=refusal.status)
            response.refusal_code = refusal.code  # type: ignore[attr-defined]
            return response

    return wrapped


def unattended(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Mark what a page asks for by itself every few seconds, where it has its address: it is no use of the sign-in."""
    view.is_unattended = True  # type: ignore[attr-defined]
    return view


def made_a_tablet(request: HttpRequest, token: str, *, shows: str = "tablet:app") -> HttpResponse:
    """Give this browser a device's token: whoever was signed in is not any more. A tablet asks for badge and PIN.

    ``shows`` is the page that the device is for.
    """
    logout(request)
    response = redirect(shows)
    response.set_cookie(
        DEVICE_COOKIE,
        token,
        max_age=DEVICE_COOKIE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response
