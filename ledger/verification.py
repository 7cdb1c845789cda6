"""Recomputes every digest of every book from the stored rows. Reads once through them and keeps one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from ledger.canonical import EntryContent, TransactionContent, first_digest, transaction_digest

_ROWS_AT_ONCE = 2000

_QUERY = """
    SELECT t.digest, t.book_id, t.sequence, t.id, t.kind, t.key, t.command, t.reference, t.rule, t.actor, t.approver,
        t.device, t.occurred_at, t.recorded_at, t.reverses_id, t.reason_code, t.reason, t.evidence, t.entry_count,
        t.previous_digest, e.line, e.account_id, a.kind, e.amount_cents, e.balance_after_cents, e.account_version
    FROM ledger_transaction t
    LEFT JOIN ledger_entry e ON e.transaction_id = t.id LEFT JOIN ledger_account a ON a.id = e.account_id
    ORDER BY t.book_id, t.sequence, t.id, e.line
"""
_BOOK, _TRANSACTION, _ENTRY = 1, 3, 20  # columns: the book's id, the transaction's id, the first of the entry


@dataclass(frozen=True, slots=True)
class Fault:
    """The first transaction of a book at which its chain does not hold, and what differs there."""

    book: UUID
    sequence: int
    transaction: UUID
    differences: tuple[str, ...]


@dataclass(slots=True)
class Verification:
    """How much was read, and the first fault of every book that has one."""

    books: int = 0
    transactions: int = 0
    entries: int = 0
    faults: list[Fault] = field(default_factory=list)


def verify_books() -> Verification:
    """Check every book from its first transaction: numbers without gaps, each digest over content and digest before.

    Reads as of one instant. A missing tail leaves nothing to see here.
    """
    verification = Verification()
    with transaction.atomic(), connection.chunked_cursor() as cursor:
        cursor.execute(_QUERY)
        batches = iter(lambda: cursor.fetchmany(_ROWS_AT_ONCE), [])
        for book, rows in groupby(chain.from_iterable(batches), key=itemgetter(_BOOK)):
            verification.books += 1
            fault = _first_fault(book, _stored_transactions(rows, verification))
            if fault is not None:
                verification.faults.append(fault)
    return verification


def _stored_transactions(
    rows: Iterable[tuple[Any, ...]], verification: Verification
) -> Iterator[tuple[bytes, TransactionContent]]:
    for _, group in groupby(rows, key=itemgetter(_TRANSACTION)):
        lines = list(group)
        entries = tuple(EntryContent(*line[_ENTRY:]) for line in lines if line[_ENTRY] is not None)
        verification.transactions += 1
        verification.entries += len(entries)
        yield lines[0][0], TransactionContent._make((*lines[0][1:_ENTRY], entries))


def _first_fault(book: UUID, stored: Iterator[tuple[bytes, TransactionContent]]) -> Fault | None:
    """Reads the book to its end also past a fault, so that all of it is counted."""
    fault = None
    previous = first_digest(book)
    for sequence, (digest, content) in enumerate(stored, start=1):
        if fault is None and (differences := _differences(sequence, previous, digest, content)):
            fault = Fault(book, content.sequence, content.id, differences)
        previous = digest
    return fault


def _differences(sequence: int, previous: bytes, digest: bytes, content: TransactionContent) -> tuple[str, ...]:
    differences = []
    if content.sequence != sequence:
        differences.append(f"it is number {content.sequence} where number {sequence} belongs")
    if content.previous_digest != previous:
        differences.append(
            f"it chains to {content.previous_digest.hex()}, and the digest before it is {previous.hex()}"
        )
    if len(content.entries) != content.entry_count:
        differences.append(f"it says {content.entry_count} entries and has {len(content.entries)}")
    computed = transaction_digest(content)
    if computed != digest:
        differences.append(f"its content makes the digest {computed.hex()}, and {digest.hex()} is stored")
    return tuple(differences)
