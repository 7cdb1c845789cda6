"""What happened in gaming days, asked of the database: each room has its own, by its time zone and the hour its day begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from django.db.models import Q

from casino.gaming_day import gaming_day_bounds
from tables.models import Room

Bounds = Mapping[tuple[datetime, datetime], Sequence[Room]]


def bounds_of(days: Mapping[Room, tuple[date, date]]) -> Bounds:
    """From when until before when the first through the last gaming day of each room are; rooms of the same hours together."""
    found: dict[tuple[datetime, datetime], list[Room]] = {}
    for room, (first, last) in days.items():
        start, _ = gaming_day_bounds(first, time_zone=room.zone, starts_at=room.day_starts_at)
        _, end = gaming_day_bounds(last, time_zone=room.zone, starts_at=room.day_starts_at)
        found.setdefault((start, end), []).append(room)
    return found


def within(bounds: Bounds, *, instant: str, room: str) -> Q:
    """The rows whose ``instant`` lies in the days of their ``room``: one range of an index, and what of it is which room's."""
    if not bounds:
        return Q(pk__in=[])
    either = Q()
    for (start, end), rooms in bounds.items():
        either |= Q(**{f"{instant}__gte": start, f"{instant}__lt": end, f"{room}__in": rooms})
    if len(bounds) == 1:
        return either
    earliest, latest = min(start for start, _ in bounds), max(end for _, end in bounds)
    return Q(**{f"{instant}__gte": earliest, f"{instant}__lt": latest}) & either
