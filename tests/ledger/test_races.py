"""Real threads on a real database. Each race has a control: the lock or the constraint off, and the fault shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from threading import Barrier, Event
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import IntegrityError, OperationalError, transaction
from django.db.models import Sum

from ledger import services
from ledger.errors import AccountFrozen, AlreadyReversed, InsufficientFunds
from ledger.kinds import ReasonCode, TransactionKind
from ledger.lock_objects import Held, lock_for_posting
from ledger.models import Account, Balance, Book, Entry, Transaction
from ledger.selectors import balance_of
from ledger.services import account_freeze, book_open, post, reverse
from ledger.verification import verify_books
from tests.ledger.clean import assert_clean
from tests.ledger.controls import (
    accounts_as_they_are,
    balances_unlocked,
    book_unlocked,
    forkable,
    reversible_twice,
    unguarded,
)
from tests.ledger.house import BUY_IN_CENTS, NOON, House, move, pay, post_now
from tests.ledger.together import PATIENCE_SECONDS, together


def books(number: int) -> list[Book]:
    """Books of their own, so that the lock of one book does not hide what the balances' locks do."""
    return [book_open(name=f"Table {index}", opened_at=NOON) for index in range(number)]


def entered(account: Account) -> int:
    """What the entries of an account sum to."""
    return Entry.objects.filter(account=account).aggregate(total=Sum("amount_cents"))["total"] or 0


def of_type(results: Iterable[Any], kind: type) -> list[Any]:
    """Those results that are of one type."""
    return [result for result in results if isinstance(result, kind)]


class TestTheLastChip:
    def spend(self, house: House, tables: list[Book]) -> list[Any]:
        """Lin's whole stack, paid at several tables at once."""
        return together([lambda book=book: post_now(book, pay(house.lin, house.park, BUY_IN_CENTS)) for book in tables])

    def test_is_spent_once(self, house: House) -> None:
        results = self.spend(house, books(8))
        assert len(of_type(results, list)) == 1
        assert len(of_type(results, InsufficientFunds)) == 7
        assert balance_of(house.lin.pk) == 0
        assert_clean()

    def test_without_the_lock_only_the_database_stands_in_the_way(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        balances_unlocked(monkeypatch)
        results = self.spend(house, books(2))
        assert len(of_type(results, list)) == 1
        assert len(of_type(results, IntegrityError)) == 1
        assert balance_of(house.lin.pk) == 0

    def test_without_lock_and_guard_is_spent_twice(
        self, house: House, monkeypatch: pytest.MonkeyPatch, superuser: psycopg.Connection
    ) -> None:
        balances_unlocked(monkeypatch)
        with unguarded(superuser):
            results = self.spend(house, books(2))
            assert len(of_type(results, list)) == 2
            assert entered(house.lin) == -BUY_IN_CENTS


class TestOppositeOrders:
    def cross(self, house: House, rounds: int) -> list[Any]:
        """Lin pays Park at one table while Park pays Lin at another."""
        one, other = books(2)

        def pay_often(book: Book, source: Account, target: Account) -> int:
            for _ in range(rounds):
                post_now(book, pay(source, target, 1))
            return rounds

        return together(
            [
                lambda: pay_often(one, house.lin, house.park),
                lambda: pay_often(other, house.park, house.lin),
            ]
        )

    def test_never_lock_each_other_out(self, house: House) -> None:
        assert self.cross(house, 60) == [60, 60]
        assert balance_of(house.lin.pk) == BUY_IN_CENTS
        assert_clean()

    def test_locked_as_they_come_they_do(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        barrier = Barrier(2)

        def as_they_come(book_id: UUID, account_ids: Collection[UUID], keys: Sequence[str]) -> Held:
            held = lock_for_posting(book_id, [], keys)
            first, *rest = account_ids
            Balance.objects.select_for_update(no_key=True).get(pk=first)
            barrier.wait(PATIENCE_SECONDS)
            list(Balance.objects.select_for_update(no_key=True).filter(pk__in=rest))
            return replace(held, accounts=accounts_as_they_are(account_ids))

        monkeypatch.setattr(services, "lock_for_posting", as_they_come)
        results = self.cross(house, 1)
        (deadlock,) = of_type(results, OperationalError)
        assert isinstance(deadlock.__cause__, psycopg.errors.DeadlockDetected)


class TestOneKey:
    def send(self, house: House, times: int) -> list[Any]:
        """One command, sent several times at once."""
        command = uuid4()
        return together([lambda: post_now(house.book, pay(house.lin, house.park, 300), command=command)] * times)

    def test_twenty_duplicates_post_once_and_all_are_answered(self, house: House) -> None:
        results = self.send(house, 20)
        assert len(of_type(results, list)) == 20
        assert len({row.pk for (row,) in results}) == 1
        assert balance_of(house.lin.pk) == BUY_IN_CENTS - 300
        assert_clean()

    def test_without_the_books_lock_a_duplicate_gets_no_answer(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        book_unlocked(monkeypatch)
        results = self.send(house, 2)
        assert len(of_type(results, list)) == 1
        assert len(of_type(results, Exception)) == 1
        assert balance_of(house.lin.pk) == BUY_IN_CENTS - 300


class TestOneBook:
    def test_twenty_writers_leave_no_gap_and_no_fork(self, house: House) -> None:
        results = together(
            [lambda: post_now(house.book, pay(house.lin, house.park, 1), pay(house.park, house.lin, 1))] * 20
        )
        assert len(of_type(results, list)) == 20
        numbers = Transaction.objects.filter(book=house.book).order_by("sequence").values_list("sequence", flat=True)
        assert list(numbers) == list(range(1, 43))
        assert_clean()

    def write_two(self, house: House) -> list[Any]:
        """Two payments into one book at once, between accounts that have nothing to do with each other."""
        fill = move(TransactionKind.FILL, house.cage, house.table_float, 1)
        return together(
            [lambda: post_now(house.book, pay(house.lin, house.park, 1)), lambda: post_now(house.book, fill)]
        )

    def test_without_its_lock_only_the_database_stands_in_the_way_of_a_fork(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        book_unlocked(monkeypatch)
        results = self.write_two(house)
        assert len(of_type(results, list)) == 1
        assert len(of_type(results, IntegrityError)) == 1
        assert_clean()

    def test_without_lock_and_guard_it_forks(
        self, house: House, monkeypatch: pytest.MonkeyPatch, superuser: psycopg.Connection
    ) -> None:
        book_unlocked(monkeypatch)
        with forkable(superuser):
            (one,), (other,) = self.write_two(house)
            assert one.sequence == other.sequence == 3
            assert bytes(one.previous_digest) == bytes(other.previous_digest)
            assert [house.book.name in str(fault) for fault in verify_books().faults] == [True]


class TestTwoReversals:
    @pytest.fixture
    def paid(self, house: House) -> Transaction:
        return post_now(house.book, pay(house.lin, house.park, 300))[0]

    def take_back(self, paid: Transaction) -> list[Any]:
        """Two supervisors reverse one payment, each in a book of their own."""
        return together(
            [
                lambda book=book: post_now(book, reverse(paid, reason_code=ReasonCode.CARDS, reason="Misread"))
                for book in books(2)
            ]
        )

    def test_of_one_transaction_one_is_made(self, house: House, paid: Transaction) -> None:
        results = self.take_back(paid)
        assert len(of_type(results, list)) == 1
        assert len(of_type(results, AlreadyReversed)) == 1
        assert balance_of(house.lin.pk) == BUY_IN_CENTS
        assert_clean()

    def test_without_the_check_under_the_lock_the_constraint_stops_one(
        self, house: House, paid: Transaction, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(services, "_check_reversals", lambda _postings: None)
        results = self.take_back(paid)
        assert len(of_type(results, list)) == 1
        assert len(of_type(results, AlreadyReversed)) == 1
        assert_clean()

    def test_without_either_both_are(
        self, house: House, paid: Transaction, monkeypatch: pytest.MonkeyPatch, superuser: psycopg.Connection
    ) -> None:
        monkeypatch.setattr(services, "_check_reversals", lambda _postings: None)
        with reversible_twice(superuser):
            assert len(of_type(self.take_back(paid), list)) == 2
            assert balance_of(house.lin.pk) == BUY_IN_CENTS + 300


class TestSpendingWhatIsBeingTakenBack:
    """Lin has paid Park $3. It is reversed at one table while Park pays all there is at another."""

    @pytest.fixture
    def paid(self, house: House) -> Transaction:
        return post_now(house.book, pay(house.lin, house.park, 300))[0]

    def both(self, house: House, paid: Transaction) -> list[Any]:
        """What came of the reversal, then of the spending."""
        one, other = books(2)
        return together(
            [
                lambda: post_now(one, reverse(paid, reason_code=ReasonCode.CARDS, reason="Misread")),
                lambda: post_now(other, move(TransactionKind.CHIPS_OUT, house.park, house.chips, BUY_IN_CENTS + 300)),
            ]
        )

    def test_one_of_the_two_is_done(self, house: House, paid: Transaction) -> None:
        results = self.both(house, paid)
        taken_back = isinstance(results[0], list)
        assert len(of_type(results, list)) == 1
        assert len(of_type(results, InsufficientFunds)) == 1
        assert balance_of(house.park.pk) == (BUY_IN_CENTS if taken_back else 0)
        assert balance_of(house.lin.pk) == BUY_IN_CENTS - (0 if taken_back else 300)
        assert_clean()

    def test_without_the_lock_only_the_database_stands_in_the_way(
        self, house: House, paid: Transaction, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        balances_unlocked(monkeypatch)
        results = self.both(house, paid)
        assert len(of_type(results, list)) == 1
        assert len(of_type(results, IntegrityError)) == 1
        assert balance_of(house.park.pk) in (0, BUY_IN_CENTS)

    def test_without_lock_and_guard_the_chips_are_there_twice(
        self, house: House, paid: Transaction, monkeypatch: pytest.MonkeyPatch, superuser: psycopg.Connection
    ) -> None:
        balances_unlocked(monkeypatch)
        with unguarded(superuser):
            results = self.both(house, paid)
            assert len(of_type(results, list)) == 2
            assert entered(house.park) == -300


class TestFreezing:
    @pytest.mark.parametrize("name", ["lin", "drop"])
    def test_waits_for_an_entry_being_written(self, house: House, name: str) -> None:
        account = getattr(house, name)
        written, frozen = Event(), Event()

        def slow_posting() -> bool:
            with transaction.atomic():
                self.collect(house)
                written.set()
                return frozen.wait(0.5)

        def freeze() -> Account:
            written.wait(PATIENCE_SECONDS)
            account_freeze(account_id=account.pk, at=NOON)
            frozen.set()
            return account

        assert together([slow_posting, freeze]) == [False, account]
        assert balance_of(house.drop.pk) == 400

    @pytest.mark.parametrize("name", ["lin", "drop"])
    def test_refuses_an_entry_that_came_while_it_was_being_written(self, house: House, name: str) -> None:
        account = getattr(house, name)
        frozen, looked = Event(), Event()

        def slow_freeze() -> bool:
            with transaction.atomic():
                account_freeze(account_id=account.pk, at=NOON)
                frozen.set()
                return looked.wait(0.5)

        def posting() -> None:
            frozen.wait(PATIENCE_SECONDS)
            with transaction.atomic():
                self.collect(house)
            looked.set()

        waited, refused = together([slow_freeze, posting])
        assert waited is False
        assert isinstance(refused, AccountFrozen)
        assert account.name in refused.message
        assert balance_of(house.drop.pk) == 0

    def test_without_the_full_lock_an_entry_slips_past_it(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        """The weaker lock that every other row is content with lets a freeze by while an entry is being written."""
        monkeypatch.setattr(
            services, "accounts_for_freezing", lambda: Account.objects.select_for_update(no_key=True).order_by("pk")
        )
        written, frozen = Event(), Event()

        def slow_posting() -> bool:
            with transaction.atomic():
                self.collect(house)
                written.set()
                return frozen.wait(PATIENCE_SECONDS)

        def freeze() -> int:
            written.wait(PATIENCE_SECONDS)
            account_freeze(account_id=house.drop.pk, at=NOON)
            seen = balance_of(house.drop.pk)
            frozen.set()
            return seen

        frozen_before_commit, seen_when_frozen = together([slow_posting, freeze])
        assert frozen_before_commit and seen_when_frozen == 0
        assert balance_of(house.drop.pk) == 400, "the frozen account has moved"

    def collect(self, house: House) -> None:
        """A collection from Lin, inside the caller's transaction."""
        collection = services.Posting(
            kind=TransactionKind.COLLECTION,
            reference="hand:1",
            entries=(services.Line(house.lin.pk, -400), services.Line(house.drop.pk, 400)),
        )
        post(book=house.book, postings=[collection], command=uuid4(), actor="2001", device="", occurred_at=NOON)
