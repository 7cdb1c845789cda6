"""The jobs of the tables: shells over services, safe to be run twice."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from casino.errors import Busy
from casino.gaming_day import ONE_DAY
from ledger.models import SealKind
from ledger.seals import seal_make
from tables.models import Room
from tables.models.jobs import LONGEST
from tables.services.day_ends import day_ends_ask
from tables.services.jobs import job_do, jobs_take_up
from tables.services.mails import mails_send
from tables.services.replays import replay_part_do
from tables.services.watches import watches_look


@shared_task(autoretry_for=(Busy,), retry_backoff=10, max_retries=5)  # type: ignore[untyped-decorator]
def seal_ended_gaming_days() -> None:
    """Seal the last gaming day of every room that has ended and has no seal yet; earlier days are in its seal."""
    now = timezone.now()
    for room in Room.objects.order_by("pk"):
        ended = room.gaming_day(now) - ONE_DAY
        seal_make(kind=SealKind.GAMING_DAY, label=f"{room.slug} {ended}", now=now)


@shared_task  # type: ignore[untyped-decorator]
def end_gaming_days() -> None:
    """Ask for the end of every gaming day that is over and has none yet."""
    day_ends_ask(now=timezone.now())


@shared_task  # type: ignore[untyped-decorator]
def look_out() -> None:
    """Raise and end watches."""
    watches_look(now=timezone.now())


@shared_task  # type: ignore[untyped-decorator]
def send_mails() -> None:
    """Send the mail that waits."""
    mails_send()


@shared_task  # type: ignore[untyped-decorator]
def replay_part(*, part_id: int, **later: object) -> None:
    """Do a part of a replay. ``later`` is what a newer sender may add."""
    replay_part_do(part_id=part_id)


# Only a job counts its attempts, so only a job may come back at once when it has killed its worker. One that hangs is told to
# stop, and its process ended where that does not reach it.
@shared_task(  # type: ignore[untyped-decorator]
    reject_on_worker_lost=True,
    soft_time_limit=LONGEST.total_seconds(),
    time_limit=(LONGEST + timedelta(minutes=5)).total_seconds(),
)
def do_job(*, job_id: str, **later: object) -> None:
    """Do a job, unless it is done, or being done. ``later`` is what a newer sender may add."""
    job_do(job_id=UUID(job_id))


@shared_task  # type: ignore[untyped-decorator]
def take_up_jobs() -> None:
    """Give the workers again what the broker has lost, and what died with its worker."""
    jobs_take_up()
