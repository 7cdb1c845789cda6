"""Who pays whom, in which order, and how much a stack allows (CP-50 to CP-53)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from tables.rules.chinese.parameters import Terms
from tables.rules.chinese.scoring import Pair

RUNNING_NET = "running-net"
PER_OPPONENT = "per-opponent"

# What stands for the stack of a seat that no cap holds: more cents than any record can move.
_UNCAPPED_CENTS = 10**30


class Payment(NamedTuple):
    """One payment; ``owed`` and ``paid`` in cents.

    What ``paid`` falls short of ``owed`` is not owed afterwards (CP-53).
    """

    order: int
    payer: int
    payee: int
    points: int
    owed: int
    paid: int


def paying_order(seats: Sequence[int], button: int, *, first_is_left: bool) -> list[int]:
    """The seats from the first payer on: clockwise from the button's left, or the other way round (CP-51).

    The button itself comes last, wherever it rests.
    """
    if first_is_left:
        return sorted(seats, key=lambda seat: (seat - button - 1) % 4)
    return sorted(seats, key=lambda seat: (button - 1 - seat) % 4)


@lru_cache(maxsize=1_024)
def _order_of_pairs(seats: tuple[int, ...], button: int, first_is_left: bool) -> list[int]:
    """The order in which pairs are paid, as places among the pairs in seat order (CP-51)."""
    places = {pair: place for place, pair in enumerate(combinations(seats, 2))}
    order = paying_order(seats, button, first_is_left=first_is_left)
    return [places[min(pair), max(pair)] for pair in combinations(order, 2)]


def pay(
    pairs: Sequence[Pair],
    stacks_cents: Mapping[int, int | None],
    *,
    button: int,
    point_value_cents: int,
    terms: Terms,
) -> tuple[list[Payment], dict[int, int]]:
    """The payments of a hand and every seat's net in cents, which add up to 0.

    ``pairs`` are in seat order, as ``stacks_cents`` is: what each seat began the hand with; ``None`` caps nothing. How
    much of what is owed the two stacks still allow follows CP-52.
    """
    nets = dict.fromkeys(stacks_cents, 0)
    is_capped = terms.cap in (RUNNING_NET, PER_OPPONENT)
    stacks = {
        seat: stack if stack is not None and is_capped else _UNCAPPED_CENTS for seat, stack in stacks_cents.items()
    }
    gains_lower_the_limit = terms.cap == RUNNING_NET
    payments: list[Payment] = []
    for place in _order_of_pairs(tuple(stacks_cents), button, terms.first_payer_left):
        pair = pairs[place]
        points = pair.points
        if not points:
            continue
        payee, payer = pair.seats if points > 0 else pair.seats[::-1]
        points = abs(points)
        owed = points * point_value_cents
        payee_stack, payer_stack = stacks[payee], stacks[payer]
        if gains_lower_the_limit:
            paid = min(owed, payer_stack + nets[payer], payee_stack - nets[payee])
        else:
            paid = min(owed, payer_stack, payer_stack + nets[payer], payee_stack)
        nets[payer] -= paid
        nets[payee] += paid
        payments.append(Payment(len(payments) + 1, payer, payee, points, owed, paid))
    return payments, nets
