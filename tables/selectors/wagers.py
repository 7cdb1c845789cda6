"""The wagers and the bank of a hand; who reaches which spot, and who handles its cards (PG-06)."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from ledger.rows import ComposedModels
from tables.models import BankShare, Hand, Sitting, Wager


def reaches(sitting: Sitting, position: int) -> bool:
    """Whether a bettor can put a wager on a position: it is their own or beside it, and not beyond the house dealer.

    The house dealer stands between seats 7 and 1. Who stands behind the players reaches no spot.
    """
    return sitting.seat is not None and abs(sitting.seat.number - position) <= 1


def is_seated_wager(wager: Wager) -> bool:
    """Whether the player of the spot made it, and not somebody from the backline."""
    return wager.sitting.seat is not None and wager.sitting.seat.number == wager.position


def handlers(wagers: Iterable[Wager], table_max_cents: int | None) -> dict[int, UUID]:
    """The sitting that handles the cards of each position with a wager, and decides how they are set.

    The largest wager there, as far as it is in play (PG-05); of equal ones the seated player's, then the one placed first.
    """
    largest: dict[int, Wager] = {}
    for wager in sorted(wagers, key=lambda each: each.ordinal):
        held = largest.get(wager.position)
        if held is None or _weight(wager, table_max_cents) > _weight(held, table_max_cents):
            largest[wager.position] = wager
    return {position: wager.sitting_id for position, wager in sorted(largest.items())}


def no_action_cents(wager: Wager, table_max_cents: int | None) -> int:
    """What of a wager is over the table maximum: it has no action and goes back before anything is covered (PG-05)."""
    return 0 if table_max_cents is None else max(wager.amount_cents - table_max_cents, 0)


def _weight(wager: Wager, table_max_cents: int | None) -> tuple[int, bool]:
    return wager.amount_cents - no_action_cents(wager, table_max_cents), is_seated_wager(wager)


_WAGERS = ComposedModels(lambda hand_id: Hand(pk=hand_id).wagers.select_related("sitting__seat").order_by("ordinal"))
_SHARES = ComposedModels(lambda hand_id: Hand(pk=hand_id).bank_shares.select_related("sitting").order_by("ordinal"))


def wagers_of(hand: Hand) -> list[Wager]:
    """The wagers of a hand that were not withdrawn, in the order of placing, each with its bettor."""
    return _WAGERS(hand.pk)


def shares_of(hand: Hand) -> list[BankShare]:
    """The shares of a hand's bank as it stands, the Player/Dealer's first, each with whose it is."""
    return _SHARES(hand.pk)
