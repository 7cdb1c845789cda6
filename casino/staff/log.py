"""The log of sign-ins: what is written, and from where the request came.

The request is kept beside the work it causes, so that a service can say who tried what without being told of HTTP. Allowed
requests write nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_address
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from casino.staff.models import SignInEvent, Way, What

REFUSED_AGAIN_AFTER = timedelta(minutes=10)
"""The same refusal of the same person from the same address is written once in this time: pages that poll ask all the time."""

FAILURES = (What.REFUSED, What.WRONG, What.LOCKED, What.LOCKED_OUT, What.CODE_WRONG, What.ENROL_WRONG)

_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


@contextmanager
def during(request: HttpRequest) -> Iterator[None]:
    """While this request is answered, whatever is written comes from it."""
    token = _request.set(request)
    try:
        yield
    finally:
        _request.reset(token)


@dataclass(frozen=True, slots=True)
class Origin:
    """From where something is done: the enrolled device and the address of the request that is being answered."""

    way: Way
    device_id: UUID | None = None
    address: str | None = None


def origin() -> Origin:
    """From where what is being done is done: the web where a request is being answered, else the server's own command line."""
    request = _request.get()
    if request is None:
        return Origin(Way.SERVER)
    device = getattr(request, "device", None)
    return Origin(Way.WEB, device.pk if device else None, address_of(request))


def write(
    what: What,
    *,
    way: Way | None = None,
    user_id: UUID | None = None,
    badge_number: str = "",
    by_id: UUID | None = None,
    device_id: UUID | None = None,
    code: str = "",
) -> None:
    """Add a line. ``way`` is that of the ``origin`` unless it is given."""
    request = _request.get()
    came_from = origin()
    SignInEvent.objects.create(
        what=what,
        way=way or came_from.way,
        user_id=user_id,
        badge_number=_stored(badge_number, 40),
        by_id=by_id,
        device_id=device_id or came_from.device_id,
        address=came_from.address,
        user_agent=_stored(request.headers.get("User-Agent", ""), 300) if request else "",
        about=_stored(request.path, 300) if request else "",
        code=code,
    )
    if request is not None and what in FAILURES:
        request.is_in_the_log = True  # type: ignore[attr-defined]


def proved(user_id: UUID) -> None:
    """Note who has just given the right secret, for the line about a refusal that may follow."""
    if (request := _request.get()) is not None:
        request.proved_id = user_id  # type: ignore[attr-defined]


def write_refusal(request: HttpRequest, *, way: Way, user_id: UUID | None, code: str) -> None:
    """Add a line about a request that was refused, unless the service that refused it wrote one, or it is a repetition."""
    if getattr(request, "is_in_the_log", False):
        return
    user_id = user_id or getattr(request, "proved_id", None)
    written = SignInEvent.objects.filter(
        Q(user_id=user_id),
        address=address_of(request),
        at__gte=timezone.now() - REFUSED_AGAIN_AFTER,
        what=What.REFUSED,
        way=way,
        about=_stored(request.path, 300),
        code=code,
    )
    if not written.exists():
        write(What.REFUSED, way=way, user_id=user_id, code=code)


def address_of(request: HttpRequest) -> str | None:
    """Where a request came from: the peer's address, or what it forwards where the peer is one of our own proxies.

    Of what was forwarded the last address counts that is no proxy of ours; those before it are whatever the sender wrote.
    """
    peers = [request.META.get("REMOTE_ADDR", "")]
    peers += reversed(request.headers.get("X-Forwarded-For", "").split(","))
    found = None
    for peer in peers:
        try:
            address = ip_address(peer.strip())
        except ValueError:
            break
        found = str(address)
        if not any(address in network for network in settings.TRUSTED_PROXIES):
            break
    return found


def _stored(text: str, length: int) -> str:
    """A text as the database takes it."""
    return text.replace("\0", "")[:length]
