"""Settling a stream of records: a line out for every record, whatever comes in."""

import io
import json
import tracemalloc
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.rules import canonical_json, settle
from tables.rules.streaming import MAX_LINE_BYTES, read_lines, settle_lines
from tests.tables.rules.chinese_hands import SWEEPER, SWEPT, hands

RECORD = hands("cardroom-mandarin", SWEEPER, SWEPT)
GOOD = json.dumps(RECORD).encode()
VERDICT = settle(RECORD)


def answers(data: bytes, limit: int = MAX_LINE_BYTES) -> list[dict[str, Any]]:
    found = list(settle_lines(read_lines(io.BytesIO(data), limit)))
    assert all("\n" not in answer.text and answer.text.isascii() for answer in found)
    for answer in found:
        assert answer.is_valid == (json.loads(answer.text)["status"] != "invalid")
    return [json.loads(answer.text) for answer in found]


def codes(data: bytes) -> list[str]:
    (answer,) = answers(data)
    return [error["code"] for error in answer["errors"]]


def test_each_record_gets_its_verdict_in_order() -> None:
    other = {**RECORD, "point_value": 1}
    assert answers(GOOD + b"\n" + json.dumps(other).encode() + b"\n") == [VERDICT, settle(other)]


def test_a_verdict_is_written_in_its_one_canonical_text() -> None:
    (answer,) = settle_lines([GOOD])
    assert answer.text == canonical_json(VERDICT)


def test_a_last_line_without_its_end_and_windows_line_ends_are_read() -> None:
    assert answers(GOOD + b"\r\n" + GOOD) == [VERDICT, VERDICT]


def test_blank_lines_yield_nothing_but_count() -> None:
    found = answers(b"\n  \t\r\n" + GOOD + b"\n\nnonsense\n\n")
    assert [answer["status"] for answer in found] == ["settled", "invalid"]
    assert found[1]["line"] == 5


def test_a_byte_order_mark_is_passed_over_at_the_start_only() -> None:
    mark = b"\xef\xbb\xbf"
    assert [answer["status"] for answer in answers(mark + GOOD + b"\n" + mark + GOOD)] == ["settled", "invalid"]


def test_an_invalid_record_yields_its_line_and_faults_and_the_run_goes_on() -> None:
    spoiled = json.dumps({**RECORD, "button": 9, "x": 1}).encode()
    found = answers(spoiled + b"\n" + GOOD)
    assert found[0].keys() == {"status", "line", "errors"}
    assert (found[0]["status"], found[0]["line"]) == ("invalid", 1)
    assert [(error["path"], error["code"]) for error in found[0]["errors"]] == [
        ("x", "unknown-key"),
        ("button", "out-of-range"),
    ]
    assert found[1] == VERDICT


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", "not-json"),
        (b"hello", "not-json"),
        (b"{'game': 1}", "not-json"),
        (b"\xff\xfe", "not-json"),
        (b"\x00", "not-json"),
        (GOOD + GOOD, "not-json"),
        (GOOD.replace(b"500", b"NaN"), "not-json"),
        (GOOD.replace(b"500", b"-Infinity"), "not-json"),
        (GOOD.replace(b'"button"', b'"point_value"'), "not-json"),
        (b"[" * 100_000, "not-json"),
        (b'{"a":' * 100_000, "not-json"),
        (GOOD.replace(b"500", b"9" * 5_000), "out-of-range"),
        (GOOD.replace(b"500", b"9" * 4_000), "out-of-range"),
        (GOOD.replace(b"500", b"1e400"), "wrong-type"),
        (b"[]", "wrong-type"),
        (b"null", "wrong-type"),
        (b'"\\ud800"', "wrong-type"),
        (b"{}", "missing"),
    ],
)
def test_what_cannot_be_read_is_an_error_line(line: bytes, code: str) -> None:
    assert codes(line) == [code]


def test_a_line_too_long_is_an_error_line_and_the_next_is_read() -> None:
    limit = len(GOOD)
    padded = GOOD[:-1] + b" }"
    found = answers(padded + b"\n" + GOOD + b"\n" + padded * 40, limit)
    assert [answer["status"] for answer in found] == ["invalid", "settled", "invalid"]
    assert [answer["line"] for answer in found if answer["status"] == "invalid"] == [1, 3]
    assert found[0]["errors"][0]["code"] == "too-large"


class Endless(io.RawIOBase):
    """A file of a given number of bytes that are nowhere kept."""

    def __init__(self, chunk: bytes, times: int) -> None:
        self.chunk = chunk
        self.left = times

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self.left:
            return 0
        self.left -= 1
        buffer[: len(self.chunk)] = self.chunk
        return len(self.chunk)


def peak_of_settling(chunk: bytes, times: int) -> int:
    """The most bytes held at once while a chunk is read again and again and its lines are settled."""
    file = io.BufferedReader(Endless(chunk, times), buffer_size=len(chunk))
    tracemalloc.start()
    for _ in settle_lines(read_lines(file)):
        pass
    return tracemalloc.get_traced_memory()[1]


@pytest.mark.parametrize(
    ("chunk", "times", "most"),
    [(b"x" * 4096, 16_384, 6 * MAX_LINE_BYTES), ((GOOD + b"\n") * 4, 400, MAX_LINE_BYTES // 4)],
)
def test_memory_stays_the_same_however_much_is_read(chunk: bytes, times: int, most: int) -> None:
    """In a process of its own, where no other test's threads hold memory meanwhile."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
        peak = alone.submit(peak_of_settling, chunk, times).result()
    assert peak < most


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)
KEYS = st.sampled_from(
    ["game", "rules", "overrides", "incidents", "point_value", "button", "seats", "dice", "bank", "hands", "wagers"]
)
GAMES = st.sampled_from([("chinese-poker", "cardroom"), ("pai-gow-poker", "capitol")])


@given(st.binary())
def test_no_bytes_stop_the_run(data: bytes) -> None:
    answers(data)


@given(JSON)
def test_no_json_stops_the_run(value: Any) -> None:
    answers(json.dumps(value).encode())


@given(GAMES, st.dictionaries(KEYS, JSON, max_size=4))
def test_no_content_of_a_records_own_keys_stops_the_run(game: tuple[str, str], values: dict[str, Any]) -> None:
    answers(json.dumps({"game": game[0], "rules": game[1], **values}).encode())
