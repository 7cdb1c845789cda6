"""Who is behind an API request: a sign-in on this site, or a token. ``request.auth`` is the actor."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, CSRFCheck, get_authorization_header
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from casino.errors import Forbidden
from casino.staff.actor import Actor
from casino.staff.middleware import actor_of, device_of
from casino.staff.press_tokens import press_token_actor
from casino.staff.selectors import api_token_by_secret
from casino.staff.services import SignInRefused
from tables.api.answering import NotSignedIn

KEYWORD = b"token"
PRESS_HEADER = "X-Press-Token"


class TokenAuthentication(BaseAuthentication):
    """``Authorization: Token …``: whom the token was made for, and on which device."""

    def authenticate(self, request: Request) -> tuple[Any, Actor] | None:
        """The token's person. Raises ``NotSignedIn`` for one that nobody holds or that was revoked."""
        words = get_authorization_header(request).split()
        if not words:
            return None
        secret = words[1].decode("latin-1") if len(words) == 2 and words[0].lower() == KEYWORD else ""
        token = api_token_by_secret(secret)
        if token is None:
            raise NotSignedIn("no-such-token", _("This token is not valid, or was revoked. Ask for a new one."))
        return token.user, Actor.of(token.user, token.device)

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return "Token"


class PressTokenAuthentication(BaseAuthentication):
    """``X-Press-Token``: who pressed on this tablet, whoever is signed in on it by now or nobody.

    For commands alone. No other site's page can send the header, so it stands for the site's own token as well.
    """

    def authenticate(self, request: Request) -> tuple[Any, Actor] | None:
        """The owner of the press. Raises ``NotSignedIn`` for a token that is not good on this device."""
        token = request.headers.get(PRESS_HEADER)
        if token is None:
            return None
        try:
            actor = press_token_actor(token=token, device=device_of(request._request))
        except SignInRefused as refusal:
            raise NotSignedIn(refusal.code, refusal.message) from refusal
        return None, actor

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return PRESS_HEADER


class SessionAuthentication(BaseAuthentication):
    """The sign-in of the site's own pages. What changes something has to carry the site's token, as their scripts do."""

    def authenticate(self, request: Request) -> tuple[Any, Actor] | None:
        """Who is signed in. Raises ``Forbidden`` for a request that another site may have sent."""
        check = CSRFCheck(_never)
        check.process_request(request._request)
        if check.process_view(request._request, _never, (), {}):
            raise csrf_refusal()
        actor = actor_of(request._request)
        return (request._request.user, actor) if actor is not None else None


def csrf_refusal() -> Forbidden:
    """A request without this site's token."""
    return Forbidden("csrf", _("This page is out of date. Load it again and repeat the action."))


def _never(request: HttpRequest) -> HttpResponse:
    raise AssertionError("a check calls no view")


def actor_behind(request: Request) -> Actor:
    """Who asks. Raises ``NotSignedIn``, which no view comes to see: ``SignedIn`` stands before it."""
    if not isinstance(request.auth, Actor):
        raise NotSignedIn("not-signed-in", _("Sign in, then send it again."))
    return request.auth


class SignedIn(BasePermission):
    """Somebody is signed in; what they may do is decided further down."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether there is an actor. Raises ``NotSignedIn`` where not."""
        return bool(actor_behind(request))


class TokenInDocument(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The token in the API's document."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """How a token is sent."""
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token ` and the secret that `manage.py api_token` printed.",
        }


class PressTokenInDocument(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The press token in the API's document."""

    target_class = PressTokenAuthentication
    name = "press"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """How a tablet sends what was pressed on it."""
        return {
            "type": "apiKey",
            "in": "header",
            "name": PRESS_HEADER,
            "description": "What the tablet was given at a sign-in by PIN, for a day, beside its own device cookie.",
        }


class SessionInDocument(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The sign-in in the API's document."""

    target_class = SessionAuthentication
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """How the site's pages are signed in."""
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "The sign-in of the site; what is posted needs `X-CSRFToken` beside it.",
        }
