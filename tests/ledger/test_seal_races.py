"""Sealing while others seal and post: real threads, and controls in which the lock or the constraint is off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Barrier, Event
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from django.db import IntegrityError, transaction

from casino.errors import Busy
from ledger import seals
from ledger.kinds import TransactionKind
from ledger.lock_objects import lock_seals
from ledger.models import Entry, Seal, SealKind, SealLine, Transaction
from ledger.seals import seal_make
from ledger.services import book_open, post
from tests.ledger.house import NOON, House, move, pay, post_now
from tests.ledger.together import PATIENCE_SECONDS, together


def seal() -> Seal:
    return seal_make(kind=SealKind.REQUEST)


def times_sealed() -> Counter[tuple[Any, int]]:
    """How many lines cover each transaction, by book and number."""
    return Counter(
        (line.book_id, sequence) for line in SealLine.objects.all() for sequence in range(line.first, line.last + 1)
    )


def assert_each_is_sealed_once() -> None:
    assert times_sealed() == dict.fromkeys(Transaction.objects.values_list("book_id", "sequence"), 1)


class TestTwoSealers:
    @pytest.fixture(autouse=True)
    def unsealed(self, house: House) -> None:
        """One seal is made, and one transaction waits for the next."""
        seal()
        post_now(house.book, pay(house.lin, house.park, 1))

    def without_lock(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nobody waits for anybody, and both read before either writes."""
        barrier = Barrier(2)
        read = seals._unsealed_lines

        def read_by_both() -> Any:
            lines = read()
            barrier.wait(PATIENCE_SECONDS)
            return lines

        monkeypatch.setattr(seals, "lock_seals", lambda timeout_ms: None)
        monkeypatch.setattr(seals, "_unsealed_lines", read_by_both)

    def test_make_one_seal_and_both_are_given_it(self) -> None:
        assert {made.number for made in together([seal] * 8)} == {2}
        assert Seal.objects.count() == 2
        assert_each_is_sealed_once()

    def test_of_one_label_make_one_seal(self) -> None:
        results = together([lambda: seal_make(kind=SealKind.GAMING_DAY, label="one 2026-11-29")] * 8)
        assert {made.number for made in results} == {2}
        assert Seal.objects.count() == 2

    def test_without_the_lock_the_database_refuses_the_second(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.without_lock(monkeypatch)
        results = together([seal, seal])
        assert {type(result) for result in results} == {Seal, IntegrityError}
        assert Seal.objects.count() == 2
        assert_each_is_sealed_once()

    def test_without_lock_and_constraints_the_seals_fork(
        self, monkeypatch: pytest.MonkeyPatch, superuser: psycopg.Connection
    ) -> None:
        self.without_lock(monkeypatch)
        with self.forkable(superuser):
            one, other = together([seal, seal])
            assert one.pk != other.pk
            assert (one.number, bytes(one.previous)) == (other.number, bytes(other.previous))
            assert 2 in times_sealed().values()

    @contextmanager
    def forkable(self, superuser: psycopg.Connection) -> Iterator[None]:
        """What stands behind the lock taken away: the guards, and the numbers of seals and lines."""
        taken_away = (
            "ALTER TABLE ledger_seal DISABLE TRIGGER ledger_seal_guard, DROP CONSTRAINT ledger_seal_number",
            "ALTER TABLE ledger_sealline DISABLE TRIGGER ledger_sealline_guard, DROP CONSTRAINT ledger_sealline_first",
        )
        put_back = (
            "DELETE FROM ledger_sealline",
            "DELETE FROM ledger_seal",
            "ALTER TABLE ledger_seal ENABLE TRIGGER ledger_seal_guard, "
            "ADD CONSTRAINT ledger_seal_number UNIQUE (number)",
            "ALTER TABLE ledger_sealline ENABLE TRIGGER ledger_sealline_guard, "
            "ADD CONSTRAINT ledger_sealline_first UNIQUE (book_id, first)",
        )
        for statement in taken_away:
            superuser.execute(statement)
        try:
            yield
        finally:
            for statement in put_back:
                superuser.execute(statement)

    def test_who_waits_too_long_is_told_to_try_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(settings, "LOCK_TIMEOUT_MS", 50)
        locked, tried = Event(), Event()

        def slow_sealer() -> None:
            with transaction.atomic():
                lock_seals(50)
                locked.set()
                tried.wait(PATIENCE_SECONDS)

        def sealer() -> Exception:
            locked.wait(PATIENCE_SECONDS)
            try:
                with pytest.raises(Busy, match="Somebody else is sealing") as refusal:
                    seal()
            finally:
                tried.set()
            return refusal.value

        assert isinstance(together([slow_sealer, sealer])[1], Busy)
        assert Seal.objects.count() == 1


class TestPostingMeanwhile:
    def slow_and_fast(self, house: House, meanwhile: Any) -> None:
        """Somebody holds a book open with a payment written; another table's is committed; ``meanwhile``; then the commit."""
        written, done = Event(), Event()
        other = book_open(name="Table 8", opened_at=NOON)

        def slow_writer() -> None:
            with transaction.atomic():
                payment = pay(house.lin, house.park, 1)
                post(book=house.book, postings=[payment], command=uuid4(), actor="2001", device="", occurred_at=NOON)
                written.set()
                done.wait(PATIENCE_SECONDS)

        def others() -> None:
            try:
                written.wait(PATIENCE_SECONDS)
                post_now(other, move(TransactionKind.FILL, house.cage, house.table_float, 1))
                meanwhile()
            finally:
                done.set()

        assert together([slow_writer, others]) == [None, None]

    def test_what_commits_after_a_seal_is_in_the_next_one(self, house: House) -> None:
        made: list[Seal] = []
        self.slow_and_fast(house, lambda: made.append(seal()))
        assert made[0].transactions == 3, "the slow writer's payment is not in it"
        assert seal().transactions == 4
        assert_each_is_sealed_once()

    def test_a_cut_at_the_highest_entry_would_have_lost_it(self, house: House) -> None:
        """What a seal by entry numbers would do: up to the highest that is visible, then from there on."""
        cuts, sealed = [0], set[int]()

        def cut() -> None:
            visible = Entry.objects.filter(pk__gt=cuts[-1])
            sealed.update(visible.values_list("pk", flat=True))
            cuts.append(visible.latest("pk").pk)

        self.slow_and_fast(house, cut)
        post_now(house.book, pay(house.lin, house.park, 1))
        cut()
        lost = Transaction.objects.exclude(entries__in=sealed)
        assert [(row.book_id, row.sequence) for row in lost] == [(house.book.pk, 3)]

    def test_nobody_waits_for_a_seal(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        reading, posted = Event(), Event()
        read = seals._unsealed_lines

        def slow_read() -> Any:
            lines = read()
            reading.set()
            assert posted.wait(PATIENCE_SECONDS), "the posting waits for the seal"
            return lines

        def poster() -> int:
            reading.wait(PATIENCE_SECONDS)
            (row,) = post_now(house.book, pay(house.lin, house.park, 1))
            posted.set()
            return row.sequence

        monkeypatch.setattr(seals, "_unsealed_lines", slow_read)
        made, sequence = together([seal, poster])
        assert (made.transactions, sequence) == (2, 3)

    def test_with_twenty_posting_and_four_sealing_each_transaction_is_sealed_once(self, house: House) -> None:
        tables = [book_open(name=f"Table {number}", opened_at=NOON) for number in range(5)]

        def poster(number: int) -> None:
            for _ in range(5):
                post_now(tables[number % 5], pay(house.lin, house.park, 1), pay(house.park, house.lin, 1))

        def sealer() -> None:
            for _ in range(5):
                seal()

        results = together([*(lambda n=n: poster(n) for n in range(20)), *[sealer] * 4])
        assert results == [None] * 24
        assert seal().transactions == Transaction.objects.count() == 202
        assert_each_is_sealed_once()
