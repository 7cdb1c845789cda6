"""Every seven of 53 cards: that the classes of ``seven_cards`` are what they claim, and what the best five of seven make."""

import random
from collections import Counter
from itertools import combinations, product
from math import comb

import pytest

from tables.rules.cards import DECK_WITH_JOKER, JOKER, cards_text
from tables.rules.joker import ACE_OR_COMPLETE, JOKER_RULES, WILD, rank_five_with_joker, rank_front_with_joker
from tables.rules.paigow.charts import shipped_charts
from tables.rules.paigow.house_way import set_by_chart
from tables.rules.ranking import ACE, WHEELS, Category, category_name, category_of, straight_strength
from tests.tables.rules.conftest import ShowCounts
from tests.tables.rules.seven_cards import (
    RANKS,
    SEVEN_CARD_HANDS,
    all_sizes,
    every_seven_cards,
    hands_of_every_kind,
    representative,
    seven_cards_of,
)

BEST_OF_SEVEN = {
    ACE_OR_COMPLETE: {
        "five of a kind": 1_128,
        "royal flush": 26_132,
        "straight flush": 184_832,
        "four of a kind": 307_472,
        "full house": 4_188_528,
        "flush": 6_172_088,
        "straight": 11_236_028,
        "three of a kind": 7_470_676,
        "two pair": 35_553_816,
        "pair": 64_221_960,
        "high card": 24_780_420,
    },
    WILD: {
        "five of a kind": 14_664,
        "royal flush": 26_132,
        "straight flush": 184_832,
        "four of a kind": 1_121_024,
        "full house": 5_997_144,
        "flush": 6_027_224,
        "straight": 11_083_940,
        "three of a kind": 13_315_300,
        "two pair": 31_433_400,
        "pair": 61_644_960,
        "high card": 23_294_460,
    },
}
ROYAL_FLUSH = straight_strength(Category.STRAIGHT_FLUSH, ACE)


def best_five(cards: tuple[int, ...] | list[int], joker: str) -> int:
    return max(rank_five_with_joker(five, joker) for five in combinations(cards, 5))


def best_in_words(strength: int) -> str:
    return "royal flush" if strength == ROYAL_FLUSH else category_name(category_of(strength))


def test_the_classes_hold_every_seven_cards() -> None:
    """Summed over the lowest ranks of every way to fall into ranks, times the choices of so many ranks."""
    hands = sum(
        comb(len(RANKS), len(sizes)) * entry.hands
        for joker in (False, True)
        for sizes in all_sizes(7 - joker)
        for entry in seven_cards_of(RANKS[: len(sizes)], sizes, joker=joker)
    )

    assert hands == SEVEN_CARD_HANDS


@pytest.mark.parametrize("joker", [False, True])
def test_every_class_has_as_many_hands_as_can_be_laid_out(joker: bool) -> None:
    """All suits in turn over ranks of any sizes, whatever their order, told apart by the hand that stands for them."""
    for sizes in all_sizes(7 - joker):
        if list(sizes) == sorted(sizes):
            ranks = RANKS[: len(sizes)]
            laid_out: Counter[tuple[int, ...]] = Counter()
            for suits in product(*(combinations(range(4), size) for size in sizes)):
                real = [rank * 4 + suit for rank, held in zip(ranks, suits, strict=True) for suit in held]
                laid_out[representative([*real, JOKER] if joker else real)] += 1
            assert laid_out == dict(seven_cards_of(ranks, sizes, joker=joker)), sizes


def test_a_hand_is_ranked_and_set_as_the_one_that_stands_for_it() -> None:
    rules = list(product(JOKER_RULES, WHEELS))
    for number, cards in enumerate(hands_of_every_kind(2_000)):
        joker, wheel = rules[number // 4 % 4]
        stand_in = representative(cards)
        assert best_five(stand_in, joker) == best_five(cards, joker), cards_text(cards)
        for chart in shipped_charts().values():
            own, other = (set_by_chart(chart, hand, joker, wheel) for hand in (cards, stand_in))
            assert own.row == other.row, cards_text(cards)
            assert rank_front_with_joker(own.front, joker) == rank_front_with_joker(other.front, joker)
            assert rank_five_with_joker(own.back, joker, wheel) == rank_five_with_joker(other.back, joker, wheel)


@pytest.mark.parametrize("joker", JOKER_RULES)
def test_rk_07_rk_08_the_best_of_seven_comes_about_as_often_in_a_sample(joker: str) -> None:
    """3,000 deals: every category within four standard deviations of its exact count."""
    rng = random.Random(530)
    deals = 3_000
    found = Counter(best_in_words(best_five(rng.sample(DECK_WITH_JOKER, 7), joker)) for _ in range(deals))

    for name, exact in BEST_OF_SEVEN[joker].items():
        share = exact / SEVEN_CARD_HANDS
        deviation = (deals * share * (1 - share)) ** 0.5
        assert abs(found[name] - deals * share) <= 4 * deviation, name


@pytest.mark.slow
@pytest.mark.parametrize("joker", JOKER_RULES)
def test_rk_06_rk_07_rk_08_the_best_of_all_seven_cards_by_category(joker: str, show_counts: ShowCounts) -> None:
    found: Counter[str] = Counter()
    for with_joker in (False, True):
        for cards, hands in every_seven_cards(joker=with_joker):
            found[best_in_words(best_five(cards, joker))] += hands

    show_counts(
        f"Best five of every seven of 53 cards, joker {joker}",
        {name: (found[name], exact) for name, exact in BEST_OF_SEVEN[joker].items()},
    )
    assert found == BEST_OF_SEVEN[joker]
