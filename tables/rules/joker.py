"""Strength of hands that may hold the joker, under either of the two rules a Pai Gow game can have for it.

The strengths are those of ``ranking``: whole numbers, larger is better, comparable between a front of two
cards and a back of five. A hand without the joker ranks exactly as it does there.
"""

from collections.abc import Sequence
from functools import cache

from tables.rules.cards import JOKER
from tables.rules.ranking import WHEEL_LOWEST, Category, grouped_strength, rank_five, rank_front

ACE_OR_COMPLETE = "ace-or-complete"
WILD = "wild"
JOKER_RULES = (ACE_OR_COMPLETE, WILD)

_ACE = 12
_COMPLETED = frozenset({Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH})


def rank_five_with_joker(cards: Sequence[int], joker: str, wheel: str = WHEEL_LOWEST) -> int:
    """Strength of five cards, the joker standing for whichever card ranks best under its rule (RK-07, RK-08).

    ``joker`` is ``ACE_OR_COMPLETE`` (an ace, or a card that completes a straight, a flush or a straight
    flush) or ``WILD`` (any card the hand does not hold yet, or a fifth of a kind).
    """
    if JOKER not in cards:
        return rank_five(cards, wheel)
    first, second, third, fourth = sorted(card for card in cards if card != JOKER)
    suited = not ((first ^ second) | (first ^ third) | (first ^ fourth)) & 3
    return _rank_four_and_joker((first >> 2, second >> 2, third >> 2, fourth >> 2), suited, joker, wheel)


def rank_front_with_joker(cards: Sequence[int], joker: str) -> int:
    """Strength of a two-card front: the joker in it is an ace (RK-07), or pairs its companion (RK-08)."""
    first, second = cards
    if second == JOKER:
        first, second = second, first
    if first != JOKER:
        return rank_front(cards)
    rank = second >> 2 if joker == WILD else _ACE
    suit = (second & 3) ^ 1
    return rank_front((rank * 4 + suit, second))


@cache
def _rank_four_and_joker(ranks: tuple[int, int, int, int], suited: bool, joker: str, wheel: str) -> int:
    """The best that the joker makes of four cards. Their suits matter only in being all one suit or not,
    so that the 1,820 sets of four ranks, suited or not, are all there is to remember."""
    if ranks[0] == ranks[3]:
        fifth = ranks[0] if joker == WILD else _ACE
        return grouped_strength(rank + 2 for rank in (*ranks, fifth))
    cards = tuple(rank * 4 + (0 if suited else index) for index, rank in enumerate(ranks))
    candidates = [(rank, rank_five((*cards, _unheld_card(rank, cards)), wheel)) for rank in range(13)]
    return max(
        strength for rank, strength in candidates if joker == WILD or rank == _ACE or strength >> 20 in _COMPLETED
    )


def _unheld_card(rank: int, cards: Sequence[int]) -> int:
    """A card of the rank which the hand lacks, in the suit of the hand's first card if it can be."""
    suit = cards[0] & 3
    return next(card for card in (rank * 4 + (suit ^ turn) for turn in range(4)) if card not in cards)
