"""The gaming day: the date a room books an instant under. A pure function of the instant and the room's setting."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def gaming_day(instant: datetime, *, time_zone: ZoneInfo, starts_at: time) -> date:
    """The gaming day of an aware instant: the local date, or the day before while the clock is short of ``starts_at``."""
    local = instant.astimezone(time_zone)
    day = local.date()
    return day if local.time() >= starts_at else day - timedelta(days=1)


def gaming_day_bounds(day: date, *, time_zone: ZoneInfo, starts_at: time) -> tuple[datetime, datetime]:
    """First instant of a gaming day and of the next one, in UTC; a day with a clock change is 23 or 25 hours long."""
    start = datetime.combine(day, starts_at, tzinfo=time_zone)
    end = datetime.combine(day + timedelta(days=1), starts_at, tzinfo=time_zone)
    return start.astimezone(UTC), end.astimezone(UTC)
