"""What an operator watches of sign-ins and devices."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone

from casino.metrics import Gauge
from casino.staff.log import FAILURES
from casino.staff.models import SignInEvent, User

LAST_HOUR = timedelta(hours=1)
MOST_LINES = 2_000
"""How many of the log's newest lines are looked at, so that the cost does not grow with the log."""


def watched() -> Iterator[Gauge]:
    """Failed sign-ins and refusals of the last hour, and badges that are locked."""
    since = timezone.now() - LAST_HOUR
    newest = SignInEvent.objects.order_by("-pk")[:MOST_LINES]
    failed = newest.aggregate(count=Count("pk", filter=Q(what__in=FAILURES, at__gte=since)))["count"]
    words = f"Failed sign-ins and refusals within the last hour, among the newest {MOST_LINES:,} lines of the log."
    yield Gauge("failed_sign_ins_last_hour", words, failed)
    locked = User.objects.filter(is_active=True, locked_at__isnull=False).count()
    yield Gauge("badges_locked", "Badges that wrong tries have locked.", locked)
