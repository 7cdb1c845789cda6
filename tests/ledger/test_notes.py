"""A note moves nothing: it binds a document kept elsewhere into the chain of its book, by the document's SHA-256."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg.errors import CheckViolation

from casino.errors import Refusal
from ledger.errors import KeyConflict
from ledger.kinds import ReasonCode, TransactionKind
from ledger.models import Entry, Transaction
from ledger.services import note, reverse
from tests.ledger.house import House, pay, post_now
from tests.ledger.raw import insert_entry, insert_transaction

DOCUMENT = '{"verb":"sitting.start","name":"Zoë"}'
SOUND: dict[str, Any] = {"entry_count": 0, "evidence": bytes(32)}


def test_a_note_has_the_sha_256_of_its_document_and_no_entries(house: House) -> None:
    entries = Entry.objects.count()
    (written,) = post_now(house.book, note("sitting.start", DOCUMENT))
    stored = Transaction.objects.get(pk=written.pk)
    assert bytes(stored.evidence or b"") == sha256(DOCUMENT.encode()).digest()
    assert (stored.kind, stored.reference, stored.entry_count) == ("note", "sitting.start", 0)
    assert Entry.objects.count() == entries


def test_a_note_stands_in_the_chain_between_the_money(house: House) -> None:
    head = Transaction.objects.get(book=house.book, sequence=2)
    first, between, last = post_now(
        house.book, pay(house.lin, house.park, 1), note("hand.settle", DOCUMENT), pay(house.lin, house.park, 1)
    )
    assert [row.sequence for row in (first, between, last)] == [3, 4, 5]
    assert bytes(first.previous_digest) == bytes(head.digest)
    assert (bytes(between.previous_digest), bytes(last.previous_digest)) == (bytes(first.digest), bytes(between.digest))


def test_the_same_document_again_is_what_is_stored_and_another_is_a_conflict(house: House) -> None:
    command = uuid4()
    first = post_now(house.book, note("sitting.start", DOCUMENT), command=command)
    assert post_now(house.book, note("sitting.start", DOCUMENT), command=command) == first
    with pytest.raises(KeyConflict):
        post_now(house.book, note("sitting.start", DOCUMENT + " "), command=command)


def test_a_note_is_not_reversed(house: House) -> None:
    (written,) = post_now(house.book, note("sitting.start", DOCUMENT))
    with pytest.raises(Refusal):
        post_now(house.book, reverse(written, reason_code=ReasonCode.OTHER, reason="It was right"))
    assert Transaction.objects.filter(reverses=written).count() == 0


class TestByPlainSql:
    def test_a_sound_note_is_taken(self, house: House, app: psycopg.Connection) -> None:
        pk = insert_transaction(app, house.book.pk, "note", **SOUND)
        app.commit()
        assert Transaction.objects.get(pk=pk).kind == "note"

    @pytest.mark.parametrize("role", ["app", "owner"])
    def test_a_note_has_evidence_of_32_bytes_and_no_entries(
        self, house: House, connect: Callable[[str], psycopg.Connection], role: str
    ) -> None:
        connection = connect(role)
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"entry_count": 2}, "ledger_transaction_entries_or_evidence"),
            ({"entry_count": -1}, "ledger_transaction_entries_or_evidence"),
            ({"evidence": None}, "ledger_transaction_entries_or_evidence"),
            *(({"evidence": bytes(length)}, "ledger_transaction_digest_length") for length in (0, 31, 33)),
        ]
        for change, constraint in wrong:
            with pytest.raises(CheckViolation) as caught:
                insert_transaction(connection, house.book.pk, "note", **SOUND | change)
            assert caught.value.diag.constraint_name == constraint
            connection.rollback()

    @pytest.mark.parametrize("line", [0, 1])
    def test_no_entry_joins_a_note(self, house: House, app: psycopg.Connection, line: int) -> None:
        pk = insert_transaction(app, house.book.pk, "note", **SOUND)
        with pytest.raises(CheckViolation, match=f"has no line {line}"):
            insert_entry(app, pk, line, house.lin.pk, 300)

    def test_no_other_kind_has_evidence(self, house: House, app: psycopg.Connection) -> None:
        bought_in = Transaction.objects.get(book=house.book, sequence=1)
        refused = []
        for kind in TransactionKind.values:
            changes: dict[str, Any] = {"evidence": bytes(32)}
            if kind == TransactionKind.REVERSAL:
                changes |= {"reverses_id": bought_in.pk, "reason_code": "cards", "reason": "Misread"}
            try:
                insert_transaction(app, house.book.pk, kind, **changes)
            except CheckViolation as error:
                assert error.diag.constraint_name == "ledger_transaction_entries_or_evidence"
                refused.append(kind)
            app.rollback()
        assert refused == TransactionKind.values, "also a note, which says two entries here"

    @pytest.mark.parametrize(
        ("entry_count", "constraint"),
        [(0, "ledger_transaction_entries_or_evidence"), (2, "ledger_reversal_mirrors")],
    )
    def test_a_note_is_not_reversed(
        self, house: House, app: psycopg.Connection, entry_count: int, constraint: str
    ) -> None:
        (written,) = post_now(house.book, note("sitting.start", DOCUMENT))
        why = {"reverses_id": written.pk, "reason_code": "other", "reason": "It was right"}
        with pytest.raises(CheckViolation) as caught:
            insert_transaction(app, house.book.pk, "reversal", entry_count=entry_count, **why)
        assert caught.value.diag.constraint_name == constraint
