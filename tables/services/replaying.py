"""Settling a stored hand again from its record, and comparing all that is stored of it with what comes out. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tables.rules import InvalidRecord, RuleSet, canonical_json, canonical_record, read_record
from tables.rules import settle_text as verdict_of
from tables.selectors.replays import StoredHand
from tables.services.replaying_ledger import MISDEAL_ENDING, ledger_differences

# Of a verdict that differs in many places the first few say what happened.
PLACES_SHOWN = 5


def differences_of(hand: StoredHand, rules: RuleSet) -> list[str]:
    """In words, everything in which a stored hand is not what its record and its own rules make of it."""
    if hand.misdeal_code and hand.record is None:
        return ledger_differences(hand, MISDEAL_ENDING)
    if hand.record is None:
        return ["no record is stored"]
    try:
        record = read_record(json.loads(hand.record), {rules.name: rules}.get)
    except json.JSONDecodeError as error:
        return [f"its record is not JSON: {error}"]
    except InvalidRecord as invalid:
        return [f"its record is not valid under {rules.name}: {faults_in_words(invalid)}"]
    verdict = verdict_of(record)
    found = []
    if record.rule_set.name != rules.name:
        found.append(f"its record names {record.rule_set.name}, and the hand was dealt under {rules.name}")
    if canonical_json(canonical_record(record)) != hand.record:
        found.append("its record is not in canonical form")
    if verdict != hand.verdict:
        found += _verdict_differences(hand.verdict, verdict)
    if verdict.endswith(MISDEAL_ENDING) != (hand.status == "misdeal"):
        found.append(f"the hand is stored as {hand.status}, the rules say {json.loads(verdict)['status']}")
    return found + ledger_differences(hand, verdict)


def faults_in_words(invalid: InvalidRecord) -> str:
    """What is wrong with a record, each fault with its place."""
    return "; ".join(f"{fault.path or 'the record'}: {fault.message}" for fault in invalid.faults)


def _verdict_differences(stored: str | None, verdict: str) -> list[str]:
    if stored is None:
        return ["no verdict is stored"]
    try:
        data = json.loads(stored)
    except json.JSONDecodeError as error:
        return [f"its verdict is not JSON: {error}"]
    places = list(_places_that_differ("", data, json.loads(verdict)))
    if not places:
        return ["its verdict is not in canonical form"]
    left = len(places) - PLACES_SHOWN
    more = [f"verdict: {left} more places differ"] if left > 0 else []
    return [f"verdict, {place}" for place in places[:PLACES_SHOWN]] + more


def _places_that_differ(path: str, stored: Any, verdict: Any) -> Iterator[str]:
    """Each place by its path, such as ``payments/0/paid``, with what stands there and what should."""
    if isinstance(stored, dict) and isinstance(verdict, dict):
        for key in sorted(stored.keys() | verdict.keys()):
            yield from _places_that_differ(f"{path}/{key}", stored.get(key), verdict.get(key))
    elif isinstance(stored, list) and isinstance(verdict, list) and len(stored) == len(verdict):
        for number, pair in enumerate(zip(stored, verdict, strict=True)):
            yield from _places_that_differ(f"{path}/{number}", *pair)
    elif (type(stored), stored) != (type(verdict), verdict):
        yield f"{path[1:] or 'all of it'}: stored is {canonical_json(stored)}, the rules say {canonical_json(verdict)}"
