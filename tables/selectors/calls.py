"""Reads about calls for floor: what is open at a table, since when, and who is on the way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from ledger.rows import ComposedModels, any_of
from tables.models import FloorCall, Hand, TableException, TableSession
from tables.selectors.corrections import ruling_window
from tables.selectors.hands import JUDGED


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call that is not closed yet; ``answered_by`` is the name of who is on the way, empty while nobody is."""

    id: UUID
    reason: str
    reason_words: str
    note: str
    called_at: datetime
    called_by: str
    answered_at: datetime | None
    answered_by: str


def open_calls(session: TableSession) -> Sequence[OpenCall]:
    """The calls of a session that are open, the oldest first."""
    return open_calls_of([session.pk]).get(session.pk, [])


_OPEN = ComposedModels(
    lambda sessions: (
        FloorCall.objects.filter(session__in=any_of(sessions), close__isnull=True)
        .select_related("command__actor", "answer__command__actor")
        .order_by("called_at", "pk")
    )
)


def open_calls_of(sessions: Collection[UUID]) -> Mapping[UUID, Sequence[OpenCall]]:
    """The open calls of several sessions by session, the oldest first, in one query."""
    found: dict[UUID, list[OpenCall]] = defaultdict(list)
    for row in _OPEN(list(sessions)):
        found[row.session_id].append(open_call_of(row))
    return found


def open_call_of(row: FloorCall) -> OpenCall:
    """A call as screens show it, from its row with its command, answer and the people of both."""
    answer = getattr(row, "answer", None)
    return OpenCall(
        id=row.pk,
        reason=row.reason,
        reason_words=row.get_reason_display(),
        note=row.note,
        called_at=row.called_at,
        called_by=row.command.actor.name,
        answered_at=answer.answered_at if answer else None,
        answered_by=answer.command.actor.name if answer else "",
    )


def is_undo_asked(hand: Hand) -> bool:
    """Whether floor was asked to put a hand right and has not decided yet."""
    asked = hand.exceptions.filter(kind=TableException.Kind.UNDO_ASKED, decision__isnull=True)
    return asked.exists()


def may_ask_undo(hand: Hand) -> bool:
    """Whether floor may still be asked: the hand was settled or a misdeal, and no hand has begun since (PG-45)."""
    return hand.status in JUDGED and ruling_window(hand).is_open and not is_undo_asked(hand)
