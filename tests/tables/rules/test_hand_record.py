"""Reading a hand record: every mistake of entry is found, with its path and code, and no mistake is a foul."""

import json
from typing import Any

import pytest

from tables.rules import InvalidRecord, canonical_json, canonical_record, read_record, settle
from tables.rules.faults import MAX_FAULTS
from tests.tables.rules.chinese_hands import DRAGON, SWEEPER, SWEPT, hands, record, seat


def faults(data: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidRecord) as caught:
        settle(data)
    return [(fault.path, fault.code) for fault in caught.value.faults]


def good() -> dict[str, Any]:
    return hands("future-western", SWEEPER, SWEPT)


def without(data: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in keys}


def with_seat(index: int, **changes: Any) -> dict[str, Any]:
    data = good()
    data["seats"][index] |= changes
    return data


def test_the_record_these_tests_spoil_is_good() -> None:
    assert settle(good())["status"] == "settled"


@pytest.mark.parametrize("data", [None, True, 1, 1.5, "text", [], [good()]])
def test_a_record_is_an_object(data: Any) -> None:
    assert faults(data) == [("", "wrong-type")]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"game": "poker"}, ("game", "out-of-range")),
        ({"game": None}, ("game", "wrong-type")),
        ({"rules": "house"}, ("rules", "unknown-rules")),
        ({"rules": "cardroom@7"}, ("rules", "unknown-rules")),
        ({"rules": "capitol"}, ("rules", "unknown-rules")),
        ({"rules": 1}, ("rules", "wrong-type")),
        ({"overrides": []}, ("overrides", "wrong-type")),
        ({"overrides": None}, ("overrides", "wrong-type")),
        ({"point_value": 0}, ("point_value", "out-of-range")),
        ({"point_value": -500}, ("point_value", "out-of-range")),
        ({"point_value": 10**15 + 1}, ("point_value", "out-of-range")),
        ({"point_value": 500.0}, ("point_value", "wrong-type")),
        ({"point_value": "500"}, ("point_value", "wrong-type")),
        ({"point_value": True}, ("point_value", "wrong-type")),
        ({"point_value": None}, ("point_value", "wrong-type")),
        ({"button": 0}, ("button", "out-of-range")),
        ({"button": 5}, ("button", "out-of-range")),
        ({"seats": {}}, ("seats", "wrong-type")),
        ({"seats": []}, ("seats", "out-of-range")),
        ({"dealer": 1}, ("dealer", "unknown-key")),
        ({"incidents": {}}, ("incidents", "wrong-type")),
        ({"incidents": [1]}, ("incidents/0", "wrong-type")),
        ({"incidents": [{"kind": "boxed", "seat": 1}]}, ("incidents/0/kind", "out-of-range")),
        ({"incidents": [{"kind": 5, "seat": 1}]}, ("incidents/0/kind", "wrong-type")),
        ({"incidents": [{"seat": 1}]}, ("incidents/0/kind", "missing")),
        ({"incidents": [{"kind": "dealer-exposed", "seat": 1}]}, ("incidents/0/cards", "missing")),
        ({"incidents": [{"kind": "dealer-exposed", "seat": 1, "cards": 14}]}, ("incidents/0/cards", "out-of-range")),
        ({"incidents": [{"kind": "wrong-seat", "seat": 1, "set": 0}]}, ("incidents/0/set", "wrong-type")),
        ({"incidents": [{"kind": "wrong-seat", "seat": 3, "set": True}]}, ("incidents/0/seat", "out-of-range")),
    ],
)
def test_a_wrong_value_of_the_record_is_named_by_path_and_code(change: dict[str, Any], fault: tuple[str, str]) -> None:
    assert faults(good() | change) == [fault]


@pytest.mark.parametrize("key", ["game", "rules", "point_value", "button", "seats"])
def test_a_missing_key_is_missing(key: str) -> None:
    assert faults(without(good(), key)) == [(key, "missing")]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"seat": 0}, ("seats/1/seat", "out-of-range")),
        ({"seat": 5}, ("seats/1/seat", "out-of-range")),
        ({"seat": 1}, ("seats/1/seat", "duplicate-seat")),
        ({"seat": "2"}, ("seats/1/seat", "wrong-type")),
        ({"stack": -1}, ("seats/1/stack", "out-of-range")),
        ({"stack": 10**16}, ("seats/1/stack", "out-of-range")),
        ({"stack": 10.5}, ("seats/1/stack", "wrong-type")),
        ({"name": "Ann"}, ("seats/1/name", "unknown-key")),
        ({"front": "Th 9d 1h"}, ("seats/1/front", "unknown-card")),
        ({"front": "Th 9d ♥5"}, ("seats/1/front", "unknown-card")),
        ({"front": "Th9d5h"}, ("seats/1/front", "unknown-card")),
        ({"front": "Th 9d Jk"}, ("seats/1/front", "card-not-in-game")),
        ({"front": "Th 9d 9d"}, ("seats/1/front", "duplicate-card")),
        ({"front": "Th 9d Kh"}, ("seats/1/front", "duplicate-card")),
        ({"front": ["Th", "9d", "5h"]}, ("seats/1/front", "wrong-type")),
        ({"front": None}, ("seats/1/front", "wrong-type")),
        ({"front": "Th " * 500}, ("seats/1/front", "out-of-range")),
        ({"cards": DRAGON}, ("seats/1/cards", "conflict")),
        ({"declares": "flush"}, ("seats/1/declares", "not-offered")),
        ({"declares": "thirteen-suited"}, ("seats/1/declares", "not-offered")),
        ({"declares": ["dragon"]}, ("seats/1/declares", "wrong-type")),
        ({"declares": "dragon", "surrenders": True}, ("seats/1/declares", "conflict")),
        ({"surrenders": "yes"}, ("seats/1/surrenders", "wrong-type")),
        ({"surrenders": None}, ("seats/1/surrenders", "wrong-type")),
    ],
)
def test_a_wrong_value_of_a_seat_is_named_by_path_and_code(changes: dict[str, Any], fault: tuple[str, str]) -> None:
    assert faults(with_seat(1, **changes)) == [fault]


@pytest.mark.parametrize("key", ["seat", "stack", "front", "middle", "back"])
def test_a_missing_key_of_a_seat_is_missing(key: str) -> None:
    data = good()
    data["seats"][1] = without(data["seats"][1], key)
    assert faults(data) == [(f"seats/1/{key}", "missing")]


def test_cp35_surrender_is_refused_where_it_is_not_offered() -> None:
    data = hands("cardroom", SWEEPER, SWEPT)
    data["seats"][0]["surrenders"] = True
    assert faults(data) == [("seats/0/surrenders", "not-offered")]


def test_cp21_an_automatic_win_the_rule_set_does_not_offer_is_refused() -> None:
    data = record("cardroom", seat(1, DRAGON, declares="twelve-colors"), seat(2, "2c 2d | 2h | 3c"))
    assert faults(data) == [("seats/0/declares", "not-offered")]


@pytest.mark.parametrize(
    ("is_set", "expected"),
    [
        ({"front": "Th 9d 5h", "middle": "Jh Jd 6c 5s 2h"}, [("seats/1/back", "missing")]),
        ({"cards": SWEPT.replace("|", "")}, [("seats/1/cards", "conflict")]),
        ({"cards": SWEPT.replace("|", ""), "surrenders": True}, None),
    ],
)
def test_cp03_no_hand_is_opened_before_every_seat_that_plays_has_set_all_its_segments(
    is_set: dict[str, Any], expected: list[tuple[str, str]] | None
) -> None:
    """CP-03: a record of which a hand is not set is invalid, so that no other hand of it is judged."""
    data = record("future-western", seat(1, SWEEPER), {"seat": 2, "stack": None, **is_set})
    if expected is None:
        assert settle(data)["status"] == "settled"
    else:
        assert faults(data) == expected


@pytest.mark.parametrize("seats", [[1], [1, 2, 3, 4, 1]])
def test_two_to_four_seats_play(seats: list[int]) -> None:
    data = record("cardroom", *(seat(number, "| |") for number in seats))
    assert faults(data) == [("seats", "out-of-range")]


def test_every_fault_of_a_record_is_listed() -> None:
    data = with_seat(1, front="Kh Jk 1x", stack=-1) | {"button": 9, "overrides": {"kap": 1}}
    assert faults(data) == [
        ("overrides/kap", "unknown-parameter"),
        ("button", "out-of-range"),
        ("seats/1/stack", "out-of-range"),
        ("seats/1/front", "unknown-card"),
        ("seats/1/front", "card-not-in-game"),
        ("seats/1/front", "duplicate-card"),
    ]


def test_the_faults_of_a_record_under_unknown_rules_are_found_too() -> None:
    data = with_seat(1, surrenders=True, declares=None) | {"rules": "lost", "button": 0}
    assert faults(data) == [("rules", "unknown-rules"), ("button", "out-of-range")]


def test_a_record_of_nonsense_stops_being_read() -> None:
    assert len(faults(good() | {f"key {number}": 1 for number in range(1000)})) == MAX_FAULTS
    assert len(faults(good() | {"overrides": {f"key {number}": 1 for number in range(1000)}})) == MAX_FAULTS


def test_messages_say_what_happened_and_what_to_do_and_stay_short() -> None:
    with pytest.raises(InvalidRecord) as caught:
        settle(with_seat(1, front=f"Th 9d {'x' * 900}\x00") | {"\x1b[31m": 1})
    for fault in caught.value.faults:
        assert len(fault.message) < 200
        assert fault.message.isprintable()
        assert fault.path.isprintable()


def test_a_duplicate_card_is_named_with_the_place_where_it_stood_first() -> None:
    with pytest.raises(InvalidRecord, match="Kh is in the record twice, first in seats/0/front"):
        settle(with_seat(1, front="Th 9d Kh"))


def test_a_mistake_of_entry_goes_before_a_misdeal() -> None:
    data = with_seat(1, front="Th 9d") | {"button": 7}
    assert faults(data) == [("button", "out-of-range")]


def test_the_canonical_record_reads_back_as_itself() -> None:
    data = record(
        "future-western",
        seat(3, SWEPT.lower(), surrenders=True),
        seat(1, SWEEPER, declares="dragon"),
        overrides={"surrender_points": 2},
        incidents=[{"kind": "wrong-seat", "seat": 3, "set": True}, {"kind": "dealer-exposed", "seat": 1, "cards": 2}],
    )
    data["seats"][1]["stack"] = 10_000
    canonical = canonical_record(read_record(data))
    assert canonical_record(read_record(json.loads(canonical_json(canonical)))) == canonical
    assert canonical["rules"] == "future-western@1"
    assert [entry["seat"] for entry in canonical["seats"]] == [1, 3]
    assert canonical["seats"][0]["back"] == "Qd Qs Jc Js 9h"
    assert canonical["seats"][1]["surrenders"] is True


def test_the_canonical_record_is_the_same_however_it_was_entered() -> None:
    one = record("cardroom", seat(1, SWEEPER), seat(2, SWEPT))
    other = record("cardroom@1", *reversed(one["seats"]), overrides={}, incidents=[])
    for entry in other["seats"]:
        entry |= {"declares": None, "surrenders": False}
    assert canonical_json(canonical_record(read_record(one))) == canonical_json(canonical_record(read_record(other)))
