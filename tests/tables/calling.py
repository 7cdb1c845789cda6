"""Floor called, answering and closing, as Ben at the tables and Ada on the floor press it."""

from typing import Any
from uuid import UUID

from casino.staff.actor import Actor
from tables.models import TableSession
from tables.services.calls import floor_answer, floor_call, floor_close, hand_ask_undo
from tests.people import Cast, order


def call(cast: Cast, session: TableSession, reason: str = "decision", **values: Any) -> UUID:
    """Floor called by Ben from the session's table."""
    actor = cast.dealer if session.table_id == cast.chinese.pk else cast.pai_gow_dealer
    return UUID(floor_call(order(actor), session_id=session.pk, reason=reason, **values)["call"])


def answer(cast: Cast, call_id: UUID, *, actor: Actor | None = None) -> dict[str, Any]:
    """Answered by Ada unless said otherwise."""
    return floor_answer(order(actor or cast.floor), call_id=call_id)


def close(cast: Cast, call_id: UUID, *, actor: Actor | None = None) -> dict[str, Any]:
    """Closed by Ada unless said otherwise."""
    return floor_close(order(actor or cast.floor), call_id=call_id)


def ask_undo(
    cast: Cast, hand_id: UUID, reason: str = "the middle was read wrong", *, actor: Actor | None = None
) -> UUID:
    """Asked by Ben at table 7 unless said otherwise; gives the exception."""
    return UUID(hand_ask_undo(order(actor or cast.dealer), hand_id=hand_id, reason=reason)["exception"])


def one_call_of_each(cast: Cast, session: TableSession) -> None:
    """A call that was answered and closed."""
    told = call(cast, session)
    answer(cast, told)
    close(cast, told)
