"""What seven cards hold, as a house way looks at them: their groups of equal rank, and the name of that shape."""

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from tables.rules.cards import DECK, JOKER
from tables.rules.joker import WILD

ACE = 12

SHAPES: dict[str, tuple[int, ...]] = {
    "no-pair": (1, 1, 1, 1, 1, 1, 1),
    "one-pair": (2, 1, 1, 1, 1, 1),
    "two-pair": (2, 2, 1, 1, 1),
    "three-pair": (2, 2, 2, 1),
    "three-of-a-kind": (3, 1, 1, 1, 1),
    "full-house": (3, 2, 1, 1),
    "full-house-and-pair": (3, 2, 2),
    "two-threes": (3, 3, 1),
    "four-of-a-kind": (4, 1, 1, 1),
    "four-and-pair": (4, 2, 1),
    "four-and-three": (4, 3),
    "five-of-a-kind": (5, 1, 1),
    "five-and-pair": (5, 2),
}
"""Every way in which seven cards fall into groups of one rank: the sizes, largest first."""

_SHAPES_BY_SIZES = {sizes: shape for shape, sizes in SHAPES.items()}
_RANKS = (*(card >> 2 for card in DECK), ACE)
_ACE_BIT = 1 << ACE
_STRAIGHT_WINDOWS = tuple(0b11111 << low for low in range(10))
_ROYAL_BITS = 0b11111 << ACE - 4

# Suits are counted in one number, four bits a suit. With this added, the highest of the four is set where there are
# five of the suit, or four beside the joker.
_SUIT_UNITS = (1, 1 << 4, 1 << 8, 1 << 12)
_TO_FILL = (0x3333, 0x4444)
_FILLED = 0x8888


class Complete(IntEnum):
    """The best that some five of the cards make, among what uses all five: nothing, or a straight or a flush, or better."""

    NOTHING = 0
    STRAIGHT_OR_FLUSH = 1
    STRAIGHT_FLUSH = 2
    ROYAL_FLUSH = 3


class Holding(NamedTuple):
    """Seven cards by groups of one rank, the larger group first and then the higher rank.

    Inside a group cards stand in the order in which a front takes them: suits c d h s, a real card before the joker.
    """

    shape: str
    groups: Sequence[Sequence[int]]
    complete: Complete

    def rank_of(self, group: int) -> int:
        """The rank of the group at a place; the joker by itself is an ace."""
        return _RANKS[self.groups[group][0]]


def read_holding(cards: Sequence[int], joker: str) -> Holding:
    """Group seven cards. The joker counts as an ace (RK-07); when wild it joins the largest group and, of groups
    as large, the highest (RK-08)."""
    real = sorted(cards)
    has_joker = real[-1] == JOKER
    if has_joker:
        real.pop()
    groups: list[list[int]] = []
    held = suits = 0
    for card in real:
        # They are sorted: a rank that is not above all held ones is the last of these.
        if held >> (card >> 2):
            groups[-1].append(card)
        else:
            groups.append([card])
            held |= 1 << (card >> 2)
        suits += _SUIT_UNITS[card & 3]
    if has_joker and joker != WILD:
        if held & _ACE_BIT:
            groups[-1].append(JOKER)
        else:
            groups.append([JOKER])
    groups.reverse()
    groups.sort(key=len, reverse=True)
    if has_joker and joker == WILD:
        groups[0].append(JOKER)
    complete = _best_complete(real, held, suits, has_joker)
    return Holding(_SHAPES_BY_SIZES[tuple(map(len, groups))], groups, complete)


def _best_complete(real: Sequence[int], held: int, suits: int, has_joker: bool) -> Complete:
    """The best straight or flush, of cards whose ranks are given as bits and suits as counts, four bits each."""
    flush = suits + _TO_FILL[has_joker] & _FILLED
    if flush:
        flush_suit = flush.bit_length() - 1 >> 2
        suited = 0
        for card in real:
            if card & 3 == flush_suit:
                suited |= 1 << (card >> 2)
        if _holds_straight(suited, has_joker):
            is_royal = (suited & _ROYAL_BITS).bit_count() + has_joker >= 5
            return Complete.ROYAL_FLUSH if is_royal else Complete.STRAIGHT_FLUSH
        return Complete.STRAIGHT_OR_FLUSH
    return Complete.STRAIGHT_OR_FLUSH if _holds_straight(held, has_joker) else Complete.NOTHING


def _holds_straight(ranks: int, has_joker: bool) -> bool:
    """Whether ranks, as bits, hold five in a row, or all but one of them beside the joker; the ace is high and low."""
    mask = ranks << 1 | ranks >> ACE
    if has_joker:
        return any((mask & window).bit_count() >= 4 for window in _STRAIGHT_WINDOWS)
    return bool(mask & mask >> 1 & mask >> 2 & mask >> 3 & mask >> 4)
