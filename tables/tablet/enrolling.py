"""The page on which a browser becomes a tablet, by a code that floor has made. Nobody has to be signed in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from casino.errors import Refusal
from casino.staff.enrolment import enrolment_code_take
from casino.staff.pages import made_a_tablet


@sensitive_post_parameters("code")
@require_http_methods(["GET", "POST"])
@never_cache
def enrol(request: HttpRequest) -> HttpResponse:
    """Type the code; it is good once, for ten minutes. Three wrong ones close the page for this address for a while."""
    refusal = None
    if request.method == "POST":
        try:
            _device, token = enrolment_code_take(code=request.POST.get("code", ""), request=request)
        except Refusal as error:
            refusal = error
        else:
            return made_a_tablet(request, token)
    return render(request, "staff/tablet_enrol.html", {"refusal": refusal}, status=refusal.status if refusal else 200)
