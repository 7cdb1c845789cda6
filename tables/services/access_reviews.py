"""Starting the quarterly review of who may what, for the house or a room; the rest is the ground floor's."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import NotThere
from casino.staff.access_reviews import Quarter, Scope, access_review_start, check_reviews
from casino.staff.actor import Actor
from casino.staff.models import AccessReview
from tables.models import Room, RoomStaff


def room_access_review_start(*, actor: Actor, quarter: Quarter, room_id: UUID | None) -> AccessReview:
    """Start the review of a room's staff, or of everybody where no room is named.

    Raises ``NotThere``, and what ``access_review_start`` raises.
    """
    check_reviews(actor)
    room = Room.objects.filter(pk=room_id).first() if room_id else None
    if room_id is not None and room is None:
        raise NotThere("no-such-room", _("There is no such room."))
    employed = RoomStaff.objects.select_related("room").order_by("room__name")
    rooms_of: dict[UUID, list[str]] = {}
    # Of a room's people all rooms are shown; the review is of those who work in this one.
    theirs = employed.filter(user__rooms__room=room) if room else employed
    for row in theirs:
        rooms_of.setdefault(row.user_id, []).append(row.room.name)
    name = room.name if room else _("the house")
    return access_review_start(actor=actor, quarter=quarter, scope=Scope(name, room_id, rooms_of))
