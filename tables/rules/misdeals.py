"""What the verdicts of all games have in common: how they begin, and a hand that was no hand."""

from collections.abc import Mapping, Sequence
from typing import Any

from tables.rules.rulesets import RuleSet
from tables.rules.text import canonical_json

Reasons = Sequence[Mapping[str, Any]]


def verdict_heading(status: str, rule_set: RuleSet) -> dict[str, Any]:
    """Status, game and rules of a verdict, and the overrides where there are any."""
    heading: dict[str, Any] = {"status": status, "game": rule_set.game, "rules": rule_set.name}
    return {**heading, "overrides": dict(rule_set.overrides)} if rule_set.overrides else heading


def misdeal_data(rule_set: RuleSet, reasons: Reasons) -> dict[str, Any]:
    """The verdict of a misdeal, with the reasons in their order."""
    return {**verdict_heading("misdeal", rule_set), "reasons": [dict(reason) for reason in reasons]}


def misdeal_text(rule_set: RuleSet, reasons: Reasons) -> str:
    """The same in canonical JSON."""
    return canonical_json(misdeal_data(rule_set, reasons))
