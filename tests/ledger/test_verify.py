"""``ledger_verify``: whatever the superuser changes in a book, the first transaction that it spoils is named.

What can be done to a night of play with its seals is in ``tests/tables/test_tampering.py``.
"""

from __future__ import annotations

import tracemalloc
from io import StringIO
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from django.core.management import CommandError, call_command

from ledger import stored, verification
from ledger.kinds import ReasonCode
from ledger.models import Book, SealKind, Transaction
from ledger.seals import seal_make, witness_path
from ledger.services import book_open, note, reverse
from ledger.verification import verify_books
from tests.ledger.house import NOON, House, pay, post_now

CHANGED = "It was changed after it was written."
MOVED = "was written after the digest"


def verify(**options: object) -> tuple[int, str]:
    """Exit status and output of the command."""
    out = StringIO()
    try:
        call_command("ledger_verify", stdout=out, **options)
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
    about = f"{transaction.kind}, {transaction.reference}; id {transaction.pk}"
    assert f"Transaction {sequence} of book {book.name} ({book.pk}) ({about})" in output, output
    assert difference in output, output
    assert output.rstrip().endswith("; 1 faults")


def test_books_that_services_wrote_hold(house: House, book: Book) -> None:
    other = book_open(name="Table 8", opened_at=NOON)
    post_now(other, pay(house.lin, house.park, 5))
    status, output = verify()
    assert status == 0
    read = "0 seals, 2 books, 7 transactions and 14 entries read, 0 documents"
    assert output.strip() == f"{read}; 7 transactions not sealed yet; 0 faults"


@pytest.mark.parametrize(
    "change",
    [
        "kind = 'collection'",
        "key = 'other'",
        "command = gen_random_uuid()",
        "reference = 'hand:2'",
        "rule = 'CP-52'",
        "actor = '2002'",
        "approver = '1001'",
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
    assert_named(book, 4, CHANGED)


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
    assert_named(book, 4, CHANGED)


def test_the_reversed_transaction_exchanged(book: Book, superuser: psycopg.Connection) -> None:
    superuser.execute(
        "UPDATE ledger_transaction SET reverses_id = (SELECT id FROM ledger_transaction WHERE sequence = 4) "
        "WHERE sequence = 6"
    )
    assert_named(book, 6, CHANGED)


def test_the_digest_before(book: Book, superuser: psycopg.Connection) -> None:
    superuser.execute("UPDATE ledger_transaction SET previous_digest = sha256('x') WHERE sequence = 4")
    assert_named(book, 4, MOVED)


def test_a_row_removed_from_the_middle(book: Book, superuser: psycopg.Connection) -> None:
    superuser.execute("DELETE FROM ledger_transaction WHERE sequence = 4")
    assert_named(book, 5, "stands where number 4 belongs, which is missing")


def test_a_row_removed_and_the_rest_renumbered(book: Book, superuser: psycopg.Connection) -> None:
    superuser.execute("DELETE FROM ledger_transaction WHERE sequence = 4")
    superuser.execute("UPDATE ledger_transaction SET sequence = 4 WHERE sequence = 5")
    superuser.execute("UPDATE ledger_transaction SET sequence = 5 WHERE sequence = 6")
    assert_named(book, 4, MOVED)


def test_the_first_row_removed(book: Book, superuser: psycopg.Connection) -> None:
    superuser.execute("DELETE FROM ledger_transaction WHERE sequence = 1")
    assert_named(book, 2, "stands where number 1 belongs, which is missing")


def test_two_rows_exchanged(book: Book, superuser: psycopg.Connection) -> None:
    for old, new in ((3, 99), (4, 3), (99, 4)):
        superuser.execute("UPDATE ledger_transaction SET sequence = %s WHERE sequence = %s", [new, old])
    assert_named(book, 3, MOVED)


def test_entries_removed(book: Book, superuser: psycopg.Connection) -> None:
    superuser.execute(
        "DELETE FROM ledger_entry WHERE transaction_id = (SELECT id FROM ledger_transaction WHERE sequence = 4)"
    )
    assert_named(book, 4, "it moves nothing, but the digest")


def test_an_entry_added(book: Book, superuser: psycopg.Connection) -> None:
    superuser.execute(
        "INSERT INTO ledger_entry (transaction_id, line, account_id, amount_cents) SELECT t.id, 3, a.id, 5 "
        "FROM ledger_transaction t, ledger_account a WHERE t.sequence = 4 AND a.kind = 'drop-box'"
    )
    assert_named(book, 4, "line 3 moves $0.05, but the digest")


def test_a_transaction_moved_to_another_book(book: Book, superuser: psycopg.Connection) -> None:
    other = book_open(name="Table 8", opened_at=NOON)
    superuser.execute("UPDATE ledger_transaction SET book_id = %s, sequence = 1 WHERE sequence = 6", [other.pk])
    assert_named(other, 1, MOVED)


def test_content_and_digest_changed_together_break_the_next(book: Book, superuser: psycopg.Connection) -> None:
    superuser.execute("UPDATE ledger_transaction SET actor = '2002' WHERE sequence = 4")
    forged = Transaction.objects.get(sequence=4)
    computed = verify()[1].split("this content makes ")[1].split(".")[0]
    superuser.execute("UPDATE ledger_transaction SET digest = %s WHERE id = %s", [bytes.fromhex(computed), forged.pk])
    assert_named(book, 5, MOVED)


def test_only_the_first_of_a_book_is_named_and_every_book_is(
    house: House, book: Book, superuser: psycopg.Connection
) -> None:
    other = book_open(name="Table 8", opened_at=NOON)
    post_now(other, pay(house.lin, house.park, 5), pay(house.lin, house.park, 5))
    superuser.execute("UPDATE ledger_transaction SET actor = '2002'")
    status, output = verify()
    assert status == 1
    assert output.count("Transaction 1 of book ") == output.count("Transaction ") == 2
    assert "2 books, 8 transactions and 16 entries read" in output
    assert output.rstrip().endswith("; 2 faults")


def test_every_document_behind_a_note_is_compared(
    book: Book, archive: dict[UUID, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "_DOCUMENTS_AT_ONCE", 4)
    for number in range(10):
        command = uuid4()
        archive[command] = f"document {number}"
        post_now(book, note("hand.settle", archive[command]), command=command)
    assert ", 10 documents;" in verify()[1]
    gone, changed = (Transaction.objects.get(book=book, sequence=sequence) for sequence in (7, 14))
    del archive[gone.command]
    archive[changed.command] += "!"
    status, output = verify()
    assert status == 1
    assert f"(note, hand.settle; id {gone.pk}): command {gone.command}, which it vouches for, is gone" in output
    assert f"(note, hand.settle; id {changed.pk}): the document of command {changed.command} has the SHA-256" in output
    assert output.rstrip().endswith("; 2 faults")


def test_what_is_not_sealed_yet_is_counted(house: House, book: Book) -> None:
    seal_make(kind=SealKind.REQUEST)
    assert verify() == (0, "1 seals, 1 books, 6 transactions and 12 entries read, 0 documents; "
                           "0 transactions not sealed yet; 0 faults\n")  # fmt: skip
    post_now(book, pay(house.lin, house.park, 1))
    post_now(book_open(name="Table 8", opened_at=NOON), pay(house.lin, house.park, 1))
    assert "2 transactions not sealed yet" in verify()[1]


def test_since_a_seal_only_what_came_later_is_read(house: House, book: Book, superuser: psycopg.Connection) -> None:
    other = book_open(name="Table 8", opened_at=NOON)
    seal_make(kind=SealKind.REQUEST)
    post_now(book, pay(house.lin, house.park, 1))
    post_now(other, pay(house.lin, house.park, 1))
    seal_make(kind=SealKind.REQUEST)
    post_now(book, pay(house.lin, house.park, 2))
    assert "2 books, 3 transactions and 6 entries read, 0 documents; 1 transactions not" in verify(since=1)[1]
    assert "1 books, 1 transactions and 2 entries read" in verify(since=2)[1]
    superuser.execute("UPDATE ledger_transaction SET actor = '2002' WHERE sequence = 7")
    assert (verify()[0], verify(since=1)[0], verify(since=2)[0]) == (1, 1, 0)


def test_wrong_usage_has_a_status_of_its_own(book: Book, tmp_path: Path) -> None:
    torn = tmp_path / "seal.json"
    torn.write_text("{")
    for options in ({"since": 5}, {"seal": [torn]}, {"seal": [tmp_path / "none.json"]}):
        with pytest.raises(CommandError) as refused:
            call_command("ledger_verify", stdout=StringIO(), **options)
        assert refused.value.returncode == 2


@pytest.mark.parametrize("outside", ["a seal in the database", "the seal that was kept", "a seal in hand"])
def test_the_last_two_of_five_removed_then_all_five(
    superuser: psycopg.Connection, transactional_db: None, tmp_path: Path, outside: str
) -> None:
    """Two statuses, neither that of a change (N21): whatever is left that says how far the book had come."""
    book = book_open(name="Five", opened_at=NOON)
    post_now(book, *[note("x", "") for _ in range(5)])
    seal_make(kind=SealKind.REQUEST)
    hand = tmp_path / "hand.json"
    hand.write_bytes(witness_path().read_bytes())
    if outside != "a seal in the database":
        superuser.execute("DELETE FROM ledger_sealline")
        superuser.execute("DELETE FROM ledger_seal")
    if outside == "a seal in hand":
        witness_path().unlink()
    options = {"seal": [hand]} if outside == "a seal in hand" else {}
    superuser.execute("DELETE FROM ledger_transaction WHERE sequence > 3")
    assert verify(**options)[0] == 3
    superuser.execute("DELETE FROM ledger_transaction")
    status, output = verify(**options)
    assert status == 4
    assert "the ledger is empty" in output.lower()


def test_an_empty_ledger_holds(transactional_db: None) -> None:
    assert verify()[0] == 0
    seal_make(kind=SealKind.HOUR)
    assert verify()[0] == 0


def test_a_seal_kept_beside_the_keys_that_was_altered_is_said(book: Book) -> None:
    seal_make(kind=SealKind.REQUEST)
    witness_path().write_text(witness_path().read_text().replace('"transactions":6', '"transactions":5'))
    status, output = verify()
    assert status == 2
    assert "is not a good seal" in output


def test_memory_does_not_grow_with_the_book(
    house: House, superuser: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "ROWS_AT_ONCE", 200)

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

    few = peak_with(500)
    assert peak_with(2_000) < 1.2 * few
