"""Hands as the shipped house ways set them (PG-22, PG-25, PG-26)."""

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.rules import get_rule_set
from tables.rules.cards import DECK_WITH_JOKER, cards_text, parse_cards
from tables.rules.joker import JOKER_RULES, rank_five_with_joker
from tables.rules.paigow import hand_fouls, house_way_setting
from tables.rules.paigow.shapes import Complete, read_holding
from tables.rules.ranking import ACE, WHEELS, Category, category_of, straight_strength
from tables.rules.rulesets import RuleSet
from tests.tables.rules.seven_cards import hands_of_every_kind

COMPLETE = {
    Category.STRAIGHT: Complete.STRAIGHT_OR_FLUSH,
    Category.FLUSH: Complete.STRAIGHT_OR_FLUSH,
    Category.STRAIGHT_FLUSH: Complete.STRAIGHT_FLUSH,
}
CHARTS = ("california", "foxwoods", "golden-nugget", "trump-plaza")
PUBLISHED = ("california", "foxwoods", "trump-plaza")
RULE_SETS = ("capitol", "capitol-jokers-wild")
seven_cards = st.lists(st.sampled_from(DECK_WITH_JOKER), min_size=7, max_size=7, unique=True)


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
def test_pg_26_no_house_way_fouls_in_four_thousand_hands_full_of_flushes_and_jokers(chart: str, slug: str) -> None:
    """Both wheels. All hands there are, whatever a chart holds, are gone through in ``test_house_way_figures.py``."""
    rule_sets = [rules(chart, slug, wheel=wheel) for wheel in WHEELS]
    for number, cards in enumerate(hands_of_every_kind(4_000)):
        rule_set = rule_sets[number // 4 % 2]
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
        (
            "Ah Kh Ks Qc Jh Tc 5c",
            "foxwoods",
            "straight or flush with an ace and a pair of tens to kings: pair back, for the better ace-high front",
        ),
        ("7c 7d 5h 5s Ac 9d 2h", "golden-nugget", "two pair, ace beside: both back"),
        ("As Ks Js Tc Jk Qs Qh", "golden-nugget", "royal flush: back, with the highest front it leaves"),
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


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        # A straight beside an ace and a pair of tens to kings gives way to a better front only.
        ("Ah Kh Ks Qc Jh Tc 5c", "Ah Qc"),
        ("Jk Kc Ks Ts 7s 6s 4h", "Jk Ts"),
        ("Ac Tc Th 9s 8d 7c 6h", "Ac Tc"),
        ("Tc Th Ac 5s 4d 3c 2h", "Tc Th"),
        ("Ah 9h 9s Kc Qh Jc Td", "9h 9s"),
        ("Ac Ad Kh Qs Jc Td 4h", "Ac 4h"),
        # Two pair by the higher pair, a straight or not.
        ("Ts Th 8c 8d Ac 5d 3h", "Ac 5d"),
        ("Ts Th 8c 8d Kc 5d 3h", "8c 8d"),
        ("6s 6h 3c 3d Kh 9s 2c", "Kh 9s"),
        ("6s 6h 3c 3d Qh 9s 2c", "3c 3d"),
        ("Js Jh 3c 3d Ah 9s 2c", "3c 3d"),
        ("9c 9d 8h 8s 7c 6d 5h", "8h 8s"),
        # Threes, full houses, fours and fives.
        ("Ac Ad Ah Ks 9c 7d 2h", "Ac Ks"),
        ("9c 9d 9h 8s 7c 6d 5h", "9c 9d"),
        ("2s 2h 8c 8d 8h As Kc", "2h 2s"),
        ("7c 7d 7h 7s Kc 9d 2h", "Kc 9d"),
        ("7c 7d 7h 7s Qc 9d 2h", "7c 7d"),
        ("Jc Jd Jh Js Ac 9d 2h", "Jc Jd"),
        ("Ac Ad Ah As Jk Ks Kd", "Kd Ks"),
        ("Ac Ad Ah As Jk Qs Qd", "Ac Ad"),
    ],
)
def test_pg_25_foxwoods_sets_these_hands_so(cards: str, expected: str) -> None:
    assert front(cards, "foxwoods") == expected


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        # Two pair.
        ("7c 7d 5h 5s Ac 9d 2h", "Ac 9d"),
        ("7c 7d 5h 5s Kc 9d 2h", "5h 5s"),
        ("6c 6d 5h 5s Qc 9d 2h", "Qc 9d"),
        ("Jc Jd 6h 6s Ac 9d 2h", "6h 6s"),
        ("Jc Jd 5h 5s Ac 9d 2h", "Ac 9d"),
        ("Ac Ad 2h 2s Kc 9d 4h", "2h 2s"),
        # A straight is kept beside two pair unless an ace is left, or the pairs are high.
        ("9c 9d 8h 8s 7c 6d 5h", "9c 8h"),
        ("Ac 5c 5d 4h 4s 3c 2d", "Ac 3c"),
        ("Jc Jd Th Ts 9c 8d 7h", "Th Ts"),
        # A straight flush breaks for jacks or better, a royal flush for kings or better.
        ("9c 8c 7c 6c 5c Ah Kd", "Ah Kd"),
        ("Jh Jc Th 9h 8h 7h 6c", "Jc Jh"),
        ("Th Tc 9h 8h 7h 6h 5c", "Tc 5c"),
        ("As Qs Js Tc Jk Ks Kh", "Kh Ks"),
        ("As Ks Js Tc Jk Qs Qh", "Qh Tc"),
        # It also goes before a full house; a straight does not.
        ("Ac Ad Jk 2c 2d 3c 4c", "Ad 2d"),
        ("Ac Ad Jk 2c 2d 3c 4h", "2c 2d"),
        # Threes and full houses.
        ("Ac Ad Ah Ks 9c 7d 2h", "Ac Ks"),
        ("9c 9d 9h 8s 7c 6d 5h", "9c 9d"),
        ("Jk Ah Ac Kh Qh 7h 4c", "Ac 4c"),
        ("2s 2h 8c 8d 8h As Kc", "As Kc"),
        ("2s 2h 8c 8d 8h As Qc", "2h 2s"),
        # Fours by their class and what is beside them; fives.
        ("6c 6d 6h 6s 3c 4d 2h", "4d 3c"),
        ("7c 7d 7h 7s Kc 9d 2h", "7c 7d"),
        ("7c 7d 7h 7s Ac 9d 2h", "Ac 9d"),
        ("Jc Jd Jh Js Ac 9d 2h", "Jc Jd"),
        ("Jc Jd Jh Js Tc Td 2h", "Tc Td"),
        ("Jc Jd Jh Js 9c 9d 9h", "Jc Jd"),
        ("Ac Ad Ah As 7c 7d 2h", "7c 7d"),
        ("Ac Ad Ah As 6c 6d 6h", "Ac Ad"),
        ("Ac Ad Ah As Jk Ks Kd", "Kd Ks"),
    ],
)
def test_pg_25_golden_nugget_sets_these_hands_so(cards: str, expected: str) -> None:
    assert front(cards, "golden-nugget") == expected


@pytest.mark.parametrize("joker", JOKER_RULES)
def test_pg_25_what_a_chart_takes_for_complete_is_the_best_straight_or_flush_among_the_cards(joker: str) -> None:
    royal = straight_strength(Category.STRAIGHT_FLUSH, ACE)
    for cards in hands_of_every_kind(400):
        made = [rank_five_with_joker(five, joker) for five in combinations(cards, 5)]
        best = max((strength for strength in made if category_of(strength) in COMPLETE), default=0)
        expected = Complete.NOTHING if best == 0 else COMPLETE[category_of(best)]
        assert read_holding(cards, joker).complete == (Complete.ROYAL_FLUSH if best == royal else expected), cards


def test_pg_25_a_front_takes_suits_in_order_and_a_real_ace_before_the_joker() -> None:
    assert front("8c 8d 8h 8s Qh 9s 2c") == "8c 8d"
    assert front("Jk As Ah Kd 9h 4s 2c") == "Ah Kd"
    assert front("Jk As Ah Ad 9h 4h 2h") == "Ad Ah"


@pytest.mark.parametrize("chart", PUBLISHED)
def test_pg_25_joker_and_two_aces_break_a_flush_that_leaves_no_pair_in_front(chart: str) -> None:
    assert front("Jk Ah Ac Kh Qh 7h 4c", chart) == "Jk Kh"
    assert front("Jk Ah Ac Kh Qh 7h 4h", chart) == "Ac Ah"


@pytest.mark.parametrize("chart", CHARTS)
def test_pg_25_with_a_straight_and_a_flush_beside_a_pair_both_front_cards_are_compared(chart: str) -> None:
    """Ten-seven beside the flush against ten-three beside the straight; ace-nine beside the straight against ace-three."""
    assert front("Tc Th 9h 8h 7c 6h 3h", chart) == "Tc 7c"
    assert front("Ac Ah 5h 4h 3c 2h 9h", chart) == "Ac 9h"


@pytest.mark.parametrize("chart", CHARTS)
@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("Ac Kd Qh Js Tc 9d 8h", "Ac Kd"),
        ("Jc Td 9h 8s 7c 6d 2h", "Jc 2h"),
        ("Ah Kh 9h 7h 4h 2h 3c", "Ah 3c"),
        ("Ah Kh Jh 9h 7h 4h 2h", "Ah Kh"),
        ("Jk Kd Qh Js Tc 9d 8h", "Jk Kd"),
        ("Jk Kh Jh 9h 7h 4h 2h", "Jk Kh"),
        ("Ah Kc 9h 8h 7d 6h 5h", "Ah Kc"),
    ],
)
def test_pg_25_of_six_or_seven_cards_or_a_straight_and_a_flush_the_best_front_is_taken(
    cards: str, expected: str, chart: str
) -> None:
    assert front(cards, chart) == expected


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
