"""Who works and who plays in an invented room. None of them is or was anybody."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count, product
from random import Random

from django.contrib.auth.hashers import make_password

from casino.staff.actor import Actor
from casino.staff.models import Role, User
from tables.models import Patron, Room, RoomStaff

PASSWORD = "backline demo"  # noqa: S105  shown at the start of every demo, and to nobody else
PIN = "2580"
STAFF = (
    ("1001", "Ada Reyes", [Role.FLOOR]),
    ("2001", "Ben Tran", [Role.DEALER]),
    ("3001", "Cleo Martin", [Role.AUDITOR]),
    ("4001", "Max Oyelaran", [Role.MANAGER]),
    ("9001", "Ines Falk", [Role.ADMIN]),
)
SIGN_INS = (
    f'web: floor 1001, auditor 3001, manager 4001, admin 9001, password "{PASSWORD}"; '
    f"tablet: dealer 2001, PIN {PIN} (floor enrols the tablet from a table's page)"
)

_FIRST = (
    *("Lin", "Park", "Omar", "Ruiz", "Chen", "Dana", "Felix", "Grace", "Hugo", "Iris"),
    *("Jonas", "Kira", "Leo", "Mina", "Nadia", "Otto", "Pia", "Quinn", "Rosa", "Sam"),
    *("Tara", "Uwe", "Vera", "Wim", "Xenia", "Yusuf", "Zoe", "Anton", "Bela", "Cora"),
)
_LAST = ("", *(f" {letter}." for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
_OF_DEALERS = ("Abe", "Bao", "Cruz", "Diaz", "Eng", "Fox")
_LOOKS = ("tall", "grey beard", "young", "round glasses", "loud", "quiet", "limping", "silver hair")
_WEARS = ("red cap", "blue shirt", "leather jacket", "green scarf", "white hat", "black hoodie", "striped tie")


class NotADemoRoom(Exception):
    """Invented people and hands do not belong here."""


@dataclass(frozen=True, slots=True)
class Staff:
    """The people of a room who act at its tables; ``dealers`` are at least as many as asked for."""

    floor: User
    manager: User
    dealers: list[User]

    @property
    def on_the_floor(self) -> Actor:
        """The floor supervisor, on the web."""
        return Actor.of(self.floor)

    @property
    def managing(self) -> Actor:
        """The manager, on the web."""
        return Actor.of(self.manager)


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who plays: with a card number, or only described."""

    name: str
    number: str = ""

    @property
    def named(self) -> dict[str, str]:
        """How a service is told who it is."""
        return {"patron_number": self.number} if self.number else {"description": self.name}


def check_is_invented() -> None:
    """Whether invented people may be in this database at all: their passwords are known to everybody.

    Raises ``NotADemoRoom`` where anybody else is on the staff.
    """
    for user in User.objects.order_by("badge_number"):
        if not _is_invented(user):
            raise NotADemoRoom(
                f"{user} is no invented person. Invented staff have passwords that everybody knows, and invented hands do not "
                "belong in real books: give them a database of their own."
            )


def hire(room: Room, dealers: int) -> Staff:
    """The invented staff with so many dealers, working in the room; those who are there already stay.

    See ``check_is_invented``.
    """
    wanted = [*STAFF, *((f"{2000 + number}", _dealer(number), [Role.DEALER]) for number in range(2, dealers + 1))]
    found = {user.badge_number: user for user in User.objects.all()}
    # Argon2 is slow by design, and all of them have the same secrets.
    password, pin = make_password(PASSWORD), make_password(PIN)
    for badge, name, roles in wanted:
        if badge not in found:
            values = {"roles": [str(role) for role in roles], "password": password, "pin": pin}
            found[badge] = User.objects.create(badge_number=badge, name=name, **values)
        RoomStaff.objects.get_or_create(room=room, user=found[badge])
    return Staff(found["1001"], found["4001"], [found[f"{2000 + number}"] for number in range(1, dealers + 1)])


def invite(room: Room, number: int, first_card: int) -> list[Guest]:
    """So many patrons with card numbers from ``first_card`` on."""
    names = (f"{first}{last}" for last, first in product(_LAST, _FIRST))
    taken = set(Patron.objects.filter(room=room).values_list("number", flat=True))
    cards = (card for each in count(first_card) if (card := f"{each}") not in taken)
    guests = [Guest(name, card) for name, card, _index in zip(names, cards, range(number), strict=False)]
    Patron.objects.bulk_create(Patron(room=room, number=guest.number, name=guest.name) for guest in guests)
    return guests


def stranger(random: Random) -> Guest:
    """Somebody whom only their looks are known of."""
    return Guest(f"{random.choice(_LOOKS)}, {random.choice(_WEARS)}")


def _dealer(number: int) -> str:
    return f"{_FIRST[-number % len(_FIRST)]} {_OF_DEALERS[number // len(_FIRST) % len(_OF_DEALERS)]}"


def _is_invented(user: User) -> bool:
    known = {badge: name for badge, name, _roles in STAFF}
    badge = user.badge_number
    return user.name == known.get(badge, _dealer(int(badge) - 2000) if user.roles == [Role.DEALER] else None)
