"""Where the first hand goes and action begins (PG-10)."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from tables.rules.text import canonical_json

POSITIONS = 7


@dataclass(frozen=True)
class Throw:
    """Three dice counted out: where the first hand goes, and the other six positions in the order of action.

    The Player/Dealer's own position is left out of the order; empty ones are not (PG-10, PG-31).
    """

    total: int
    first_hand: int
    action_order: tuple[int, ...]

    @cached_property
    def turns(self) -> dict[int, int]:
        """The place of each position in the order of action, from 0."""
        return {position: turn for turn, position in enumerate(self.action_order)}

    @cached_property
    def text(self) -> str:
        """The throw as it stands in the verdict, in canonical JSON."""
        return canonical_json(self.to_data())

    def to_data(self) -> dict[str, Any]:
        """The throw as it stands in the verdict."""
        return {"total": self.total, "first_hand": self.first_hand, "action_order": list(self.action_order)}


@cache
def count_out(player_dealer: int, total: int) -> Throw:
    """Count a total of 3 to 18 from the Player/Dealer's position, 1 to 7, which counts as 1, 8 and 15 (PG-10)."""
    first = (player_dealer - 1 + total - 1) % POSITIONS + 1
    clockwise = (*range(first, POSITIONS + 1), *range(1, first))
    return Throw(total, first, tuple(position for position in clockwise if position != player_dealer))
