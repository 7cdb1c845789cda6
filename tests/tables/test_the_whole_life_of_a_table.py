"""A table from its opening to its closing, walked at random against a small model of what it should do.

In every state that was reached chips are conserved, ledger and stacks agree, a refusal names its rule, and the table can be
brought to its close, after which every check finds everything explained.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from casino.errors import Refusal
from tables.services.marks import hand_mark_set, hand_open
from tables.services.settling import hand_settle
from tests.database import Server
from tests.people import Cast, order
from tests.tables import play
from tests.tables.whole_life_chinese import ChineseLife
from tests.tables.whole_life_machine import WholeLife
from tests.tables.whole_life_pai_gow import PaiGowLife

LIVES = pytest.mark.parametrize("life", [ChineseLife, PaiGowLife])
# What a walk comes to only after much else; a change of the walk must not lose it.
SELDOM = {
    "clock.call",
    "collection.waive",
    "hand.resettle",
    "hand.set_by_clock",
    "hand.withdraw_mark",
    "jackpot.award",
    "jackpot.close",
    "schedule.add",
    "transaction.reverse",
}


def test_a_hand_that_was_opened_is_settled_once_its_cards_are_entered(cast: Cast) -> None:
    *_table, hand = play.deal_chinese(cast)
    for seat in (1, 2):
        hand_mark_set(order(cast.dealer), hand_id=hand, seat=seat)
    hand_open(order(cast.dealer), hand_id=hand)
    with pytest.raises(Refusal, match="no cards are entered"):
        hand_settle(order(cast.dealer), hand_id=hand, revision=1)
    assert play.settle(cast, hand, play.CHINESE_HANDS)["status"] == "settled"


@LIVES
@pytest.mark.usefixtures("transactional_db")
def test_a_table_lives_as_the_model_says_and_can_always_be_closed(server: Server, life: type[WholeLife]) -> None:
    run_state_machine_as_test(partial(life, server), settings=_settings(8, 25))


@LIVES
@pytest.mark.slow
@pytest.mark.usefixtures("transactional_db")
def test_a_table_lives_as_the_model_says_for_long(server: Server, life: type[WholeLife]) -> None:
    run_state_machine_as_test(partial(life, server), settings=_settings(150, 50))
    assert life.accepted.keys() >= SELDOM


def _settings(examples: int, steps: int) -> Any:
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
