"""Hands as the shipped house ways set them (PG-22, PG-25, PG-26)."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.rules import get_rule_set
from tables.rules.cards import DECK_WITH_JOKER, RANKS, cards_text, parse_cards
from tables.rules.joker import ACE_OR_COMPLETE, JOKER_RULES, rank_five_with_joker, rank_front_with_joker
from tables.rules.paigow import hand_fouls, house_way_setting
from tables.rules.ranking import WHEELS, Category, category_of, rank_front
from tables.rules.rulesets import RuleSet

CHARTS = ("california", "trump-plaza")
RULE_SETS = ("capitol", "capitol-jokers-wild")
seven_cards = st.lists(st.sampled_from(DECK_WITH_JOKER), min_size=7, max_size=7, unique=True)

SEVEN_CARD_HANDS = 154_143_080
# Backs by category from high card up, of every seven of 53 cards: exact, the wheel second highest.
BACKS = {
    "trump-plaza": (
        *(24_780_420, 90_699_500, 11_996_640, 10_449_072, 10_984_436),
        *(4_808_852, 155_346, 174_768, 94_040, 6),
    ),
    "california": (
        *(24_780_420, 91_843_212, 10_859_616, 10_453_872, 10_984_436),
        *(4_808_852, 150_552, 168_080, 94_040, 0),
    ),
}
PAIR_FRONTS = {"trump-plaza": 34_103_524, "california": 35_252_036}
TRUMP_PLAZA_FRONTS = {
    "32": 221_460,
    "42": 203_436,
    "43": 188_708,
    "52": 183_156,
    "53": 170_756,
    "54": 163_292,
    "62": 165_756,
    "76": 272_288,
    "87": 842_812,
    "AK": 11_723_556,
    "KQ": 10_123_956,
    "AA": 1_685_542,
    "KK": 1_589_656,
    "22": 3_437_218,
}


def rules(chart: str = "trump-plaza", slug: str = "capitol", **overrides: Any) -> RuleSet:
    return get_rule_set(slug).with_overrides({"house_way": chart} | overrides)


def front(cards: str, chart: str = "trump-plaza", slug: str = "capitol") -> str:
    return cards_text(house_way_setting(parse_cards(cards), rules(chart, slug)).front)


@given(seven_cards, st.sampled_from(CHARTS), st.sampled_from(JOKER_RULES), st.sampled_from(WHEELS))
def test_pg_26_no_house_way_fouls(cards: list[int], chart: str, joker: str, wheel: str) -> None:
    rule_set = rules(chart, joker=joker, wheel=wheel)

    setting = house_way_setting(cards, rule_set)

    assert sorted((*setting.front, *setting.back)) == sorted(cards)
    assert hand_fouls(setting.front, setting.back, rule_set) == ()


@pytest.mark.parametrize("slug", RULE_SETS)
@pytest.mark.parametrize("chart", CHARTS)
def test_pg_26_no_house_way_fouls_in_twenty_thousand_hands_half_of_them_with_the_joker(chart: str, slug: str) -> None:
    rng = random.Random(26)
    rule_set = rules(chart, slug)
    for number in range(20_000):
        cards = [*rng.sample(range(52), 6), 52] if number % 2 else rng.sample(range(52), 7)
        setting = house_way_setting(cards, rule_set)
        assert hand_fouls(setting.front, setting.back, rule_set) == (), cards_text(cards)


@given(seven_cards, st.randoms(use_true_random=False), st.sampled_from(CHARTS), st.sampled_from(RULE_SETS))
def test_pg_26_the_same_cards_in_any_order_are_set_alike(
    cards: list[int], rng: random.Random, chart: str, slug: str
) -> None:
    shuffled = list(cards)
    rng.shuffle(shuffled)

    first, second = (house_way_setting(order, rules(chart, slug)) for order in (cards, shuffled))

    assert (sorted(first.front), sorted(first.back), first.row) == (
        sorted(second.front),
        sorted(second.back),
        second.row,
    )


@pytest.mark.parametrize(
    ("cards", "chart", "row"),
    [
        ("As Kd 9c 7h 5s 3d 2c", "trump-plaza", "no pair: highest card back, second and third front"),
        ("Jk Ah Jc 9h 7s 4d 2c", "california", "one pair: pair back, two highest others front"),
        ("2c 2d 9h 8s 7d 6c 5h", "trump-plaza", "straight or flush beside a pair: pair front"),
        ("5s 5h 3c 3d Qh 9s 2c", "trump-plaza", "two pair: higher back, lower front"),
        ("5s 5h 3c 3d Qh 9s 2c", "california", "two pair, higher threes to fives, queen or better beside: both back"),
        ("2s 2h 8c 8d 8h As Kc", "trump-plaza", "full house with twos, ace and king beside: ace-king front"),
        ("Ac Ad As Ah Jk Ks Kd", "trump-plaza", "five of a kind and kings: kings front, all five back"),
    ],
)
def test_pg_26_a_setting_names_the_line_of_the_chart_that_fired(cards: str, chart: str, row: str) -> None:
    assert house_way_setting(parse_cards(cards), rules(chart)).row == row


@pytest.mark.parametrize(
    ("cards", "trump_plaza", "california"),
    [
        # Full houses: ace and king beside the twos matter to one chart only.
        ("2s 2h 8c 8d 8h As Kc", "As Kc", "2h 2s"),
        ("2s 2h 8c 8d 8h As Qc", "2h 2s", "2h 2s"),
        ("8c 8d 8h 5c 5d 3h 3s", "5c 5d", "5c 5d"),
        ("9c 9d 9h 5c 5d 5h 3s", "9c 9d", "9c 9d"),
        # Four of a kind by its class and by the card beside it.
        ("6c 6d 6h 6s Qc 9d 2h", "Qc 9d", "Qc 9d"),
        ("7c 7d 7h 7s Qc 9d 2h", "7c 7d", "Qc 9d"),
        ("Jc Jd Jh Js Kc 9d 2h", "Jc Jd", "Kc 9d"),
        ("Jc Jd Jh Js Ac 9d 2h", "Ac 9d", "Ac 9d"),
        ("Qc Qd Qh Qs Ac 9d 2h", "Ac 9d", "Qc Qd"),
        ("8c 8d 8h 8s 5c 5d 5h", "5c 5d", "5c 5d"),
        # Five aces.
        ("Ac Ad Ah As Jk Ks Kd", "Kd Ks", "Ac Ad"),
        ("Ac Ad Ah As Jk Qs Qd", "Ac Ad", "Ac Ad"),
        # The wheel is a straight for the house way too.
        ("As 2c 3d 4h 5s Kc 9d", "Kc 9d", "Kc 9d"),
        # Of equal fronts the one that leaves the straight flush.
        ("9c 9h 8c 7c 6c 5c 2d", "9h 2d", "9h 2d"),
        # A straight that stands only with a card of the pair.
        ("9c 9d 8h 7s 6d 5c Kh", "Kh 9c", "Kh 9c"),
    ],
)
def test_pg_25_the_two_charts_set_these_hands_so(cards: str, trump_plaza: str, california: str) -> None:
    assert (front(cards, "trump-plaza"), front(cards, "california")) == (trump_plaza, california)


def test_pg_25_a_front_takes_suits_in_order_and_a_real_ace_before_the_joker() -> None:
    assert front("8c 8d 8h 8s Qh 9s 2c") == "8c 8d"
    assert front("Jk As Ah Kd 9h 4s 2c") == "Ah Kd"
    assert front("Jk As Ah Ad 9h 4h 2h") == "Ad Ah"


@pytest.mark.parametrize("chart", CHARTS)
def test_pg_25_joker_and_two_aces_break_a_flush_that_leaves_no_pair_in_front(chart: str) -> None:
    assert front("Jk Ah Ac Kh Qh 7h 4c", chart) == "Jk Kh"
    assert front("Jk Ah Ac Kh Qh 7h 4h", chart) == "Ac Ah"


@pytest.mark.parametrize("chart", CHARTS)
def test_pg_25_with_a_straight_and_a_flush_beside_a_pair_both_front_cards_are_compared(chart: str) -> None:
    """Ten-seven beside the flush against ten-three beside the straight; ace-nine beside the straight against ace-three."""
    assert front("Tc Th 9h 8h 7c 6h 3h", chart) == "Tc 7c"
    assert front("Ac Ah 5h 4h 3c 2h 9h", chart) == "Ac 9h"


def test_pg_25_rk_08_a_wild_joker_joins_the_largest_group() -> None:
    wild = "capitol-jokers-wild"

    assert front("Jk 9c 9d 5c 5d Kh 2s", "trump-plaza", wild) == "5c 5d"
    assert front("Jk 9c 9d 9h Qc 4d 2s", "trump-plaza", wild) == "9c 9d"
    assert front("Jk 9c 9d 9h 9s Kc Kd", "trump-plaza", wild) == "Kc Kd"
    assert front("Jk Kc Jd 9h 6s 4d 2c", "trump-plaza", wild) == "Jd 9h"


@pytest.mark.parametrize("cards", ["As Kd 9c 7h 5s 3d", "As Kd 9c 7h 5s 3d 2c 4c", "As As Kd 9c 7h 5s 3d"])
def test_pg_22_only_seven_different_cards_can_be_set(cards: str) -> None:
    with pytest.raises(ValueError, match="seven different cards"):
        house_way_setting(parse_cards(cards), rules())


@pytest.mark.slow
@pytest.mark.parametrize("chart", CHARTS)
def test_pg_25_fronts_and_backs_come_as_often_as_the_enumeration_says(chart: str) -> None:
    """A seeded sample of 200,000 deals: each class within four standard deviations of its exact count."""
    rng = random.Random(25)
    deals = 200_000
    rule_set = rules(chart, wheel="second-highest")
    backs: Counter[Category] = Counter()
    fronts: Counter[int] = Counter()
    for _ in range(deals):
        setting = house_way_setting(rng.sample(DECK_WITH_JOKER, 7), rule_set)
        backs[category_of(rank_five_with_joker(setting.back, ACE_OR_COMPLETE, "second-highest"))] += 1
        fronts[rank_front_with_joker(setting.front, ACE_OR_COMPLETE)] += 1

    counts = {category.name: (backs[category], exact) for category, exact in zip(Category, BACKS[chart], strict=True)}
    pair_fronts = sum(count for strength, count in fronts.items() if category_of(strength) is Category.PAIR)
    counts["pair front"] = (pair_fronts, PAIR_FRONTS[chart])
    if chart == "trump-plaza":
        counts |= {text: (fronts[front_strength(text)], exact) for text, exact in TRUMP_PLAZA_FRONTS.items()}
    for name, (count, exact) in counts.items():
        share = exact / SEVEN_CARD_HANDS
        deviation = (deals * share * (1 - share)) ** 0.5
        assert abs(count - deals * share) <= 4 * deviation, name


def front_strength(ranks: str) -> int:
    return rank_front([RANKS.index(rank) * 4 + suit for suit, rank in enumerate(ranks)])
