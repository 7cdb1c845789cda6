"""The end of a gaming day, summed up: its steps, its figures, what the checks and the replay found, and the archive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.staff.actor import Actor
from tables.models import DayEnd, Room
from tables.selectors.day_ends import (
    SUMMARY,
    checks_light,
    differences_found,
    failed_checks,
    find_day_end,
    papers_of,
    replay_light,
    sealed_light,
)
from tables.selectors.reports.asking import Asked, ask, asked_of
from tables.selectors.reports.money import Drop, drops_by_session, movements
from tables.selectors.reports.report import Cell, Column, Kind, Link, Report, Row, Section, Sections
from tables.selectors.reports.sessions import hands_by_status

_STEPS = (
    Column("step", gettext_lazy("Step")),
    Column("result", gettext_lazy("Result")),
    Column("at", gettext_lazy("When"), Kind.INSTANT),
)
_FIGURES = (
    Column("figure", gettext_lazy("Figure")),
    Column("number", gettext_lazy("Number"), Kind.COUNT),
    Column("cents", gettext_lazy("Amount"), Kind.CENTS),
)
_FINDINGS = (
    Column("check", gettext_lazy("Check")),
    Column("claim", gettext_lazy("What has to hold")),
    Column("found", gettext_lazy("Rows found"), Kind.COUNT),
    Column("row", gettext_lazy("Which row, and what about it")),
)
_DIFFERENCES = (
    Column("hand", gettext_lazy("Hand")),
    Column("line", gettext_lazy("What differs")),
)
_ARCHIVE = (
    Column("number", gettext_lazy("Printing")),
    Column("report", gettext_lazy("Report")),
    Column("file", gettext_lazy("File")),
    Column("size", gettext_lazy("Bytes"), Kind.COUNT),
    Column("digest", gettext_lazy("SHA-256")),
)
_CHECKS = (
    Column("check", gettext_lazy("Check")),
    Column("claim", gettext_lazy("What has to hold")),
    Column("found", gettext_lazy("Rows found"), Kind.COUNT),
)
_HEX_AT_ONCE = 32


def asked_for_day(report: Report, room: Room, day: date, now: datetime, actor: Actor | None = None) -> Asked:
    """What a report is asked for of one gaming day of a room: by somebody, or else by the timetable."""
    return asked_of(ask(report, actor or Actor.timetable(), {"room": room.slug, "day": day.isoformat()}, now))


@dataclass(frozen=True, slots=True)
class DayFigures:
    """What a gaming day came to: hands dealt, and what its drop boxes took and gave."""

    hands: int
    drop: Drop


def figures_of_day(asked: Asked) -> DayFigures:
    """The figures of a gaming day, from what the reports are made of."""
    whole = Drop()
    for drop in drops_by_session(movements(asked)).values():
        whole.taken_cents += drop.taken_cents
        whole.waived_cents += drop.waived_cents
        whole.back_cents += drop.back_cents
    hands = sum(sum(by_status.values()) for by_status in hands_by_status(asked).values())
    return DayFigures(hands, whole)


def _day_end(asked: Asked) -> Sections:
    day_end = find_day_end(asked.room, asked.span.first)
    yield _steps(day_end)
    yield _figures(day_end)
    yield _findings(day_end)
    yield _differences(day_end)
    yield _archive(day_end)
    yield _checks(day_end)


def _steps(day_end: DayEnd | None) -> Section:
    return Section(
        "steps",
        gettext_lazy("What was done"),
        _STEPS,
        list(_step_rows(day_end)) if day_end else [],
        gettext_lazy(
            "This gaming day is not over, or its end was not asked for yet: seal, checks and replay would be here."
        ),
    )


def _step_rows(day_end: DayEnd) -> Iterator[Row]:
    seal, replay = day_end.seal, day_end.replay
    steps: tuple[tuple[str, str, datetime | None], ...] = (
        (_("Seal"), sealed_light(day_end).words, seal.made_at if seal else None),
        (_("Checks of the whole ledger"), checks_light(day_end).words, day_end.checked_at),
        (_("Hands settled again"), replay_light(day_end).words, replay.finished_at if replay else None),
        (_("Figures"), _("counted") if day_end.counted_at else _("not yet"), day_end.counted_at),
    )
    yield from steps
    if replay is not None and (replay.hands_out or replay.hands_void):
        words = _("%(out)s still out, %(void)s void") % {"out": replay.hands_out, "void": replay.hands_void}
        yield _("Hands with nothing to settle"), words, None


def _figures(day_end: DayEnd | None) -> Section:
    return Section(
        "figures",
        gettext_lazy("Figures of the day"),
        _FIGURES,
        list(_figure_rows(day_end)) if day_end and day_end.counted_at else [],
        gettext_lazy("Hands, collections and what waits for a decision would be here."),
        gettext_lazy("As they were when the day was ended. What waits for a decision may be of any day."),
    )


def _figure_rows(day_end: DayEnd) -> Iterator[Row]:
    collections = Link("report", "collections")
    yield _("Hands dealt"), Cell(day_end.hands, Link("report", "gaming-day")), None
    yield _("Collections taken"), None, Cell(day_end.taken_cents, collections)
    yield _("Collections waived"), None, Cell(day_end.waived_cents, collections)
    yield _("Collections given back"), None, Cell(day_end.back_cents, collections)
    yield _("Collections kept: the drop"), None, Cell(day_end.kept_cents, collections)
    yield _("Exceptions waiting for a decision"), day_end.open_exceptions, None
    yield _("Disputes waiting for a ruling"), day_end.open_disputes, None


def _findings(day_end: DayEnd | None) -> Section:
    rows: list[Row] = []
    for check in failed_checks(day_end) if day_end else ():
        lines = check["first"]
        rows.append((check["name"], check["claim"], check["found"], lines[0]))
        rows += [(None, None, None, line) for line in lines[1:]]
        if check["found"] > len(lines):
            rest = _("and %(number)s more; manage.py ledger_check names them all")
            rows.append((None, None, None, rest % {"number": check["found"] - len(lines)}))
    return Section(
        "findings",
        gettext_lazy("What the checks found"),
        _FINDINGS,
        rows,
        gettext_lazy("Nothing. Rows that are not as they should be would be here."),
    )


def _differences(day_end: DayEnd | None) -> Section:
    found = differences_found(day_end.replay) if day_end else ()
    rows: list[Row] = []
    for hand in found:
        first, *more = hand["lines"]
        rows.append((Cell(hand["name"], Link("hand", hand["hand"])), first))
        rows += [(None, line) for line in more]
    return Section(
        "differences",
        gettext_lazy("Hands that came out otherwise"),
        _DIFFERENCES,
        rows,
        gettext_lazy(
            "None. Hands whose record, verdict or payments are not what the rules make of them would be here."
        ),
    )


def _archive(day_end: DayEnd | None) -> Section:
    rows: list[Row] = [
        (
            paper.printing.number if paper.printing else _("too long for paper"),
            Cell(paper.file.title, Link("report", paper.report)),
            Cell(paper.file.name, Link("file", paper.file_id)),
            paper.file.size,
            digest_words(bytes(paper.file.sha256)),
        )
        for paper in (papers_of(day_end) if day_end else ())
        if paper.report != SUMMARY
    ]
    return Section(
        "archive",
        gettext_lazy("Archive"),
        _ARCHIVE,
        rows,
        gettext_lazy("No report beside this summary. The room chooses them in its set-up."),
        gettext_lazy("Each file is kept as it was printed; its SHA-256 tells whether a copy is the same."),
    )


def _checks(day_end: DayEnd | None) -> Section:
    checks = (day_end.checks or []) if day_end else []
    return Section(
        "checks",
        gettext_lazy("Checks"),
        _CHECKS,
        [(check["name"], check["claim"], check["found"]) for check in checks],
        gettext_lazy("No check was run yet."),
    )


def digest_words(digest: bytes) -> str:
    """A digest in hex, in groups that a line can be broken between."""
    whole = digest.hex()
    return " ".join(whole[start : start + _HEX_AT_ONCE] for start in range(0, len(whole), _HEX_AT_ONCE))


DAY_END = Report(
    SUMMARY,
    gettext_lazy("End of the gaming day"),
    gettext_lazy(
        "What was sealed, checked, settled again and archived when a gaming day had ended, and what that came to."
    ),
    ("day",),
    _day_end,
)
