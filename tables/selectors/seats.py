"""Which seats are held for somebody."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from tables.models import SeatHold


def holds_running(now: datetime) -> QuerySet[SeatHold]:
    """The holds that were neither used nor let go and have not run out."""
    running = SeatHold.objects.filter(ended_at__isnull=True, until__gt=now)
    return running.select_related("patron", "seat__table__room")
