"""How a hand may be set and how it compares, under both rule sets and both wheels (PG-20 to PG-22, PG-30, RK-06)."""

from collections.abc import Sequence
from itertools import pairwise, product
from typing import Any

import pytest

from tables.rules.cards import parse_cards
from tables.rules.joker import JOKER_RULES, rank_five_with_joker
from tables.rules.ranking import WHEELS
from tests.tables.rules.paigow_hands import hand_at, hands, settled, wager

ACE_SET = "capitol"
WILD_SET = "capitol-jokers-wild"
EVERY_RULE = pytest.mark.parametrize(("rules", "wheel"), list(product([ACE_SET, WILD_SET], WHEELS)))
DEALERS_PILE = {"position": 1, "cards": "3c 3h 4c 6c Jh Tc 7h"}
SWITCHED_AT_3 = [{"kind": "card-switching", "position": 3}]


def against(front: str, back: str, *, position: int, rules: str, wheel: str = "lowest", **changes: Any) -> Any:
    """The entry of a hand set so at a position of a table of two, the Player/Dealer's position or another."""
    placed = {"position": position, "front": front, "back": back}
    other = DEALERS_PILE | {"position": 3 if position == 1 else 1}
    verdict = settled(
        hands=[placed, other], rules=rules, overrides={"wheel": wheel}, wagers=[wager("w1", 3, 5_000)], **changes
    )
    return hand_at(verdict, position)


# Front, back, and under which rules the front outranks the back: ace-or-complete, wild.
JOKER_TRAPS = [
    # In front the joker is an ace, or pairs its companion.
    ("Jk 9c", "8s 8c Qd 5s 2s", False, True),
    ("Jk 9c", "9s 9d Qd 5s 2s", False, False),
    ("Jk 9c", "Ts Td Qd 5s 2s", False, False),
    ("Jk 9c", "8s 8c 2d 2s Qd", False, False),
    ("Jk 9c", "Ah 9d 8s 5s 2d", False, True),
    ("Jk 9c", "Ah Td 8s 5s 2d", False, True),
    ("Jk 9c", "Ah 8d 7s 5s 2d", True, True),
    ("Jk 9c", "Kh Qd 8s 5s 2d", True, True),
    ("Jk Kc", "Ah Kd 8s 5s 2d", False, True),
    ("Jk Kc", "Qh Qd 8s 5s 2d", False, True),
    ("Jk Kc", "Ah Ad 8s 5s 2d", False, False),
    ("Jk 2c", "2d 2s 8s 5s Kd", False, False),
    # Beside an ace both rules make it a pair of aces.
    ("Jk Ac", "Kh Kd 8s 5s 2d", True, True),
    ("Jk Ac", "Ah Ad 8s 5s 2d", False, False),
    ("Jk Ac", "Kh Kd 8s 8d 2d", False, False),
    # Behind, an ace may be too low where any card would do.
    ("9c 9d", "Jk Td 8s 5s 2d", True, False),
    ("9c 9d", "Jk 8d Qs 5s 2d", True, False),
    ("Kc Kd", "Jk Td Qs 5s 2d", True, True),
    ("Kc Kd", "Jk Td 8d 5d 2d", False, False),
    ("Ac Kd", "Jk Td 8s 5s 2d", True, False),
    ("Ac Kd", "Jk 5s 4d 3s 2d", False, False),
]


@pytest.mark.parametrize("wheel", WHEELS)
@pytest.mark.parametrize(("front", "back", "by_ace", "when_wild"), JOKER_TRAPS)
def test_pg_20_pg_21_rk_07_rk_08_a_player_who_overlooks_what_the_joker_is_fouls(
    front: str, back: str, by_ace: bool, when_wild: bool, wheel: str
) -> None:
    for rules, fouls in ((ACE_SET, by_ace), (WILD_SET, when_wild)):
        entry = against(front, back, position=3, rules=rules, wheel=wheel)

        assert entry["fouls"] == (["front-beats-back"] if fouls else [])
        assert entry["status"] == ("foul" if fouls else "set")
        assert (entry["front_result"] is None, entry["back_result"] is None) == (fouls, fouls)


@pytest.mark.parametrize("wheel", WHEELS)
@pytest.mark.parametrize(("front", "back", "by_ace", "when_wild"), JOKER_TRAPS)
def test_pg_46_rk_07_rk_08_a_player_dealer_who_overlooks_what_the_joker_is_has_the_hand_reset(
    front: str, back: str, by_ace: bool, when_wild: bool, wheel: str
) -> None:
    for rules, fouls in ((ACE_SET, by_ace), (WILD_SET, when_wild)):
        entry = against(front, back, position=1, rules=rules, wheel=wheel)

        assert entry["fouls"] == (["front-beats-back"] if fouls else [])
        assert entry["status"] == ("reset-house-way" if fouls else "set")
        assert ("row" in entry) == fouls


@EVERY_RULE
@pytest.mark.parametrize(
    ("front", "back", "fouls"),
    [
        ("8h 8d", "8s 8c Qs 5s 2s", False),
        ("8h 8d", "9s 9c Qs 5s 2s", False),
        ("8h 8d", "5h 5c Qs 8s 2s", True),
        ("8h 8d", "5h 5c 2s 2d Qs", False),
        ("Ah Kd", "As Kc Qs 5s 2s", False),
        ("Ah Qd", "As Kc 9s 5s 2s", False),
        ("Ah Kd", "As Qc 9s 5s 2s", True),
        ("Kh Qd", "Ks Jc 9s 5s 2s", True),
        ("Kh 2d", "Ks Qc 9s 5s 8d", False),
        ("2h 2d", "As Kc 9s 5s 8d", True),
        ("Ah Ad", "As 2c 9s 5s 8d", True),
        ("Ah Ad", "As 2c 3s 4s 5d", False),
    ],
)
def test_pg_20_the_back_is_higher_by_what_both_have_and_when_that_is_equal(
    front: str, back: str, fouls: bool, rules: str, wheel: str
) -> None:
    entry = against(front, back, position=3, rules=rules, wheel=wheel)

    assert entry["fouls"] == (["front-beats-back"] if fouls else [])


@EVERY_RULE
@pytest.mark.parametrize("size", [0, 1, 3, 4, 5, 6, 7])
def test_pg_21_a_front_of_other_than_two_cards_fouls_and_makes_nothing(size: int, rules: str, wheel: str) -> None:
    cards = ["Ah", "Kd", "9s", "8c", "5s", "4s", "2s"]

    entry = against(" ".join(cards[:size]), " ".join(cards[size:]), position=3, rules=rules, wheel=wheel)

    assert (entry["status"], entry["fouls"]) == ("foul", ["segment-size"])
    assert (entry["front_hand"], entry["back_hand"] is None) == (None, size != 2)


@EVERY_RULE
def test_pg_21_cards_switched_foul_a_hand_that_would_have_won(rules: str, wheel: str) -> None:
    honest = against("Ah Kd", "As Ac 9s 5s 2s", position=3, rules=rules, wheel=wheel)
    switched = against("Ah Kd", "As Ac 9s 5s 2s", position=3, rules=rules, wheel=wheel, incidents=SWITCHED_AT_3)

    assert (honest["result"], honest["fouls"]) == ("win", [])
    assert (switched["result"], switched["fouls"]) == ("lose", ["card-switching"])


def test_pg_21_pg_32_a_foul_loses_what_the_bank_covers_and_the_rest_comes_back() -> None:
    verdict = settled(
        bank=[{"patron": "banker", "amount": 3_000}],
        hands=hands(p3={"front": "Th Ts", "back": "Ah Kd 8c 5d 3h"}),
        wagers=[wager("w1", 3, 5_000), wager("w2", 3, 1_000, seated=False)],
    )

    assert [(entry["covered"], entry["returned"], entry["net"], entry["rule"]) for entry in verdict["wagers"]] == [
        (3_000, 2_000, -3_000, "PG-21"),
        (0, 1_000, 0, "PG-32"),
    ]


@EVERY_RULE
@pytest.mark.parametrize("cards", ["Jk Kc 9c 8d 7d 4c 2s", "Jk Ac Kc Kd 9d 4c 2s", "9c 8d 2c 4d Kh Qh Jh"])
def test_pg_22_a_pile_with_or_without_the_joker_is_set_the_house_way(cards: str, rules: str, wheel: str) -> None:
    table = [{"position": 3, "cards": cards}, {"position": 1, "front": "3h 2d", "back": "5c 5d 5h 5s 6s"}]

    entry = hand_at(settled(hands=table, rules=rules, overrides={"wheel": wheel}), 3)

    assert (entry["status"], entry["fouls"], entry["rule"]) == ("house-way", [], "PG-22")
    assert entry["row"]
    assert (len(entry["front"].split()), len(entry["back"].split())) == (2, 5)
    assert sorted(f"{entry['front']} {entry['back']}".split()) == sorted(cards.split())


# The Player/Dealer has queen-ten in front and a pair of nines with jack, six and four behind.
FRONTS = {"win": "Qc Jd", "copy": "Qc Td", "lose": "Qc 8d"}
BACKS = {"win": "9c 9d Js 6d 5d", "copy": "9c 9d Js 6d 4d", "lose": "9c 9d Js 6d 3d"}
RESULTS = {0: "lose", 1: "push", 2: "win"}


@EVERY_RULE
@pytest.mark.parametrize(("front", "back"), list(product(FRONTS, BACKS)))
def test_pg_30_two_parts_won_win_one_pushes_none_loses_and_a_copy_is_the_player_dealers(
    front: str, back: str, rules: str, wheel: str
) -> None:
    table = [
        {"position": 1, "front": "Qh Th", "back": "9h 9s Jc 6c 4c"},
        {"position": 3, "front": FRONTS[front], "back": BACKS[back]},
    ]
    verdict = settled(hands=table, rules=rules, overrides={"wheel": wheel})
    entry = hand_at(verdict, 3)
    result = RESULTS[[front, back].count("win")]

    assert (entry["front_result"], entry["back_result"], entry["result"]) == (front, back, result)
    assert verdict["wagers"][0]["net"] == {"lose": -5_000, "push": 0, "win": 5_000}[result]


# The best hand of each category, from five aces down to high card.
BEST = [
    "Jk Ac Ad Ah As",
    "Ks Qs Js Ts As",
    "Ks Qs Js Ts 9s",
    "Ac Ad Ah As Kc",
    "Ac Ad Ah Kc Kd",
    "As Ks Qs Js 9s",
    "Ac Kd Qh Js Tc",
    "Ac Ad Ah Ks Qc",
    "Ac Ad Kc Kd Qs",
    "Ac Ad Kc Qd Js",
    "Ac Kd Qh Js 9c",
]


@pytest.mark.parametrize("wheel", WHEELS)
@pytest.mark.parametrize("joker", JOKER_RULES)
def test_rk_06_the_best_of_each_category_is_beaten_by_the_worst_of_the_one_above(joker: str, wheel: str) -> None:
    worst = [
        "2c 2d 2h 2s Jk" if joker == "wild" else "Jk Ac Ad Ah As",
        "Ks Qs Js Ts As",
        "2s 3s 4s 5s 6s" if wheel == "second-highest" else "As 2s 3s 4s 5s",
        "2c 2d 2h 2s 3c",
        "2c 2d 2h 3c 3d",
        "2s 3s 4s 5s 7s",
        "2c 3d 4h 5s 6c" if wheel == "second-highest" else "Ac 2d 3h 4s 5c",
        "2c 2d 2h 3s 4c",
        "2c 2d 3c 3d 4s",
        "2c 2d 3c 4d 5s",
        "2c 3d 4h 5s 7c",
    ]
    spans = [(strength(low, joker, wheel), strength(high, joker, wheel)) for low, high in zip(worst, BEST, strict=True)]

    assert all(low <= high for low, high in spans)
    assert all(low_above > high_below for (low_above, _), (_, high_below) in pairwise(spans))


@pytest.mark.parametrize("joker", JOKER_RULES)
@pytest.mark.parametrize("suits", ["ccccc", "cdhsc"])
@pytest.mark.parametrize(
    ("wheel", "order"),
    [("lowest", ["A2345", "23456", "9TJQK", "TJQKA"]), ("second-highest", ["23456", "9TJQK", "A2345", "TJQKA"])],
)
def test_rk_02_rk_06_the_wheel_stands_where_the_rule_set_puts_it_suited_or_not(
    wheel: str, order: Sequence[str], suits: str, joker: str
) -> None:
    strengths = [strength(" ".join(map("".join, zip(ranks, suits, strict=True))), joker, wheel) for ranks in order]

    assert strengths == sorted(set(strengths))


def strength(cards: str, joker: str, wheel: str) -> int:
    return rank_five_with_joker(parse_cards(cards), joker, wheel)
