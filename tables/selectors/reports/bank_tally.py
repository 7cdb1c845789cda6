"""What banks won and could expect, added up hand by hand: in any order it comes to the same."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple, TypeVar
from uuid import UUID

from tables.models import Expectation, RuleSetVersion
from tables.rules import RuleSet
from tables.rules.paigow.parameters import terms_of
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.settled_hands import (
    SettledHand,
    rule_sets,
    settled_hands_by_rules,
)
from tables.selectors.statistics.chances import Chances
from tables.selectors.statistics.expectations import chances_of, expectations_of
from tables.selectors.statistics.figures import Apart, apart, whole

FEWEST_HANDS = 50
"""With fewer hands a row has its figures and no question: sums of few hands do not lie on a bell curve."""

_Key = TypeVar("_Key", bound=Hashable)


class Banked(NamedTuple):
    """What banks have in common: where, who dealt, by which rules, and whose sitting had the bank.

    The bank counts as one, whoever else has money in it (PG-50).
    """

    table_id: UUID
    dealer_id: UUID | None
    rules_id: UUID
    sitting_id: str


@dataclass(slots=True)
class Tally:
    """What some banks won, in cents, and what they could expect of the same wagers.

    ``wagered_by`` is what was wagered under each version of the rules whose expected result is known; ``unknown`` counts the
    hands of the others.
    """

    hands: int = 0
    spots: int = 0
    wagered_cents: int = 0
    observed_cents: int = 0
    mean: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)
    wagered_by: Counter[UUID] = field(default_factory=Counter)
    unknown: int = 0

    def count(self, hand: SettledHand, policy: str, chances: Chances | None) -> None:
        """Count a hand. Wagers are in play up to the table's maximum (PG-05)."""
        most_cents = hand.record["table_max"]
        wagers = [(wager["position"], min(wager["amount"], most_cents)) for wager in hand.record["wagers"]]
        wagered_cents = sum(cents for _position, cents in wagers)
        self.hands += 1
        self.spots += len({position for position, _cents in wagers})
        self.wagered_cents += wagered_cents
        self.observed_cents += hand.bank_net_cents
        if chances is None:
            self.unknown += 1
            return
        bank_cents = sum(stake["amount"] for stake in hand.record["bank"])
        if bank_cents < wagered_cents:
            wagers = _in_order_of_action(hand, wagers)
        expected = chances.of_hand(bank_cents, policy, wagers)
        self.mean += expected.mean
        self.variance += expected.variance
        self.wagered_by[hand.rules_id] += wagered_cents

    def add(self, other: Tally) -> None:
        """Count another's hands as well."""
        self.hands += other.hands
        self.spots += other.spots
        self.wagered_cents += other.wagered_cents
        self.observed_cents += other.observed_cents
        self.mean += other.mean
        self.variance += other.variance
        self.wagered_by += other.wagered_by
        self.unknown += other.unknown

    @property
    def expected_cents(self) -> int | None:
        """What chance pays on average; nothing where that is not known of every hand."""
        return None if self.unknown else whole(self.mean)

    def apart(self, chances: Mapping[UUID, Chances]) -> Apart | None:
        """How far the observed result is from it. That the expected one comes of so many deals only makes the interval longer."""
        if self.unknown:
            return None
        doubt = sum(
            (cents * cents * chances[rules_id].mean_variance for rules_id, cents in self.wagered_by.items()),
            Fraction(0),
        )
        return apart(self.observed_cents, self.mean, self.variance + doubt)

    def chance(self, chances: Mapping[UUID, Chances]) -> float | None:
        """How often chance alone takes it so far; nothing for fewer than ``FEWEST_HANDS``."""
        found = self.apart(chances)
        return None if found is None or self.hands < FEWEST_HANDS else found.chance


def _in_order_of_action(hand: SettledHand, wagers: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Wagers as the bank meets them, which the verdict says; only what a bank covers in part asks for it."""
    settled = json.loads(hand.verdict_text)["wagers"]
    order = {wager["id"]: wager["order"] for wager in settled}
    places = [order[wager["id"]] for wager in hand.record["wagers"]]
    return [wager for _place, wager in sorted(zip(places, wagers, strict=True))]


@dataclass(frozen=True, slots=True)
class Banks:
    """The banks of a span added up, the rules they were played by, and what those let expect."""

    versions: Mapping[UUID, tuple[RuleSetVersion, RuleSet]]
    expectations: Mapping[UUID, Expectation]
    chances: Mapping[UUID, Chances]
    tallies: dict[Banked, Tally] = field(default_factory=lambda: defaultdict(Tally))

    @classmethod
    def of(cls, asked: Asked) -> Banks:
        """Ready to count the hands dealt and settled in the span: a year of them needs no more memory than a day."""
        versions = rule_sets(settled_hands_by_rules(asked))
        expectations = {each.rules_id: each for each in expectations_of(version for version, _ in versions.values())}
        return cls(versions, expectations, {rules_id: chances_of(each) for rules_id, each in expectations.items()})

    def count(self, hand: SettledHand) -> None:
        """Count a hand."""
        _version, rules = self.versions[hand.rules_id]
        banked = Banked(hand.table_id, hand.dealer_id, hand.rules_id, hand.record["bank"][0]["patron"])
        self.tallies[banked].count(hand, terms_of(rules).bank_policy, self.chances.get(hand.rules_id))

    def by(self, key: Callable[[Banked], _Key]) -> dict[_Key, Tally]:
        """The hands put together by what they have in common."""
        found: dict[_Key, Tally] = defaultdict(Tally)
        for banked, tally in self.tallies.items():
            found[key(banked)].add(tally)
        return dict(found)
