"""The gaming day: a date that rolls over when the room says, whatever the clock does."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.gaming_day import gaming_day, gaming_day_bounds

LOS_ANGELES = ZoneInfo("America/Los_Angeles")
SIX = time(6)


@pytest.mark.parametrize(
    ("local", "day"),
    [
        ("2026-11-29T05:59:59", date(2026, 11, 28)),
        ("2026-11-29T06:00:00", date(2026, 11, 29)),
        ("2026-11-29T23:59:59", date(2026, 11, 29)),
        ("2026-11-30T00:30:00", date(2026, 11, 29)),
    ],
)
def test_it_rolls_over_at_the_rooms_hour(local: str, day: date) -> None:
    """N13: 05:59 and 06:00 belong to two gaming days."""
    instant = datetime.fromisoformat(local).replace(tzinfo=LOS_ANGELES)
    assert gaming_day(instant, time_zone=LOS_ANGELES, starts_at=SIX) == day


@pytest.mark.parametrize(("day", "hours"), [(date(2026, 3, 7), 23), (date(2026, 10, 31), 25), (date(2026, 6, 1), 24)])
def test_a_day_with_a_clock_change_is_an_hour_shorter_or_longer(day: date, hours: int) -> None:
    start, end = gaming_day_bounds(day, time_zone=LOS_ANGELES, starts_at=SIX)
    assert end - start == timedelta(hours=hours)


@given(st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)), st.times())  # noqa: DTZ001
def test_every_instant_lies_within_its_own_day(instant: datetime, starts_at: time) -> None:
    starts_at = starts_at.replace(microsecond=0, fold=0)
    day = gaming_day(instant, time_zone=LOS_ANGELES, starts_at=starts_at)
    start, end = gaming_day_bounds(day, time_zone=LOS_ANGELES, starts_at=starts_at)
    # In the hour that a clock change repeats or skips, the bounds and the wall clock may differ by that hour.
    assert start - timedelta(hours=1) <= instant < end + timedelta(hours=1)
