"""The posted sheet of a table on its tablet: a page in the tablet's scope, for whoever is signed in there by PIN."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.errors import Refusal
from casino.staff.middleware import actor_of
from casino.staff.services import SignInRefused
from tables.selectors.sheets import SheetPage, sheet_on_tablet
from tables.tablet.app import own_table


@require_GET
@never_cache
def rules(request: HttpRequest) -> HttpResponse:
    """The sheet that the table was opened with, and a way back. It takes no name of a sheet: only the own table's is shown."""
    try:
        return render(request, "sheets/tablet.html", {"page": _own_sheet(request)})
    except Refusal as refusal:
        response = render(request, "sheets/tablet.html", {"refusal": refusal}, status=refusal.status)
        response.refusal_code = refusal.code  # type: ignore[attr-defined]
        return response


def _own_sheet(request: HttpRequest) -> SheetPage:
    actor = actor_of(request)
    if actor is None:
        raise SignInRefused("not-signed-in", _("Sign in at the table, then open its rules."))
    return sheet_on_tablet(own_table(actor))
