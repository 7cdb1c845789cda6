"""Settling a hand of Pai Gow Poker: what the house rules make of its record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tables.rules.cards import cards_text
from tables.rules.paigow.bank import BANK_POLICIES, LOSE, PUSH, WIN, Exposure, share_out
from tables.rules.paigow.dice import action_order, first_position
from tables.rules.paigow.hands import (
    FOUL,
    STATUS_RULES,
    Arranged,
    arrange,
    back_in_words,
    back_strength,
    front_in_words,
    front_strength,
)
from tables.rules.paigow.misdeals import misdeal_reasons, switched_positions
from tables.rules.paigow.parameters import Terms, terms_of
from tables.rules.paigow.record import PaiGowRecord, Wager

COPY = "copy"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a hand fared against the Player/Dealer's. A fouled one has no parts to compare."""

    front: str | None
    back: str | None
    result: str
    rule: str


def settle(record: PaiGowRecord) -> dict[str, Any]:
    """The verdict on a record that was read without fault: a misdeal, or every hand, wager and share of the bank."""
    reasons = misdeal_reasons(record)
    if reasons:
        return {"status": "misdeal", **_heading(record), "reasons": reasons}
    terms = terms_of(record.rule_set)
    switched = switched_positions(record)
    arranged = [
        arrange(
            hand,
            terms,
            switched=hand.position in switched,
            is_player_dealer=hand.position == record.player_dealer,
        )
        for hand in record.hands
    ]
    own = next(hand for hand in arranged if hand.position == record.player_dealer)
    outcomes = {hand.position: _outcome(hand, own, terms) for hand in arranged if hand is not own}
    wagers = _settle_wagers(record, terms, outcomes)
    return {
        "status": "settled",
        **_heading(record),
        "dice": {
            "total": sum(record.dice),
            "first_hand": first_position(record.player_dealer, record.dice),
            "action_order": action_order(record.player_dealer, record.dice),
        },
        "hands": [_hand_entry(hand, outcomes.get(hand.position), terms) for hand in arranged],
        "wagers": wagers,
        "bank": _bank_entry(record, wagers),
    }


def _heading(record: PaiGowRecord) -> dict[str, Any]:
    heading: dict[str, Any] = {"game": record.rule_set.game, "rules": record.rule_set.name}
    if record.rule_set.overrides:
        heading["overrides"] = dict(record.rule_set.overrides)
    return heading


def _outcome(hand: Arranged, own: Arranged, terms: Terms) -> Outcome:
    """Front against front and back against back; an equal part, like a foul, is the Player/Dealer's (PG-30, PG-21)."""
    if hand.status == FOUL or hand.front is None or hand.back is None or own.front is None or own.back is None:
        return Outcome(None, None, LOSE, "PG-21")
    front = _compare(front_strength(hand.front, terms), front_strength(own.front, terms))
    back = _compare(back_strength(hand.back, terms), back_strength(own.back, terms))
    parts_won = (front == WIN) + (back == WIN)
    return Outcome(front, back, (LOSE, PUSH, WIN)[parts_won], "PG-30")


def _compare(strength: int, own_strength: int) -> str:
    if strength == own_strength:
        return COPY
    return WIN if strength > own_strength else LOSE


def _settle_wagers(record: PaiGowRecord, terms: Terms, outcomes: Mapping[int, Outcome]) -> list[dict[str, Any]]:
    """Every wager as it was placed, with its place in the order of action and what the bank covered of it (PG-32)."""
    ordered = _in_order_of_action(record)
    exposures = [Exposure(outcomes[wager.position].result, record.amount_in_play_cents(wager)) for wager in ordered]
    covered = BANK_POLICIES[terms.bank_policy](record.bank_cents, exposures)
    entries = {
        wager.id: _wager_entry(wager, order, covered_cents, outcomes[wager.position])
        for order, (wager, covered_cents) in enumerate(zip(ordered, covered, strict=True), start=1)
    }
    return [entries[wager.id] for wager in record.wagers]


def _in_order_of_action(record: PaiGowRecord) -> list[Wager]:
    """By position; there the seated player's first, then the backline, larger first and then as placed (PG-31)."""
    places = {position: place for place, position in enumerate(action_order(record.player_dealer, record.dice))}

    def order(wager: Wager) -> tuple[int, bool, int]:
        return places[wager.position], not wager.seated, -record.amount_in_play_cents(wager)

    return sorted(record.wagers, key=order)


def _wager_entry(wager: Wager, order: int, covered_cents: int, outcome: Outcome) -> dict[str, Any]:
    sign = {WIN: 1, LOSE: -1, PUSH: 0}[outcome.result]
    without_action = sign != 0 and covered_cents == 0
    return {
        "id": wager.id,
        "order": order,
        "result": outcome.result,
        "covered": covered_cents,
        "returned": wager.amount_cents - covered_cents,
        "net": sign * covered_cents,
        "rule": "PG-32" if without_action else outcome.rule,
    }


def _hand_entry(hand: Arranged, outcome: Outcome | None, terms: Terms) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "position": hand.position,
        "status": hand.status,
        "front": _text(hand.front),
        "back": _text(hand.back),
        "front_hand": front_in_words(hand.front, terms),
        "back_hand": back_in_words(hand.back, terms),
        "fouls": list(hand.fouls),
        "rule": STATUS_RULES[hand.status],
    }
    if hand.row is not None:
        entry["row"] = hand.row
    if outcome is not None:
        entry |= {"front_result": outcome.front, "back_result": outcome.back, "result": outcome.result}
    return entry


def _text(cards: Sequence[int] | None) -> str | None:
    return None if cards is None else cards_text(cards)


def _bank_entry(record: PaiGowRecord, wagers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The bank, settled once as one wager (PG-50), and the memo of its shares (PG-52)."""
    net_cents = -sum(wager["net"] for wager in wagers)
    shares = share_out(net_cents, [stake.amount_cents for stake in record.bank])
    return {
        "amount": record.bank_cents,
        "used": sum(wager["covered"] for wager in wagers),
        "net": net_cents,
        "shares": [{"patron": stake.patron, "net": share} for stake, share in zip(record.bank, shares, strict=True)],
    }
