"""The floor's inbox: what waits for a decision, in one list, with the forms that decide it."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import get_template
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import conditional_page, require_GET

from casino.kept import Kept
from casino.staff.actor import Actor
from casino.staff.pages import page
from tables.floor.polling import KEPT_AT_MOST, MadeOf, Shown, polled_shown
from tables.selectors import inbox as selectors
from tables.selectors.floor_tables import floor_tables
from tables.selectors.looked_at import open_questions_to

_kept: Kept[tuple[str | None, UUID, frozenset[str]], MadeOf] = Kept(100)


@require_GET
@page
def inbox(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Everything that waits, what ended by itself, and what was decided in this gaming day."""
    return render(request, "floor/inbox.html", {"inbox": selectors.inbox(actor), "questions": open_questions_to(actor)})


@require_GET
@conditional_page
@page
def items(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The lists alone, to be polled; the page puts in what changed and leaves alone what somebody types in."""
    return polled_shown(_items(actor))


def _items(actor: Actor) -> Shown:
    """The lists as this person sees them, made anew when something has happened at one of their tables."""
    tables, now = floor_tables(actor), timezone.now()
    reader = (get_language(), actor.user_id, actor.roles)
    made = _kept.get(reader)
    if made is None or not made.holds(tables, now):
        html = get_template("floor/inbox_items.html").render({"inbox": selectors.inbox(actor)})
        made = MadeOf(tables, now + KEPT_AT_MOST, Shown.of(html))
        _kept.put(reader, made)
    return made.shown
