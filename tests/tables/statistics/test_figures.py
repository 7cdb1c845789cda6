"""How far, how rare, and how rare in a list of many: against exact figures, and against what chance does many times over."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.selectors.statistics.chances import OUTCOMES, SPOTS, Chances
from tables.selectors.statistics.figures import (
    MOST_LISTS,
    apart,
    asks,
    chance_of_so_many,
    chance_of_so_many_together,
    lists_until,
    root,
    spread,
)


@given(st.data())
def test_the_chance_of_so_many_is_the_exact_one(data: st.DataObject) -> None:
    drawn, all_drawn, all_found = group_of(data)
    found = data.draw(st.integers(0, drawn))
    exact = sum(exact_chances(drawn, all_drawn, all_found)[found:], Fraction(0))
    assert chance_of_so_many(drawn, found, all_drawn, all_found) == pytest.approx(exact, rel=1e-9, abs=1e-300)


@given(st.data())
def test_two_groups_together_have_the_exact_chance(data: st.DataObject) -> None:
    one, other = group_of(data), group_of(data)
    found = data.draw(st.integers(0, one[0] + other[0]))
    exact = sum(
        (
            first * second
            for number, first in enumerate(exact_chances(*one))
            for more, second in enumerate(exact_chances(*other))
            if number + more >= found
        ),
        Fraction(0),
    )
    together = chance_of_so_many_together(spread(*one), spread(*other), found)
    assert together == pytest.approx(exact, rel=1e-9, abs=1e-300)


def group_of(data: st.DataObject) -> tuple[int, int, int]:
    """Any number drawn of any number, any of which are what is looked for."""
    all_drawn = data.draw(st.integers(0, 40))
    return data.draw(st.integers(0, all_drawn)), all_drawn, data.draw(st.integers(0, all_drawn))


def exact_chances(drawn: int, all_drawn: int, all_found: int) -> list[Fraction]:
    """The chance of each number found, from none to all."""
    ways = comb(all_drawn, drawn)
    return [
        Fraction(comb(all_found, number) * comb(all_drawn - all_found, drawn - number), ways)
        for number in range(drawn + 1)
    ]


def test_far_fewer_than_expected_of_very_many_is_what_chance_shows_always() -> None:
    """1,800 are expected: no chance of a single number in the tail from 100 on is too small for the sum to see the others."""
    assert chance_of_so_many(60_000, 100, 500_000, 15_000) == pytest.approx(1)
    assert chance_of_so_many(100_000, 10, 3_000_000, 30_000) == pytest.approx(1)
    assert chance_of_so_many(60_000, 1_800, 500_000, 15_000) == pytest.approx(0.5, abs=0.01)


def test_the_chance_of_so_many_among_very_many_is_there_in_no_time() -> None:
    assert chance_of_so_many(100_000, 1_200, 3_000_000, 30_000) == pytest.approx(2.6e-10, rel=0.5)
    assert chance_of_so_many(100_000, 100_000, 3_000_000, 100_000) == 0


def test_the_rarest_of_many_rows_is_held_against_all_of_them() -> None:
    """Holm's steps by hand: 0.001 of four rows counts four times, 0.01 three times, 0.02 twice, and 0.9 once."""
    assert lists_until([0.02, 0.001, 0.9, 0.01]) == [25, 250, 1, 33]
    assert lists_until([0.02, None, 0.001]) == [50, None, 500], "a row of too few hands is no part of the list"
    assert lists_until([1e-300]) == [MOST_LISTS] and lists_until([]) == []
    assert [asks(lists) for lists in (None, 1, 19, 20)] == [False, False, False, True]


def test_an_amount_beside_its_mean() -> None:
    """$100 of standard deviation: $196 more is 1.96 of it, which chance does in one of twenty cases, either way."""
    found = apart(29_600, Fraction(10_000), Fraction(100_00**2))
    assert found is not None
    assert (found.standard_error_cents, found.low_cents, found.high_cents) == (10_000, -9_600, 29_600)
    assert found.standard_errors == Decimal("2.0") and found.chance == pytest.approx(0.05, abs=1e-4)
    assert apart(0, Fraction(0), Fraction(0)) is None
    assert root(Fraction(2, 1)) == 1 and root(Fraction(9, 4)) == 2


@pytest.mark.parametrize("rooms", [400, pytest.param(5_000, marks=pytest.mark.slow)])
def test_nineteen_of_twenty_intervals_hold_what_chance_does(rooms: int) -> None:
    """Rooms of sixty hands with three spots each, drawn by the chances themselves; the wagers of a hand meet one bank."""
    deck = random.Random(3)
    counts = tuple(deck.randrange(1, 100) for _ in OUTCOMES)
    chances = Chances(counts)
    wagers = [(2, 1_000), (3, 5_000), (4, 2_500)]
    mean, variance = chances.of_hand(10_000, "single-use", wagers)
    held = 0
    for _room in range(rooms):
        observed = 0
        for won, lost in deck.choices(OUTCOMES, counts, k=60):
            nets = [-1] * won + [1] * lost + [0] * (SPOTS - won - lost)
            observed += sum(net * cents for net, (_spot, cents) in zip(deck.sample(nets, 3), wagers, strict=True))
        found = apart(observed, 60 * mean, 60 * variance)
        assert found is not None
        held += found.low_cents <= observed <= found.high_cents
    # Four standard deviations of a share of 0.95 of so many.
    assert abs(held / rooms - 0.95) < 4 * (0.95 * 0.05 / rooms) ** 0.5
