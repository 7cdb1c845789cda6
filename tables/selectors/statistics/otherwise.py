"""What it came to that somebody set a hand otherwise than the house way, everything else as it was. Pure; it accuses nobody.

The engine settles the hand as it was set and as the chart sets the same seven cards. What differs is what the setting came to,
for whoever decided on it and for everybody else with money in the hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tables.rules.paigow.hands import segment_strengths
from tables.rules.paigow.house_way import HouseWaySetting, set_by_chart
from tables.rules.paigow.misdeals import switched_positions
from tables.rules.paigow.parameters import Terms, terms_of
from tables.rules.paigow.record import HAND_SIZE, Hand, PaiGowRecord
from tables.rules.paigow.settling import settle


class Decided(NamedTuple):
    """A hand that somebody set. ``by`` decided on it: the seated Player/Dealer on the bank's, else the largest wager (PG-06).

    ``chart`` is how the house way sets the same cards, nothing where that is the same hand; ``moved_cents`` what everybody then
    has more or less for it, by the name that the record has for them, those left out for whom nothing changes.
    """

    by: str
    is_bank: bool
    position: int
    front: Sequence[int]
    chart: HouseWaySetting | None
    moved_cents: Mapping[str, int]


def hands_decided(record: PaiGowRecord) -> Iterator[Decided]:
    """The hands of a settled record that somebody set, whichever way, with money on them.

    Left out is what nobody set: piles that the house set, hands of a wrong number of cards, and switched ones.
    """
    terms = terms_of(record.rule_set)
    switched = switched_positions(record)
    nets: Counter[str] | None = None
    for hand in record.hands:
        by = _who_decides(record, hand.position)
        if hand.segments is None or hand.card_count != HAND_SIZE or hand.position in switched or by is None:
            continue
        chart = _otherwise(hand, terms)
        moved: dict[str, int] = {}
        if chart is not None:
            nets = _nets(record) if nets is None else nets
            by_chart = _nets(_with(record, hand.position, chart))
            moved = {name: nets[name] - by_chart[name] for name in nets if nets[name] != by_chart[name]}
        is_bank = hand.position == record.player_dealer
        yield Decided(by, is_bank, hand.position, hand.segments[0], chart, moved)


def _who_decides(record: PaiGowRecord, position: int) -> str | None:
    if position == record.player_dealer:
        return record.bank[0].patron
    wager = record.handling_wager(position)
    return wager.patron if wager else None


def _otherwise(hand: Hand, terms: Terms) -> HouseWaySetting | None:
    """The chart's setting where it makes another hand; other suits of the same ranks are no other hand."""
    front, back = hand.segments or ((), ())
    chart = set_by_chart(terms.chart, hand.cards, terms.joker, terms.wheel)
    if set(chart.front) == set(front):
        return None
    is_same = segment_strengths(front, back, terms) == segment_strengths(chart.front, chart.back, terms)
    return None if is_same else chart


def _with(record: PaiGowRecord, position: int, chart: HouseWaySetting) -> PaiGowRecord:
    hands = tuple(
        hand._replace(segments=(chart.front, chart.back)) if hand.position == position else hand
        for hand in record.hands
    )
    return record._replace(hands=hands)


def _nets(record: PaiGowRecord) -> Counter[str]:
    """What the hand comes to for everybody with money in it, collections apart."""
    settled = settle(record)
    nets: Counter[str] = Counter()
    for placed, wager in zip(record.wagers, settled.wagers, strict=True):
        nets[placed.patron] += wager.net
    for stake, cents in zip(record.bank, settled.shares_cents, strict=True):
        nets[stake.patron] += cents
    return nets
