"""Every verdict in words: whatever it holds has a sentence that names its rule, and the sentences say what is so."""

import ast
import json
import random
import re
from collections.abc import Iterator
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tables.rules
from tables.rules import InvalidRecord, canonical_json, read_record, settle
from tables.rules.chinese.record import ChineseRecord
from tables.rules.explain import Line, explain
from tables.rules.ranking import Category, describe, pack, rank_five, rank_front
from tables.rules.sentences import Phrase, dollars, signed_dollars, signed_points
from tables.rules.words import HAND_NAMES, hand_name
from tests.tables.rules.case_files import Case, cases_of
from tests.tables.rules.dealt_records import dealt_record
from tests.tables.rules.paigow_hands import any_record

CASES = [*cases_of("chinese-poker"), *cases_of("pai-gow-poker")]
RULE = re.compile(r"(CP|PG)-\d\d")

randoms = st.integers(0, 2**32).map(random.Random)
quickly = settings(max_examples=100)


def settled(record: dict[str, Any]) -> dict[str, Any] | None:
    """The verdict on a record as it is stored and read back, or nothing where it is invalid."""
    try:
        verdict: dict[str, Any] = json.loads(canonical_json(settle(record)))
    except InvalidRecord:
        return None
    return verdict


def about(lines: list[Line], part: str, *places: int) -> list[Line]:
    return [line for line in lines if line.about == part and (not places or set(line.places) == set(places))]


def phrases(phrase: Phrase) -> Iterator[Phrase]:
    """A phrase and all phrases in it."""
    yield phrase
    for value in phrase.values.values():
        if isinstance(value, Phrase):
            yield from phrases(value)


def assert_readable(lines: list[Line]) -> None:
    """No placeholder is left, nothing stands for what is missing, and every line ends with its rule."""
    assert lines
    for line in lines:
        words = str(line)
        assert not re.search(r"%\(|%s|None|\{|\}", words), words
        assert words.endswith(f" ({line.rule})"), words
        assert RULE.fullmatch(line.rule), words
        assert words[0].isupper() or words[0] in "$−", words


def assert_explains(lines: list[Line], verdict: dict[str, Any]) -> None:
    """Everything in the verdict has its sentence."""
    assert_readable(lines)
    if verdict["status"] == "misdeal":
        for reason in verdict["reasons"]:
            places = [reason[key] for key in ("seat", "position") if key in reason]
            assert any(line.rule == reason["rule"] for line in about(lines, "deal", *places))
    elif verdict["game"] == "chinese-poker":
        assert_explains_chinese(lines, verdict)
    else:
        assert_explains_pai_gow(lines, verdict)


def assert_explains_chinese(lines: list[Line], verdict: dict[str, Any]) -> None:
    for seat in verdict["seats"]:
        told = about(lines, "hand", seat["seat"])
        assert len([line for line in told if " fouls. " in str(line)]) >= len(seat["fouls"])
        assert told
        assert signed_points(seat["points"]) in str(about(lines, "result", seat["seat"])[0])
        assert signed_dollars(seat["net"]) in str(about(lines, "result", seat["seat"])[0])
    for pair in verdict["pairs"]:
        assert_explains_pair(about(lines, "pair", *pair["seats"]), pair)
    for payment in verdict["payments"]:
        told = about(lines, "payment", payment["payer"], payment["payee"])
        left = payment["owed"] - payment["paid"]
        assert [line.rule for line in told] == (["CP-50", "CP-52", "CP-53"] if left else ["CP-50"])
        assert dollars(payment["owed"]) in str(told[0])
        assert not left or str(told[2]).startswith(f"{dollars(left)} is left unpaid")


def assert_explains_pair(told: list[Line], pair: dict[str, Any]) -> None:
    """A sentence a line, in their order, that names the gainer and the points; the points add up to the total told."""
    *reasons, total = told
    earning = [line for line in reasons if "points" in line.values]
    assert [line.rule for line in earning] == [line["rule"] for line in pair["lines"]]
    sums = dict.fromkeys(pair["seats"], 0)
    for line, entry in zip(earning, pair["lines"], strict=True):
        assert f"eat {entry['seat']}" in str(line)
        assert line.values["points"] == signed_points(entry["points"])
        assert signed_points(entry["points"]) in str(line)
        sums[int(str(line.values["seat"]))] += int(str(line.values["points"]))
    low, high = pair["seats"]
    assert sums[low] - sums[high] == pair["points"]
    assert total.values["points"] == signed_points(abs(pair["points"]))
    if pair["points"]:
        gainer, payer = (low, high) if pair["points"] > 0 else (high, low)
        assert f"In all seat {gainer} gains from seat {payer}: " in str(total)


def assert_explains_pai_gow(lines: list[Line], verdict: dict[str, Any]) -> None:
    assert [line.rule for line in about(lines, "dice")] == ["PG-10", "PG-31"]
    for hand in verdict["hands"]:
        told = about(lines, "hand", hand["position"])
        assert {"PG-21"} & {line.rule for line in told} or not hand["fouls"]
        assert hand["rule"] in {line.rule for line in told}
        assert "row" not in hand or any(hand["row"] in str(line) for line in told)
        results = about(lines, "result", hand["position"])
        assert len(results) == (0 if "result" not in hand else 1 if hand["status"] == "foul" else 3)
    for wager in verdict["wagers"]:
        told = [line for line in about(lines, "wager") if line.reference == wager["id"]]
        assert told[0].rule == wager["rule"]
        assert not wager["net"] or dollars(abs(wager["net"])) in str(told[0])
        if wager["returned"] and wager["covered"] and wager["result"] != "push":
            assert {line.rule for line in told[1:]} <= {"PG-05", "PG-32"}
            assert told[1:]
    bank = about(lines, "bank")
    assert [line.rule for line in bank[:2]] == ["PG-32", "PG-50"]
    shares = [line.reference for line in bank if line.rule == "PG-52"]
    assert shares == [share["patron"] for share in verdict["bank"]["shares"]]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_pinned_verdict_is_explained_with_its_record_and_without(case: Case) -> None:
    verdict = settled(case.record)
    if verdict is None:
        assert case.expect["status"] == "invalid"
        return
    assert_explains(explain(verdict), verdict)
    assert_explains(explain(verdict, case.record), verdict)


@quickly
@given(randoms)
def test_any_verdict_of_chinese_poker_is_explained_under_any_rules(rng: random.Random) -> None:
    record = dealt_record(rng)
    verdict = settled(record)
    assert verdict is not None
    assert_explains(explain(verdict), verdict)
    assert_explains(explain(verdict, record), verdict)


@quickly
@given(randoms)
def test_any_verdict_of_pai_gow_is_explained_under_any_rules(rng: random.Random) -> None:
    record = any_record(rng)
    verdict = settled(record)
    assume(verdict is not None)
    assert verdict is not None
    assert_explains(explain(verdict), verdict)
    assert_explains(explain(verdict, record), verdict)


@quickly
@given(randoms)
def test_cp10_cp15_what_is_read_between_the_lines_is_so(rng: random.Random) -> None:
    """Which segments were equal, and whether a bonus came on top, is not written in a verdict but follows from it."""
    data = dealt_record(rng)
    verdict = settled(data)
    assume(verdict is not None and verdict["status"] == "settled")
    record = read_record(data)
    assert isinstance(record, ChineseRecord)
    seats = {seat.number: seat for seat in record.seats}
    bonus_mode = record.rule_set.parameters["bonus_mode"]
    for line in about(explain(verdict or {}), "pair"):
        if "are equal in" in str(line):
            place = ("front", "middle", "back").index(str(line.values["segment"]))
            hands = [(seats[number].segments or ())[place] for number in line.places]
            rank = rank_front if place == 0 else rank_five
            assert rank(hands[0]) == rank(hands[1])
        if "on top of the segment" in str(line):
            assert bonus_mode == "add"
        if "takes the segment's place" in str(line):
            assert bonus_mode == "replace"


def test_every_name_a_hand_can_have_is_taken_apart_for_the_translator() -> None:
    """All categories and ranks, the wheel as the second highest included."""
    high_first = [tuple(reversed(ranks)) for ranks in combinations(range(2, 15), 5)]
    strengths = {pack(category, ranks) for category in Category for ranks in high_first}
    strengths |= {pack(Category.HIGH_CARD, ranks) for ranks in combinations(range(14, 1, -1), 2)}
    strengths |= {pack(category, ranks) for category in Category for ranks in permutations(range(2, 15), 2)}
    strengths |= {pack(category, (13, 1)) for category in (Category.STRAIGHT, Category.STRAIGHT_FLUSH)}
    names = {describe(strength, royal=royal) for strength in strengths for royal in (False, True)}
    assert len(names) > 300
    for name in names:
        assert hand_name(name).text in HAND_NAMES
        assert str(hand_name(name)) == name


def test_every_text_of_every_sentence_is_marked_where_a_translator_finds_it() -> None:
    """gettext's tools find a text that stands as a literal in a call of ``_``."""
    folder = Path(tables.rules.__file__).parent
    marked = {
        call.args[0].value
        for path in folder.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "_"
        if isinstance(call.args[0], ast.Constant)
    }
    records = [case.record for case in CASES] + [dealt_record(random.Random(seed)) for seed in range(200)]
    verdicts = [(verdict, record) for record in records if (verdict := settled(record)) is not None]
    texts = {
        phrase.text for verdict, record in verdicts for line in explain(verdict, record) for phrase in phrases(line)
    }
    assert len(texts) > 80
    assert texts <= marked
