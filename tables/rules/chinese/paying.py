"""Who pays whom, in which order, and how much a stack allows (CP-50 to CP-53)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypedDict

from tables.rules.chinese.parameters import Terms
from tables.rules.chinese.scoring import Pair

RUNNING_NET = "running-net"
PER_OPPONENT = "per-opponent"


class Payment(TypedDict):
    """One payment as it stands in the verdict; ``owed`` and ``paid`` in cents.

    What ``paid`` falls short of ``owed`` is not owed afterwards (CP-53).
    """

    order: int
    payer: int
    payee: int
    points: int
    owed: int
    paid: int


def paying_order(seats: Iterable[int], button: int, *, first_is_left: bool) -> list[int]:
    """The seats from the first payer on: clockwise from the button's left, or the other way round (CP-51).

    The button itself comes last, wherever it rests.
    """
    if first_is_left:
        return sorted(seats, key=lambda seat: (seat - button - 1) % 4)
    return sorted(seats, key=lambda seat: (button - 1 - seat) % 4)


def pay(
    pairs: Sequence[Pair],
    stacks_cents: Mapping[int, int | None],
    *,
    button: int,
    point_value_cents: int,
    terms: Terms,
) -> tuple[list[Payment], dict[int, int]]:
    """The payments of a hand and every seat's net in cents, which add up to 0.

    ``stacks_cents`` is what each seat began the hand with; ``None`` caps nothing.
    """
    gains = {(low, high): pair["points"] for pair in pairs for low, high in (pair["seats"],)}
    nets = dict.fromkeys(stacks_cents, 0)
    payments: list[Payment] = []
    order = paying_order(stacks_cents, button, first_is_left=terms.first_payer_left)
    for one, other in combinations(order, 2):
        gain = gains[one, other] if one < other else -gains[other, one]
        if not gain:
            continue
        payer, payee = (other, one) if gain > 0 else (one, other)
        points = abs(gain)
        owed = points * point_value_cents
        paid = _payable(owed, payer, payee, stacks_cents, nets, terms.cap)
        nets[payer] -= paid
        nets[payee] += paid
        payments.append(
            {
                "order": len(payments) + 1,
                "payer": payer,
                "payee": payee,
                "points": points,
                "owed": owed,
                "paid": paid,
            }
        )
    return payments, nets


def _payable(
    owed: int, payer: int, payee: int, stacks_cents: Mapping[int, int | None], nets: Mapping[int, int], cap: str
) -> int:
    """How much of what is owed the two stacks still allow, in cents (CP-52)."""
    payer_stack, payee_stack = stacks_cents[payer], stacks_cents[payee]
    payable = owed
    if cap == RUNNING_NET:
        if payer_stack is not None:
            payable = min(payable, payer_stack + nets[payer])
        if payee_stack is not None:
            payable = min(payable, payee_stack - nets[payee])
    elif cap == PER_OPPONENT:
        if payer_stack is not None:
            payable = min(payable, payer_stack, payer_stack + nets[payer])
        if payee_stack is not None:
            payable = min(payable, payee_stack)
    return payable
