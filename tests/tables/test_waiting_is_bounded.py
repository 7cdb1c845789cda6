"""What a command says that the database cannot do now: in somebody's way, waited too long, no room on the disk.

Each is 503, leaves nothing, and goes through when it is sent again later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import connection
from psycopg import sql

from casino.errors import Busy, Refusal
from ledger.kinds import TransactionKind
from ledger.models import Transaction
from ledger.services import book_open
from tables.models import BuyIn, Command, Sitting
from tables.services import sittings
from tables.services.commands import ATTEMPTS, Work
from tables.services.postings import move
from tables.services.sessions import lock_sitting
from tables.services.sittings import sitting_buy_in
from tests.database import TEST_DATABASE
from tests.ledger.clean import assert_clean
from tests.ledger.house import NOON, post_now
from tests.ledger.together import PATIENCE_SECONDS, together
from tests.people import Cast, order
from tests.tables import play

Connect = Callable[[str], psycopg.Connection]
Meet = Callable[[], None]
LOCK_BALANCE = "SELECT 1 FROM ledger_balance WHERE account_id = %s FOR NO KEY UPDATE"
LOCK_TABLE = "SELECT 1 FROM tables_table WHERE id = %s FOR NO KEY UPDATE"


@pytest.fixture
def lin(committed_cast: Cast) -> Sitting:
    """Lin at the Pai Gow table with $10, where a stack may grow at any time."""
    return play.sit(committed_cast, play.open_pai_gow(committed_cast), 1, "P1", 1_000)


def meet_in_a_buy_in(monkeypatch: pytest.MonkeyPatch, meet: Meet) -> None:
    """Meet somebody else in every buy-in, between the table's lock and the ledger's."""

    def lock_and_meet(work: Work, sitting_id: UUID) -> Sitting:
        sitting = lock_sitting(work, sitting_id)
        meet()
        return sitting

    monkeypatch.setattr(sittings, "lock_sitting", lock_and_meet)


def buy_in(cast: Cast, lin: Sitting) -> dict[str, Any]:
    """Lin buys $5 more."""
    return sitting_buy_in(order(cast.pai_gow_dealer), sitting_id=lin.pk, amount_cents=500)


def written() -> tuple[int, int, int]:
    """How much there is of all that a buy-in writes."""
    return Command.objects.count(), Transaction.objects.count(), BuyIn.objects.count()


class TestDeadlock:
    """Somebody locks the stack first and the table then, against ``docs/locking.md``, as often as they are asked to."""

    @pytest.fixture(autouse=True)
    def _noticed_soon(self, superuser: psycopg.Connection) -> Iterator[None]:
        """The server looks for deadlocks after a second; here the victim is to be our command, and soon."""
        database = sql.Identifier(TEST_DATABASE)
        superuser.execute(sql.SQL("ALTER DATABASE {} SET deadlock_timeout = '50ms'").format(database))
        yield
        superuser.execute(sql.SQL("ALTER DATABASE {} RESET deadlock_timeout").format(database))

    def in_the_way(
        self, cast: Cast, lin: Sitting, connect: Connect, monkeypatch: pytest.MonkeyPatch, times: int
    ) -> tuple[Any, int]:
        """What came of a buy-in that is in a deadlock that many times, and how often it was tried."""
        other, watch = connect("superuser"), connect("app")
        other.execute("SET deadlock_timeout = '1min'")
        other.commit()
        watch.autocommit = True
        stack_held, table_held = ([Event() for _ in range(times)] for _ in range(2))
        tries = 0

        def deadlocked() -> None:
            nonlocal tries
            tries += 1
            if tries > times:
                return
            stack_held[tries - 1].wait(PATIENCE_SECONDS)
            table_held[tries - 1].set()
            waits = "SELECT count(*) FROM pg_locks WHERE pid = %s AND NOT granted"
            while watch.execute(waits, [other.info.backend_pid]).fetchone() == (0,):
                pass

        def against_the_order() -> None:
            for held, wanted in zip(stack_held, table_held, strict=True):
                other.execute(LOCK_BALANCE, [lin.stack_id])
                held.set()
                wanted.wait(PATIENCE_SECONDS)
                other.execute(LOCK_TABLE, [cast.pai_gow.pk])
                other.rollback()

        meet_in_a_buy_in(monkeypatch, deadlocked)
        answer, nothing = together([lambda: buy_in(cast, lin), against_the_order])
        assert nothing is None
        return answer, tries

    @pytest.mark.parametrize("times", range(1, ATTEMPTS))
    def test_is_tried_again_and_done_once(
        self, committed_cast: Cast, lin: Sitting, connect: Connect, monkeypatch: pytest.MonkeyPatch, times: int
    ) -> None:
        answer, tries = self.in_the_way(committed_cast, lin, connect, monkeypatch, times)
        assert (answer["stack_cents"], tries) == (1_500, times + 1)
        assert play.stack_of(lin) == 1_500
        assert BuyIn.objects.filter(amount_cents=500).count() == 1
        assert_clean()

    def test_of_the_last_attempt_too_is_busy_and_nothing_is_written(
        self, committed_cast: Cast, lin: Sitting, connect: Connect, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = written()
        answer, tries = self.in_the_way(committed_cast, lin, connect, monkeypatch, ATTEMPTS)
        assert isinstance(answer, Busy)
        assert (answer.status, tries) == (503, ATTEMPTS)
        assert (written(), play.stack_of(lin)) == (before, 1_000)


def test_what_cannot_be_put_in_a_row_is_tried_again_and_done_once(
    committed_cast: Cast, lin: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that is set to repeatable reads answers with a serialisation failure where another one waits."""
    tries, cage = 0, book_open(name="Cage", opened_at=NOON)

    def change_the_stack_once() -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            gift = move(TransactionKind.BUY_IN, "elsewhere", lin.session.cash_account_id, lin.stack_id, 100)
            assert [type(result) for result in together([lambda: post_now(cage, gift)])] == [list]

    def repeatably() -> dict[str, Any]:
        connection.cursor().execute("SET default_transaction_isolation TO 'repeatable read'")
        return buy_in(committed_cast, lin)

    meet_in_a_buy_in(monkeypatch, change_the_stack_once)
    (answer,) = together([repeatably])
    assert (answer["stack_cents"], tries) == (1_600, 2)
    assert play.stack_of(lin) == 1_600


@pytest.mark.parametrize("held", ["key", "table", "book", "balance"])
def test_a_lock_that_is_not_had_in_time_is_busy_and_nothing_is_written(
    committed_cast: Cast, lin: Sitting, connect: Connect, settings: Any, held: str
) -> None:
    """Whichever of the locks of ``docs/locking.md`` it is; the same press goes through once the other is gone."""
    settings.LOCK_TIMEOUT_MS = 100
    press, before = order(committed_cast.pai_gow_dealer), written()
    other = connect("app")
    statement, whose = {
        "key": ("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", str(press.key)),
        "table": (LOCK_TABLE, committed_cast.pai_gow.pk),
        "book": ("SELECT 1 FROM ledger_book WHERE id = %s FOR NO KEY UPDATE", lin.session.book_id),
        "balance": (LOCK_BALANCE, lin.stack_id),
    }[held]
    other.execute(statement, [whose])
    with pytest.raises(Busy) as caught:
        sitting_buy_in(press, sitting_id=lin.pk, amount_cents=500)
    assert (caught.value.status, caught.value.code) == (503, "table-busy")
    assert (written(), play.stack_of(lin)) == (before, 1_000)
    other.rollback()
    assert sitting_buy_in(press, sitting_id=lin.pk, amount_cents=500)["stack_cents"] == 1_500
    assert_clean()


def test_a_full_disk_is_said_and_nothing_is_written(
    committed_cast: Cast, lin: Sitting, superuser: psycopg.Connection
) -> None:
    """The server's own error, raised where it writes last; ``tests/faults`` fills a real disk."""
    press, before = order(committed_cast.pai_gow_dealer), written()
    superuser.execute(
        "CREATE FUNCTION test_disk_full() RETURNS trigger LANGUAGE plpgsql AS "
        "$$BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END$$"
    )
    superuser.execute(
        "CREATE TRIGGER test_disk_full BEFORE INSERT ON ledger_entry FOR EACH ROW EXECUTE FUNCTION test_disk_full()"
    )
    try:
        with pytest.raises(Refusal) as caught:
            sitting_buy_in(press, sitting_id=lin.pk, amount_cents=500)
    finally:
        superuser.execute("DROP FUNCTION test_disk_full CASCADE")
    assert (caught.value.status, caught.value.code) == (503, "storage-full")
    assert "storage of the database is full" in caught.value.message
    assert (written(), play.stack_of(lin)) == (before, 1_000)
    assert sitting_buy_in(press, sitting_id=lin.pk, amount_cents=500)["stack_cents"] == 1_500
