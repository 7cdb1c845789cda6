"""Verdicts of Pai Gow Poker: fouls, resets, misdeals, the order of action, and what always holds."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.rules import canonical_json, get_rule_set, settle
from tables.rules.cards import parse_cards
from tables.rules.paigow import hand_fouls, hand_in_words
from tables.rules.paigow.bank import BANK_POLICIES
from tests.tables.rules.paigow_hands import (
    DICE_TO_POSITION_2,
    PLAYER_HANDS,
    RESULTS,
    dealt,
    hand_at,
    hands,
    record,
    settled,
    wager,
)

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


def test_pg_20_rk_08_a_wild_joker_in_front_can_foul_where_an_ace_would_not() -> None:
    front, back = parse_cards("Jk 9c"), parse_cards("As Ac 9s 5s 2s")
    low_back = parse_cards("8s 8c Qs 5s 2s")

    assert hand_fouls(front, back, get_rule_set("capitol-jokers-wild")) == ()
    assert hand_fouls(front, low_back, get_rule_set("capitol-jokers-wild")) == ("front-beats-back",)
    assert hand_fouls(front, low_back, get_rule_set("capitol")) == ()


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


@pytest.mark.parametrize(
    ("incidents", "reasons"),
    [
        ([{"kind": "exposed", "cards": ["Jk"]}], [("joker-or-ace-exposed", "PG-41")]),
        ([{"kind": "boxed", "cards": ["As"]}], [("joker-or-ace-exposed", "PG-41")]),
        ([{"kind": "boxed", "cards": ["7d", "2c"]}], [("cards-exposed", "PG-42")]),
        ([{"kind": "boxed", "cards": ["7d"]}, {"kind": "exposed", "cards": ["2c"]}], [("cards-exposed", "PG-42")]),
        (
            [{"kind": "exposed", "cards": ["7d"]}, {"kind": "exposed", "cards": ["Ac"]}],
            [("joker-or-ace-exposed", "PG-41"), ("cards-exposed", "PG-42")],
        ),
    ],
)
def test_pg_41_pg_42_cards_exposed_or_boxed_void_the_deal(
    incidents: list[dict[str, Any]], reasons: list[tuple[str, str]]
) -> None:
    verdict = settled(incidents=incidents)

    assert verdict == {
        "status": "misdeal",
        "game": "pai-gow-poker",
        "rules": "capitol@1",
        "reasons": [{"code": code, "rule": rule} for code, rule in reasons],
    }


@pytest.mark.parametrize("kind", ["exposed", "boxed"])
def test_pg_42_one_other_card_plays_on(kind: str) -> None:
    assert settled(incidents=[{"kind": kind, "cards": ["7d"]}])["status"] == "settled"


def test_pg_42_one_card_boxed_and_then_exposed_is_one_card() -> None:
    incidents = [{"kind": "boxed", "cards": ["7d"]}, {"kind": "exposed", "cards": ["7d"]}]

    assert settled(incidents=incidents)["status"] == "settled"


@pytest.mark.parametrize("looked_at", [False, True])
@pytest.mark.parametrize("incidents", [[], SWITCHED_AT_1])
def test_pg_43_the_player_dealers_wrong_count_is_always_a_misdeal(
    incidents: list[dict[str, Any]], looked_at: bool
) -> None:
    short = {"cards": "Jc Td 9c 9d 6h 4s", "looked_at": looked_at}

    verdict = settled(hands=hands(p1=short, p4={"front": "As Qh", "back": "Qs Qd 7c 5c"}), incidents=incidents)

    assert verdict["status"] == "misdeal"
    assert verdict["reasons"] == [
        {"code": "wrong-count", "position": 1, "rule": "PG-43"},
        {"code": "wrong-count", "position": 4, "rule": "PG-43"},
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


@st.composite
def wagered(draw: st.DrawFn) -> dict[str, Any]:
    """The known table under any policy, with any wagers, dice and bank."""
    count = draw(st.integers(0, 10))
    wagers = [
        wager(
            f"w{number}",
            draw(st.integers(2, 7)),
            draw(st.integers(1_000, 40_000)),
            seated=draw(st.booleans()),
        )
        for number in range(count)
    ]
    policy = draw(st.sampled_from(sorted(BANK_POLICIES)))
    least = sum(min(entry["amount"], 20_000) for entry in wagers) if policy == "must-cover-all" else 1
    first = draw(st.integers(max(1, least), max(1, least) + 200_000))
    partners = draw(st.lists(st.integers(1, 50_000), max_size=3))
    return record(
        dice=draw(st.lists(st.integers(1, 6), min_size=3, max_size=3)),
        wagers=wagers,
        bank=[{"patron": f"P{place}", "amount": amount} for place, amount in enumerate([first, *partners])],
        overrides={"bank_policy": policy},
    )


@given(wagered())
def test_pg_32_pg_33_pg_52_what_bettors_win_the_bank_loses_and_its_shares_add_up(data: dict[str, Any]) -> None:
    verdict = settle(data)

    bank = verdict["bank"]
    assert sum(entry["net"] for entry in verdict["wagers"]) + bank["net"] == 0
    assert sum(share["net"] for share in bank["shares"]) == bank["net"]
    assert abs(bank["net"]) <= bank["amount"] == sum(stake["amount"] for stake in data["bank"])
    assert bank["used"] == sum(entry["covered"] for entry in verdict["wagers"])
    assert sorted(entry["order"] for entry in verdict["wagers"]) == list(range(1, len(data["wagers"]) + 1))
    for placed, entry in zip(data["wagers"], verdict["wagers"], strict=True):
        assert entry["covered"] + entry["returned"] == placed["amount"]
        assert 0 <= entry["covered"] <= min(placed["amount"], data["table_max"])
        assert entry["result"] == RESULTS[placed["position"]]


@given(wagered())
def test_pg_32_every_policy_settles_alike_when_the_bank_covers_all(data: dict[str, Any]) -> None:
    data["bank"][0]["amount"] += sum(entry["amount"] for entry in data["wagers"])

    nets = [
        [entry["net"] for entry in settle(data | {"overrides": {"bank_policy": policy}})["wagers"]]
        for policy in sorted(BANK_POLICIES)
    ]

    assert all(net == nets[0] for net in nets)


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.sampled_from(["capitol", "capitol-jokers-wild"]), st.randoms(use_true_random=False))
def test_pg_26_any_deal_settles_without_a_foul_and_whatever_the_order_of_hands_and_cards(
    seed: int, rules: str, rng: random.Random
) -> None:
    data = dealt(seed, rules=rules)
    verdict = settle(data)
    shuffled = json.loads(json.dumps(data))
    rng.shuffle(shuffled["hands"])
    for hand in shuffled["hands"]:
        cards = hand["cards"].split()
        rng.shuffle(cards)
        hand["cards"] = " ".join(cards)

    assert all(hand["fouls"] == [] and hand["status"] == "house-way" for hand in verdict["hands"])
    assert sum(entry["net"] for entry in verdict["wagers"]) + verdict["bank"]["net"] == 0
    assert canonical_json(settle(shuffled)) == canonical_json(verdict)


def test_pg_10_the_verdict_tells_where_the_dice_sent_the_first_hand() -> None:
    assert settled()["dice"] == {
        "total": sum(DICE_TO_POSITION_2),
        "first_hand": 2,
        "action_order": [2, 3, 4, 5, 6, 7],
    }
