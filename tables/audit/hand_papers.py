"""Printing hands: one from its page, or those that a list of hands shows, each beginning on a page of its own."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from casino.errors import Malformed, Refusal
from casino.staff.actor import Actor
from casino.staff.pages import page
from tables.audit.hand_form import HandForm
from tables.audit.reports.hand_paper import MOST_HANDS, HandPaper
from tables.audit.reports.printing import paper_asked, pdf_response
from tables.selectors.hand_search import hands_found
from tables.selectors.hands import rooms_read_by
from tables.services.report_printings import paper_print

HAND, HANDS = "hand", "hands"
"""What printings of these papers are called among those of reports."""


@require_POST
@page
def hand_paper(request: HttpRequest, actor: Actor, hand_id: UUID) -> HttpResponse:
    """One hand on the ``paper`` of the form: a printing with a number of its own."""
    return _printed(request, actor, HAND, {"hand": str(hand_id)}, [hand_id])


@require_POST
@page
def hands_paper(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The hands that the address asks for, as the list of hands reads it, by table and number.

    Raises ``Malformed`` for what makes no sense, and ``Refusal`` where there are none, too many, or those of several rooms.
    """
    form = HandForm(request.GET, list(rooms_read_by(actor)), by_time=True)
    if form.errors:
        wrong = {name: str(errors[0]) for name, errors in form.errors.items()}
        raise Malformed("out-of-range", " ".join(wrong.values()), fields=wrong)
    # By time first, which an index has, so that too many are refused before all of them are read.
    by_time = hands_found(form.query()).order_by("started_at", "pk")
    found = list(
        by_time.values_list("session__table__number", "started_at", "pk", "session__table__room")[: MOST_HANDS + 1]
    )
    if not found:
        raise Refusal("no-hand", _("No hand is like this. Take a filter away, or ask for another gaming day."))
    if len(found) > MOST_HANDS:
        message = _("These are more than %(most)s hands, too many for one paper. Ask for a table, or for some hours.")
        raise Refusal("too-long", message % {"most": MOST_HANDS})
    if len({room for *_place, room in found}) > 1:
        raise Refusal("several-rooms", _("These are hands of several rooms. Choose one: its papers have its numbers."))
    ids = [hand for _table, _started_at, hand, _room in sorted(found)]
    return _printed(request, actor, HANDS, {"hands": list(map(str, ids))}, ids)


def _printed(
    request: HttpRequest, actor: Actor, name: str, asked: dict[str, object], ids: Sequence[UUID]
) -> HttpResponse:
    paper = paper_asked(request)
    hands = HandPaper.of(actor, ids, timezone.now())
    printing = paper_print(
        room=hands.room,
        name=name,
        asked=asked,
        actor=actor,
        printed_at=hands.made_at,
        data_sha256=hands.sha256,
        paper=paper,
    )
    return pdf_response(hands.pdf(printing), f"{name}-{printing.number}")
