"""Real threads on a real database. Each race has a control: the lock or the constraint off, and the fault shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from threading import Barrier, Event
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import IntegrityError, OperationalError, transaction
from django.db.models import Sum

from ledger import services
from ledger.checks import validators
from ledger.errors import AccountFrozen, AlreadyReversed, InsufficientFunds
from ledger.kinds import ReasonCode
from ledger.models import Account, Balance, Book, Entry, Transaction
from ledger.selectors import balance_of
from ledger.services import account_freeze, book_open, post, reverse
from tests.ledger.house import BUY_IN_CENTS, NOON, House, pay, post_now
from tests.ledger.together import PATIENCE_SECONDS, together


def books(number: int) -> list[Book]:
    """Books of their own, so that the lock of one book does not hide what the balances' locks do."""
    return [book_open(name=f"Table {index}", opened_at=NOON) for index in range(number)]


def entered(account: Account) -> int:
    """What the entries of an account sum to."""
    return Entry.objects.filter(account=account).aggregate(total=Sum("amount_cents"))["total"] or 0


def assert_clean() -> None:
    """No check finds anything."""
    assert {each.name: list(each.check()) for each in validators()} == {each.name: [] for each in validators()}


def of_type(results: Iterable[Any], kind: type) -> list[Any]:
    """Those results that are of one type."""
    return [result for result in results if isinstance(result, kind)]


class TestTheLastChip:
    def spend(self, house: House, tables: list[Book]) -> list[Any]:
        """Lin's whole stack, paid at several tables at once."""
        return together([lambda book=book: post_now(book, pay(house.lin, house.park, BUY_IN_CENTS)) for book in tables])

    def without_lock(self, monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
        """Read balances without a lock, and let everybody read before anybody writes."""
        barrier = Barrier(threads)

        def unlocked(account_ids: Iterable[UUID]) -> list[Balance]:
            read = list(Balance.objects.filter(account_id__in=account_ids))
            barrier.wait(PATIENCE_SECONDS)
            return read

        monkeypatch.setattr(services, "balances_for_update", unlocked)

    def test_is_spent_once(self, house: House) -> None:
        results = self.spend(house, books(8))
        assert len(of_type(results, list)) == 1
        assert len(of_type(results, InsufficientFunds)) == 7
        assert balance_of(house.lin.pk) == 0
        assert_clean()

    def test_without_the_lock_only_the_database_stands_in_the_way(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.without_lock(monkeypatch, 2)
        results = self.spend(house, books(2))
        assert len(of_type(results, list)) == 1
        assert len(of_type(results, IntegrityError)) == 1
        assert balance_of(house.lin.pk) == 0

    def test_without_lock_and_guard_is_spent_twice(
        self, house: House, monkeypatch: pytest.MonkeyPatch, unguarded: None
    ) -> None:
        self.without_lock(monkeypatch, 2)
        results = self.spend(house, books(2))
        assert len(of_type(results, list)) == 2
        assert entered(house.lin) == -BUY_IN_CENTS

    @pytest.fixture
    def unguarded(self, house: House, superuser: psycopg.Connection) -> Iterator[None]:
        """The entries' guard and the number on the account taken away."""
        superuser.execute("ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_guard")
        superuser.execute("DROP INDEX ledger_entry_version")
        yield
        superuser.execute("ALTER TABLE ledger_entry ENABLE TRIGGER ledger_entry_guard")
        superuser.execute("TRUNCATE ledger_entry")
        superuser.execute(
            "CREATE UNIQUE INDEX ledger_entry_version ON ledger_entry (account_id, account_version) "
            "WHERE account_version IS NOT NULL"
        )


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

        def as_they_come(account_ids: Iterable[UUID]) -> list[Balance]:
            ids = list(account_ids)
            locked = []
            for account_id in ids:
                locked.append(Balance.objects.select_for_update(no_key=True).get(pk=account_id))
                if account_id == ids[0]:
                    barrier.wait(PATIENCE_SECONDS)
            return locked

        def accounts_as_posted(postings: list[services.Posting]) -> dict[UUID, Account]:
            ids = [line.account_id for posting in postings for line in posting.entries]
            found = Account.objects.in_bulk(ids)
            return {account_id: found[account_id] for account_id in ids}

        monkeypatch.setattr(services, "balances_for_update", as_they_come)
        monkeypatch.setattr(services, "_accounts", accounts_as_posted)
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
        barrier = Barrier(2)
        head = services._head

        def head_of_both(*arguments: Any) -> Any:
            read = head(*arguments)
            barrier.wait(PATIENCE_SECONDS)
            return read

        monkeypatch.setattr(services, "books_for_posting", Book.objects.all)
        monkeypatch.setattr(services, "_head", head_of_both)
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

    def test_without_the_constraint_both_are(
        self, house: House, paid: Transaction, monkeypatch: pytest.MonkeyPatch, reversible_twice: None
    ) -> None:
        barrier = Barrier(2)
        check = services._check_reversals

        def check_both(*arguments: Any) -> None:
            check(*arguments)
            barrier.wait(PATIENCE_SECONDS)

        monkeypatch.setattr(services, "_check_reversals", check_both)
        assert len(of_type(self.take_back(paid), list)) == 2
        assert balance_of(house.lin.pk) == BUY_IN_CENTS + 300

    @pytest.fixture
    def reversible_twice(self, house: House, superuser: psycopg.Connection) -> Iterator[None]:
        """The unique pointer taken away."""
        superuser.execute("ALTER TABLE ledger_transaction DROP CONSTRAINT ledger_transaction_reverses")
        yield
        superuser.execute("TRUNCATE ledger_transaction, ledger_entry")
        superuser.execute(
            "ALTER TABLE ledger_transaction ADD CONSTRAINT ledger_transaction_reverses UNIQUE (reverses_id)"
        )


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

    def collect(self, house: House) -> None:
        """A collection from Lin, inside the caller's transaction."""
        collection = services.Posting(
            kind=services.TransactionKind.COLLECTION,
            reference="hand:1",
            entries=(services.Line(house.lin.pk, -400), services.Line(house.drop.pk, 400)),
        )
        post(book=house.book, postings=[collection], command=uuid4(), actor="2001", device="", occurred_at=NOON)
