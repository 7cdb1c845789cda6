"""The audit's lists: sessions, stacks and seals, each filtered, sorted, page by page, and as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from casino.csv_files import Cell, csv_response, dollars_cell, instant_cell
from casino.staff.actor import Actor
from casino.staff.pages import page
from ledger.models import Seal, SealKind
from tables.audit.list_form import ListForm, choice
from tables.listing import Column, Listing
from tables.models import Sitting, TableSession
from tables.selectors.hands import rooms_read_by
from tables.selectors.statements import session_rows, sessions_found, sitting_rows, sittings_found
from tables.wording import stakes_in_words

NEWEST_FIRST = "-time"


def session_list(asked: QueryDict, rows: QuerySet[TableSession], **where: object) -> Listing[TableSession]:
    """Sessions, as the address asks for them; ``where`` as ``Listing`` has it."""
    columns = (
        Column("table", _("Table"), F("table__number")),
        Column("time", _("Opened"), F("opened_at"), largest_first=True),
        Column("closed", _("Closed")),
        Column("rules", _("Rules"), F("rules__slug")),
        Column("stakes", _("Stakes")),
        Column("hands", _("Hands"), F("hands_dealt"), is_number=True, largest_first=True),
        Column("drop", _("Drop box"), is_number=True),
    )
    return Listing(asked, rows, columns, instant="opened_at", unasked=NEWEST_FIRST, **where)  # type: ignore[arg-type]


def sitting_list(asked: QueryDict, rows: QuerySet[Sitting], **where: object) -> Listing[Sitting]:
    """Sittings, as the address asks for them."""
    columns = (
        Column("player", _("Player"), F("patron__folded_name")),
        Column("table", _("Table and seat"), F("session__table__number")),
        Column("time", _("Sat down"), F("started_at"), largest_first=True),
        Column("left", _("Left")),
        Column("stack", _("Stack"), is_number=True),
    )
    return Listing(asked, rows, columns, instant="started_at", unasked=NEWEST_FIRST, **where)  # type: ignore[arg-type]


def seal_list(asked: QueryDict, rows: QuerySet[Seal], **where: object) -> Listing[Seal]:
    """Seals, as the address asks for them."""
    columns = (
        Column("number", _("No."), F("number"), is_number=True, largest_first=True),
        Column("kind", _("Why"), F("kind")),
        Column("time", _("Made"), F("made_at"), largest_first=True),
        Column("books", _("Books"), is_number=True),
        Column("transactions", _("Transactions"), F("transactions"), is_number=True, largest_first=True),
        Column("digest", _("Digest")),
    )
    return Listing(asked, rows, columns, instant="made_at", unasked=NEWEST_FIRST, **where)  # type: ignore[arg-type]


@require_GET
@page
def sessions(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Every session of the rooms the actor reads."""
    form, listing = _sessions(request, actor)
    context = {
        "form": form,
        "list": listing,
        "sessions": session_rows(listing.rows),
        "csv": reverse("audit:sessions-csv"),
    }
    return render(request, "audit/sessions_list.html", context)


@require_GET
@page
def sessions_csv(request: HttpRequest, actor: Actor) -> StreamingHttpResponse:
    """The same sessions as CSV."""
    _form, listing = _sessions(request, actor)
    columns = [_("Room"), _("Table"), _("Opened"), _("Closed"), _("Game"), _("Rules"), _("Stakes"), _("Hands")]
    return csv_response("sessions", [*columns, _("Drop box"), _("Id")], _session_cells(listing.chunks()))


def _sessions(request: HttpRequest, actor: Actor) -> tuple[ListForm, Listing[TableSession]]:
    form = ListForm(request.GET, list(rooms_read_by(actor)))
    del form.fields["patron"]
    form.is_valid()
    return form, session_list(request.GET, sessions_found(form.rooms, form.days, form.said("table")))


def _session_cells(chunks: Iterable[list[TableSession]]) -> Iterator[Sequence[Cell]]:
    for chunk in chunks:
        for row in session_rows(chunk):
            session, room = row.session, row.session.table.room
            yield (
                room.name,
                str(session.table),
                instant_cell(session.opened_at.astimezone(room.zone)),
                instant_cell(session.closed_at.astimezone(room.zone) if session.closed_at else None),
                str(session.table.get_game_display()),
                str(session.rules),
                stakes_in_words(session),
                session.hands_dealt,
                dollars_cell(row.drop_cents),
                str(session.pk),
            )


@require_GET
@page
def sittings(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Every sitting in the rooms the actor reads, with its stack."""
    form, listing = _sittings(request, actor)
    context = {
        "form": form,
        "list": listing,
        "sittings": sitting_rows(listing.rows),
        "csv": reverse("audit:sittings-csv"),
    }
    return render(request, "audit/sittings_list.html", context)


@require_GET
@page
def sittings_csv(request: HttpRequest, actor: Actor) -> StreamingHttpResponse:
    """The same sittings as CSV."""
    _form, listing = _sittings(request, actor)
    columns = [_("Player"), _("Card number"), _("Room"), _("Table"), _("Seat"), _("Sat down"), _("Left"), _("Stack")]
    return csv_response("stacks", [*columns, _("Account")], _sitting_cells(listing.chunks()))


def _sittings(request: HttpRequest, actor: Actor) -> tuple[ListForm, Listing[Sitting]]:
    form = ListForm(request.GET, list(rooms_read_by(actor)))
    form.is_valid()
    return form, sitting_list(request.GET, sittings_found(form.rooms, form.days, form.said("table"), form.patrons))


def _sitting_cells(chunks: Iterable[list[Sitting]]) -> Iterator[Sequence[Cell]]:
    for chunk in chunks:
        for row in sitting_rows(chunk):
            sitting, room = row.sitting, row.sitting.session.table.room
            yield (
                sitting.patron.name,
                sitting.patron.number,
                room.name,
                str(sitting.session.table),
                sitting.seat.number if sitting.seat else None,
                instant_cell(sitting.started_at.astimezone(room.zone)),
                instant_cell(sitting.ended_at.astimezone(room.zone) if sitting.ended_at else None),
                dollars_cell(row.stack_cents),
                str(sitting.stack_id),
            )


@require_GET
@page
def seals(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Every seal of the ledger."""
    form, listing = _seals(request, actor)
    context = {"form": form, "list": listing, "csv": reverse("audit:seals-csv")}
    return render(request, "audit/seals_list.html", context)


@require_GET
@page
def seals_csv(request: HttpRequest, actor: Actor) -> StreamingHttpResponse:
    """The same seals as CSV, their times in UTC."""
    _form, listing = _seals(request, actor)
    columns = [_("No."), _("Why"), _("Of"), _("Made (UTC)"), _("Books"), _("Transactions"), _("Digest")]
    rows = (
        (
            seal.number,
            str(seal.get_kind_display()),
            seal.label,
            instant_cell(seal.made_at),
            seal.books,
            seal.transactions,
            bytes(seal.digest).hex(),
        )
        for chunk in listing.chunks()
        for seal in chunk
    )
    return csv_response("seals", columns, rows)


def _seals(request: HttpRequest, actor: Actor) -> tuple[ListForm, Listing[Seal]]:
    rooms_read_by(actor)
    form = ListForm(request.GET, [])
    form.fields = {"kind": choice(_("Why"), _("Any reason"), dict(SealKind.choices))}
    form.is_valid()
    kind = form.said("kind")
    found = Seal.objects.all() if kind is None else Seal.objects.filter(kind=kind)
    return form, seal_list(request.GET, found)
