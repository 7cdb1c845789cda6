"""Reads of the staff page: the line-up of a room, who is signed in where, and one person of a room."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from uuid import UUID

from django.db.models import Prefetch
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import Forbidden, NotThere
from casino.staff.actor import Actor
from casino.staff.models import Device, Role, SecondFactor, SignInEvent, User
from casino.staff.sign_ins import SignIn, sign_ins_of
from tables.models import DealerBreak, DealerShift, Duty, Room, RoomStaff, Table

LINES_SHOWN = 12


@dataclass(frozen=True)
class Place:
    """A dealer in the line-up: at a table, on a break, or free since a moment. ``duty`` is ``None`` for who deals unlisted."""

    dealer: User
    duty: Duty | None
    shift: DealerShift | None
    on_break: DealerBreak | None
    free_since: datetime | None
    usual: timedelta
    now: datetime

    @property
    def is_long_in(self) -> bool:
        """Whether the dealer sits at the table for longer than is usual in the room."""
        return self.shift is not None and self.now - self.shift.started_at > self.usual

    @property
    def is_late_back(self) -> bool:
        """Whether the break should be over."""
        return self.on_break is not None and self.now > self.on_break.due_back_at


@dataclass(frozen=True)
class Person:
    """A staff member of a room, and what they are signed in with."""

    user: User
    sign_ins: Sequence[SignIn] = field(default=())

    @property
    def needs_help(self) -> bool:
        """Whether the badge is locked."""
        return self.user.locked_at is not None


@dataclass(frozen=True)
class TabletAt:
    """A tablet of a table, and who is signed in on it."""

    device: Device
    table: Table
    sign_in: SignIn | None


@dataclass(frozen=True)
class StaffOfRoom:
    """The staff page of one room; its ``screens`` hang on a wall."""

    room: Room
    line_up: Sequence[Place]
    people: Sequence[Person]
    tablets: Sequence[TabletAt]
    screens: Sequence[Device]
    tables: Sequence[Table]

    @cached_property
    def at_tables(self) -> list[Place]:
        """Who deals, the longest in first."""
        return sorted(
            (place for place in self.line_up if place.shift),
            key=lambda place: (place.shift.started_at, place.dealer.badge_number),  # type: ignore[union-attr]
        )

    @cached_property
    def next_in(self) -> list[Place]:
        """Who is free, the longest off a table first: the order in which they go in."""
        free = (place for place in self.line_up if place.free_since)
        return sorted(free, key=lambda place: (place.free_since, place.dealer.badge_number))

    @cached_property
    def on_a_break(self) -> list[Place]:
        """Who is on a break, the first to come back first."""
        return sorted(
            (place for place in self.line_up if place.on_break),
            key=lambda place: (place.on_break.due_back_at, place.dealer.badge_number),  # type: ignore[union-attr]
        )

    @cached_property
    def not_on(self) -> list[User]:
        """The room's dealers who have not come on."""
        on = {place.dealer.pk for place in self.line_up if place.duty}
        return [person.user for person in self.people if Role.DEALER in person.user.roles and person.user.pk not in on]


def staff_of_rooms(actor: Actor) -> list[StaffOfRoom]:
    """The staff pages of the actor's rooms. Raises ``Forbidden`` for who does not run a floor. As many queries for any number."""
    _check_runs_a_floor(actor)
    now = timezone.now()
    rooms = list(Room.objects.filter(staff__user_id=actor.user_id).order_by("name", "pk"))
    people: dict[UUID, list[User]] = defaultdict(list)
    employed = RoomStaff.objects.filter(room__in=rooms, user__is_active=True).select_related("user")
    for each in employed.order_by("user__name", "user__badge_number"):
        people[each.room_id].append(each.user)
    tables = list(Table.objects.filter(room__in=rooms).order_by("number"))
    devices = list(
        Device.objects.filter(place__in=[each.pk for each in (*tables, *rooms)], retired_at__isnull=True).order_by(
            "enrolled_at", "pk"
        )
    )
    users = {user.pk: user for staff in people.values() for user in staff}
    sign_ins = list(sign_ins_of(users, {device.pk: device for device in devices}))
    places = _places(rooms, now)
    return [_room(room, people[room.pk], tables, devices, sign_ins, places[room.pk]) for room in rooms]


def _room(
    room: Room,
    staff: Sequence[User],
    tables: Sequence[Table],
    devices: Sequence[Device],
    sign_ins: Sequence[SignIn],
    places: Sequence[Place],
) -> StaffOfRoom:
    by_user: dict[UUID, list[SignIn]] = defaultdict(list)
    by_device: dict[UUID, SignIn] = {}
    for each in sign_ins:
        by_user[each.user.pk].append(each)
        if each.device is not None:
            by_device[each.device.pk] = each
    own = {table.pk: table for table in tables if table.room_id == room.pk}
    return StaffOfRoom(
        room=room,
        line_up=places,
        people=[Person(user, by_user[user.pk]) for user in staff],
        tablets=sorted(
            (
                TabletAt(device, own[device.place], by_device.get(device.pk))
                for device in devices
                if device.place is not None and device.place in own
            ),
            key=lambda tablet: tablet.table.number,
        ),
        screens=[device for device in devices if device.place == room.pk],
        tables=list(own.values()),
    )


def _places(rooms: Sequence[Room], now: datetime) -> dict[UUID, list[Place]]:
    """The line-up by room: everybody on duty, and whoever deals without having come on."""
    shifts = {
        (shift.session.table.room_id, shift.dealer_id): shift
        for shift in DealerShift.objects.filter(
            ended_at__isnull=True, session__closed_at__isnull=True, session__table__room__in=rooms
        ).select_related("session__table", "dealer")
    }
    duties = list(
        Duty.objects.filter(room__in=rooms, went_off_at__isnull=True)
        .select_related("dealer", "command__actor")
        .prefetch_related(
            Prefetch("breaks", DealerBreak.objects.select_related("command__actor").order_by("started_at"))
        )
    )
    last_out = _last_out(duties)
    usual = {room.pk: timedelta(minutes=room.dealer_minutes) for room in rooms}
    places: dict[UUID, list[Place]] = defaultdict(list)
    for duty in duties:
        shift = shifts.pop((duty.room_id, duty.dealer_id), None)
        breaks = list(duty.breaks.all())
        running = next((each for each in breaks if each.ended_at is None), None)
        free_since = None
        if shift is None and running is None:
            ends = [each.ended_at for each in breaks if each.ended_at]
            free_since = max([duty.came_on_at, *ends, *last_out.get(duty.dealer_id, [])])
        places[duty.room_id].append(Place(duty.dealer, duty, shift, running, free_since, usual[duty.room_id], now))
    for (room_id, _dealer), shift in shifts.items():
        places[room_id].append(Place(shift.dealer, None, shift, None, None, usual[room_id], now))
    return places


def _last_out(duties: Sequence[Duty]) -> dict[UUID, list[datetime]]:
    """When dealers on duty came out of their tables since they came on."""
    if not duties:
        return {}
    out: dict[UUID, list[datetime]] = defaultdict(list)
    ended = DealerShift.objects.filter(
        dealer__in=[duty.dealer_id for duty in duties], ended_at__gte=min(duty.came_on_at for duty in duties)
    )
    for dealer_id, ended_at in ended.values_list("dealer_id", "ended_at"):
        if ended_at is not None:
            out[dealer_id].append(ended_at)
    return out


@dataclass(frozen=True)
class StaffMember:
    """One person of the actor's rooms: what they are signed in with, their phone, and the last lines about them."""

    user: User
    room: Room
    sign_ins: Sequence[SignIn]
    has_phone: bool
    lines: Sequence[SignInEvent]


def staff_member(actor: Actor, user_id: UUID) -> StaffMember:
    """Somebody who works in a room of the actor's. Raises ``Forbidden`` for who does not run a floor, ``NotThere``."""
    _check_runs_a_floor(actor)
    own = RoomStaff.objects.filter(user_id=actor.user_id).values("room")
    works = RoomStaff.objects.filter(user_id=user_id, room__in=own, user__is_active=True)
    found = works.select_related("user", "room").order_by("room__name").first()
    if found is None:
        raise NotThere("no-such-person", _("Nobody of your rooms is meant here. Load the page again."))
    user = found.user
    devices = Device.objects.filter(retired_at__isnull=True, place__isnull=False)
    return StaffMember(
        user=user,
        room=found.room,
        sign_ins=list(sign_ins_of({user.pk: user}, {device.pk: device for device in devices})),
        has_phone=SecondFactor.objects.filter(pk=user.pk).exists(),
        lines=list(
            SignInEvent.objects.filter(user=user).select_related("by", "device").order_by("-at", "-pk")[:LINES_SHOWN]
        ),
    )


def _check_runs_a_floor(actor: Actor) -> None:
    if not actor.on_the_floor:
        raise Forbidden("not-allowed", _("These pages are for floor supervisors and managers. Ask floor."))
