"""Hands from a shuffled deck, as they are entered."""

from collections.abc import Sequence
from random import Random
from typing import Any

from tables.demo.cards import HAND, deal, pile, set_thirteen
from tables.rules.chinese.record import HAND_SIZE
from tables.rules.rulesets import RuleSet


def chinese_hands(random: Random, seats: Sequence[int], rules: RuleSet) -> list[dict[str, Any]]:
    """Thirteen cards a seat, set legally; now and then somebody fouls by turning middle and back round."""
    hands = [set_thirteen(seat, cards, rules) for seat, cards in deal(random, seats, HAND_SIZE).items()]
    for hand in hands:
        if random.random() < 0.03:
            hand["middle"], hand["back"] = hand["back"], hand["middle"]
    return hands


def pai_gow_hands(random: Random, positions: Sequence[int]) -> list[dict[str, Any]]:
    """Seven cards a position, in one pile, so that each is set the house way (PG-22)."""
    return [pile(place, cards) for place, cards in deal(random, positions, HAND, joker=True).items()]
