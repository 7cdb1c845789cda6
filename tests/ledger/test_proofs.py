"""A proof shows that one transaction is under a seal, and cannot be made to show anything else."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.core.management import CommandError, call_command

from ledger.models import Book, SealKind, Transaction
from ledger.seals import seal_file, seal_make
from ledger.services import book_open, note
from ledger.verifier import Fault, check_file, check_proof
from tests.ledger.house import NOON, House, pay, post_now


@pytest.fixture
def books(house: House) -> list[Book]:
    """Three books of eleven transactions and the house's own of two, under two seals."""
    books = [book_open(name=f"Table {number}", opened_at=NOON) for number in range(3)]
    for book in books:
        post_now(book, *[pay(house.lin, house.park, cents) for cents in range(1, 6)])
    seal_make(kind=SealKind.REQUEST)
    for book in books:
        post_now(book, *[pay(house.park, house.lin, cents) for cents in range(1, 6)], note("x", "words"))
    seal_make(kind=SealKind.REQUEST)
    return books


def prove(transaction: Transaction, **options: Any) -> dict[str, Any]:
    """What the command prints."""
    out = StringIO()
    call_command("ledger_prove", str(transaction.pk), stdout=out, **options)
    proof: dict[str, Any] = json.loads(out.getvalue())["proof"]
    return proof


def test_every_transaction_can_be_proved(books: list[Book]) -> None:
    for transaction in Transaction.objects.all():
        proof = prove(transaction)
        report = check_proof(proof, [proof["seal"]])
        assert report.startswith(f"Transaction {transaction.sequence} of book {transaction.book_id}")
        assert "is under this seal" in report


def test_a_proof_is_small(books: list[Book]) -> None:
    proof = prove(books[0].transactions.get(sequence=3))
    assert (len(proof["path"]), len(proof["line_path"])) == (3, 2)


def test_the_document_of_a_note_is_in_it(books: list[Book], archive: dict[Any, str]) -> None:
    noted = books[0].transactions.get(kind="note")
    assert prove(noted)["document"] is None
    archive[noted.command] = "words"
    assert prove(noted)["document"] == "words"


OTHERWISE = {
    "another amount": (lambda p: p["transaction"]["entries"][1].update(amount_cents=9), "is for other content"),
    "another digest": (lambda p: p.update(digest="00" * 32), "is for other content"),
    "another place": (lambda p: p.update(index=p["index"] + 1), "is not at the place"),
    "another path": (lambda p: p["path"].__setitem__(0, "00" * 32), "is not under the line of its book"),
    "a short path": (lambda p: p["path"].pop(), "the path is too short"),
    "another line": (lambda p: p["line"].update(root="00" * 32), "is not under the line of its book"),
    "another end of the line": (
        lambda p: p["line"].update(digest="00" * 32),
        "the line of its book is not under Seal 1",
    ),
    "another place of the line": (lambda p: p.update(line_index=(p["line_index"] + 1) % 4), "is not under Seal 1"),
    "another book": (lambda p: p["line"].update(book=str(uuid4())), "is not at the place"),
    "another seal's root": (lambda p: p["seal"]["content"].update(root="00" * 32), "is not under Seal 1"),
    "another time of the seal": (lambda p: p["seal"]["content"].update(made_at="x"), "its content makes the digest"),
    "another signature": (lambda p: p["seal"].update(signature="00" * 64), "is not signed by the key"),
    "a document": (lambda p: p.update(document="words"), "The document was changed"),
    "another format": (lambda p: p.update(format="backline-proof-0"), "of the format backline-proof-0"),
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_it_proves_nothing_else(books: list[Book], tmp_path: Path, name: str) -> None:
    proof = prove(books[0].transactions.get(sequence=3))
    change, words = OTHERWISE[name]
    change(proof)
    (tmp_path / "proof.json").write_text(json.dumps({"proof": proof}))
    with pytest.raises(Fault, match=words):
        check_file(tmp_path / "proof.json")


def test_a_proof_under_a_seal_that_the_auditor_has_otherwise(books: list[Book]) -> None:
    proof = prove(books[0].transactions.get(sequence=3))
    kept = json.loads(json.dumps(proof["seal"]))
    kept["digest"] = "00" * 32
    with pytest.raises(Fault, match="The seals were written anew"):
        check_proof(proof, [kept])
    with pytest.raises(Fault, match="only a bundle can show"):
        check_proof(proof, [seal_file(seal_make(kind=SealKind.ROTATION))])


def test_what_is_not_sealed_yet_is_refused_until_it_is(house: House, tmp_path: Path) -> None:
    (paid,) = post_now(house.book, pay(house.lin, house.park, 5))
    with pytest.raises(CommandError, match=r"is not under a seal yet. Make one with `manage.py ledger_seal`"):
        call_command("ledger_prove", str(paid.pk))
    call_command("ledger_prove", str(paid.pk), seal_now=True, out=tmp_path / "proof.json")
    assert "is under this seal" in check_file(tmp_path / "proof.json")


def test_what_is_not_there_is_said(house: House) -> None:
    with pytest.raises(CommandError, match="There is no transaction"):
        call_command("ledger_prove", str(uuid4()))


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE ledger_transaction SET actor = '2002' WHERE sequence = 3",
        "UPDATE ledger_transaction SET digest = sha256('x') WHERE sequence = 4",
        "DELETE FROM ledger_transaction WHERE sequence = 2",
        "UPDATE ledger_sealline SET last = last - 1 WHERE first = 1",
        "UPDATE ledger_seal SET made_at = made_at - interval '1 day'",
    ],
)
def test_what_was_tampered_with_cannot_be_proved(books: list[Book], superuser: psycopg.Connection, change: str) -> None:
    transaction = books[0].transactions.get(sequence=3)
    superuser.execute(change)
    with pytest.raises(CommandError, match=r"cannot be proved: .* Run `manage.py ledger_verify`"):
        prove(transaction)
