"""The floor's inbox: what waits for a decision, in one list, with the forms that decide it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import conditional_page, require_GET

from casino.staff.actor import Actor
from casino.staff.pages import page
from tables.floor.polling import polled
from tables.selectors import inbox as selectors


@require_GET
@page
def inbox(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Everything that waits, what ended by itself, and what was decided in this gaming day."""
    return render(request, "floor/inbox.html", {"inbox": selectors.inbox(actor)})


@require_GET
@conditional_page
@page
def items(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The lists alone, to be polled; the page puts in what changed and leaves alone what somebody types in."""
    return polled(render(request, "floor/inbox_items.html", {"inbox": selectors.inbox(actor)}))
