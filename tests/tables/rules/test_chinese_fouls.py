"""What a fouled hand and a surrendered hand pay (CP-30, CP-31, CP-32, CP-33, CP-35, CP-36)."""

from typing import Any

import pytest

from tables.rules import settle
from tests.tables.rules.chinese_hands import (
    BEATEN,
    DRAGON,
    FOULED,
    KINGS_IN_BACK,
    MODEST,
    NO_NATURAL,
    SET_AGAINST_DRAGON,
    SIX_PAIRS,
    SUPER,
    SWEEPER,
    SWEPT,
    TRIPS_IN_FRONT,
    hands,
    lines,
    points,
    record,
    seat,
    settled,
    swap_front_and_back,
)

WEAK_FOUL = "Ah Ad 5c | 9h 9d Jc 6c 3c | Kc Kd 4s 4h 3d"


@pytest.mark.parametrize(("rules", "foul"), [("cardroom", 6), ("cardroom-mandarin", 6), ("future-western", 3)])
def test_cp30_a_foul_pays_the_foul_points_and_nothing_beside_it(rules: str, foul: int) -> None:
    verdict = settled(rules, SWEPT, swap_front_and_back(SWEEPER))
    assert lines(verdict) == [("foul", 1, None, foul, "CP-30")]


@pytest.mark.parametrize(("rules", "foul"), [("cardroom-mandarin", 6), ("future-eastern", 3)])
def test_cp30_and_every_bonus_the_opponent_holds_without_doubling(rules: str, foul: int) -> None:
    verdict = settled(rules, TRIPS_IN_FRONT, WEAK_FOUL)
    assert lines(verdict) == [
        ("foul", 1, None, foul, "CP-30"),
        ("bonus", 1, "front", 3, "CP-30"),
        ("bonus", 1, "middle", 2, "CP-30"),
        ("bonus", 1, "back", 4, "CP-30"),
    ]


def test_cp30_the_bonus_need_not_have_won_its_segment() -> None:
    higher_quads = "Ah Ad 3d | Qh Jd 9s 6c 3c | Ks Kh Kd Kc 5s"
    verdict = settled("cardroom-mandarin", "2h 4s 5h | 6s 6h 7d 8d Jc | 9c 9h 9d Td 2c", higher_quads)
    assert lines(verdict) == [("foul", 1, None, 6, "CP-30")]
    lower_quads = "2h 4s 5h | 6s 6h 7d 8d Jc | Tc Th Td Ts 2c"
    verdict = settled("future-eastern", lower_quads, higher_quads)
    assert lines(verdict) == [("foul", 1, None, 3, "CP-30"), ("bonus", 1, "back", 4, "CP-30")]


def test_cp17_cp30_the_cap_cuts_what_a_foul_owes_in_bonuses() -> None:
    verdict = settled("cardroom-mandarin", TRIPS_IN_FRONT, WEAK_FOUL, overrides={"bonus_cap": 4})
    assert points(verdict) == [10, -10]


def test_cp31_a_hand_of_the_wrong_segment_sizes_pays_as_a_foul() -> None:
    verdict = settled("cardroom-mandarin", SWEPT, "Kh Kd 4c Ah | Ad 8c 7d 3s | Qs Qd Jc Js 9h")
    assert points(verdict) == [6, -6]


def test_cp32_two_fouled_hands_owe_each_other_nothing() -> None:
    verdict = settled("cardroom-mandarin", swap_front_and_back(SWEPT), swap_front_and_back(SWEEPER))
    assert [entry["status"] for entry in verdict["seats"]] == ["foul", "foul"]
    assert lines(verdict) == []


def test_cp32_a_fouled_hands_own_bonuses_count_for_nothing() -> None:
    verdict = settled("cardroom-mandarin", "Ah Ad 3c | Qh Jd 7h 6s 2d | Ks Kh Kd Kc 5s", MODEST)
    assert lines(verdict) == [("foul", 2, None, 6, "CP-30")]


@pytest.mark.parametrize(
    ("rules", "foul"), [("cardroom", 6), ("cardroom-mandarin", 6), ("future-western", 3), ("future-eastern", 3)]
)
def test_cp32_an_automatic_win_in_a_fouled_hand_counts_for_nothing(rules: str, foul: int) -> None:
    dragon_set_wrongly = "Qc Jh Kd | As 2s 3h 4c 9d | 5d 6s 7h 8c Ts"
    verdict = settled(rules, dragon_set_wrongly, "2h 3c 5h | 6h 6d 9s 8d 7c | Th Td 4d 4h 2c")
    assert lines(verdict) == [("foul", 2, None, foul, "CP-30")]


@pytest.mark.parametrize(
    ("rules", "cards", "kind", "line"),
    [
        ("cardroom-mandarin", DRAGON, "dragon", ("automatic-win", 1, None, 13, "CP-33")),
        ("cardroom-mandarin", SIX_PAIRS, "six-pairs", ("foul", 1, None, 6, "CP-33")),
        ("future-western", DRAGON, "dragon", ("automatic-win", 1, None, 13, "CP-33")),
        ("future-western", SIX_PAIRS, "six-pairs", ("automatic-win", 1, None, 3, "CP-33")),
    ],
)
def test_cp33_a_foul_against_an_automatic_win(rules: str, cards: str, kind: str, line: tuple[Any, ...]) -> None:
    foul = "Kh Ks Kc | Jd Js Qh Td 9h | 8d 8s Qs Ad Tc"
    verdict = settle(record(rules, seat(1, cards, declares=kind), seat(2, foul)))
    assert verdict["seats"][1]["status"] == "foul"
    assert lines(verdict) == [line]


def test_cp33_equal_amounts_are_paid_to_the_automatic_win() -> None:
    seats = seat(1, SIX_PAIRS, declares="six-pairs"), seat(2, NO_NATURAL, declares="dragon")
    verdict = settle(record("cardroom", *seats, overrides={"foul_points": 4}))
    assert lines(verdict) == [("automatic-win", 1, None, 4, "CP-33")]


def test_cp33_a_false_declaration_pays_an_automatic_win_like_any_foul() -> None:
    verdict = settle(
        record("cardroom", seat(1, SIX_PAIRS, declares="six-pairs"), seat(2, NO_NATURAL, declares="dragon"))
    )
    assert points(verdict) == [6, -6]


def surrendering(**third: Any) -> dict[str, Any]:
    """Two seats surrender, one plays as set, one as said."""
    return settle(
        record(
            "future-eastern",
            seat(1, SUPER, surrenders=True),
            seat(2, BEATEN[0], surrenders=True),
            seat(3, BEATEN[1]),
            {**seat(4, BEATEN[2]), **third},
        )
    )


def test_cp35_a_surrendered_hand_pays_every_opponent_who_plays() -> None:
    verdict = surrendering()
    assert verdict["seats"][0]["status"] == "surrendered"
    assert lines(verdict, 1, 3) == [("surrender", 3, None, 3, "CP-35")]
    assert lines(verdict, 1, 4) == [("surrender", 4, None, 3, "CP-35")]


def test_cp35_it_pays_an_automatic_win_no_more_than_any_other() -> None:
    verdict = settle(
        record("future-western", seat(1, DRAGON, declares="dragon"), seat(2, SET_AGAINST_DRAGON, surrenders=True))
    )
    assert lines(verdict) == [("surrender", 1, None, 3, "CP-35")]


def test_cp36_surrendered_against_surrendered_or_fouled_is_nothing() -> None:
    front, middle, back = (segment.strip() for segment in swap_front_and_back(BEATEN[2]).split("|"))
    verdict = surrendering(front=front, middle=middle, back=back)
    assert verdict["seats"][3]["status"] == "foul"
    assert lines(verdict, 1, 2) == []
    assert lines(verdict, 1, 4) == []
    assert points(verdict)[3] == -3


def test_cp35_a_surrendered_hand_shows_no_fouls_and_need_not_be_set() -> None:
    fouled = record("future-western", seat(1, FOULED, surrenders=True), seat(2, MODEST))
    unset = record("future-western", seat(1, KINGS_IN_BACK.replace("|", ""), surrenders=True), seat(2, MODEST))
    for one in (fouled, unset):
        verdict = settle(one)
        assert verdict["seats"][0]["status"] == "surrendered"
        assert verdict["seats"][0]["fouls"] == []
        assert points(verdict) == [-3, 3]


def test_cp35_where_surrender_is_not_offered_the_points_are_a_parameter_away() -> None:
    dealt = hands("cardroom", SWEEPER, SWEPT, overrides={"surrender_points": 2})
    dealt["seats"][0]["surrenders"] = True
    assert points(settle(dealt)) == [-2, 2]
