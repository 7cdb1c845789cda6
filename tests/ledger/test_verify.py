"""``ledger_verify``: whatever the superuser changes in a book, the first transaction that it spoils is named."""

from __future__ import annotations

import tracemalloc
from io import StringIO

import psycopg
import pytest
from django.core.management import call_command

from ledger.kinds import ReasonCode
from ledger.models import Book, Transaction
from ledger.services import book_open, reverse
from ledger.verification import verify_books
from tests.ledger.house import NOON, House, pay, post_now


def verify() -> tuple[int, str]:
    """Exit status and output of the command."""
    out = StringIO()
    try:
        call_command("ledger_verify", stdout=out)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue()
    return 0, out.getvalue()


@pytest.fixture
def book(house: House) -> Book:
    """Two buy-ins, three payments and a reversal: numbers 1 to 6."""
    paid = post_now(house.book, *[pay(house.lin, house.park, cents) for cents in (300, 200, 100)])
    post_now(house.book, reverse(paid[0], reason_code=ReasonCode.CARDS, reason="Misread"))
    return house.book


def assert_named(book: Book, sequence: int, difference: str) -> None:
    """The transaction that has this number now is named, with what differs, and the command fails."""
    transaction = Transaction.objects.get(book=book, sequence=sequence)
    status, output = verify()
    assert status == 1
    assert f"book {book.pk}: transaction {sequence}, {transaction.pk}:" in output, output
    assert difference in output, output
    assert "1 books with a fault" in output


def test_books_that_services_wrote_hold(house: House, book: Book) -> None:
    other = book_open(name="Table 8", opened_at=NOON)
    post_now(other, pay(house.lin, house.park, 5))
    status, output = verify()
    assert status == 0
    assert output.strip() == "2 books, 7 transactions and 14 entries read; 0 books with a fault"


@pytest.mark.parametrize(
    "change",
    [
        "kind = 'collection'",
        "key = 'other'",
        "command = gen_random_uuid()",
        "reference = 'hand:2'",
        "rule = 'CP-52'",
        "actor = '2002'",
        "device = 'T8'",
        "occurred_at = occurred_at + interval '1 microsecond'",
        "recorded_at = recorded_at - interval '1 microsecond'",
        "reason = 'x'",
        "digest = sha256(digest)",
        "id = gen_random_uuid()",
    ],
)
def test_a_field_of_a_transaction(book: Book, superuser: psycopg.Connection, change: str) -> None:
    superuser.execute(f"UPDATE ledger_transaction SET {change} WHERE sequence = 4")
    assert_named(book, 4, "its content makes the digest")


@pytest.mark.parametrize(
    "change",
    [
        "amount_cents = amount_cents # 1",
        "amount_cents = -amount_cents",
        "balance_after_cents = balance_after_cents + 1",
        "account_version = account_version + 20",
        "account_id = (SELECT id FROM ledger_account WHERE kind = 'drop-box')",
        "line = 3",
    ],
)
def test_a_field_of_one_entry(book: Book, superuser: psycopg.Connection, change: str) -> None:
    superuser.execute(
        f"UPDATE ledger_entry e SET {change} FROM ledger_transaction t "
        "WHERE t.id = e.transaction_id AND t.sequence = 4 AND e.line = 1"
    )
    assert_named(book, 4, "its content makes the digest")


def test_the_reversed_transaction_exchanged(book: Book, superuser: psycopg.Connection) -> None:
    superuser.execute(
        "UPDATE ledger_transaction SET reverses_id = (SELECT id FROM ledger_transaction WHERE sequence = 4) "
        "WHERE sequence = 6"
    )
    assert_named(book, 6, "its content makes the digest")


def test_the_digest_before(book: Book, superuser: psycopg.Connection) -> None:
    superuser.execute("UPDATE ledger_transaction SET previous_digest = sha256('x') WHERE sequence = 4")
    assert_named(book, 4, "it chains to")


def test_a_row_removed_from_the_middle(book: Book, superuser: psycopg.Connection) -> None:
    superuser.execute("DELETE FROM ledger_transaction WHERE sequence = 4")
    assert_named(book, 5, "it is number 5 where number 4 belongs")


def test_a_row_removed_and_the_rest_renumbered(book: Book, superuser: psycopg.Connection) -> None:
    superuser.execute("DELETE FROM ledger_transaction WHERE sequence = 4")
    superuser.execute("UPDATE ledger_transaction SET sequence = 4 WHERE sequence = 5")
    superuser.execute("UPDATE ledger_transaction SET sequence = 5 WHERE sequence = 6")
    assert_named(book, 4, "it chains to")


def test_the_first_row_removed(book: Book, superuser: psycopg.Connection) -> None:
    superuser.execute("DELETE FROM ledger_transaction WHERE sequence = 1")
    assert_named(book, 2, "it is number 2 where number 1 belongs")


def test_two_rows_exchanged(book: Book, superuser: psycopg.Connection) -> None:
    for old, new in ((3, 99), (4, 3), (99, 4)):
        superuser.execute("UPDATE ledger_transaction SET sequence = %s WHERE sequence = %s", [new, old])
    assert_named(book, 3, "it chains to")


def test_entries_removed(book: Book, superuser: psycopg.Connection) -> None:
    superuser.execute(
        "DELETE FROM ledger_entry WHERE transaction_id = (SELECT id FROM ledger_transaction WHERE sequence = 4)"
    )
    assert_named(book, 4, "it says 2 entries and has 0")


def test_an_entry_added(book: Book, superuser: psycopg.Connection) -> None:
    superuser.execute(
        "INSERT INTO ledger_entry (transaction_id, line, account_id, amount_cents) SELECT t.id, 3, a.id, 5 "
        "FROM ledger_transaction t, ledger_account a WHERE t.sequence = 4 AND a.kind = 'drop-box'"
    )
    assert_named(book, 4, "it says 2 entries and has 3")


def test_a_transaction_moved_to_another_book(book: Book, superuser: psycopg.Connection) -> None:
    other = book_open(name="Table 8", opened_at=NOON)
    superuser.execute("UPDATE ledger_transaction SET book_id = %s, sequence = 1 WHERE sequence = 6", [other.pk])
    assert_named(other, 1, "it chains to")


def test_content_and_digest_changed_together_break_the_next(book: Book, superuser: psycopg.Connection) -> None:
    superuser.execute("UPDATE ledger_transaction SET actor = '2002' WHERE sequence = 4")
    forged = Transaction.objects.get(sequence=4)
    computed = verify()[1].split("makes the digest ")[1].split(",")[0]
    superuser.execute("UPDATE ledger_transaction SET digest = %s WHERE id = %s", [bytes.fromhex(computed), forged.pk])
    assert_named(book, 5, "it chains to")


def test_only_the_first_of_a_book_is_named_and_every_book_is(
    house: House, book: Book, superuser: psycopg.Connection
) -> None:
    other = book_open(name="Table 8", opened_at=NOON)
    post_now(other, pay(house.lin, house.park, 5), pay(house.lin, house.park, 5))
    superuser.execute("UPDATE ledger_transaction SET actor = '2002'")
    status, output = verify()
    assert status == 1
    assert output.count(": transaction 1, ") == 2
    assert output.count(": transaction ") == 2
    assert "2 books, 8 transactions and 16 entries read; 2 books with a fault" in output


def test_memory_does_not_grow_with_the_book(house: House, superuser: psycopg.Connection) -> None:
    def peak_with(rows: int) -> int:
        superuser.execute(
            """
            WITH written AS (
                INSERT INTO ledger_transaction (id, sequence, kind, key, command, reference, rule, actor, device,
                    occurred_at, recorded_at, reason, entry_count, previous_digest, digest, book_id, approver, reason_code)
                SELECT gen_random_uuid(), n, 'payment', 'k' || n, gen_random_uuid(), 'hand:1', '', '2001', '',
                    now(), now(), '', 2, sha256('x'), sha256('x'), %(book)s, '', ''
                FROM generate_series((SELECT max(sequence) + 1 FROM ledger_transaction), %(rows)s) n RETURNING id
            )
            INSERT INTO ledger_entry (transaction_id, line, account_id, amount_cents)
            SELECT id, line, %(account)s, 1 FROM written, generate_series(1, 2) line
            """,
            {"book": house.book.pk, "rows": rows, "account": house.drop.pk},
        )
        tracemalloc.start()
        assert verify_books().transactions == rows
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    few = peak_with(4_000)
    assert peak_with(16_000) < 1.2 * few
