"""The pages of what was looked at: noting it, the list, one note with its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC
from typing import Any
from uuid import UUID, uuid4

from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from casino.csv_files import Cell, csv_response, instant_cell
from casino.errors import Malformed, NotThere, Refusal
from casino.staff.actor import Actor
from casino.staff.models import User
from casino.staff.pages import page
from tables.access import check_web_access
from tables.audit.list_form import ListForm, choice
from tables.audit.reports.pdf import Figures
from tables.listing import Column, Listing
from tables.models import LookedAt
from tables.selectors.hands import rooms_read_by
from tables.selectors.looked_at import closed, filters_of, looked_at_found, replies_in_order, still_open
from tables.selectors.reports import find_report, report_made
from tables.selectors.reports.asking import ask, asked_of
from tables.services.commands import Order
from tables.services.looked_at import ANSWERS, ASKS, audit_answer, audit_close, audit_note

_PAGES = {
    LookedAt.About.HAND: "audit:hand",
    LookedAt.About.SESSION: "audit:session",
    LookedAt.About.ACCOUNT: "audit:account",
    LookedAt.About.SEAL: "audit:seal",
    LookedAt.About.REPORT: "audit:report",
}
_OPEN, _CLOSED = "open", "closed"


def address_of(note: LookedAt) -> str:
    """The page of what was looked at."""
    about = LookedAt.About(note.about)
    if about == LookedAt.About.DAY:
        query = QueryDict(mutable=True)
        query["room"], _blank, query["day"] = note.key.rpartition(" ")
        return f"{reverse('audit:home')}?{query.urlencode()}"
    address = reverse(_PAGES[about], args=[note.key])
    return f"{address}?{note.query}" if note.query else address


@require_POST
@page
def note(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Note that something was looked at, and go back to it. Of a report the digest of its figures as they are now is kept."""
    check_web_access(actor, ASKS)
    values = {name: request.POST.get(name, "") for name in ("kind", "about", "key", "words", "query")}
    if values["about"] == LookedAt.About.REPORT:
        values["figures_sha256"] = _digest_of_figures(actor, values["key"], values["query"])
    audit_note(_order(request, actor), **values)
    return _back(request, reverse("audit:notes"))


def _digest_of_figures(actor: Actor, slug: str, query: str) -> str:
    """In hexadecimal; nothing for a report that is too long to be read whole."""
    report = find_report(slug)
    asked = asked_of(ask(report, actor, filters_of(query), timezone.now()))
    try:
        with report_made(report, asked) as data:
            return Figures.of(data).sha256.hex()
    except Refusal:
        return ""


@require_POST
@page
def answer(request: HttpRequest, actor: Actor, note_id: UUID) -> HttpResponse:
    """Answer a question."""
    check_web_access(actor, ANSWERS)
    audit_answer(_order(request, actor), question_id=note_id, words=request.POST.get("words", ""))
    return redirect("audit:note", note_id=note_id)


@require_POST
@page
def close(request: HttpRequest, actor: Actor, note_id: UUID) -> HttpResponse:
    """Close a question that one has asked."""
    check_web_access(actor, ASKS)
    audit_close(_order(request, actor), question_id=note_id, words=request.POST.get("words", ""))
    return redirect("audit:note", note_id=note_id)


def _order(request: HttpRequest, actor: Actor) -> Order:
    """A press of a form, which carries its key so that the same press is done once."""
    return Order(key=key_of(request), actor=actor, occurred_at=timezone.now())


def key_of(request: HttpRequest) -> UUID:
    """The key that a form was made with. Raises ``Malformed`` without one."""
    try:
        return UUID(request.POST.get("press", ""))
    except ValueError:
        raise Malformed("malformed", _("This form lost its key. Load the page again and repeat the action.")) from None


def _back(request: HttpRequest, otherwise: str) -> HttpResponse:
    """To the page from which it was pressed, where that is one of this site."""
    to = request.POST.get("next", "")
    if not to.startswith("/") or not url_has_allowed_host_and_scheme(to, allowed_hosts=None):
        to = otherwise
    return redirect(to)


@require_GET
@page
def one(request: HttpRequest, actor: Actor, note_id: UUID) -> HttpResponse:
    """One note with its answers, and the forms to answer and to close it."""
    found: Any = looked_at_found(actor).filter(pk=note_id).first()
    if found is None:
        raise NotThere("no-such-note", _("There is no such note."))
    is_open = found.kind == LookedAt.Kind.QUESTION and not found.is_closed
    context = {
        "note": found,
        "replies": replies_in_order().filter(question=found),
        "address": address_of(found),
        "zone": found.room.zone if found.room else UTC,
        "may_answer": is_open and actor.has_role(*ANSWERS),
        "press": (uuid4(), uuid4()),
        "may_close": is_open and found.by_id == actor.user_id and actor.has_role(*ASKS),
    }
    return render(request, "audit/room/note.html", context)


def note_list(asked: QueryDict, rows: QuerySet[LookedAt], **where: object) -> Listing[LookedAt]:
    """Notes, as the address asks for them."""
    columns = (
        Column("time", _("When"), F("at"), largest_first=True),
        Column("by", _("By"), F("by__name")),
        Column("kind", _("What"), F("kind")),
        Column("about", _("About"), F("name")),
        Column("day", _("Gaming day")),
        Column("words", _("Words")),
        Column("state", _("State")),
    )
    return Listing(asked, rows, columns, instant="at", unasked="-time", **where)  # type: ignore[arg-type]


@require_GET
@page
def notes(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Everything that was noted, the newest first."""
    form, listing = _found(request, actor)
    context = {
        "form": form,
        "list": listing,
        "rows": [(each, address_of(each)) for each in listing.rows],
        "csv": reverse("audit:notes-csv"),
    }
    return render(request, "audit/room/notes.html", context)


@require_GET
@page
def notes_csv(request: HttpRequest, actor: Actor) -> StreamingHttpResponse:
    """The same notes as CSV, their times in the zone of their room."""
    _form, listing = _found(request, actor)
    columns = [
        _("When"),
        _("By"),
        _("Badge"),
        _("What"),
        _("About"),
        _("Called"),
        _("Room"),
        _("Gaming day"),
        _("Words"),
    ]
    columns += [_("State"), _("Filters"), _("SHA-256 of the figures"), _("Id")]
    return csv_response("looked-at", columns, _cells(listing))


def state_of(note: Any) -> str:
    """How a question stands, in a word; nothing for what is none."""
    if note.kind != LookedAt.Kind.QUESTION:
        return ""
    if note.is_closed:
        return str(_("closed"))
    return str(_("answered") if note.is_answered else _("open"))


def _cells(listing: Listing[LookedAt]) -> Iterator[Sequence[Cell]]:
    for chunk in listing.chunks():
        for each in chunk:
            yield (
                instant_cell(each.at.astimezone(each.room.zone if each.room else UTC)),
                each.by.name,
                each.by.badge_number,
                str(each.get_kind_display()),
                str(each.get_about_display()),
                each.name,
                each.room.name if each.room else "",
                each.gaming_date.isoformat() if each.gaming_date else "",
                each.words,
                state_of(each),
                each.query,
                bytes(each.figures_sha256).hex() if each.figures_sha256 else "",
                str(each.pk),
            )


def _found(request: HttpRequest, actor: Actor) -> tuple[ListForm, Listing[LookedAt]]:
    found = looked_at_found(actor)
    form = ListForm(request.GET, list(rooms_read_by(actor)))
    del form.fields["patron"], form.fields["table"]
    people = User.objects.filter(pk__in=LookedAt.objects.order_by().values("by")).order_by("name")
    form.fields |= {
        "by": choice(_("By"), _("Anybody"), {each.badge_number: each.name for each in people}),
        "kind": choice(_("What"), _("Anything"), dict(LookedAt.Kind.choices)),
        "about": choice(_("About"), _("Anything"), dict(LookedAt.About.choices)),
        "state": choice(_("Questions"), _("All"), {_OPEN: _("Open questions"), _CLOSED: _("Closed questions")}),
    }
    form.is_valid()
    for name, narrow in _FILTERS.items():
        if form.said(name) is not None:
            found = narrow(found, form.said(name))
    if form.said("room") is not None:
        found = found.filter(room__in=form.rooms)
    if form.days is not None:
        found = found.filter(gaming_date__range=form.days)
    return form, note_list(request.GET, found)


_FILTERS: dict[str, Callable[[QuerySet[LookedAt], str], QuerySet[LookedAt]]] = {
    "by": lambda notes, badge: notes.filter(by__badge_number=badge),
    "kind": lambda notes, kind: notes.filter(kind=kind),
    "about": lambda notes, about: notes.filter(about=about),
    "state": lambda notes, state: still_open(notes) if state == _OPEN else closed(notes),
}
