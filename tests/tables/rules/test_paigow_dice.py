"""Where the dice send the first hand, and the order of action (PG-10, PG-31)."""

from collections import Counter
from itertools import product

import pytest

from tables.rules.paigow.dice import count_out
from tests.tables.rules.conftest import ShowCounts
from tests.tables.rules.paigow_hands import settled, wager
from tests.tables.rules.plain_paigow import dice_of

POSITIONS = range(1, 8)
THREE_DICE = list(product(range(1, 7), repeat=3))
WAYS_OF_OFFSETS = [31, 31, 31, 31, 31, 31, 30]


@pytest.mark.parametrize("total", [8, 15])
@pytest.mark.parametrize("player_dealer", POSITIONS)
def test_pg_10_the_player_dealer_counts_as_eight_and_fifteen(player_dealer: int, total: int) -> None:
    throw = count_out(player_dealer, total)

    assert throw.first_hand == player_dealer
    assert throw.action_order[0] == player_dealer % 7 + 1


def test_pg_10_the_ways_of_three_dice_fall_on_the_seven_positions_as_published(show_counts: ShowCounts) -> None:
    offsets = {
        dealer: Counter((count_out(dealer, sum(dice)).first_hand - dealer) % 7 for dice in THREE_DICE)
        for dealer in POSITIONS
    }
    ways = {dealer: [counted[offset] for offset in range(7)] for dealer, counted in offsets.items()}

    pairs = zip(ways[1], WAYS_OF_OFFSETS, strict=True)
    show_counts("Ways of three dice, by offset", {str(offset): pair for offset, pair in enumerate(pairs)})
    assert ways == dict.fromkeys(POSITIONS, WAYS_OF_OFFSETS)


@pytest.mark.parametrize("player_dealer", POSITIONS)
def test_pg_10_pg_31_every_throw_counts_out_as_with_a_finger_and_action_follows_clockwise(player_dealer: int) -> None:
    for dice in THREE_DICE:
        counted = dice_of({"player_dealer": player_dealer, "dice": dice})

        assert count_out(player_dealer, sum(dice)).to_data() == counted


@pytest.mark.parametrize(
    ("dice", "first_hand", "order"),
    [
        ([1, 2, 6], 2, [2, 3, 4, 5, 6, 7]),
        ([1, 1, 1], 3, [3, 4, 5, 6, 7, 2]),
        ([2, 2, 3], 7, [7, 2, 3, 4, 5, 6]),
        ([5, 5, 5], 1, [2, 3, 4, 5, 6, 7]),
    ],
)
def test_pg_10_pg_31_the_verdict_tells_where_the_first_hand_went_and_settles_wagers_from_there(
    dice: list[int], first_hand: int, order: list[int]
) -> None:
    verdict = settled(dice=dice, wagers=[wager(f"at {place}", place, 1_000) for place in (6, 7, 2, 3, 4, 5)])

    assert verdict["dice"] == {"total": sum(dice), "first_hand": first_hand, "action_order": order}
    assert [entry["id"] for entry in sorted(verdict["wagers"], key=lambda entry: entry["order"])] == [
        f"at {place}" for place in order
    ]


def test_pg_10_positions_without_a_hand_count_too() -> None:
    table = settled()["hands"]
    some = [{key: hand[key] for key in ("position", "front", "back")} for hand in table if hand["position"] in (1, 6)]

    verdict = settled(hands=some, dice=[1, 1, 1], wagers=[wager("w1", 6, 1_000)])

    assert verdict["dice"] == {"total": 3, "first_hand": 3, "action_order": [3, 4, 5, 6, 7, 2]}
    assert verdict["wagers"][0]["order"] == 1
