"""What the HTTP API reads: the same rows as the pages, each only for those who may see it.

Whoever reads history reads it here too. A dealer on a tablet reads what belongs to its table and nothing else. The number of
queries of each read does not grow with its rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import reduce
from operator import or_
from typing import TypeVar
from uuid import UUID

from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _

from casino.errors import Forbidden, NotThere
from casino.gaming_day import gaming_day_bounds
from casino.staff.actor import Actor
from casino.staff.models import Role
from ledger.models import Transaction
from ledger.selectors import transactions_of_reference
from tables.models import Command, Hand, Room, Sitting, Table, TableSession
from tables.selectors.hands import rooms_read_by
from tables.selectors.marks import SeatMarks, marks_of
from tables.selectors.table_state import TableState, state_version, table_state

Row = TypeVar("Row", bound=Model)


def rooms(actor: Actor) -> QuerySet[Room]:
    """The rooms with tables that the actor reads."""
    return Room.objects.filter(tables__in=tables(actor)).distinct().order_by("name", "pk")


def tables(actor: Actor) -> QuerySet[Table]:
    """The tables that the actor reads, by room and number. Raises ``Forbidden``."""
    found = Table.objects.select_related("room").order_by("room__name", "room_id", "number")
    if actor.reads_all or actor.on_the_floor:
        return found.filter(room__in=rooms_read_by(actor))
    if not actor.has_role(Role.DEALER) or actor.place is None:
        raise Forbidden("tablet-only", _("Dealers read the table they stand at, signed in on its tablet."))
    return found.filter(pk=actor.place, room__staff__user_id=actor.user_id)


@dataclass(frozen=True, slots=True)
class VersionedState:
    """A table's state, and which one it is: read before it, so that it is never newer than what it stands for."""

    version: UUID
    state: TableState
    marks: Sequence[SeatMarks]


def state(actor: Actor, table_id: UUID) -> VersionedState:
    """One table. Raises ``Forbidden``, ``NotThere``."""
    table = one(tables(actor), table_id)
    version, found = state_version(table), table_state(table)
    return VersionedState(version, found, _marks(found.hand.hand) if found.hand else ())


def _marks(hand: Hand) -> list[SeatMarks]:
    """In the order of the seats."""
    return [mark for _seat, mark in sorted(marks_of(hand).items())]


def sessions(actor: Actor) -> QuerySet[TableSession]:
    """Table sessions, the newest first."""
    found = TableSession.objects.filter(table__in=tables(actor))
    found = found.select_related("table__room", "rules", "dealer", "schedule", "sheet").defer("sheet__content")
    return found.order_by("-opened_at", "-pk")


def sittings(actor: Actor) -> QuerySet[Sitting]:
    """Sittings, the newest first."""
    found = Sitting.objects.filter(session__table__in=tables(actor)).select_related("patron", "seat", "session")
    return found.order_by("-started_at", "-pk")


def hands(actor: Actor) -> QuerySet[Hand]:
    """Hands, the newest first."""
    found = Hand.objects.filter(session__table__in=tables(actor))
    found = found.select_related("session__table__room", "session__sheet", "rules").defer("session__sheet__content")
    return found.order_by("-started_at", "-pk")


def of_gaming_day(found: QuerySet[Hand], day: date) -> QuerySet[Hand]:
    """Those hands that belong to a gaming day, which starts at another instant in every room."""
    days = [Q(session__table__room=room, **_within(room, day)) for room in Room.objects.all()]
    return found.filter(reduce(or_, days, Q(pk__in=())))


def _within(room: Room, day: date) -> dict[str, datetime]:
    start, end = gaming_day_bounds(day, time_zone=room.zone, starts_at=room.day_starts_at)
    return {"started_at__gte": start, "started_at__lt": end}


@dataclass(frozen=True, slots=True)
class HandRead:
    """A hand with everything that was entered and judged, and what of it stands in the ledger."""

    hand: Hand
    marks: Sequence[SeatMarks]
    transactions: Sequence[Transaction]


def hand(actor: Actor, hand_id: UUID) -> HandRead:
    """One hand. Raises ``Forbidden``, ``NotThere``."""
    found = hands(actor).prefetch_related("seats", "wagers", "bank_shares", "records__verdict", "records__command")
    read = one(found, hand_id)
    return HandRead(read, _marks(read), list(transactions_of_reference(f"hand:{hand_id}")))


def commands(actor: Actor) -> QuerySet[Command]:
    """What people did, the newest first; what belongs to no table only for those who read everything. Raises ``Forbidden``."""
    found = Command.objects.select_related("actor", "approver", "device").prefetch_related("personal_texts")
    found = found.order_by("-recorded_at", "-pk")
    read = rooms_read_by(actor)
    return found if actor.reads_all else found.filter(table__room__in=read)


def one(found: QuerySet[Row], row_id: UUID) -> Row:
    """The row of this id among what the actor reads. Raises ``NotThere``."""
    row = found.filter(pk=row_id).first()
    if row is None:
        raise NotThere("no-such-thing", _("There is no such thing, or it is not yours to read."))
    return row
