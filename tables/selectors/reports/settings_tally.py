"""Who set hands otherwise than the house way, what that came to, and who had it: added up hand by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from tables.rules import RuleSet, read_record
from tables.rules.paigow.bank import share_out
from tables.rules.paigow.record import PaiGowRecord
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.settled_hands import (
    SettledHand,
    patron_ids_of,
    rule_sets,
    settled_hands_by_rules,
)
from tables.selectors.statistics.figures import (
    chance_of_so_many,
    chance_of_so_many_together,
    spread,
)
from tables.selectors.statistics.otherwise import Decided, hands_decided

FEWEST_SET = 50
"""Of fewer hands that somebody set nothing is asked."""
FEWEST_TOGETHER = 3
"""A pair is listed from so many hands on that cost one and paid the other."""


class Moved(NamedTuple):
    """A hand of which the setting changed what somebody has: who decided, what it cost them, and whom it paid, by patron."""

    at: datetime
    hand_id: UUID
    number: int
    table_id: UUID
    decided: Decided
    by: UUID
    cost_cents: int
    gains_cents: Mapping[UUID, int]


@dataclass(slots=True)
class Settings:
    """What somebody set: hands, those of them otherwise than the house way, and what came of these, in cents.

    ``cost`` counts hands that would have come to more by the chart, ``paid`` those that would have come to less.
    """

    hands: int = 0
    otherwise: int = 0
    cost: int = 0
    paid: int = 0
    cost_cents: int = 0
    paid_cents: int = 0

    def count(self, decided: Decided, moved_cents: int) -> None:
        """Count a hand; ``moved_cents`` is what whoever decided has more or less for it."""
        self.hands += 1
        self.otherwise += decided.chart is not None
        if moved_cents < 0:
            self.cost += 1
            self.cost_cents -= moved_cents
        elif moved_cents > 0:
            self.paid += 1
            self.paid_cents += moved_cents


class Side(NamedTuple):
    """Somebody setting hands of one side: the bank's, or those against it."""

    patron_id: UUID
    is_bank: bool


class Pair(NamedTuple):
    """Somebody who set hands of one side, and somebody with money on the other."""

    side: Side
    other_id: UUID


@dataclass(slots=True)
class Together:
    """How often somebody had money on the other side of hands that one set, in how many the setting paid them, and how much."""

    hands: int = 0
    gained: int = 0
    cents: int = 0


@dataclass(slots=True)
class SettingsOf:
    """The settings of a span: by patron, by side, by pair, everybody's by side; and hands of which one changed what somebody has.

    ``rules`` are by the version's id, ``patrons`` by what a record calls them, which is their sitting's id. ``keeps`` says of
    whose settings the hands are wanted one by one: everything else needs no more memory for a year than for a day.
    """

    rules: Mapping[UUID, RuleSet]
    patrons: Mapping[str, UUID]
    keeps: Callable[[UUID], bool]
    by_patron: dict[UUID, Settings] = field(default_factory=lambda: defaultdict(Settings))
    by_side: dict[Side, Settings] = field(default_factory=lambda: defaultdict(Settings))
    everybody: dict[bool, Settings] = field(default_factory=lambda: defaultdict(Settings))
    pairs: dict[Pair, Together] = field(default_factory=lambda: defaultdict(Together))
    moved: list[Moved] = field(default_factory=list)

    @classmethod
    def of(cls, asked: Asked, keeps: Callable[[UUID], bool]) -> SettingsOf:
        """Ready to count the hands dealt and settled in the span."""
        versions = rule_sets(settled_hands_by_rules(asked))
        return cls({pk: rules for pk, (_version, rules) in versions.items()}, patron_ids_of(asked), keeps)

    def count(self, hand: SettledHand) -> None:
        """Count the hands of a record that somebody set."""
        rules = self.rules[hand.rules_id]
        record = read_record(hand.record, {rules.name: rules}.get)
        if isinstance(record, PaiGowRecord):
            self.count_record(hand, record)

    def count_record(self, hand: SettledHand, record: PaiGowRecord) -> None:
        """The same for a record that has been read."""
        patrons = self.patrons
        bank = {patrons[stake.patron] for stake in record.bank}
        against = {patrons[wager.patron] for wager in record.wagers}
        for decided in hands_decided(record):
            by = patrons[decided.by]
            moved: Counter[UUID] = Counter()
            for name, cents in decided.moved_cents.items():
                moved[patrons[name]] += cents
            gains = _gains(by, moved)
            side = Side(by, decided.is_bank)
            self.by_patron[by].count(decided, moved[by])
            self.by_side[side].count(decided, moved[by])
            self.everybody[decided.is_bank].count(decided, moved[by])
            for other in (against if decided.is_bank else bank) - {by}:
                together = self.pairs[Pair(side, other)]
                together.hands += 1
                together.gained += other in gains
                together.cents += gains.get(other, 0)
            if self.keeps(by) and any(moved.values()):
                self.moved.append(
                    Moved(hand.started_at, hand.id, hand.number, hand.table_id, decided, by, -moved[by], gains)
                )

    def chance_of(self, patron_id: UUID) -> float | None:
        """How often chance alone gives somebody so many hands that their setting cost, if it cost everybody as often.

        A bank costs in other hands than a spot, so either side is held against the same side of everybody.
        """
        own = self.by_patron[patron_id]
        if own.hands < FEWEST_SET:
            return None
        bank, spots = (
            spread(
                self.by_side.get(Side(patron_id, is_bank), Settings()).hands,
                self.everybody[is_bank].hands,
                self.everybody[is_bank].cost,
            )
            for is_bank in (True, False)
        )
        return chance_of_so_many_together(bank, spots, own.cost)

    def chance_of_pair(self, pair: Pair) -> float | None:
        """How often chance alone puts so many of the hands that one's setting cost where the other is on the other side."""
        own, together = self.by_side[pair.side], self.pairs[pair]
        if own.hands < FEWEST_SET:
            return None
        return chance_of_so_many(together.hands, together.gained, own.hands, own.cost)


def _gains(by: UUID, moved: Mapping[UUID, int]) -> dict[UUID, int]:
    """What of somebody's cost went to whom: shared by what each gained, to the cent."""
    gains = {patron: cents for patron, cents in moved.items() if cents > 0 and patron != by}
    cost_cents = -moved.get(by, 0)
    if cost_cents <= 0 or not gains:
        return {}
    return dict(zip(gains, share_out(cost_cents, list(gains.values())), strict=True))
