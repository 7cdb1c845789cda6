"""Waiting lists of the cast, through the services."""

from typing import Any
from uuid import UUID

from casino.staff.actor import Actor
from tables.models import WaitingEntry
from tables.services.waiting import waiting_add, waiting_call, waiting_put_last, waiting_remove, waiting_seat
from tests.people import Cast, order

FIVE_A_POINT = {"room": "one", "game": "chinese-poker", "point_value_cents": 500}
TEN_TO_A_HUNDRED = {"room": "one", "game": "pai-gow-poker", "table_min_cents": 1_000, "table_max_cents": 10_000}


def add(cast: Cast, patron: str = "P1", **values: Any) -> WaitingEntry:
    """Ada puts a patron on the list of the Chinese table's stake, or of another."""
    who = {} if "description" in values else {"patron_number": patron}
    answer = waiting_add(order(cast.floor), **{**FIVE_A_POINT, **who, **values})
    return WaitingEntry.objects.get(pk=answer["entry"])


def call(cast: Cast, entry: WaitingEntry, actor: Actor | None = None, **values: Any) -> dict[str, Any]:
    """Ada calls somebody."""
    return waiting_call(order(actor or cast.floor), entry_id=entry.pk, **values)


def seat(cast: Cast, entry: WaitingEntry, session_id: UUID, number: int, actor: Actor | None = None) -> dict[str, Any]:
    """Ada seats somebody."""
    return waiting_seat(order(actor or cast.floor), entry_id=entry.pk, session_id=session_id, seat=number)


def put_last(cast: Cast, entry: WaitingEntry) -> dict[str, Any]:
    """Ada puts somebody at the end."""
    return waiting_put_last(order(cast.floor), entry_id=entry.pk)


def remove(cast: Cast, entry: WaitingEntry, why: str = "gave-up", words: str = "") -> dict[str, Any]:
    """Ada takes somebody off a list."""
    return waiting_remove(order(cast.floor), entry_id=entry.pk, why=why, words=words)
