"""Automatic wins of Chinese Poker: which kinds thirteen cards bear (CP-21, CP-24 to CP-26)."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement

from tables.rules.chinese.parameters import terms_of
from tables.rules.rulesets import RuleSet

_RED_SUITS = (1, 2)

# Rank counts packed three bits a rank, so that the counts of thirteen cards are one sum.
_ACE_TO_ACE = (12, *range(13))
_FIVES = [sum(1 << 3 * rank for rank in _ACE_TO_ACE[low : low + 5]) for low in range(10)]
_THREES = [sum(1 << 3 * rank for rank in _ACE_TO_ACE[low : low + 3]) for low in range(12)]
# Every set of rank counts that some split into straights of three, five and five makes (CP-25).
THREE_STRAIGHTS = frozenset(
    three + five + other for five, other in combinations_with_replacement(_FIVES, 2) for three in _THREES
)
# Cards a suit, sorted, of which some split into three, five and five has one suit in every part (CP-25).
_THREE_FLUSHES = ((3, 5, 5), (5, 8), (3, 10), (13,))


def _is_dragon(cards: Sequence[int]) -> bool:
    return len({card >> 2 for card in cards}) == 13


def _is_six_pairs(cards: Sequence[int]) -> bool:
    return sum(count // 2 for count in Counter(card >> 2 for card in cards).values()) == 6


def _is_three_straights(cards: Sequence[int]) -> bool:
    return sum(1 << 3 * (card >> 2) for card in cards) in THREE_STRAIGHTS


def _is_three_flushes(cards: Sequence[int]) -> bool:
    return tuple(sorted(Counter(card & 3 for card in cards).values())) in _THREE_FLUSHES


def _most_of_one_color(cards: Sequence[int]) -> int:
    red = sum((card & 3) in _RED_SUITS for card in cards)
    return max(red, 13 - red)


def _most_of_one_suit(cards: Sequence[int]) -> int:
    return max(Counter(card & 3 for card in cards).values())


_BEARS: dict[str, Callable[[Sequence[int]], bool]] = {
    "dragon": _is_dragon,
    "thirteen-colors": lambda cards: _most_of_one_color(cards) == 13,
    "twelve-colors": lambda cards: _most_of_one_color(cards) == 12,
    "thirteen-suited": lambda cards: _most_of_one_suit(cards) == 13,
    "twelve-suited": lambda cards: _most_of_one_suit(cards) == 12,
    "six-pairs": _is_six_pairs,
    "three-straights": _is_three_straights,
    "three-flushes": _is_three_flushes,
}


def bears(kind: str, cards: Sequence[int]) -> bool:
    """Whether thirteen cards are this kind of automatic win."""
    return _BEARS[kind](cards)


def best_automatic_win(cards: Sequence[int], rule_set: RuleSet) -> str | None:
    """The highest automatic win of the rule set that thirteen cards bear, to be proposed at the table (CP-27).

    ``None`` where they bear none.
    """
    return next((kind for kind in terms_of(rule_set).naturals if _BEARS[kind](cards)), None)
