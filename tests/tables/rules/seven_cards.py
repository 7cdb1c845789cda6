"""Every seven of the 53 cards, in classes of hands that the rules cannot tell apart.

Two hands are of one class when their cards can be paired off so that three things agree: the rank (the joker with the
joker), whether a card is of the *flush suit*, and the card's place among the cards of its rank in the order c d h s. The
flush suit is the one that has five cards, or four beside the joker; seven cards have one at most, and most have none.

That is all the rules look at. Whether any five cards make a flush depends on the flush suit alone, since no other suit
has enough cards; everything else that ranks them depends on ranks. A house way picks cards by rank and by their place in
their group, and where it compares hands, it compares their strengths. So hands of one class rank alike, best five and all,
and are set alike: the same row, the same places of the same groups in front, the same strengths front and back.

For each of the ways in which seven cards fall into ranks, one to four a rank, :func:`patterns` lists the ways in which
suits can lie and counts the hands of each; what has no flush suit is counted as the rest. With every choice of ranks
that makes 456,274 classes for 154,143,080 hands. That no two hands of a class are ranked or set otherwise, and that every
class has the hands it is said to have, is tested in ``test_every_seven_cards.py``.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from math import comb, prod
from typing import NamedTuple

from tables.rules.cards import DECK_WITH_JOKER, JOKER

SEVEN_CARD_HANDS = 154_143_080
RANKS = range(13)
SUITS = range(4)

Sizes = tuple[int, ...]
"""How many cards each rank has, from the lowest rank held to the highest."""
Places = tuple[int | None, ...]
"""For each rank held the place of its flush card among the rank's cards in the order of suits, if it has one."""


class Pattern(NamedTuple):
    """Suits for each rank held, which stand for all that lie alike, and how many those are."""

    suits: tuple[tuple[int, ...], ...]
    hands: int


class SevenCards(NamedTuple):
    """A hand that stands for its class, and how many hands the class has."""

    cards: tuple[int, ...]
    hands: int


def every_seven_cards(*, joker: bool) -> Iterator[SevenCards]:
    """A hand of every class, with the joker or without it."""
    for sizes in all_sizes(7 - joker):
        for ranks in combinations(RANKS, len(sizes)):
            yield from seven_cards_of(ranks, sizes, joker=joker)


def seven_cards_of(ranks: Sequence[int], sizes: Sizes, *, joker: bool) -> Iterator[SevenCards]:
    """A hand of every class of these ranks, so many cards of each, and the joker or not."""
    for pattern in patterns(sizes, joker=joker).values():
        yield SevenCards(_cards(ranks, pattern, joker), pattern.hands)


def all_sizes(cards: int) -> Iterator[Sizes]:
    """The ways in which so many cards can fall into ranks, one to four a rank."""
    if cards == 0:
        yield ()
    for size in range(1, min(cards, 4) + 1):
        for rest in all_sizes(cards - size):
            yield (size, *rest)


def representative(cards: Sequence[int]) -> tuple[int, ...]:
    """The hand that :func:`every_seven_cards` yields for the class of these seven cards."""
    joker = JOKER in cards
    by_rank: dict[int, list[int]] = {}
    for card in sorted(cards):
        if card != JOKER:
            by_rank.setdefault(card >> 2, []).append(card & 3)
    held = [suit for suits in by_rank.values() for suit in suits]
    flush_suit = next((suit for suit in SUITS if held.count(suit) >= 5 - joker), None)
    sizes = tuple(len(suits) for suits in by_rank.values())
    places = tuple(suits.index(flush_suit) if flush_suit in suits else None for suits in by_rank.values())
    return _cards(tuple(by_rank), patterns(sizes, joker=joker)[places], joker)


def hands_of_every_kind(number: int) -> Iterator[list[int]]:
    """Random hands, the same every time: every other one of two suits only, half of those with the joker."""
    rng = random.Random(53)
    for index in range(number):
        if index % 2 == 0:
            yield rng.sample(DECK_WITH_JOKER, 7)
        else:
            suits = rng.sample(range(4), 2)
            deck = [card for card in range(52) if card & 3 in suits]
            yield [*rng.sample(deck, 6), JOKER] if index % 4 == 1 else rng.sample(deck, 7)


@cache
def patterns(sizes: Sizes, *, joker: bool) -> dict[Places, Pattern]:
    """The ways in which suits lie over ranks of these sizes, by the places of the flush cards."""
    found: dict[Places, Pattern] = {}
    for places in product(*((None, *range(size)) for size in sizes)):
        if len(places) - places.count(None) >= 5 - joker:
            hands = [prod(map(_ways, sizes, places, [suit] * len(sizes))) for suit in SUITS]
            suit = next((suit for suit in SUITS if hands[suit]), None)
            if suit is not None:
                suits = tuple(map(_suits, sizes, places, [suit] * len(sizes)))
                found[places] = Pattern(suits, sum(hands))
    all_hands = prod(comb(4, size) for size in sizes)
    without = all_hands - sum(pattern.hands for pattern in found.values())
    return {(None,) * len(sizes): Pattern(_spread(sizes), without)} | found


def _ways(size: int, place: int | None, flush_suit: int) -> int:
    """In how many ways a rank can have so many cards with that of the flush suit at that place, or without it."""
    if place is None:
        return comb(3, size)
    return comb(flush_suit, place) * comb(3 - flush_suit, size - 1 - place)


def _suits(size: int, place: int | None, flush_suit: int) -> tuple[int, ...]:
    """One of those ways."""
    lower = range(flush_suit)
    higher = range(flush_suit + 1, 4)
    if place is None:
        return (*lower, *higher)[:size]
    return (*lower[:place], flush_suit, *higher[: size - 1 - place])


def _spread(sizes: Sizes) -> tuple[tuple[int, ...], ...]:
    """Suits dealt out in turn over all the cards, so that none has more than two of them."""
    starts = [sum(sizes[:index]) for index in range(len(sizes))]
    return tuple(
        tuple(sorted((start + turn) % 4 for turn in range(size))) for start, size in zip(starts, sizes, strict=True)
    )


def _cards(ranks: Sequence[int], pattern: Pattern, joker: bool) -> tuple[int, ...]:
    real = [rank * 4 + suit for rank, suits in zip(ranks, pattern.suits, strict=True) for suit in suits]
    return (*real, JOKER) if joker else tuple(real)
