"""Reads about staff and devices."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from casino.quickly_read import read_one
from casino.set_up_history import Happened
from casino.staff.change_log import events_of
from casino.staff.models import ApiToken, Device, User


def device_by_token(token: str) -> Device | None:
    """The device that holds this token, unless it was retired."""
    if not token:
        return None
    return read_one(Device, "token_sha256 = %s AND retired_at IS NULL", [Device.fingerprint(token)])


def tablets_at(place: UUID) -> QuerySet[Device]:
    """The devices in use that stand at a place, the oldest first."""
    return Device.objects.filter(place=place, retired_at__isnull=True).order_by("enrolled_at", "pk")


def api_token_by_secret(secret: str) -> ApiToken | None:
    """The token with this secret, unless it or its device was ended or its person no longer works here."""
    if not secret:
        return None
    return (
        ApiToken.objects.filter(
            Q(device__isnull=True) | Q(device__retired_at__isnull=True),
            secret_sha256=Device.fingerprint(secret),
            revoked_at__isnull=True,
            user__is_active=True,
        )
        .select_related("user", "device")
        .first()
    )


def devices_called(name: str) -> list[Device]:
    """The devices in use of this name, or the one with this id, the oldest first."""
    called = Q(name=name)
    with suppress(ValueError):
        called |= Q(pk=UUID(name))
    return list(Device.objects.filter(called, retired_at__isnull=True).order_by("enrolled_at", "pk"))


def left_since(people: Iterable[UUID]) -> dict[UUID, datetime]:
    """Since when these people, who do not work here now, have not: the change that took their access, as the history has it."""
    events = events_of(User)._default_manager.filter(pgh_obj_id__in=list(people))  # type: ignore[misc]
    events = events.exclude(pgh_label__in=(Happened.NEW_PASSWORD, Happened.NEW_PIN)).order_by("pgh_id")
    left: dict[UUID, datetime] = {}
    for user_id, at, is_active in events.values_list("pgh_obj_id", "pgh_created_at", "is_active"):  # type: ignore[misc]
        if is_active:
            left.pop(user_id, None)
        else:
            left.setdefault(user_id, at)
    return left
