"""Which records of Pai Gow Poker are invalid, where, and that all faults are named at once."""

from typing import Any

import pytest

from tables.rules import InvalidRecord, canonical_record, read_record
from tests.tables.rules.paigow_hands import DEALER_HAND, hands, record, wager


def faults(**changes: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRecord) as refused:
        read_record(record(**changes))
    return [(fault.path, fault.code) for fault in refused.value.faults]


def without(key: str) -> dict[str, Any]:
    data = record()
    del data[key]
    return data


@pytest.mark.parametrize("key", ["table_min", "table_max", "player_dealer", "dice", "bank", "hands", "wagers"])
def test_a_missing_key_is_named_and_brings_no_other_fault(key: str) -> None:
    with pytest.raises(InvalidRecord) as refused:
        read_record(without(key))
    assert [(fault.path, fault.code) for fault in refused.value.faults] == [(key, "missing")]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"stub": 4}, ("stub", "unknown-key")),
        ({"table_max": 999}, ("table_max", "out-of-range")),
        ({"table_min": True}, ("table_min", "wrong-type")),
        ({"player_dealer": 8}, ("player_dealer", "out-of-range")),
        ({"dice": [1, 2]}, ("dice", "out-of-range")),
        ({"dice": [1, 2, 7]}, ("dice/2", "out-of-range")),
        ({"dice": [1, "2", 3]}, ("dice/1", "wrong-type")),
        ({"bank": []}, ("bank", "out-of-range")),
        ({"bank": [{"patron": "P1", "amount": 0}]}, ("bank/0/amount", "out-of-range")),
        ({"bank": [{"patron": "P1", "amount": 10**40}]}, ("bank/0/amount", "out-of-range")),
        ({"bank": [{"patron": "", "amount": 1}]}, ("bank/0/patron", "out-of-range")),
        ({"wagers": [wager("w1", 3, 999)]}, ("wagers/0/amount", "below-minimum")),
        ({"wagers": [wager("w1", 1, 5000)]}, ("wagers/0/position", "conflict")),
        ({"wagers": [wager("w1", 3, 5000), wager("w1", 2, 5000)]}, ("wagers/1/id", "conflict")),
        ({"overrides": {"bank_policy": "none"}}, ("overrides/bank_policy", "out-of-range")),
        ({"overrides": {"table_max": 1}}, ("overrides/table_max", "unknown-parameter")),
        (
            {"overrides": {"bank_policy": "must-cover-all"}, "bank": [{"patron": "P1", "amount": "5000"}]},
            ("bank/0/amount", "wrong-type"),
        ),
        ({"rules": "cardroom"}, ("rules", "unknown-rules")),
        ({"incidents": [{"kind": "dropped"}]}, ("incidents/0/kind", "out-of-range")),
        ({"incidents": [{"kind": "exposed"}]}, ("incidents/0/cards", "missing")),
        ({"incidents": [{"kind": "boxed", "cards": []}]}, ("incidents/0/cards", "out-of-range")),
        ({"incidents": [{"kind": "boxed", "cards": ["2c", "2c"]}]}, ("incidents/0/cards", "duplicate-card")),
        ({"incidents": [{"kind": "boxed", "cards": ["1c"]}]}, ("incidents/0/cards/0", "unknown-card")),
        ({"incidents": [{"kind": "card-switching", "position": 9}]}, ("incidents/0/position", "out-of-range")),
    ],
)
def test_a_fault_is_named_with_its_place(changes: dict[str, Any], fault: tuple[str, str]) -> None:
    assert faults(**changes) == [fault]


@pytest.mark.parametrize(
    ("hand", "found"),
    [
        ({"front": "Ah Kd"}, [("hands/2/back", "missing")]),
        ({}, [("hands/2/front", "missing"), ("hands/2/back", "missing")]),
        ({"front": "Ah", "cards": "Kd"}, [("hands/2/cards", "conflict")]),
        ({"front": "Ah Xd", "back": "Th Ts 8c 5d 3h"}, [("hands/2/front", "unknown-card")]),
        ({"front": "Ah Kd", "back": "Th Ts 8c 5d Jc"}, [("hands/2/back", "duplicate-card")]),
        ({"front": "Ah Ah", "back": "Th Ts 8c 5d 3h"}, [("hands/2/front", "duplicate-card")]),
        ({"front": ["Ah", "Kd"], "back": "Th Ts 8c 5d 3h"}, [("hands/2/front", "wrong-type")]),
        ({"front": "Ah Kd", "back": "Th Ts 8c 5d 3h", "looked_at": 1}, [("hands/2/looked_at", "wrong-type")]),
    ],
)
def test_a_hand_is_either_set_or_one_pile_of_known_cards(hand: dict[str, Any], found: list[tuple[str, str]]) -> None:
    assert faults(hands=hands(p3=hand)) == found


def test_pg_23_the_player_dealers_hand_is_compared_only_when_every_wagered_hand_is_there() -> None:
    table = [hand for hand in hands() if hand["position"] in (2, 4)]

    assert faults(hands=table) == [("hands", "missing"), ("hands", "missing")]


def test_pg_24_a_position_has_one_hand_however_many_wager_on_it() -> None:
    table = hands()
    table[6]["position"] = 3
    wagers = [wager("w1", 3, 5000), wager("w2", 3, 2000, seated=False)]

    assert faults(hands=table, wagers=wagers) == [("hands/6/position", "duplicate-seat")]


@pytest.mark.parametrize("rules", ["capitol", "capitol-jokers-wild"])
def test_pg_01_there_is_one_joker_and_there_are_seven_positions(rules: str) -> None:
    two_jokers = hands(p3={"cards": "Jk Kd Th Ts 8c 5d 3h"}, p4={"cards": "Jk Qh Qs Qd 7c 5c 3c"})
    eighth = [*hands(), {"position": 8, "cards": "2h Kh"}]

    assert faults(rules=rules, hands=two_jokers) == [("hands/3/cards", "duplicate-card")]
    assert ("hands", "out-of-range") in faults(rules=rules, hands=eighth)
    assert faults(rules=rules, hands=eighth[1:], player_dealer=2) == [("hands/6/position", "out-of-range")]


def test_an_incident_of_switching_names_a_position_with_a_hand() -> None:
    table = [{"position": 1} | DEALER_HAND]
    incident = {"kind": "card-switching", "position": 2}

    assert faults(hands=table, wagers=[], incidents=[incident]) == [("incidents/0/position", "out-of-range")]


def test_all_faults_are_found_in_one_reading() -> None:
    found = faults(
        dice=[0, 2, 3],
        wagers=[wager("w1", 1, 1), {"id": "w2", "position": "2", "patron": 7, "amount": 5000, "seated": True}],
        hands=hands(p3={"front": "Zz Kd", "back": "Th Ts 8c 5d 3h"}),
    )

    assert sorted(found) == [
        ("dice/0", "out-of-range"),
        ("hands/2/front", "unknown-card"),
        ("wagers/0/amount", "below-minimum"),
        ("wagers/0/position", "conflict"),
        ("wagers/1/patron", "wrong-type"),
        ("wagers/1/position", "wrong-type"),
    ]


def test_the_canonical_record_sorts_hands_and_keeps_wagers_and_stakes_as_placed() -> None:
    stakes = [{"patron": "P9", "amount": 1000}, {"patron": "P1", "amount": 2000}]
    wagers = [wager("w2", 3, 5000), wager("w1", 2, 5000, seated=False)]
    table = hands(
        p3={"front": "kd AH", "back": "3h 5d 10h Ts 8c"}, p7={"cards": "7d 4d Js Jh Ks Qc", "looked_at": True}
    )

    data = canonical_record(
        read_record(
            record(
                hands=table[::-1],
                wagers=wagers,
                bank=stakes,
                incidents=[{"kind": "boxed", "cards": ["2c"]}, {"kind": "card-switching", "position": 2}],
            )
        )
    )

    assert data["rules"] == "capitol@1"
    assert [hand["position"] for hand in data["hands"]] == [1, 2, 3, 4, 5, 6, 7]
    assert data["hands"][2] == {"position": 3, "front": "Ah Kd", "back": "Th Ts 8c 5d 3h"}
    assert data["hands"][6] == {"position": 7, "cards": "Ks Qc Jh Js 7d 4d", "looked_at": True}
    assert (data["wagers"], data["bank"]) == (wagers, stakes)
    assert canonical_record(read_record(data)) == data
