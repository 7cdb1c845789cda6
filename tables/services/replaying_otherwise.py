"""What a stored hand would have paid under another rule set version. Pure; nothing of it is the truth of anything."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tables.rules import InvalidRecord, RuleSet, read_record, settle_record
from tables.rules.rulesets import CHINESE_POKER
from tables.rules.sentences import signed_dollars
from tables.selectors.replays import PATRON, Person, StoredHand
from tables.services.replaying import faults_in_words
from tables.wording import in_words

Nets = Counter[str]


class Otherwise(NamedTuple):
    """A hand under other rules: what changes, in words, and what each patron's part in it came to, in cents by patron."""

    lines: list[str]
    paid: Nets
    would: Nets


def settled_otherwise(hand: StoredHand, rules: RuleSet, people: Sequence[Person]) -> Otherwise:
    """What changes under ``rules``. A record that is not valid under them changes nothing and is told with the reason.

    Of a misdeal that was called without its cards nothing changes.
    """
    if hand.misdeal_code and hand.record is None:
        return Otherwise([], Counter(), Counter())
    try:
        stored = json.loads(hand.verdict or "null")
        data = json.loads(hand.record or "null")
        record = read_record({**data, "rules": rules.name}, {rules.name: rules}.get)
    except (json.JSONDecodeError, TypeError) as error:
        return Otherwise([f"it cannot be read: {error}"], Counter(), Counter())
    except InvalidRecord as invalid:
        return Otherwise([f"not valid under {rules.name}: {faults_in_words(invalid)}"], Counter(), Counter())
    verdict = settle_record(record)
    paid, would = _nets(stored, people), _nets(verdict, people)
    lines = [*_statuses_changed(stored, verdict), *_nets_changed(paid, would, people)]
    return Otherwise(lines, paid, would)


def _nets(verdict: Mapping[str, Any], people: Sequence[Person]) -> Nets:
    """What a verdict comes to for each patron, in cents, collections apart."""
    if verdict["status"] == "misdeal":
        return Counter()
    if verdict["game"] == CHINESE_POKER:
        by_place = {f"seat {seat['seat']}": seat["net"] for seat in verdict["seats"]}
    else:
        by_place = {f"wager {wager['id']}": wager["net"] for wager in verdict["wagers"]}
        by_place |= {f"share {share['patron']}": share["net"] for share in verdict["bank"]["shares"]}
    nets: Nets = Counter()
    for person in people:
        nets[person.patron_id] += by_place.get(person.place, 0)
    return nets


def _nets_changed(paid: Nets, would: Nets, people: Sequence[Person]) -> Iterator[str]:
    places: dict[str, list[str]] = {}
    for person in people:
        place = "the bank" if person.place.startswith("share ") else person.place
        places.setdefault(person.patron_id, []).append(place)
    for patron_id, held in places.items():
        if paid[patron_id] != would[patron_id]:
            came_to, would_be = signed_dollars(paid[patron_id]), signed_dollars(would[patron_id])
            yield f"{PATRON}{patron_id} ({', '.join(held)}): {came_to}, would be {would_be}"


def _statuses_changed(stored: Mapping[str, Any], verdict: Mapping[str, Any]) -> Iterator[str]:
    if stored["status"] != verdict["status"]:
        yield f"{in_words(stored['status'])}, would be {in_words(verdict['status'])}"
        return
    before, after = _statuses(stored), _statuses(verdict)
    for place, status in before.items():
        if place in after and status != after[place]:
            yield f"{place}: {in_words(status)}, would be {in_words(after[place])}"


def _statuses(verdict: Mapping[str, Any]) -> dict[str, str]:
    """What each hand counts as: its automatic win where it has one, else its status."""
    found = {f"seat {seat['seat']}": seat["natural"] or seat["status"] for seat in verdict.get("seats", ())}
    return found | {f"position {hand['position']}": hand["status"] for hand in verdict.get("hands", ())}
