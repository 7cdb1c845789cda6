"""Settling a hand of Pai Gow Poker: how every hand fared, what the bank covered, and how its result is shared."""

from collections.abc import Mapping
from typing import NamedTuple

from tables.rules.paigow.bank import BANK_POLICIES, LOSE, PUSH, WIN, Exposure, share_out
from tables.rules.paigow.dice import Throw, count_out
from tables.rules.paigow.hands import FOUL, Arranged, arrange
from tables.rules.paigow.misdeals import switched_positions
from tables.rules.paigow.parameters import Terms, terms_of
from tables.rules.paigow.record import PaiGowRecord, Wager

COPY = "copy"
_SIGNS = {WIN: 1, LOSE: -1, PUSH: 0}


class Outcome(NamedTuple):
    """How a hand fared against the Player/Dealer's. A fouled one has no parts to compare."""

    front: str | None
    back: str | None
    result: str
    rule: str


class SettledWager(NamedTuple):
    """A wager with its place in the order of action, and what the bank covered of it; all in cents."""

    id: str
    order: int
    result: str
    covered: int
    returned: int
    net: int
    rule: str


class Settled(NamedTuple):
    """What the rules make of a hand.

    Hands are by position, each with how it fared (``None`` for the Player/Dealer's own); wagers are as they were placed.
    The bank is settled once as one wager (PG-50): what of it was used, its net, and the memo of its shares (PG-52), all
    in cents.
    """

    hands: list[tuple[Arranged, Outcome | None]]
    throw: Throw
    wagers: list[SettledWager]
    used_cents: int
    net_cents: int
    shares_cents: list[int]


def settle(record: PaiGowRecord) -> Settled:
    """Settle a record that was read without fault and is no misdeal."""
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
    outcomes = {hand.position: _outcome(hand, own) for hand in arranged if hand is not own}
    throw = count_out(record.player_dealer, sum(record.dice))
    wagers = _settle_wagers(record, terms, outcomes, throw)
    net_cents = -sum([wager.net for wager in wagers])
    return Settled(
        hands=[(hand, outcomes.get(hand.position)) for hand in arranged],
        throw=throw,
        wagers=wagers,
        used_cents=sum([wager.covered for wager in wagers]),
        net_cents=net_cents,
        shares_cents=share_out(net_cents, [stake.amount_cents for stake in record.bank]),
    )


def _outcome(hand: Arranged, own: Arranged) -> Outcome:
    """Front against front and back against back; an equal part, like a foul, is the Player/Dealer's (PG-30, PG-21)."""
    if hand.status == FOUL or hand.strengths is None or own.strengths is None:
        return Outcome(None, None, LOSE, "PG-21")
    front, back = map(_compare, hand.strengths, own.strengths)
    parts_won = (front == WIN) + (back == WIN)
    return Outcome(front, back, (LOSE, PUSH, WIN)[parts_won], "PG-30")


def _compare(strength: int, own_strength: int) -> str:
    if strength == own_strength:
        return COPY
    return WIN if strength > own_strength else LOSE


def _settle_wagers(
    record: PaiGowRecord, terms: Terms, outcomes: Mapping[int, Outcome], throw: Throw
) -> list[SettledWager]:
    """Every wager as it was placed, with its place in the order of action and what the bank covered of it (PG-32)."""
    ordered = _in_order_of_action(record, throw)
    exposures = [Exposure(outcomes[wager.position].result, record.amount_in_play_cents(wager)) for wager in ordered]
    covered = BANK_POLICIES[terms.bank_policy](record.bank_cents, exposures)
    settled = {
        wager.id: _settled(wager, order, covered_cents, outcomes[wager.position])
        for order, (wager, covered_cents) in enumerate(zip(ordered, covered, strict=True), start=1)
    }
    return [settled[wager.id] for wager in record.wagers]


def _in_order_of_action(record: PaiGowRecord, throw: Throw) -> list[Wager]:
    """By position; there the seated player's first, then the backline, larger first and then as placed (PG-31)."""
    turns = throw.turns

    def order(wager: Wager) -> tuple[int, bool, int]:
        return turns[wager.position], not wager.seated, -record.amount_in_play_cents(wager)

    return sorted(record.wagers, key=order)


def _settled(wager: Wager, order: int, covered_cents: int, outcome: Outcome) -> SettledWager:
    sign = _SIGNS[outcome.result]
    returned_cents = wager.amount_cents - covered_cents
    rule = "PG-32" if sign and not covered_cents else outcome.rule
    return SettledWager(wager.id, order, outcome.result, covered_cents, returned_cents, sign * covered_cents, rule)
