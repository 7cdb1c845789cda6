"""Reads about staff and devices."""

from uuid import UUID

from django.db.models import QuerySet

from casino.staff.models import Device


def device_by_token(token: str) -> Device | None:
    """The device that holds this token, unless it was retired."""
    if not token:
        return None
    return Device.objects.filter(token_sha256=Device.fingerprint(token), retired_at__isnull=True).first()


def tablets_at(place: UUID) -> QuerySet[Device]:
    """The devices in use that stand at a place, the oldest first."""
    return Device.objects.filter(place=place, retired_at__isnull=True).order_by("enrolled_at", "pk")
