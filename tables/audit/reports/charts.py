"""Charts of reports and statistics, drawn by the server as SVG for every width: places across are percentages, heights pixels.

``chart_of`` draws what a section's ``Chart`` says, from the rows of its table; ``drawing`` draws points from anywhere else, such
as observed results on the intervals that were expected (``ChartKind.DOTS``). Either is shown by
``{% include "audit/reports/chart.html" with chart=… key=… %}`` on a page that links ``audit/reports.css``; ``key`` is a word
that nothing else on the page has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import groupby
from math import ceil, floor
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from tables.audit.reports.words import text_of
from tables.selectors.reports.report import (
    ChartKind,
    Column,
    GroupTotal,
    Kind,
    Row,
    Section,
    Total,
    Value,
    Words,
    value_of,
)

Number = int | Decimal

TOP, PLOT, BOTTOM = 28, 180, 28
"""Heights of an upright chart: what stands over the highest bar, the plot, what stands under it."""
ROW = 52
"""The height of a row of dots: its words, and below them its line."""
FEWEST_SLOTS = 8
"""As if there were so many bars at least, so that two are no walls."""
WIDE, NARROW = 960, 270
"""How wide a plot is on a desk, about, and on a telephone: what decides which labels are there."""
LETTER, BESIDE = Decimal("7.2"), 12
"""About how wide a letter of a label is, and what is free beside it."""
NAME = 18
"""How far apart two lines are that both have their name over them."""
BAR = Decimal("0.72")
"""How much of its slot a bar takes."""
NICE_SECONDS = (1, 2, 5, 10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 36_000)
INTERVALS = 4
"""About how many intervals a scale has."""


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that is drawn: a figure, what it is measured by, and both ends of the interval it was expected in."""

    label: str
    value: Number
    against: Number | None = None
    low: Number | None = None
    high: Number | None = None

    @property
    def numbers(self) -> list[Number]:
        """All its figures."""
        return [each for each in (self.value, self.against, self.low, self.high) if each is not None]

    @property
    def is_outside(self) -> bool:
        """Whether the figure lies outside its interval."""
        return (self.low is not None and self.value < self.low) or (self.high is not None and self.value > self.high)


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle; ``x`` and ``width`` are percentages, ``says`` is what is read when it is pointed at."""

    look: str
    x: str
    y: str
    width: str
    height: str
    says: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line from one place to another."""

    look: str
    x1: str
    y1: str
    x2: str
    y2: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A dot."""

    look: str
    x: str
    y: str
    says: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A label, which begins, is in the ``middle`` or has its ``end`` at ``x``."""

    look: str
    x: str
    y: str
    anchor: str
    text: str


@dataclass(slots=True)
class Drawing:
    """A chart as it is drawn. ``says`` is the same in words; ``gutter`` how much room the scale takes at the left."""

    kind: str
    title: str
    says: str
    height: int
    gutter: str
    rects: list[Rect] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    dots: list[Dot] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)


def chart_of(section: Section, rows: Sequence[Row], zone: ZoneInfo) -> Drawing | None:
    """The chart of a section, from the rows of its table; ``None`` where it has none or there is nothing to draw."""
    chart = section.chart
    if chart is None:
        return None
    places = {column.name: index for index, column in enumerate(section.columns)}
    columns = {column.name: column for column in section.columns}

    def number(row: Row, name: str) -> Number | None:
        found = value_of(row[places[name]]) if name else None
        return found if isinstance(found, int | Decimal) else None

    low, high = chart.interval or ("", "")
    points = [
        Point(
            text_of(value_of(row[places[chart.label]]), columns[chart.label].kind, zone),
            value,
            number(row, chart.against),
            number(row, low),
            number(row, high),
        )
        for row in rows
        if not isinstance(row, GroupTotal | Total) and (value := number(row, chart.value)) is not None
    ]
    against = columns[chart.against].title if chart.against else ""
    return drawing(chart.kind, chart.title, points, columns[chart.value], columns[chart.label].title, against=against)


def drawing(
    kind: ChartKind, title: Words, points: Sequence[Point], value: Column, of: Words, *, against: Words = ""
) -> Drawing | None:
    """Points as a chart. ``value`` is what their figures are (its kind says how they are written), ``of`` what their labels are,
    ``against`` what they are measured by. ``None`` where there are none.

    With ``DOTS`` a point is a line: its label, its figure in words, and below them a dot on the interval from ``low`` to ``high``
    with a tick at ``against``. A dot outside its interval is hollow and its figure bold: that is a question, not an answer.
    """
    if not points:
        return None
    drawn = _Drawn(kind, points if kind is ChartKind.DOTS else [*_without_a_common_end(points)], value, str(against))
    says = _("%(value)s by %(of)s") % {"value": value.title, "of": str(of).lower()}
    drawn.drawing = Drawing(kind.value, str(title), f"{says}. {drawn.in_words()}", 0, drawn.gutter)
    if kind is ChartKind.DOTS:
        drawn.rows()
    else:
        drawn.upright()
    return drawn.drawing


class _Drawn:
    """A chart being drawn."""

    drawing: Drawing

    def __init__(self, kind: ChartKind, points: Sequence[Point], value: Column, against: str) -> None:
        self._kind, self._points, self._value, self._against = kind, points, value, against
        self._ticks = scale([number for point in points for number in point.numbers], value.kind)
        self._slot = Decimal(100) / max(len(points), FEWEST_SLOTS)

    @property
    def gutter(self) -> str:
        """How much room the words of the scale need at the left; dots have theirs below."""
        if self._kind is ChartKind.DOTS:
            return "scale-below"
        longest = max(len(self._words(tick)) for tick in self._ticks)
        return "scale-short" if longest <= 3 else "scale-middle" if longest <= 6 else "scale-long"

    def in_words(self) -> str:
        """What there is to see."""
        most = max(self._points, key=lambda point: point.value)
        least = min(self._points, key=lambda point: point.value)
        words = _("Highest: %(most)s, %(highest)s. Lowest: %(least)s, %(lowest)s. Every figure is in the table.")
        return words % {
            "most": most.label,
            "highest": self._words(most.value),
            "least": least.label,
            "lowest": self._words(least.value),
        }

    def _words(self, number: Value) -> str:
        return text_of(number, self._value.kind, _NO_ZONE)

    def _part(self, number: Number) -> Decimal:
        """How far up the scale a figure is, from 0 to 1."""
        first, last = self._ticks[0], self._ticks[-1]
        return Decimal(number - first) / (last - first)

    # Upright: bars and steps.

    def upright(self) -> None:
        chart = self.drawing
        chart.height = TOP + PLOT + BOTTOM
        for tick in self._ticks:
            at = self._y(tick)
            chart.lines.append(Line("zero" if tick == 0 else "grid", "0%", _px(at), "100%", _px(at)))
            chart.texts.append(Text("scale", "-8", _px(at + 4), "end", self._words(tick)))
        for index, point in enumerate(self._points):
            self._bar(index, point)
        if self._kind is ChartKind.STEPS:
            self._outlines("step", [point.value for point in self._points])
            self._outlines("against", [point.against for point in self._points])
        chart.texts += [*self._labels_below(), *self._labels_above(), *self._names()]

    def _y(self, number: Number) -> Decimal:
        """How far down a figure is, in pixels."""
        return TOP + PLOT * (1 - self._part(number))

    def _bar(self, index: int, point: Point) -> None:
        wide = BAR if self._kind is ChartKind.BARS else Decimal(1)
        left = self._slot * (index + (1 - wide) / 2)
        look = "bar" if self._kind is ChartKind.BARS else "area"
        says = f"{point.label}: {self._words(point.value)}"
        if point.against is not None:
            says = f"{says} ({self._against}: {self._words(point.against)})"
            if self._kind is ChartKind.BARS:
                self.drawing.rects.append(self._rect("against", left, self._slot * wide, point.against, ""))
        self.drawing.rects.append(self._rect(look, left, self._slot * wide, point.value, says))

    def _rect(self, look: str, left: Decimal, width: Decimal, number: Number, says: str) -> Rect:
        zero, end = self._part(0), self._part(number)
        return Rect(
            look,
            _percent(left),
            _px(TOP + PLOT * (1 - max(zero, end))),
            _percent(width),
            _px(PLOT * abs(end - zero)),
            says,
        )

    def _outlines(self, look: str, numbers: Sequence[Number | None]) -> None:
        """The steps of a figure, and what joins them; while it stays the same it is one line."""
        before: Number | None = None
        runs = groupby(enumerate(numbers), key=lambda each: each[1])
        for number, run in runs:
            places = [index for index, _number in run]
            left, right = _percent(self._slot * places[0]), _percent(self._slot * (places[-1] + 1))
            if number is not None and before is not None:
                self.drawing.lines.append(Line(look, left, _px(self._y(before)), left, _px(self._y(number))))
            if number is not None:
                self.drawing.lines.append(Line(look, left, _px(self._y(number)), right, _px(self._y(number))))
            before = number

    def _middle(self, index: int) -> str:
        return _percent(self._slot * (2 * index + 1) / 2)

    def _labels_below(self) -> Iterator[Text]:
        longest = max(len(point.label) for point in self._points) * LETTER + BESIDE
        on_a_desk = self._every(longest, WIDE)
        on_a_phone = ceil(self._every(longest, NARROW) / on_a_desk) * on_a_desk
        for index, point in enumerate(self._points):
            if index % on_a_desk == 0:
                look = "label" if index % on_a_phone == 0 else "label wide"
                yield Text(look, self._middle(index), str(TOP + PLOT + 20), "middle", point.label)

    def _every(self, width: Decimal, plot: int) -> int:
        return max(1, ceil(width / (plot * self._slot / 100)))

    def _labels_above(self) -> Iterator[Text]:
        """The largest figure always; the others too, where there is room on a desk."""
        largest = max(range(len(self._points)), key=lambda index: (self._points[index].value, -index))
        longest = max(len(self._words(point.value)) for point in self._points) * LETTER + BESIDE
        has_room = self._kind is ChartKind.BARS and self._every(longest, WIDE) == 1
        for index, point in enumerate(self._points):
            if index != largest and not (has_room and point.value):
                continue
            look = "figure largest" if index == largest else "figure wide"
            over = point.value if point.against is None or self._kind is ChartKind.STEPS else max(point.numbers)
            at = self._y(max(over, 0)) - 7 if point.value >= 0 else self._y(point.value) + 16
            yield Text(look, self._middle(index), _px(at), "middle", self._words(point.value))

    def _names(self) -> Iterator[Text]:
        """An outline is named where it ends, and beside one the figure too, as far as both have room."""
        last = self._points[-1]
        if last.against is None:
            return
        end, outline, figure = _percent(self._slot * len(self._points)), self._y(last.against), self._y(last.value)
        yield Text("name", end, _px(outline - 7), "end", self._against)
        if self._kind is ChartKind.STEPS and abs(outline - figure) > NAME:
            yield Text("name", end, _px(figure - 7), "end", str(self._value.title))

    # Dots on intervals, a line each.

    def rows(self) -> None:
        chart = self.drawing
        chart.height = ROW * len(self._points) + BOTTOM
        for tick in self._ticks:
            at = _percent(100 * self._part(tick))
            bottom = str(ROW * len(self._points))
            chart.lines.append(Line("zero" if tick == 0 else "grid", at, "0", at, bottom))
            anchor = "start" if tick == self._ticks[0] else "end" if tick == self._ticks[-1] else "middle"
            chart.texts.append(Text("scale", at, str(ROW * len(self._points) + 18), anchor, self._words(tick)))
        for index, point in enumerate(self._points):
            self._row(index * ROW, point)

    def _row(self, top: int, point: Point) -> None:
        chart, middle = self.drawing, str(top + 36)
        says = self._words(point.value)
        if point.low is not None and point.high is not None:
            low, high = (_percent(100 * self._part(each)) for each in (point.low, point.high))
            chart.lines.append(Line("interval", low, middle, high, middle))
            words = _("%(value)s; expected %(low)s to %(high)s")
            says = words % {"value": says, "low": self._words(point.low), "high": self._words(point.high)}
        if point.against is not None:
            at = _percent(100 * self._part(point.against))
            chart.lines.append(Line("tick", at, str(top + 29), at, str(top + 43)))
        look = "dot outside" if point.is_outside else "dot"
        chart.dots.append(Dot(look, _percent(100 * self._part(point.value)), middle, f"{point.label}: {says}"))
        chart.texts.append(Text("label", "0%", str(top + 18), "start", point.label))
        chart.texts.append(Text("figure largest" if point.is_outside else "figure", "100%", str(top + 18), "end", says))


_NO_ZONE = ZoneInfo("UTC")
"""For figures, which have none."""


def scale(numbers: Sequence[Number], kind: Kind) -> list[Number]:
    """Round figures, evenly apart, from at most the least of these and nothing to at least the greatest."""
    least, most = min(0, *numbers), max(0, *numbers)
    if kind in (Kind.PERCENT, Kind.RATIO):
        step: Number = _nice(most - least or 1)
    else:
        step = _nice_seconds(int(most - least)) if kind is Kind.DURATION else max(1, int(_nice(most - least)))
    first, last = floor(least / step), max(ceil(most / step), floor(least / step) + 1)
    return [step * index for index in range(first, last + 1)]


def _nice(length: Number) -> Decimal:
    """1, 2 or 5 and noughts, so that about ``INTERVALS`` of it are a length; 1 for no length."""
    if not length:
        return Decimal(1)
    about = Decimal(length) / INTERVALS
    ten = Decimal(10) ** about.adjusted()
    return next(step * ten for step in (1, 2, 5, 10) if step * ten >= about)


def _nice_seconds(length: int) -> int:
    about = length / INTERVALS
    return next((step for step in NICE_SECONDS if step >= about), ceil(about / 36_000) * 36_000)


def _without_a_common_end(points: Sequence[Point]) -> Iterator[Point]:
    """Where all labels below the bars end in the same word, such as a time zone, that word says nothing."""
    ends = {point.label.rpartition(" ")[2] for point in points if " " in point.label}
    drops = len(points) > 1 and len(ends) == 1 and all(" " in point.label for point in points)
    for point in points:
        label = point.label.rpartition(" ")[0] if drops else point.label
        yield Point(label, point.value, point.against, point.low, point.high)


def _percent(number: Decimal) -> str:
    return f"{number:.3f}%"


def _px(number: Decimal) -> str:
    return f"{number:.2f}"
