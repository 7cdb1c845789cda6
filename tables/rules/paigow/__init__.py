"""Pai Gow Poker: the record's reading, settling, and what the pages ask of a hand before it is settled.

All of it is a pure function of its arguments; rule numbers are those of the rulebook.
"""

from collections.abc import Sequence

from tables.rules.paigow.hands import back_in_words, front_in_words, segment_fouls
from tables.rules.paigow.house_way import HouseWaySetting, set_by_chart
from tables.rules.paigow.parameters import terms_of
from tables.rules.paigow.record import HAND_SIZE
from tables.rules.paigow.verdict import verdict_data, verdict_text
from tables.rules.paigow.words import foul_in_words
from tables.rules.rulesets import RuleSet

__all__ = [
    "HouseWaySetting",
    "foul_in_words",
    "hand_fouls",
    "hand_in_words",
    "house_way_setting",
    "verdict_data",
    "verdict_text",
]


def house_way_setting(cards: Sequence[int], rule_set: RuleSet) -> HouseWaySetting:
    """Seven cards as the rule set's house way sets them, and the line of its chart that fired (PG-22, PG-26).

    Raises ``ValueError`` for anything but seven different cards.
    """
    if not len(set(cards)) == len(cards) == HAND_SIZE:
        raise ValueError(f"The house way sets seven different cards, not {len(cards)}; complete the hand first.")
    terms = terms_of(rule_set)
    return set_by_chart(terms.chart, cards, terms.joker, terms.wheel)


def hand_fouls(front: Sequence[int], back: Sequence[int], rule_set: RuleSet) -> tuple[str, ...]:
    """The foul codes of a hand set so, ``segment-size`` or ``front-beats-back``; none if legal (PG-20, PG-21)."""
    return segment_fouls(front, back, terms_of(rule_set))


def hand_in_words(front: Sequence[int], back: Sequence[int], rule_set: RuleSet) -> tuple[str | None, str | None]:
    """What front and back make, in words; ``None`` for a segment that has not its number of cards."""
    terms = terms_of(rule_set)
    return front_in_words(front, terms), back_in_words(back, terms)
