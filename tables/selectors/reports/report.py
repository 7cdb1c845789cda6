"""What a report is: its description, what it answers with, and the cells, rows, sections and totals in between.

One figure, one source: a report is a selector that yields sections of rows, with every total in them. Screen, CSV, XLSX and PDF
(``tables.audit.reports``) write down what is here and work out nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from casino.staff.actor import READS_ALL

if TYPE_CHECKING:
    from tables.selectors.reports.asking import Asked

Words = str | Promise
"""A text in the reader's language, once it is shown."""


class Kind(StrEnum):
    """What the values of a column are, which decides how each rendering writes them.

    ``CENTS``, ``COUNT``, ``POINTS`` are whole numbers; ``DURATION`` is whole seconds; ``INSTANT`` an aware datetime, shown in the
    room's zone; ``PERCENT`` a ``Decimal`` of which 1 is the whole, ``RATIO`` a ``Decimal`` with one place after the point.
    """

    TEXT = "text"
    COUNT = "count"
    CENTS = "cents"
    POINTS = "points"
    INSTANT = "instant"
    DATE = "date"
    DURATION = "duration"
    PERCENT = "percent"
    RATIO = "ratio"


NUMBERS = frozenset({Kind.COUNT, Kind.CENTS, Kind.POINTS, Kind.DURATION, Kind.PERCENT, Kind.RATIO})
"""What is set to the right."""

Value = str | int | Decimal | datetime | date | None
"""A value of any kind; nothing is ``None``."""


@dataclass(frozen=True, slots=True)
class Per:
    """One column over another: "kept per hand" or, ``times`` 3,600 seconds, "kept per hour". Rounded, half away from zero."""

    figure: str
    over: str
    times: int = 1

    def of(self, figure: int | None, over: int | None) -> int | None:
        """The rate; ``None`` where there is nothing to divide by."""
        if figure is None or not over:
            return None
        return int((Decimal(figure) * self.times / over).to_integral_value(ROUND_HALF_UP))


@dataclass(frozen=True, slots=True)
class Column:
    """A column. ``totals``: it is added up. ``per``: every cell is made from two others, so that rows leave it ``None``."""

    name: str
    title: Words
    kind: Kind = Kind.TEXT
    totals: bool = False
    per: Per | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """What a cell opens: a ``hand``, ``session``, ``account`` or kept ``file`` by its id, ``rules`` by their name, a posted
    ``sheet`` of the room by its number, the ``report`` or the ``section`` of this one called ``key``, the list of ``hands``,
    or the page of ``statistics``.

    ``asked`` is what a report or list is asked for, over what this report was.
    """

    to: str
    key: UUID | str
    asked: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mark:
    """Why a figure is not what it was: what it was ``before``, of the column's kind, who corrected it, when, and why."""

    before: Value
    who: str
    at: datetime
    why: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A value with what it is made of and how it was corrected; a plain value stands for a cell without either."""

    value: Value
    link: Link | None = None
    marks: Sequence[Mark] = ()


Row = tuple[Cell | Value, ...]


class GroupTotal(tuple[Cell | Value, ...]):
    """A row that adds up the rows since the last one."""

    __slots__ = ()


class Total(tuple[Cell | Value, ...]):
    """The last row: all rows added up."""

    __slots__ = ()


def value_of(cell: Cell | Value) -> Value:
    """The bare value."""
    return cell.value if isinstance(cell, Cell) else cell


def marks_of(cell: Cell | Value) -> Sequence[Mark]:
    """How a cell was corrected."""
    return cell.marks if isinstance(cell, Cell) else ()


class ChartKind(StrEnum):
    """How a chart is drawn: upright ``BARS``; ``STEPS``, a figure that stands until the next; ``DOTS``, a line a row, each a
    figure on the interval that it was expected in.
    """

    BARS = "bars"
    STEPS = "steps"
    DOTS = "dots"


@dataclass(frozen=True, slots=True)
class Chart:
    """A section drawn above its table, on screen alone; it shows the rows of the table, without totals, and nothing else.

    ``title`` is the one thing it says, in words. The rest are names of columns: ``label`` says what a row is, ``value`` is drawn,
    ``against`` is what that is measured by (drawn as an outline, with ``DOTS`` as a tick), and ``interval`` the lower and the
    upper end, for ``DOTS`` alone. Rows without a value are left out.
    """

    kind: ChartKind
    title: Words
    label: str
    value: str
    against: str = ""
    interval: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A table of the report. ``rows``, totals among them, are read once in order, and may come from the database meanwhile.

    ``is_corrected``: cells may carry marks. ``empty`` says what would be here. ``chart``: how it is drawn, if it is.
    """

    name: str
    title: Words
    columns: Sequence[Column]
    rows: Iterable[Row]
    empty: Words
    about: Words = ""
    is_corrected: bool = False
    chart: Chart | None = None


Sections = Iterable[Section]


@dataclass(frozen=True, slots=True)
class Report:
    """A report's description. ``filters`` are names of ``asking.FILTERS``; ``sections`` makes the figures for what is asked.

    ``needs`` are those of the filters without which there is nothing to answer.
    """

    slug: str
    title: Words
    about: Words
    filters: Sequence[str]
    sections: Callable[[Asked], Sections]
    roles: Sequence[str] = READS_ALL
    needs: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class SealedBy:
    """The newest seal of the ledger: its number, the first 16 hex digits of its root, when it was made."""

    number: int
    root: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class ReportData:
    """A report's answer: the facts of its heading, and its sections.

    ``behind_seconds`` is how far the replica was behind that it was read from; ``None`` where it was read where it is written.
    """

    report: Report
    asked: Asked
    made_at: datetime
    made_by: str
    seal: SealedBy | None
    sections: Sequence[Section]
    behind_seconds: int | None = None


def marks_of_what_was_taken_back(stands: int, taken_back: Sequence[tuple[int, Mark]]) -> list[Mark]:
    """The notes on a figure of which parts were taken back, each part with its note in order: what it was before each of them."""
    marks, before = [], stands
    for part, mark in reversed(taken_back):
        before += part
        marks.append(replace(mark, before=before))
    return marks[::-1]


def with_totals(columns: Sequence[Column], rows: Iterable[Row], *, group: str = "") -> Iterator[Row]:
    """The rows with what their ``per`` columns make, a total for every run of rows that are alike in ``group``, and one for all.

    A group of one row has no total, nor have columns in which nothing is added up.
    """
    has_totals = any(column.totals for column in columns)
    place = next((index for index, column in enumerate(columns) if column.name == group), None)
    whole, part = _Sum(columns), _Sum(columns)
    before: Value = None
    for row in rows:
        key = None if place is None else value_of(row[place])
        if part.rows and key != before:
            if has_totals and part.rows > 1:
                yield GroupTotal(part.row(_("Total %(group)s") % {"group": before}))
            part = _Sum(columns)
        before = key
        whole.add(row)
        part.add(row)
        yield _worked_out(columns, row)
    if has_totals and place is not None and 1 < part.rows < whole.rows:
        yield GroupTotal(part.row(_("Total %(group)s") % {"group": before}))
    if has_totals and whole.rows:
        yield Total(whole.row(_("Total")))


class _Sum:
    """What the columns of some rows add up to."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self._columns = columns
        self._cents = [0] * len(columns)
        self.rows = 0

    def add(self, row: Row) -> None:
        self.rows += 1
        for index, column in enumerate(self._columns):
            if column.totals:
                value: Any = value_of(row[index])
                self._cents[index] += value or 0

    def row(self, label: str) -> Row:
        values: Row = tuple(self._cents[index] if column.totals else None for index, column in enumerate(self._columns))
        return _worked_out(self._columns, (label, *values[1:]))


def _worked_out(columns: Sequence[Column], row: Row) -> Row:
    if not any(column.per for column in columns):
        return row
    places = {column.name: index for index, column in enumerate(columns)}

    def of(column: Column, cell: Cell | Value) -> Cell | Value:
        if column.per is None:
            return cell
        figure: Any = value_of(row[places[column.per.figure]])
        over: Any = value_of(row[places[column.per.over]])
        return column.per.of(figure, over)

    return tuple(of(column, cell) for column, cell in zip(columns, row, strict=True))
