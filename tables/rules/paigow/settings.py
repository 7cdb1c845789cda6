"""The settings a house way's chart can name: which two of seven cards go to the front.

A setting is allowed for the shapes for which its back can never rank below its front, under either joker rule;
a chart is held to that when it is loaded, which is why no house way ever fouls (PG-26).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

from tables.rules.cards import JOKER
from tables.rules.joker import rank_five_with_joker, rank_front_with_joker
from tables.rules.paigow.shapes import ACE, SHAPES, Holding
from tables.rules.ranking import Category

Front = tuple[int, int]
_STRAIGHTS_AND_FLUSHES = frozenset({Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH})


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting by name: ``place`` gives the front, or nothing when the holding does not allow the setting.

    ``always`` says that it never gives nothing for its shapes, so that it may stand in a shape's last row.
    """

    place: Callable[[Holding, "SplitTerms"], Front | None]
    shapes: frozenset[str]
    always: bool


@dataclass(frozen=True, slots=True)
class SplitTerms:
    """What a setting that compares hands has to know: the joker's rule, the wheel's place, the least front."""

    joker: str
    wheel: str
    least_front: int


def _second_and_third(holding: Holding, _terms: SplitTerms) -> Front:
    return holding.groups[1][0], holding.groups[2][0]


def _keep(holding: Holding, _terms: SplitTerms) -> Front:
    first, second = [group[0] for group in holding.groups if len(group) == 1][:2]
    return first, second


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
    return (holding.groups[0][0], holding.groups[1][0]) if holding.ranks[0] == ACE else None


def _last_ace_and_single(holding: Holding, _terms: SplitTerms) -> Front | None:
    return (holding.groups[0][-1], holding.groups[1][0]) if holding.ranks[0] == ACE else None


def _complete(holding: Holding, terms: SplitTerms) -> Front | None:
    """The straight, flush or straight flush with the highest front beside it and, of equal fronts, the best one."""
    cards = sorted((card for group in holding.groups for card in group), key=_front_order)
    best: tuple[int, int] = (terms.least_front, 0)
    chosen: Front | None = None
    for front in combinations(cards, 2):
        front_strength = rank_front_with_joker(front, terms.joker)
        if front_strength < best[0]:
            continue
        back_strength = rank_five_with_joker([card for card in cards if card not in front], terms.joker, terms.wheel)
        if back_strength >> 20 in _STRAIGHTS_AND_FLUSHES and (front_strength, back_strength) > best:
            best, chosen = (front_strength, back_strength), front
    return chosen


def _front_order(card: int) -> tuple[int, int]:
    return (-ACE, 4) if card == JOKER else (-(card >> 2), card & 3)


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
        _two_of_the_group, frozenset({"four-of-a-kind", "five-of-a-kind", "five-and-pair"}), always=True
    ),
    "ace-and-single-front": Setting(_ace_and_single, frozenset({"three-of-a-kind"}), always=False),
    "joker-and-single-front": Setting(_last_ace_and_single, frozenset({"three-of-a-kind"}), always=False),
    "complete": Setting(_complete, frozenset(SHAPES), always=False),
}
"""Every setting by the word that a chart has for it. ``complete`` keeps a straight, flush or straight flush back."""
