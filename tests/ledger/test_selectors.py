"""What an auditor reads: statements with their balances, and everything about one thing."""

from __future__ import annotations

from uuid import uuid4

import pytest

from ledger.kinds import ReasonCode, TransactionKind
from ledger.models import Transaction
from ledger.selectors import (
    account_statement,
    balance_of,
    balances_of,
    transactions_of_reference,
)
from ledger.services import reverse
from tests.ledger.house import BUY_IN_CENTS, House, amounts, move, pay, post_now


def test_the_statement_of_a_stack_runs_from_its_first_entry(house: House) -> None:
    (paid,) = post_now(house.book, pay(house.lin, house.park, 300))
    post_now(house.book, reverse(paid, reason_code=ReasonCode.CARDS, reason="Misread"))
    lines = list(account_statement(house.lin.pk))
    assert [(line.kind, line.amount_cents, line.balance_cents, line.account_version) for line in lines] == [
        ("buy-in", BUY_IN_CENTS, BUY_IN_CENTS, 1),
        ("payment", -300, BUY_IN_CENTS - 300, 2),
        ("reversal", 300, BUY_IN_CENTS, 3),
    ]
    assert lines[2].reverses_id == paid.pk
    assert lines[2].reason == "Misread"


def test_a_statement_shows_the_digests(house: House) -> None:
    first, second = Transaction.objects.order_by("sequence")
    (line,) = account_statement(house.park.pk)
    assert (line.transaction_id, line.sequence) == (second.pk, 2)
    assert line.digest == bytes(second.digest).hex()
    assert line.previous_digest == bytes(first.digest).hex()


def test_the_statement_of_an_account_without_a_balance_sums_up(house: House) -> None:
    for cents in (400, 300):
        post_now(house.book, move(TransactionKind.COLLECTION, house.lin, house.drop, cents))
    lines = list(account_statement(house.drop.pk))
    assert [(line.amount_cents, line.balance_cents) for line in lines] == [(400, 400), (300, 700)]


def test_an_account_without_entries_has_an_empty_statement(house: House) -> None:
    assert list(account_statement(house.action.pk)) == []
    assert balance_of(house.action.pk) == 0


def test_balances_of_both_sorts_of_account(house: House) -> None:
    post_now(house.book, move(TransactionKind.COLLECTION, house.lin, house.drop, 400))
    assert balances_of([house.lin.pk, house.drop.pk, house.cash.pk]) == {
        house.lin.pk: BUY_IN_CENTS - 400,
        house.drop.pk: 400,
        house.cash.pk: -2 * BUY_IN_CENTS,
    }


def test_an_unknown_account_has_no_balance(house: House) -> None:
    with pytest.raises(KeyError):
        balance_of(uuid4())


def test_everything_about_one_hand(house: House) -> None:
    post_now(house.book, move(TransactionKind.PAYMENT, house.lin, house.park, 10, reference="hand:2"))
    paid = post_now(house.book, pay(house.lin, house.park, 300), pay(house.lin, house.park, 200))
    (reversal,) = post_now(house.book, reverse(paid[0], reason_code=ReasonCode.CARDS, reason="Misread"))
    about = list(transactions_of_reference("hand:1"))
    assert about[2:] == [*paid, reversal]
    assert amounts(about[2:]) == [[-300, 300], [-200, 200], [300, -300]]


def test_reading_a_hand_takes_the_same_queries_for_many_transactions(
    house: House, django_assert_num_queries: object
) -> None:
    post_now(house.book, *[pay(house.lin, house.park, 1)] * 5)
    with django_assert_num_queries(2):  # type: ignore[operator]
        for transaction in transactions_of_reference("hand:1"):
            assert transaction.book.name == "Table 7"
            assert {entry.account.name for entry in transaction.entries.all()} >= {"Lin"} or transaction.sequence <= 2
