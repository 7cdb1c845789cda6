"""The list of hands: found by whatever is known of them, sorted, page by page, and saved as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import chain
from typing import Any

from django.db.models import DurationField, F, Value
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from casino.csv_files import Cell, csv_response, dollars_cell, instant_cell
from casino.staff.actor import Actor
from casino.staff.pages import page
from tables.audit.hand_chips import chips
from tables.audit.hand_form import HandForm
from tables.listing import SORT, Column, Listing
from tables.models import Hand, ReportPrinting, RoomStaff
from tables.selectors.hand_search import HandQuery, hands_found
from tables.selectors.hands import hands_read_by, rooms_read_by
from tables.wording import in_words

NEWEST_FIRST = "-time"


def columns() -> Sequence[Column]:
    return (
        Column("time", _("Dealt"), F("started_at"), largest_first=True),
        Column("table", _("Table"), F("session__table__number")),
        Column("number", _("Hand"), F("number"), is_number=True, largest_first=True),
        Column("length", _("Length"), _LENGTH, is_number=True, largest_first=True),
        Column("game", _("Game and rules")),
        Column("state", _("State")),
        Column("largest", _("Largest payment"), F("largest_cents"), is_number=True, largest_first=True),
        Column("total", _("In all"), F("total_cents"), is_number=True, largest_first=True),
    )


_LENGTH = Coalesce(F("ended_at") - F("started_at"), Value(timedelta(seconds=-1)), output_field=DurationField())


@require_GET
@page
def hands(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The hands that the address asks for, a page at a time: of today's gaming day, where it names no other."""
    form, listing = _asked(request, actor)
    context = {
        "base": "floor/base.html" if actor.on_the_floor else "hands/base.html",
        "form": form,
        "list": listing,
        "chips": chips(request.GET, form),
        "is_today": form.is_of_today,
        "last_day": _last_day(actor) if form.is_of_today and not listing.rows else None,
        "has_rooms": form.has_rooms,
        "papers": ReportPrinting.Paper,
        "own_rooms": set(RoomStaff.objects.filter(user_id=actor.user_id).values_list("room", flat=True))
        if actor.on_the_floor
        else (),
    }
    return render(request, "hands/list.html", context)


def _last_day(actor: Actor) -> date | None:
    """The gaming day of the newest hand there is."""
    last = hands_read_by(actor).first()
    return last.session.table.room.gaming_day(last.started_at) if last else None


@require_GET
@page
def hands_csv(request: HttpRequest, actor: Actor) -> StreamingHttpResponse:
    """All of the same hands, in the same order, as CSV."""
    _form, listing = _asked(request, actor)
    columns = [
        _("Room"), _("Table"), _("Hand"), _("Dealt"), _("Ended"), _("Seconds"), _("Game"), _("Rules"), _("State"),
        _("Why"), _("Foul"), _("Settled again"), _("Held for ruling"), _("Ruled on"), _("Paid differently"),
        _("Times entered"), _("Largest payment"), _("In all"), _("Id"),
    ]  # fmt: skip
    return csv_response("hands", columns, _csv_rows(listing))


def newest_hands(query: HandQuery, *, most: int) -> Listing[Hand]:
    """The newest of some hands, for a page about something else; what its heads sort is the list of hands itself."""
    asked = QueryDict(mutable=True)
    if query.session is not None:
        asked["session"] = str(query.session)
    at = reverse("hands:list")
    return Listing(asked, hands_found(query), columns(), instant="started_at", unasked=NEWEST_FIRST, most=most, at=at)


def _asked(request: HttpRequest, actor: Actor) -> tuple[HandForm, Listing[Hand]]:
    rooms = list(rooms_read_by(actor))
    form = HandForm(request.GET, rooms, by_time=request.GET.get(SORT, NEWEST_FIRST) in (NEWEST_FIRST, "time"))
    found = hands_found(form.query())
    return form, Listing(request.GET, found, columns(), instant="started_at", unasked=NEWEST_FIRST)


def _csv_rows(listing: Listing[Hand]) -> Iterator[Sequence[Cell]]:
    yes = {True: _("yes"), False: ""}
    hand: Any  # with what `hands_found` says of it
    for hand in chain.from_iterable(listing.chunks()):
        table, room = hand.session.table, hand.session.table.room
        ended, is_settled = hand.ended_at, hand.status == Hand.Status.SETTLED
        yield (
            room.name,
            str(table),
            hand.number,
            instant_cell(hand.started_at.astimezone(room.zone)),
            instant_cell(ended.astimezone(room.zone)) if ended else None,
            int((ended - hand.started_at).total_seconds()) if ended else None,
            str(table.get_game_display()),
            str(hand.rules),
            str(hand.get_status_display()),
            hand.void_reason or ", ".join(in_words(code) for code in hand.misdeal_codes),
            yes[hand.has_foul],
            yes[hand.is_corrected],
            yes[hand.is_held],
            yes[hand.is_ruled_on],
            yes[hand.is_paid_differently],
            hand.revisions,
            dollars_cell(hand.largest_cents) if is_settled else None,
            dollars_cell(hand.total_cents) if is_settled else None,
            str(hand.pk),
        )
