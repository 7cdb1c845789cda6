"""What the address of a page asks for, as far as it makes sense; for anything else the page shows what it shows unasked."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest, QueryDict

EARLIEST, LATEST = date(2000, 1, 1), date(2999, 12, 31)
"""Days outside of these have no gaming day that could be worked out in every time zone, and nothing was recorded in them."""

LONGEST_NUMBER = 18


def day_asked(request: HttpRequest) -> date | None:
    """The gaming day ``day`` of the address."""
    return day_in(request.GET)


def day_in(asked: QueryDict) -> date | None:
    """The gaming day ``day`` of an address or a form."""
    try:
        day = date.fromisoformat(asked.get("day", ""))
    except ValueError:
        return None
    return day if EARLIEST <= day <= LATEST else None


def number_asked(request: HttpRequest, name: str) -> int | None:
    """A whole number that a row can have."""
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER else None
