"""The settings a house way's chart can name: which two of seven cards go to the front.

A setting is allowed for the shapes for which its back can never rank below its front, under either joker rule;
a chart is held to that when it is loaded, which is why no house way ever fouls (PG-26).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import NamedTuple

from tables.rules.cards import DECK, DECK_WITH_JOKER
from tables.rules.joker import rank_five_with_joker, rank_front_with_joker
from tables.rules.paigow.shapes import ACE, SHAPES, Holding
from tables.rules.ranking import Category

Front = tuple[int, int]
_STRAIGHTS_AND_FLUSHES = frozenset({Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH})
_front_strength = cache(rank_front_with_joker)
# Places of the cards from the ace down, suits in order; the joker comes after the four aces.
_FRONT_ORDER = (*((ACE - (card >> 2)) * 5 + (card & 3) for card in DECK), 4)
# Ranks are counted in one number, three bits a rank and the joker's own, of which the upper two tell a rank held twice.
_RANK_UNITS = tuple(1 << 3 * (card >> 2) for card in DECK_WITH_JOKER)
_REPEATED = sum(6 << 3 * rank for rank in range(14))


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting by name: ``place`` gives the front, or nothing when the holding does not allow the setting.

    ``always`` says that it never gives nothing for its shapes, so that it may stand in a shape's last row.
    """

    place: Callable[[Holding, "SplitTerms"], Front | None]
    shapes: frozenset[str]
    always: bool


@dataclass(frozen=True, slots=True)
class Needs:
    """What a row asks of the straight or flush that it keeps: the least strengths of front and back, 0 for any, and
    the setting, one that always gives a front, whose front it must not fall short of."""

    front: int = 0
    back: int = 0
    front_of: Setting | None = None


class SplitTerms(NamedTuple):
    """What a setting that compares hands has to know: the joker's rule, the wheel's place, the needs of the row."""

    joker: str
    wheel: str
    needs: Needs


def _second_and_third(holding: Holding, _terms: SplitTerms) -> Front:
    return holding.groups[1][0], holding.groups[2][0]


def _keep(holding: Holding, _terms: SplitTerms) -> Front:
    first_single = 1 if len(holding.groups[1]) == 1 else 2
    return holding.groups[first_single][0], holding.groups[first_single + 1][0]


def _lower_pair(holding: Holding, _terms: SplitTerms) -> Front:
    first, second = holding.groups[1]
    return first, second


def _highest_pair(holding: Holding, _terms: SplitTerms) -> Front:
    """The highest pair that can be spared: the best of three pairs, a pair of the higher of two threes; beside
    three, four or five of a kind, the best of what lies beside them."""
    spared = holding.groups[0 if holding.shape in ("three-pair", "two-threes") else 1]
    return spared[0], spared[1]


def _two_of_the_group(holding: Holding, _terms: SplitTerms) -> Front:
    group = holding.groups[0]
    return group[0], group[1]


def _ace_and_single(holding: Holding, _terms: SplitTerms) -> Front | None:
    return (holding.groups[0][0], holding.groups[1][0]) if holding.rank_of(0) == ACE else None


def _last_ace_and_single(holding: Holding, _terms: SplitTerms) -> Front | None:
    return (holding.groups[0][-1], holding.groups[1][0]) if holding.rank_of(0) == ACE else None


def _complete(holding: Holding, terms: SplitTerms) -> Front | None:
    """The straight, flush or straight flush with the highest front beside it and, of equal fronts, the best one."""
    if not holding.complete:
        return None
    joker, wheel, needs = terms
    cards = sorted([card for group in holding.groups for card in group], key=_FRONT_ORDER.__getitem__)
    best_front, best_back = _least_front(holding, terms), 0
    chosen: Front | None = None
    counts = sum([_RANK_UNITS[card] for card in cards])
    for front in combinations(cards, 2):
        first, second = front
        # A straight or a flush has five ranks, the joker's counted as one of its own.
        if counts - _RANK_UNITS[first] - _RANK_UNITS[second] & _REPEATED:
            continue
        front_strength = _front_strength(front, joker)
        if front_strength < best_front:
            continue
        back_strength = rank_five_with_joker([card for card in cards if card not in front], joker, wheel)
        is_better = back_strength > best_back or front_strength > best_front
        if is_better and back_strength >= needs.back and back_strength >> 20 in _STRAIGHTS_AND_FLUSHES:
            best_front, best_back, chosen = front_strength, back_strength, front
    return chosen


def _least_front(holding: Holding, terms: SplitTerms) -> int:
    """The strength of the least front that the row accepts."""
    needs = terms.needs
    other = None if needs.front_of is None else needs.front_of.place(holding, terms)
    return needs.front if other is None else rank_front_with_joker(other, terms.joker)


_OVER_ONE_GROUP = frozenset({"one-pair", "three-of-a-kind", "four-of-a-kind", "five-of-a-kind"})

SETTINGS: Mapping[str, Setting] = {
    "second-and-third-front": Setting(_second_and_third, frozenset({"no-pair"}), always=True),
    "keep": Setting(_keep, _OVER_ONE_GROUP | {"two-pair", "full-house"}, always=True),
    "split": Setting(_lower_pair, frozenset({"two-pair"}), always=True),
    "pair-front": Setting(
        _highest_pair,
        frozenset(SHAPES) - _OVER_ONE_GROUP - {"no-pair", "two-pair"},
        always=True,
    ),
    "two-and-two": Setting(
        _two_of_the_group,
        frozenset({"four-of-a-kind", "four-and-pair", "four-and-three", "five-of-a-kind", "five-and-pair"}),
        always=True,
    ),
    "ace-and-single-front": Setting(_ace_and_single, frozenset({"three-of-a-kind"}), always=False),
    "joker-and-single-front": Setting(_last_ace_and_single, frozenset({"three-of-a-kind"}), always=False),
    "complete": Setting(_complete, frozenset(SHAPES), always=False),
}
"""Every setting by the word that a chart has for it. ``complete`` keeps a straight, flush or straight flush back."""
