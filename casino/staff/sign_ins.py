"""Who is signed in now: read from the sessions, which hold it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone

from casino.staff.middleware import (
    SESSION_DEVICE,
    SESSION_DEVICE_ENDED,
    SESSION_ENDED,
    SESSION_SEEN,
    SESSION_SINCE,
    is_old,
    is_quiet,
)
from casino.staff.models import Device, User


@dataclass(frozen=True, slots=True)
class SignIn:
    """One sign-in that holds: whose, on which device where it was by PIN, since when, and when it was last used."""

    user: User
    device: Device | None
    since: datetime
    seen_at: datetime


def sign_ins_of(users: Mapping[UUID, User], devices: Mapping[UUID, Device]) -> Iterator[SignIn]:
    """The sign-ins of these people that hold, on the web or on one of these devices; no device that was retired is among them."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()).order_by("pk"):
        kept = session.get_decoded()
        user = users.get(UUID(kept[SESSION_KEY])) if SESSION_KEY in kept else None
        if user is None or kept.get(SESSION_ENDED, 0) != user.sign_ins_ended or is_quiet(kept) or is_old(kept):
            continue
        device = None
        if SESSION_DEVICE in kept:
            device = devices.get(UUID(kept[SESSION_DEVICE]))
            if device is None or kept.get(SESSION_DEVICE_ENDED, 0) != device.sign_ins_ended:
                continue
        yield SignIn(user, device, _instant(kept[SESSION_SINCE]), _instant(kept[SESSION_SEEN]))


def _instant(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
