"""Which patrons may not play now, and why. Shown to the staff who seat or pay them, and on no screen of a table."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db.models import Q, QuerySet

from casino.staff.models import Role
from ledger.rows import execute
from tables.models import Patron, Restriction, Room

# Asked at every deal, where hardly anybody ever was restricted; which restrictions are in force is said once, below.
_EVER = "SELECT FROM tables_restriction WHERE patron_id = ANY($1) LIMIT 1"


KNOW_WHY = (Role.MANAGER, Role.COMPLIANCE)
"""Why somebody restricted themselves is for these alone; floor, which enforces it, sees that and until when."""


def restrictions_in_force(room: Room, now: datetime) -> QuerySet[Restriction]:
    """The restrictions of a room's patrons that have neither run out nor been lifted."""
    lasts = Q(until_date__isnull=True) | Q(until_date__gte=room.gaming_day(now))
    return Restriction.objects.filter(lasts, patron__room=room, lift__isnull=True)


def restrictions_of(patrons: Collection[Patron], room: Room, now: datetime) -> list[Restriction]:
    """The restrictions of these patrons that are in force, those that last longest first."""
    if not execute(_EVER, [[patron.pk for patron in patrons]]).fetchall():
        return []
    found = restrictions_in_force(room, now).filter(patron__in=patrons).select_related("patron")
    return sorted(found, key=lambda each: (each.until_date is None, each.until_date, each.pk), reverse=True)
