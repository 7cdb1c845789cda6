"""Finding patrons: by a part of the name, by what somebody at a table looks like, by where they sit, by card number.

Who is only described has no card to come back with, so they are found while they are here: at a table or on a waiting list.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Case, Exists, IntegerField, OuterRef, Q, QuerySet, Value, When
from django.utils import timezone

from casino.staff.actor import KNOWS_PATRONS, Actor
from casino.staff.models import Role
from tables.access import check_web_access
from tables.models import Patron, Restriction, Room, Sitting, WaitingEntry
from tables.models.people import STROKES
from tables.selectors.restrictions import restrictions_of

LONGEST_QUERY = 80

# "T7 seat 3", "table 7, seat 3", "T7 3", "7/3"; "T7" alone is everybody there. A bare "7" is no seat.
_SEAT = re.compile(
    r"(?:(?:t|table)\s*(?P<table>\d{1,4})(?:\s*[,/]?\s*(?:s|seat)?\s*(?P<seat>\d))?"
    r"|(?P<bare_table>\d{1,4})\s*(?:/|,?\s*(?:s|seat)\s*)\s*(?P<bare_seat>\d))",
    re.IGNORECASE,
)


def folded(text: str) -> str:
    """A text as ``Patron.folded_name`` has it: "Đặng" and "dang" are one name."""
    bare = (each for each in unicodedata.normalize("NFKD", text) if not "\u0300" <= each <= "\u036f")
    return "".join(bare).translate(str.maketrans(*STROKES)).lower()


def rooms_of_patrons(actor: Actor) -> QuerySet[Room]:
    """The rooms whose patrons the actor knows: compliance every one, floor and managers their own. Raises ``Forbidden``."""
    check_web_access(actor, KNOWS_PATRONS)
    rooms = Room.objects.order_by("name", "pk")
    return rooms if actor.has_role(Role.COMPLIANCE) else rooms.filter(staff__user_id=actor.user_id)


def patrons_found(actor: Actor, query: str) -> QuerySet[Patron]:
    """The patrons of the actor's rooms that a query speaks of: at that seat first, then that card, then by name.

    An empty query finds nobody. Raises ``Forbidden``.
    """
    text = folded(query[:LONGEST_QUERY]).strip()
    patrons = Patron.objects.filter(room__in=rooms_of_patrons(actor)).select_related("room")
    if not text:
        return patrons.none()
    here = Sitting.objects.filter(patron=OuterRef("pk"), ended_at__isnull=True)
    waits = WaitingEntry.objects.filter(patron=OuterRef("pk"), ended_at__isnull=True)
    there = here.filter(_at_seat(text))
    return (
        patrons.annotate(is_there=Exists(there), is_here=Exists(here))
        .filter(~Q(number="") | Q(is_here=True) | Exists(waits))
        .filter(speaks_of(query) | Q(is_there=True))
        .annotate(
            rank=Case(
                When(is_there=True, then=Value(0)),
                When(number__iexact=query.strip(), then=Value(1)),
                When(is_here=True, then=Value(2)),
                default=Value(3),
                output_field=IntegerField(),
            )
        )
        .order_by("rank", "folded_name", "number", "pk")
    )


def speaks_of(query: str) -> Q:
    """The patrons with all words of a query in their name or description, or whose card number begins with it."""
    by_name = Q()
    for word in folded(query[:LONGEST_QUERY]).split():
        by_name &= Q(folded_name__contains=word)
    return by_name | Q(number__istartswith=query.strip()[:LONGEST_QUERY])


def _at_seat(text: str) -> Q:
    """The sittings at the seat, or the table, that a query names; none where it names neither."""
    found = _SEAT.fullmatch(text)
    if found is None:
        return Q(pk__in=[])
    at = Q(session__table__number=int(found["table"] or found["bare_table"]))
    seat = found["seat"] or found["bare_seat"]
    return at & Q(seat__number=int(seat)) if seat else at


@dataclass(frozen=True, slots=True)
class FoundPatron:
    """A patron in a list: where they are now, and what keeps them from playing, the longest first."""

    patron: Patron
    sittings: Collection[Sitting]
    restriction: Restriction | None


def found_patrons(patrons: Iterable[Patron]) -> list[FoundPatron]:
    """Patrons with where they sit, for a list. Two queries, and one more a room."""
    rows = list(patrons)
    at = sittings_now([patron.pk for patron in rows])
    barred = restrictions_by_patron(rows)
    return [FoundPatron(each, at.get(each.pk, ()), barred.get(each.pk)) for each in rows]


def sittings_now(patrons: Collection[UUID]) -> Mapping[UUID, Collection[Sitting]]:
    """Where these patrons sit or stand now, the earliest first."""
    found: dict[UUID, list[Sitting]] = {}
    sittings = Sitting.objects.filter(patron__in=patrons, ended_at__isnull=True)
    for sitting in sittings.select_related("session__table", "seat__table").order_by("started_at", "pk"):
        found.setdefault(sitting.patron_id, []).append(sitting)
    return found


def restrictions_by_patron(patrons: Collection[Patron]) -> Mapping[UUID, Restriction]:
    """What keeps these patrons from playing, for each the restriction that lasts longest."""
    now = timezone.now()
    found: dict[UUID, Restriction] = {}
    for room in {patron.room_id: patron.room for patron in patrons}.values():
        theirs = [patron for patron in patrons if patron.room_id == room.pk]
        for restriction in restrictions_of(theirs, room, now):
            found.setdefault(restriction.patron_id, restriction)
    return found
