"""Strength of hands (RK-01, RK-02, RK-03, RK-04, RK-05)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pokerkit import StandardHighHand
from treys import Card, Evaluator

from tables.rules.cards import CARD_TEXTS, DECK, parse_cards, suit_of
from tables.rules.ranking import WHEELS, Category, category_of, describe, rank_five, rank_front
from tests.tables.rules.conftest import ShowCounts
from tests.tables.rules.plain_hands import strength

HAND = st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True)


def five(text: str, wheel: str = "lowest") -> int:
    return rank_five(parse_cards(text), wheel)


def front(text: str) -> int:
    return rank_front(parse_cards(text))


def order_of(one: float, other: float) -> int:
    """1 where the first is greater, -1 where it is less, 0 where both are equal."""
    return (one > other) - (one < other)


@given(HAND, HAND, st.sampled_from(WHEELS))
def test_rk01_any_two_hands_compare_as_by_the_book(one: list[int], other: list[int], wheel: str) -> None:
    mine, theirs = (strength([CARD_TEXTS[card] for card in cards], wheel) for cards in (one, other))
    assert order_of(rank_five(one, wheel), rank_five(other, wheel)) == (mine > theirs) - (mine < theirs)


def shuffled_pairs(seed: int, number: int) -> Iterator[tuple[list[int], list[int]]]:
    """Pairs of hands that share no card, five pairs from every shuffled deck."""
    random = Random(seed)
    deck = list(DECK)
    for place in range(number):
        start = place % 5 * 10
        if start == 0:
            random.shuffle(deck)
        yield deck[start : start + 5], deck[start + 5 : start + 10]


def test_rk01_two_hundred_thousand_pairs_of_hands_compare_as_another_library_has_it() -> None:
    """In treys the lower rank is the better hand."""
    theirs_by_card = [Card.new(CARD_TEXTS[card]) for card in DECK]
    rank_theirs = Evaluator()._five
    for one, other in shuffled_pairs(1, 200_000):
        theirs = (
            rank_theirs([theirs_by_card[card] for card in one]),
            rank_theirs([theirs_by_card[card] for card in other]),
        )
        assert order_of(rank_five(one), rank_five(other)) == -order_of(*theirs), (one, other)


@pytest.mark.slow
def test_rk01_twenty_thousand_pairs_of_hands_compare_as_a_third_library_has_it() -> None:
    for one, other in shuffled_pairs(2, 20_000):
        mine, theirs = (StandardHighHand("".join(CARD_TEXTS[card] for card in cards)) for cards in (one, other))
        expected = (mine > theirs) - (mine < theirs)
        assert order_of(rank_five(one), rank_five(other)) == expected, (one, other)


@given(HAND, st.permutations(range(4)))
def test_rk01_suits_and_the_order_of_cards_make_no_difference(cards: list[int], suits: list[int]) -> None:
    other_suits = [card - suit_of(card) + suits[suit_of(card)] for card in reversed(cards)]
    assert rank_five(other_suits) == rank_five(cards)


def by_name(found: Mapping[Category, int], known: Mapping[Category, int]) -> dict[str, tuple[int, int]]:
    """Counts as they are shown."""
    return {category.name.lower().replace("_", " "): (found[category], known[category]) for category in known}


def test_rk01_all_five_card_hands_fall_into_the_known_numbers_of_each_category(show_counts: ShowCounts) -> None:
    strengths = Counter(map(rank_five, combinations(DECK, 5)))
    found: Counter[Category] = Counter()
    for each, number in strengths.items():
        found[category_of(each)] += number
    known = {
        Category.STRAIGHT_FLUSH: 40,
        Category.FOUR_OF_A_KIND: 624,
        Category.FULL_HOUSE: 3_744,
        Category.FLUSH: 5_108,
        Category.STRAIGHT: 10_200,
        Category.THREE_OF_A_KIND: 54_912,
        Category.TWO_PAIR: 123_552,
        Category.PAIR: 1_098_240,
        Category.HIGH_CARD: 1_302_540,
    }
    show_counts("All 2,598,960 hands of five", by_name(found, known))
    assert found == known


def test_rk03_all_fronts_of_three_are_a_pair_three_of_a_kind_or_high_card(show_counts: ShowCounts) -> None:
    found = Counter(category_of(rank_front(cards)) for cards in combinations(DECK, 3))
    known = {Category.THREE_OF_A_KIND: 52, Category.PAIR: 3_744, Category.HIGH_CARD: 18_304}
    show_counts("All 22,100 fronts of three", by_name(found, known))
    assert found == known


@pytest.mark.parametrize("suited", [False, True])
@pytest.mark.parametrize(
    ("wheel", "order"),
    [
        ("lowest", ["A2345", "23456", "9TJQK", "TJQKA"]),
        ("second-highest", ["23456", "9TJQK", "A2345", "TJQKA"]),
    ],
)
def test_rk02_the_wheel_stands_where_the_rules_put_it(suited: bool, wheel: str, order: list[str]) -> None:
    suits = "hhhhh" if suited else "hhhhc"
    hands = [" ".join(map("".join, zip(ranks, suits, strict=True))) for ranks in order]
    strengths = [five(hand, wheel) for hand in hands]
    assert strengths == sorted(strengths)
    assert len(set(strengths)) == 4
    assert {category_of(strength) for strength in strengths} == {
        Category.STRAIGHT_FLUSH if suited else Category.STRAIGHT
    }


@pytest.mark.parametrize("wheel", ["lowest", "second-highest"])
def test_rk02_no_straight_goes_round_the_ace(wheel: str) -> None:
    assert category_of(five("Qh Kd As 2c 3h", wheel)) is Category.HIGH_CARD


def test_rk03_straights_and_flushes_are_nothing_in_front() -> None:
    assert category_of(front("Kh Qh Jh")) is Category.HIGH_CARD


@pytest.mark.parametrize(
    ("front_cards", "middle_cards", "front_is_higher"),
    [
        ("As Ah Kd", "Ac Ad Ks 5c 3d", False),
        ("As Ah Kd", "Ac Ad Qs 5c 3d", True),
        ("Ks Qh Jd", "Kc Qd Js 3c 2d", False),
        ("Ks Qh Jd", "Kc Qd Ts 9c 8d", True),
        ("2s 2h 2d", "Ah Ad Kc Ks Qd", True),
        ("As Ah", "Ac Ad Ks 5c 3d", False),
    ],
)
def test_rk04_a_front_compares_on_what_both_have(front_cards: str, middle_cards: str, front_is_higher: bool) -> None:
    assert (front(front_cards) > five(middle_cards)) is front_is_higher
    assert front(front_cards) != five(middle_cards)


def test_rk05_a_royal_flush_is_the_highest_straight_flush() -> None:
    royal = five("Th Jh Qh Kh Ah")
    assert category_of(royal) is Category.STRAIGHT_FLUSH
    assert royal > five("9s Ts Js Qs Ks")
    assert describe(royal) == "straight flush: ace high"
    assert describe(royal, royal=True) == "royal flush"


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("Qh Jd 9s 4c 2d", "high card: queen"),
        ("6h 6d 9s 4c 2d", "pair of sixes"),
        ("Ah Ad 9s 9c 2d", "two pair: aces and nines"),
        ("2h 2d 2s 4c 9d", "three of a kind: twos"),
        ("5h 6d 7s 8c 9d", "straight: nine high"),
        ("Ah 2d 3s 4c 5d", "straight: five high"),
        ("Ah 2h 3h 4h 9h", "flush: ace high"),
        ("Kh Kd Ks 9c 9d", "full house: kings over nines"),
        ("Th Td Ts Tc 9d", "four of a kind: tens"),
        ("5h 6h 7h 8h 9h", "straight flush: nine high"),
    ],
)
def test_hands_are_named_in_words(cards: str, words: str) -> None:
    assert describe(five(cards)) == words


def test_fronts_are_named_in_words() -> None:
    assert describe(front("Qc 8d 6h")) == "high card: queen"
    assert describe(front("2c 2d 6h")) == "pair of twos"
    assert describe(front("Kc 9c")) == "king-nine"
    assert describe(five("Ah 2d 3s 4c 5d", "second-highest")) == "straight: five high"


@pytest.mark.parametrize("cards", [[], [0], [0, 1, 2, 3], list(range(6))])
def test_another_number_of_cards_is_refused(cards: list[int]) -> None:
    with pytest.raises(ValueError, match="values to unpack"):
        rank_five(cards)
    with pytest.raises(ValueError, match="values to unpack"):
        rank_front(cards)
