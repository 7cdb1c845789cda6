"""Chinese Poker: four hands of thirteen cards, set in three segments and compared two by two."""

from typing import Any

from tables.rules.chinese.hands import Hand, judge
from tables.rules.chinese.misdeals import misdeal_reasons
from tables.rules.chinese.naturals import best_automatic_win
from tables.rules.chinese.parameters import terms_of
from tables.rules.chinese.paying import pay
from tables.rules.chinese.record import ChineseRecord
from tables.rules.chinese.scoring import score
from tables.rules.chinese.setting import legal_setting

__all__ = ["best_automatic_win", "legal_setting", "settle"]


def settle(record: ChineseRecord) -> dict[str, Any]:
    """The verdict on a record: a misdeal, or every point, line and payment with its rule."""
    rule_set = record.rule_set
    verdict: dict[str, Any] = {"status": "settled", "game": rule_set.game, "rules": rule_set.name}
    if rule_set.overrides:
        verdict["overrides"] = dict(rule_set.overrides)
    if reasons := misdeal_reasons(record):
        return {**verdict, "status": "misdeal", "reasons": reasons}
    terms = terms_of(rule_set)
    surrendered = {seat.number for seat in record.seats if seat.surrenders}
    hands = [judge(seat, terms, opponent_surrendered=bool(surrendered - {seat.number})) for seat in record.seats]
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
        low, high = pair["seats"]
        points[low] += pair["points"]
        points[high] -= pair["points"]
    verdict["seats"] = [_seat_data(hand, points[hand.seat], nets[hand.seat]) for hand in hands]
    verdict["pairs"] = pairs
    verdict["payments"] = payments
    return verdict


def _seat_data(hand: Hand, points: int, net_cents: int) -> dict[str, Any]:
    return {
        "seat": hand.seat,
        "status": hand.status,
        "natural": hand.natural,
        "fouls": list(hand.fouls),
        "hands": hand.words(),
        "points": points,
        "net": net_cents,
    }
