"""Where the first hand goes and action begins (PG-10)."""

from collections.abc import Sequence

POSITIONS = 7


def first_position(player_dealer: int, dice: Sequence[int]) -> int:
    """The position, 1 to 7, that the first hand goes to. The Player/Dealer's own counts as 1, 8 and 15 (PG-10)."""
    return _clockwise_of(player_dealer, sum(dice) - 1)


def action_order(player_dealer: int, dice: Sequence[int]) -> list[int]:
    """The other six positions in the order of action: from the first hand clockwise, empty ones too (PG-10, PG-31)."""
    first = first_position(player_dealer, dice)
    positions = [*range(first, POSITIONS + 1), *range(1, first)]
    positions.remove(player_dealer)
    return positions


def _clockwise_of(position: int, steps: int) -> int:
    return (position - 1 + steps) % POSITIONS + 1
