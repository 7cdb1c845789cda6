"""How far from what was expected, and how often chance alone does that. The one place where statistics are not exact.

Amounts and counts stay whole everywhere else; a probability is no amount, and here it is a binary fraction, as ``math`` has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from itertools import accumulate
from math import erfc, sqrt
from statistics import NormalDist
from typing import NamedTuple

SURE = 0.95
"""How often what happens by chance lies within an interval."""
RARE_LISTS = 20
"""A row asks a question when chance alone shows one like it in fewer than one of so many lists."""
MOST_LISTS = 1_000_000

_SPREAD = Fraction(NormalDist().inv_cdf((1 + SURE) / 2))


class Apart(NamedTuple):
    """An observed amount beside what was expected of it, in cents, and how often chance alone takes it so far off, either way."""

    standard_error_cents: int
    low_cents: int
    high_cents: int
    standard_errors: Decimal
    chance: float


def whole(amount: Fraction) -> int:
    """An amount in whole cents; half a cent to the even one."""
    return round(amount)


def root(square: Fraction) -> int:
    """The square root in whole cents."""
    return int((Decimal(square.numerator) / Decimal(square.denominator)).sqrt().to_integral_value(ROUND_HALF_EVEN))


def apart(observed_cents: int, mean: Fraction, variance: Fraction) -> Apart | None:
    """How far an amount is from its mean, by a variance in cents times cents; nothing where nothing varies."""
    if variance <= 0:
        return None
    error = Fraction(sqrt(variance))
    errors = (observed_cents - mean) / error
    rounded = Decimal(errors.numerator) / Decimal(errors.denominator)
    return Apart(
        root(variance),
        whole(mean - _SPREAD * error),
        whole(mean + _SPREAD * error),
        # A zero has no sign here.
        rounded.quantize(Decimal("0.1"), ROUND_HALF_EVEN) + 0,
        erfc(abs(errors) / sqrt(2)),
    )


class Spread(NamedTuple):
    """How often chance alone finds so many: the chance of ``least``, of one more, and so on; of all others it is as good as 0."""

    least: int
    chances: Sequence[float]


def spread(drawn: int, all_drawn: int, all_found: int) -> Spread:
    """How many chance alone finds among ``drawn`` when ``all_found`` of ``all_drawn`` are spread over all.

    The hypergeometric distribution: nothing is estimated, so it is exact for few hands as for many. Each number is weighed
    against the most frequent one, so that no weight which counts is too small for a float, however many hands there are.
    """
    most_frequent = (drawn + 1) * (all_found + 1) // (all_drawn + 2)
    neither = all_drawn - all_found - drawn
    above: list[float] = []
    number, weight = most_frequent, 1.0
    while weight > 0:
        above.append(weight)
        weight *= (all_found - number) * (drawn - number) / ((number + 1) * (neither + number + 1))
        number += 1
    below: list[float] = []
    number, weight = most_frequent, 1.0
    while weight > 0:
        weight *= number * (neither + number) / ((all_found - number + 1) * (drawn - number + 1))
        number -= 1
        below.append(weight)
    weights = [*reversed(below), *above]
    whole_weight = sum(sorted(weights))
    return Spread(most_frequent - len(below), [each / whole_weight for each in weights])


def chance_of_so_many(drawn: int, found: int, all_drawn: int, all_found: int) -> float:
    """How often chance alone finds at least ``found`` among ``drawn`` when ``all_found`` of ``all_drawn`` are spread over all."""
    least, chances = spread(drawn, all_drawn, all_found)
    return min(1.0, sum(reversed(chances[max(0, found - least) :])))


def chance_of_so_many_together(one: Spread, other: Spread, found: int) -> float:
    """How often chance alone finds at least ``found`` in two groups together, each spread by itself, whatever part is whose."""
    # At least so many of the other, for each number in it; the last stands for more than there are.
    tails = [*reversed([*accumulate(reversed(other.chances))]), 0.0]
    total = 0.0
    for number, chance in enumerate(one.chances, one.least):
        total += chance * tails[min(max(0, found - number - other.least), len(tails) - 1)]
    return min(1.0, total)


def lists_until(chances: Sequence[float | None]) -> list[int | None]:
    """For each row of a list, in one of how many such lists chance alone shows one as far off or farther.

    Whoever looks at many rows finds something rare in one of them, so each chance is held against all rows of the list (Holm's
    way: the rarest of m counts m times, the next one m - 1 times, and none less than the one before). A row without a chance,
    because there were too few hands, is no part of it and has none. 1 is what every list shows.
    """
    tried = sorted((chance, place) for place, chance in enumerate(chances) if chance is not None)
    lists: list[int | None] = [None] * len(chances)
    before = 0.0
    for rank, (chance, place) in enumerate(tried):
        before = max(before, min(1.0, chance * (len(tried) - rank)))
        lists[place] = MOST_LISTS if before * MOST_LISTS <= 1 else int(1 / before)
    return lists


def asks(lists: int | None) -> bool:
    """Whether a row is rare enough for a question."""
    return lists is not None and lists >= RARE_LISTS
