"""The tiles of the floor: every table in one glance, for a whole floor in a fixed number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ledger.kinds import AccountKind, TransactionKind
from ledger.rows import Composed, ComposedModels, any_of, execute
from tables.models import (
    DealerShift,
    Dispute,
    Hand,
    HandEvent,
    Sitting,
    Table,
    TableException,
    TableSession,
)
from tables.models.rooms import SEATS, Game
from tables.selectors.calls import OpenCall, open_calls_of
from tables.selectors.floor_tables import FloorTable
from tables.selectors.marks import SeatMarks, marks_from
from tables.selectors.seats import seats_held
from tables.selectors.tile_alerts import Alert, Facts, HandOut, Undecided, alerts_of, changes_at, pace_of
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
    what the table has collected since the hour began, in the room's time. ``until`` is when time alone changes what is shown.
    """

    table: FloorTable
    session: TableSession | None
    state: str
    dots: Sequence[Dot]
    hand: HandOut | None
    dealer_since: datetime | None
    collected_cents: int
    alerts: Sequence[Alert]
    until: datetime

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


def game_in_short(table: Table | FloorTable) -> str:
    """The game of a table in a word or two."""
    return _("Chinese") if table.game == Game.CHINESE_POKER else _("Pai Gow")


def tiles_of(tables: Sequence[FloorTable], now: datetime) -> list[Tile]:
    """The tiles of some tables."""
    ids = [table.id for table in tables]
    sessions: dict[UUID, TableSession] = {session.table_id: session for session in _SESSIONS(ids)}
    between = _Between.read(list(sessions.values()), now)
    hours = [_hour_begun(table, now) for table in tables]
    collected = dict(execute(_COLLECTED, [ids, hours]).fetchall())
    return [
        _tile(table, sessions.get(table.id), between, int(collected.get(table.id, 0)), hour + timedelta(hours=1))
        for table, hour in zip(tables, hours, strict=True)
    ]


def _hour_begun(table: FloorTable, now: datetime) -> datetime:
    return now.astimezone(ZoneInfo(table.time_zone)).replace(minute=0, second=0, microsecond=0)


def _tile(
    table: FloorTable, session: TableSession | None, between: _Between, collected_cents: int, hour_ends_at: datetime
) -> Tile:
    if session is None:
        return Tile(table, None, "closed", _dots(table, None, {}, {}), None, None, collected_cents, (), hour_ends_at)
    facts = between.facts(table, session)
    held = between.held.get(session.pk, {})
    seated = between.seated.get(session.pk, {})
    to_come = (at for at in (*changes_at(facts), *held.values()) if at > between.now)
    return Tile(
        table=table,
        session=session,
        state=between.state(facts),
        dots=_dots(table, session.button_seat, seated, held),
        hand=facts.hand,
        dealer_since=session.dealer_since,  # type: ignore[attr-defined]  # annotated
        collected_cents=collected_cents,
        alerts=alerts_of(facts),
        until=min(to_come, default=hour_ends_at),
    )


class _Seated(NamedTuple):
    """Who sits in a seat, as far as its dot shows it."""

    absent_at: datetime | None
    is_new: bool


@dataclass(frozen=True, slots=True)
class _Between:
    """What was read about the sessions that are open, by session."""

    now: datetime
    seated: Mapping[UUID, Mapping[int, _Seated]]
    held: Mapping[UUID, Mapping[int, datetime]]
    hands: Mapping[UUID, HandOut]
    calls: Mapping[UUID, Sequence[OpenCall]]
    disputes: Mapping[UUID, Sequence[Undecided]]
    exceptions: Mapping[UUID, Sequence[Undecided]]
    no_bank: Collection[UUID]
    due: Mapping[UUID, datetime]

    @classmethod
    def read(cls, sessions: Collection[TableSession], now: datetime) -> _Between:
        ids = [session.pk for session in sessions]
        hands = _hands_out(ids)
        waiting = [each for each in sessions if each.table.game == Game.PAI_GOW_POKER and each.pk not in hands]
        return cls(
            now=now,
            seated=_seated(ids),
            held=_held(ids, now),
            hands=hands,
            calls=open_calls_of(ids),
            disputes=_undecided(_DISPUTES(ids)),
            exceptions=_undecided(_EXCEPTIONS(ids)),
            no_bank=waiting_for_bank(waiting, now),
            due=rotations_due(sessions),
        )

    def facts(self, table: FloorTable, session: TableSession) -> Facts:
        pk = session.pk
        return Facts(
            session=session,
            now=self.now,
            hand=self.hands.get(pk),
            calls=self.calls.get(pk, ()),
            disputes=self.disputes.get(pk, ()),
            exceptions=self.exceptions.get(pk, ()),
            tablets=table.tablets,
            rotation_due_at=self.due.get(pk),
        )

    def state(self, facts: Facts) -> str:
        session = facts.session
        if facts.disputes:
            return "held"
        if facts.hand is not None:
            return "clock" if facts.hand.clocks else "hand-out"
        if session.pk in self.no_bank:
            return "no-bank"
        present = [each for each in self.seated.get(session.pk, {}).values() if each.absent_at is None]
        return "going" if session.hands_dealt and len(present) > 1 else "open"


_SESSIONS = ComposedModels(
    lambda tables: (
        TableSession.objects.filter(table__in=any_of(tables), closed_at__isnull=True)
        .select_related("table__room", "rules", "dealer")
        .annotate(
            dealer_since=Subquery(
                DealerShift.objects.filter(session=OuterRef("pk"), ended_at__isnull=True).values("started_at")[:1]
            )
        )
    )
)
_SEATED = Composed(
    lambda sessions: Sitting.objects.filter(
        session__in=any_of(sessions), ended_at__isnull=True, seat__isnull=False
    ).values_list("session", "seat__number", "absent_at", "is_new")
)
_HANDS = Composed(
    lambda sessions: Hand.objects.filter(session__in=any_of(sessions), status=Hand.Status.OUT).values_list(
        "pk", "session", "number", "started_at"
    )
)
_EVENTS = ComposedModels(lambda hands: HandEvent.objects.filter(hand__in=any_of(hands)).order_by("pk"))
_DISPUTES = Composed(lambda sessions: _open(Dispute.objects.filter(session__in=any_of(sessions), ruling__isnull=True)))
_EXCEPTIONS = Composed(
    lambda sessions: _open(TableException.objects.filter(session__in=any_of(sessions), decision__isnull=True))
)


def _open(rows: QuerySet[Any]) -> QuerySet[Any, Any]:
    return rows.order_by("raised_at").values_list("session", "hand__number", "raised_at")


def _seated(sessions: Sequence[UUID]) -> Mapping[UUID, Mapping[int, _Seated]]:
    found: dict[UUID, dict[int, _Seated]] = defaultdict(dict)
    for session, seat, *sitting in _SEATED(sessions):
        found[session][seat] = _Seated(*sitting)
    return found


def _held(sessions: Sequence[UUID], now: datetime) -> Mapping[UUID, Mapping[int, datetime]]:
    found: dict[UUID, dict[int, datetime]] = defaultdict(dict)
    for held in seats_held(sessions, now):
        found[held.session_id][held.seat] = held.until
    return found


def _hands_out(sessions: Sequence[UUID]) -> dict[UUID, HandOut]:
    rows = _HANDS(sessions)
    if not rows:
        return {}
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
    for event in _EVENTS(hands):
        found[event.hand_id].append(event)
    return {hand: marks_from(events) for hand, events in found.items()}


def _undecided(rows: Iterable[tuple[UUID, int | None, datetime]]) -> Mapping[UUID, Sequence[Undecided]]:
    found: dict[UUID, list[Undecided]] = defaultdict(list)
    for session, number, raised_at in rows:
        found[session].append(Undecided(number, raised_at))
    return found


def _dots(table: FloorTable, button: int | None, seated: Mapping[int, _Seated], held: Collection[int]) -> list[Dot]:
    return [
        Dot(number, _kind(seated.get(number), is_held=number in held), has_button=number == button)
        for number in range(1, SEATS[table.game] + 1)
    ]


def _kind(seated: _Seated | None, *, is_held: bool) -> str:
    if seated is None:
        return "held" if is_held else "empty"
    if seated.absent_at is not None:
        return "absent"
    return "new" if seated.is_new else "taken"
