"""Whatever comes in, a verdict comes out or an ``invalid`` line of known codes: valid records spoiled, and worse."""

import json
import tracemalloc
from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.rules import InvalidRecord, settle
from tables.rules.faults import MAX_FAULTS
from tables.rules.streaming import MAX_LINE_BYTES, settle_lines
from tests.tables.rules import paigow_hands
from tests.tables.rules.chinese_hands import SWEEPER, SWEPT, hands
from tests.tables.rules.dealt_records import dealt_record

CODES = {
    "not-json",
    "too-large",
    "missing",
    "unknown-key",
    "wrong-type",
    "out-of-range",
    "unknown-card",
    "duplicate-card",
    "card-not-in-game",
    "duplicate-seat",
    "unknown-rules",
    "unknown-parameter",
    "not-offered",
    "bank-too-small",
    "below-minimum",
    "conflict",
}
RECORD = hands("cardroom-mandarin", SWEEPER, SWEPT)
NASTY_TEXTS = (
    "",
    " ",
    "Jk",
    "Jk Jk",
    "Ah",
    "10h",
    "\ud800",
    "\x00",
    "٣h",
    "cardroom@1",
    "capitol@01",
    "dragon",
    "x" * 2_000,
)
NASTY_NUMBERS = (0, -1, 1, 4, 5, 14, 2**31, 2**63, 10**15, 10**16, 10**400, 0.5, 1.0, -0.0, 1e308)
PLAIN_VALUES = st.sampled_from((*NASTY_TEXTS, *NASTY_NUMBERS, None, True, False))
JSON = st.recursive(
    PLAIN_VALUES | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


def answer_to(line: bytes) -> dict[str, Any]:
    """The one answer to a line, which is a verdict or lists faults as the format says."""
    (answer,) = settle_lines([line])
    found: dict[str, Any] = json.loads(answer.text)
    assert answer.text.isascii() and "\n" not in answer.text
    assert answer.is_valid == (found["status"] in ("settled", "misdeal"))
    if not answer.is_valid:
        assert found.keys() == {"status", "line", "errors"} and found["status"] == "invalid"
        assert_listed(found["errors"])
    return found


def assert_listed(errors: list[dict[str, str]]) -> None:
    assert 0 < len(errors) <= MAX_FAULTS
    for error in errors:
        assert error.keys() == {"path", "code", "message"}
        assert error["code"] in CODES
        assert error["path"].isprintable() and error["message"].isprintable()
        assert 0 < len(error["message"]) < 500 and len(error["path"]) < 200


# Records with something wrong


def containers(value: Any) -> list[Any]:
    """Every object and list of a record that is not empty, the record itself first."""
    if not isinstance(value, dict | list) or not value:
        return []
    children = value.values() if isinstance(value, dict) else value
    return [value, *(inner for child in children for inner in containers(child))]


def spoil(data: st.DataObject, record: Any) -> None:
    """Drop, replace, repeat, rename or move one thing somewhere in a record."""
    container = data.draw(st.sampled_from(containers(record)))
    keys = list(container) if isinstance(container, dict) else list(range(len(container)))
    key = data.draw(st.sampled_from(keys))
    how = data.draw(st.sampled_from(("drop", "replace", "repeat", "rename", "wrap", "exchange")))
    if how == "drop":
        del container[key]
    elif how == "replace":
        container[key] = data.draw(JSON)
    elif how == "wrap":
        container[key] = data.draw(st.sampled_from(([container[key]], {"front": container[key]})))
    elif how == "exchange":
        other = data.draw(st.sampled_from(keys))
        container[key], container[other] = container[other], container[key]
    elif isinstance(container, list):
        container.append(container[key])
    elif how == "rename":
        container[data.draw(st.text(max_size=8))] = container.pop(key)
    else:
        container[key] = f"{container[key]} {container[key]}"


def answer_to_spoiled_record(seed: int, is_chinese: bool, data: st.DataObject) -> None:
    record = dealt_record(Random(seed)) if is_chinese else paigow_hands.any_record(Random(seed))
    spoiled = json.loads(json.dumps(record))
    for _ in range(data.draw(st.integers(1, 3))):
        if spoiled:
            spoil(data, spoiled)
    answer_to(json.dumps(spoiled).encode())


def answer_to_spoiled_bytes(seed: int, is_chinese: bool, data: st.DataObject) -> None:
    record = dealt_record(Random(seed)) if is_chinese else paigow_hands.any_record(Random(seed))
    line = bytearray(json.dumps(record).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(line) - 1))
        patch = data.draw(st.binary(max_size=3).filter(lambda patch: b"\n" not in patch))
        line[start : start + data.draw(st.integers(0, 3))] = patch
    answer_to(bytes(line))


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.booleans(), st.data())
def test_a_spoiled_record_is_settled_or_its_faults_are_listed(seed: int, is_chinese: bool, data: st.DataObject) -> None:
    answer_to_spoiled_record(seed, is_chinese, data)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), st.booleans(), st.data())
def test_a_record_with_its_bytes_spoiled_is_settled_or_refused(
    seed: int, is_chinese: bool, data: st.DataObject
) -> None:
    answer_to_spoiled_bytes(seed, is_chinese, data)


@pytest.mark.slow
@settings(max_examples=5_000, deadline=None)
@given(st.integers(0, 2**32), st.booleans(), st.data())
def test_no_record_of_many_stops_the_run_however_it_is_spoiled(
    seed: int, is_chinese: bool, data: st.DataObject
) -> None:
    answer_to_spoiled_record(seed, is_chinese, data)
    answer_to_spoiled_bytes(seed, is_chinese, data)


@pytest.mark.parametrize("record", [RECORD, paigow_hands.record()], ids=["chinese", "pai gow"])
def test_a_name_given_twice_is_refused_wherever_it_stands(record: dict[str, Any]) -> None:
    text = json.dumps(record)
    for name in sorted({key for value in containers(record) if isinstance(value, dict) for key in value}):
        doubled = text.replace(f'"{name}":', f'"{name}": 1, "{name}":', 1)
        (error,) = answer_to(doubled.encode())["errors"]
        assert error["code"] == "not-json"
        assert repr(name) in error["message"]


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("name", ["point_value", "button", "stack"])
def test_a_number_that_is_none_is_refused_wherever_it_stands(name: str, text: str) -> None:
    spoiled = json.dumps(RECORD).replace(f'"{name}": {json.dumps(value_of(name))}', f'"{name}": {text}', 1)
    assert text in spoiled
    assert [error["code"] for error in answer_to(spoiled.encode())["errors"]] == ["not-json"]


def value_of(name: str) -> Any:
    return RECORD[name] if name in RECORD else RECORD["seats"][0][name]


@pytest.mark.parametrize("value", [500.0, 1e3, 0.1, "500", True, [500], {"cents": 500}])
def test_an_amount_that_is_no_whole_number_is_a_wrong_type(value: Any) -> None:
    errors = answer_to(json.dumps({**RECORD, "point_value": value}).encode())["errors"]
    assert [(error["path"], error["code"]) for error in errors] == [("point_value", "wrong-type")]


def test_all_faults_of_a_record_are_listed_at_once_whatever_they_are() -> None:
    record = {
        "game": "chinese-poker",
        "rules": "cardroom",
        "point_value": 0.5,
        "button": 7,
        "table": 4,
        "overrides": {"cap": "some", "kap": 1, "sweep_points": True},
        "incidents": [{"kind": "wrong-seat", "seat": 9}],
        "seats": [
            {"seat": 1, "stack": -1, "front": "Kh Kh 1x", "middle": 5, "back": "Jk"},
            {"seat": 1, "stack": None, "cards": "", "declares": "royal", "surrenders": True},
        ],
    }
    found = {(error["path"], error["code"]) for error in answer_to(json.dumps(record).encode())["errors"]}
    assert found == {
        ("overrides/cap", "out-of-range"),
        ("overrides/kap", "unknown-parameter"),
        ("overrides/sweep_points", "wrong-type"),
        ("table", "unknown-key"),
        ("point_value", "wrong-type"),
        ("button", "out-of-range"),
        ("seats/0/stack", "out-of-range"),
        ("seats/0/front", "unknown-card"),
        ("seats/0/front", "duplicate-card"),
        ("seats/0/middle", "wrong-type"),
        ("seats/0/back", "card-not-in-game"),
        ("seats/1/seat", "duplicate-seat"),
        ("seats/1/declares", "not-offered"),
        ("seats/1/declares", "conflict"),
        ("seats/1/surrenders", "not-offered"),
        ("incidents/0/seat", "out-of-range"),
        ("incidents/0/set", "missing"),
    }


# What is no JSON object at all, given to the rules by a program


NO_JSON = [
    pytest.param(value, id=type(value).__name__)
    for value in (b"{}", {1, 2}, ("game",), Decimal(1), object(), float("nan"), 10**5_000, "\ud800")
]


@pytest.mark.parametrize("data", NO_JSON)
def test_a_record_that_is_no_object_is_a_wrong_type(data: Any) -> None:
    with pytest.raises(InvalidRecord) as caught:
        settle(data)
    assert [(fault.path, fault.code) for fault in caught.value.faults] == [("", "wrong-type")]


@pytest.mark.parametrize("value", NO_JSON)
@pytest.mark.parametrize("place", ["rules", "point_value", "seats", "overrides", "incidents"])
def test_a_value_that_no_json_has_is_a_fault_of_its_place(place: str, value: Any) -> None:
    with pytest.raises(InvalidRecord) as caught:
        settle({**RECORD, place: value})
    assert_listed([fault.to_data() for fault in caught.value.faults])
    assert {fault.path for fault in caught.value.faults} == {place}


@pytest.mark.parametrize("name", [1, None, (1, 2), 1.5, b"x", "\ud800", "\n", "a" * 2_000])
def test_a_name_that_is_no_text_is_an_unknown_key(name: Any) -> None:
    with pytest.raises(InvalidRecord) as caught:
        settle({**RECORD, name: 1})
    assert_listed([fault.to_data() for fault in caught.value.faults])
    assert [fault.code for fault in caught.value.faults] == ["unknown-key"]


# Lines as long as a line may be

FILL = MAX_LINE_BYTES - 200


def filled(text: Callable[[int], str]) -> bytes:
    """A record whose seats are so much text."""
    start = '{"game": "chinese-poker", "rules": "cardroom", "point_value": 1, "button": 1, "seats": '
    return f"{start}{text(FILL - len(start))}}}".encode()


LONG_LINES = {
    "objects": filled(lambda size: "[" + "{}," * (size // 3 - 1) + "{}]"),
    "names": filled(lambda size: "{" + ",".join(f'"{number:06}":1' for number in range(size // 11)) + "}"),
    "numbers": filled(lambda size: "[" + ",".join(["9" * 4_200] * (size // 4_201)) + "]"),
    "a text": filled(lambda size: json.dumps("Kh " * (size // 3 - 1))),
    "escapes": filled(lambda size: '"' + "\\ud800" * (size // 6 - 1) + '"'),
    "seats": filled(lambda size: json.dumps([RECORD["seats"][0]] * (size // 200))[: size - 1] + "]"),
    "nested": filled(lambda size: "[" * 900 + "]" * 900),
    "nested too deeply": filled(lambda size: "[" * (size // 2) + "]" * (size // 2)),
}


@pytest.mark.parametrize("name", LONG_LINES)
def test_the_longest_line_is_answered_in_little_memory(name: str) -> None:
    tracemalloc.start()
    try:
        assert answer_to(LONG_LINES[name])["status"] == "invalid"
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 64 * MAX_LINE_BYTES
