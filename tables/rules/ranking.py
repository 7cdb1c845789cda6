"""How strong a hand is, as one integer that compares with ``<``, ``==`` and ``>`` (RK-01 to RK-05).

A strength is ``category << 20 | r1 << 16 | r2 << 12 | r3 << 8 | r4 << 4 | r5``. The five nibbles are ranks, 2 for a
two up to 14 for an ace, grouped by how often they occur and then by rank; what a hand lacks is 0. A front of three or
two cards therefore compares with a hand of five by plain integer comparison: category, then the ranks both have, then
the longer hand is higher (RK-04, PG-20). A straight keeps only its highest rank.

Ranking is one addition over per-card weights and one look-up. The low eight bits of a weight stand for the suit, the
others for the rank; the sums of up to five of either are unique to what was added, so that a flush is a known sum. All
sums stay below 2**30, where Python adds fastest.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from functools import cache
from itertools import combinations, combinations_with_replacement

from tables.rules.cards import RANK_PLURALS, RANK_WORDS

WHEEL_LOWEST = "lowest"
WHEEL_SECOND_HIGHEST = "second-highest"
WHEELS = (WHEEL_LOWEST, WHEEL_SECOND_HIGHEST)

ACE = 14
KING = 13


class Category(IntEnum):
    """Hand categories from low to high. A royal flush is the straight flush to the ace (RK-05)."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    FIVE_OF_A_KIND = 9


_RANK_WEIGHTS = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
_SUIT_WEIGHTS = (0, 1, 6, 36)
_SUIT_BITS = 8
_WEIGHTS = tuple((_RANK_WEIGHTS[card >> 2] << _SUIT_BITS) + _SUIT_WEIGHTS[card & 3] for card in range(52))

_CATEGORY_OF_COUNTS = {
    (5,): Category.FIVE_OF_A_KIND,
    (4, 1): Category.FOUR_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (3,): Category.THREE_OF_A_KIND,
    (2, 2, 1): Category.TWO_PAIR,
    (2, 1, 1, 1): Category.PAIR,
    (2, 1): Category.PAIR,
    (2,): Category.PAIR,
}


def pack(category: int, ranks: Iterable[int]) -> int:
    """The strength of a category and up to five ranks (2 to 14) in grouped order."""
    strength = category
    shift = 20
    for rank in ranks:
        strength = strength << 4 | rank
        shift -= 4
    return strength << shift


def grouped_strength(ranks: Iterable[int]) -> int:
    """Strength by counts alone, of up to five ranks 2 to 14; neither straights nor flushes are seen (RK-01, RK-03)."""
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    category = _CATEGORY_OF_COUNTS.get(tuple(count for count, _ in groups), Category.HIGH_CARD)
    return pack(category, (rank for _, rank in groups))


def straight_strength(category: Category, high: int, wheel: str = WHEEL_LOWEST) -> int:
    """Strength of a straight or straight flush whose highest card is ``high``; 5 is the wheel (RK-02)."""
    if high == 5 and wheel == WHEEL_SECOND_HIGHEST:
        return pack(category, (KING, 1))
    return pack(category, (high,))


def straight_high(ranks: Iterable[int]) -> int | None:
    """The highest rank of five different ranks in sequence, the ace high or low, else ``None``. No wrap-around (RK-02)."""
    ordered = sorted(set(ranks))
    if len(ordered) != 5:
        return None
    if ordered[-1] - ordered[0] == 4:
        return ordered[-1]
    return 5 if ordered == [2, 3, 4, 5, ACE] else None


def _weigh(ranks: Iterable[int]) -> int:
    return sum(_RANK_WEIGHTS[rank - 2] for rank in ranks)


def _mixed_table(wheel: str) -> list[int]:
    """Strength by rank sum of five cards that are not all of one suit."""
    table = [0] * (4 * _RANK_WEIGHTS[12] + _RANK_WEIGHTS[11] + 1)
    for ranks in combinations_with_replacement(range(2, ACE + 1), 5):
        if ranks[0] != ranks[4]:
            high = straight_high(ranks)
            table[_weigh(ranks)] = (
                grouped_strength(ranks) if high is None else straight_strength(Category.STRAIGHT, high, wheel)
            )
    return table


def _suited_table(wheel: str) -> dict[int, int]:
    """Strength by whole sum of five cards of one suit."""
    table = {}
    for ranks in combinations(range(2, ACE + 1), 5):
        high = straight_high(ranks)
        strength = (
            pack(Category.FLUSH, reversed(ranks))
            if high is None
            else straight_strength(Category.STRAIGHT_FLUSH, high, wheel)
        )
        for suit_weight in _SUIT_WEIGHTS:
            table[(_weigh(ranks) << _SUIT_BITS) + 5 * suit_weight] = strength
    return table


def _front_table(size: int) -> dict[int, int]:
    return {_weigh(ranks): grouped_strength(ranks) for ranks in combinations_with_replacement(range(2, ACE + 1), size)}


def _five_ranker(wheel: str) -> Callable[[Sequence[int]], int]:
    mixed = _mixed_table(wheel)
    suited = _suited_table(wheel)
    weights = _WEIGHTS

    def rank(cards: Sequence[int]) -> int:
        a, b, c, d, e = cards
        key = weights[a] + weights[b] + weights[c] + weights[d] + weights[e]
        if key in suited:
            return suited[key]
        return mixed[key >> _SUIT_BITS]

    return rank


# One ranker a wheel rule, for callers that rank many hands under the same rule.
FIVE_RANKERS = {wheel: _five_ranker(wheel) for wheel in WHEELS}
_rank_five_lowest = FIVE_RANKERS[WHEEL_LOWEST]
_FRONTS_OF_TWO = _front_table(2)
_FRONTS_OF_THREE = _front_table(3)


def rank_five(cards: Sequence[int], wheel: str = WHEEL_LOWEST) -> int:
    """Strength of five cards without a joker (RK-01, RK-02). Raises ``ValueError`` for another number of cards."""
    if wheel == WHEEL_LOWEST:
        return _rank_five_lowest(cards)
    return FIVE_RANKERS[wheel](cards)


def rank_front(cards: Sequence[int]) -> int:
    """Strength of a front of three or two cards without a joker (RK-03, RK-06).

    Raises ``ValueError`` for another number of cards.
    """
    if len(cards) == 3:
        a, b, c = cards
        return _FRONTS_OF_THREE[(_WEIGHTS[a] + _WEIGHTS[b] + _WEIGHTS[c]) >> _SUIT_BITS]
    a, b = cards
    return _FRONTS_OF_TWO[(_WEIGHTS[a] + _WEIGHTS[b]) >> _SUIT_BITS]


def category_of(strength: int) -> Category:
    """The category of a strength."""
    return Category(strength >> 20)


def ranks_of(strength: int) -> tuple[int, ...]:
    """The ranks of a strength in grouped order, 2 to 14; for the wheel when it is second highest ``(13, 1)``."""
    nibbles = ((strength >> shift) & 15 for shift in (16, 12, 8, 4, 0))
    return tuple(rank for rank in nibbles if rank)


def _word(rank: int) -> str:
    return RANK_WORDS[rank - 2]


def _plural(rank: int) -> str:
    return RANK_PLURALS[rank - 2]


@cache
def describe(strength: int, *, royal: bool = False) -> str:
    """The hand in words: ``pair of twos``, ``full house: kings over nines``; two odd cards are ``king-nine``.

    ``royal`` names the highest straight flush a royal flush, as the Pai Gow list does (RK-05, RK-06).
    """
    category = category_of(strength)
    ranks = ranks_of(strength)
    high = ranks[0]
    match category:
        case Category.HIGH_CARD:
            return f"{_word(high)}-{_word(ranks[1])}" if len(ranks) == 2 else f"high card: {_word(high)}"
        case Category.PAIR:
            return f"pair of {_plural(high)}"
        case Category.TWO_PAIR:
            return f"two pair: {_plural(high)} and {_plural(ranks[1])}"
        case Category.THREE_OF_A_KIND | Category.FOUR_OF_A_KIND | Category.FIVE_OF_A_KIND:
            return f"{category_name(category)}: {_plural(high)}"
        case Category.FULL_HOUSE:
            return f"full house: {_plural(high)} over {_plural(ranks[1])}"
        case Category.FLUSH:
            return f"flush: {_word(high)} high"
        case Category.STRAIGHT | Category.STRAIGHT_FLUSH:
            if royal and category is Category.STRAIGHT_FLUSH and high == ACE:
                return "royal flush"
            is_wheel = ranks == (KING, 1)
            return f"{category_name(category)}: {'five' if is_wheel else _word(high)} high"


def category_name(category: Category) -> str:
    """The category in words, ``three of a kind``."""
    return category.name.lower().replace("_", " ")
