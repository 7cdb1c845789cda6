"""A command posts once, however often it is sent."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from ledger.errors import KeyConflict
from ledger.models import Transaction
from ledger.selectors import balance_of
from ledger.services import book_open
from tests.ledger.house import BUY_IN_CENTS, NOON, House, pay, post_now


def test_the_same_again_gives_what_is_stored(house: House) -> None:
    command = uuid4()
    postings = (pay(house.lin, house.park, 100), pay(house.lin, house.park, 50))
    first = post_now(house.book, *postings, command=command)
    again = post_now(house.book, *postings, command=command)
    assert again == first
    assert balance_of(house.lin.pk) == BUY_IN_CENTS - 150


def test_the_same_again_is_answered_when_it_could_no_longer_be_paid(house: House) -> None:
    command, posting = uuid4(), pay(house.lin, house.park, BUY_IN_CENTS)
    first = post_now(house.book, posting, command=command)
    assert post_now(house.book, posting, command=command) == first


@pytest.mark.parametrize(
    "change", [{"reference": "hand:2"}, {"rule": "CP-52"}, {"reason": "other"}], ids=lambda change: next(iter(change))
)
def test_other_content_under_the_same_key_is_a_conflict(house: House, change: dict[str, str]) -> None:
    command, posting = uuid4(), pay(house.lin, house.park, 100)
    post_now(house.book, posting, command=command)
    with pytest.raises(KeyConflict) as caught:
        post_now(house.book, replace(posting, **change), command=command)
    assert (caught.value.code, caught.value.status) == ("key-conflict", 409)
    assert Transaction.objects.filter(command=command).count() == 1


def test_another_amount_under_the_same_key_is_a_conflict(house: House) -> None:
    command = uuid4()
    post_now(house.book, pay(house.lin, house.park, 100), command=command)
    with pytest.raises(KeyConflict):
        post_now(house.book, pay(house.lin, house.park, 101), command=command)


@pytest.mark.parametrize(
    "change",
    [{"actor": "2002"}, {"device": "T8"}, {"occurred_at": NOON + timedelta(seconds=1)}],
    ids=lambda c: next(iter(c)),
)
def test_another_origin_under_the_same_key_is_a_conflict(house: House, change: dict[str, object]) -> None:
    command, posting = uuid4(), pay(house.lin, house.park, 100)
    post_now(house.book, posting, command=command)
    with pytest.raises(KeyConflict):
        post_now(house.book, posting, command=command, **change)


def test_another_book_under_the_same_key_is_a_conflict(house: House) -> None:
    command, posting = uuid4(), pay(house.lin, house.park, 100)
    post_now(house.book, posting, command=command)
    with pytest.raises(KeyConflict):
        post_now(book_open(name="Table 8", opened_at=NOON), posting, command=command)


def test_more_postings_under_the_same_keys_are_a_conflict(house: House) -> None:
    command, posting = uuid4(), pay(house.lin, house.park, 100)
    post_now(house.book, posting, command=command)
    with pytest.raises(KeyConflict):
        post_now(house.book, posting, posting, command=command)


def test_a_command_may_post_in_parts_that_are_numbered_through(house: House) -> None:
    command = uuid4()
    post_now(house.book, pay(house.lin, house.park, 100), command=command)
    (second,) = post_now(house.book, pay(house.park, house.lin, 30), command=command, numbered_from=2)
    assert second.key == f"{command}/2"
    assert balance_of(house.lin.pk) == BUY_IN_CENTS - 70
