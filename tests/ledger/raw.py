"""Rows written round the services, by SQL alone, as somebody with the application's password could."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg import sql

from ledger.canonical import first_digest
from ledger.models import Account
from tests.ledger.house import NOON, House


def insert(connection: psycopg.Connection, table: str, row: dict[str, Any]) -> None:
    """One row into a table."""
    connection.execute(
        sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
            sql.Identifier(table),
            sql.SQL(", ").join(map(sql.Identifier, row)),
            sql.SQL(", ").join(sql.Placeholder() * len(row)),
        ),
        list(row.values()),
    )


def insert_transaction(connection: psycopg.Connection, book: UUID, kind: str, **changes: Any) -> UUID:
    """The next transaction of a book, rightly numbered and chained, with two entries to come, but for the changes."""
    head = connection.execute(
        "SELECT sequence, digest FROM ledger_transaction WHERE book_id = %s ORDER BY sequence DESC LIMIT 1", [book]
    ).fetchone()
    sequence, digest = head or (0, first_digest(book))
    command = uuid4()
    row = {
        "id": uuid4(),
        "book_id": book,
        "sequence": sequence + 1,
        "kind": kind,
        "key": f"{command}/1",
        "command": command,
        "reference": "hand:1",
        "rule": "",
        "actor": "2001",
        "approver": "",
        "device": "",
        "occurred_at": NOON,
        "recorded_at": NOON,
        "reverses_id": None,
        "reason_code": "",
        "reason": "",
        "evidence": None,
        "entry_count": 2,
        "previous_digest": digest,
        "digest": bytes(32),
    } | changes
    insert(connection, "ledger_transaction", row)
    return row["id"]


def insert_entry(
    connection: psycopg.Connection, transaction: UUID, line: int, account: UUID, cents: int, **changes: Any
) -> None:
    """An entry whose balance and number on the account follow what is there, but for the changes."""
    held = connection.execute(
        "SELECT balance_cents + %s, version + 1 FROM ledger_balance WHERE account_id = %s", [cents, account]
    ).fetchone()
    balance, version = held or (None, None)
    row = {
        "transaction_id": transaction,
        "line": line,
        "account_id": account,
        "amount_cents": cents,
        "balance_after_cents": balance,
        "account_version": version,
    } | changes
    insert(connection, "ledger_entry", row)


def write_pair(
    connection: psycopg.Connection, house: House, kind: str, *entries: tuple[Account, int], **row: Any
) -> None:
    """A transaction and its entries by SQL, up to the commit."""
    transaction = insert_transaction(connection, house.book.pk, kind, **row)
    for line, (account, cents) in enumerate(entries, start=1):
        insert_entry(connection, transaction, line, account.pk, cents)
