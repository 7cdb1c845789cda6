"""The hands of Pai Gow Poker in the order in which their banks were held: turns, and how long others than providers had none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from tables.models import Patron
from tables.models.rooms import Game
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.dealt import DEALT_IN_THE_SPAN
from tables.selectors.reports.money import streamed
from tables.selectors.rotation import PEOPLE_TO_BANK, ROTATION, rotation_due_at

MOST_IN_A_ROW = 2
"""For how many hands in a row anybody may hold the bank (PD-01)."""


# A misdeal or a void hand is nobody's turn; one that is out is (PG-02).
_HANDS = f"""
    SELECT place.number, hand.session_id, hand.id, hand.number, hand.started_at, hand.ended_at, hand.button_seat,
        sitting.patron_id
    FROM tables_hand hand
    JOIN tables_tablesession session ON session.id = hand.session_id
    JOIN tables_table place ON place.id = session.table_id AND place.game = '{Game.PAI_GOW_POKER.value}'
    JOIN tables_handseat banker ON banker.hand_id = hand.id AND banker.number = hand.button_seat
    JOIN tables_sitting sitting ON sitting.id = banker.sitting_id
    WHERE {DEALT_IN_THE_SPAN} AND hand.status IN ('settled', 'out')
    ORDER BY place.number, session.opened_at, hand.session_id, hand.number
"""  # noqa: S608  only constants are put in


class Banked(NamedTuple):
    """A hand that somebody had the bank of."""

    table: int
    session_id: UUID
    hand_id: UUID
    number: int
    started_at: datetime
    ended_at: datetime | None
    seat: int
    patron_id: UUID


@dataclass(frozen=True, slots=True)
class BankedTurn:
    """Hands in a row that one seat had the bank of, as the limit counts them (PG-51); they may be several people's.

    ``since`` is how long before its first hand somebody other than a provider's player had last begun one; ``None`` where there
    was none before in this time.
    """

    hands: Sequence[Banked]
    since: timedelta | None


@dataclass(slots=True)
class SessionTurns:
    """What the hands of a session come to."""

    hands: int = 0
    of_providers: int = 0
    turns: int = 0
    longest: int = 0
    longer: int = 0
    late: int = 0
    provider_alone: timedelta | None = None
    too_few: timedelta = timedelta()
    people: set[UUID] = field(default_factory=set)


class _Clock:
    """How long a session goes without other people's banks, hand by hand in order."""

    def __init__(self, first: Banked) -> None:
        self.first_at = first.started_at
        self.last_other_at: datetime | None = None
        self.has_provider_since = False
        self._last_turns: dict[UUID, datetime] = {}

    def without_two(self, now: datetime) -> timedelta:
        """For how long fewer than two other people had taken the bank by then."""
        newest = sorted(self._last_turns.values(), reverse=True)[:PEOPLE_TO_BANK]
        return now - (rotation_due_at(self.first_at, newest) - ROTATION)

    def provider_alone(self, now: datetime) -> timedelta | None:
        """For how long only providers' players had taken it by then; ``None`` where none of them had since somebody else did."""
        return now - (self.last_other_at or self.first_at) if self.has_provider_since else None

    def count(self, hand: Banked, *, is_providers: bool) -> None:
        """A hand begins."""
        if is_providers:
            self.has_provider_since = True
        else:
            self.last_other_at = self._last_turns[hand.patron_id] = hand.started_at
            self.has_provider_since = False


@dataclass(frozen=True, slots=True)
class BankHands:
    """The hands of the span that somebody had the bank of; ``patrons`` is everybody who was there, by id."""

    asked: Asked
    patrons: Mapping[UUID, Patron]

    def hands(self) -> Iterator[tuple[UUID, Iterator[Banked]]]:
        """The hands of every session, in order; read anew each time."""
        rows = (Banked(*row) for row in streamed(_HANDS, self.asked))
        return groupby(rows, key=lambda hand: hand.session_id)

    def is_providers(self, hand: Banked) -> bool:
        """Whether a third-party provider's player had the bank."""
        return self.patrons[hand.patron_id].provider != ""

    def turns(self) -> Iterator[BankedTurn]:
        """Every turn of the bank."""
        for _session_id, hands in self.hands():
            last_other_at = None
            for _seat, found in groupby(hands, key=lambda hand: hand.seat):
                turn = list(found)
                yield BankedTurn(turn, turn[0].started_at - last_other_at if last_other_at else None)
                others = [hand.started_at for hand in turn if not self.is_providers(hand)]
                last_other_at = others[-1] if others else last_other_at

    def summed(self) -> dict[UUID, SessionTurns]:
        """What the hands of each session come to."""
        return {session_id: self._summed(hands) for session_id, hands in self.hands()}

    def _summed(self, hands: Iterator[Banked]) -> SessionTurns:
        found, clock, in_a_row, last = SessionTurns(), None, 0, None
        for hand in hands:
            clock = clock or _Clock(hand)
            is_providers = self.is_providers(hand)
            self._measure(found, clock, hand.started_at)
            found.late += clock.without_two(hand.started_at) >= ROTATION
            clock.count(hand, is_providers=is_providers)
            in_a_row = in_a_row + 1 if last and last.seat == hand.seat else 1
            found.hands += 1
            found.of_providers += is_providers
            found.turns += in_a_row == 1
            found.longer += in_a_row == MOST_IN_A_ROW + 1
            found.longest = max(found.longest, in_a_row)
            found.people.add(hand.patron_id)
            last = hand
        if clock and last:
            self._measure(found, clock, min(last.ended_at or self.asked.now, self.asked.span.end))
        return found

    def _measure(self, found: SessionTurns, clock: _Clock, now: datetime) -> None:
        alone = clock.provider_alone(now)
        if alone is not None:
            found.provider_alone = max(found.provider_alone or timedelta(), alone)
        found.too_few = max(found.too_few, clock.without_two(now))
