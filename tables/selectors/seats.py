"""Which seats are held for somebody."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from ledger.rows import Composed, any_of, instant
from tables.models import SeatHold


class SeatHeld(NamedTuple):
    """A seat that is held, and until when."""

    session_id: UUID
    hold_id: int
    seat: int
    until: datetime


def holds_running(now: datetime | RawSQL) -> QuerySet[SeatHold]:
    """The holds that were neither used nor let go and have not run out."""
    running = SeatHold.objects.filter(ended_at__isnull=True, until__gt=now)
    return running.select_related("patron", "seat__table__room")


def seats_held(sessions: Sequence[UUID], now: datetime) -> list[SeatHeld]:
    """The seats that are held at some sessions, in one short read."""
    return [SeatHeld(*row) for row in _HELD(sessions, now)]


_HELD = Composed(
    lambda sessions, now: (
        holds_running(instant(now))
        .filter(session__in=any_of(sessions))
        .values_list("session", "pk", "seat__number", "until")
    ),
    ids=2,
)
