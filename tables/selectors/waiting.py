"""Reads about waiting lists: who waits for what, whose call runs or has run out, and which seats of that game are open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import NotThere
from casino.gaming_day import gaming_day_bounds
from casino.staff.actor import ON_THE_FLOOR, Actor
from tables.access import check_web_access
from tables.models import Restriction, Room, SeatHold, Sitting, TableSession, WaitingEntry, WaitingEvent, WaitingList
from tables.models.rooms import SEATS
from tables.selectors.paging import rows_before
from tables.selectors.people import restrictions_by_patron, sittings_now
from tables.selectors.seats import holds_running

EVENTS_A_PAGE = 50

Kind = WaitingEvent.Kind
Key = tuple[UUID, str, int | None, int | None, int | None]
"""A room, a game and a stake: what makes a list one list, and a table one of its tables."""


def running_call(entry: WaitingEntry, now: datetime) -> WaitingEvent | None:
    """The call of somebody who is waited for just now; ``None`` for who was not called, or whose call has run out."""
    last = entry.events.select_related("command__actor").order_by("number").last()
    is_running = last is not None and last.until is not None and last.until > now
    return last if is_running else None


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody on a list: what was done, where they sit now, and what keeps them from playing."""

    entry: WaitingEntry
    events: Sequence[WaitingEvent]
    sittings: Collection[Sitting]
    restriction: Restriction | None
    now: datetime

    @property
    def added_by(self) -> str:
        """Who put them on the list."""
        return self.events[0].command.actor.name

    @property
    def calls(self) -> Sequence[WaitingEvent]:
        """Every time they were called, the first first."""
        return [event for event in self.events if event.kind == Kind.CALLED]

    @property
    def call(self) -> WaitingEvent | None:
        """The call that nobody has decided on yet: they were put at the end since, or called again, where it is none."""
        return self.events[-1] if self.events[-1].kind == Kind.CALLED else None

    @property
    def is_expired(self) -> bool:
        """Whether they were called and the time they were waited for is over."""
        return self.call is not None and self.call.until is not None and self.call.until <= self.now

    @property
    def end(self) -> WaitingEvent | None:
        """How it ended, for who is off the list."""
        return self.events[-1] if self.entry.ended_at is not None else None


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table of a list's game and stake, with its seats that nobody sits in; ``held`` are those of them kept for somebody."""

    session: TableSession
    free: Sequence[int]
    held: Mapping[int, SeatHold]

    @property
    def is_staffed(self) -> bool:
        """Whether somebody deals there."""
        return self.session.dealer_id is not None

    @property
    def open_seats(self) -> list[int]:
        """The seats that anybody may have."""
        return [number for number in self.free if number not in self.held]

    def seats_for(self, patron_id: UUID) -> list[int]:
        """The seats that this patron may have, one that is kept for them first."""
        kept = [number for number, hold in self.held.items() if hold.patron_id == patron_id]
        return kept + self.open_seats


@dataclass(frozen=True, slots=True)
class ListState:
    """A list of a room: who waits, in order, and the tables of its game and stake. Without a row while nobody ever waited."""

    room: Room
    terms: WaitingList | TableSession
    game: str
    waiting_list: WaitingList | None
    waiting: Sequence[Waiting] = field(default_factory=list)
    tables: Sequence[OpenTable] = field(default_factory=list)

    @property
    def stands_out(self) -> bool:
        """Whether people wait while a table that is dealt has a seat for them."""
        return bool(self.waiting) and any(table.is_staffed and table.open_seats for table in self.tables)


def _key_of_list(row: WaitingList) -> Key:
    return row.room_id, row.game, row.point_value_cents, row.table_min_cents, row.table_max_cents


def _key_of_session(session: TableSession) -> Key:
    table = session.table
    return table.room_id, table.game, session.point_value_cents, session.table_min_cents, session.table_max_cents


def rooms_with_lists(actor: Actor) -> QuerySet[Room]:
    """The rooms whose lists the actor keeps. Raises ``Forbidden``: floor supervisors and managers do, on the web."""
    check_web_access(actor, ON_THE_FLOOR)
    return Room.objects.filter(staff__user_id=actor.user_id).order_by("name", "pk")


def list_states(actor: Actor, now: datetime | None = None) -> list[ListState]:
    """Every list of the actor's rooms on which somebody waits or something happened in this gaming day, and one for each
    game and stake that is open. A fixed number of queries, and one more a room. Raises ``Forbidden``.
    """
    now = now or timezone.now()
    rooms = list(rooms_with_lists(actor))
    tables = open_tables(rooms, now)
    lists = {_key_of_list(row): row for row in _lists_shown(rooms, now, tables)}
    waiting = _waiting([row.pk for row in lists.values()], now)
    by_pk = {room.pk: room for room in rooms}
    return [
        ListState(
            room=by_pk[key[0]],
            terms=lists[key] if key in lists else tables[key][0].session,
            game=key[1],
            waiting_list=lists.get(key),
            waiting=waiting.get(lists[key].pk, []) if key in lists else [],
            tables=tables.get(key, []),
        )
        for key in sorted(lists.keys() | tables.keys(), key=lambda key: _order(key, by_pk))
    ]


def _order(key: Key, rooms: Mapping[UUID, Room]) -> tuple[str, UUID, str, int, int]:
    room_id, game, point_value, minimum, maximum = key
    return rooms[room_id].name, room_id, game, point_value or minimum or 0, maximum or 0


def _lists_shown(rooms: Collection[Room], now: datetime, tables: Collection[Key]) -> list[WaitingList]:
    """The lists of these rooms on which somebody waits or something ended in this gaming day, or that have a table."""
    days = [_bounds(room, room.gaming_day(now)) for room in rooms]
    theirs = WaitingEntry.objects.filter(waiting_list=OuterRef("pk"))
    found = WaitingList.objects.filter(room__in=rooms).annotate(
        is_in_use=Exists(theirs.filter(ended_at__isnull=True))
        | Exists(theirs.filter(ended_at__gte=min((start for start, _end in days), default=now)))
    )
    return [row for row in found if row.is_in_use or _key_of_list(row) in tables]


def _bounds(room: Room, day: date) -> tuple[datetime, datetime]:
    return gaming_day_bounds(day, time_zone=room.zone, starts_at=room.day_starts_at)


def open_tables(rooms: Collection[Room], now: datetime) -> dict[Key, list[OpenTable]]:
    """The open tables of these rooms with their seats that nobody sits in, by game and stake, in the order of their numbers."""
    sessions = list(
        TableSession.objects.filter(table__room__in=rooms, closed_at__isnull=True)
        .select_related("table", "dealer")
        .order_by("table__number", "pk")
    )
    taken: dict[UUID, set[int]] = defaultdict(set)
    seated = Sitting.objects.filter(session__in=sessions, ended_at__isnull=True, seat__isnull=False)
    for session_id, number in seated.values_list("session_id", "seat__number"):
        taken[session_id].add(number)
    held: dict[UUID, dict[int, SeatHold]] = defaultdict(dict)
    for hold in holds_running(now).filter(session__in=sessions):
        held[hold.session_id][hold.seat.number] = hold
    found: dict[Key, list[OpenTable]] = defaultdict(list)
    for session in sessions:
        free = [number for number in range(1, SEATS[session.table.game] + 1) if number not in taken[session.pk]]
        found[_key_of_session(session)].append(OpenTable(session, free, held[session.pk]))
    return dict(found)


def _entries() -> QuerySet[WaitingEntry]:
    events = WaitingEvent.objects.select_related("command__actor", "seat__table").order_by("number")
    return WaitingEntry.objects.select_related("patron__room", "waiting_list__room").prefetch_related(
        Prefetch("events", queryset=events)
    )


def _waiting(lists: Collection[UUID], now: datetime) -> dict[UUID, list[Waiting]]:
    """Who waits on these lists, in order: whoever was added, or put at the end, before stands before."""
    entries = _entries().filter(waiting_list__in=lists, ended_at__isnull=True)
    found: dict[UUID, list[Waiting]] = defaultdict(list)
    for row in _read(list(entries.order_by("in_line_at", "added_at", "pk")), now):
        found[row.entry.waiting_list_id].append(row)
    return found


def _read(entries: Collection[WaitingEntry], now: datetime) -> list[Waiting]:
    patrons = [entry.patron for entry in entries]
    sittings = sittings_now([patron.pk for patron in patrons])
    barred = restrictions_by_patron(patrons)
    return [
        Waiting(entry, list(entry.events.all()), sittings.get(entry.patron_id, ()), barred.get(entry.patron_id), now)
        for entry in entries
    ]


def waiting_read(actor: Actor, entry_id: UUID, now: datetime | None = None) -> tuple[Waiting, list[OpenTable]]:
    """Somebody on a list, or off it since, with the tables they wait for. Raises ``Forbidden``, ``NotThere``."""
    now = now or timezone.now()
    entry = _entries().filter(pk=entry_id, waiting_list__room__in=rooms_with_lists(actor)).first()
    if entry is None:
        raise NotThere("no-such-entry", _("Nobody is on a list under this name. Load the page again."))
    tables = open_tables([entry.waiting_list.room], now)
    return _read([entry], now)[0], tables.get(_key_of_list(entry.waiting_list), [])


def list_read(actor: Actor, list_id: UUID) -> WaitingList:
    """A list of a room of the actor's. Raises ``Forbidden``, ``NotThere``."""
    found = WaitingList.objects.filter(pk=list_id, room__in=rooms_with_lists(actor)).select_related("room").first()
    if found is None:
        raise NotThere("no-such-list", _("There is no such list in your rooms."))
    return found


def list_history(waiting_list: WaitingList, day: date) -> QuerySet[WaitingEvent]:
    """Everything that happened on a list in a gaming day."""
    start, end = _bounds(waiting_list.room, day)
    found = WaitingEvent.objects.filter(entry__waiting_list=waiting_list, happened_at__gte=start, happened_at__lt=end)
    return found.select_related("entry__patron", "command__actor", "seat__table")


def history_page(events: QuerySet[WaitingEvent], before: int | None) -> tuple[list[WaitingEvent], bool]:
    """A page of a history, newest first, that comes after the event ``before``; and whether there are older ones."""
    last = events.filter(pk=before).first() if before else None
    return rows_before(events, "happened_at", last, EVENTS_A_PAGE)
