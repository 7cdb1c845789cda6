"""Who acts, and on which device: taken from the sign-in, never from the request's own words."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from casino.staff.models import Device, Role, User

ON_THE_FLOOR = (Role.FLOOR, Role.MANAGER)
READS_ALL = (Role.AUDITOR, Role.MANAGER, Role.COMPLIANCE)
KNOWS_PATRONS = (*ON_THE_FLOOR, Role.COMPLIANCE)
SETS_UP = (Role.MANAGER, Role.ADMIN)

NOBODY = UUID(int=0)
"""The id of no person: who does what the timetable asks for."""


@dataclass(frozen=True, slots=True)
class Actor:
    """A signed-in staff member as services see one.

    ``place`` is where the device stands when the sign-in was by badge and PIN on a tablet, ``None`` on the web.
    """

    user_id: UUID
    badge_number: str
    name: str
    roles: frozenset[str]
    device_id: UUID | None = None
    place: UUID | None = None

    @classmethod
    def of(cls, user: User, device: Device | None = None) -> Actor:
        """The actor behind a sign-in."""
        return cls(
            user_id=user.pk,
            badge_number=user.badge_number,
            name=user.name,
            roles=frozenset(user.roles),
            device_id=device.pk if device else None,
            place=device.place if device else None,
        )

    @classmethod
    def timetable(cls) -> Actor:
        """Who reads what the timetable makes by itself, such as the reports of an ended day: nobody, and everything."""
        return cls(NOBODY, badge_number="", name=_("Timetable"), roles=frozenset(READS_ALL))

    @property
    def on_the_floor(self) -> bool:
        """Whether the person runs a floor."""
        return self.has_role(*ON_THE_FLOOR)

    @property
    def signature(self) -> str:
        """Name and badge, as they stand on paper; the timetable has no badge."""
        return f"{self.name} ({self.badge_number})" if self.badge_number else self.name

    @property
    def reads_all(self) -> bool:
        """Whether the person may read the history of every room."""
        return self.has_role(*READS_ALL)

    @property
    def sets_up(self) -> bool:
        """Whether the person adds, in the admin, to the set-up that is history: rules, schedules, jackpots, posted sheets."""
        return self.has_role(*SETS_UP)

    @property
    def knows_patrons(self) -> bool:
        """Whether the person may look patrons up: on the web, never on the tablet of a table."""
        return self.place is None and self.has_role(*KNOWS_PATRONS)

    def has_role(self, *roles: str) -> bool:
        """Whether the person holds any of these roles."""
        return not self.roles.isdisjoint(roles)
