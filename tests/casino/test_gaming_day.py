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


def bounds(day: date, starts_at: time = SIX, zone: ZoneInfo = LOS_ANGELES) -> tuple[datetime, datetime]:
    return gaming_day_bounds(day, time_zone=zone, starts_at=starts_at)


@pytest.mark.parametrize(
    ("day", "start", "end"),
    [
        (date(2026, 6, 1), "2026-06-01T13:00Z", "2026-06-02T13:00Z"),
        (date(2026, 3, 7), "2026-03-07T14:00Z", "2026-03-08T13:00Z"),
        (date(2026, 10, 31), "2026-10-31T13:00Z", "2026-11-01T14:00Z"),
    ],
)
def test_its_bounds_are_24_23_or_25_hours_apart(day: date, start: str, end: str) -> None:
    assert bounds(day) == (datetime.fromisoformat(start), datetime.fromisoformat(end))


def test_the_second_of_the_roll_over_belongs_to_the_new_day_alone() -> None:
    start, end = bounds(date(2026, 11, 29))
    instants = [start - timedelta(microseconds=1), start, end - timedelta(microseconds=1), end]
    days = [gaming_day(instant, time_zone=LOS_ANGELES, starts_at=SIX).day for instant in instants]
    assert days == [28, 29, 29, 30]


@pytest.mark.parametrize(
    ("day", "starts_at", "start", "hours"),
    [
        # 02:30 is leapt over: the day begins when the old clock would have shown it.
        (date(2026, 3, 8), time(2, 30), "2026-03-08T10:30Z", 23),
        # 01:30 comes twice: the day begins at the first, and the second is not the day before again.
        (date(2026, 11, 1), time(1, 30), "2026-11-01T08:30Z", 25),
    ],
)
def test_a_roll_over_in_the_hour_of_the_clock_change_still_happens_once(
    day: date, starts_at: time, start: str, hours: int
) -> None:
    first, last = bounds(day, starts_at)
    assert first == datetime.fromisoformat(start)
    quarters = [first - timedelta(hours=3) + timedelta(minutes=15 * number) for number in range(40)]
    days = [gaming_day(instant, time_zone=LOS_ANGELES, starts_at=starts_at) for instant in quarters]
    assert days == [day - timedelta(days=1)] * 12 + [day] * 28
    assert last - first == timedelta(hours=hours)


ZONES = st.sampled_from(["America/Los_Angeles", "Australia/Lord_Howe", "Africa/Cairo", "UTC"]).map(ZoneInfo)


# Random instants, and those around the hours in which clocks are changed in March and November.
INSTANTS = st.one_of(
    st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    st.datetimes(datetime(2026, 3, 8, 8), datetime(2026, 3, 8, 14), timezones=st.just(UTC)),  # noqa: DTZ001
    st.datetimes(datetime(2026, 11, 1, 7), datetime(2026, 11, 1, 13), timezones=st.just(UTC)),  # noqa: DTZ001
)


@given(INSTANTS, st.times(), ZONES)
def test_an_instant_lies_within_the_bounds_of_its_own_day_and_of_no_other(
    instant: datetime, starts_at: time, zone: ZoneInfo
) -> None:
    day = gaming_day(instant, time_zone=zone, starts_at=starts_at)
    assert day in {(local := instant.astimezone(zone)).date(), local.date() - timedelta(days=1)}
    start, end = bounds(day, starts_at, zone)
    assert start <= instant < end
    assert bounds(day - timedelta(days=1), starts_at, zone)[1] == start
    assert bounds(day + timedelta(days=1), starts_at, zone)[0] == end
