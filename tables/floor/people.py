"""The floor's pages about people: the search that every page's header has, and a patron's page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods

from casino.csv_files import Cell, csv_response
from casino.errors import Refusal
from casino.staff.actor import Actor
from casino.staff.models import Role
from casino.staff.pages import page
from tables.access import works_in_room
from tables.asked import day_asked
from tables.floor.forms import order_of_form
from tables.models import Patron, Restriction
from tables.selectors.patron_pages import PatronPage, patron_page
from tables.selectors.people import FoundPatron, found_patrons, patrons_found
from tables.services.restrictions import patron_lift_bar

FOUND_A_PAGE = 25
FOUND_AT_ONCE = 8
CSV_AT_ONCE = 500
SORTS = {"name": ("folded_name",), "card": ("number",), "room": ("room__name",)}


@require_GET
@page
def people(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Who a search finds, a page at a time."""
    query, sort = _query(request), request.GET.get("sort", "")
    shown = Paginator(_sorted(patrons_found(actor, query), sort), FOUND_A_PAGE).get_page(request.GET.get("page"))
    sorts = {"": _("Best match"), "name": _("Name"), "card": _("Card"), "room": _("Room")}
    context: dict[str, Any] = {"people_query": query, "q": query, "page": shown, "found": found_patrons(shown)}
    context |= {"sorts": sorts, "sort": sort if sort in SORTS else ""}
    return render(request, "floor/people.html", context)


@require_GET
@page
def found(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The first of them, for under the search field while somebody types."""
    query = _query(request)
    rows = list(patrons_found(actor, query)[: FOUND_AT_ONCE + 1])
    context = {"q": query, "found": found_patrons(rows[:FOUND_AT_ONCE]), "has_more": len(rows) > FOUND_AT_ONCE}
    response = render(request, "floor/people_found.html", context)
    response["Cache-Control"] = "private, no-store"
    return response


@require_GET
@page
def people_csv(request: HttpRequest, actor: Actor) -> StreamingHttpResponse:
    """Everybody whom a search finds, as CSV."""
    columns = [_("Name or description"), _("Card number"), _("Room"), _("At"), _("May not play"), _("Through")]
    found = _sorted(patrons_found(actor, _query(request)), request.GET.get("sort", ""))
    return csv_response("people", columns, _csv_rows(found))


def _sorted(patrons: QuerySet[Patron], sort: str) -> QuerySet[Patron]:
    """By what is asked for, rows that are alike in it by name, card and key; unasked the best match first."""
    return patrons.order_by(*SORTS[sort], "folded_name", "number", "pk") if sort in SORTS else patrons


def _query(request: HttpRequest) -> str:
    return request.GET.get("q", "").replace("\x00", "").strip()


def _csv_rows(patrons: QuerySet[Patron]) -> Iterator[Sequence[Cell]]:
    for shown in Paginator(patrons, CSV_AT_ONCE):
        for row in found_patrons(shown):
            patron, barred = row.patron, row.restriction
            until = (barred.until_date.isoformat() if barred.until_date else _("for good")) if barred else None
            kind = str(Restriction.Kind(barred.kind).label) if barred else None
            yield patron.name, patron.number, patron.room.name, _places(row), kind, until


def _places(row: FoundPatron) -> str:
    return ", ".join(str(sitting.seat or sitting.session.table) for sitting in row.sittings)


@require_GET
@page
def patron(request: HttpRequest, actor: Actor, patron_id: UUID) -> HttpResponse:
    """One patron, with a gaming day of theirs: ``day``, or today."""
    shown = patron_page(actor, patron_id, day_asked(request))
    context = {"page": shown, "may_bar": _may_bar(actor, shown), "may_erase": actor.has_role(Role.COMPLIANCE)}
    return render(request, "floor/patron.html", context)


def _may_bar(actor: Actor, shown: PatronPage) -> bool:
    return actor.on_the_floor and works_in_room(actor, shown.patron.room_id)


@sensitive_post_parameters("approver_pin")
@require_http_methods(["GET", "POST"])
@page
def lift(request: HttpRequest, actor: Actor, patron_id: UUID) -> HttpResponse:
    """Let a barred patron play again: the reason, and the second person."""
    shown = patron_page(actor, patron_id)
    sent: Mapping[str, str] = request.POST.dict() if request.method == "POST" else {}
    refusal: Refusal | None = None
    if sent:
        try:
            patron_lift_bar(
                order_of_form(actor, sent),
                patron_number=shown.patron.number,
                room=shown.patron.room.slug,
                reason=sent.get("reason", ""),
            )
            return redirect("floor:patron", patron_id=patron_id)
        except Refusal as error:
            refusal = error
    context = {
        "page": shown,
        "may_bar": _may_bar(actor, shown),
        "key": sent.get("key") or uuid4(),
        "typed": sent,
        "refusal": refusal,
    }
    return render(request, "floor/lift_bar.html", context, status=refusal.status if refusal else 200)
