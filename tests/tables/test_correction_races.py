"""Corrections at the same instant as each other and as play: the table's lock makes one of them first."""

import threading
from typing import Any
from uuid import UUID

import pytest
from django.db import DatabaseError
from pytest import MonkeyPatch

from casino.errors import Conflict, Forbidden
from ledger.models import Transaction
from tables.models import Hand, HandRecord, Resettlement, Reversal
from tables.services import corrections
from tables.services.hands import hand_start, hand_void
from tables.services.settling import hand_settle
from tests.ledger.clean import assert_clean
from tests.ledger.together import together
from tests.people import Cast, order
from tests.tables import play
from tests.tables.controls import table_unlocked
from tests.tables.corrected import SHORT_HANDS, again, last, order_of_two, take_back


def refused(answers: list[Any], code: str) -> int:
    """How many were refused with this code; whatever else was raised is a fault of the test."""
    errors = [answer for answer in answers if isinstance(answer, Exception)]
    assert {getattr(error, "code", error) for error in errors} <= {code}
    return len(errors)


def settled(cast: Cast) -> UUID:
    """Hand 1 of table 7, in which Lin won $5."""
    *_rest, hand_id = play.deal_chinese(cast)
    play.settle(cast, hand_id, play.CHINESE_HANDS)
    return hand_id


def stacks(hand_id: UUID) -> list[int]:
    """The stacks now, in seat order."""
    return [play.stack_of(seat.sitting) for seat in Hand.objects.get(pk=hand_id).seats.order_by("number")]


def test_two_supervisors_correct_one_hand_and_one_is_told(committed_cast: Cast) -> None:
    hand_id = settled(committed_cast)
    acts = [
        lambda: again(committed_cast, hand_id, play.FOULED_HANDS),
        lambda: again(committed_cast, hand_id, SHORT_HANDS),
    ]
    answers = together(acts)
    assert refused(answers, "corrected-meanwhile") == 1
    status = Hand.objects.get(pk=hand_id).status
    assert stacks(hand_id) == ([7_600, 13_600] if status == "settled" else [11_000, 11_000])
    assert Resettlement.objects.count() == 1
    assert_clean()


def test_without_the_tables_lock_both_pass_the_check_and_the_database_stops_one(
    committed_cast: Cast, monkeypatch: MonkeyPatch
) -> None:
    """The control: nothing but the unique number of a revision is left between the two."""
    hand_id = settled(committed_cast)
    both_checked = threading.Barrier(2)
    checked = corrections.resettle_difference

    def check_and_wait(**values: Any) -> Any:
        difference = checked(**values)
        both_checked.wait(10)
        return difference

    table_unlocked(monkeypatch)
    monkeypatch.setattr(corrections, "resettle_difference", check_and_wait)
    answers = together([lambda: again(committed_cast, hand_id, play.FOULED_HANDS)] * 2)
    assert sum(isinstance(answer, dict) for answer in answers) == 1
    assert sum(isinstance(answer, DatabaseError) for answer in answers) == 1
    assert stacks(hand_id) == [7_600, 13_600]


def test_settling_and_settling_again_at_once_never_mix(committed_cast: Cast) -> None:
    """The correction comes too early and is told so, or just after the settlement and corrects it."""
    *_rest, hand_id = play.deal_chinese(committed_cast)
    play.record(committed_cast, hand_id, play.CHINESE_HANDS)
    acts = [
        lambda: hand_settle(order(committed_cast.dealer), hand_id=hand_id, revision=1),
        lambda: again(committed_cast, hand_id, play.FOULED_HANDS),
    ]
    answers = together(acts)
    assert answers[0]["status"] == "settled"
    was_early = refused(answers, "hand-out") == 1
    assert stacks(hand_id) == ([11_100, 10_100] if was_early else [7_600, 13_600])
    assert_clean()


def test_voiding_and_settling_again_at_once_leave_one_of_the_two(committed_cast: Cast) -> None:
    """A hand that is settled cannot be voided, one that is void not settled again."""
    *_rest, hand_id = play.deal_chinese(committed_cast)
    play.record(committed_cast, hand_id, play.CHINESE_HANDS)
    acts = [
        lambda: hand_settle(order(committed_cast.dealer), hand_id=hand_id, revision=1),
        lambda: hand_void(order(committed_cast.floor), hand_id=hand_id, reason="fouled deck"),
        lambda: again(committed_cast, hand_id, play.FOULED_HANDS),
    ]
    answers = together(acts)
    codes = {answer.code for answer in answers if isinstance(answer, Exception)}
    status = Hand.objects.get(pk=hand_id).status
    assert codes <= {"hand-over", "hand-out", "hand-void"}
    assert isinstance(answers[0], dict) != isinstance(answers[1], dict), "settled or voided, never both"
    corrected = Resettlement.objects.count()
    expected = {"void": [11_000, 11_000], "settled": [7_600, 13_600] if corrected else [11_100, 10_100]}
    assert stacks(hand_id) == expected[status]
    assert_clean()


@pytest.mark.parametrize("wait", [0.0, 0.01], ids=["together", "deal first"])
def test_the_window_closes_with_the_next_deal_and_at_no_other_moment(committed_cast: Cast, wait: float) -> None:
    """Floor's correction is before the deal, with the new stacks dealt in; or after it, and refused."""
    hand_id = settled(committed_cast)
    session = Hand.objects.get(pk=hand_id).session_id

    def correct() -> Any:
        threading.Event().wait(wait)
        return again(committed_cast, hand_id, play.FOULED_HANDS)

    deal, correction = together([lambda: hand_start(order(committed_cast.dealer), session_id=session), correct])
    dealt = list(Hand.objects.get(pk=deal["hand"]).seats.order_by("number").values_list("stack_cents", flat=True))
    if isinstance(correction, Exception):
        assert isinstance(correction, Forbidden | Conflict) and correction.code in ("window-over", "hand-out")
        assert dealt == [11_100 - 400, 10_100 - 400]
        assert HandRecord.objects.filter(hand=hand_id).count() == 1
    else:
        assert dealt == [7_600 - 400, 13_600 - 400]
        assert Resettlement.objects.get().in_window is True
    assert_clean()


def test_two_reversals_of_one_buy_in_take_it_back_once(committed_cast: Cast) -> None:
    lin = play.sit(committed_cast, play.open_chinese(committed_cast), 1, "P1", 10_000)
    bought = last("buy-in")
    answers = together([lambda: take_back(committed_cast, bought)] * 4)
    assert refused(answers, "already-reversed") == 3
    assert (play.stack_of(lin), Reversal.objects.count()) == (0, 1)
    assert Transaction.objects.filter(reverses=bought).count() == 1
    assert_clean()


def test_one_press_sent_eight_times_at_once_corrects_once(committed_cast: Cast) -> None:
    hand_id = settled(committed_cast)
    press = order_of_two(committed_cast)
    answers = together([lambda: again(committed_cast, hand_id, play.FOULED_HANDS, press=press)] * 8)
    assert answers == [answers[0]] * 8 and answers[0]["status"] == "settled"
    assert (Resettlement.objects.count(), stacks(hand_id)) == (1, [7_600, 13_600])
