"""Bundles of a small house: what the verifier says of books that were kept wrongly, although every digest and seal is right.

What is done to a bundle on its way is in ``tests/tables/test_tampered_bundles.py``.
"""

from __future__ import annotations

import json
import tracemalloc
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection

from ledger.bundles import Scope, bundle_export
from ledger.kinds import ReasonCode
from ledger.models import Book, Seal, SealKind
from ledger.seals import key_rotate, seal_make
from ledger.services import book_open, note, reverse
from ledger.verifier import Fault, Status, canonical, check_file, check_transaction
from tests.ledger.house import NOON, House, pay, post_now
from tests.ledger.rewriting import rewrite_book

ALL = Scope(title="Everything")


def export(path: Path, scope: Scope = ALL) -> list[dict[str, Any]]:
    """Export to a file and read its records."""
    with path.open("wb") as file:
        bundle_export(scope=scope, write=file.write)
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.fixture
def book(house: House) -> Book:
    """Two buy-ins, two payments, the reversal of the first and a note: numbers 1 to 6."""
    paid = post_now(house.book, *[pay(house.lin, house.park, cents) for cents in (300, 200)])
    post_now(house.book, reverse(paid[0], reason_code=ReasonCode.CARDS, reason="Misread"))
    post_now(house.book, note("hand.settle", "{}"))
    return house.book


LINE_OF = "FROM ledger_transaction t WHERE t.id = transaction_id AND t.sequence = 4"

KEPT_WRONGLY = {
    "entries do not sum to zero": (
        f"UPDATE ledger_entry SET amount_cents = -150, balance_after_cents = balance_after_cents + 50 {LINE_OF} AND line = 1",
        "Transaction 4 of book Table 7 (payment, hand:1; id {}): its entries sum to $0.50, not to zero",
    ),
    "a balance that does not follow": (
        f"UPDATE ledger_entry SET balance_after_cents = balance_after_cents + 1 {LINE_OF} AND line = 1",
        "Transaction 4 of book Table 7 (payment, hand:1; id {}), line 1: account",
    ),
    "a number on the account left out": (
        "UPDATE ledger_entry e SET account_version = e.account_version + 1 FROM ledger_entry o WHERE o.account_id = e.account_id "
        "AND o.account_version = 2 AND e.account_version = 4",
        "entry 5 is there, and the one before it is not",
    ),
    "a kind of account that the kind never moves": (
        "UPDATE ledger_entry SET account_id = (SELECT id FROM ledger_account WHERE kind = 'cage'), balance_after_cents = NULL, "
        f"account_version = NULL {LINE_OF} AND line = 2",
        "Transaction 4 of book Table 7 (payment, hand:1; id {}), line 2: a payment never gives_to a cage",
    ),
    "lines not numbered through": (
        f"UPDATE ledger_entry SET line = 5 {LINE_OF} AND line = 2",
        "Transaction 4 of book Table 7 (payment, hand:1; id {}) says 2 entries and has 2, or not in their order",
    ),
    "fewer entries than said": (
        "DELETE FROM ledger_entry USING ledger_transaction t WHERE t.id = transaction_id AND t.sequence = 4",
        "Transaction 4 of book Table 7 (payment, hand:1; id {}) says 2 entries and has 0",
    ),
    "a reversal that does not mirror": (
        "UPDATE ledger_transaction SET reverses_id = (SELECT id FROM ledger_transaction WHERE sequence = 4) WHERE sequence = 5",
        "and does not do the opposite of it",
    ),
    "a reversal of what is not there": (
        "UPDATE ledger_transaction SET reverses_id = gen_random_uuid() WHERE sequence = 5",
        "which is not there",
    ),
}


@pytest.mark.parametrize("name", KEPT_WRONGLY)
def test_books_kept_wrongly_are_told_from_altered_ones(
    book: Book, superuser: psycopg.Connection, tmp_path: Path, name: str
) -> None:
    statements, words = KEPT_WRONGLY[name]
    for statement in statements.split(";"):
        assert superuser.execute(statement).rowcount > 0
    rewrite_book(superuser, book.pk)
    export(tmp_path / "all.jsonl")
    with pytest.raises(Fault) as found:
        check_file(tmp_path / "all.jsonl")
    fourth = book.transactions.get(sequence=4).pk
    assert words.format(fourth) in str(found.value)
    assert found.value.status == Status.FAULT


def transaction(**changes: Any) -> dict[str, Any]:
    """A good buy-in, but for the changes."""
    good = {
        **dict.fromkeys(("book", "id", "key", "command", "rule", "device", "occurred_at", "recorded_at"), ""),
        "sequence": 1, "kind": "buy-in", "reference": "x", "actor": "2001", "approver": "", "reverses": None,
        "reason_code": "", "reason": "", "evidence": None, "entry_count": 2, "previous_digest": "",
        "entries": [{"line": line, "amount_cents": cents} for line, cents in ((1, -5), (2, 5))],
    }  # fmt: skip
    return good | changes


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"approver": "2001"}, "was approved by the person who did it"),
        ({"evidence": "00"}, "must either move value or vouch for a document"),
        ({"entries": [], "entry_count": 0}, "must either move value or vouch for a document"),
        ({"kind": "reversal"}, "a reversal, and nothing else, names what it takes back"),
        ({"reverses": "x"}, "a reversal, and nothing else, names what it takes back"),
        ({"kind": "reversal", "reverses": "x", "reason": "y"}, "without saying why"),
        ({"kind": "reversal", "reverses": "x", "reason_code": "void"}, "without saying why"),
        ({"entries": [{"line": 1, "amount_cents": 0}, {"line": 2, "amount_cents": 0}]}, "no whole number of cents"),
        ({"entries": [{"line": 1, "amount_cents": -5.0}, {"line": 2, "amount_cents": 5}]}, "no whole number of cents"),
    ],
)
def test_what_the_database_would_have_refused(changes: dict[str, Any], words: str) -> None:
    check_transaction(transaction(), sha256(canonical(transaction())).hexdigest(), "it")
    wrong = transaction(**changes)
    with pytest.raises(Fault, match=words):
        check_transaction(wrong, sha256(canonical(wrong)).hexdigest(), "it")


def test_an_account_below_zero(book: Book, superuser: psycopg.Connection, tmp_path: Path) -> None:
    """As it could be only where the database's own promise had been taken away."""
    name = "ledger_entry_balance_after"
    (promise,) = superuser.execute(
        "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = %s", [name]
    ).fetchone()
    superuser.execute(f"ALTER TABLE ledger_entry DROP CONSTRAINT {name}")
    try:
        for line, cents in ((1, -9_900), (2, 9_900)):
            superuser.execute(
                "UPDATE ledger_entry SET balance_after_cents = balance_after_cents + %s, amount_cents = amount_cents + %s "
                f"{LINE_OF} AND line = %s",
                [cents, cents, line],
            )
        rewrite_book(superuser, book.pk)
        export(tmp_path / "all.jsonl")
    finally:
        superuser.execute("DELETE FROM ledger_entry")
        superuser.execute(f"ALTER TABLE ledger_entry ADD CONSTRAINT {name} {promise}")
    with pytest.raises(Fault, match=r"Transaction 4 .* stands below zero, at -\$4.00"):
        check_file(tmp_path / "all.jsonl")


def test_a_good_one_with_a_key_that_changed_in_between(house: House, book: Book, tmp_path: Path) -> None:
    first = seal_make(kind=SealKind.HOUR)
    key_rotate()
    post_now(book, pay(house.lin, house.park, 5))
    export(tmp_path / "all.jsonl")
    last = Seal.objects.latest("number")
    assert bytes(last.public_key) != bytes(first.public_key)
    report = check_file(tmp_path / "all.jsonl", key=bytes(first.public_key).hex())
    assert "7 transactions with 12 entries, and of 1 notes 0 documents" in report
    assert f"Seal {last.number} (request" in report
    with pytest.raises(Fault, match="No seal is signed by the key"):
        check_file(tmp_path / "all.jsonl", key="00" * 32)


def test_what_is_posted_while_it_is_written_is_not_in_it(house: House, book: Book, tmp_path: Path) -> None:
    def post_and_seal() -> None:
        post_now(book, pay(house.lin, house.park, 5))
        seal_make(kind=SealKind.REQUEST)
        connection.close()

    with (tmp_path / "all.jsonl").open("wb") as file, ThreadPoolExecutor(1) as other:
        posted: Future[None] | None = None

        def write(line: bytes) -> None:
            nonlocal posted
            posted = posted or other.submit(post_and_seal)
            posted.result()
            file.write(line)

        written = bundle_export(scope=ALL, write=write)
    assert book.transactions.count() == 7
    assert written["transactions"] == 6
    assert "6 transactions" in check_file(tmp_path / "all.jsonl")


def test_a_note_is_followed_by_its_document(book: Book, tmp_path: Path, archive: dict[Any, str]) -> None:
    archive[book.transactions.get(kind="note").command] = "{}"
    records = export(tmp_path / "all.jsonl")
    assert "and of 1 notes 1 documents" in check_file(tmp_path / "all.jsonl")
    assert records[-2]["document"]["text"] == "{}"
    archive[book.transactions.get(kind="note").command] = "{} "
    export(tmp_path / "all.jsonl")
    with pytest.raises(Fault, match=r"\(note, hand.settle; id .*The document was changed after it was noted"):
        check_file(tmp_path / "all.jsonl")


def test_an_account_that_several_books_move(house: House, tmp_path: Path) -> None:
    for number in range(12):
        other = book_open(name=f"Table {number}", opened_at=NOON + timedelta(hours=number))
        post_now(other, pay(house.lin, house.park, 1), pay(house.park, house.lin, 2))
    export(tmp_path / "all.jsonl")
    assert "all that was sealed: 13 lines" in check_file(tmp_path / "all.jsonl")


def test_an_empty_ledger(transactional_db: None, tmp_path: Path) -> None:
    assert len(export(tmp_path / "all.jsonl")) == 3
    assert "all that was sealed: 0 lines of seals, 0 transactions" in check_file(tmp_path / "all.jsonl")


@pytest.mark.slow
def test_memory_does_not_grow_with_the_transactions(house: House, tmp_path: Path) -> None:
    def peak_with(more: int) -> int:
        post_now(house.book, *[pay(*pair, 1) for _ in range(more // 2) for pair in ((house.lin, house.park),) * 2])
        seal_make(kind=SealKind.REQUEST)
        tracemalloc.start()
        with (tmp_path / "all.jsonl").open("wb") as file:
            bundle_export(scope=ALL, write=file.write)
        check_file(tmp_path / "all.jsonl")
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    few = peak_with(1_000)
    assert peak_with(3_000) < 1.2 * few
