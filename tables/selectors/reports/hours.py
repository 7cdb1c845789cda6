"""Hours of a room's clock, which figures by the hour stand in, without a gap between the first and the last."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from tables.selectors.reports.asking import Asked

HOUR = timedelta(hours=1)


def clock_hour(instant: datetime, zone: ZoneInfo) -> datetime:
    """The first instant, in UTC, of the hour that a room's clock shows."""
    local = instant.astimezone(zone)
    return (instant - timedelta(minutes=local.minute, seconds=local.second, microseconds=local.microsecond)).astimezone(
        UTC
    )


def hours_between(start: datetime, end: datetime, zone: ZoneInfo) -> Iterator[tuple[datetime, datetime, datetime]]:
    """The hours of the clock from one instant to before another: each hour's first instant, and from when to when it is meant."""
    hour = clock_hour(start, zone)
    while start < end:
        until = min(end, hour + HOUR)
        yield hour, start, until
        start, hour = until, clock_hour(until, zone)


def named_hours(asked: Asked, hours: Collection[datetime]) -> list[tuple[str, list[datetime]]]:
    """Hours by their names, in order, each with those of ``hours`` that it stands for: none, where it only fills a gap.

    Hours of one day stand one by one, also the one that the clock shows twice; of several days each hour of the clock together.
    """
    if not hours:
        return []
    zone = asked.room.zone
    if asked.span.days == 1:
        last = max(hours) + HOUR
        return [
            (f"{hour.astimezone(zone):%H:%M %Z}", [hour] if hour in hours else [])
            for hour, _start, _end in hours_between(min(hours), last, zone)
        ]
    by_clock: dict[str, list[datetime]] = {}
    for hour in sorted(hours):
        by_clock.setdefault(f"{hour.astimezone(zone):%H:%M}", []).append(hour)
    clocks = sorted(
        {*by_clock, *(f"{hour:02}:00" for hour in range(24))}, key=lambda clock: _since_roll_over(clock, asked)
    )
    there = [index for index, clock in enumerate(clocks) if clock in by_clock]
    return [(clock, by_clock.get(clock, [])) for clock in clocks[there[0] : there[-1] + 1]]


def _since_roll_over(clock: str, asked: Asked) -> tuple[bool, str]:
    return clock < f"{asked.room.day_starts_at:%H:00}", clock
