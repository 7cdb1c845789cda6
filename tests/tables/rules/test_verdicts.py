"""What holds of every verdict on a hand of Chinese Poker."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tables.rules import canonical_json, canonical_record, read_record, settle
from tables.rules.cards import CARD_TEXTS
from tests.tables.rules.dealt_records import dealt_record

ROOT = Path(__file__).parents[3]
DEALT = st.integers(0, 2**64 - 1).map(lambda seed: dealt_record(Random(seed)))
SEGMENT_KEYS = {"front", "middle", "back", "cards"}


def seats_of(verdict: dict[str, Any]) -> list[dict[str, Any]]:
    """The seats of a verdict; a misdeal has none."""
    return list(verdict.get("seats", []))


@given(DEALT)
def test_cp50_points_and_nets_add_up_to_nothing(record: dict[str, Any]) -> None:
    verdict = settle(record)
    assert sum(seat["points"] for seat in seats_of(verdict)) == 0
    assert sum(seat["net"] for seat in seats_of(verdict)) == 0


@given(DEALT)
def test_every_point_is_explained_by_lines_and_every_pair_that_owes_is_paid(record: dict[str, Any]) -> None:
    verdict = settle(record)
    owing = []
    for pair in verdict.get("pairs", []):
        low, high = pair["seats"]
        assert all(line["points"] > 0 and line["seat"] in pair["seats"] and line["rule"] for line in pair["lines"])
        gain = sum(line["points"] if line["seat"] == low else -line["points"] for line in pair["lines"])
        assert gain == pair["points"]
        if gain:
            owing.append((high, low, gain) if gain > 0 else (low, high, -gain))
    paid = [(entry["payer"], entry["payee"], entry["points"]) for entry in verdict.get("payments", [])]
    assert sorted(paid) == sorted(owing)


@given(DEALT)
def test_cp52_no_cap_is_passed_and_nobody_pays_more_than_is_owed(record: dict[str, Any]) -> None:
    verdict = settle(record)
    stacks = {seat["seat"]: seat["stack"] for seat in record["seats"]}
    nets = dict.fromkeys(stacks, 0)
    cap = record["overrides"].get("cap", "running-net")
    for payment in verdict.get("payments", []):
        assert 0 <= payment["paid"] <= payment["owed"] == payment["points"] * record["point_value"]
        nets[payment["payer"]] -= payment["paid"]
        nets[payment["payee"]] += payment["paid"]
        for seat in (payment["payer"], payment["payee"]):
            stack = stacks[seat]
            if stack is None or cap == "none":
                continue
            assert nets[seat] >= -stack
            assert cap == "per-opponent" or nets[seat] <= stack
    assert all(seat["net"] == nets[seat["seat"]] for seat in seats_of(verdict))


@given(DEALT, st.randoms(use_true_random=False))
def test_the_order_of_seats_and_cards_makes_no_difference(record: dict[str, Any], random: Any) -> None:
    expected = canonical_json(settle(record))
    shuffled = json.loads(json.dumps(record))
    random.shuffle(shuffled["seats"])
    for seat in shuffled["seats"]:
        for key in SEGMENT_KEYS & seat.keys():
            words = seat[key].split()
            random.shuffle(words)
            seat[key] = "  ".join(words)
    assert canonical_json(settle(shuffled)) == expected


@given(DEALT)
def test_a_record_and_its_verdict_are_the_same_bytes_when_read_back_and_settled_again(record: dict[str, Any]) -> None:
    read = read_record(json.loads(json.dumps(record)))
    record_text, verdict_text = canonical_json(canonical_record(read)), canonical_json(settle(record))
    assert canonical_json(json.loads(verdict_text)) == verdict_text
    assert canonical_json(canonical_record(read_record(json.loads(record_text)))) == record_text
    assert canonical_json(settle(json.loads(record_text))) == verdict_text


@given(DEALT)
def test_turning_seats_and_button_round_the_table_turns_the_verdict(record: dict[str, Any]) -> None:
    turned = json.loads(json.dumps(record))
    for item in (*turned["seats"], *turned["incidents"]):
        item["seat"] = next_seat(item["seat"])
    turned["button"] = next_seat(record["button"])
    assert settle(turned) == turned_verdict(settle(record))


def next_seat(seat: int) -> int:
    return seat % 4 + 1


def turned_verdict(verdict: dict[str, Any]) -> dict[str, Any]:
    """The verdict with everybody moved on by one seat; what an order by seat puts elsewhere is moved too."""
    turned = json.loads(canonical_json(verdict))
    for item in (*seats_of(turned), *turned.get("reasons", [])):
        item["seat"] = next_seat(item["seat"])
    for payment in turned.get("payments", []):
        payment["payer"], payment["payee"] = next_seat(payment["payer"]), next_seat(payment["payee"])
    for pair in turned.get("pairs", []):
        low, high = map(next_seat, pair["seats"])
        pair["seats"] = sorted((low, high))
        pair["points"] *= 1 if low < high else -1
        for line in pair["lines"]:
            line["seat"] = next_seat(line["seat"])
    if "reasons" in turned:
        turned["reasons"].sort(key=lambda reason: (reason["rule"], reason["seat"]))
        return dict(turned)
    turned["seats"].sort(key=lambda seat: seat["seat"])
    turned["pairs"].sort(key=lambda pair: pair["seats"])
    return dict(turned)


def test_another_process_with_other_hashes_writes_the_same_bytes() -> None:
    records = [dealt_record(Random(seed)) for seed in range(100)]
    program = (
        "import json, sys; from tables.rules import *\n"
        "for line in sys.stdin: record = json.loads(line);"
        " print(canonical_json(canonical_record(read_record(record))), canonical_json(settle(record)))"
    )
    texts = [
        canonical_json(canonical_record(read_record(each))) + " " + canonical_json(settle(each)) for each in records
    ]
    for hash_seed in ("1", "2718"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            input="\n".join(map(json.dumps, records)),
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        assert done.stdout.splitlines() == texts


@given(DEALT, st.permutations(range(4)))
def test_rk01_other_suits_change_only_what_is_made_of_colors(record: dict[str, Any], suits: list[int]) -> None:
    """Suits break no tie: renaming them all alike changes no verdict but those on the colour kinds."""
    offered = {entry["kind"] for entry in record["overrides"].get("naturals", [])}
    declared = {seat.get("declares") for seat in record["seats"]}
    if any(kind and kind.endswith("colors") for kind in offered | declared):
        return
    if record["rules"].startswith("future") and "naturals" not in record["overrides"]:
        record["overrides"].pop("naturals_optional", None)
    renamed = {text: text[0] + "cdhs"[suits["cdhs".index(text[1])]] for text in CARD_TEXTS if text != "Jk"}
    other = json.loads(json.dumps(record))
    for seat in other["seats"]:
        for key in SEGMENT_KEYS & seat.keys():
            seat[key] = " ".join(renamed[text] for text in seat[key].split())
    assert settle(other) == settle(record)


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from paths(child, (*path, key))


@given(DEALT)
def test_amounts_are_whole_numbers_everywhere(record: dict[str, Any]) -> None:
    verdict = settle(record)
    for path in paths(verdict):
        value = verdict
        for key in path:
            value = value[key]
        assert not isinstance(value, float)
