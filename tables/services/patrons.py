"""Finding the patron that a card number or a description speaks of."""

from __future__ import annotations

from django.utils.translation import gettext as _

from casino.errors import Malformed, NotThere
from casino.staff.changes import say_who
from tables.models import Patron, Room
from tables.services.commands import Work

MAX_DESCRIPTION = 120


def patron_of(work: Work, room: Room, number: str, description: str) -> Patron:
    """The patron with this card, or a new one who is only described: whom the command is about.

    Raises ``NotThere``, ``Malformed`` without either.
    """
    work.patron = _patron(work, room, number, description)
    return work.patron


def _patron(work: Work, room: Room, number: str, description: str) -> Patron:
    if number:
        patron = Patron.objects.filter(room=room, number=number).first()
        if patron is None:
            unknown = _("No patron has the card number %(number)s. Check it, or describe the person instead.")
            message = unknown % {"number": number}
            raise NotThere("unknown-patron", message, fields={"patron_number": message})
        patron.room = room
        return patron
    if not description:
        message = _("Give a card number, or describe the person.")
        raise Malformed("missing", message, fields={"patron_number": message})
    if len(description) > MAX_DESCRIPTION:
        message = _("Describe the person in 120 characters at most.")
        raise Malformed("out-of-range", message, fields={"description": message})
    say_who(work.actor.user_id, command=work.order.key)
    return Patron.objects.create(room=room, name=description)
