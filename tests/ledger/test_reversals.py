"""A mistake is taken back by its mirror, once, with a reason; both stay."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest

from ledger.errors import AlreadyReversed, InsufficientFunds, NotAMirror
from ledger.kinds import ReasonCode, TransactionKind
from ledger.models import Transaction
from ledger.selectors import balance_of
from ledger.services import Line, book_open, reverse
from tests.ledger.house import BUY_IN_CENTS, NOON, House, amounts, move, pay, post_now


@pytest.fixture
def paid(house: House) -> Transaction:
    return post_now(house.book, pay(house.lin, house.park, 300))[0]


def test_a_reversal_mirrors_every_entry_and_keeps_the_reference(house: House, paid: Transaction) -> None:
    (reversal,) = post_now(house.book, reverse(paid, reason_code=ReasonCode.CARDS, reason="Misread", rule="PG-45"))
    assert amounts([paid, reversal]) == [[-300, 300], [300, -300]]
    assert (reversal.kind, reversal.reverses_id, reversal.reason) == ("reversal", paid.pk, "Misread")
    assert (reversal.reference, reversal.rule) == (paid.reference, "PG-45")
    assert balance_of(house.lin.pk) == BUY_IN_CENTS


def test_a_collection_can_be_given_back(house: House) -> None:
    (collection,) = post_now(house.book, move(TransactionKind.COLLECTION, house.lin, house.drop, 400))
    post_now(house.book, reverse(collection, reason_code=ReasonCode.CARDS, reason="Misdeal", rule="CP-43"))
    assert (balance_of(house.drop.pk), balance_of(house.lin.pk)) == (0, BUY_IN_CENTS)


def test_a_second_reversal_is_refused(house: House, paid: Transaction) -> None:
    post_now(house.book, reverse(paid, reason_code=ReasonCode.CARDS, reason="Misread"))
    with pytest.raises(AlreadyReversed) as caught:
        post_now(house.book, reverse(paid, reason_code=ReasonCode.CARDS, reason="Misread again"))
    assert (caught.value.code, caught.value.status) == ("already-reversed", 409)
    assert str(paid.pk) in caught.value.message


def test_a_second_reversal_is_refused_in_another_book_too(house: House, paid: Transaction) -> None:
    post_now(house.book, reverse(paid, reason_code=ReasonCode.CARDS, reason="Misread"))
    with pytest.raises(AlreadyReversed):
        post_now(book_open(name="Cage", opened_at=NOON), reverse(paid, reason_code=ReasonCode.CARDS, reason="Misread"))


def test_two_reversals_of_one_transaction_in_one_call_are_refused(house: House, paid: Transaction) -> None:
    with pytest.raises(AlreadyReversed):
        post_now(
            house.book,
            reverse(paid, reason_code=ReasonCode.CARDS, reason="Misread"),
            reverse(paid, reason_code=ReasonCode.CARDS, reason="Misread"),
        )


def test_a_reversal_is_not_reversed(house: House, paid: Transaction) -> None:
    (reversal,) = post_now(house.book, reverse(paid, reason_code=ReasonCode.CARDS, reason="Misread"))
    with pytest.raises(NotAMirror):
        post_now(house.book, reverse(reversal, reason_code=ReasonCode.CARDS, reason="It was right"))


def test_a_reversal_says_why(house: House, paid: Transaction) -> None:
    with pytest.raises(NotAMirror):
        post_now(house.book, reverse(paid, reason_code=ReasonCode.CARDS, reason=""))


def test_a_part_is_no_mirror(house: House, paid: Transaction) -> None:
    part = replace(
        reverse(paid, reason_code=ReasonCode.CARDS, reason="Misread"),
        entries=(Line(house.lin.pk, 299), Line(house.park.pk, -299)),
    )
    with pytest.raises(NotAMirror) as caught:
        post_now(house.book, part)
    assert caught.value.code == "not-a-mirror"


def test_another_kind_does_not_reverse(house: House, paid: Transaction) -> None:
    with pytest.raises(NotAMirror):
        post_now(
            house.book,
            replace(reverse(paid, reason_code=ReasonCode.CARDS, reason="Misread"), kind=TransactionKind.PAYMENT),
        )


def test_what_is_not_there_cannot_be_reversed(house: House, paid: Transaction) -> None:
    with pytest.raises(NotAMirror):
        post_now(
            house.book, replace(reverse(paid, reason_code=ReasonCode.CARDS, reason="Misread"), reverses=UUID(int=1))
        )


def test_chips_that_have_left_cannot_be_taken_back(house: House, paid: Transaction) -> None:
    post_now(house.book, move(TransactionKind.CHIPS_OUT, house.park, house.chips, BUY_IN_CENTS + 300))
    with pytest.raises(InsufficientFunds):
        post_now(house.book, reverse(paid, reason_code=ReasonCode.CARDS, reason="Misread"))
