"""The stored transactions, streamed in the order of their books, each with the canonical bytes that its rows make now.

One query and no objects: this is what verifying a whole ledger spends its time on. The bytes are those of
``ledger.canonical``, put together field by field; ``tests/ledger/test_stored.py`` holds the two equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from json.encoder import encode_basestring
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

ROWS_AT_ONCE = 2000

# Ids and instants as the text that is hashed: an object for each would cost more than the hash.
_INSTANT = """'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'"""
_QUERY = """
    SELECT t.book_id::text, t.sequence, t.id::text, t.kind, t.key, t.command::text, t.reference, t.rule, t.actor,
        t.approver, t.device,
        to_char(t.occurred_at AT TIME ZONE 'UTC', {instant}), to_char(t.recorded_at AT TIME ZONE 'UTC', {instant}),
        t.reverses_id::text, t.reason_code, t.reason, t.evidence, t.entry_count, t.previous_digest, t.digest,
        e.line, e.account_id::text, a.kind, e.amount_cents, e.balance_after_cents, e.account_version
    FROM ledger_transaction t {ranges}
    LEFT JOIN ledger_entry e ON e.transaction_id = t.id LEFT JOIN ledger_account a ON a.id = e.account_id
    ORDER BY t.book_id, t.sequence, t.id, e.line
"""
_RANGES = """
    JOIN unnest(%s::uuid[], %s::bigint[], %s::bigint[]) r (book, first, last)
        ON t.book_id = r.book AND t.sequence BETWEEN r.first AND r.last
"""
_TRANSACTION, _ENTRY = 2, 20  # columns: the transaction's id, the first of the entry


class Range(NamedTuple):
    """Transactions ``first`` to ``last`` of a book."""

    book: UUID
    first: int
    last: int


class StoredTransaction(NamedTuple):
    """A transaction as it is stored: what chains it, and ``content``, the canonical bytes of its rows."""

    book: str
    sequence: int
    kind: str
    command: str
    evidence: bytes | None
    previous_digest: bytes
    digest: bytes
    entries: int
    content: bytes


def stored_transactions(ranges: Sequence[Range] | None = None) -> Iterator[StoredTransaction]:
    """All transactions, or those of some ranges, in the order of book and number. Inside a database transaction."""
    query = _QUERY.format(instant=_INSTANT, ranges="" if ranges is None else _RANGES)
    with connection.chunked_cursor() as cursor:
        cursor.execute(query, None if ranges is None else [list(column) for column in _columns(ranges)])
        batches = iter(lambda: cursor.fetchmany(ROWS_AT_ONCE), [])
        for _, rows in groupby(chain.from_iterable(batches), key=itemgetter(_TRANSACTION)):
            yield stored_transaction(list(rows))


def _columns(ranges: Sequence[Range]) -> tuple[Sequence[Any], ...]:
    return tuple(zip(*ranges, strict=True)) or ((), (), ())


def stored_transaction(rows: Sequence[tuple[Any, ...]]) -> StoredTransaction:
    """A transaction from the rows of the query: one for each entry, or a single one with an empty entry."""
    (
        book, sequence, id_, kind, key, command, reference, rule, actor,
        approver, device, occurred_at, recorded_at, reverses, reason_code, reason, evidence,
        entry_count, previous_digest, digest,
    ) = rows[0][:_ENTRY]  # fmt: skip
    text = encode_basestring
    lines = [_entry(*row[_ENTRY:]) for row in rows if row[_ENTRY] is not None]
    content = (
        f'{{"actor":{text(actor)},"approver":{text(approver)},"book":"{book}","command":"{command}",'
        f'"device":{text(device)},"entries":[{",".join(lines)}],"entry_count":{entry_count},'
        f'"evidence":{_hex(evidence)},"id":"{id_}","key":{text(key)},"kind":{text(kind)},'
        f'"occurred_at":"{occurred_at}","previous_digest":"{previous_digest.hex()}",'
        f'"reason":{text(reason)},"reason_code":{text(reason_code)},'
        f'"recorded_at":"{recorded_at}","reference":{text(reference)},'
        f'"reverses":{_quoted(reverses)},"rule":{text(rule)},"sequence":{sequence}}}'
    )
    return StoredTransaction(
        book, sequence, kind, command, evidence, previous_digest, digest, len(lines), content.encode()
    )


def _entry(
    line: int, account: str, account_kind: str | None, cents: int, after: int | None, version: int | None
) -> str:
    # An account that is gone leaves no kind; its guarded entries have balance and version, the others neither.
    return (
        f'{{"account":"{account}","account_kind":{_quoted(account_kind)},"account_version":{_number(version)},'
        f'"amount_cents":{cents},"balance_after_cents":{_number(after)},"line":{line}}}'
    )


def _quoted(value: str | None) -> str:
    return "null" if value is None else encode_basestring(value)


def _number(value: int | None) -> str:
    return "null" if value is None else str(value)


def _hex(value: bytes | None) -> str:
    return "null" if value is None else f'"{value.hex()}"'
