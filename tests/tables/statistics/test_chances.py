"""What a bank can expect: exact from the counts, the same for the same seed, and right by two other ways of working it out."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.rules import get_rule_set
from tables.rules.paigow.bank import BANK_POLICIES, LOSE, PUSH, WIN, Exposure
from tables.selectors.statistics import chances as module
from tables.selectors.statistics.chances import OUTCOMES, SPOTS, Chances, outcomes_dealt

CAPITOL = get_rule_set("capitol")
NETS = {WIN: -1, LOSE: 1, PUSH: 0}


@pytest.fixture(scope="module")
def dealt() -> list[tuple[int, int]]:
    """Three hundred deals."""
    return list(outcomes_dealt(CAPITOL, seed=11, deals=300))


def test_a_bank_that_wins_and_loses_everything_by_turns() -> None:
    """Worked out by hand: nothing on average, one each time, and six wagers are as good as one that is six times as large."""
    chances = Chances.of({(6, 0): 50, (0, 6): 50})
    assert (chances.deals, chances.mean, chances.variance, chances.covariance) == (100, 0, 1, 1)
    assert chances.mean_variance == Fraction(1, 100)
    assert chances.of_hand(10_000, "single-use", [(2, 500), (3, 1_500)]) == (0, 2_000**2)


def test_two_of_three_spots_that_fare_by_themselves() -> None:
    """Of six wagers three always win and three always lose, whichever: two of them are more often on different sides."""
    chances = Chances.of({(3, 3): 7})
    assert (chances.mean, chances.variance, chances.covariance) == (0, 1, Fraction(-1, 5))
    assert chances.parts_of(2) == {(0, 2): Fraction(1, 5), (1, 1): Fraction(3, 10), (2, 0): Fraction(1, 5)}
    # $10 on two spots: both lost or both won, $20 either way, in two of five deals; else they cancel out.
    assert chances.of_hand(2_000, "single-use", [(2, 1_000), (3, 1_000)]) == (0, Fraction(2, 5) * 2_000**2)
    # A bank of $10 collects $10 from the first that it meets, or pays it: never more either way.
    assert chances.of_hand(1_000, "single-use", [(2, 1_000), (3, 1_000)]) == (0, 1_000**2)


def test_the_same_seed_deals_the_same_and_another_does_not(dealt: list[tuple[int, int]]) -> None:
    assert list(outcomes_dealt(CAPITOL, seed=11, deals=300)) == dealt
    assert list(outcomes_dealt(CAPITOL, seed=12, deals=300)) != dealt
    assert Chances.of(Counter(reversed(dealt))) == Chances.of(Counter(dealt)), "the order of deals does not matter"


def results_of(outcome: tuple[int, int]) -> list[str]:
    won, lost = outcome
    return [WIN] * won + [LOSE] * lost + [PUSH] * (SPOTS - won - lost)


def gone_through(
    dealt: list[tuple[int, int]], bank_cents: int, policy: str, wagers: list[tuple[int, int]]
) -> tuple[Fraction, Fraction]:
    """Mean and variance of a hand the long way: every deal with its wagers on every choice of spots, settled by the policy."""
    spots = list(dict.fromkeys(position for position, _cents in wagers))
    total = square = number = 0
    for outcome, times in Counter(dealt).items():
        for chosen in permutations(results_of(outcome), len(spots)):
            result = dict(zip(spots, chosen, strict=True))
            covered = BANK_POLICIES[policy](bank_cents, [Exposure(result[spot], cents) for spot, cents in wagers])
            net = sum(NETS[result[spot]] * cents for (spot, _), cents in zip(wagers, covered, strict=True))
            total, square, number = total + times * net, square + times * net * net, number + times
    mean = Fraction(total, number)
    return mean, Fraction(square, number) - mean**2


@pytest.mark.parametrize("policy", [policy for policy in BANK_POLICIES if policy != "must-cover-all"])
@pytest.mark.parametrize("bank_cents", [700, 2_500, 10_000])
def test_what_a_hand_lets_expect_is_what_going_through_all_deals_gives(
    dealt: list[tuple[int, int]], policy: str, bank_cents: int
) -> None:
    """To the last fraction, also where the bank is smaller than the wagers and what it covers hangs on the cards (PG-32)."""
    wagers = [(2, 1_000), (5, 400), (2, 300), (7, 2_000)]
    chances = Chances.of(Counter(dealt))
    assert chances.of_hand(bank_cents, policy, wagers) == gone_through(dealt, bank_cents, policy, wagers)


def test_amounts_a_hundred_times_as_large_are_not_gone_through_again(dealt: list[tuple[int, int]]) -> None:
    """A hand in dollars is the same hand in cents, to the last fraction."""
    chances = Chances.of(Counter(dealt))
    small, large = ([(2, 10 * times), (5, 4 * times), (7, 20 * times)] for times in (1, 1_700))
    mean, variance = chances.of_hand(7, "running-net", small)
    worked_out = module._of_short_bank.cache_info().misses
    assert chances.of_hand(7 * 1_700, "running-net", large) == (mean * 1_700, variance * 1_700**2)
    assert module._of_short_bank.cache_info().misses == worked_out
    assert (mean, variance) == gone_through(dealt, 7, "running-net", small)


@given(seed=st.integers(0, 2**32), spots=st.integers(1, SPOTS))
def test_chances_of_any_counts_add_up_to_one(seed: int, spots: int) -> None:
    deck = random.Random(seed)
    chances = Chances((1, *(deck.choice((0, 1, deck.randrange(50))) for _outcome in OUTCOMES[1:])))
    parts = chances.parts_of(spots)
    ways = {(won, lost): module._ways(spots, won, lost, spots - won - lost) for won, lost in parts}
    assert sum(part * ways[outcome] for outcome, part in parts.items()) == 1
    assert sum(part * ways[won, lost] * (lost - won) for (won, lost), part in parts.items()) == spots * chances.mean
    assert chances.variance >= 0 and chances.mean_variance >= 0


def copies_of(deals: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fraction]:
    """For every wager of some deals half of what its copies are worth to the bank: a half for one, a whole for both."""
    settle: Any = module.settle
    seen: list[Any] = []
    monkeypatch.setattr(module, "settle", lambda record: seen.append(settle(record)) or seen[-1])
    for _outcome in outcomes_dealt(CAPITOL, seed=7, deals=deals):
        for _hand, outcome in seen.pop().hands:
            if outcome is not None:
                yield Fraction([outcome.front, outcome.back].count("copy"), 2)


@pytest.mark.parametrize("deals", [800, pytest.param(20_000, marks=pytest.mark.slow)])
def test_all_that_the_bank_is_ahead_is_its_copies(deals: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides set alike, so without copies neither would be ahead. A copy in one part turns a push into a win half the time,
    a copy in both a push into a win: the mean is half the chance of a copy, added over both parts."""
    by_copies = list(copies_of(deals, monkeypatch))
    mean_by_copies = sum(by_copies, Fraction(0)) / len(by_copies)
    chances = Chances.of(Counter(outcomes_dealt(CAPITOL, seed=8, deals=deals)))
    assert 0 < mean_by_copies < Fraction(1, 10)
    assert (chances.mean - mean_by_copies) ** 2 < 4**2 * chances.mean_variance
