"""What was noted of the thing on the page, and the form to note more, for whoever reads all rooms."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django import template
from django.template import RequestContext

from casino.staff.actor import Actor
from ledger.models import Account, Seal
from tables.audit.looked_at import address_of, state_of
from tables.models import DayEnd, Hand, LookedAt, TableSession
from tables.selectors.looked_at import (
    Thing,
    account_thing,
    day_thing,
    hand_thing,
    said_about,
    seal_thing,
    session_thing,
)
from tables.services.looked_at import ASKS

register = template.Library()

Shown = Thing | Hand | TableSession | Account | Seal | DayEnd
"""What a page may be about."""


def _thing(shown: Shown, session: TableSession | None) -> Thing:
    match shown:
        case Hand():
            return hand_thing(shown)
        case TableSession():
            return session_thing(shown)
        case Account():
            return account_thing(shown, session)
        case Seal():
            return seal_thing(shown)
        case DayEnd():
            return day_thing(shown.room, shown.gaming_date)
    return shown


@register.inclusion_tag("audit/room/looked_at.html", takes_context=True)
def looked_at(
    context: RequestContext,
    shown: Shown,
    session: TableSession | None = None,
) -> dict[str, Any]:
    """What was noted of ``shown``, newest first, and the form; ``session`` is the one of an account. Nothing for the floor."""
    request = context["request"]
    actor: Actor = request.actor
    if not actor.reads_all:
        return {"reads": False}
    thing = _thing(shown, session)
    # Several days may stand on one page, all else alone.
    place = f"looked-at-{thing.room.slug}" if thing.about == LookedAt.About.DAY and thing.room else "looked-at"
    notes = list(said_about(thing))
    signed = any(note.kind == LookedAt.Kind.SIGN_OFF and note.by_id == actor.user_id for note in notes)
    return {
        "reads": True,
        "thing": thing,
        "notes": notes,
        "may_note": actor.has_role(*ASKS),
        "kinds": [kind for kind in LookedAt.Kind.choices if not (signed and kind[0] == LookedAt.Kind.SIGN_OFF)],
        "place": place,
        "next": f"{request.get_full_path()}#{place}",
        "press": uuid4(),
        "csrf_token": context.get("csrf_token"),
        "zone": thing.room.time_zone if thing.room else "UTC",
    }


@register.filter
def note_address(note: LookedAt) -> str:
    """The page of what was looked at."""
    return address_of(note)


@register.filter
def note_state(note: LookedAt) -> str:
    """How a question stands, in a word; nothing for what is none."""
    return state_of(note)
