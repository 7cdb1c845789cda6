"""The end of a gaming day: asking for it once the day is over, and its steps, each of which is done once whoever repeats it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any

from django.db import connection, transaction
from django.db.models import Max
from django.utils import timezone

from casino.gaming_day import ONE_DAY, gaming_day_bounds
from ledger.checks import Validator, validators
from ledger.models import SealKind
from ledger.seals import seal_make
from ledger.selectors import seal_of_day
from tables.models import (
    DayEnd,
    DayEndPaper,
    Dispute,
    Job,
    KeptFile,
    ReplayRun,
    ReportPrinting,
    Room,
    TableException,
    TableSession,
)
from tables.selectors.day_ends import differences_found, seal_label
from tables.selectors.reports.day_end import asked_for_day, figures_of_day
from tables.selectors.reports.gaming_day import GAMING_DAY
from tables.services.doing import Superseded
from tables.services.jobs import job_ask
from tables.services.mails import mail_of_day_end
from tables.services.replays import replay_ask, replay_parts_do

DAY_END = "day-end"
"""The kind of the job."""
MOST_AT_ONCE = 7
"""How many days of a room are asked for at once, where the program was not running for longer."""
FINDINGS_KEPT = 20
"""How many findings of a check are kept in words; all are counted."""

Say = Callable[[int, int], object]
"""Is told how many of how many parts of a step are done."""


def day_ends_ask(*, now: datetime) -> list[DayEnd]:
    """Ask for the end of every gaming day that is over and has none yet, the oldest first: those asked for now.

    A room's first one is the last day that was over when this first ran, if it had been played in by then; from there on none is
    left out, also where nothing ran for days: each comes later, on its own.
    """
    return [_ask(room, day) for room in Room.objects.order_by("pk") for day in _days_to_end(room, now)]


def _days_to_end(room: Room, now: datetime) -> Iterator[date]:
    over = room.gaming_day(now) - ONE_DAY
    last: date | None = DayEnd.objects.filter(room=room).aggregate(last=Max("gaming_date"))["last"]
    if last is None:
        _start, end = gaming_day_bounds(over, time_zone=room.zone, starts_at=room.day_starts_at)
        if TableSession.objects.filter(table__room=room, opened_at__lt=end).exists():
            yield over
        return
    for days in range(1, min((over - last).days, MOST_AT_ONCE) + 1):
        yield last + timedelta(days=days)


@transaction.atomic
def _ask(room: Room, day: date) -> DayEnd:
    job = job_ask(kind=DAY_END, key=f"{room.pk} {day}", asked={"day": day.isoformat()}, room=room)
    return DayEnd.objects.get_or_create(room=room, gaming_date=day, defaults={"job": job})[0]


def day_end_seal(*, day_end: DayEnd, now: datetime) -> None:
    """Find the seal that closes the day, or seal it. Raises as ``seal_make``.

    After a time in which nothing ran, one seal of the last day that is over closes all before it: it is what covers them, and
    each one's own, made after it, would cover nothing.
    """
    if day_end.seal_id is None:
        room, day = day_end.room, day_end.gaming_date
        last_over = max(day, room.gaming_day(now) - ONE_DAY)
        seal = seal_of_day(seal_label(room, day)) or seal_make(
            kind=SealKind.GAMING_DAY, label=seal_label(room, last_over)
        )
        _fill_in(day_end, "seal", seal=seal)


def day_end_check(*, day_end: DayEnd, say: Say) -> None:
    """Run every check of the ledger and keep what each found. What one finds, or cannot read, stops nothing.

    They are over the whole ledger, so those that another day's end has run since this day was sealed are this day's too.
    """
    if day_end.checked_at is not None:
        return
    if same := _checked_since(day_end):
        _fill_in(day_end, "checked_at", checks=same.checks, checked_at=same.checked_at)
        return
    checks = validators()
    results = []
    for number, check in enumerate(checks):
        say(number, len(checks))
        results.append(_checked(check))
    _fill_in(day_end, "checked_at", checks=results, checked_at=timezone.now())


def _checked_since(day_end: DayEnd) -> DayEnd | None:
    """Another day's end all of whose checks were begun after this day was sealed."""
    if day_end.seal is None:
        return None
    sealed_at = day_end.seal.made_at
    newest = DayEnd.objects.filter(checked_at__gt=sealed_at).order_by("-checked_at").first()
    is_later = newest and all(datetime.fromisoformat(check["at"]) > sealed_at for check in newest.checks or [])
    return newest if is_later else None


def _checked(check: Validator) -> dict[str, Any]:
    """One check at one instant, also while hands are being settled."""
    at = timezone.now().isoformat()
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        findings = check.findings()
        first = [f"{finding.row}: {finding.message}" for finding in islice(findings, FINDINGS_KEPT)]
        found = len(first) + sum(1 for _finding in findings)
    return {"name": check.name, "claim": check.claim, "at": at, "found": found, "first": first}


def day_end_replay(*, day_end: DayEnd, say: Say) -> None:
    """Settle the hands of the day again, part by part, each kept when it is done. Raises ``Superseded``."""
    run = day_end.replay or _replay_asked(day_end)
    replay_parts_do(run=run, say=say)
    if day_end.differences is None:
        _fill_in(day_end, "differences", differences=len(differences_found(run)))


@transaction.atomic
def _replay_asked(day_end: DayEnd) -> ReplayRun:
    asked_by = f"timetable: {DAY_END} {day_end.room.slug} {day_end.gaming_date}"
    run = replay_ask(room=day_end.room, day=day_end.gaming_date, asked_by=asked_by)
    _fill_in(day_end, "replay", replay=run)
    if day_end.replay_id != run.pk:
        raise Superseded  # another attempt has asked for one: this one goes with the transaction
    return run


def day_end_count(*, day_end: DayEnd, now: datetime) -> None:
    """Count the figures of the day, and what waits for a decision."""
    if day_end.counted_at is not None:
        return
    figures = figures_of_day(asked_for_day(GAMING_DAY, day_end.room, day_end.gaming_date, now))
    of_room = {"session__table__room": day_end.room}
    _fill_in(
        day_end,
        "counted_at",
        hands=figures.hands,
        taken_cents=figures.drop.taken_cents,
        waived_cents=figures.drop.waived_cents,
        back_cents=figures.drop.back_cents,
        kept_cents=figures.drop.kept_cents,
        open_exceptions=TableException.objects.filter(decision__isnull=True, **of_room).count(),
        open_disputes=Dispute.objects.filter(ruling__isnull=True, **of_room).count(),
        counted_at=now,
    )


def day_end_file(*, day_end: DayEnd, report: str, printing: ReportPrinting | None, file: KeptFile) -> DayEndPaper:
    """Put a report into the archive. In the transaction that prints and keeps it, so that a number is never without its file."""
    return DayEndPaper.objects.create(day_end=day_end, report=report, printing=printing, file=file)


@transaction.atomic
def day_end_finish(*, day_end: DayEnd, now: datetime) -> None:
    """The last step is done: say so, and write the one mail about it."""
    if DayEnd.objects.filter(pk=day_end.pk, ended_at__isnull=True).update(ended_at=now):
        day_end.ended_at = now
        mail_of_day_end(day_end=day_end, now=now)


def day_end_of(job: Job) -> DayEnd:
    """The end of a day that a job works off. Raises ``DayEnd.DoesNotExist``."""
    return DayEnd.objects.select_related("room", "seal", "replay", "job").get(job=job)


def _fill_in(day_end: DayEnd, empty: str, **values: Any) -> None:
    """Fill in what a step came to, unless somebody else has: what is there stays, and is what the caller goes on with."""
    DayEnd.objects.filter(pk=day_end.pk, **{f"{empty}__isnull": True}).update(**values)
    day_end.refresh_from_db(fields=list(values))
