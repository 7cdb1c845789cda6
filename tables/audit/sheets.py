"""Posted sheets: the rules of a version in words, as they would be posted, as they were, and a list of what is posted."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from casino.staff.actor import Actor
from casino.staff.pages import page
from tables.selectors.sheets import draft_page, posted_page, sheets_by_room


@require_GET
@page
def sheets(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The posted sheets of every room the actor reads."""
    return render(request, "sheets/list.html", {"rooms": sheets_by_room(actor)})


@require_GET
@page
def draft(request: HttpRequest, actor: Actor, slug: str, version: int) -> HttpResponse:
    """A version in words, as a room that opens a table with it would post it now."""
    return render(request, "sheets/sheet.html", {"page": draft_page(actor, slug, version)})


@require_GET
@page
def posted(request: HttpRequest, actor: Actor, room_slug: str, number: str) -> HttpResponse:
    """A posted sheet, word by word as it was posted, its digest checked."""
    return render(request, "sheets/sheet.html", {"page": posted_page(actor, room_slug, number)})
