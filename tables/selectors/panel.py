"""A table's panel on the floor: how it stands, and what the forms beside it are about. What may be done the services decide."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from casino.staff.actor import Actor
from tables.models import CollectionSchedule, Hand, Jackpot, Sitting, Table, TableSession
from tables.models.rooms import SEATS
from tables.rules.called import RULES
from tables.selectors.banking import player_dealer_seat
from tables.selectors.hands import hands_read_by
from tables.selectors.inbox import InboxItem, items_at
from tables.selectors.jackpots import free_cents
from tables.selectors.marks import marks_of, seats_to_set
from tables.selectors.rules import newest_rule_sets
from tables.selectors.schedules import schedule_versions
from tables.selectors.seats import holds_running
from tables.selectors.table_state import Occupant, SeatState, TableState, table_state
from tables.selectors.waiving import Collected, collected_by, waits_for_the_dice

HANDS_SHOWN = 8


@dataclass(frozen=True, slots=True)
class ToSet:
    """A seat or position of the hand that is out: whether it is set, and until when it has time where time was called."""

    seat: int
    name: str
    is_set: bool
    time_until: datetime | None


@dataclass(frozen=True, slots=True)
class Panel:
    """How a table stands. ``hand`` is the hand that is out, or else the last one of the session."""

    state: TableState
    hands: Sequence[Hand]
    hand: Hand | None
    to_set: Sequence[ToSet]
    items: Sequence[InboxItem]

    @property
    def is_out(self) -> bool:
        """Whether a hand is out."""
        return self.state.hand is not None

    @property
    def clocks(self) -> list[ToSet]:
        """Where time runs, or has run out."""
        return [each for each in self.to_set if each.time_until is not None]

    @property
    def not_set(self) -> list[ToSet]:
        """On whom time can be called."""
        return [each for each in self.to_set if not each.is_set and each.time_until is None]

    @property
    def sittings(self) -> list[Sitting]:
        """Who is at the table."""
        return [each.sitting for each in self.state.occupants]

    @property
    def disputes(self) -> list[InboxItem]:
        """What is disputed and not ruled on."""
        return [item for item in self.items if item.thing == "dispute"]

    @property
    def subject(self) -> str:
        """What the forms are for: it changes when others have to be offered."""
        state, session = self.state, self.state.session
        about = [
            session and session.dealer_id,
            session and session.button_seat,
            self.hand and (self.hand.pk, self.hand.status, self.hand.stage),
            [(seat.number, seat.held and seat.held.pk, _who(seat.occupant)) for seat in state.seats],
            [_who(each) for each in state.standing],
            [(each.seat, each.is_set, each.time_until) for each in self.to_set],
            [(item.anchor, item.taking and item.taking.pk) for item in self.disputes],
        ]
        digest = hashlib.sha256(repr(about).encode()).hexdigest()[:12]
        return f"{session.pk if session else ''}/{state.hand.hand.pk if state.hand else ''}/{digest}"


def _who(occupant: Occupant | None) -> tuple[object, ...] | None:
    return (
        None if occupant is None else (occupant.sitting.pk, occupant.is_absent, occupant.sitting.money_behind_cents > 0)
    )


def panel(actor: Actor, table: Table) -> Panel:
    """How a table stands. A fixed number of queries, whatever sits there."""
    state = table_state(table)
    hand = state.hand.hand if state.hand else state.last_hand
    if hand is not None and state.session is not None:
        hand.session = state.session
    return Panel(
        state=state,
        hands=list(hands_read_by(actor).filter(session__table=table)[:HANDS_SHOWN]),
        hand=hand,
        to_set=_to_set(state),
        items=items_at(actor, state.session) if state.session else (),
    )


def _to_set(state: TableState) -> list[ToSet]:
    if state.hand is None:
        return []
    names = {seat.number: seat.occupant.name for seat in state.seats if seat.occupant}
    marks = marks_of(state.hand.hand)
    return [
        ToSet(
            seat,
            names.get(seat, ""),
            is_set=seat in marks and marks[seat].is_set,
            time_until=marks[seat].time_until if seat in marks else None,
        )
        for seat in seats_to_set(state.hand.hand)
    ]


@dataclass(frozen=True, slots=True)
class Target:
    """Another open table that somebody can be moved to, with its free seats."""

    session: TableSession
    seats: Sequence[int]


@dataclass(frozen=True, slots=True)
class Pool:
    """A jackpot that the table feeds: what can be paid out of it now, and the places that it could go to."""

    jackpot: Jackpot
    free_cents: int
    places: Sequence[int]


@dataclass(frozen=True, slots=True)
class Offers:
    """What the forms of a panel choose from."""

    open_with: dict[str, Any]
    targets: Sequence[Target]
    free: Sequence[SeatState]
    held: Sequence[SeatState]
    seated: Sequence[Occupant]
    absent: Sequence[Occupant]
    behind: Sequence[Occupant]
    collected: Sequence[Collected]
    misdeals: Sequence[tuple[str, str]]
    pool: Pool | None
    player_dealer: Occupant | None


def offers(shown: Panel) -> Offers:
    """What there is to choose from. A fixed number of queries for a table that is open, and for one that is closed."""
    state, session = shown.state, shown.state.session
    seated = [seat.occupant for seat in state.seats if seat.occupant]
    return Offers(
        open_with=_open_with(state.table) if session is None else {},
        targets=_targets(session) if session else (),
        free=[seat for seat in state.seats if seat.occupant is None and seat.held is None],
        held=[seat for seat in state.seats if seat.held is not None],
        seated=seated,
        absent=[each for each in seated if each.is_absent],
        behind=[each for each in seated if each.sitting.money_behind_cents],
        collected=_waivable(shown.hand) if session and shown.hand else (),
        misdeals=list(RULES[state.table.game].items()),
        pool=_pool(session, shown.hand) if session else None,
        player_dealer=_player_dealer(shown, seated),
    )


def _open_with(table: Table) -> dict[str, Any]:
    newest: dict[str, CollectionSchedule] = {}
    for schedule in schedule_versions(table.room_id):
        if schedule.game == table.game:
            newest.setdefault(schedule.slug, schedule)
    return {
        "rule_sets": newest_rule_sets(table.game),
        "schedules": list(newest.values()),
        "last": TableSession.objects.filter(table=table)
        .select_related("rules", "schedule")
        .order_by("-opened_at")
        .first(),
    }


def _targets(session: TableSession) -> list[Target]:
    """The other open tables of the room with a free seat."""
    others = list(
        TableSession.objects.filter(table__room=session.table.room_id, closed_at__isnull=True)
        .exclude(pk=session.pk)
        .select_related("table")
        .order_by("table__number")
    )
    taken = set(
        Sitting.objects.filter(session__in=others, ended_at__isnull=True, seat__isnull=False).values_list(
            "session_id", "seat__number"
        )
    )
    taken |= set(holds_running(timezone.now()).filter(session__in=others).values_list("session_id", "seat__number"))
    found = [
        Target(each, [seat for seat in range(1, SEATS[each.table.game] + 1) if (each.pk, seat) not in taken])
        for each in others
    ]
    return [target for target in found if target.seats]


def _waivable(hand: Hand) -> list[Collected]:
    return [] if waits_for_the_dice(hand) else [each for each in collected_by(hand) if each.left_cents]


def _player_dealer(shown: Panel, seated: Sequence[Occupant]) -> Occupant | None:
    state, session = shown.state, shown.state.session
    if state.is_chinese or session is None:
        return None
    seat = player_dealer_seat(session, shown.hand if shown.is_out else None, timezone.now())
    return next((each for each in seated if each.seat == seat), None)


def _pool(session: TableSession, hand: Hand | None) -> Pool | None:
    if session.jackpot_id is None or hand is None or hand.status != Hand.Status.SETTLED:
        return None
    jackpot = Jackpot.objects.get(pk=session.jackpot_id)
    return Pool(jackpot, free_cents(jackpot), sorted({*seats_to_set(hand), hand.button_seat}))
