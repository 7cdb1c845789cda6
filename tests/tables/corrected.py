"""Correcting what was settled, as Ada does it on the floor."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from casino.staff.actor import Actor
from ledger.models import Transaction
from tables.services.commands import Order
from tables.services.corrections import hand_resettle, transaction_reverse
from tests.people import Cast, order
from tests.tables import play

# A card was missing all the time: a misdeal (CP-41).
SHORT_HANDS = [dict(play.CHINESE_HANDS[0], back="As Ks 6s 5s"), play.CHINESE_HANDS[1]]

# A full house in the middle and a straight flush in the back: 7 points of bonuses.
BONUS_HAND = {"seat": 2, "front": "Th 9s 7s", "middle": "Kd Kh Kc 4d 4h", "back": "9d 8d 7d 6d 5d"}

# Park wins the back alone.
PUSHED_HANDS = [play.PAI_GOW_HANDS[0], dict(play.PAI_GOW_HANDS[1], front="8c 7d", back="Th Ts 6d 5d 3h")]


def order_of_two(cast: Cast) -> Order:
    """A press by Max, the manager, with Ada as the second person."""
    return replace(order(Actor.of(cast.max)), approver=cast.floor)


def again(
    cast: Cast, hand_id: UUID, hands: list[dict[str, Any]], *, press: Order | None = None, **values: Any
) -> dict[str, Any]:
    """Settle a hand again from these cards; unless said otherwise in the window, as Ada, from the first record."""
    given = {"base_revision": 1, "reason_code": "cards", "reason": "entered wrong", **values}
    return hand_resettle(press or order(cast.floor), hand_id=hand_id, hands=hands, **given)


def kinds_of(hand_id: UUID) -> list[str]:
    """The kinds of everything posted about a hand, in order."""
    posted = Transaction.objects.filter(reference=f"hand:{hand_id}").order_by("sequence")
    return list(posted.values_list("kind", flat=True))


def take_back(cast: Cast, transaction_id: UUID, *, press: Order | None = None) -> dict[str, Any]:
    """Take a buy-in or cash-out back, as Ada unless said otherwise."""
    why = {"reason_code": "amount", "reason": "counted again"}
    return transaction_reverse(press or order(cast.floor), transaction_id=transaction_id, **why)


def last(kind: str) -> UUID:
    """The newest transaction of a kind."""
    return Transaction.objects.filter(kind=kind).latest("recorded_at", "sequence").pk


def take_back_last(cast: Cast, kind: str) -> dict[str, Any]:
    """Take back the newest of a kind, as Ada."""
    return take_back(cast, last(kind))
