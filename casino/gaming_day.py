"""The gaming day: the date a room books an instant under. A pure function of the instant and the room's setting."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

ONE_DAY = timedelta(days=1)


def gaming_day(instant: datetime, *, time_zone: ZoneInfo, starts_at: time) -> date:
    """The gaming day of an aware instant: the local date, or the day before while that date's day has not begun."""
    day = instant.astimezone(time_zone).date()
    return day if instant >= _start(day, time_zone, starts_at) else day - ONE_DAY


def gaming_day_bounds(day: date, *, time_zone: ZoneInfo, starts_at: time) -> tuple[datetime, datetime]:
    """The first instant of a gaming day and the first of the next one, in UTC.

    Every instant lies between the bounds of its own gaming day and of no other, also where the clock is changed.
    """
    return _start(day, time_zone, starts_at), _start(day + ONE_DAY, time_zone, starts_at)


def _start(day: date, time_zone: ZoneInfo, starts_at: time) -> datetime:
    """When a day begins: the first time that the clock shows the hour; one that it leaps over counts as if it had not.

    In UTC, since instants of one time zone are compared by what the clock shows.
    """
    return datetime.combine(day, starts_at, tzinfo=time_zone).astimezone(UTC)
