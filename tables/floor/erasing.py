"""The page that erases a patron's personal data: compliance asks for it, a manager of the room agrees."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from casino.errors import Refusal
from casino.staff.actor import Actor
from casino.staff.models import Role
from casino.staff.pages import page
from tables.access import check_web_access
from tables.floor.forms import order_of_form
from tables.selectors.patron_pages import patron_of_page
from tables.services.erasures import check_may_be_erased, patron_erase


@sensitive_post_parameters("approver_pin")
@require_http_methods(["GET", "POST"])
@page
def erase(request: HttpRequest, actor: Actor, patron_id: UUID) -> HttpResponse:
    """What erasing takes away and what stays, what stands in its way, and the form: the day, the reason, the second person."""
    check_web_access(actor, (Role.COMPLIANCE,))
    patron = patron_of_page(actor, patron_id)
    sent: Mapping[str, str] = request.POST.dict() if request.method == "POST" else {}
    refusal: Refusal | None = None
    if sent:
        asked_date, reason = sent.get("asked_date", ""), sent.get("reason", "")
        try:
            patron_erase(order_of_form(actor, sent), patron_id=patron_id, asked_date=asked_date, reason=reason)
            return redirect("floor:patron", patron_id=patron_id)
        except Refusal as error:
            refusal = error
    in_the_way: Refusal | None = None
    try:
        check_may_be_erased(patron, timezone.now())
    except Refusal as error:
        in_the_way = error
    context = {
        "patron": patron,
        "in_the_way": in_the_way,
        "today": timezone.now().astimezone(patron.room.zone).date(),
        "key": sent.get("key") or uuid4(),
        "typed": sent,
        "refusal": refusal,
    }
    return render(request, "floor/erase.html", context, status=refusal.status if refusal else 200)
