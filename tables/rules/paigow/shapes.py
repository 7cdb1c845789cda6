"""What seven cards hold, as a house way looks at them: their groups of equal rank, and the name of that shape."""

from collections.abc import Sequence
from dataclasses import dataclass

from tables.rules.cards import JOKER
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
_ACE_LOW_BIT = 1 << ACE + 1
_STRAIGHT_WINDOWS = tuple(0b11111 << low for low in range(10))


@dataclass(frozen=True, slots=True)
class Holding:
    """Seven cards by groups of one rank, the larger group first and then the higher rank.

    Inside a group cards stand in the order in which a front takes them: suits c d h s, a real card before the joker.
    """

    shape: str
    ranks: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    complete: bool
    """Whether some five of the cards are a straight, a flush or a straight flush."""


def read_holding(cards: Sequence[int], joker: str) -> Holding:
    """Group seven cards. The joker counts as an ace (RK-07); when wild it joins the largest group and, of groups
    as large, the highest (RK-08)."""
    real = sorted(cards)
    has_joker = real[-1] == JOKER
    if has_joker:
        real.pop()
    by_rank: dict[int, list[int]] = {}
    for card in real:
        by_rank.setdefault(card >> 2, []).append(card)
    complete = _holds_flush(real, has_joker) or _holds_straight(by_rank, has_joker)
    if has_joker:
        rank = max((len(group), rank) for rank, group in by_rank.items())[1] if joker == WILD else ACE
        by_rank.setdefault(rank, []).append(JOKER)
    ordered = sorted(((len(group), rank) for rank, group in by_rank.items()), reverse=True)
    return Holding(
        shape=_SHAPES_BY_SIZES[tuple([size for size, _ in ordered])],
        ranks=tuple([rank for _, rank in ordered]),
        groups=tuple([tuple(by_rank[rank]) for _, rank in ordered]),
        complete=complete,
    )


def _holds_flush(real: list[int], has_joker: bool) -> bool:
    counts = [0, 0, 0, 0]
    for card in real:
        counts[card & 3] += 1
    return max(counts) + has_joker >= 5


def _holds_straight(by_rank: dict[int, list[int]], has_joker: bool) -> bool:
    mask = 0
    for rank in by_rank:
        mask |= 2 << rank
    if mask & _ACE_LOW_BIT:
        mask |= 1
    if has_joker:
        return any((mask & window).bit_count() >= 4 for window in _STRAIGHT_WINDOWS)
    return bool(mask & mask >> 1 & mask >> 2 & mask >> 3 & mask >> 4)
