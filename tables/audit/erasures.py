"""The list of erasures, for who reads everything, and as the file that is kept beside the back-ups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from casino.csv_files import Cell, csv_response, instant_cell
from casino.staff.actor import Actor
from casino.staff.pages import page
from tables.models import Erasure
from tables.selectors.erasures import erasures

LINES_A_PAGE = 50


@require_GET
@page
def erasure_list(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The erasures, the newest first, a page at a time."""
    shown = Paginator(erasures(actor), LINES_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "audit/erasures.html", {"page": shown})


@require_GET
@page
def erasures_csv(request: HttpRequest, actor: Actor) -> StreamingHttpResponse:
    """All of them, with the ids of the patrons: what has to be erased again after an older back-up was restored."""
    columns = [_("Erased"), _("Room"), _("Called since"), _("Patron"), _("Asked for on"), _("Why"), _("By"), _("With")]
    return csv_response("erasures", [*columns, _("Command")], _rows(erasures(actor)))


def _rows(found: QuerySet[Erasure]) -> Iterator[Sequence[Cell]]:
    for each in found.iterator():
        done = each.command
        with_whom = done.approver.badge_number if done.approver else None
        yield (
            *(instant_cell(each.erased_at), each.room.slug, each.label, str(each.patron_id)),
            *(each.asked_date.isoformat(), each.reason, done.actor.badge_number, with_whom, str(done.pk)),
        )
