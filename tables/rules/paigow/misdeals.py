"""When a deal does not count (PG-41 to PG-43)."""

from typing import Any

from tables.rules.cards import JOKER
from tables.rules.paigow.record import CARD_SWITCHING, HAND_SIZE, Hand, PaiGowRecord
from tables.rules.paigow.shapes import ACE


def switched_positions(record: PaiGowRecord) -> frozenset[int]:
    """The positions where cards were switched, passed or held out (PG-21, PG-47)."""
    return frozenset(
        incident.position
        for incident in record.incidents
        if incident.kind == CARD_SWITCHING and incident.position is not None
    )


def misdeal_reasons(record: PaiGowRecord) -> list[dict[str, Any]]:
    """Every reason for which the deal is void, by rule and then by position; none when the hand stands."""
    if not record.incidents and all(hand.card_count == HAND_SIZE for hand in record.hands):
        return []
    seen = {card for incident in record.incidents for card in incident.cards}
    reasons: list[dict[str, Any]] = []
    if any(card == JOKER or card >> 2 == ACE for card in seen):
        reasons.append({"code": "joker-or-ace-exposed", "rule": "PG-41"})
    if len(seen) >= 2:
        reasons.append({"code": "cards-exposed", "rule": "PG-42"})
    switched = switched_positions(record)
    for hand in record.hands:
        if hand.card_count != HAND_SIZE and not _fouls_for_its_count(hand, record, switched):
            reasons.append({"code": "wrong-count", "position": hand.position, "rule": "PG-43"})
    return reasons


def _fouls_for_its_count(hand: Hand, record: PaiGowRecord, switched: frozenset[int]) -> bool:
    """Whether a wrong number of cards is the player's foul, lest anyone save a wager by holding out a card (PG-43)."""
    return hand.position != record.player_dealer and (hand.looked_at or hand.position in switched)
