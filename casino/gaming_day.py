"""The gaming day: the date a room books an instant under. A pure function of the instant and the room's setting."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def gaming_day(instant: datetime, *, time_zone: ZoneInfo, starts_at: time) -> date:
    """The gaming day of an aware instant: the local date, or the day before while the clock is short of ``starts_at``."""
    local = instant.astimezone(time_zone)
    day = local.date()
    return day if local.time() >= starts_at else day - timedelta(days=1)
