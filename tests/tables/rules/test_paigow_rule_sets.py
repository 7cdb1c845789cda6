"""The two shipped rule sets of Pai Gow Poker, and what a room may change in them."""

from typing import Any

import pytest

from tables.rules import InvalidRecord, get_rule_set
from tables.rules.cards import parse_cards
from tables.rules.paigow import hand_in_words
from tests.tables.rules.paigow_hands import hand_at, hands, settled


@pytest.mark.parametrize(("slug", "joker"), [("capitol", "ace-or-complete"), ("capitol-jokers-wild", "wild")])
def test_pg_01_pg_02_pg_04_the_shipped_rule_sets_play_as_the_rulebook_says(slug: str, joker: str) -> None:
    assert get_rule_set(f"{slug}@1").parameters == {
        "joker": joker,
        "wheel": "lowest",
        "house_way": "california",
        "bank_policy": "single-use",
        "max_consecutive_banks": 2,
        "refund_uncovered_collection": False,
    }


@pytest.mark.parametrize(("slug", "front"), [("capitol", "ace-king"), ("capitol-jokers-wild", "pair of kings")])
def test_pg_01_the_joker_plays_by_its_rule_sets_rule(slug: str, front: str) -> None:
    table = hands(p3={"front": "Jk Ks", "back": "Ah Ad Ts 8c 3h"})[:3]

    assert hand_at(settled(hands=table, rules=slug), 3)["front_hand"] == front
    assert hand_in_words(parse_cards("Jk Ks"), parse_cards("Ah Ad Ts 8c 3h"), get_rule_set(slug))[0] == front


@pytest.mark.parametrize(
    ("overrides", "code"),
    [
        ({"joker": "bug"}, "out-of-range"),
        ({"joker": None}, "wrong-type"),
        ({"wheel": "highest"}, "out-of-range"),
        ({"bank_policy": 1}, "wrong-type"),
        ({"max_consecutive_banks": 0}, "out-of-range"),
        ({"refund_uncovered_collection": "no"}, "wrong-type"),
    ],
)
def test_a_value_outside_its_domain_is_refused(overrides: dict[str, Any], code: str) -> None:
    with pytest.raises(InvalidRecord) as refused:
        settled(overrides=overrides)
    assert [(fault.path, fault.code) for fault in refused.value.faults] == [
        (f"overrides/{next(iter(overrides))}", code)
    ]
