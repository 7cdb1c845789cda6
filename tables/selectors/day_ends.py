"""Reads about the ends of gaming days: their figures, their archive, and the lights on the list of days."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Max, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.errors import NotThere
from casino.gaming_day import gaming_day_bounds
from casino.staff.actor import READS_ALL, Actor
from ledger.models import Seal, SealKind
from tables.access import check_web_access
from tables.models import DayEnd, DayEndPaper, Hand, Job, ReplayRun, Room
from tables.selectors.replays import outcome_of

if TYPE_CHECKING:
    from tables.selectors.reports.report import Report

SUMMARY = "day-end"
"""The slug of the report that sums up the end of a day: the first paper of every archive."""


def seal_label(room: Room, day: date) -> str:
    """What the seal of a room's gaming day is called."""
    return f"{room.slug} {day}"


def is_sealed(room: Room, day: date) -> bool:
    """Whether a gaming day has a seal of its own, or was ended with that of a later one."""
    ended = DayEnd.objects.filter(room=room, gaming_date=day, seal__isnull=False)
    return ended.exists() or Seal.objects.filter(label=seal_label(room, day), kind=SealKind.GAMING_DAY).exists()


def differences_found(run: ReplayRun | None) -> Sequence[Mapping[str, Any]]:
    """The hands of a replay that came out otherwise than they are stored."""
    return [] if run is None else outcome_of(run).differences


def find_day_end(room: Room, day: date) -> DayEnd | None:
    """The end of a gaming day, once it was asked for."""
    return day_ends_found([room]).filter(gaming_date=day).first()


def hands_of_archived_days(room: Room, time_zone: ZoneInfo, starts_at: time) -> int:
    """How many hands of a room would come to lie in days that are archived without them, if its days began at another time."""
    last = DayEnd.objects.filter(room=room).aggregate(last=Max("gaming_date"))["last"]
    if last is None:
        return 0
    _start, was = gaming_day_bounds(last, time_zone=room.zone, starts_at=room.day_starts_at)
    _start, would = gaming_day_bounds(last, time_zone=time_zone, starts_at=starts_at)
    return Hand.objects.filter(session__table__room=room, started_at__gte=was, started_at__lt=would).count()


def may_be_archived(report: Report) -> bool:
    """Whether a report can be made of a gaming day without saying more; the summary is in every archive anyway."""
    return report.slug != SUMMARY and "day" in report.filters and not report.needs


def chosen_reports(room: Room, known: Iterable[Report]) -> list[Report]:
    """The reports that the room wants in its archive, in the order of the list; one that there is no more is left out."""
    return [report for report in known if report.slug in room.day_end_reports and may_be_archived(report)]


def has_paper(day_end: DayEnd, report: str) -> bool:
    """Whether the archive has a report already."""
    return DayEndPaper.objects.filter(day_end=day_end, report=report).exists()


def papers_of(day_end: DayEnd) -> list[DayEndPaper]:
    """The archive: the summary first, the other reports in the order in which they were printed."""
    papers = DayEndPaper.objects.filter(day_end=day_end).select_related("file", "printing").defer("file__content")
    return sorted(papers, key=lambda paper: (paper.report != SUMMARY, paper.pk))


@dataclass(frozen=True, slots=True)
class Light:
    """How a step of a day's end stands: ``ok``, ``wrong`` or ``waiting``, and in words."""

    tone: str
    words: str


def sealed_light(day_end: DayEnd) -> Light:
    """Whether the day is sealed."""
    if day_end.seal is None:
        return _not_yet(day_end)
    words = _("Seal %(number)s") % {"number": day_end.seal.number}
    if day_end.seal.label != seal_label(day_end.room, day_end.gaming_date):
        words = _("%(seal)s, of %(day)s") % {"seal": words, "day": day_end.seal.label.rpartition(" ")[2]}
    return Light("ok", words)


def checks_light(day_end: DayEnd) -> Light:
    """What the checks found."""
    if day_end.checks is None:
        return _not_yet(day_end)
    number, failed = len(day_end.checks), len(failed_checks(day_end))
    if failed:
        return Light("wrong", _("%(failed)s of %(number)s failed") % {"failed": failed, "number": number})
    return Light("ok", _("all %(number)s hold") % {"number": number})


def replay_light(day_end: DayEnd) -> Light:
    """What settling the hands again came to."""
    if day_end.replay is None or day_end.differences is None:
        return _not_yet(day_end)
    hands = f"{day_end.replay.hands:,}"
    if day_end.differences:
        return Light("wrong", _("%(failed)s of %(number)s differ") % {"failed": day_end.differences, "number": hands})
    words = ngettext("%(number)s hand, as stored", "%(number)s hands, as stored", day_end.replay.hands)
    return Light("ok", words % {"number": hands})


def files_light(day_end: DayEnd, files: int) -> Light:
    """How many files the archive has, and whether that is all."""
    if day_end.ended_at is None:
        return _not_yet(day_end)
    return Light("ok", ngettext("%(count)s file", "%(count)s files", files) % {"count": files})


def failed_checks(day_end: DayEnd) -> list[Mapping[str, Any]]:
    """The checks that found something."""
    return [check for check in day_end.checks or [] if check["found"]]


def _not_yet(day_end: DayEnd) -> Light:
    if day_end.job.state in (Job.State.FAILED, Job.State.CANCELLED):
        return Light("wrong", _("not done, the job %(state)s") % {"state": day_end.job.get_state_display()})
    return Light("waiting", _("not yet"))


def day_ends_found(rooms: Sequence[Room]) -> QuerySet[DayEnd]:
    """The ended days of some rooms, each with ``files``, how many its archive has."""
    return (
        DayEnd.objects.filter(room__in=rooms)
        .select_related("room", "job", "seal", "replay")
        .annotate(files=Count("papers"))
    )


def day_end_read_by(actor: Actor, room_slug: str, day: str) -> DayEnd:
    """The end of a gaming day for its page, the day as ``2026-11-30``. Raises ``Forbidden`` and ``NotThere``."""
    check_web_access(actor, READS_ALL)
    room = Room.objects.filter(slug=room_slug).first()
    try:
        found = find_day_end(room, date.fromisoformat(day)) if room else None
    except ValueError:
        found = None
    if found is None:
        raise NotThere(
            "no-such-day", _("This gaming day has no archive. A day gets one within minutes after it has ended.")
        )
    return found
