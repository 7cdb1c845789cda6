"""Gaming days as commands take them."""

from argparse import ArgumentTypeError
from datetime import date

from casino.gaming_day import ONE_DAY


def a_day(text: str) -> date:
    """The day written as ``2026-11-29``. Raises ``ArgumentTypeError`` for anything else, and for days at the end of time."""
    try:
        day = date.fromisoformat(text)
        # A gaming day reaches into the next date, and a time zone over the edge of the first and the last.
        _ = (day - ONE_DAY, day + 2 * ONE_DAY)
    except (ValueError, OverflowError):
        raise ArgumentTypeError(f"{text!r} is no day; write it as 2026-11-29.") from None
    return day
