"""What the joker makes of a hand, under both rules (RK-06, RK-07, RK-08)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.rules.cards import DECK, JOKER, parse_cards
from tables.rules.joker import ACE_OR_COMPLETE, JOKER_RULES, WILD, rank_five_with_joker, rank_front_with_joker
from tables.rules.ranking import WHEELS, Category, describe, grouped_strength, rank_five, rank_front

four_cards = st.lists(st.sampled_from(DECK), min_size=4, max_size=4, unique=True)
COMPLETED = (Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH)


def five(text: str, joker: str, wheel: str = "lowest") -> str:
    return describe(rank_five_with_joker(parse_cards(text), joker, wheel), royal=True)


def strength(text: str, joker: str = ACE_OR_COMPLETE) -> int:
    return rank_five_with_joker(parse_cards(text), joker)


def best_by_trying_every_card(four: list[int], joker: str, wheel: str) -> int:
    """The joker put in place of each of the 52 cards, straight from the wording of the rules."""
    found = []
    for card in DECK:
        if card not in four:
            made = rank_five([*four, card], wheel)
            if joker == WILD or card >> 2 == 12 or made >> 20 in COMPLETED:
                found.append(made)
    ranks = [card >> 2 for card in four]
    if len(set(ranks)) == 1 and (joker == WILD or ranks[0] == 12):
        found.append(grouped_strength(rank + 2 for rank in [*ranks, ranks[0]]))
    return max(found)


@given(four_cards, st.sampled_from(JOKER_RULES), st.sampled_from(WHEELS))
def test_rk_07_rk_08_the_joker_is_the_best_card_its_rule_allows(four: list[int], joker: str, wheel: str) -> None:
    assert rank_five_with_joker([*four, JOKER], joker, wheel) == best_by_trying_every_card(four, joker, wheel)


@given(st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True), st.sampled_from(JOKER_RULES))
def test_without_the_joker_a_hand_ranks_as_ever(cards: list[int], joker: str) -> None:
    assert rank_five_with_joker(cards, joker) == rank_five(cards)
    assert rank_front_with_joker(cards[:2], joker) == rank_front(cards[:2])


@given(four_cards, st.permutations(range(5)), st.sampled_from(JOKER_RULES))
def test_the_order_of_the_cards_has_no_meaning(four: list[int], order: list[int], joker: str) -> None:
    cards = [*four, JOKER]

    assert rank_five_with_joker([cards[place] for place in order], joker) == rank_five_with_joker(cards, joker)


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("Jk Ac Ad Ah As", "five of a kind: aces"),
        ("Jk Kc Kd Kh Ks", "four of a kind: kings"),
        ("Jk Ks Qs Js Ts", "royal flush"),
        ("Jk Ac Kd 9h 4s", "pair of aces"),
        ("Jk 9c 9d 4h 2s", "pair of nines"),
        ("Jk Ac 5c 5d 3h", "two pair: aces and fives"),
        ("Jk 2c 3d 4h 5s", "straight: six high"),
        ("Jk Ac 2d 3h 4s", "straight: five high"),
        ("Jk Ac Kd Jh Ts", "straight: ace high"),
        ("Jk Qc Kd 2h 3s", "high card: ace"),
    ],
)
def test_rk_07_the_joker_is_an_ace_or_completes(cards: str, name: str) -> None:
    assert five(cards, ACE_OR_COMPLETE) == name


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("Jk Kc Kd Kh Ks", "five of a kind: kings"),
        ("Jk Ac Ad Ah As", "five of a kind: aces"),
        ("Jk 9c 9d 4h 2s", "three of a kind: nines"),
        ("Jk 9c 9d 4h 4s", "full house: nines over fours"),
        ("Jk Kc 9d 4h 2s", "pair of kings"),
        ("Jk 9c 9d 9h As", "four of a kind: nines"),
    ],
)
def test_rk_08_the_wild_joker_is_any_card(cards: str, name: str) -> None:
    assert five(cards, WILD) == name


@pytest.mark.parametrize("joker", JOKER_RULES)
def test_rk_07_rk_08_in_a_flush_the_joker_is_the_highest_missing_rank(joker: str) -> None:
    assert strength("Jk As 9s 5s 2s", joker) == strength("Ah Kh 9h 5h 2h")
    assert strength("Jk Ks 9s 5s 2s", joker) == strength("Ah Kh 9h 5h 2h")


def test_rk_02_rk_07_the_six_high_straight_is_best_only_while_the_wheel_is_lowest() -> None:
    assert five("Jk 2c 3d 4h 5s", ACE_OR_COMPLETE, "lowest") == "straight: six high"
    assert five("Jk 2c 3d 4h 5s", ACE_OR_COMPLETE, "second-highest") == "straight: five high"


@pytest.mark.parametrize(
    ("joker", "cards", "name"),
    [
        (ACE_OR_COMPLETE, "Jk 4c", "ace-four"),
        (ACE_OR_COMPLETE, "Jk Ac", "pair of aces"),
        (WILD, "4c Jk", "pair of fours"),
        (WILD, "Ac Jk", "pair of aces"),
    ],
)
def test_rk_07_rk_08_in_a_front_the_joker_is_an_ace_or_pairs_its_companion(joker: str, cards: str, name: str) -> None:
    assert describe(rank_front_with_joker(parse_cards(cards), joker)) == name


def test_rk_06_hands_rank_in_the_pai_gow_order() -> None:
    descending = (
        "Jk Ac Ad Ah As",
        "Ah Kh Qh Jh Th",
        "Kh Qh Jh Th 9h",
        "9c 9d 9h 9s 2c",
        "9c 9d 9h 2c 2d",
        "Ah 9h 7h 4h 2h",
        "Kh Qd Jh Th 9h",
        "9c 9d 9h 4c 2d",
        "9c 9d 4h 4c 2d",
        "9c 9d 5h 4c 2d",
        "Kc 9d 5h 4c 2d",
    )
    strengths = [strength(cards) for cards in descending]

    assert strengths == sorted(set(strengths), reverse=True)
    assert describe(rank_front(parse_cards("9c 9d"))) == "pair of nines"
    assert describe(rank_front(parse_cards("Kc 9c"))) == "king-nine"
