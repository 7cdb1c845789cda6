"""Hand records of every game: reading one, and writing it in the one form that is stored and hashed."""

import json
from functools import lru_cache
from typing import Any

from tables.rules.chinese import record as chinese
from tables.rules.chinese.record import ChineseRecord
from tables.rules.faults import (
    MISSING,
    NOT_OFFERED,
    OUT_OF_RANGE,
    UNKNOWN_RULES,
    WRONG_TYPE,
    Fault,
    InvalidRecord,
    Reader,
    quote,
    refuse,
)
from tables.rules.paigow import record as paigow
from tables.rules.paigow.record import PaiGowRecord
from tables.rules.rulesets import CHINESE_POKER, GAMES, PAI_GOW_POKER, Find, RuleSet, get_rule_set

Record = ChineseRecord | PaiGowRecord

# NaN and infinity, which are no JSON, go through it for the check of the overrides to find.
_OVERRIDES_KEY = json.JSONEncoder(sort_keys=True)
# Rule sets with overrides that are kept ready for the next record that gives the same.
_OVERRIDES_KEPT = 64

# With which rules the rest of a record is read when its own are unknown, to find its other faults.
_STAND_IN_RULES = {CHINESE_POKER: "cardroom-mandarin", PAI_GOW_POKER: "capitol"}


def read_record(data: object, find: Find | None = None) -> Record:
    """Read a hand record from a JSON object. Raises :class:`InvalidRecord` with all its faults.

    ``find`` looks up rule sets that are not shipped; see :func:`tables.rules.rulesets.get_rule_set`.
    """
    reader = Reader(data)
    if not isinstance(data, dict):
        refuse("", WRONG_TYPE, f"A hand record is a JSON object, and this is {quote(data)}.")
    game = _read_game(data)
    rule_set, faults = _read_rules(data, game, find)
    for fault in faults:
        reader.fault(fault.path, fault.code, fault.message)
    record: Record = (chinese.read if game == CHINESE_POKER else paigow.read)(reader, rule_set)
    if any(fault.code == UNKNOWN_RULES for fault in faults):
        # What is offered depends on the rules, and these are not the record's own.
        reader.faults = [fault for fault in reader.faults if fault.code != NOT_OFFERED]
    reader.finish()
    return record


def _read_game(data: dict[str, Any]) -> str:
    game = data.get("game")
    if "game" not in data:
        refuse("game", MISSING, f"game is missing; give one of: {', '.join(GAMES)}.")
    if not isinstance(game, str):
        refuse("game", WRONG_TYPE, f"game is {quote(game)}; give one of: {', '.join(GAMES)}.")
    if game not in GAMES:
        refuse("game", OUT_OF_RANGE, f"game is {quote(game)}; give one of: {', '.join(GAMES)}.")
    return game


def _read_rules(data: dict[str, Any], game: str, find: Find | None) -> tuple[RuleSet, list[Fault]]:
    """The rule set with the record's overrides, and what is wrong with either."""
    faults: list[Fault] = []
    rule_set = get_rule_set(_STAND_IN_RULES[game])
    name = data.get("rules")
    if isinstance(name, str):
        try:
            found = get_rule_set(name, find)
        except InvalidRecord as invalid:
            return rule_set, invalid.faults
        if found.game != game:
            message = f"{quote(name)} are rules of {found.game}; use rules of {game}."
            return rule_set, [Fault("rules", UNKNOWN_RULES, message)]
        rule_set = found
    elif "rules" in data:
        faults.append(Fault("rules", WRONG_TYPE, f"rules is {quote(name)}; give the slug of a rule set."))
    overrides = data.get("overrides", {})
    if not isinstance(overrides, dict):
        return rule_set, [*faults, Fault("overrides", WRONG_TYPE, f"overrides is {quote(overrides)}; give an object.")]
    if not overrides:
        return rule_set, faults
    try:
        return _with_overrides(rule_set, _OVERRIDES_KEY.encode(overrides)), faults
    except InvalidRecord as invalid:
        return rule_set, faults + invalid.faults


@lru_cache(maxsize=_OVERRIDES_KEPT)
def _with_overrides(rule_set: RuleSet, overrides_text: str) -> RuleSet:
    """A rule set with overrides laid over it, checked and made ready once for all records that give the same."""
    return rule_set.with_overrides(json.loads(overrides_text))


def canonical_record(record: Record) -> dict[str, Any]:
    """The record as a canonical JSON object, which reads back as itself: pinned rule set version, cards in
    canonical text, lists in the order that has a meaning or else sorted."""
    return chinese.to_data(record) if isinstance(record, ChineseRecord) else paigow.to_data(record)
