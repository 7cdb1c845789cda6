"""The same press sent again, another request under the same key, many at once: done once, answered alike."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import DatabaseError, connection
from pytest import MonkeyPatch

from casino.errors import Busy, Conflict, Malformed
from ledger.models import Transaction
from tables.models import BuyIn, Command, Hand, Sitting
from tables.models.erasures import in_clear
from tables.services import settling
from tables.services.commands import Order
from tables.services.hands import hand_start, hand_void
from tables.services.settling import hand_settle
from tables.services.sittings import sitting_buy_in, sitting_start
from tests.people import Cast, order
from tests.tables import play
from tests.tables.controls import table_unlocked


def at_once(count: int, act: Any) -> list[Any]:
    """Run ``act(n)`` in that many threads that start together; exceptions are answers too."""
    start = threading.Barrier(count)

    def run(number: int) -> Any:
        start.wait()
        try:
            return act(number)
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def test_the_same_press_sent_again_gets_the_same_answer_and_does_nothing(cast: Cast) -> None:
    lin = play.sit(cast, play.open_chinese(cast), 1, "P1")
    press = order(cast.dealer)
    first = sitting_buy_in(press, sitting_id=lin.pk, amount_cents=10_000)
    again = sitting_buy_in(press, sitting_id=lin.pk, amount_cents=10_000)
    assert again == first
    assert (BuyIn.objects.count(), play.stack_of(lin)) == (1, 10_000)


def test_another_request_under_a_used_key_is_a_conflict(cast: Cast) -> None:
    lin = play.sit(cast, play.open_chinese(cast), 1, "P1")
    press = order(cast.dealer)
    sitting_buy_in(press, sitting_id=lin.pk, amount_cents=10_000)
    with pytest.raises(Conflict, match="used for another action"):
        sitting_buy_in(press, sitting_id=lin.pk, amount_cents=20_000)
    with pytest.raises(Conflict, match="used for another action"):
        sitting_buy_in(replace(press, actor=cast.floor), sitting_id=lin.pk, amount_cents=10_000)
    assert play.stack_of(lin) == 10_000


def test_a_refused_press_leaves_nothing_and_can_be_sent_again(cast: Cast) -> None:
    session = play.open_chinese(cast)
    press = order(cast.dealer)
    sitting = play.sit(cast, session, 1, "P1")
    with pytest.raises(Malformed):
        sitting_buy_in(press, sitting_id=sitting.pk, amount_cents=0)
    assert not Command.objects.filter(key=press.key).exists()
    assert sitting_buy_in(press, sitting_id=sitting.pk, amount_cents=10_000)["stack_cents"] == 10_000


def test_a_press_from_the_future_or_without_a_zone_is_refused(cast: Cast) -> None:
    lin = play.sit(cast, play.open_chinese(cast), 1, "P1")
    for when in (datetime.now(UTC) + timedelta(hours=1), datetime.now()):  # noqa: DTZ005  the fault is the point
        with pytest.raises(Malformed):
            sitting_buy_in(Order(uuid4(), cast.dealer, when), sitting_id=lin.pk, amount_cents=10_000)


def test_a_command_keeps_who_where_when_and_what(cast: Cast) -> None:
    session = play.open_chinese(cast)
    press = order(cast.dealer)
    sitting_start(press, session_id=session.pk, seat=2, patron_number="P2")
    stored = Command.objects.get(pk=press.key)
    assert (stored.verb, stored.actor, stored.device, stored.table) == (
        "sitting.start",
        cast.ben,
        cast.tablet,
        cast.chinese,
    )
    assert stored.occurred_at == press.occurred_at < stored.recorded_at
    asked, _answered = in_clear(stored, stored.personal_texts.all())
    assert asked == {"session_id": str(session.pk), "seat": 2, "patron_number": "P2"}


def test_twenty_equal_confirms_at_once_settle_one_hand(committed_cast: Cast) -> None:
    """N11: one hand, one set of ledger entries, twenty equal answers."""
    _session, lin, park, hand_id = play.deal_chinese(committed_cast)
    play.record(committed_cast, hand_id, play.CHINESE_HANDS)
    press = order(committed_cast.dealer)
    answers = at_once(20, lambda _n: hand_settle(press, hand_id=hand_id, revision=1))
    assert answers == [answers[0]] * 20 and answers[0]["status"] == "settled"
    assert (play.stack_of(lin), play.stack_of(park)) == (11_100, 10_100)


def test_two_tablets_that_confirm_one_hand_pay_it_once(committed_cast: Cast) -> None:
    _session, lin, park, hand_id = play.deal_chinese(committed_cast)
    play.record(committed_cast, hand_id, play.CHINESE_HANDS)
    answers = at_once(8, lambda _n: hand_settle(order(committed_cast.dealer), hand_id=hand_id, revision=1))
    refused = [answer for answer in answers if isinstance(answer, Conflict)]
    assert len(refused) == 7 and {error.code for error in refused} == {"hand-over"}
    assert (play.stack_of(lin), play.stack_of(park)) == (11_100, 10_100)


def test_settle_and_void_at_once_do_one_of_the_two(committed_cast: Cast) -> None:
    for _round in range(3):
        session = committed_cast.chinese.sessions.filter(closed_at__isnull=True).first()
        if session is None:
            session, *_rest, hand_id = play.deal_chinese(committed_cast)
        else:
            hand_id = hand_start(order(committed_cast.dealer), session_id=session.pk)["hand"]
        play.record(committed_cast, hand_id, play.CHINESE_HANDS)
        acts = [
            lambda: hand_settle(order(committed_cast.dealer), hand_id=hand_id, revision=1),  # noqa: B023
            lambda: hand_void(order(committed_cast.floor), hand_id=hand_id, reason="fouled deck"),  # noqa: B023
        ]
        answers = at_once(2, lambda number: acts[number]())  # noqa: B023
        assert sum(isinstance(answer, Conflict) for answer in answers) == 1
        reversed_or_paid = Transaction.objects.filter(reference=f"hand:{hand_id}", kind__in=["payment", "reversal"])
        kinds = set(reversed_or_paid.values_list("kind", flat=True))
        assert kinds == ({"payment"} if Hand.objects.get(pk=hand_id).status == "settled" else {"reversal"})


def test_two_patrons_for_one_seat_at_once_seat_one(committed_cast: Cast) -> None:
    session = play.open_chinese(committed_cast)

    def sit(number: int) -> Any:
        press = order(committed_cast.dealer)
        return sitting_start(press, session_id=session.pk, seat=1, patron_number=f"P{number + 1}")

    answers = at_once(4, sit)
    assert [error.code for error in answers if isinstance(error, Conflict)] == ["seat-taken"] * 3
    assert Sitting.objects.filter(ended_at__isnull=True).count() == 1


def settle_with_the_lock_off(cast: Cast, hand_id: Any, monkeypatch: MonkeyPatch) -> list[Any]:
    """Two confirms that both pass the check that the hand is out, as they could if nothing locked the table."""
    both_checked = threading.Barrier(2)
    checked = settling.lock_hand

    def check_and_wait(*args: Any, **kwargs: Any) -> Any:
        hand = checked(*args, **kwargs)
        both_checked.wait(10)
        return hand

    table_unlocked(monkeypatch)
    monkeypatch.setattr(settling, "lock_hand", check_and_wait)
    return at_once(2, lambda _n: hand_settle(order(cast.dealer), hand_id=hand_id, revision=1))


def test_without_the_tables_lock_the_database_stops_the_second_settlement(
    committed_cast: Cast, monkeypatch: MonkeyPatch
) -> None:
    """A control: both pass the service's check. The trigger that keeps an ended hand as it ended is the last judge."""
    _session, lin, park, hand_id = play.deal_chinese(committed_cast)
    play.record(committed_cast, hand_id, play.CHINESE_HANDS)
    answers = settle_with_the_lock_off(committed_cast, hand_id, monkeypatch)
    assert sum(isinstance(answer, dict) for answer in answers) == 1
    assert sum(isinstance(answer, DatabaseError) for answer in answers) == 1
    assert (play.stack_of(lin), play.stack_of(park)) == (11_100, 10_100)


def test_without_lock_and_trigger_a_hand_is_paid_twice(
    committed_cast: Cast, monkeypatch: MonkeyPatch, superuser: psycopg.Connection
) -> None:
    """The control of the control: this is the fault that both are there for."""
    _session, lin, park, hand_id = play.deal_chinese(committed_cast)
    play.record(committed_cast, hand_id, play.CHINESE_HANDS)
    superuser.execute("ALTER TABLE tables_hand DISABLE TRIGGER USER")
    try:
        answers = settle_with_the_lock_off(committed_cast, hand_id, monkeypatch)
    finally:
        superuser.execute("ALTER TABLE tables_hand ENABLE TRIGGER USER")
    assert [answer["status"] for answer in answers] == ["settled", "settled"]
    assert (play.stack_of(lin), play.stack_of(park)) == (11_600, 9_600), "$5 went over twice"


def test_a_table_that_stays_locked_answers_busy(committed_cast: Cast, connect: Any, settings: Any) -> None:
    lin = play.sit(committed_cast, play.open_chinese(committed_cast), 1, "P1")
    settings.LOCK_TIMEOUT_MS = 200
    other = connect("app")
    other.execute("SELECT 1 FROM tables_table WHERE id = %s FOR NO KEY UPDATE", [committed_cast.chinese.pk])
    with pytest.raises(Busy, match="Try again"):
        sitting_buy_in(order(committed_cast.dealer), sitting_id=lin.pk, amount_cents=10_000)
    other.rollback()
    assert sitting_buy_in(order(committed_cast.dealer), sitting_id=lin.pk, amount_cents=10_000)["stack_cents"] == 10_000
