"""How far from what was expected, and how often chance alone does that. The one place where statistics are not exact.

Amounts and counts stay whole everywhere else; a probability is no amount, and here it is a binary fraction, as ``math`` has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from math import erfc, exp, lgamma, sqrt
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


def chance_of_so_many(drawn: int, found: int, all_drawn: int, all_found: int) -> float:
    """How often chance alone finds at least ``found`` among ``drawn`` when ``all_found`` of ``all_drawn`` are spread over all.

    The upper tail of the hypergeometric distribution: nothing is estimated, so it is exact for few hands as for many.
    """
    most = min(drawn, all_found)
    if found <= max(0, drawn + all_found - all_drawn):
        return 1.0
    if found > most:
        return 0.0
    term = exp(
        _log_ways(all_found, found) + _log_ways(all_drawn - all_found, drawn - found) - _log_ways(all_drawn, drawn)
    )
    total = 0.0
    for number in range(found, most + 1):
        total += term
        left = all_drawn - all_found - drawn + number + 1
        term *= (all_found - number) * (drawn - number) / ((number + 1) * left)
    return min(1.0, total)


def _log_ways(number: int, chosen: int) -> float:
    return lgamma(number + 1) - lgamma(chosen + 1) - lgamma(number - chosen + 1)


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
