"""What is handed to ``ledger.services.post``, and what can be said of it without a database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from ledger.errors import AmountOutOfRange, Unbalanced
from ledger.kinds import TransactionKind
from ledger.models import MAX_AMOUNT_CENTS


@dataclass(frozen=True, slots=True)
class Line:
    """A signed amount in cents on one account; positive where value arrives."""

    account_id: UUID
    amount_cents: int


@dataclass(frozen=True, slots=True)
class Posting:
    """A transaction to be written: ``reference`` is what it is about (``hand:<id>``), ``rule`` which rule asks for it.

    The entries are written in their order, and no guarded account may go below zero after any of them.
    ``reverses`` is the id of the transaction that a reversal takes back; ``ledger.services.reverse`` makes one.
    ``evidence`` is the SHA-256 of a document kept outside the ledger that a note vouches for; ``note`` makes one.
    """

    kind: TransactionKind
    reference: str
    entries: tuple[Line, ...]
    rule: str = ""
    reason_code: str = ""
    reason: str = ""
    reverses: UUID | None = None
    evidence: bytes | None = None


def note(reference: str, document: str) -> Posting:
    """The posting that moves nothing and binds a document of the floor above into the chain, by its SHA-256."""
    digest = sha256(document.encode()).digest()
    return Posting(kind=TransactionKind.NOTE, reference=reference, entries=(), evidence=digest)


def check_amounts(postings: Sequence[Posting]) -> None:
    """Raise ``AmountOutOfRange`` or ``Unbalanced`` for the first posting that no accounts could make right."""
    for posting in postings:
        for line in posting.entries:
            if line.amount_cents == 0 or abs(line.amount_cents) > MAX_AMOUNT_CENTS:
                raise AmountOutOfRange(line.amount_cents, MAX_AMOUNT_CENTS)
        total = sum(line.amount_cents for line in posting.entries)
        moves_value = posting.kind is not TransactionKind.NOTE
        if total != 0 or bool(posting.entries) != moves_value:
            raise Unbalanced(posting.kind, total)


def mirrored(entries: Sequence[Line]) -> tuple[Line, ...]:
    """The same lines with every sign turned."""
    return tuple(Line(line.account_id, -line.amount_cents) for line in entries)


def is_reversal_of(posting: Posting, original_kind: str, original: Sequence[Line]) -> bool:
    """Whether the posting takes back exactly a transaction of that kind with those lines, and says why."""
    return (
        posting.kind is TransactionKind.REVERSAL
        and original_kind != TransactionKind.REVERSAL
        and posting.reason_code != ""
        and posting.reason != ""
        and posting.entries == mirrored(original)
    )
