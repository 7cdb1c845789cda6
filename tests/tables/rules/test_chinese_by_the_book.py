"""The engine's verdicts against the same hands settled plainly by the rules (CP-01 to CP-53)."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tables.rules import canonical_json, get_rule_set, settle
from tests.tables.rules.dealt_records import dealt_record
from tests.tables.rules.plain_chinese import settle_plainly

# A seed is a record: a drawn ``Random`` would deal the same few hands again and again.
SEEDS = st.integers(0, 2**64 - 1)

# What must have happened in a corpus under each rule set as it ships.
EVERYWHERE = {
    "segment CP-10",
    "automatic-win CP-22",
    "automatic-win CP-23",
    "automatic-win CP-33",
    "foul CP-30",
    "regular",
    "automatic-win",
    "foul",
    "dragon",
    "six-pairs",
    "three-straights",
    "three-flushes",
    "segment-size",
    "front-beats-middle",
    "middle-beats-back",
    "false-declaration",
    "misdeal dealer-exposed CP-40",
    "misdeal wrong-count CP-41",
    "misdeal wrong-seat CP-42",
    "paid short",
}
FUTURE = {"surrendered", "surrender CP-35", "thirteen-colors", "twelve-colors", "middle-equals-back"}
BONUSES = {"bonus CP-14", "bonus CP-30", "front bonus of 3"}
BONUSES |= {f"middle bonus of {points}" for points in (2, 8, 10)} | {f"back bonus of {points}" for points in (4, 5)}
DOUBLED = {"front bonus of 6", "middle bonus of 4", "middle bonus of 16", "back bonus of 8", "back bonus of 10"}
MUST_HAPPEN = {
    "cardroom": EVERYWHERE | {"foul CP-33"},
    "cardroom-mandarin": EVERYWHERE | BONUSES | {"foul CP-33", "sweep CP-12", "super-bonus CP-13"},
    "future-western": EVERYWHERE | FUTURE | {"majority CP-11"},
    "future-eastern": EVERYWHERE | FUTURE | BONUSES | DOUBLED,
}


def by_the_book(record: dict[str, Any]) -> dict[str, Any]:
    """The plain verdict, the lines of each pair in one order."""
    parameters = {**get_rule_set(record["rules"]).parameters, **record["overrides"]}
    return in_order(settle_plainly(record, parameters))


def by_the_engine(record: dict[str, Any]) -> dict[str, Any]:
    """The engine's verdict without its heading and the hands in words, the lines of each pair in one order."""
    verdict = settle(record)
    heading = ("game", "rules", "overrides")
    bare = {key: value for key, value in verdict.items() if key not in heading}
    if "seats" in bare:
        bare["seats"] = [{key: value for key, value in seat.items() if key != "hands"} for seat in bare["seats"]]
    return in_order(bare)


def in_order(verdict: dict[str, Any]) -> dict[str, Any]:
    if "pairs" not in verdict:
        return verdict
    pairs = [{**pair, "lines": sorted(pair["lines"], key=canonical_json)} for pair in verdict["pairs"]]
    return {**verdict, "pairs": pairs}


def what_happens(verdict: dict[str, Any]) -> Counter[str]:
    """The kinds of lines with their rules, and all codes of a verdict."""
    if verdict["status"] == "misdeal":
        return Counter(f"misdeal {reason['code']} {reason['rule']}" for reason in verdict["reasons"])
    lines = [line for pair in verdict["pairs"] for line in pair["lines"]]
    found = Counter(f"{line['kind']} {line['rule']}" for line in lines)
    for seat in verdict["seats"]:
        found.update([seat["status"], *seat["fouls"], *([seat["natural"]] if seat["natural"] else [])])
    found.update(f"{line['segment']} bonus of {line['points']}" for line in lines if line["rule"] == "CP-14")
    found["paid short"] += sum(entry["paid"] < entry["owed"] for entry in verdict["payments"])
    return found


@settings(max_examples=300, deadline=None)
@given(SEEDS)
def test_any_hand_settles_as_by_the_book(seed: int) -> None:
    record = dealt_record(Random(seed))
    expected = by_the_book(record)
    for name in what_happens(expected):
        event(name)
    assert by_the_engine(record) == expected, record


@pytest.mark.slow
@settings(max_examples=20_000, deadline=None)
@given(SEEDS)
def test_twenty_thousand_hands_settle_as_by_the_book(seed: int) -> None:
    record = dealt_record(Random(seed))
    assert by_the_engine(record) == by_the_book(record), record


@pytest.mark.parametrize("rules", MUST_HAPPEN)
def test_everything_a_rule_set_knows_happens_and_is_settled_as_by_the_book(rules: str) -> None:
    happened: Counter[str] = Counter()
    for seed in range(400):
        record = dealt_record(Random(seed), rules, overrides={})
        expected = by_the_book(record)
        assert by_the_engine(record) == expected, record
        happened.update(what_happens(expected))
    assert MUST_HAPPEN[rules] == happened.keys()
