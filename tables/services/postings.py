"""Postings as the second floor makes them. What is added to ``Work.postings`` is posted with the command."""

from uuid import UUID

from ledger.kinds import TransactionKind
from ledger.services import Line, Posting
from tables.models import Hand


def move(
    kind: TransactionKind, reference: str, source: UUID, target: UUID, amount_cents: int, *, rule: str = ""
) -> Posting:
    """A posting that moves one amount, in cents, from one account to another."""
    lines = (Line(source, -amount_cents), Line(target, amount_cents))
    return Posting(kind=kind, reference=reference, entries=lines, rule=rule)


def hand_reference(hand: Hand) -> str:
    """What the ledger calls a hand."""
    return f"hand:{hand.pk}"
