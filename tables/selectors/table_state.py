"""A table as its tablet and the floor see it: one read for everything on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from django.utils import timezone

from ledger.rows import Composed, ComposedModels, any_of
from ledger.selectors import balances_of
from tables.models import BankShare, Command, Hand, HandRecord, SeatHold, Sitting, Table, TableSession, Wager
from tables.models.rooms import SEATS, Game
from tables.selectors.banking import BankTurn, bank_turn
from tables.selectors.calls import OpenCall, open_calls_of
from tables.selectors.seats import holds_running
from tables.selectors.wagers import handlers


@dataclass(frozen=True, slots=True)
class Occupant:
    """Somebody at the table, with their chips in cents; ``seat`` is ``None`` for the backline."""

    sitting: Sitting
    seat: int | None
    stack_cents: int
    in_hand: bool

    @property
    def name(self) -> str:
        """The patron's name or description."""
        return self.sitting.patron.name

    @property
    def is_absent(self) -> bool:
        """Whether they are away from their seat and get no hand."""
        return self.sitting.absent_at is not None

    @property
    def may_declare_all_in(self) -> bool:
        """Whether all they play with is in front of them: not so with money behind (CP-61)."""
        return not self.sitting.money_behind_cents


@dataclass(frozen=True, slots=True)
class SeatState:
    """A seat and who is in it, if anybody; ``held`` says for whom a free one is kept."""

    number: int
    occupant: Occupant | None
    has_button: bool
    held: SeatHold | None


@dataclass(frozen=True, slots=True)
class HandState:
    """The hand that is out: what was wagered, what was entered last, and its verdict."""

    hand: Hand
    positions: Sequence[int]
    wagers: Sequence[Wager]
    bank: Sequence[BankShare]
    record: HandRecord | None
    verdict: dict[str, Any] | None

    @property
    def wagers_open(self) -> bool:
        """Whether a Pai Gow hand still waits for wagers and dice."""
        return self.hand.session.table.game == Game.PAI_GOW_POKER and self.hand.wagers_closed_at is None

    @property
    def handlers(self) -> dict[int, UUID]:
        """The sitting that handles the cards of each position with a wager (PG-06)."""
        return handlers(self.wagers, self.hand.session.table_max_cents)


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything a screen about one table shows."""

    table: Table
    session: TableSession | None
    seats: Sequence[SeatState]
    standing: Sequence[Occupant]
    hand: HandState | None
    last_hand: Hand | None
    names: dict[str, str] = field(default_factory=dict)
    calls: Sequence[OpenCall] = ()

    @property
    def is_chinese(self) -> bool:
        """Whether Chinese Poker is played here."""
        return self.table.game == Game.CHINESE_POKER

    @property
    def occupants(self) -> list[Occupant]:
        """Everybody at the table, the seated first in seat order."""
        return [seat.occupant for seat in self.seats if seat.occupant] + list(self.standing)

    @property
    def bank_turn(self) -> BankTurn | None:
        """Where the offer of the bank stands, asked for when it is shown; only between the hands of Pai Gow Poker."""
        if self.session is None or self.is_chinese or self.hand is not None:
            return None
        return bank_turn(self.session, timezone.now())

    @property
    def words(self) -> str:
        """The table's state as one word of the floor: closed, open, hand-out."""
        if self.session is None:
            return "closed"
        return "hand-out" if self.hand else "open"


def table_state(table: Table) -> TableState:
    """Read a table. A fixed number of queries, whatever sits there."""
    return table_states([table])[0]


def table_states(tables: Sequence[Table]) -> list[TableState]:
    """Read several tables at once; the number of queries does not grow with their number."""
    sessions = {session.table_id: session for session in _OPEN_SESSIONS([table.pk for table in tables])}
    hands = _hands_out(list(sessions.values()))
    sittings = _sittings(sessions.values())
    holds = {
        (hold.session_id, hold.seat.number): hold
        for hold in holds_running(timezone.now()).filter(session__in=sessions.values())
    }
    calls = open_calls_of([session.pk for session in sessions.values()])
    last = {hand.session_id: hand for hand in _LAST_HANDS([session.pk for session in sessions.values()])}
    return [
        replace(
            _state(table, session, sittings.get(session.pk, []), hands.get(session.pk), last.get(session.pk), holds),
            calls=calls.get(session.pk, ()),
        )
        if (session := sessions.get(table.pk))
        else TableState(table, None, _seats(table, [], None, {}), [], None, None)
        for table in tables
    ]


_OPEN_SESSIONS = ComposedModels(
    lambda tables: (
        TableSession.objects.filter(table__in=any_of(tables), closed_at__isnull=True)
        .select_related("table__room", "rules", "dealer", "sheet")
        .defer("sheet__content")
    )
)
_LAST_HANDS = ComposedModels(
    lambda sessions: (
        Hand.objects.filter(session__in=any_of(sessions))
        .exclude(status=Hand.Status.OUT)
        .order_by("session_id", "-number")
        .distinct("session_id")
    )
)
_SITTINGS = ComposedModels(
    lambda sessions: (
        Sitting.objects.filter(session__in=any_of(sessions), ended_at__isnull=True)
        .select_related("patron", "seat")
        .order_by("seat__number", "started_at", "pk")
    )
)


def _state(
    table: Table,
    session: TableSession,
    occupants: list[Occupant],
    hand: HandState | None,
    last: Hand | None,
    holds: Mapping[tuple[UUID, int], SeatHold],
) -> TableState:
    in_hand = _in_hand(hand) if hand else set()
    occupants = [Occupant(each.sitting, each.seat, each.stack_cents, each.sitting.pk in in_hand) for each in occupants]
    return TableState(
        table=table,
        session=session,
        seats=_seats(
            table,
            occupants,
            session.button_seat,
            {seat: hold for (of, seat), hold in holds.items() if of == session.pk},
        ),
        standing=[each for each in occupants if each.seat is None],
        hand=hand,
        last_hand=last,
        names={str(each.sitting.pk): each.name for each in occupants},
    )


def _in_hand(hand: HandState) -> set[UUID]:
    """Sittings with a part in a hand: dealt in, or with money in action, or holding the bank."""
    if hand.hand.session.table.game == Game.CHINESE_POKER:
        return {seat.sitting_id for seat in hand.hand.seats.all()}
    banker = {seat.sitting_id for seat in hand.hand.seats.all() if seat.number == hand.hand.button_seat}
    return banker | {wager.sitting_id for wager in hand.wagers} | {share.sitting_id for share in hand.bank}


def _seats(
    table: Table, occupants: Iterable[Occupant], button: int | None, holds: Mapping[int, SeatHold]
) -> list[SeatState]:
    by_seat = {each.seat: each for each in occupants}
    return [
        SeatState(number, by_seat.get(number), has_button=number == button, held=holds.get(number))
        for number in range(1, SEATS[table.game] + 1)
    ]


def _sittings(sessions: Iterable[TableSession]) -> dict[UUID, list[Occupant]]:
    sittings: list[Sitting] = _SITTINGS([session.pk for session in sessions])
    stacks = balances_of(sitting.stack_id for sitting in sittings)
    found: dict[UUID, list[Occupant]] = {}
    for sitting in sittings:
        seat = sitting.seat.number if sitting.seat else None
        found.setdefault(sitting.session_id, []).append(Occupant(sitting, seat, stacks[sitting.stack_id], False))
    return found


def _hands_out(sessions: Sequence[TableSession]) -> dict[UUID, HandState]:
    hands = (
        Hand.objects.filter(session__in=sessions, status=Hand.Status.OUT)
        .select_related("session__table", "rules")
        .prefetch_related(
            "seats",
            "wagers__sitting__patron",
            "wagers__sitting__seat",
            "bank_shares__sitting__patron",
            "records__verdict",
        )
    )
    return {hand.session_id: _hand_state(hand) for hand in hands}


def _hand_state(hand: Hand) -> HandState:
    wagers = sorted(hand.wagers.all(), key=lambda wager: wager.ordinal)
    record = max(hand.records.all(), key=lambda each: each.revision, default=None)
    if hand.session.table.game == Game.CHINESE_POKER:
        positions = sorted(seat.number for seat in hand.seats.all())
    else:
        positions = sorted({wager.position for wager in wagers} | {hand.button_seat})
    return HandState(
        hand=hand,
        positions=positions,
        wagers=wagers,
        bank=sorted(hand.bank_shares.all(), key=lambda share: share.ordinal),
        record=record,
        verdict=record.verdict.data if record else None,
    )


def state_version(table: Table) -> UUID:
    """Which state a table is in: the key of what last happened there, zero before the first. Read it before the state itself.

    What happens there is a command at the table, or somebody coming from another table, whose command is written down there.
    """
    _at, version = max([*_LAST_COMMAND(table.pk), *_LAST_ARRIVAL(table.pk)], default=(None, UUID(int=0)))
    return version


_LAST_COMMAND = Composed(
    lambda table: (
        Command.objects.filter(table=table).order_by("-recorded_at", "-key").values_list("recorded_at", "key")[:1]
    )
)
_LAST_ARRIVAL = Composed(
    lambda table: (
        Sitting.objects.filter(session__table=table, moved_from__isnull=False)
        .order_by("-started_at")
        .values_list("started_at", "pk")[:1]
    )
)
