"""The time a report is about: gaming days of a room, or a part of them between two times of its clock, such as a shift."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from casino.gaming_day import ONE_DAY, gaming_day_bounds
from tables.models import Room


@dataclass(frozen=True, slots=True)
class Span:
    """From ``start`` to before ``end``, both in UTC, within the gaming days from ``first`` to ``last``."""

    first: date
    last: date
    start: datetime
    end: datetime

    @property
    def days(self) -> int:
        """How many gaming days it touches."""
        return (self.last - self.first).days + 1

    def clip_seconds(self, start: datetime, end: datetime | None, now: datetime) -> int:
        """How many whole seconds something lasted within the span; what goes on still has lasted until ``now``."""
        until = min(end or now, self.end)
        return max(0, int((until - max(start, self.start)).total_seconds()))


def days_span(room: Room, first: date, last: date) -> Span:
    """Whole gaming days."""
    start, _end = gaming_day_bounds(first, time_zone=room.zone, starts_at=room.day_starts_at)
    _start, end = gaming_day_bounds(last, time_zone=room.zone, starts_at=room.day_starts_at)
    return Span(first, last, start, end)


def hours_span(room: Room, first: date, last: date, begins: time, ends: time) -> Span:
    """From a time of the clock in the first gaming day to one in the last; to end at the roll-over is to end with that day.

    A time before the roll-over belongs to the next morning. Of an hour that the clock shows twice the first one counts, so that
    shifts that follow each other leave nothing out. Raises ``ValueError`` where it ends before it begins.
    """
    whole = days_span(room, first, last)
    start = max(_instant(room, first, begins), whole.start)
    end = whole.end if ends == room.day_starts_at else min(_instant(room, last, ends), whole.end)
    if end <= start:
        raise ValueError(f"{ends} comes before {begins} in a gaming day that starts at {room.day_starts_at}")
    return Span(first, last, start, end)


def day_starts(room: Room, span: Span) -> list[datetime]:
    """The first instant of every gaming day of the span, in order."""
    days = (span.first + timedelta(days=index) for index in range(span.days))
    return [gaming_day_bounds(day, time_zone=room.zone, starts_at=room.day_starts_at)[0] for day in days]


def _instant(room: Room, day: date, at: time) -> datetime:
    date_of_clock = day if at >= room.day_starts_at else day + ONE_DAY
    return datetime.combine(date_of_clock, at, tzinfo=room.zone).astimezone(UTC)
