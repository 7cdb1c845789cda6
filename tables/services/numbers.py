"""Numbers for a room's papers: one series a kind, without gaps."""

from __future__ import annotations

from typing import NamedTuple

from tables.lock_objects import lock_number_series
from tables.models import NumberSeries, Room

PREFIXES = {NumberSeries.Kind.POSTED_SHEET: "S-", NumberSeries.Kind.REPORT: "R-"}
"""What stands before a number until somebody says otherwise in the admin."""


class Number(NamedTuple):
    """A number as it counts, and as it is written: ``12`` and ``S-0012``."""

    ordinal: int
    text: str


def hold_series(room: Room, kind: NumberSeries.Kind) -> NumberSeries:
    """A room's series, begun with its first use, its row locked to the end of the transaction.

    Everybody in the room wants the same row: a command takes it last, after every other lock (``docs/locking.md``).
    """
    series = lock_number_series(room.pk, kind)
    if series is None:
        begun = NumberSeries(room=room, kind=kind, prefix=PREFIXES[kind])
        NumberSeries.objects.bulk_create([begun], ignore_conflicts=True)
        series = lock_number_series(room.pk, kind)
    if series is None:
        raise RuntimeError(f"the series of {kind} in {room.slug} was begun, and is not there")
    return series


def next_number(room: Room, kind: NumberSeries.Kind) -> Number:
    """Take the next number of a room's series, which begins with 1: used, or given back with the transaction.

    The series is held to the transaction's end, so no number is skipped and none is taken twice.
    """
    series = hold_series(room, kind)
    ordinal = series.next_number
    series.next_number += 1
    series.save(update_fields=["next_number"])
    return Number(ordinal, f"{series.prefix}{ordinal:04}")
