"""The gaming day: a date that rolls over when the room says, whatever the clock does."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.gaming_day import gaming_day

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


def local_midday(day: date) -> datetime:
    return datetime.combine(day, time(12), tzinfo=LOS_ANGELES)


@pytest.mark.parametrize(("day", "hours"), [(date(2026, 3, 7), 23), (date(2026, 10, 31), 25), (date(2026, 6, 1), 24)])
def test_a_day_with_a_clock_change_is_an_hour_shorter_or_longer(day: date, hours: int) -> None:
    """Counted by the hour, from well before the day to well after it."""
    first = local_midday(day).astimezone(UTC) - timedelta(hours=24)
    instants = [first + timedelta(hours=hour) for hour in range(72)]
    days = [gaming_day(instant, time_zone=LOS_ANGELES, starts_at=SIX) for instant in instants]
    assert days.count(day) == hours
    assert days == sorted(days)


@given(st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)), st.times())  # noqa: DTZ001
def test_an_instant_is_booked_under_its_own_date_or_the_one_before(instant: datetime, starts_at: time) -> None:
    local = instant.astimezone(LOS_ANGELES)
    day = gaming_day(instant, time_zone=LOS_ANGELES, starts_at=starts_at)
    assert day == local.date() - timedelta(days=local.time() < starts_at)
