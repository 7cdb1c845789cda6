"""What the integrity report says beside the books: seals, the checks and replays that were run, and numbers without gaps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

from django.db.models import Count, Max, Min, Prefetch, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.gaming_day import gaming_day_bounds
from ledger.models import Seal, SealKind
from ledger.verification_of_parts import PartVerification
from tables.models import DayEnd, Hand, PostedSheet, ReplayPart, ReplayRun, ReportPrinting, Room
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.report import Cell, Column, Kind, Link, Row

LATE_AFTER = timedelta(hours=1)
"""A seal of an hour or of a gaming day that was made so long after it is late."""

DIGITS_SHOWN = 16
"""Of a digest or a key."""

SEALS = (
    Column("number", gettext_lazy("Seal"), Kind.COUNT),
    Column("kind", gettext_lazy("Kind")),
    Column("label", gettext_lazy("Label")),
    Column("made", gettext_lazy("Made"), Kind.INSTANT),
    Column("delay", gettext_lazy("After it was due"), Kind.DURATION),
    Column("late", gettext_lazy("Late")),
    Column("lines", gettext_lazy("Books in it"), Kind.COUNT),
    Column("root", gettext_lazy("Root")),
    Column("key", gettext_lazy("Signed by key")),
    Column("result", gettext_lazy("Result")),
)
CHECKS = (
    Column("day", gettext_lazy("Gaming day"), Kind.DATE),
    Column("at", gettext_lazy("Run"), Kind.INSTANT),
    Column("name", gettext_lazy("Check")),
    Column("claim", gettext_lazy("What it holds")),
    Column("found", gettext_lazy("Rows found"), Kind.COUNT),
    Column("result", gettext_lazy("Result")),
)
REPLAYS = (
    Column("day", gettext_lazy("Gaming day"), Kind.DATE),
    Column("what", gettext_lazy("What")),
    Column("asked", gettext_lazy("Asked"), Kind.INSTANT),
    Column("by", gettext_lazy("Asked by")),
    Column("rules", gettext_lazy("Under")),
    Column("hands", gettext_lazy("Hands"), Kind.COUNT),
    Column("left_out", gettext_lazy("Left out"), Kind.COUNT),
    Column("ended", gettext_lazy("Finished"), Kind.INSTANT),
    Column("differ", gettext_lazy("Hands that differ"), Kind.COUNT),
    Column("result", gettext_lazy("Result")),
)
SERIES = (
    Column("what", gettext_lazy("Series")),
    Column("first", gettext_lazy("First"), Kind.COUNT),
    Column("last", gettext_lazy("Last"), Kind.COUNT),
    Column("count", gettext_lazy("There"), Kind.COUNT),
    Column("missing", gettext_lazy("Missing"), Kind.COUNT),
    Column("result", gettext_lazy("Result")),
)


def holds(is_right: bool) -> str:
    """The result of a check, in words."""
    return _("holds") if is_right else _("DOES NOT HOLD")


def seal_rows(asked: Asked, found: PartVerification | None) -> Iterator[Row]:
    """The seals made in the span and those that were looked at, with how late each was and whether it holds."""
    in_span = Q(made_at__gte=asked.span.start, made_at__lt=asked.span.end)
    numbers = found.numbers if found else set()
    rooms = {room.slug: room for room in Room.objects.all()}
    for seal in Seal.objects.filter(in_span | Q(number__in=numbers)).order_by("number"):
        due = _due(seal, rooms)
        delay = max(int((seal.made_at - due).total_seconds()), 0) if due else None
        is_late = due is not None and seal.made_at - due > LATE_AFTER
        is_right = found is not None and seal.number not in found.broken_seals
        yield (
            seal.number,
            str(SealKind(seal.kind).label) if seal.kind in SealKind else seal.kind,
            seal.label or None,
            seal.made_at,
            delay,
            _("late") if is_late else None,
            seal.lines,
            bytes(seal.root).hex()[:DIGITS_SHOWN],
            bytes(seal.public_key).hex()[:DIGITS_SHOWN],
            holds(is_right) if found else _("not verified here"),
        )


def _due(seal: Seal, rooms: Mapping[str, Room]) -> datetime | None:
    """When a seal of the timetable was due, by its label: at its hour, or at the end of its room's gaming day."""
    name, _blank, when = seal.label.rpartition(" ")
    try:
        at = datetime.fromisoformat(when)
    except ValueError:
        return None
    if seal.kind == SealKind.HOUR:
        return at.replace(tzinfo=UTC)
    room = rooms.get(name)
    if seal.kind != SealKind.GAMING_DAY or room is None:
        return None
    return gaming_day_bounds(at.date(), time_zone=room.zone, starts_at=room.day_starts_at)[1]


def check_rows(asked: Asked) -> Iterator[Row]:
    """The newest day's checks, all of them, and of the days before it those that found something."""
    days = DayEnd.objects.filter(
        room=asked.room,
        gaming_date__gte=asked.span.first,
        gaming_date__lte=asked.span.last,
        checks__isnull=False,
    )
    for place, (day, at, checks) in enumerate(
        days.order_by("-gaming_date").values_list("gaming_date", "checked_at", "checks")
    ):
        for check in checks or ():
            found = check["found"]
            if not place or found:
                result = f"{holds(not found)}: {check['first']}" if found else holds(True)
                yield day, at, check["name"], check["claim"], found, result


def replay_rows(asked: Asked) -> Iterator[Row]:
    """Every replay of a day of the span, and what it found."""
    runs = (
        ReplayRun.objects.filter(room=asked.room, gaming_date__gte=asked.span.first, gaming_date__lte=asked.span.last)
        .select_related("hand__session__table")
        .prefetch_related(Prefetch("run_parts", ReplayPart.objects.only("run", "done_at", "differences")))
        .order_by("gaming_date", "asked_at", "pk")
    )
    for run in runs:
        done = [part for part in run.run_parts.all() if part.done_at is not None]
        differ = sum(len(part.differences or ()) for part in done)
        if len(done) < run.parts:
            result = _("goes on")
        elif run.rules:
            result = _("another rule set was tried")
        else:
            result = holds(not differ)
        yield (
            run.gaming_date,
            _replayed(run.hand),
            run.asked_at,
            run.asked_by,
            run.rules or _("their own rules"),
            run.hands,
            run.hands_out + run.hands_void + run.hands_of_another_game,
            run.finished_at,
            differ,
            result,
        )


def _replayed(hand: Hand | None) -> Cell | str:
    if hand is None:
        return _("the day")
    words = _("%(table)s hand %(number)s") % {"table": hand.session.table, "number": hand.number}
    return Cell(words, Link("hand", hand.pk))


def series_rows(asked: Asked) -> Iterator[Row]:
    """Hands and papers that were numbered in the span: from which number to which, and how many are missing in between."""
    span = asked.span
    hands = (
        Hand.objects.filter(started_at__gte=span.start, started_at__lt=span.end, session__table__in=asked.table_ids)
        .values_list("session", "session__table__number")
        .annotate(first=Min("number"), last=Max("number"), count=Count("pk"))
        .order_by("session__table__number", "session__opened_at")
    )
    for session_id, table_number, *numbers in hands:
        words = _("Hands of T%(number)s") % {"number": table_number}
        yield _series_row(Cell(words, Link("session", session_id)), *numbers)
    papers = (
        (_("Posted sheets"), PostedSheet.objects.filter(posted_at__gte=span.start, posted_at__lt=span.end)),
        (_("Printed reports"), ReportPrinting.objects.filter(printed_at__gte=span.start, printed_at__lt=span.end)),
    )
    for words, made in papers:
        counted = made.filter(room=asked.room).aggregate(first=Min("ordinal"), last=Max("ordinal"), count=Count("pk"))
        if counted["count"]:
            yield _series_row(words, counted["first"], counted["last"], counted["count"])


def _series_row(words: Cell | str, first: int, last: int, count: int) -> Row:
    missing = last - first + 1 - count
    return words, first, last, count, missing, holds(not missing)
