"""Reads of jackpots: what a pool holds, what feeds it, and which hands qualify for it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

from django.db import connection

from ledger.kinds import TransactionKind
from ledger.selectors import balance_of, transactions_of_reference
from tables.models import Hand, Jackpot

_JACKPOTS_KEPT = 256


class Feed(NamedTuple):
    """What each player or wager puts into a pool, in cents, and the pool's account."""

    fee_cents: int
    account_id: UUID


@lru_cache(maxsize=_JACKPOTS_KEPT)
def jackpot_feed(jackpot_id: UUID) -> Feed:
    """Neither changes while a jackpot exists, so it is read once."""
    return Feed._make(Jackpot.objects.values_list("fee_cents", "account_id").get(pk=jackpot_id))


def fee_cents_of(jackpot_id: UUID | None) -> int:
    """The fee that a session with this jackpot takes from each player or wager, in cents."""
    return 0 if jackpot_id is None else jackpot_feed(jackpot_id).fee_cents


def pool_cents(jackpot: Jackpot) -> int:
    """What a pool holds, in cents."""
    return balance_of(jackpot.account_id)


_FREE = """
    SELECT b.balance_cents - coalesce((
        SELECT sum(e.amount_cents) FROM tables_hand h JOIN tables_tablesession s ON s.id = h.session_id
        JOIN ledger_transaction t ON t.reference = 'hand:' || h.id AND t.kind = 'jackpot-fee'
        JOIN ledger_entry e ON e.transaction_id = t.id AND e.account_id = b.account_id
        WHERE h.status = 'out' AND s.jackpot_id = %s
    ), 0)::bigint
    FROM ledger_balance b WHERE b.account_id = %s
"""


def free_cents(jackpot: Jackpot) -> int:
    """What can be paid out: the pool less the fees of hands that are out, which may still go back."""
    with connection.cursor() as cursor:
        cursor.execute(_FREE, [jackpot.pk, jackpot.account_id])
        row = cursor.fetchone()
    return 0 if row is None else int(row[0])


def fees_of_hand(hand: Hand) -> int:
    """What a hand has put into its jackpot and not had back, in cents."""
    fees = transactions_of_reference(f"hand:{hand.pk}").filter(kind=TransactionKind.JACKPOT_FEE, reversals__isnull=True)
    return sum(entry.amount_cents for fee in fees for entry in fee.entries.all() if entry.amount_cents > 0)
