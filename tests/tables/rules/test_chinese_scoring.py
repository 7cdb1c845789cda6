"""Points between regular hands, line by line (CP-10, CP-11, CP-12, CP-13, CP-14, CP-15, CP-16, CP-17)."""

from typing import Any

import pytest

from tables.rules import settle
from tests.tables.rules.chinese_hands import (
    BEATEN,
    BEATEN_FOULED,
    KINGS_IN_BACK,
    NINES_IN_BACK,
    PLAIN,
    SUPER,
    SWEEPER,
    SWEEPS_TWO,
    SWEPT,
    TRIPS_IN_FRONT,
    TWELVE_BLACK,
    lines,
    points,
    record,
    seat,
    settled,
    swap_front_and_back,
)

SEGMENT_LINES = [("segment", 1, name, 1, "CP-10") for name in ("front", "middle", "back")]


# Four hands of one deal; the first beats the others in every segment, with a full house and four of a kind.
FULL_HOUSE_AND_FOURS = (
    "Ah Ad 2c | Kh Kd Ks Qh Qd | 9c 9d 9h 9s 3c",
    "Jc Td 5h | Ac Kc 8d 6c 3d | 4c 4d 7h 7c 2d",
    "Jd Th 5d | As Qc 8c 6d 3h | 4h 4s 7d 7s 2h",
    "Js Tc 5c | Qs Jh 8h 6h 2s | 8s 6s 5s Ts 3s",
)


def test_cp10_each_won_segment_is_a_line_of_its_own() -> None:
    verdict = settled("cardroom", KINGS_IN_BACK, NINES_IN_BACK)
    assert lines(verdict) == [
        ("segment", 1, "front", 1, "CP-10"),
        ("segment", 2, "middle", 1, "CP-10"),
        ("segment", 1, "back", 1, "CP-10"),
    ]
    assert points(verdict) == [1, -1]


def test_cp10_equal_segments_give_nothing_to_anybody() -> None:
    one, other = "Ks Qh 9d | Jh Js 8c 4d 2h | As Ah 7d 7c 3s", "Kc Qd 9s | Jc Jd 8h 4c 2s | Ac Ad 7h 7s 3d"
    verdict = settled("cardroom", one, other)
    assert verdict["pairs"] == [{"seats": [1, 2], "points": 0, "lines": []}]
    assert verdict["payments"] == []


def test_cp10_points_of_a_segment_are_a_parameter() -> None:
    verdict = settled("cardroom", KINGS_IN_BACK, NINES_IN_BACK, overrides={"segment_points": 2, "sweep_points": 6})
    assert points(verdict) == [2, -2]


def test_cp11_winning_two_of_three_earns_the_majority_in_western() -> None:
    verdict = settled("future-western", KINGS_IN_BACK, NINES_IN_BACK)
    assert ("majority", 1, None, 1, "CP-11") in lines(verdict)
    assert points(verdict) == [2, -2]


def test_cp11_cp12_a_sweep_earns_the_majority_besides() -> None:
    assert points(settled("future-western", SWEEPER, SWEPT)) == [4, -4]


@pytest.mark.parametrize(("rules", "total"), [("cardroom", 3), ("cardroom-mandarin", 6), ("future-eastern", 3)])
def test_cp12_winning_all_three_pays_the_sweep_in_all(rules: str, total: int) -> None:
    verdict = settled(rules, SWEEPER, SWEPT)
    extra = [("sweep", 1, None, total - 3, "CP-12")] if total > 3 else []
    assert lines(verdict) == SEGMENT_LINES + extra
    assert points(verdict) == [total, -total]


def test_cp12_two_segments_won_and_one_tied_is_no_sweep() -> None:
    verdict = settled(
        "cardroom-mandarin", "Kh Qd 4c | Ah Ad 8c 7d 3s | Qs Qc Jc Js 9h", "Kc Qh 4d | Jh Jd 6c 5s 2h | Tc Td 7h 7c 2s"
    )
    assert points(verdict) == [2, -2]


def test_cp13_beating_three_opponents_in_everything_pays_nine_each() -> None:
    verdict = settled("cardroom-mandarin", SUPER, *BEATEN)
    for other in (2, 3, 4):
        assert lines(verdict, 1, other) == [*SEGMENT_LINES, ("super-bonus", 1, None, 6, "CP-13")]
    assert points(verdict)[0] == 27


@pytest.mark.parametrize("seats", [(1, 2, 3), (2, 3, 4)])
def test_cp13_three_seats_in_play_have_no_super_bonus(seats: tuple[int, ...]) -> None:
    dealt = zip(seats, (SUPER, *BEATEN), strict=False)
    verdict = settle(record("cardroom-mandarin", *(seat(number, hand) for number, hand in dealt)))
    assert points(verdict)[0] == 12


def test_cp13_without_the_parameter_the_sweeps_are_plain() -> None:
    verdict = settled("cardroom-mandarin", SUPER, *BEATEN, overrides={"super_bonus_points": None})
    assert points(verdict)[0] == 18


def test_cp13_a_tie_in_one_segment_prevents_it() -> None:
    others = (
        "Jc 9d 5d | Ad Kd Qd 6s 4d | Kc Tc Td 7d 5h",
        "Qh 6h 3d | Ah Qc 9h 8h 3c | As Qs Th 7c 7h",
        "Ks 2c 2d | 3s 3h Jd 7s 4c | 8c 8s Ac Js 9s",
    )
    verdict = settled("cardroom-mandarin", SUPER, *others)
    assert points(verdict)[0] == 6 + 6 + 2


@pytest.mark.parametrize(("counts", "total"), [(True, 27), (False, 18)])
def test_cp13_a_fouled_opponent_counts_as_beaten_where_the_rules_say_so(counts: bool, total: int) -> None:
    fouled = (*BEATEN[:2], BEATEN_FOULED)
    verdict = settled("cardroom-mandarin", SUPER, *fouled, overrides={"super_bonus_counts_fouls": counts})
    assert verdict["seats"][3]["status"] == "foul"
    assert points(verdict)[0] == total
    against_foul = ("super-bonus", 1, None, 9, "CP-13") if counts else ("foul", 1, None, 6, "CP-30")
    assert lines(verdict, 1, 4) == [against_foul]


def test_cp13_three_fouled_opponents_pay_the_super_bonus() -> None:
    verdict = settled("cardroom-mandarin", SUPER, *map(swap_front_and_back, BEATEN))
    assert [entry["status"] for entry in verdict["seats"]] == ["regular", "foul", "foul", "foul"]
    assert points(verdict) == [27, -9, -9, -9]


@pytest.mark.parametrize("majority", [0, 1])
def test_cp12_cp13_cp14_bonuses_and_the_majority_come_on_top_of_the_super_bonus(majority: int) -> None:
    verdict = settled("cardroom-mandarin", *FULL_HOUSE_AND_FOURS, overrides={"majority_points": majority})
    for other in (2, 3, 4):
        assert ("super-bonus", 1, None, 6, "CP-13") in lines(verdict, 1, other)
    assert points(verdict)[0] == 3 * (9 + 2 + 4 + majority)


def test_cp13_cp30_a_fouled_opponent_pays_bonuses_on_top_of_the_super_bonus_and_no_majority() -> None:
    fouled = (*FULL_HOUSE_AND_FOURS[:3], swap_front_and_back(FULL_HOUSE_AND_FOURS[3]))
    verdict = settled("cardroom-mandarin", *fouled, overrides={"majority_points": 1})
    assert lines(verdict, 1, 4) == [
        ("super-bonus", 1, None, 9, "CP-13"),
        ("bonus", 1, "middle", 2, "CP-30"),
        ("bonus", 1, "back", 4, "CP-30"),
    ]


@pytest.mark.parametrize(
    ("fourth", "status", "total"),
    [({"surrenders": True}, "surrendered", 6 + 6 + 3), ({"declares": "twelve-colors"}, "automatic-win", 6 + 6 - 3)],
)
def test_cp13_a_surrender_or_an_automatic_win_prevents_it(fourth: dict[str, Any], status: str, total: int) -> None:
    overrides = {"surrender_points": 3, "naturals": [{"kind": "twelve-colors", "points": 3}]}
    dealt = [seat(number, hand) for number, hand in enumerate(SWEEPS_TWO, start=1)]
    verdict = settle(record("cardroom-mandarin", *dealt, seat(4, TWELVE_BLACK, **fourth), overrides=overrides))
    assert verdict["seats"][3]["status"] == status
    assert points(verdict)[0] == total


@pytest.mark.parametrize(("rules", "total"), [("cardroom", 3), ("cardroom-mandarin", 15), ("future-eastern", 9)])
def test_cp14_cp15_bonuses_are_added_to_the_points_or_replace_them(rules: str, total: int) -> None:
    verdict = settled(rules, TRIPS_IN_FRONT, PLAIN)
    bonuses = [line for line in lines(verdict) if line[0] == "bonus"]
    expected = [
        ("bonus", 1, "front", 3, "CP-14"),
        ("bonus", 1, "middle", 2, "CP-14"),
        ("bonus", 1, "back", 4, "CP-14"),
    ]
    assert bonuses == (expected if rules != "cardroom" else [])
    assert points(verdict) == [total, -total]


def test_cp14_a_bonus_hand_that_loses_its_segment_earns_nothing() -> None:
    verdict = settled("cardroom-mandarin", KINGS_IN_BACK, NINES_IN_BACK)
    assert [line for line in lines(verdict) if line[0] == "bonus"] == [("bonus", 1, "back", 4, "CP-14")]


def test_cp14_a_tie_of_bonus_hands_earns_nothing() -> None:
    one = "Kh Qd 4c | Ah Ad 8c Jd 3s | 5h 6h 7h 8h 9h"
    tied = settled("cardroom-mandarin", one, "Ks Qh 2c | Ac As 8s 7s 2s | 5d 6d 7d 8d 9d")
    won = settled("cardroom-mandarin", one, "Ks Qh 2c | Ac As 8s 7s 2s | 5d 6d 7d 8d 4d")
    assert not any(line[0] == "bonus" for line in lines(tied))
    assert ("bonus", 1, "back", 5, "CP-14") in lines(won)


@pytest.mark.parametrize(("rules", "two_of_three", "sweep"), [("cardroom-mandarin", 6, 11), ("future-eastern", 5, 7)])
def test_cp15_a_straight_flush_in_back_in_a_sweep_and_outside_of_one(rules: str, two_of_three: int, sweep: int) -> None:
    straight_flush = "Kh Qd 4c | Ah Ad 8c Jd 3s | 5h 6h 7h 8h 9h"
    lower, higher_front = "Ks Qh 2c", "Ks Kc 2c"
    others = " | Ac As 8s 7s 2s | Tc Td 9c 9d 4s"
    assert points(settled(rules, straight_flush, lower + others)) == [sweep, -sweep]
    assert points(settled(rules, straight_flush, higher_front + others)) == [two_of_three, -two_of_three]


def test_cp15_four_of_a_kind_in_back_and_a_sweep_are_six_where_bonuses_replace() -> None:
    beaten = "Th 8c 4d | As Ah Qc 5d 4s | 9s 9h 9d Jc 3d"
    assert points(settled("future-eastern", "Jh Jd 3c | Ac Ad Kd 6s 2d | 7s 7h 7d 7c 5s", beaten)) == [6, -6]


def test_cp15_what_a_sweep_adds_stays_where_a_bonus_replaces_a_point() -> None:
    verdict = settled("future-eastern", TRIPS_IN_FRONT, PLAIN, overrides={"sweep_points": 6})
    assert points(verdict) == [3 + 2 + 4 + 3, -12]


def test_cp16_a_bonus_doubles_over_the_same_type_where_the_rules_say_so() -> None:
    eastern = settled("future-eastern", KINGS_IN_BACK, NINES_IN_BACK)
    mandarin = settled("cardroom-mandarin", KINGS_IN_BACK, NINES_IN_BACK)
    assert ("bonus", 1, "back", 8, "CP-14") in lines(eastern)
    assert ("bonus", 1, "back", 4, "CP-14") in lines(mandarin)


def test_rk05_cp16_a_royal_flush_over_a_straight_flush_is_over_the_same_type() -> None:
    royal = "Kh Qd 4c | 6h 6s 8c Jd 3s | Ts Js Qs Ks As"
    over_straight_flush = settled("future-eastern", royal, "Kc Qh 2c | 9c 9s 8s 7s 2s | 5d 4d 7d 8d 6d")
    over_straight = settled("future-eastern", royal, "Kc Qh 2c | 9c 9s 8s 7s 2s | 5d 4d 7d 8d 6c")
    assert ("bonus", 1, "back", 10, "CP-14") in lines(over_straight_flush)
    assert ("bonus", 1, "back", 5, "CP-14") in lines(over_straight)


@pytest.mark.parametrize(
    ("rules", "cap", "bonuses"),
    [
        ("cardroom-mandarin", 8, [3, 2, 3]),
        ("cardroom-mandarin", 4, [3, 1]),
        ("cardroom-mandarin", 3, [3]),
        ("future-eastern", 8, [3, 2, 3]),
    ],
)
def test_cp17_the_cap_cuts_the_bonuses_one_opponent_owes(rules: str, cap: int, bonuses: list[int]) -> None:
    verdict = settled(rules, TRIPS_IN_FRONT, PLAIN, overrides={"bonus_cap": cap})
    assert [line[3] for line in lines(verdict) if line[0] == "bonus"] == bonuses


def test_cp17_the_cap_is_for_each_opponent_and_each_direction() -> None:
    verdict = settled(
        "cardroom-mandarin",
        "Jh Jd 3c | Ac Ad 7h 6s 3d | Ks Kh Kd Kc 5s",
        TRIPS_IN_FRONT,
        "9h 7d 4h | Jc Js 9c 6c 5h | 9d 9s 8s 7c 7s",
        overrides={"bonus_cap": 3},
    )
    bonuses = {
        pair: [line[1:4] for line in lines(verdict, *pair) if line[0] == "bonus"] for pair in [(1, 2), (1, 3), (2, 3)]
    }
    assert bonuses == {(1, 2): [(2, "front", 3), (1, "back", 3)], (1, 3): [(1, "back", 3)], (2, 3): [(2, "front", 3)]}


def test_cp17_the_cap_applies_after_doubling() -> None:
    verdict = settled("future-eastern", KINGS_IN_BACK, NINES_IN_BACK, overrides={"bonus_cap": 6})
    assert ("bonus", 1, "back", 6, "CP-14") in lines(verdict)


def test_cp17_a_bonus_cut_to_nothing_leaves_the_segments_own_point() -> None:
    verdict = settled("future-eastern", TRIPS_IN_FRONT, PLAIN, overrides={"bonus_cap": 3})
    assert lines(verdict) == [
        ("bonus", 1, "front", 3, "CP-14"),
        ("segment", 1, "middle", 1, "CP-10"),
        ("segment", 1, "back", 1, "CP-10"),
    ]
