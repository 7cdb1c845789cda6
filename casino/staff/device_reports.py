"""What tablets say of themselves whenever they ask for something: that they are there, and what they hold unsent.

Kept on the device's own row, under no lock that anybody playing could wait for, and not at every question.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.utils.dateparse import parse_datetime

from casino.staff.models import Device

UNSENT_HEADER = "X-Unsent"
KEPT_EVERY = timedelta(seconds=10)
MOST_UNSENT = 9_999


@dataclass(frozen=True, slots=True)
class Unsent:
    """The presses that wait on a device, and when the oldest was pressed; ``None`` where none waits."""

    count: int = 0
    oldest_at: datetime | None = None


def unsent_in(header: str, now: datetime) -> Unsent | None:
    """What the header ``X-Unsent: 2;2026-11-30T12:00:00Z`` says, ``0`` where nothing waits; ``None`` for anything else.

    A device whose clock is ahead has pressed nothing later than now.
    """
    count, _semicolon, oldest = header.strip().partition(";")
    if not (count.isdecimal() and count.isascii() and len(count) <= len(str(MOST_UNSENT))):
        return None
    if not int(count):
        return Unsent()
    pressed_at = None
    with suppress(ValueError):
        pressed_at = parse_datetime(oldest)
    if pressed_at is None:
        return None
    return Unsent(int(count), min(pressed_at if pressed_at.tzinfo else pressed_at.replace(tzinfo=UTC), now))


def device_left(device: Device) -> None:
    """Keep that nobody is signed in on a device: nothing is to be heard from it until somebody is."""
    if device.last_seen_at is not None:
        device.last_seen_at = None
        device.save(update_fields=["last_seen_at"])


def device_report(*, device: Device, unsent: Unsent | None, now: datetime) -> None:
    """Keep that a device asked for something just now, and what waits on it; ``None`` leaves what was known of that.

    Written when the number changes, and otherwise once in ten seconds.
    """
    changed = unsent is not None and unsent.count != device.unsent_count
    if not changed and device.last_seen_at is not None and now - device.last_seen_at < KEPT_EVERY:
        return
    device.last_seen_at = now
    if unsent is not None:
        device.unsent_count, device.oldest_unsent_at = unsent.count, unsent.oldest_at
    device.save(update_fields=["last_seen_at", "unsent_count", "oldest_unsent_at"])
