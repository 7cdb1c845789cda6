"""What the integrity report says beside the books: seals, the checks and replays that were run, and numbers without gaps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

from django.db.models import Aggregate, Count, Max, Prefetch, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.gaming_day import gaming_day_bounds
from ledger.models import Seal, SealKind
from ledger.verification_of_parts import PartVerification
from tables.models import (
    DayEnd,
    Hand,
    NumberSeries,
    PostedSheet,
    ReplayPart,
    ReplayRun,
    ReportPrinting,
    Room,
    TableSession,
)
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.report import Cell, Column, Kind, Link, Row
from tables.selectors.reports.spans import Span

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
    """Hands and papers that were numbered in the span: from which number to which, and how many are missing in between.

    They begin after the greatest number from before the span. Where none comes after it they end with the last that was given.
    """
    span = asked.span
    hands = (
        TableSession.objects.filter(Q(closed_at__isnull=True) | Q(closed_at__gte=span.start))
        .filter(table__in=asked.table_ids, opened_at__lt=span.end)
        .annotate(**_numbered(span, "hands__number", "hands__started_at"))
        .order_by("table__number", "opened_at")
    )
    for session_id, table_number, *numbers in hands.values_list("pk", "table__number", "hands_dealt", *_NUMBERED):
        words = _("Hands of T%(number)s") % {"number": table_number}
        yield from _series_row(Cell(words, Link("session", session_id)), *numbers)
    given = {
        kind: next_number - 1
        for kind, next_number in NumberSeries.objects.filter(room=asked.room).values_list("kind", "next_number")
    }
    papers = (
        (NumberSeries.Kind.POSTED_SHEET, PostedSheet.objects.filter(room=asked.room), "posted_at"),
        (NumberSeries.Kind.REPORT, ReportPrinting.objects.filter(room=asked.room), "printed_at"),
    )
    for kind, made, made_at in papers:
        counted = made.aggregate(**_numbered(span, "ordinal", made_at))
        yield from _series_row(str(kind.label), given.get(kind, 0), *(counted[name] for name in _NUMBERED))


_NUMBERED = ("before", "last", "count", "after")


def _numbered(span: Span, number: str, at: str) -> dict[str, Aggregate]:
    """The greatest number before the span and in it, how many are in it, and how many come after it."""
    in_span = Q((f"{at}__gte", span.start), (f"{at}__lt", span.end))
    return {
        "before": Max(number, filter=Q((f"{at}__lt", span.start)), default=0),
        "last": Max(number, filter=in_span, default=0),
        "count": Count(number, filter=in_span),
        "after": Count(number, filter=Q((f"{at}__gte", span.end))),
    }


def _series_row(words: Cell | str, given: int, before: int, last: int, count: int, after: int) -> Iterator[Row]:
    last = last if after else max(last, given)
    if last > before:
        missing = last - before - count
        yield words, before + 1, last, count, missing, holds(not missing)
