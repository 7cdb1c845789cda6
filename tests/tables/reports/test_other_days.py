"""Days that are not like others: clocks change in their night, nothing happens in them, or they are not over."""

from __future__ import annotations

from datetime import time, timedelta
from itertools import pairwise

import pytest

from tables.selectors.reports import REPORTS
from tables.selectors.reports.spans import days_span, hours_span
from tests.people import Cast
from tests.tables import play
from tests.tables.over_http import on_the_web
from tests.tables.reports.day import LONG_DAY, SHORT_DAY, play_day
from tests.tables.reports.reading import get, made, summary

HOUR = 3600


def test_a_night_in_which_clocks_go_back_has_an_hour_twice(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures are those of any day; the time dealt at T8, from noon on, is an hour more."""
    day = play_day(cast, monkeypatch, LONG_DAY)
    report = made(cast.max, "collections", day=LONG_DAY.isoformat())
    night = ["00:00 PDT", "01:00 PDT", "01:00 PST", "02:00 PST"]
    names = report.column("hours", "hour")
    assert names[(start := names.index(night[0])) : start + len(night)] == night
    assert report.column("tables", "time") == [3 * HOUR + 40 * 60, 19 * HOUR]
    assert report.total("hours")["kept"] == 3_500 and report.total("hours")["hands"] == 8
    assert report.total("hours")["time"] == report.total("tables")["time"]
    assert [row[1] for row in report.tables()["hours"] if row[0] in night[1:3]] == [1, 1]
    assert day.end - day.start == timedelta(hours=25)


def test_shifts_of_nights_in_which_clocks_change_leave_no_minute_out(cast: Cast) -> None:
    for played, hours in ((LONG_DAY, 25), (SHORT_DAY, 23)):
        whole = days_span(cast.room, played, played)
        clocks = [time(6), time(22), time(1, 30), time(2, 30), time(6)]
        shifts = [hours_span(cast.room, played, played, *each) for each in pairwise(clocks)]
        assert (shifts[0].start, shifts[-1].end) == (whole.start, whole.end)
        assert all(before.end == after.start for before, after in pairwise(shifts))
        assert whole.end - whole.start == timedelta(hours=hours)


def test_an_empty_day_says_so(cast: Cast) -> None:
    for slug in REPORTS:
        report = made(cast.cleo, slug, day="2026-02-03")
        assert not report.marks()
        sections = {name: rows for name, rows in report.tables().items() if name not in ("summary", "money")}
        assert sections and not any(sections.values()), slug
        page = get(on_the_web(cast.cleo), slug, "", day="2026-02-03").decode()
        assert all(str(section.empty) in page for name, (section, _rows) in report.sections.items() if name in sections)
    assert set(summary(made(cast.cleo, "gaming-day", day="2026-02-03")).values()) == {(0, None), (0, 0), (None, 0)}


def test_a_report_of_today_says_that_figures_can_still_change(cast: Cast) -> None:
    client = on_the_web(cast.cleo)
    play.deal_chinese(cast)
    assert "Figures can still change" in get(client, "gaming-day", "csv").decode()
    assert "Figures can still change" not in get(client, "gaming-day", "csv", day="2026-02-03").decode()
