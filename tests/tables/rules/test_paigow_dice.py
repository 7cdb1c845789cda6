"""Where the dice send the first hand, and the order of action (PG-10)."""

from collections import Counter
from itertools import pairwise, product

import pytest

from tables.rules.paigow.dice import action_order, first_position


@pytest.mark.parametrize("total", [8, 15])
@pytest.mark.parametrize("player_dealer", range(1, 8))
def test_pg_10_the_player_dealer_counts_as_eight_and_fifteen(player_dealer: int, total: int) -> None:
    dice = [total // 3, total // 3, total - 2 * (total // 3)]

    assert first_position(player_dealer, dice) == player_dealer
    assert action_order(player_dealer, dice)[0] == player_dealer % 7 + 1


def test_pg_10_the_ways_of_three_dice_fall_on_the_seven_positions_as_published() -> None:
    offsets = Counter(first_position(1, dice) - 1 for dice in product(range(1, 7), repeat=3))

    assert [offsets[offset] for offset in range(7)] == [31, 31, 31, 31, 31, 31, 30]


@pytest.mark.parametrize("player_dealer", range(1, 8))
@pytest.mark.parametrize("dice", [(1, 1, 1), (2, 3, 5), (6, 6, 6)])
def test_pg_31_action_goes_once_round_without_the_player_dealer(player_dealer: int, dice: tuple[int, ...]) -> None:
    order = action_order(player_dealer, dice)

    assert sorted([*order, player_dealer]) == list(range(1, 8))
    assert all(after in (before % 7 + 1, (before + 1) % 7 + 1) for before, after in pairwise(order))
