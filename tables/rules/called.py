"""A misdeal that is called at the table, before the cards are known: the reasons are those of a whole record."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from tables.rules.cards import parse_card
from tables.rules.chinese import misdeals as chinese_misdeals
from tables.rules.chinese import record as chinese
from tables.rules.paigow import misdeals as pai_gow_misdeals
from tables.rules.paigow import record as pai_gow
from tables.rules.rulesets import CHINESE_POKER, PAI_GOW_POKER, RuleSet

WRONG_STUB = "wrong-stub"
# What can be called in each game, and the rule that it is a misdeal by.
RULES: dict[str, dict[str, str]] = {
    CHINESE_POKER: {"dealer-exposed": "CP-40", "wrong-count": "CP-41", "wrong-seat": "CP-42"},
    PAI_GOW_POKER: {
        "joker-or-ace-exposed": "PG-41",
        "cards-exposed": "PG-42",
        "wrong-count": "PG-43",
        WRONG_STUB: "PG-43",
    },
}
# Under this the stub's cards are counted, beside those of the seats and positions.
STUB = 0
STUB_SIZE = 4
_NO_CENTS = 0

Noted = Sequence[Mapping[str, Any]]


def called_reasons(
    rule_set: RuleSet, incidents: Noted, *, counts: Mapping[int, int], button: int, looked_at: Collection[int]
) -> list[dict[str, Any]]:
    """Why a deal is void by what was seen of it, in the order of a verdict; empty where it stands.

    ``incidents`` are as in a hand record. ``counts`` says how many cards a seat or position has, and the stub under ``STUB``;
    those of whom nothing is said have the right number. ``button`` is the button or the Player/Dealer; another hand of Pai Gow
    Poker that was ``looked_at`` is a foul instead (PG-43).
    """
    if rule_set.game == CHINESE_POKER:
        return [
            dict(reason)
            for reason in chinese_misdeals.misdeal_reasons(_chinese_record(rule_set, incidents, counts, button))
        ]
    reasons = pai_gow_misdeals.misdeal_reasons(_pai_gow_record(rule_set, incidents, counts, button, looked_at))
    if counts.get(STUB, STUB_SIZE) != STUB_SIZE:
        reasons.append({"code": WRONG_STUB, "rule": "PG-43"})
    return reasons


def called_verdict(game: str, rules: str, code: str, place: int | None) -> dict[str, Any]:
    """A misdeal that was called for one reason, as a verdict has it. ``rules`` names the rule set and its version."""
    key = "seat" if game == CHINESE_POKER else "position"
    at = {} if place is None else {key: place}
    reason = {"code": code, **at, "rule": RULES[game][code]}
    return {"status": "misdeal", "game": game, "rules": rules, "reasons": [reason]}


def _chinese_record(
    rule_set: RuleSet, incidents: Noted, counts: Mapping[int, int], button: int
) -> chinese.ChineseRecord:
    return chinese.ChineseRecord(
        rule_set=rule_set,
        point_value_cents=_NO_CENTS,
        button=button,
        seats=tuple(
            chinese.Seat(number, None, tuple(range(count)), None, None, False)
            for number, count in sorted(counts.items())
            if number != STUB
        ),
        incidents=tuple(
            chinese.Incident(each["kind"], each["seat"], each.get("cards", 0), each.get("set", False))
            for each in incidents
        ),
    )


def _pai_gow_record(
    rule_set: RuleSet, incidents: Noted, counts: Mapping[int, int], button: int, looked_at: Collection[int]
) -> pai_gow.PaiGowRecord:
    return pai_gow.PaiGowRecord(
        rule_set=rule_set,
        table_min_cents=_NO_CENTS,
        table_max_cents=_NO_CENTS,
        player_dealer=button,
        dice=(),
        bank=(),
        hands=tuple(
            pai_gow.Hand(position, tuple(range(count)), None, position in looked_at)
            for position, count in sorted(counts.items())
            if position != STUB
        ),
        wagers=(),
        incidents=tuple(
            pai_gow.Incident(each["kind"], tuple(map(parse_card, each.get("cards", ()))), each.get("position"))
            for each in incidents
        ),
    )
