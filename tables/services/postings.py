"""Postings as the second floor makes them. What is added to ``Work.postings`` is posted with the command."""

from collections.abc import Iterable, Mapping
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


def course(held: Mapping[UUID, int], postings: Iterable[Posting]) -> tuple[dict[UUID, int], dict[UUID, int]]:
    """What accounts that hold so much hold after some postings, in cents, and what each would lack on the way.

    Lines count one by one. Those that lack nothing are left out of the second.
    """
    running, lowest = dict(held), dict.fromkeys(held, 0)
    for line in (line for posting in postings for line in posting.entries if line.account_id in held):
        running[line.account_id] += line.amount_cents
        lowest[line.account_id] = min(lowest[line.account_id], running[line.account_id])
    return running, {account: -cents for account, cents in lowest.items() if cents < 0}
