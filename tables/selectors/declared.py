"""How declared automatic wins are laid out on the table, so that everybody sees them (CP-20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tables.models import HandRecord
from tables.rules.cards import CARD_TEXTS, parse_cards
from tables.rules.chinese import automatic_win_split
from tables.rules.chinese.parameters import SEGMENTS
from tables.rules.rulesets import RuleSet
from tables.selectors.hands import Segment
from tables.selectors.rules import rule_set_of


@dataclass(frozen=True, slots=True)
class DeclaredSplit:
    """A seat's automatic win and its cards, in the order in which the dealer lays them out."""

    seat: int
    natural: str
    segments: Sequence[Segment]


def declared_splits(record: HandRecord | None) -> list[DeclaredSplit]:
    """The automatic wins that count in a record's verdict, in seat order."""
    judged = record.verdict.data.get("seats", ()) if record is not None else ()
    naturals = {seat["seat"]: seat["natural"] for seat in judged if seat["natural"] is not None}
    if record is None or not naturals:
        return []
    rules = rule_set_of(record.hand.rules)
    entered = {entry["seat"]: entry for entry in record.data["seats"]}
    return [DeclaredSplit(seat, kind, _laid_out(kind, entered[seat], rules)) for seat, kind in naturals.items()]


def _laid_out(kind: str, entered: Mapping[str, Any], rules: RuleSet) -> list[Segment]:
    cards = parse_cards(" ".join(entered[name] for name in (*SEGMENTS, "cards") if name in entered))
    parts = automatic_win_split(kind, cards, rules)
    return [
        Segment(name, " ".join(CARD_TEXTS[card] for card in part)) for name, part in zip(SEGMENTS, parts, strict=True)
    ]
