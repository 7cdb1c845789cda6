"""Collections: flat amounts, fixed before the deal, from each stack to the drop box (CP-65, PG-04)."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ledger.kinds import TransactionKind
from ledger.services import Posting
from tables.models import BankShare, Hand, Wager
from tables.services.players import Player
from tables.services.postings import hand_reference, move


def player_collections(hand: Hand, players: Sequence[Player]) -> tuple[list[Posting], dict[UUID, int]]:
    """The collection of each player of a Chinese hand before the deal (CP-65), and what each paid in cents, by sitting."""
    fee_cents = hand.session.collection_cents
    if not fee_cents:
        return [], {}
    postings = [_collection(hand, player.sitting.stack_id, fee_cents, "CP-65") for player in players]
    return postings, {player.sitting.pk: fee_cents for player in players}


def wager_collections(hand: Hand, wagers: Sequence[Wager], shares: Sequence[BankShare]) -> list[Posting]:
    """The collection in advance for each wager, and one for the bank from its first share (PG-04)."""
    session = hand.session
    postings: list[Posting] = []
    if session.collection_cents:
        fee_cents = session.collection_cents
        postings += [_collection(hand, wager.sitting.stack_id, fee_cents, "PG-04") for wager in wagers]
    if session.bank_collection_cents:
        postings.append(_collection(hand, shares[0].sitting.stack_id, session.bank_collection_cents, "PG-04"))
    return postings


def _collection(hand: Hand, source: UUID, fee_cents: int, rule: str) -> Posting:
    drop = hand.session.drop_account_id
    return move(TransactionKind.COLLECTION, hand_reference(hand), source, drop, fee_cents, rule=rule)
