"""Cards, the strength of hands and the automatic wins of Chinese Poker, plainly and slowly, by the house rules alone.

Nothing of ``tables.rules`` is used here, so that a mistake there is not repeated. Cards are texts, a hand's strength is
a tuple.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement, product

Strength = tuple[int, tuple[int, ...]]

CATEGORIES = (
    "high-card",
    "pair",
    "two-pair",
    "three-of-a-kind",
    "straight",
    "flush",
    "full-house",
    "four-of-a-kind",
    "straight-flush",
)
BY_COUNTS = {
    (4, 1): "four-of-a-kind",
    (3, 2): "full-house",
    (3, 1, 1): "three-of-a-kind",
    (3,): "three-of-a-kind",
    (2, 2, 1): "two-pair",
    (2, 1, 1, 1): "pair",
    (2, 1): "pair",
}
WHEEL = frozenset({14, 2, 3, 4, 5})
STRAIGHTS_OF_FIVE = [WHEEL, *(frozenset(range(low, low + 5)) for low in range(2, 11))]
STRAIGHTS_OF_THREE = [frozenset({14, 2, 3}), *(frozenset(range(low, low + 3)) for low in range(2, 13))]
THREE_STRAIGHTS = {
    tuple(sorted([*three, *five, *other_five]))
    for three in STRAIGHTS_OF_THREE
    for five, other_five in combinations_with_replacement(STRAIGHTS_OF_FIVE, 2)
}
THREE_FLUSHES = {
    tuple(sorted(three * 3 + five * 5 + other_five * 5)) for three, five, other_five in product("cdhs", repeat=3)
}


def cards_of(text: str) -> list[str]:
    """Cards as rank and suit, such as ``Th``."""
    return [word[0].upper() + word[1].lower() for word in text.replace("10", "T").split()]


def rank(card: str) -> int:
    """2 to 14, the ace."""
    return "23456789TJQKA".index(card[0]) + 2


# Ranking


def straights(wheel: str) -> list[frozenset[int]]:
    """The straights from the lowest to the highest (RK-02)."""
    others = STRAIGHTS_OF_FIVE[1:]
    return [WHEEL, *others] if wheel == "lowest" else [*others[:-1], WHEEL, others[-1]]


def strength(cards: Sequence[str], wheel: str) -> Strength:
    """Category, then ranks by count and height (RK-01). Three cards are no straight and no flush (RK-03).

    Strengths compare as tuples, and of two that agree as far as the shorter goes the longer is the higher: AAK53 is
    above AAK and AAK is above AAQ53 (RK-04).
    """
    counts = Counter(rank(card) for card in cards)
    grouped = tuple(sorted(counts, key=lambda one: (counts[one], one), reverse=True))
    category = BY_COUNTS.get(tuple(sorted(counts.values(), reverse=True)), "high-card")
    if len(cards) == 5 and category == "high-card":
        order = straights(wheel)
        is_flush = len({card[1] for card in cards}) == 1
        if frozenset(counts) in order:
            category = "straight-flush" if is_flush else "straight"
            grouped = (order.index(frozenset(counts)),)
        elif is_flush:
            category = "flush"
    return CATEGORIES.index(category), grouped


# Automatic wins


def is_three_straights(cards: Sequence[str]) -> bool:
    """Some three, five and five of the ranks are straights (CP-25)."""
    return tuple(sorted(rank(card) for card in cards)) in THREE_STRAIGHTS


def is_three_flushes(cards: Sequence[str]) -> bool:
    """Some three, five and five of the cards are suited each (CP-25)."""
    return tuple(sorted(card[1] for card in cards)) in THREE_FLUSHES


def most_of_one(cards: Iterable[str], suit_groups: Iterable[str]) -> int:
    """The most cards that one of these groups of suits has."""
    held = list(cards)
    return max(sum(card[1] in group for card in held) for group in suit_groups)


def bears(kind: str, cards: Sequence[str]) -> bool:
    """Whether thirteen cards are an automatic win of this kind (CP-21, CP-24, CP-25, CP-26)."""
    if len(cards) != 13:
        return False
    counts = Counter(rank(card) for card in cards)
    if kind == "dragon":
        return len(counts) == 13
    if kind == "six-pairs":
        return sum(count // 2 for count in counts.values()) == 6
    if kind == "three-straights":
        return is_three_straights(cards)
    if kind == "three-flushes":
        return is_three_flushes(cards)
    number, group = kind.split("-")
    groups = ("dh", "cs") if group == "colors" else "cdhs"
    return most_of_one(cards, groups) == {"thirteen": 13, "twelve": 12}[number]
