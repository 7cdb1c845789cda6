"""The verdict on a hand of Chinese Poker, in its two forms: canonical JSON, and the object that this text stands for.

Both are written straight from what they are made of. Sorting and encoding an object of this size costs as much as
settling the hand, and so does reading it back.
"""

from functools import lru_cache
from typing import Any, NamedTuple

from tables.rules.chinese.hands import Hand, in_words, judge_seats
from tables.rules.chinese.misdeals import misdeal_reasons
from tables.rules.chinese.parameters import terms_of
from tables.rules.chinese.paying import Payment, pay
from tables.rules.chinese.record import ChineseRecord
from tables.rules.chinese.scoring import Pair, score
from tables.rules.misdeals import misdeal_data, misdeal_text, verdict_heading
from tables.rules.text import canonical_json, json_of

# More than the strengths that three cards and five can have.
_STRENGTHS = 8_192


class Settled(NamedTuple):
    """What the rules make of a hand. ``points`` and ``nets_cents`` are by seat."""

    hands: list[Hand]
    pairs: list[Pair]
    payments: list[Payment]
    points: dict[int, int]
    nets_cents: dict[int, int]


def verdict_text(record: ChineseRecord) -> str:
    """The verdict on a record, in canonical JSON: a misdeal, or every point, line and payment with its rule."""
    if reasons := misdeal_reasons(record):
        return misdeal_text(record.rule_set, reasons)
    hands, pairs, payments, points, nets = _settle(record)
    rule_set = record.rule_set
    return (
        f'{{"game":"{rule_set.game}",{rule_set.overrides_text}"pairs":[{",".join([pair.text for pair in pairs])}],'
        f'"payments":[{",".join([_payment_text(payment) for payment in payments])}],"rules":"{rule_set.name}",'
        f'"seats":[{",".join([_seat_text(hand, points[hand.seat], nets[hand.seat]) for hand in hands])}],'
        '"status":"settled"}'
    )


def verdict_data(record: ChineseRecord) -> dict[str, Any]:
    """The verdict on a record as a JSON object, the same as :func:`verdict_text` writes."""
    if reasons := misdeal_reasons(record):
        return misdeal_data(record.rule_set, reasons)
    hands, pairs, payments, points, nets = _settle(record)
    return {
        **verdict_heading("settled", record.rule_set),
        "seats": [_seat_data(hand, points[hand.seat], nets[hand.seat]) for hand in hands],
        "pairs": [pair.to_data() for pair in pairs],
        "payments": [payment._asdict() for payment in payments],
    }


def _settle(record: ChineseRecord) -> Settled:
    terms = terms_of(record.rule_set)
    hands = judge_seats(record.seats, terms)
    pairs = score(hands, terms)
    payments, nets = pay(
        pairs,
        {seat.number: seat.stack_cents for seat in record.seats},
        button=record.button,
        point_value_cents=record.point_value_cents,
        terms=terms,
    )
    points = dict.fromkeys(nets, 0)
    for pair in pairs:
        low, high = pair.seats
        points[low] += pair.points
        points[high] -= pair.points
    return Settled(hands, pairs, payments, points, nets)


def _payment_text(payment: Payment) -> str:
    order, payer, payee, points, owed, paid = payment
    return f'{{"order":{order},"owed":{owed},"paid":{paid},"payee":{payee},"payer":{payer},"points":{points}}}'


def _seat_text(hand: Hand, points: int, net_cents: int) -> str:
    return (
        f'{{"fouls":{json_of(hand.fouls)},"hands":{_hands_text(hand)},"natural":{json_of(hand.natural)},'
        f'"net":{net_cents},"points":{points},"seat":{hand.seat},"status":"{hand.status}"}}'
    )


def _seat_data(hand: Hand, points: int, net_cents: int) -> dict[str, Any]:
    return {
        "seat": hand.seat,
        "status": hand.status,
        "natural": hand.natural,
        "fouls": list(hand.fouls),
        "hands": _hands_data(hand),
        "points": points,
        "net": net_cents,
    }


def _hands_text(hand: Hand) -> str:
    if not hand.is_set:
        return "null"
    front, middle, back = hand.strengths
    return f'{{"back":{_words_text(back)},"front":{_words_text(front)},"middle":{_words_text(middle)}}}'


def _hands_data(hand: Hand) -> dict[str, str | None] | None:
    if not hand.is_set:
        return None
    front, middle, back = hand.strengths
    return {"front": in_words(front), "middle": in_words(middle), "back": in_words(back)}


@lru_cache(maxsize=_STRENGTHS)
def _words_text(strength: int) -> str:
    return canonical_json(in_words(strength))
