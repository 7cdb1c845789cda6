"""Why a hand of Chinese Poker is no hand: the dealer has misdealt (CP-40 to CP-42)."""

from collections import defaultdict

from tables.rules.chinese.record import DEALER_EXPOSED, HAND_SIZE, WRONG_SEAT, ChineseRecord

_EXPOSED_LIMIT = 5

Reason = dict[str, str | int]


def misdeal_reasons(record: ChineseRecord) -> list[Reason]:
    """All reasons that apply, by rule and then by seat; empty when the deal was good."""
    wrong_counts = [seat.number for seat in record.seats if seat.card_count != HAND_SIZE]
    if not record.incidents and not wrong_counts:
        return []
    exposed: dict[int, int] = defaultdict(int)
    undelivered = set()
    for incident in record.incidents:
        if incident.kind == DEALER_EXPOSED:
            exposed[incident.seat] += incident.cards_exposed
        elif not incident.was_set:
            undelivered.add(incident.seat)
    over = sorted(seat for seat, cards in exposed.items() if cards >= _EXPOSED_LIMIT)
    return [
        *(_reason(DEALER_EXPOSED, seat, "CP-40") for seat in over),
        *(_reason("wrong-count", seat, "CP-41") for seat in wrong_counts),
        *(_reason(WRONG_SEAT, seat, "CP-42") for seat in sorted(undelivered)),
    ]


def _reason(code: str, seat: int, rule: str) -> Reason:
    return {"code": code, "seat": seat, "rule": rule}
