"""What the bank can expect when every hand is set by the house way: counted from dealt hands, worked out without rounding.

A deal has six hands against the bank's, and all six meet the same bank hand: when the bank has a good one it wins from everybody.
So the wagers of one deal do not fare independently, and an interval that took them for independent would be too short. What is
counted is therefore how the six fare together. Any of the six is as good as any other, so counts of how many won and how
many lost say everything: the chances of any number of wagers up to six, whatever the bank covers of them.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from math import factorial, gcd
from typing import NamedTuple

from tables.rules import RuleSet
from tables.rules.cards import DECK_WITH_JOKER
from tables.rules.paigow.bank import BANK_POLICIES, LOSE, PUSH, WIN, Exposure
from tables.rules.paigow.dice import POSITIONS
from tables.rules.paigow.record import DICE, HAND_SIZE, Hand, PaiGowRecord, Stake, Wager
from tables.rules.paigow.settling import settle

SPOTS = POSITIONS - 1
"""How many hands there are against the bank's when all seven positions are dealt."""

OUTCOMES: tuple[tuple[int, int], ...] = tuple(
    (won, lost) for won in range(SPOTS + 1) for lost in range(SPOTS + 1 - won)
)
"""How six wagers can fare: so many won, so many lost. The rest pushed."""

_BANK, _MINIMUM_CENTS = 1, 1
_SIGNS = {WIN: -1, LOSE: 1, PUSH: 0}
_ORDERS = factorial(SPOTS)
_SHORT_BANKS_KEPT = 65_536
_CHANCES_KEPT = 64
_Figure = Callable[[int, int], int]


class Moments(NamedTuple):
    """What something comes to on average, in cents, and the variance of that, in cents times cents."""

    mean: Fraction
    variance: Fraction


def outcomes_dealt(rule_set: RuleSet, seed: int, deals: int) -> Iterator[tuple[int, int]]:
    """How the six wagers of each deal fared, all hands set by the house way of the rules. The same seed deals the same."""
    deck = random.Random(seed)  # noqa: S311 - invented hands need no secrets
    wagers = tuple(
        Wager(str(position), position, "", _MINIMUM_CENTS, True) for position in range(_BANK + 1, POSITIONS + 1)
    )
    bank = (Stake("", SPOTS * _MINIMUM_CENTS),)
    for _ in range(deals):
        cards = deck.sample(DECK_WITH_JOKER, POSITIONS * HAND_SIZE)
        hands = tuple(
            Hand(place + 1, tuple(cards[HAND_SIZE * place : HAND_SIZE * (place + 1)]), None, False)
            for place in range(POSITIONS)
        )
        record = PaiGowRecord(rule_set, _MINIMUM_CENTS, _MINIMUM_CENTS, _BANK, (1,) * DICE, bank, hands, wagers, ())
        results = [wager.result for wager in settle(record).wagers]
        yield results.count(WIN), results.count(LOSE)


@dataclass(frozen=True)
class Chances:
    """Deals by outcome, in the order of ``OUTCOMES``, and what follows from them."""

    counts: tuple[int, ...]

    @classmethod
    def of(cls, outcomes: Mapping[tuple[int, int], int]) -> Chances:
        """The chances of these outcomes."""
        return cls(tuple(outcomes.get(outcome, 0) for outcome in OUTCOMES))

    @cached_property
    def deals(self) -> int:
        """How many deals were counted."""
        return sum(self.counts)

    @cached_property
    def mean(self) -> Fraction:
        """What the bank wins on average of a wager of one."""
        return Fraction(self._sum(lambda won, lost: lost - won), SPOTS * self.deals)

    @cached_property
    def variance(self) -> Fraction:
        """The variance of what it wins of a wager of one."""
        return Fraction(self._sum(lambda won, lost: won + lost), SPOTS * self.deals) - self.mean**2

    @cached_property
    def covariance(self) -> Fraction:
        """How two wagers of one in the same hand vary together, because both meet the same bank hand."""
        of_pairs = self._sum(lambda won, lost: (lost - won) ** 2 - (won + lost))
        return Fraction(of_pairs, SPOTS * (SPOTS - 1) * self.deals) - self.mean**2

    @cached_property
    def mean_variance(self) -> Fraction:
        """The variance of ``mean`` itself, which comes of so many deals and not of all there are."""
        squares = Fraction(self._sum(lambda won, lost: (lost - won) ** 2), SPOTS**2 * self.deals)
        return (squares - self.mean**2) / self.deals

    def of_hand(self, bank_cents: int, policy: str, wagers: Sequence[tuple[int, int]]) -> Moments:
        """What the bank can expect of a hand. ``wagers`` are position and cents in play, in the order of action.

        A bank that is as large as all wagers covers them all, whatever the ``policy`` (PG-32). What a smaller one covers hangs on
        the cards: then every way in which the spots can fare is gone through.
        """
        total_cents = sum(cents for _position, cents in wagers)
        if bank_cents >= total_cents:
            by_spot: dict[int, int] = defaultdict(int)
            for position, cents in wagers:
                by_spot[position] += cents
            squares = sum(cents * cents for cents in by_spot.values())
            variance = (self.variance - self.covariance) * squares + self.covariance * total_cents * total_cents
            return Moments(self.mean * total_cents, variance)
        spots: dict[int, int] = {}
        # No policy rounds, so amounts that are so many times as large come to so much more: a hand is worked out once for all.
        unit = gcd(bank_cents, *(cents for _position, cents in wagers))
        by_place = tuple((spots.setdefault(position, len(spots)), cents // unit) for position, cents in wagers)
        mean, variance = _of_short_bank(self, bank_cents // unit, policy, by_place)
        return Moments(mean * unit, variance * unit * unit)

    def parts_of(self, spots: int) -> Mapping[tuple[int, int], Fraction]:
        """The chance that, of so many spots, certain ones win, certain ones lose and the others push, by how many do."""
        whole = self.deals * _ORDERS
        return {outcome: Fraction(part, whole) for outcome, part in _parts(self, spots).items()}

    def _sum(self, of: _Figure) -> int:
        return sum(deals * of(won, lost) for (won, lost), deals in zip(OUTCOMES, self.counts, strict=True))


def _ways(number: int, *parts: int) -> int:
    """In how many ways a number of things fall into parts of these sizes."""
    return factorial(number) // _alike(*parts)


def _alike(*parts: int) -> int:
    product_of = 1
    for part in parts:
        product_of *= factorial(part)
    return product_of


@lru_cache(maxsize=SPOTS * _CHANCES_KEPT)
def _parts(chances: Chances, spots: int) -> Mapping[tuple[int, int], int]:
    """What ``Chances.parts_of`` gives, in parts of all deals times ``_ORDERS``, so that they are whole."""
    left = SPOTS - spots
    parts: Counter[tuple[int, int]] = Counter()
    for (won, lost), deals in zip(OUTCOMES, chances.counts, strict=True):
        pushed = SPOTS - won - lost
        for a, b in OUTCOMES:
            c = spots - a - b
            if deals and a <= won and b <= lost and 0 <= c <= pushed:
                parts[a, b] += deals * _ways(left, won - a, lost - b, pushed - c) * _alike(won, lost, pushed)
    return parts


@lru_cache(maxsize=_SHORT_BANKS_KEPT)
def _of_short_bank(chances: Chances, bank_cents: int, policy: str, wagers: tuple[tuple[int, int], ...]) -> Moments:
    """A hand whose bank is smaller than the wagers against it, by the policy of the rules; spots counted from 0."""
    cover = BANK_POLICIES[policy]
    spots = 1 + max(spot for spot, _cents in wagers)
    parts = _parts(chances, spots)
    mean = square = 0
    for results in product((WIN, LOSE, PUSH), repeat=spots):
        part = parts.get((results.count(WIN), results.count(LOSE)))
        if part:
            exposures = [Exposure(results[spot], cents) for spot, cents in wagers]
            covered = cover(bank_cents, exposures)
            net = sum([_SIGNS[met.result] * cents for met, cents in zip(exposures, covered, strict=True)])
            mean += part * net
            square += part * net * net
    whole = chances.deals * _ORDERS
    return Moments(Fraction(mean, whole), Fraction(square, whole) - Fraction(mean, whole) ** 2)
