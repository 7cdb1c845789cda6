"""Where two people are needed there are two: the second one is stored, bound by the digest, and never the first."""

from __future__ import annotations

from uuid import uuid4

import psycopg
import pytest
from django.db import IntegrityError
from psycopg.errors import CheckViolation

from ledger.canonical import canonical_bytes, transaction_digest
from ledger.errors import KeyConflict
from ledger.models import Transaction
from tests.ledger.house import House, pay, post_now
from tests.ledger.raw import insert_entry, insert_transaction


def test_the_second_person_is_stored_and_the_digest_covers_who_it_was(house: House) -> None:
    (written,) = post_now(house.book, pay(house.lin, house.park, 300), actor="1001", approver="4001")
    stored = Transaction.objects.get(pk=written.pk)
    content = stored.content(list(stored.entries.select_related("account").order_by("line")))
    assert (stored.actor, stored.approver) == ("1001", "4001")
    assert b'"approver":"4001"' in canonical_bytes(content)
    assert transaction_digest(content) == bytes(stored.digest)
    assert transaction_digest(content._replace(approver="4002")) != bytes(stored.digest)


def test_nobody_is_their_own_second_person(house: House) -> None:
    with pytest.raises(IntegrityError, match="ledger_transaction_two_people"):
        post_now(house.book, pay(house.lin, house.park, 300), actor="1001", approver="1001")


@pytest.mark.parametrize("role", ["app", "owner"])
def test_nor_by_plain_sql(house: House, request: pytest.FixtureRequest, role: str) -> None:
    connection: psycopg.Connection = request.getfixturevalue(role)
    with pytest.raises(CheckViolation, match="ledger_transaction_two_people"):
        insert_transaction(connection, house.book.pk, "payment", actor="1001", approver="1001")
    connection.rollback()
    transaction = insert_transaction(connection, house.book.pk, "payment", actor="1001", approver="4001")
    insert_entry(connection, transaction, 1, house.lin.pk, -300)
    insert_entry(connection, transaction, 2, house.park.pk, 300)
    connection.commit()
    assert Transaction.objects.get(pk=transaction).approver == "4001"


@pytest.mark.parametrize(("first", "then"), [("", "4001"), ("4001", ""), ("4001", "4002")])
def test_another_second_person_under_the_same_key_is_a_conflict(house: House, first: str, then: str) -> None:
    command, posting = uuid4(), pay(house.lin, house.park, 300)
    stored = post_now(house.book, posting, command=command, actor="1001", approver=first)
    assert post_now(house.book, posting, command=command, actor="1001", approver=first) == stored
    with pytest.raises(KeyConflict):
        post_now(house.book, posting, command=command, actor="1001", approver=then)
