"""Reads about staff and devices."""

from casino.staff.models import Device


def device_by_token(token: str) -> Device | None:
    """The device that holds this token, unless it was retired."""
    if not token:
        return None
    return Device.objects.filter(token_sha256=Device.fingerprint(token), retired_at__isnull=True).first()
