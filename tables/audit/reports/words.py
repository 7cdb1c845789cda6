"""How people read a report: its values in words and figures, the facts of its heading, and the notes on corrected figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from tables.rules.sentences import dollars, signed_points
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.report import (
    Column,
    GroupTotal,
    Kind,
    Mark,
    Report,
    ReportData,
    Row,
    SealedBy,
    Section,
    Total,
    Value,
    marks_of,
)

NOTHING = "–"
MINUS = "−"
DAGGER = "†"


def text_of(value: Value, kind: Kind, zone: ZoneInfo) -> str:
    """A value as it stands on screen and paper; a dash for nothing."""
    if value is None or value == "":
        return NOTHING
    if kind is Kind.INSTANT and isinstance(value, datetime):
        return f"{value.astimezone(zone):%Y-%m-%d %H:%M:%S}"
    if kind is Kind.DATE and isinstance(value, date):
        return value.isoformat()
    if kind is Kind.PERCENT and isinstance(value, Decimal):
        return f"{value * 100:.1f} %".replace("-", MINUS)
    if kind is Kind.RATIO and isinstance(value, Decimal):
        return f"{value:.1f}".replace("-", MINUS)
    if isinstance(value, int):
        return _number_text(value, kind)
    return str(value)


def cell_text(row: Row, value: Value, kind: Kind, zone: ZoneInfo) -> str:
    """The same for a row of a table; where a total adds nothing up it stays empty."""
    return "" if value is None and isinstance(row, GroupTotal | Total) else text_of(value, kind, zone)


def _number_text(value: int, kind: Kind) -> str:
    if kind is Kind.CENTS:
        return dollars(value)
    if kind is Kind.POINTS:
        return signed_points(value)
    if kind is Kind.DURATION:
        return duration_text(value)
    return f"{value:,}".replace("-", MINUS)


def duration_text(seconds: int) -> str:
    """Hours, minutes and seconds: ``7:30:05``."""
    minutes, left = divmod(seconds, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{left:02}"


def mark_text(mark: Mark, column: Column, zone: ZoneInfo) -> str:
    """A note on a corrected figure: what it was before, who corrected it, when, and why."""
    words = _("%(column)s was %(before)s before %(who)s corrected it at %(at)s: %(why)s")
    return words % {
        "column": column.title,
        "before": text_of(mark.before, column.kind, zone),
        "who": mark.who,
        "at": text_of(mark.at, Kind.INSTANT, zone),
        "why": mark.why,
    }


class Notes:
    """The notes under a table, numbered through the whole report as they are met."""

    def __init__(self, zone: ZoneInfo) -> None:
        self._zone = zone
        self.numbered = 0
        self._under: list[tuple[str, str]] = []

    def signs(self, marks: Sequence[Mark], column: Column) -> str:
        """The signs beside a figure, as ``†1``; the notes they stand for are kept."""
        signs = []
        for mark in marks:
            self.numbered += 1
            signs.append(f"{DAGGER}{self.numbered}")
            self._under.append((signs[-1], mark_text(mark, column, self._zone)))
        return " ".join(signs)

    def taken(self) -> list[tuple[str, str]]:
        """The notes since the last time."""
        under, self._under = self._under, []
        return under


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of the heading."""

    name: str
    text: str


def facts_of(data: ReportData) -> list[Fact]:
    """What every report says of itself: room, gaming day, time zone, by whom and when, filters, and the seal it stands on."""
    asked = data.asked
    zone = asked.room.zone
    facts = [Fact(_("Room"), asked.room.name), Fact(_("Gaming day"), days_text(asked))]
    if asked.is_part_of_a_day:
        facts.append(Fact(_("Shift"), _hours_text(asked)))
    facts += [
        Fact(_("Time zone"), asked.room.time_zone),
        Fact(_("Made"), f"{text_of(data.made_at, Kind.INSTANT, zone)} {data.made_at.astimezone(zone):%Z}"),
        Fact(_("By"), data.made_by),
        *(Fact(name, text) for name, text in asked.words),
        Fact(_("Stands on"), seal_text(data)),
    ]
    if data.behind_seconds is not None:
        facts.append(Fact(_("Read from"), replica_words(data.behind_seconds)))
    if data.made_at < asked.span.end:
        facts.append(Fact(_("So far"), _("The time asked for is not over. Figures can still change.")))
    return facts


def replica_words(behind_seconds: int) -> str:
    """That a reading is a replica's, and what it may lack for that."""
    if not behind_seconds:
        return _("a replica that is not behind")
    words = _("a replica that is %(behind)s behind: what was recorded since then is not in it")
    return words % {"behind": duration_text(behind_seconds)}


def days_text(asked: Asked) -> str:
    """The gaming days, and from when to when they last by the room's clock."""
    span = asked.span
    days = span.first.isoformat() if span.days == 1 else f"{span.first} – {span.last}"
    if asked.is_part_of_a_day:
        return days
    return _("%(days)s, %(hours)s") % {"days": days, "hours": _hours_text(asked)}


def _hours_text(asked: Asked) -> str:
    begins, ends = (
        f"{each.astimezone(asked.room.zone):%Y-%m-%d %H:%M %Z}" for each in (asked.span.start, asked.span.end)
    )
    return _("from %(begins)s to %(ends)s") % {"begins": begins, "ends": ends}


def seal_text(data: ReportData) -> str:
    """The newest seal of the ledger, by number and the beginning of its root, and whether it can cover all of this."""
    return seal_words(data.seal, min(data.asked.span.end, data.made_at))


def seal_words(seal: SealedBy | None, until: datetime) -> str:
    """The same for anything that was recorded until an instant."""
    if seal is None:
        return _("no seal yet")
    made = f"{seal.made_at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
    words = _("seal %(number)s, root %(root)s, made %(made)s")
    text = words % {"number": seal.number, "root": seal.root, "made": made}
    if seal.made_at < until:
        text = f"{text}; {_('what was recorded after it is not sealed yet')}"
    return text


def file_name(report: Report, asked: Asked) -> str:
    """What a file of it is called, without the ending: letters, digits and hyphens."""
    span = asked.span
    days = [span.first.isoformat()] + ([span.last.isoformat()] if span.days > 1 else [])
    only = [asked.given[name] for name in ("table", "dealer", "patron") if name in asked.given]
    name = "-".join([report.slug, asked.room.slug, *days, *only])
    return "".join(each if each.isascii() and each.isalnum() else "-" for each in name)


def corrected_title() -> str:
    """The column that files have beside a table whose figures can be corrected."""
    return _("Corrected")


def corrected_text(section: Section, row: Row, zone: ZoneInfo) -> str:
    """What that column says of a row: every note on its figures."""
    notes = [
        mark_text(mark, column, zone)
        for cell, column in zip(row, section.columns, strict=True)
        for mark in marks_of(cell)
    ]
    return " ".join(notes)
