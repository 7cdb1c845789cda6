"""Charts show what the table below them says and nothing else: heights and places are its figures, words say the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest
from django.template.loader import render_to_string
from django.utils import timezone

from casino.staff.actor import Actor
from tables.audit.reports.charts import PLOT, Drawing, Point, chart_of, drawing, scale
from tables.audit.reports.screen import screen_of
from tables.selectors.reports import find_report, report_made
from tables.selectors.reports.asking import ask, asked_of
from tables.selectors.reports.report import Chart, ChartKind, Column, Kind, Section, with_totals
from tests.tables.over_http import on_the_web
from tests.tables.reports.day import Day
from tests.tables.reports.reading import get, made

CENTS = Column("cents", "Kept", Kind.CENTS, totals=True)
HOUR = Column("hour", "Hour")


@dataclass(frozen=True)
class Svg:
    """A chart read back from a page."""

    root: ElementTree.Element

    def all(self, tag: str, look: str = "") -> list[ElementTree.Element]:
        """Its parts of a kind that look so."""
        return [each for each in self.root.iter(tag) if look in ("", each.get("class"))]

    def says(self, tag: str, look: str) -> list[tuple[str, float]]:
        """What is read when one points at a part, and how high it is."""
        return [(str(each[0].text), float(each.get("height", 0))) for each in self.all(tag, look)]

    def texts(self, look: str) -> list[str]:
        """Its labels of a kind."""
        return [str(each.text) for each in self.all("text") if look in str(each.get("class")).split()]


def read_svg(page: str) -> Svg:
    found = re.search(r"<svg.*?</svg>", page, re.DOTALL)
    assert found, "no chart"
    return Svg(ElementTree.fromstring(found[0]))  # noqa: S314 - what this program drew itself


def drawn(chart: Drawing | None) -> Svg:
    assert chart is not None
    return read_svg(render_to_string("audit/reports/chart.html", {"chart": chart, "key": "test"}))


def section_of(rows: list[tuple[Any, ...]], chart: Chart, columns: tuple[Column, ...]) -> Drawing | None:
    section = Section("hours", "By hour", columns, list(with_totals(columns, rows)), "None.", chart=chart)
    return chart_of(section, list(section.rows), ZoneInfo("UTC"))


def test_every_bar_of_the_day_is_as_high_as_its_figure(day: Day) -> None:
    asked = {"day": day.day.isoformat()}
    report = made(day.cast.cleo, "collections", **asked)
    kept = dict(zip(report.column("hours", "hour"), report.column("hours", "kept"), strict=True))
    svg = read_svg(get(on_the_web(day.cast.cleo), "collections", "", **asked).decode())
    highest = max(int(cents) for cents in kept.values())  # type: ignore[arg-type]
    bars = svg.says("rect", "bar")
    assert len(bars) == len(kept) == 24
    for (words, height), (hour, cents) in zip(bars, kept.items(), strict=True):
        assert words.startswith(str(hour).removesuffix(" PST")) and words.endswith(f": ${int(cents) // 100}")  # type: ignore[call-overload]
        assert height == pytest.approx(PLOT * int(cents) / 1_000, abs=0.01), hour  # type: ignore[call-overload]
    assert highest == 900 and svg.texts("scale") == ["$0", "$5", "$10"] and svg.texts("largest") == ["$9"]
    title, says = svg.root.find("title"), svg.root.find("desc")
    assert title is not None and title.text == "Most was kept in the hour from 07:00 PST: $9"
    assert says is not None and says.text is not None
    assert says.text.startswith("Kept by hour. Highest: 07:00, $9. Lowest: 08:00, $0.")
    assert svg.root.get("role") == "img" and "style=" not in ElementTree.tostring(svg.root, "unicode")


def test_hands_an_hour_and_seats_of_the_day(day: Day) -> None:
    asked = {"day": day.day.isoformat()}
    client = on_the_web(day.cast.cleo)
    rates = read_svg(get(client, "hands-an-hour", "", **asked).decode())
    assert [words for words, _height in rates.says("rect", "bar")] == ["T7: 1", "T8: 0"]
    seats = read_svg(get(client, "table-sessions", "", **asked).decode())
    areas = [words for words, _height in seats.says("rect", "area")]
    assert areas[:7] == [
        "06:00: 2 (Most seats open: 4)",
        "07:00: 2 (Most seats open: 4)",
        "08:00: 3 (Most seats open: 4)",
        "09:00: 3 (Most seats open: 4)",
        "10:00: 0 (Most seats open: 4)",
        "11:00: 0 (Most seats open: 0)",
        "12:00: 2 (Most seats open: 7)",
    ]
    assert seats.texts("name") == ["Most seats open", "Most seats filled"]


def test_the_seats_of_the_day_are_known(day: Day) -> None:
    """Table 7 has four seats and opens at half past six, table 8 seven from noon; Omar sat for an hour. Parts are thousandths."""
    rows = made(day.cast.cleo, "table-sessions", day=day.day.isoformat()).tables()["occupancy"]
    minute = 60
    assert rows[:7] == [
        ("06:00 PST", 2, 4, 56 * minute, 120 * minute, 467),
        ("07:00 PST", 2, 4, 120 * minute, 240 * minute, 500),
        ("08:00 PST", 3, 4, 150 * minute, 240 * minute, 625),
        ("09:00 PST", 3, 4, 150 * minute, 240 * minute, 625),
        ("10:00 PST", 0, 4, 0, 40 * minute, 0),
        ("11:00 PST", 0, 0, 0, 0, None),
        ("12:00 PST", 2, 7, 120 * minute, 420 * minute, 286),
    ]
    assert rows[-1] == ("Total", None, None, 2_636 * minute, 8_440 * minute, 312)


def test_an_empty_day_has_no_chart(day: Day) -> None:
    page = get(on_the_web(day.cast.cleo), "collections", "", day="2026-11-01").decode()
    assert "<svg" not in page and "Nothing was dealt or collected." in page


def test_what_is_below_nothing_hangs_below_the_line() -> None:
    chart = Chart(ChartKind.BARS, "One thing", label="hour", value="cents")
    svg = drawn(section_of([("06:00", 1_000), ("07:00", -500), ("08:00", None)], chart, (HOUR, CENTS)))
    assert svg.says("rect", "bar") == [("06:00: $10", 120.0), ("07:00: −$5", 60.0)]
    (zero,) = svg.all("line", "zero")
    up, down = svg.all("rect", "bar")
    assert float(up.get("y", 0)) + float(up.get("height", 0)) == float(down.get("y", 0)) == float(zero.get("y1", 0))


def test_dots_stand_on_the_interval_they_were_expected_in() -> None:
    """What lies outside is hollow, which asks and does not judge; all lie as far across as they are of the scale."""
    points = [Point("T7", 500, 0, -1_000, 1_000), Point("T8", 1_500, 0, -1_000, 1_000)]
    svg = drawn(drawing(ChartKind.DOTS, "One thing", points, CENTS, "Table", against="Expected"))
    low, high = -1_000, 2_000
    assert svg.texts("scale") == ["−$10", "$0", "$10", "$20"]

    def place(cents: int) -> str:
        return f"{100 * (cents - low) / (high - low):.3f}%"

    assert [dot.get("cx") for dot in svg.all("circle")] == [place(500), place(1_500)]
    assert [dot.get("class") for dot in svg.all("circle")] == ["dot", "dot outside"]
    assert {(each.get("x1"), each.get("x2")) for each in svg.all("line", "interval")} == {(place(low), place(1_000))}
    assert {each.get("x1") for each in svg.all("line", "tick")} == {place(0)}
    assert svg.texts("figure") == ["$5; expected −$10 to $10", "$15; expected −$10 to $10"]


def test_people_of_one_surname_keep_it_and_hours_lose_their_zone() -> None:
    points = [Point("Lin Wu", 500, 0, -1_000, 1_000), Point("Park Wu", 1_500, 0, -1_000, 1_000)]
    svg = drawn(drawing(ChartKind.DOTS, "One thing", points, CENTS, "Patron"))
    assert svg.texts("label") == ["Lin Wu", "Park Wu"]
    bars = drawn(drawing(ChartKind.BARS, "One thing", [Point("06:00 PST", 1), Point("07:00 PST", 2)], CENTS, "Hour"))
    assert [words for words, _height in bars.says("rect", "bar")] == ["06:00: $0.01", "07:00: $0.02"]


def test_a_chart_of_a_table_that_is_cut_short_would_lie_and_is_not_drawn(day: Day) -> None:
    report = find_report("collections")
    asked = asked_of(ask(report, Actor.of(day.cast.cleo), {"day": day.day.isoformat()}, timezone.now()))
    for most_rows, is_drawn in ((23, False), (24, True)):
        with report_made(report, asked) as data:
            (hours,) = (each for each in screen_of(data, most_rows).sections if each.section.name == "hours")
        assert (hours.chart is not None) is is_drawn


@pytest.mark.parametrize(
    ("numbers", "kind", "expected"),
    [
        ([0], Kind.COUNT, [0, 1]),
        ([3, 7], Kind.COUNT, [0, 2, 4, 6, 8]),
        ([90, 900], Kind.CENTS, [0, 500, 1_000]),
        ([-250, 125_000], Kind.CENTS, [-50_000, 0, 50_000, 100_000, 150_000]),
        ([3_500], Kind.DURATION, [0, 1_200, 2_400, 3_600]),
        (
            [Decimal("0.312")],
            Kind.PERCENT,
            [Decimal("0"), Decimal("0.1"), Decimal("0.2"), Decimal("0.3"), Decimal("0.4")],
        ),
    ],
)
def test_scales_are_round(numbers: list[Any], kind: Kind, expected: list[Any]) -> None:
    assert scale(numbers, kind) == expected
