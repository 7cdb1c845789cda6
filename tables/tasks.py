"""The jobs of the tables: shells over services, safe to be run twice."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from casino.errors import Busy
from casino.gaming_day import ONE_DAY
from ledger.models import SealKind
from ledger.seals import seal_make
from tables.models import Room
from tables.services.replays import replay_part_do


@shared_task(autoretry_for=(Busy,), retry_backoff=10, max_retries=5)  # type: ignore[untyped-decorator]
def seal_ended_gaming_days() -> None:
    """Seal the last gaming day of every room that has ended and has no seal yet; earlier days are in its seal."""
    now = timezone.now()
    for room in Room.objects.order_by("pk"):
        ended = room.gaming_day(now) - ONE_DAY
        seal_make(kind=SealKind.GAMING_DAY, label=f"{room.slug} {ended}", now=now)


@shared_task  # type: ignore[untyped-decorator]
def replay_part(*, part_id: int, **later: object) -> None:
    """Do a part of a replay. ``later`` is what a newer sender may add."""
    replay_part_do(part_id=part_id)
