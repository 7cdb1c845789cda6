"""Whatever the superuser alters of a sealed night, with triggers off, ``ledger_verify`` finds it and names it.

The auditor holds the seal of the day; the seal that the house keeps beside its keys is not there to help. What is done to
a bundle that has left the building is in ``test_tampered_bundles.py``.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import psycopg
import pytest
from django.core.management import call_command

from tests.ledger.rewriting import rewrite_book, rewrite_seals
from tests.tables.sealed_night import SealedNight, rows_kept

CHANGED = "the digest written with it is for other content"
FOLLOWS_NOT = "was written after the digest"
ANEW = "The seals were written anew."


@dataclass(frozen=True)
class Case:
    """What is done, the exit status, and what the output says; ``{payment}`` and the like are names of the night."""

    does: str | Callable[[psycopg.Connection, SealedNight], None]
    says: tuple[str, ...]
    status: int = 1


def transaction(change: str, which: str = "payment") -> Case:
    """A column of a transaction changed: that transaction is named."""
    return Case(f"UPDATE ledger_transaction SET {change} WHERE id = %({which})s", (f"id {{{which}}}", CHANGED))


def entry(change: str) -> Case:
    """A column of the payment's first line changed."""
    statement = f"UPDATE ledger_entry SET {change} WHERE transaction_id = %(payment)s AND line = 1"
    return Case(statement, ("id {payment}", CHANGED))


def document(statement: str, command: str = "settled", says: str = "has the SHA-256") -> Case:
    """What a command stored changed: the command and the note that vouches for it are named."""
    return Case(statement, (f"command {{{command}}}", says, "(note, hand."))


# Those after a number step out of the way and come back where they belong now.
RENUMBER = """UPDATE ledger_transaction SET sequence = sequence + 9000 WHERE book_id = %(book)s AND sequence > {number};
    UPDATE ledger_transaction SET sequence = sequence - 9000 + {by} WHERE sequence > 9000"""


def removed_and_renumbered(which: str, number: str, after: str) -> Case:
    """A transaction taken out and the hole closed: the next one does not follow, and the book is shorter than sealed."""
    statement = f"DELETE FROM ledger_transaction WHERE id = %({which})s; " + RENUMBER.format(
        number=f"%({number})s", by=-1
    )
    return Case(statement, (f"id {{{after}}}", FOLLOWS_NOT, "covers it up to {last}"), 3)


def seal(change: str, says: str, number: int = 2) -> Case:
    """A column of a seal changed."""
    return Case(f"UPDATE ledger_seal SET {change} WHERE number = {number}", (f"Seal {number} (", says))


def book_rewritten(superuser: psycopg.Connection, night: SealedNight) -> None:
    superuser.execute("UPDATE ledger_transaction SET actor = '2002' WHERE id = %(payment)s", night.names)
    rewrite_book(superuser, night.names["book"])


def book_and_seals_rewritten(superuser: psycopg.Connection, night: SealedNight) -> None:
    book_rewritten(superuser, night)
    rewrite_seals(superuser)


AFTER_SEAL = """DELETE FROM ledger_transaction t USING ledger_sealline l JOIN ledger_seal s ON s.id = l.seal_id
    WHERE l.book_id = t.book_id AND t.sequence BETWEEN l.first AND l.last AND s.number > {number};
    DELETE FROM ledger_sealline l USING ledger_seal s WHERE s.id = l.seal_id AND s.number > {number};
    DELETE FROM ledger_seal WHERE number > {number}"""

CASES = {
    "amount": entry("amount_cents = amount_cents * 2"),
    "amounts of both lines": Case(
        "UPDATE ledger_entry SET amount_cents = amount_cents * 2 WHERE transaction_id = %(payment)s",
        ("id {payment}", CHANGED),
    ),
    "balance after": entry("balance_after_cents = balance_after_cents + 1"),
    "number on the account": entry("account_version = account_version + 50"),
    "account exchanged": entry("account_id = %(other_stack)s, account_version = account_version + 50"),
    "kind of an account": Case(
        "UPDATE ledger_account SET kind = 'jackpot' WHERE id = %(stack)s", ("id {stack_first}", CHANGED)
    ),
    "account gone": Case("DELETE FROM ledger_account WHERE id = %(stack)s", ("id {stack_first}", CHANGED)),
    "kind of transaction": transaction("kind = 'wager'"),
    "rule": transaction("rule = 'CP-99'"),
    "actor": transaction("actor = '2002'"),
    "approver": transaction("approver = '4001'"),
    "device": transaction("device = ''"),
    "occurred time": transaction("occurred_at = occurred_at + interval '1 minute'"),
    "recorded time": transaction("recorded_at = recorded_at - interval '1 minute'"),
    "command of a transaction": transaction("command = gen_random_uuid()"),
    "evidence of a note": transaction("evidence = sha256('x')", "note"),
    "digest": transaction("digest = sha256('x')"),
    "digest before": Case(
        "UPDATE ledger_transaction SET previous_digest = sha256('x') WHERE id = %(payment)s",
        ("id {payment}", FOLLOWS_NOT),
    ),
    "reason of a reversal": transaction("reason = 'misdeal'", "reversal"),
    "reason code of a reversal": transaction("reason_code = 'other'", "reversal"),
    "reversal points elsewhere": transaction("reverses_id = %(payment)s", "reversal"),
    "order of two": Case(
        "UPDATE ledger_transaction SET sequence = 9000 WHERE id = %(payment)s;"
        "UPDATE ledger_transaction SET sequence = %(number)s WHERE id = %(after)s;"
        "UPDATE ledger_transaction SET sequence = %(number)s + 1 WHERE id = %(payment)s",
        ("Transaction {number} of book", "id {after}", FOLLOWS_NOT),
    ),
    "removed from the middle": Case(
        "DELETE FROM ledger_transaction WHERE id = %(payment)s", ("id {after}", "number {number} belongs, which is missing")
    ),
    "removed from the middle, renumbered": removed_and_renumbered("payment", "number", "after"),
    "note removed, renumbered": removed_and_renumbered("note", "note_number", "after_note"),
    "first removed": Case(
        "DELETE FROM ledger_transaction WHERE id = %(first)s", ("id {second}", "number 1 belongs, which is missing")
    ),
    "one put in between": Case(
        RENUMBER.format(number="%(number)s", by=1) + """;
        INSERT INTO ledger_transaction SELECT (t).* FROM (SELECT jsonb_populate_record(t, jsonb_build_object(
            'id', gen_random_uuid(), 'key', 'x', 'sequence', t.sequence + 1)) t
            FROM ledger_transaction t WHERE id = %(payment)s) x""",
        ("Transaction {next_number} of book", FOLLOWS_NOT),
    ),
    "moved to another book": Case(
        "UPDATE ledger_transaction SET book_id = %(pai_gow_book)s, sequence = 999 WHERE id = %(payment)s",
        ("id {payment}", "stands where number", "id {after}"),
    ),
    "entry removed": Case(
        "DELETE FROM ledger_entry WHERE transaction_id = %(payment)s AND line = 2", ("id {payment}", CHANGED)
    ),
    "entry added": Case(
        "INSERT INTO ledger_entry (transaction_id, line, account_id, amount_cents) VALUES (%(payment)s, 3, %(stack)s, 5)",
        ("id {payment}", "line 3 moves $0.05"),
    ),
    "tail of one book": Case(
        "DELETE FROM ledger_transaction WHERE book_id = %(book)s AND sequence > %(number)s",
        ("Book {book_name} ({book}) ends with transaction {number}, and seal 3 covers it up to {last}",),
        3,
    ),
    "tail with its seals": Case(
        AFTER_SEAL.format(number=1), ("Seal 2 (gaming-day one 2026-11-29", "number 1: what came after was cut off"), 3
    ),
    "tail with its line": Case(
        "DELETE FROM ledger_transaction WHERE book_id = %(book)s AND sequence >= (SELECT max(first) FROM ledger_sealline "
        "WHERE book_id = %(book)s); DELETE FROM ledger_sealline WHERE first > 1",
        ("Seal 3 (hour", "was made over 1 lines, and 0 are there"),
    ),
    "book with everything but the seals": Case(
        "DELETE FROM ledger_transaction WHERE book_id = %(book)s; DELETE FROM ledger_book WHERE id = %(book)s",
        ("Book without a name ({book}) is gone, and seal 3 covers it up to {last}",),
        3,
    ),
    "book with everything": Case(
        "DELETE FROM ledger_transaction WHERE book_id = %(book)s; DELETE FROM ledger_book WHERE id = %(book)s; "
        "DELETE FROM ledger_sealline WHERE book_id = %(book)s",
        ("Seal 1 (request in between", "was made over 1 lines, and 0 are there"),
    ),
    "all transactions": Case(
        "DELETE FROM ledger_entry; DELETE FROM ledger_transaction", ("The ledger is empty, and its seals cover",), 4
    ),
    "everything": Case(
        "DELETE FROM ledger_entry; DELETE FROM ledger_transaction; DELETE FROM ledger_sealline; DELETE FROM ledger_seal",
        ("Seal 2 (gaming-day one 2026-11-29", "the ledger is empty"),
        4,
    ),
    "content of a seal": seal("transactions = transactions - 1", "its content makes the digest"),
    "time of a seal": seal("made_at = made_at - interval '1 day'", "its content makes the digest"),
    "label of a seal": seal("label = 'one 2026-11-30'", "its content makes the digest"),
    "root of a seal": seal("root = sha256('x')", "its content makes the digest"),
    "digest of a seal": seal("digest = sha256('x')", "its content makes the digest"),
    "signature of a seal": seal("signature = sha256('x') || sha256('y')", "is not signed by the key that it names"),
    "key of a seal": seal("public_key = sha256('x'), next_public_key = sha256('x')", "its content makes the digest"),
    "root of a line": Case(
        "UPDATE ledger_sealline SET root = sha256('x') WHERE book_id = %(book)s AND first = 1",
        ("Seal 1 (request in between", "A line was changed", "Book {book_name} ({book}): transactions 1 to"),
    ),
    "end of a line": Case(
        "UPDATE ledger_sealline SET last = last - 1 WHERE book_id = %(book)s AND first > 1",
        ("Seal 3 (hour", "A line was changed"),
    ),
    "first seal removed": Case("DELETE FROM ledger_seal WHERE number = 1", ("Seal 1 is missing",)),
    "middle seal removed": Case(
        "DELETE FROM ledger_seal WHERE number = 2", ("Seal 2 is missing", "it was removed", "the seal that covers")
    ),
    "seals rewritten with another key": Case(
        lambda superuser, night: rewrite_seals(superuser), ("Seal 2 (gaming-day one 2026-11-29", ANEW)
    ),
    "sealed book rewritten": Case(
        book_rewritten, ("Book {book_name} ({book}): transactions 1 to", "not the ones that seal 1 was made over")
    ),
    "sealed book and seals rewritten": Case(book_and_seals_rewritten, ("Seal 2 (gaming-day one 2026-11-29", ANEW)),
    "verdict's text": document("UPDATE tables_verdict SET text = text || ' ' WHERE record_id = %(record)s", "entered"),
    "verdict's text and SHA-256": document(
        "UPDATE tables_verdict SET text = text || ' ', sha256 = sha256(convert_to(text || ' ', 'UTF8')) "
        "WHERE record_id = %(record)s",
        "entered",
    ),
    "verdict gone": document("DELETE FROM tables_verdict WHERE record_id = %(record)s", "entered", "is gone"),
    "hand record": document("UPDATE tables_handrecord SET text = replace(text, 'Qs', 'Qd') WHERE id = %(record)s", "entered"),
    "hand record gone": document("DELETE FROM tables_handrecord WHERE id = %(record)s", "entered"),
    "command's actor": document("UPDATE tables_command SET actor_id = %(dan)s WHERE key = %(settled)s"),
    "command's device": document("UPDATE tables_command SET device_id = NULL WHERE key = %(settled)s"),
    "command's time": document("UPDATE tables_command SET occurred_at = recorded_at WHERE key = %(settled)s"),
    "command's request": document("""UPDATE tables_command SET request = request || '{"x": 1}' WHERE key = %(settled)s"""),
    "command's answer": document("""UPDATE tables_command SET answer = answer || '{"x": 1}' WHERE key = %(settled)s"""),
    "command gone": document("DELETE FROM tables_command WHERE key = %(settled)s", says="is gone"),
}  # fmt: skip


@pytest.fixture
def spoiled(sealed_night: SealedNight, superuser: psycopg.Connection) -> Iterator[psycopg.Connection]:
    """The superuser's connection; what was done by it is undone after."""
    with rows_kept(superuser):
        yield superuser


def verify(night: SealedNight) -> tuple[int, str]:
    """Exit status and output of ``ledger_verify`` with the seal of the day in hand."""
    out = io.StringIO()
    try:
        call_command("ledger_verify", seal=[night.kept], stdout=out)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue()
    return 0, out.getvalue()


def test_the_night_holds(sealed_night: SealedNight) -> None:
    status, output = verify(sealed_night)
    assert status == 0, output
    assert "3 seals, 2 books" in output
    assert "0 transactions not sealed yet; 0 faults" in output


@pytest.mark.parametrize("name", CASES)
def test_it_is_found_and_named(sealed_night: SealedNight, spoiled: psycopg.Connection, name: str) -> None:
    case = CASES[name]
    if callable(case.does):
        case.does(spoiled, sealed_night)
    else:
        for statement in case.does.split(";"):
            assert spoiled.execute(statement, sealed_night.names).rowcount > 0, statement
    status, output = verify(sealed_night)
    assert status == case.status, output
    for words in case.says:
        assert words.format(**sealed_night.names) in output, output
