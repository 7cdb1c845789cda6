"""Dealing and setting hands for invented days. The same seed deals the same cards."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from tables.rules.cards import DECK, DECK_WITH_JOKER, cards_text
from tables.rules.chinese.setting import legal_setting
from tables.rules.rulesets import RuleSet


def chinese_hands(random: Random, seats: Sequence[int], rules: RuleSet) -> list[dict[str, Any]]:
    """Thirteen cards a seat, set legally; now and then somebody fouls by turning middle and back round."""
    deck = random.sample(DECK, len(DECK))
    hands = []
    for index, seat in enumerate(seats):
        front, middle, back = legal_setting(deck[13 * index : 13 * index + 13], rules)
        if random.random() < 0.03:
            middle, back = back, middle
        texts = (cards_text(front), cards_text(middle), cards_text(back))
        hands.append({"seat": seat, "front": texts[0], "middle": texts[1], "back": texts[2]})
    return hands


def pai_gow_hands(random: Random, positions: Sequence[int]) -> list[dict[str, Any]]:
    """Seven cards a position, in one pile, so that each is set the house way (PG-22)."""
    deck = random.sample(DECK_WITH_JOKER, len(DECK_WITH_JOKER))
    return [
        {"position": position, "cards": cards_text(deck[7 * index : 7 * index + 7])}
        for index, position in enumerate(positions)
    ]
