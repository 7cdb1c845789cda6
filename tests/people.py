"""The cast: the people and places that the tests are about, always the same ones.

Room One has Ada on the floor, Ben dealing, Cleo auditing, Max managing. Room Two has Dan on its floor, who has no
rights at Room One's tables. Lin, Park, Omar and Ruiz play.
"""

import base64
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from datetime import time as clock_time
from functools import cache
from uuid import uuid4

from django.contrib.auth.hashers import make_password
from django_otp.oath import hotp

from casino.staff.actor import Actor
from casino.staff.models import Device, Role, SecondFactor, User
from casino.staff.second_factor import needs_second_factor
from casino.staff.services import device_enrol
from tables.models import Patron, Room, RoomStaff, Table
from tables.models.rooms import Game
from tables.services.commands import Order
from tables.services.sessions import table_add

PASSWORD = "correct horse battery"
PIN = "2580"
PHONE = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
"""The secret in the phone of everybody who needs one."""


@dataclass(frozen=True)
class Cast:
    """Everybody, and where they are."""

    room: Room
    other_room: Room
    chinese: Table
    pai_gow: Table
    ada: User
    ben: User
    cleo: User
    dan: User
    max: User
    tablet: Device
    tablet_token: str
    pai_gow_tablet: Device
    pai_gow_token: str

    @property
    def floor(self) -> Actor:
        """Ada, on the web."""
        return Actor.of(self.ada)

    @property
    def dealer(self) -> Actor:
        """Ben, on the tablet of the Chinese table."""
        return Actor.of(self.ben, self.tablet)

    @property
    def pai_gow_dealer(self) -> Actor:
        """Ben, on the tablet of the Pai Gow table."""
        return Actor.of(self.ben, self.pai_gow_tablet)

    @property
    def stranger(self) -> Actor:
        """Dan, floor of another room."""
        return Actor.of(self.dan)


@cache
def _hashed(secret: str) -> str:
    """Argon2 is slow by design; the cast shares one hash of each secret."""
    return make_password(secret)


def order(actor: Actor) -> Order:
    """A fresh press of a button."""
    return Order(key=uuid4(), actor=actor, occurred_at=datetime.now(UTC))


def hire(badge: str, name: str, *roles: Role, room: Room) -> User:
    """A staff member of a room, who signs in with ``PASSWORD`` and ``PIN``."""
    user = User.objects.create(
        badge_number=badge, name=name, roles=list(roles), password=_hashed(PASSWORD), pin=_hashed(PIN)
    )
    RoomStaff.objects.create(room=room, user=user)
    if needs_second_factor(user):
        SecondFactor.objects.create(user=user, secret=PHONE, last_step=-1)
    return user


def code_of(badge: str) -> str:
    """What the person's phone shows, or will next: the first code from now on that was not used yet."""
    used = SecondFactor.objects.get(user__badge_number=badge).last_step
    return phone_shows(PHONE, max(int(time.time()) // 30, used + 1))


def phone_shows(secret: str, step: int | None = None) -> str:
    """The code that an authenticator app with this secret shows in a half minute, now where none is named."""
    counter = int(time.time()) // 30 if step is None else step
    return f"{hotp(base64.b32decode(secret), counter):06}"


def make_cast() -> Cast:
    """Make everybody, with a Chinese table 7 and a Pai Gow table 8 in Room One, each with its tablet, both closed."""
    room = Room.objects.create(
        slug="one", name="Room One", time_zone="America/Los_Angeles", day_starts_at=clock_time(6)
    )
    other = Room.objects.create(
        slug="two", name="Room Two", time_zone="America/Los_Angeles", day_starts_at=clock_time(6)
    )
    ada = hire("1001", "Ada", Role.FLOOR, room=room)
    ben = hire("2001", "Ben", Role.DEALER, room=room)
    cleo = hire("3001", "Cleo", Role.AUDITOR, room=room)
    dan = hire("1002", "Dan", Role.FLOOR, room=other)
    manager = hire("4001", "Max", Role.MANAGER, room=room)
    chinese = table_add(room_id=room.pk, number=7, game=Game.CHINESE_POKER)
    pai_gow = table_add(room_id=room.pk, number=8, game=Game.PAI_GOW_POKER)
    for number, name in enumerate(("Lin", "Park", "Omar", "Ruiz"), 1):
        Patron.objects.create(room=room, number=f"P{number}", name=name)
    tablet, token = device_enrol(actor=Actor.of(ada), name="Tablet T7", place=chinese.pk)
    pai_gow_tablet, pai_gow_token = device_enrol(actor=Actor.of(ada), name="Tablet T8", place=pai_gow.pk)
    return Cast(
        room, other, chinese, pai_gow, ada, ben, cleo, dan, manager, tablet, token, pai_gow_tablet, pai_gow_token
    )
