"""A report on screen: the rows of its tables as texts with links, and the notes under each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.urls import reverse

from tables.audit.reports.charts import Drawing, chart_of
from tables.audit.reports.words import Fact, Notes, cell_text, facts_of
from tables.selectors.reports.report import (
    NUMBERS,
    Cell,
    Column,
    GroupTotal,
    Kind,
    Link,
    ReportData,
    Row,
    Section,
    Total,
    Value,
    marks_of,
    value_of,
)

MOST_ROWS = 1000
"""How many rows of a table are drawn; the rest is counted, and is in the files."""

_PAGES = {"hand": "audit:hand", "session": "audit:session", "account": "audit:account", "file": "audit:kept-file"}


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell: its text, what it opens, the signs of its notes, and how it looks: ``number``, ``when`` or nothing."""

    text: str
    href: str
    signs: str
    look: str


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row; ``weight`` is ``total``, ``group`` or nothing."""

    cells: Sequence[ShownCell]
    weight: str


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A table as it is drawn; ``left_out`` counts the rows that are not. A chart shows all rows, or there is none."""

    section: Section
    heads: Sequence[tuple[str, str]]
    rows: Sequence[ShownRow]
    notes: Sequence[tuple[str, str]]
    left_out: int
    chart: Drawing | None


@dataclass(frozen=True, slots=True)
class Screen:
    """Everything the page shows of a report."""

    facts: Sequence[Fact]
    sections: Sequence[ShownSection]


def screen_of(data: ReportData, most_rows: int = MOST_ROWS) -> Screen:
    """The report for the page."""
    notes = Notes(data.asked.room.zone)
    drawing = _Drawing(data.asked.room.zone, data.asked.given, notes)
    return Screen(facts_of(data), [drawing.section(section, most_rows) for section in data.sections])


class _Drawing:
    """Draws sections; the notes are numbered through all of them."""

    def __init__(self, zone: ZoneInfo, given: Mapping[str, str], notes: Notes) -> None:
        self._zone, self._given, self._notes = zone, given, notes

    def section(self, section: Section, most_rows: int) -> ShownSection:
        rows: list[ShownRow] = []
        charted: list[Row] = []
        left_out = 0
        for row in section.rows:
            if len(rows) < most_rows or isinstance(row, Total):
                rows.append(ShownRow(list(self._cells(row, section.columns)), weight_of(row)))
                charted += [row] if section.chart else []
            else:
                left_out += 1
        heads = [(str(column.title), look_of(column)) for column in section.columns]
        chart = None if left_out else chart_of(section, charted, self._zone)
        return ShownSection(section, heads, rows, self._notes.taken(), left_out, chart)

    def _cells(self, row: Row, columns: Sequence[Column]) -> Iterator[ShownCell]:
        for cell, column in zip(row, columns, strict=True):
            yield ShownCell(
                cell_text(row, value_of(cell), column.kind, self._zone),
                self._href(cell),
                self._notes.signs(marks_of(cell), column),
                look_of(column),
            )

    def _href(self, cell: Cell | Value) -> str:
        if not isinstance(cell, Cell) or cell.link is None or cell.value is None:
            return ""
        return href_of(cell.link, self._given)


def look_of(column: Column) -> str:
    """How the cells of a column look: figures to the right, instants and dates in one line."""
    if column.kind in NUMBERS:
        return "number"
    return "when" if column.kind in (Kind.INSTANT, Kind.DATE) else ""


def weight_of(row: Row) -> str:
    """How a row stands out."""
    return "total" if isinstance(row, Total) else "group" if isinstance(row, GroupTotal) else ""


def href_of(link: Link, given: Mapping[str, str]) -> str:
    """The address of what a cell opens; a report is asked for what this one was, as far as nothing else is said."""
    if link.to == "section":
        return f"#{link.key}"
    if link.to == "statistics":
        return reverse("audit:statistics")
    if link.to == "rules":
        slug, _at, version = str(link.key).partition("@")
        return reverse("rules:version", args=[slug, int(version)])
    if link.to == "sheet":
        return reverse("rules:posted", args=[given["room"], link.key])
    if link.to in ("report", "hands"):
        address = reverse("audit:report", args=[link.key]) if link.to == "report" else reverse(f"hands:{link.key}")
        return f"{address}?{urlencode({**given, **link.asked})}"
    return reverse(_PAGES[link.to], args=[link.key])
