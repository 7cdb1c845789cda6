"""CP-64: floor calls time, and the hand of a player whose time is up or who has left is set for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from casino.errors import Conflict, Forbidden, Malformed, Refusal
from tables.models import Hand, HandEvent
from tables.services.clock import clock_call, clock_stop, hand_set_by_clock
from tables.services.marks import hand_declare, hand_mark_left, hand_mark_set, hand_withdraw_mark
from tests.people import Cast, order
from tests.tables import play
from tests.tables.clocks import Clock

# Set as it lies it would be a foul, and it holds six pairs.
PILE = "2c 2d 3c 3d 4d 5c 5d 6c 6d 7c 7d 8c 8h"
IN_ONE_PILE = [
    {"seat": 1, "front": "Qc Jc 6h", "middle": "Ah Ts 9h 5h 4c", "back": "Th 9s 3h 2h 2s"},
    {"seat": 2, "cards": PILE},
]

Later = Callable[[int], None]


@pytest.fixture
def seconds_later(monkeypatch: pytest.MonkeyPatch) -> Later:
    """Make the commands from now on run some seconds later than they do."""

    def later(seconds: int) -> None:
        Clock(seconds).set(monkeypatch)

    return later


def refused(act: Callable[[], Any], match: str, rule: str = "CP-64") -> None:
    with pytest.raises(Refusal, match=match) as caught:
        act()
    assert caught.value.rule == rule


def test_a_hand_is_set_for_the_player_when_the_time_is_up_and_not_before(cast: Cast, seconds_later: Later) -> None:
    """CP-64: a minute, the session's clock; the refusal says how much is left."""
    _session, _lin, _park, hand = play.deal_chinese(cast)
    refused(lambda: hand_set_by_clock(order(cast.dealer), hand_id=hand, seat=2), "No time is called")
    with pytest.raises(Forbidden):
        clock_call(order(cast.dealer), hand_id=hand, seat=2)
    clock_call(order(cast.floor), hand_id=hand, seat=2)
    with pytest.raises(Conflict, match="called on seat 2 already"):
        clock_call(order(cast.floor), hand_id=hand, seat=2)
    seconds_later(30)
    refused(lambda: hand_set_by_clock(order(cast.dealer), hand_id=hand, seat=2), "has (29|30) more seconds")
    seconds_later(61)
    hand_mark_set(order(cast.dealer), hand_id=hand, seat=1)
    assert hand_set_by_clock(order(cast.dealer), hand_id=hand, seat=2)["stage"] == "all-set"
    segments = [IN_ONE_PILE[0], {"seat": 2, "front": "2c 2d 8h", "middle": "3c 3d 4d 5c 5d", "back": "6c 6d 7c 7d 8c"}]
    refused(lambda: play.record(cast, hand, segments), "13 cards in one pile")
    seat = play.record(cast, hand, IN_ONE_PILE)["verdict"]["seats"][1]
    assert (seat["status"], seat["natural"], seat["fouls"]) == ("regular", None, [])


def test_an_engines_setting_is_never_a_declared_automatic_win(cast: Cast) -> None:
    """CP-64: nothing is declared for a player; who has declared has nothing left to be set."""
    _session, _lin, _park, hand = play.deal_chinese(cast)
    hand_mark_left(order(cast.dealer), hand_id=hand, seat=2)
    hand_declare(order(cast.dealer), hand_id=hand, seat=2, natural="six-pairs")
    refused(lambda: hand_set_by_clock(order(cast.dealer), hand_id=hand, seat=2), "nothing is left to be set")
    hand_withdraw_mark(order(cast.dealer), hand_id=hand, seat=2, mark="declared")
    hand_mark_set(order(cast.dealer), hand_id=hand, seat=1)
    hand_set_by_clock(order(cast.dealer), hand_id=hand, seat=2)
    declared = [IN_ONE_PILE[0], IN_ONE_PILE[1] | {"declares": "six-pairs"}]
    refused(lambda: play.record(cast, hand, declared), "declared nothing", rule="CP-20")
    assert play.settle(cast, hand, IN_ONE_PILE)["status"] == "settled"


def test_the_cards_of_who_is_gone_are_told_what_is_wrong_with_them(cast: Cast) -> None:
    """CP-64, CP-41: a pile with a card missing is a misdeal, one with an unknown card a mistake of entry."""
    _session, _lin, _park, hand = play.deal_chinese(cast)
    hand_mark_left(order(cast.dealer), hand_id=hand, seat=2)
    hand_mark_set(order(cast.dealer), hand_id=hand, seat=1)
    hand_set_by_clock(order(cast.dealer), hand_id=hand, seat=2)
    for pile in (PILE.replace("8h", "8x"), PILE.replace("8h", "8c"), 13):
        with pytest.raises(Malformed):
            play.record(cast, hand, [IN_ONE_PILE[0], {"seat": 2, "cards": pile}])
    verdict = play.record(cast, hand, [IN_ONE_PILE[0], {"seat": 2, "cards": PILE[:-3]}])["verdict"]
    assert verdict["reasons"] == [{"code": "wrong-count", "rule": "CP-41", "seat": 2}]


def test_who_sets_in_time_stops_the_clock(cast: Cast, seconds_later: Later) -> None:
    """CP-64."""
    _session, _lin, _park, hand = play.deal_chinese(cast)
    clock_call(order(cast.floor), hand_id=hand, seat=2)
    hand_mark_set(order(cast.dealer), hand_id=hand, seat=2)
    seconds_later(90)
    with pytest.raises(Conflict, match="set already"):
        hand_set_by_clock(order(cast.dealer), hand_id=hand, seat=2)
    hand_withdraw_mark(order(cast.dealer), hand_id=hand, seat=2, mark="set")
    refused(lambda: hand_set_by_clock(order(cast.dealer), hand_id=hand, seat=2), "No time is called")


def test_floor_stops_a_clock_and_calls_it_anew(cast: Cast, seconds_later: Later) -> None:
    """CP-64."""
    _session, _lin, _park, hand = play.deal_chinese(cast)
    with pytest.raises(Conflict, match="No time is called"):
        clock_stop(order(cast.floor), hand_id=hand, seat=2)
    clock_call(order(cast.floor), hand_id=hand, seat=2)
    with pytest.raises(Forbidden):
        clock_stop(order(cast.dealer), hand_id=hand, seat=2)
    clock_stop(order(cast.floor), hand_id=hand, seat=2)
    seconds_later(90)
    refused(lambda: hand_set_by_clock(order(cast.dealer), hand_id=hand, seat=2), "No time is called")
    clock_call(order(cast.floor), hand_id=hand, seat=2)
    assert HandEvent.objects.filter(kind="clock-called").count() == 2


def test_nothing_happens_by_itself_when_the_time_is_up(cast: Cast, seconds_later: Later) -> None:
    """CP-64: a player who is a little late has set all the same where the dealer says so."""
    _session, _lin, _park, hand = play.deal_chinese(cast)
    clock_call(order(cast.floor), hand_id=hand, seat=2)
    seconds_later(120)
    assert Hand.objects.get(pk=hand).stage == "collected"
    hand_mark_set(order(cast.dealer), hand_id=hand, seat=2)
    hand_mark_set(order(cast.dealer), hand_id=hand, seat=1)
    assert play.settle(cast, hand, play.CHINESE_HANDS)["status"] == "settled"


def test_a_position_whose_player_left_is_set_the_house_way(cast: Cast) -> None:
    """CP-64 and PG-22."""
    _session, _lin, _park, hand = play.deal_pai_gow(cast)
    hand_mark_left(order(cast.pai_gow_dealer), hand_id=hand, seat=2)
    hand_set_by_clock(order(cast.pai_gow_dealer), hand_id=hand, seat=2)
    refused(lambda: play.record(cast, hand, play.PAI_GOW_HANDS), "seven cards in one pile", rule="PG-22")
    piled = [play.PAI_GOW_HANDS[0], {"position": 2, "cards": "Ah Kd Th Ts 8c 5d 3h"}]
    assert play.record(cast, hand, piled)["verdict"]["hands"][1]["status"] == "house-way"


def test_a_seat_that_is_not_in_the_hand_has_no_clock(cast: Cast) -> None:
    _session, _lin, _park, hand = play.deal_chinese(cast)
    act: UUID = hand
    refused(lambda: clock_call(order(cast.floor), hand_id=act, seat=4), "no hand to set", rule="CP-01")
