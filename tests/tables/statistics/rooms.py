"""Invented rooms of Pai Gow Poker: people who set most hands by the house way, and perhaps two who play for each other."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from itertools import combinations
from uuid import UUID

from tables.rules import get_rule_set
from tables.rules.cards import DECK_WITH_JOKER
from tables.rules.paigow.hands import segment_strengths
from tables.rules.paigow.house_way import set_by_chart
from tables.rules.paigow.parameters import terms_of
from tables.rules.paigow.record import HAND_SIZE, Hand, PaiGowRecord, Stake, Wager
from tables.selectors.reports.settings_tally import SettingsOf
from tables.selectors.reports.settled_hands import SettledHand

CAPITOL = get_rule_set("capitol")
TERMS = terms_of(CAPITOL)
PEOPLE = tuple(UUID(int=number) for number in range(1, 7))
NAMES = {str(person): person for person in PEOPLE}
OWN_WAY = 0.1
"""How often anybody sets a hand any legal way."""
_HAND = SettledHand(UUID(int=0), datetime(2026, 11, 20, tzinfo=UTC), 1, UUID(int=0), None, UUID(int=0), 0, "", {})

Segments = tuple[tuple[int, ...], tuple[int, ...]]


def legal(cards: Sequence[int]) -> list[Segments]:
    """Every way to set seven cards that is no foul, the lowest front first."""
    found: list[tuple[int, Segments]] = []
    for front in combinations(cards, 2):
        back = tuple(card for card in cards if card not in front)
        strengths = segment_strengths(front, back, TERMS)
        if strengths is not None and strengths[0] <= strengths[1]:
            found.append((strengths[0], (front, back)))
    return [segments for _strength, segments in sorted(found)]


def records(hands: int, seed: int, pair: tuple[UUID, UUID] | None = None) -> Iterator[PaiGowRecord]:
    """Hands of six people at seats 1 to 6, of whom each has the bank twice in a row. The first of a ``pair`` sets four of ten
    hands with the lowest front there is when the second has the bank."""
    deck = random.Random(seed)
    for number in range(hands):
        bank = number // 2 % len(PEOPLE)
        cards = deck.sample(DECK_WITH_JOKER, len(PEOPLE) * HAND_SIZE)
        dealt = []
        for place, person in enumerate(PEOPLE):
            own = cards[HAND_SIZE * place : HAND_SIZE * (place + 1)]
            if deck.random() < 0.4 and pair == (person, PEOPLE[bank]):
                segments = legal(own)[0]
            elif deck.random() < OWN_WAY:
                segments = deck.choice(legal(own))
            else:
                by_chart = set_by_chart(TERMS.chart, own, TERMS.joker, TERMS.wheel)
                segments = (by_chart.front, by_chart.back)
            dealt.append(Hand(place + 1, (), segments, False))
        wagers = tuple(
            Wager(f"w{place + 1}", place + 1, str(person), deck.choice((1_000, 2_000, 5_000)), True)
            for place, person in enumerate(PEOPLE)
            if place != bank
        )
        yield PaiGowRecord(
            CAPITOL, 1_000, 10_000, bank + 1, (1, 2, 3), (Stake(str(PEOPLE[bank]), 50_000),), tuple(dealt), wagers, ()
        )


def settings_of(played: Sequence[PaiGowRecord], keeps: Collection[UUID] | None = None) -> SettingsOf:
    """What is found in the hands of a room; hands one by one of everybody, or of some alone."""
    found = SettingsOf({}, NAMES, lambda patron_id: keeps is None or patron_id in keeps)
    for record in played:
        found.count_record(_HAND, record)
    return found
