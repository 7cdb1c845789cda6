"""Strength of hands (RK-01, RK-02, RK-03, RK-04, RK-05)."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.rules.cards import DECK, parse_cards, rank_of, suit_of
from tables.rules.ranking import Category, category_of, describe, rank_five, rank_front

HAND = st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True)


def five(text: str, wheel: str = "lowest") -> int:
    return rank_five(parse_cards(text), wheel)


def front(text: str) -> int:
    return rank_front(parse_cards(text))


def plain_strength(cards: list[int]) -> tuple[int, list[int]]:
    """The same order by the book: category, then ranks by count and height."""
    counts = Counter(rank_of(card) for card in cards)
    grouped = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    is_flush = len({suit_of(card) for card in cards}) == 1
    ranks = sorted(counts)
    is_wheel = ranks == [0, 1, 2, 3, 12]
    is_straight = is_wheel or (len(ranks) == 5 and ranks[4] - ranks[0] == 4)
    if is_straight:
        grouped = [3 if is_wheel else ranks[4]]
    order = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    category = order.get(tuple(shape), 8 if is_flush and is_straight else 5 if is_flush else 4 if is_straight else 0)
    return category, grouped


@given(HAND, HAND)
def test_rk01_any_two_hands_compare_as_by_the_book(one: list[int], other: list[int]) -> None:
    mine, theirs = plain_strength(one), plain_strength(other)
    assert (rank_five(one) > rank_five(other)) == (mine > theirs)
    assert (rank_five(one) == rank_five(other)) == (mine == theirs)


@given(HAND, st.permutations(range(4)))
def test_rk01_suits_and_the_order_of_cards_make_no_difference(cards: list[int], suits: list[int]) -> None:
    other_suits = [card - suit_of(card) + suits[suit_of(card)] for card in reversed(cards)]
    assert rank_five(other_suits) == rank_five(cards)


def test_rk01_all_five_card_hands_fall_into_the_known_numbers_of_each_category() -> None:
    counts = Counter(rank_five(cards) >> 20 for cards in combinations(DECK, 5))
    assert {Category(category).name: count for category, count in counts.items()} == {
        "HIGH_CARD": 1_302_540,
        "PAIR": 1_098_240,
        "TWO_PAIR": 123_552,
        "THREE_OF_A_KIND": 54_912,
        "STRAIGHT": 10_200,
        "FLUSH": 5_108,
        "FULL_HOUSE": 3_744,
        "FOUR_OF_A_KIND": 624,
        "STRAIGHT_FLUSH": 40,
    }


def test_rk03_all_fronts_of_three_are_a_pair_three_of_a_kind_or_high_card() -> None:
    counts = Counter(category_of(rank_front(cards)) for cards in combinations(DECK, 3))
    assert counts == {Category.THREE_OF_A_KIND: 52, Category.PAIR: 3_744, Category.HIGH_CARD: 18_304}


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
