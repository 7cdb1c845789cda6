"""Dealing and setting hands for invented days. The same seed deals the same cards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

from tables.rules.cards import DECK, DECK_WITH_JOKER, cards_text
from tables.rules.chinese.setting import legal_setting
from tables.rules.paigow import hand_fouls, house_way_setting
from tables.rules.rulesets import RuleSet

FRONT, HAND = 2, 7


def deal(random: Random, places: Sequence[int], size: int, *, joker: bool = False) -> dict[int, list[int]]:
    """So many cards for each seat or position, from one deck that was shuffled whole."""
    deck = DECK_WITH_JOKER if joker else DECK
    drawn = random.sample(deck, len(deck))
    return {place: drawn[size * index : size * (index + 1)] for index, place in enumerate(places)}


def set_thirteen(seat: int, cards: Sequence[int], rules: RuleSet) -> dict[str, Any]:
    """A Chinese hand as it is entered, set legally."""
    front, middle, back = legal_setting(cards, rules)
    return {"seat": seat, "front": cards_text(front), "middle": cards_text(middle), "back": cards_text(back)}


def pile(position: int, cards: Sequence[int]) -> dict[str, Any]:
    """A Pai Gow hand as it is entered in one pile."""
    return {"position": position, "cards": cards_text(cards)}


def set_seven(position: int, cards: Sequence[int], rules: RuleSet) -> dict[str, Any]:
    """A Pai Gow hand as it is entered, set by a player who knows the house way."""
    setting = house_way_setting(cards, rules)
    return {"position": position, "front": cards_text(setting.front), "back": cards_text(setting.back)}


def fouled_seven(position: int, cards: Sequence[int], rules: RuleSet) -> dict[str, Any]:
    """A Pai Gow hand with a front that outranks the back (PG-21); in one pile where no such front can be made."""
    for front in combinations(sorted(cards, reverse=True), FRONT):
        back = [card for card in cards if card not in front]
        if hand_fouls(front, back, rules):
            return {"position": position, "front": cards_text(front), "back": cards_text(back)}
    return pile(position, cards)
