"""The tiles of the floor: every table in one glance, for a whole floor in a fixed number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.staff.models import Device
from ledger.kinds import AccountKind, TransactionKind
from ledger.rows import execute
from tables.models import DealerShift, Dispute, Hand, HandEvent, Sitting, Table, TableException, TableSession
from tables.models.rooms import SEATS, Game
from tables.selectors.calls import OpenCall, open_calls_of
from tables.selectors.marks import SeatMarks, marks_from
from tables.selectors.seats import holds_running
from tables.selectors.tile_alerts import Alert, Facts, HandOut, Undecided, alerts_of, pace_of
from tables.selectors.waiting_banks import rotations_due, waiting_for_bank
from tables.wording import stakes_in_words

ALERTS_SHOWN = 2
HANDS_COUNTED, HANDS_NEEDED = 20, 5

# How long the last settled hands took, by session: the one in the middle, in seconds, where there are enough to tell.
_USUAL = f"""
    SELECT s.id, percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM h.ended_at - h.started_at))
    FROM unnest($1::uuid[]) AS s(id) CROSS JOIN LATERAL (
        SELECT started_at, ended_at FROM tables_hand WHERE session_id = s.id AND status = 'settled'
        ORDER BY number DESC LIMIT {HANDS_COUNTED}
    ) h GROUP BY s.id HAVING count(*) >= {HANDS_NEEDED}
"""  # noqa: S608 - two numbers from above

# What came into the drop boxes of each table, less what came back out of them to the players, found by its commands.
_COLLECTED = f"""
    SELECT c.table_id, sum(e.amount_cents)
    FROM unnest($1::uuid[], $2::timestamptz[]) AS asked(table_id, since)
    JOIN tables_command c ON c.table_id = asked.table_id AND c.recorded_at >= asked.since
    JOIN ledger_transaction t ON t.command = c.key AND t.kind <> '{TransactionKind.DROP_COUNT}'
    JOIN ledger_entry e ON e.transaction_id = t.id
    JOIN ledger_account a ON a.id = e.account_id AND a.kind = '{AccountKind.DROP_BOX}'
    GROUP BY c.table_id
"""  # noqa: S608 - two names of kinds


@dataclass(frozen=True, slots=True)
class Dot:
    """A seat of a tile: ``taken``, ``absent``, ``new``, ``held`` or ``empty``, and whether it has the button or the bank."""

    number: int
    kind: str
    has_button: bool


@dataclass(frozen=True, slots=True)
class Tile:
    """A table as its tile shows it.

    ``state`` is one of ``closed``, ``open``, ``going``, ``hand-out``, ``clock``, ``held`` or ``no-bank``. ``collected_cents`` is
    what the table has collected since the hour began, in the room's time. ``needs_deciding``: a call, a dispute or an exception
    is open there.
    """

    table: Table
    session: TableSession | None
    state: str
    dots: Sequence[Dot]
    hand: HandOut | None
    dealer_since: datetime | None
    collected_cents: int
    alerts: Sequence[Alert]
    needs_deciding: bool = False

    @property
    def state_words(self) -> str:
        """The state in words."""
        return _STATES[self.state]()

    @property
    def game_words(self) -> str:
        """The game, as short as a tile needs it."""
        return game_in_short(self.table)

    @property
    def stakes_words(self) -> str:
        """What is played for, while the table is open."""
        return stakes_in_words(self.session) if self.session else ""

    @property
    def shown(self) -> Sequence[Alert]:
        """The alerts that have a place."""
        return self.alerts[:ALERTS_SHOWN]

    @property
    def more(self) -> int:
        """How many alerts there are beside those shown."""
        return len(self.alerts[ALERTS_SHOWN:])

    @property
    def seats_words(self) -> str:
        """The dots for who listens."""
        taken = [dot for dot in self.dots if dot.kind not in ("empty", "held")]
        parts = [ngettext("%(count)s player", "%(count)s players", len(taken)) % {"count": len(taken)}]
        for kind, words in (("absent", _("absent")), ("new", _("new")), ("held", _("held"))):
            if found := sum(dot.kind == kind for dot in self.dots):
                parts.append(f"{found} {words}")
        for dot in self.dots:
            if dot.has_button:
                words = (
                    _("button at seat %(seat)s")
                    if self.table.game == Game.CHINESE_POKER
                    else _("bank at seat %(seat)s")
                )
                parts.append(words % {"seat": dot.number})
        return ", ".join(parts)


_STATES: Mapping[str, Callable[[], str]] = {
    "closed": lambda: _("Closed"),
    "open": lambda: _("Open"),
    "going": lambda: _("Going"),
    "hand-out": lambda: _("Hand out"),
    "clock": lambda: _("Clock running"),
    "held": lambda: _("Held for ruling"),
    "no-bank": lambda: _("Waiting for a bank"),
}


def game_in_short(table: Table) -> str:
    """The game of a table in a word or two."""
    return _("Chinese") if table.game == Game.CHINESE_POKER else _("Pai Gow")


def tiles_of(tables: Sequence[Table], tablets: Mapping[UUID, Collection[Device]], now: datetime) -> list[Tile]:
    """The tiles of some tables, which come with their rooms; ``tablets`` stand at them."""
    sessions = _sessions(tables)
    between = _Between.read(sessions.values(), now)
    collected = _collected(tables, now)
    return [
        between.tile(session, collected.get(table.pk, 0), tablets.get(table.pk, ()))
        if (session := sessions.get(table.pk))
        else Tile(table, None, "closed", _dots(table, None, {}, set()), None, None, collected.get(table.pk, 0), ())
        for table in tables
    ]


@dataclass(frozen=True, slots=True)
class _Between:
    """What was read about the sessions that are open, by session."""

    now: datetime
    sittings: Mapping[UUID, Mapping[int, Sitting]]
    held: Mapping[UUID, set[int]]
    hands: Mapping[UUID, HandOut]
    calls: Mapping[UUID, Sequence[OpenCall]]
    disputes: Mapping[UUID, Sequence[Undecided]]
    exceptions: Mapping[UUID, Sequence[Undecided]]
    no_bank: Collection[UUID]
    due: Mapping[UUID, datetime]

    @classmethod
    def read(cls, sessions: Collection[TableSession], now: datetime) -> _Between:
        hands = _hands_out(sessions)
        waiting = [each for each in sessions if each.table.game == Game.PAI_GOW_POKER and each.pk not in hands]
        disputes = Dispute.objects.filter(session__in=sessions, ruling__isnull=True)
        exceptions = TableException.objects.filter(session__in=sessions, decision__isnull=True)
        return cls(
            now=now,
            sittings=_seated(sessions),
            held=_held(sessions, now),
            hands=hands,
            calls=open_calls_of(sessions),
            disputes=_undecided(disputes),
            exceptions=_undecided(exceptions),
            no_bank=waiting_for_bank(waiting, now),
            due=rotations_due(sessions),
        )

    def tile(self, session: TableSession, collected_cents: int, tablets: Collection[Device]) -> Tile:
        hand, pk = self.hands.get(session.pk), session.pk
        facts = Facts(
            session=session,
            now=self.now,
            hand=hand,
            calls=self.calls.get(pk, ()),
            disputes=self.disputes.get(pk, ()),
            exceptions=self.exceptions.get(pk, ()),
            tablets=tablets,
            rotation_due_at=self.due.get(pk),
        )
        return Tile(
            table=session.table,
            session=session,
            state=self._state(facts),
            dots=_dots(session.table, session.button_seat, self.sittings.get(pk, {}), self.held.get(pk, set())),
            hand=hand,
            dealer_since=session.dealer_since,  # type: ignore[attr-defined]  # annotated
            collected_cents=collected_cents,
            alerts=alerts_of(facts),
            needs_deciding=bool(facts.calls or facts.disputes or facts.exceptions),
        )

    def _state(self, facts: Facts) -> str:
        session = facts.session
        if facts.disputes:
            return "held"
        if facts.hand is not None:
            return "clock" if facts.hand.clocks else "hand-out"
        if session.pk in self.no_bank:
            return "no-bank"
        present = [each for each in self.sittings.get(session.pk, {}).values() if each.absent_at is None]
        return "going" if session.hands_dealt and len(present) > 1 else "open"


def _sessions(tables: Collection[Table]) -> dict[UUID, TableSession]:
    dealing = DealerShift.objects.filter(session=OuterRef("pk"), ended_at__isnull=True)
    rows = (
        TableSession.objects.filter(table__in=tables, closed_at__isnull=True)
        .select_related("table__room", "rules", "dealer")
        .annotate(dealer_since=Subquery(dealing.values("started_at")[:1]))
    )
    return {session.table_id: session for session in rows}


def _seated(sessions: Collection[TableSession]) -> Mapping[UUID, Mapping[int, Sitting]]:
    rows = Sitting.objects.filter(session__in=sessions, ended_at__isnull=True, seat__isnull=False)
    found: dict[UUID, dict[int, Sitting]] = defaultdict(dict)
    for sitting in rows.select_related("seat"):
        if sitting.seat:
            found[sitting.session_id][sitting.seat.number] = sitting
    return found


def _held(sessions: Collection[TableSession], now: datetime) -> Mapping[UUID, set[int]]:
    found: dict[UUID, set[int]] = defaultdict(set)
    for session, seat in holds_running(now).filter(session__in=sessions).values_list("session", "seat__number"):
        found[session].add(seat)
    return found


def _hands_out(sessions: Collection[TableSession]) -> dict[UUID, HandOut]:
    rows = list(
        Hand.objects.filter(session__in=sessions, status=Hand.Status.OUT).values_list(
            "pk", "session", "number", "started_at"
        )
    )
    marks = _marks([pk for pk, *_rest in rows])
    usual = dict(execute(_USUAL, [[session for _pk, session, *_rest in rows]]).fetchall())
    return {
        session: HandOut(
            id=pk,
            number=number,
            started_at=started_at,
            pace=pace_of(timedelta(seconds=usual[session]) if session in usual else None),
            marks=marks.get(pk, {}),
        )
        for pk, session, number, started_at in rows
    }


def _marks(hands: Sequence[UUID]) -> Mapping[UUID, Mapping[int, SeatMarks]]:
    found: dict[UUID, list[HandEvent]] = defaultdict(list)
    for event in HandEvent.objects.filter(hand__in=hands).order_by("pk"):
        found[event.hand_id].append(event)
    return {hand: marks_from(events) for hand, events in found.items()}


def _undecided(rows: QuerySet[Any]) -> Mapping[UUID, Sequence[Undecided]]:
    found: dict[UUID, list[Undecided]] = defaultdict(list)
    for session, number, raised_at in rows.order_by("raised_at").values_list("session", "hand__number", "raised_at"):
        found[session].append(Undecided(number, raised_at))
    return found


def _collected(tables: Sequence[Table], now: datetime) -> dict[UUID, int]:
    hours = [now.astimezone(table.room.zone).replace(minute=0, second=0, microsecond=0) for table in tables]
    return {
        table: int(cents) for table, cents in execute(_COLLECTED, [[table.pk for table in tables], hours]).fetchall()
    }


def _dots(table: Table, button: int | None, sittings: Mapping[int, Sitting], held: Iterable[int]) -> list[Dot]:
    return [
        Dot(number, _kind(sittings.get(number), is_held=number in held), has_button=number == button)
        for number in range(1, SEATS[table.game] + 1)
    ]


def _kind(sitting: Sitting | None, *, is_held: bool) -> str:
    if sitting is None:
        return "held" if is_held else "empty"
    if sitting.absent_at is not None:
        return "absent"
    return "new" if sitting.is_new else "taken"
