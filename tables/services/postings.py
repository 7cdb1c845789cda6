"""How the second floor writes to the ledger: one call, with who and when taken from the command."""

from collections.abc import Sequence
from uuid import UUID

from ledger.kinds import TransactionKind
from ledger.models import Book, Transaction
from ledger.services import Line, Posting, post
from tables.services.commands import Work


def move(
    kind: TransactionKind, reference: str, source: UUID, target: UUID, amount_cents: int, *, rule: str = ""
) -> Posting:
    """A posting that moves one amount, in cents, from one account to another."""
    lines = (Line(source, -amount_cents), Line(target, amount_cents))
    return Posting(kind=kind, reference=reference, entries=lines, rule=rule)


def write(work: Work, book: Book, postings: Sequence[Posting]) -> list[Transaction]:
    """Post in order, as one part of the command; a command calls it once. Raises what ``ledger.services.post`` raises."""
    return post(
        book=book,
        postings=postings,
        command=work.order.key,
        actor=work.actor.badge_number,
        device=str(work.actor.device_id or ""),
        occurred_at=work.order.occurred_at,
    )
