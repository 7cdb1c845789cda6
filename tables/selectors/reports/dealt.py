"""The hands dealt in a span of time, and the time dealt, by session and by whoever dealt: what rates are made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar
from uuid import UUID

from django.utils.translation import gettext as _

from casino.staff.models import User
from tables.models import Hand, Table, TableSession
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.money import read
from tables.selectors.reports.sessions import sessions_of, shifts_of

_Key = TypeVar("_Key", bound=Hashable)

FROM_HANDS_DEALT = """
    FROM tables_hand hand
    JOIN tables_tablesession session ON session.id = hand.session_id
    LEFT JOIN tables_dealershift shift ON shift.session_id = hand.session_id AND shift.started_at <= hand.started_at
        AND (shift.ended_at IS NULL OR shift.ended_at > hand.started_at)
"""
"""For a statement of ``money.read``: hands with their session and the shift of who dealt them."""

DEALT_IN_THE_SPAN = """
    hand.started_at >= %(start)s AND hand.started_at < %(end)s AND session.table_id = ANY(%(tables)s)
"""
"""Its condition."""

_COUNTED = f"""
    SELECT hand.session_id, shift.dealer_id, hand.status, count(*)
    {FROM_HANDS_DEALT} WHERE {DEALT_IN_THE_SPAN}
    GROUP BY 1, 2, 3
"""


class Place(NamedTuple):
    """Where a figure belongs: the session and who dealt, nobody where no dealer was dealt in."""

    session_id: UUID
    dealer_id: UUID | None


@dataclass(slots=True)
class Dealt:
    """How many hands were dealt, what became of them, and how many seconds somebody dealt."""

    hands: int = 0
    settled: int = 0
    misdeals: int = 0
    voided: int = 0
    seconds: int = 0

    def count(self, status: str, number: int) -> None:
        """So many hands more of a status."""
        self.hands += number
        self.settled += number * (status == Hand.Status.SETTLED)
        self.misdeals += number * (status == Hand.Status.MISDEAL)
        self.voided += number * (status == Hand.Status.VOID)

    def add(self, other: Dealt) -> None:
        """Count another's figures as well."""
        self.hands += other.hands
        self.settled += other.settled
        self.misdeals += other.misdeals
        self.voided += other.voided
        self.seconds += other.seconds


@dataclass(frozen=True, slots=True)
class DealtHands:
    """Every figure by its place, and the sessions and dealers by id."""

    figures: Mapping[Place, Dealt]
    sessions: Mapping[UUID, TableSession]
    dealers: Mapping[UUID, User]

    @classmethod
    def of(cls, asked: Asked) -> DealtHands:
        """Those of the span, of one dealer alone where one is asked for."""
        sessions = sessions_of(asked)
        shifts = shifts_of(asked, sessions)
        figures: dict[Place, Dealt] = defaultdict(Dealt)
        for session_id, dealer_id, status, number in read(_COUNTED, asked):
            figures[Place(session_id, dealer_id)].count(status, number)
        for shift in shifts:
            seconds = asked.span.clip_seconds(shift.started_at, shift.ended_at, asked.now)
            figures[Place(shift.session_id, shift.dealer_id)].seconds += seconds
        if asked.dealer is not None:
            figures = {place: each for place, each in figures.items() if place.dealer_id == asked.dealer.pk}
        dealers = {shift.dealer_id: shift.dealer for shift in shifts}
        return cls(figures, {session.pk: session for session in sessions}, dealers)

    def by(self, key: Callable[[Place], _Key]) -> dict[_Key, Dealt]:
        """The figures put together by what a place is."""
        found: dict[_Key, Dealt] = defaultdict(Dealt)
        for place, dealt in self.figures.items():
            found[key(place)].add(dealt)
        return dict(found)

    def table_of(self, place: Place) -> Table:
        """The table of a place."""
        return self.sessions[place.session_id].table

    def dealer_of(self, place: Place) -> User | None:
        """Who dealt there."""
        return None if place.dealer_id is None else self.dealers[place.dealer_id]


def by_table_number(table: Table) -> int:
    """The order in which tables are listed."""
    return table.number


def by_badge(dealer: User | None) -> tuple[bool, str]:
    """The order in which dealers are listed: nobody comes last."""
    return dealer is None, dealer.badge_number if dealer else ""


def dealer_in_words(dealer: User | None) -> str:
    """A dealer's name and badge."""
    return _("nobody dealt in") if dealer is None else f"{dealer.name} ({dealer.badge_number})"
