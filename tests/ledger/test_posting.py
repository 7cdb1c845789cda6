"""``post`` writes what it is asked for, or refuses it in words and writes nothing."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from casino.errors import Refusal
from ledger.errors import (
    AccountFrozen,
    AmountOutOfRange,
    InsufficientFunds,
    KindNotAllowed,
    Unbalanced,
    UnknownAccount,
)
from ledger.kinds import AccountKind, TransactionKind
from ledger.models import MAX_AMOUNT_CENTS, Entry, Transaction
from ledger.selectors import balance_of, balances_of
from ledger.services import Line, Posting, account_freeze, account_open, account_release, post
from tests.ledger.house import BUY_IN_CENTS, NOON, House, amounts, move, pay, post_now


def refused(house: House, kind: type[Refusal], *postings: Posting) -> Refusal:
    """What ``post`` says, after making sure that it wrote nothing."""
    before = (Transaction.objects.count(), Entry.objects.count())
    with pytest.raises(kind) as caught:
        post_now(house.book, *postings)
    assert (Transaction.objects.count(), Entry.objects.count()) == before
    return caught.value


def test_a_posting_is_stored_with_who_when_and_why(house: House) -> None:
    command = uuid4()
    lines = (Line(house.lin.pk, -2500), Line(house.park.pk, 2500))
    posting = Posting(TransactionKind.PAYMENT, "hand:9", lines, rule="CP-51", reason="lead pays first")
    (written,) = post_now(house.book, posting, command=command, actor="2001", device="T7")
    stored = Transaction.objects.get(pk=written.pk)
    assert (stored.kind, stored.reference, stored.rule, stored.reason) == (
        "payment",
        "hand:9",
        "CP-51",
        "lead pays first",
    )
    assert (stored.key, stored.command, stored.actor, stored.device) == (f"{command}/1", command, "2001", "T7")
    assert stored.occurred_at == NOON
    assert stored.recorded_at > NOON
    assert (stored.sequence, stored.entry_count) == (3, 2)
    assert amounts([stored]) == [[-2500, 2500]]


def test_entries_of_guarded_accounts_carry_balance_and_number(house: House) -> None:
    (written,) = post_now(house.book, pay(house.lin, house.park, 2500))
    entries = written.entries.order_by("line").values_list("balance_after_cents", "account_version")
    assert list(entries) == [(BUY_IN_CENTS - 2500, 2), (BUY_IN_CENTS + 2500, 2)]


def test_entries_of_other_accounts_carry_neither(house: House) -> None:
    (written,) = post_now(house.book, move(TransactionKind.COLLECTION, house.lin, house.drop, 400))
    assert written.entries.values_list("balance_after_cents", "account_version").get(line=2) == (None, None)


def test_postings_of_one_call_are_numbered_and_chained_in_order(house: House) -> None:
    head = Transaction.objects.get(book=house.book, sequence=2)
    first, second = post_now(house.book, pay(house.lin, house.park, 100), pay(house.park, house.lin, 40))
    assert [first.sequence, second.sequence] == [3, 4]
    assert bytes(first.previous_digest) == bytes(head.digest)
    assert bytes(second.previous_digest) == bytes(first.digest)
    assert second.key.endswith("/2")
    assert balances_of([house.lin.pk, house.park.pk]) == {
        house.lin.pk: BUY_IN_CENTS - 60,
        house.park.pk: BUY_IN_CENTS + 60,
    }


def test_what_one_posting_brings_the_next_can_spend(house: House) -> None:
    post_now(
        house.book,
        pay(house.lin, house.park, BUY_IN_CENTS),
        pay(house.park, house.lin, 2 * BUY_IN_CENTS),
    )
    assert balance_of(house.lin.pk) == 2 * BUY_IN_CENTS


def test_no_postings_write_nothing(house: House) -> None:
    assert post_now(house.book) == []


def test_the_number_of_queries_does_not_grow_with_the_postings(house: House) -> None:
    counts = []
    for number in (1, 12):
        with transaction.atomic(), CaptureQueriesContext(connection) as queries:
            post(
                book=house.book,
                postings=[pay(house.lin, house.park, 5)] * number,
                command=uuid4(),
                actor="2001",
                device="T7",
                occurred_at=NOON,
            )
        counts.append(len(queries))
    assert counts == [3, 3]


def test_posting_outside_a_transaction_is_an_error(house: House) -> None:
    with pytest.raises(transaction.TransactionManagementError):
        post(book=house.book, postings=[], command=uuid4(), actor="2001", device="", occurred_at=NOON)


def test_a_time_without_a_zone_is_an_error(house: House) -> None:
    with pytest.raises(ValueError, match="time zone"):
        post_now(house.book, pay(house.lin, house.park, 1), occurred_at=datetime(2026, 11, 29, 12))  # noqa: DTZ001


def test_a_sum_other_than_zero_is_refused(house: House) -> None:
    lines = (Line(house.lin.pk, -2500), Line(house.park.pk, 2400))
    refusal = refused(house, Unbalanced, Posting(TransactionKind.PAYMENT, "hand:1", lines))
    assert (refusal.code, refusal.status) == ("unbalanced", 400)
    assert "-$1.00" in refusal.message


def test_a_posting_without_entries_is_refused(house: House) -> None:
    refused(house, Unbalanced, Posting(TransactionKind.PAYMENT, "hand:1", ()))


@pytest.mark.parametrize("cents", [0, MAX_AMOUNT_CENTS + 1, 10**18])
def test_an_amount_that_cannot_be_is_refused(house: House, cents: int) -> None:
    refusal = refused(house, AmountOutOfRange, move(TransactionKind.BUY_IN, house.cash, house.lin, cents))
    assert refusal.code == "amount-out-of-range"


def test_a_balance_beyond_the_limit_is_refused(house: House) -> None:
    refused(house, AmountOutOfRange, move(TransactionKind.BUY_IN, house.cash, house.lin, MAX_AMOUNT_CENTS))


def test_a_guarded_account_pays_its_last_cent_and_no_more(house: House) -> None:
    refusal = refused(house, InsufficientFunds, pay(house.lin, house.park, BUY_IN_CENTS + 1))
    assert isinstance(refusal, InsufficientFunds)
    assert (refusal.account_id, refusal.missing_cents) == (house.lin.pk, 1)
    assert refusal.message == "Lin holds $100.00 and $100.01 is asked of it: $0.01 is missing. Nothing was posted."
    post_now(house.book, pay(house.lin, house.park, BUY_IN_CENTS))
    assert balance_of(house.lin.pk) == 0


def test_a_refused_posting_takes_the_ones_before_it_along(house: House) -> None:
    refused(house, InsufficientFunds, pay(house.lin, house.park, 100), pay(house.lin, house.park, BUY_IN_CENTS))
    assert balance_of(house.lin.pk) == BUY_IN_CENTS


def test_an_unguarded_account_may_stand_below_zero(house: House) -> None:
    assert balance_of(house.cash.pk) == -2 * BUY_IN_CENTS


def test_an_unknown_account_is_refused(house: House) -> None:
    lines = (Line(house.lin.pk, -1), Line(UUID(int=1), 1))
    refusal = refused(house, UnknownAccount, Posting(TransactionKind.PAYMENT, "hand:1", lines))
    assert (refusal.status, str(UUID(int=1)) in refusal.message) == (404, True)


def test_a_settlement_cannot_reach_the_house(house: House) -> None:
    post_now(house.book, move(TransactionKind.WAGER, house.lin, house.action, 500))
    for target in (house.drop, house.table_float, house.cage, house.cash):
        refusal = refused(house, KindNotAllowed, move(TransactionKind.SETTLEMENT, house.action, target, 500))
        assert refusal.code == "kind-not-allowed"
    post_now(house.book, move(TransactionKind.SETTLEMENT, house.action, house.park, 500))
    assert balance_of(house.action.pk) == 0


def test_a_reversal_of_nothing_is_refused(house: House) -> None:
    refused(house, KindNotAllowed, move(TransactionKind.REVERSAL, house.lin, house.park, 500))


class TestFrozenAccounts:
    @pytest.mark.parametrize("name", ["lin", "drop"])
    def test_a_frozen_account_takes_nothing_until_it_is_released(self, house: House, name: str) -> None:
        collection = move(TransactionKind.COLLECTION, house.lin, house.drop, 400)
        account_freeze(account_id=getattr(house, name).pk, at=NOON)
        refusal = refused(house, AccountFrozen, collection)
        assert refusal.code == "account-frozen"
        assert getattr(house, name).name in refusal.message
        account_release(account_id=getattr(house, name).pk)
        post_now(house.book, collection)
        assert balance_of(house.drop.pk) == 400

    def test_freezing_again_keeps_the_first_time(self, house: House) -> None:
        account_freeze(account_id=house.lin.pk, at=NOON)
        later = account_freeze(account_id=house.lin.pk, at=NOON.replace(hour=21))
        assert later.frozen_at == NOON

    def test_an_unknown_account_cannot_be_frozen(self, house: House) -> None:
        with pytest.raises(UnknownAccount):
            account_freeze(account_id=UUID(int=1), at=NOON)


@pytest.mark.parametrize("kind", list(AccountKind))
def test_an_account_is_guarded_as_its_kind_says(transactional_db: None, kind: AccountKind) -> None:
    account = account_open(kind=kind, name="One")
    guarded = {"stack", "hand-action", "table-float", "jackpot"}
    assert account.guarded == (kind in guarded)
    assert hasattr(account, "balance") == account.guarded
    assert balance_of(account.pk) == 0
