"""Verdicts of Pai Gow Poker: results, fouls and resets, whose cards they are, and the order of action."""

from typing import Any

import pytest

from tables.rules import get_rule_set, read_record
from tables.rules.cards import parse_cards
from tables.rules.paigow import hand_fouls, hand_in_words
from tables.rules.paigow.record import PaiGowRecord
from tests.tables.rules.paigow_hands import PLAYER_HANDS, RESULTS, hand_at, hands, record, settled, wager

SWITCHED_AT_3 = [{"kind": "card-switching", "position": 3}]
SWITCHED_AT_1 = [{"kind": "card-switching", "position": 1}]


def test_pg_30_two_parts_won_win_one_pushes_none_loses() -> None:
    verdict = settled()

    assert {place: hand_at(verdict, place)["result"] for place in RESULTS} == RESULTS
    assert (hand_at(verdict, 7)["front_result"], hand_at(verdict, 7)["back_result"]) == ("lose", "win")
    assert "result" not in hand_at(verdict, 1)


@pytest.mark.parametrize(
    ("front", "back", "fouls"),
    [
        ("8h 8d", "8s 8c Qs 5s 2s", ()),
        ("Ah Kd", "As Kc Qs 5s 2s", ()),
        ("Ah Kd", "As Qc 9s 5s 2s", ("front-beats-back",)),
        ("4h 4d", "As Kc 9s 5s 2s", ("front-beats-back",)),
        ("4h 4d 4c", "As Kc 9s 5s", ("segment-size",)),
        ("4h", "As Kc 9s 5s 2s 3d", ("segment-size",)),
    ],
)
def test_pg_20_pg_21_the_back_must_rank_higher_and_hold_five(front: str, back: str, fouls: tuple[str, ...]) -> None:
    assert hand_fouls(parse_cards(front), parse_cards(back), get_rule_set("capitol")) == fouls


def test_rk_06_hands_are_named_as_the_pai_gow_list_has_them() -> None:
    rules = get_rule_set("capitol")

    assert hand_in_words(parse_cards("Kc 9c"), parse_cards("Ah Kh Qh Jh Th"), rules) == ("king-nine", "royal flush")
    assert hand_in_words(parse_cards("Kc"), parse_cards("As 7h 5s 3d 2c"), rules) == (None, "high card: ace")


@pytest.mark.parametrize(
    ("hand", "incidents", "fouls", "shown"),
    [
        ({"front": "Th Ts", "back": "Ah Kd 8c 5d 3h"}, [], ["front-beats-back"], "Th Ts"),
        ({"front": "Ah Kd 8c", "back": "Th Ts 5d 3h"}, [], ["segment-size"], "Ah Kd 8c"),
        (PLAYER_HANDS[3], SWITCHED_AT_3, ["card-switching"], "Ah Kd"),
        ({"front": "Th Ts", "back": "Ah Kd 8c 5d 3h"}, SWITCHED_AT_3, ["front-beats-back", "card-switching"], "Th Ts"),
        ({"cards": "Ah Kd Th Ts 8c 5d 3h"}, SWITCHED_AT_3, ["card-switching"], None),
        ({"cards": "Ah Kd Th Ts 8c 5d"}, SWITCHED_AT_3, ["segment-size", "card-switching"], None),
        ({"cards": "Ah Kd Th Ts 8c 5d", "looked_at": True}, [], ["segment-size"], None),
        ({"front": "Ah Kd", "back": "Th Ts 8c 5d", "looked_at": True}, [], ["segment-size"], "Ah Kd"),
    ],
)
def test_pg_21_pg_43_pg_47_a_fouled_hand_loses_its_covered_wagers(
    hand: dict[str, Any], incidents: list[dict[str, Any]], fouls: list[str], shown: str | None
) -> None:
    verdict = settled(hands=hands(p3=hand), incidents=incidents)

    entry = hand_at(verdict, 3)
    assert (entry["status"], entry["fouls"], entry["front"]) == ("foul", fouls, shown)
    assert (entry["front_result"], entry["back_result"], entry["result"]) == (None, None, "lose")
    assert (verdict["wagers"][0]["net"], verdict["wagers"][0]["rule"]) == (-5000, "PG-21")


@pytest.mark.parametrize(
    ("hand", "incidents", "fouls"),
    [
        ({"front": "9c 9d", "back": "Jc Td 6h 4s 2c"}, [], ["front-beats-back"]),
        ({"front": "Jc Td 6h", "back": "9c 9d 4s 2c"}, [], ["segment-size"]),
        ({"front": "6h 4s", "back": "9c 9d Jc Td 2c"}, SWITCHED_AT_1, ["card-switching"]),
        ({"cards": "Jc Td 9c 9d 6h 4s 2c"}, SWITCHED_AT_1, ["card-switching"]),
    ],
)
def test_pg_46_the_player_dealers_foul_is_reset_the_house_way_and_the_hand_goes_on(
    hand: dict[str, Any], incidents: list[dict[str, Any]], fouls: list[str]
) -> None:
    verdict = settled(hands=hands(p1=hand), incidents=incidents)

    entry = hand_at(verdict, 1)
    assert (entry["status"], entry["fouls"], entry["rule"]) == ("reset-house-way", fouls, "PG-46")
    assert (entry["front"], entry["back"]) == ("Jc Td", "9c 9d 6h 4s 2c")
    assert entry["row"] == "one pair: pair back, two highest others front"
    assert {place: hand_at(verdict, place)["result"] for place in RESULTS} == RESULTS


def test_pg_22_seven_cards_in_one_pile_are_set_the_house_way() -> None:
    verdict = settled(hands=hands(p1={"cards": "2c Jc 9d Td 6h 9c 4s"}, p3={"cards": "Ah Kd Th Ts 8c 5d 3h"}))

    assert [(hand_at(verdict, place)["status"], hand_at(verdict, place)["front"]) for place in (1, 3)] == [
        ("house-way", "Jc Td"),
        ("house-way", "Ah Kd"),
    ]


def test_pg_06_pg_31_order_is_by_position_then_the_seated_player_then_the_larger_backline_then_as_placed() -> None:
    wagers = [
        wager("late position", 7, 9_000),
        wager("small backline", 3, 2_000, seated=False),
        wager("first of equals", 3, 4_000, seated=False),
        wager("second of equals", 3, 4_000, seated=False),
        wager("seated", 3, 1_000),
        wager("first position", 2, 1_000, seated=False),
    ]

    verdict = settled(wagers=wagers)

    assert [entry["id"] for entry in verdict["wagers"]] == [entry["id"] for entry in wagers]
    assert [entry["id"] for entry in sorted(verdict["wagers"], key=lambda entry: entry["order"])] == [
        "first position",
        "seated",
        "first of equals",
        "second of equals",
        "small backline",
        "late position",
    ]


def test_pg_05_pg_31_backline_wagers_over_the_maximum_are_equals_in_the_order_of_action() -> None:
    wagers = [wager("placed first", 3, 30_000, seated=False), wager("placed second", 3, 90_000, seated=False)]

    assert [entry["order"] for entry in settled(wagers=wagers)["wagers"]] == [1, 2]


@pytest.mark.parametrize(
    ("placed", "handler"),
    [
        ([], None),
        ([("backline", 1_000, False)], "backline"),
        ([("seated", 4_000, True), ("backline", 5_000, False)], "backline"),
        ([("backline", 5_000, False), ("seated", 5_000, True)], "seated"),
        ([("first", 5_000, False), ("second", 5_000, False), ("small", 1_000, True)], "first"),
        # What is over the table maximum of 20,000 goes back first, and is no larger a wager.
        ([("maximum", 20_000, False), ("over", 90_000, False)], "maximum"),
        ([("over", 90_000, False), ("seated", 20_000, True)], "seated"),
    ],
)
def test_pg_06_the_largest_wager_on_a_spot_handles_its_cards_then_the_seated_player_then_the_first(
    placed: list[tuple[str, int, bool]], handler: str | None
) -> None:
    elsewhere = wager("elsewhere", 2, 15_000)
    wagers = [wager(name, 3, amount, seated=seated) for name, amount, seated in placed]

    read = read_record(record(wagers=[elsewhere, *wagers]))

    assert isinstance(read, PaiGowRecord)
    handling = read.handling_wager(3)
    assert (handling.id if handling else None) == handler


def test_pg_06_a_spot_may_have_only_backline_wagers_and_a_patron_wagers_on_several() -> None:
    wagers = [wager("w1", 3, 1_000, seated=False), wager("w2", 4, 1_000, seated=False), wager("w3", 2, 1_000)]

    verdict = settled(wagers=[placed | {"patron": "one patron"} for placed in wagers])

    assert [entry["net"] for entry in verdict["wagers"]] == [1_000, 1_000, -1_000]
