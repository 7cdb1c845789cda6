"""What a hand collected and can still be waived."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from uuid import UUID

from ledger.kinds import TransactionKind
from ledger.selectors import lines_of, transactions_of_reference
from tables.models import Hand, Sitting
from tables.selectors.schedules import charges_of_hand

_COLLECTION_KINDS = (TransactionKind.COLLECTION, TransactionKind.WAIVER, TransactionKind.COLLECTION_REFUND)
_BEFORE_THE_DICE = (Hand.Stage.COLLECTED, Hand.Stage.WAGERED)


@dataclass(frozen=True, slots=True)
class Collected:
    """What a hand took from somebody as one kind of payer, in cents, and what of it was neither waived nor given back since."""

    sitting: Sitting
    payer: str
    paid_cents: int
    left_cents: int


def waits_for_the_dice(hand: Hand) -> bool:
    """Whether wagers are still taken back with their collection, so that none is waived yet (PG-08)."""
    return hand.is_out and hand.action_account_id is not None and hand.stage in _BEFORE_THE_DICE


def collected_by(hand: Hand) -> list[Collected]:
    """What the hand took, from whom and for what. Three queries."""
    people: dict[UUID, Sitting] = {}
    paid, waived, kept = Counter[tuple[UUID, str]](), Counter[tuple[UUID, str]](), Counter[UUID]()
    for charge in charges_of_hand(hand):
        people[charge.sitting.pk] = charge.sitting
        paid[charge.sitting.pk, charge.payer] += charge.amount_cents
    for sitting_id, payer, cents in hand.waivers.values_list("sitting_id", "payer", "amount_cents"):
        waived[sitting_id, payer] += cents
    standing = transactions_of_reference(f"hand:{hand.pk}").filter(kind__in=_COLLECTION_KINDS, reversals__isnull=True)
    for transaction in standing:
        for line in lines_of(transaction):
            kept[line.account_id] -= line.amount_cents
    return [
        Collected(
            people[sitting_id],
            payer,
            cents,
            max(0, min(cents - waived[sitting_id, payer], kept[people[sitting_id].stack_id])),
        )
        for (sitting_id, payer), cents in paid.items()
    ]
