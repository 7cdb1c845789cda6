"""The audit pages: what happened and the ledger behind it. They read and change nothing."""

from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from casino.csv_files import csv_response, instant_cell
from casino.staff.actor import Actor
from casino.staff.pages import page
from tables.audit.hands import newest_hands
from tables.models import ReportPrinting
from tables.selectors.declared import declared_splits
from tables.selectors.hand_search import HandQuery
from tables.selectors.hands import hand_page
from tables.selectors.rules import rule_set_page, rules_page
from tables.selectors.statements import (
    account_csv_rows,
    account_page,
    session_page,
)

HANDS_OF_SESSION = 25


@require_GET
@page
def hand(request: HttpRequest, actor: Actor, hand_id: UUID) -> HttpResponse:
    """One hand: record, verdict, payments, commands and ledger transactions, with their digests checked."""
    found = hand_page(actor, hand_id)
    declared = declared_splits(found.record) if found.is_as_stored else []
    context = {"page": found, "declared": declared, "press": uuid4(), "papers": ReportPrinting.Paper}
    return render(request, "audit/hand.html", context)


@require_GET
@page
def session(request: HttpRequest, actor: Actor, session_id: UUID) -> HttpResponse:
    """One table session: its terms, its accounts, its sittings and its hands."""
    found = session_page(actor, session_id)
    query = HandQuery([found.session.table.room], session=found.session.pk)
    return render(request, "audit/session.html", {"page": found, "list": newest_hands(query, most=HANDS_OF_SESSION)})


@require_GET
@page
def account(request: HttpRequest, actor: Actor, account_id: UUID) -> HttpResponse:
    """One account's statement with its running balance."""
    return render(request, "audit/account.html", {"page": account_page(actor, account_id, request.GET.get("page"))})


@require_GET
@page
def account_csv(request: HttpRequest, actor: Actor, account_id: UUID) -> StreamingHttpResponse:
    """The whole statement as CSV, oldest line first, its times in the zone of the account's room."""
    columns = [_("Recorded"), _("By"), _("Transaction"), _("Rule"), _("About"), _("Reason"), _("Amount"), _("Balance")]
    rows = account_csv_rows(actor, account_id)
    return csv_response("statement", [*columns, _("No. in book"), _("Digest")], rows)


@require_GET
@page
def rules(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Every version of every rule set: since when, by whom, where it is played."""
    return render(request, "audit/rules.html", {"page": rules_page(actor)})


@require_GET
@page
def rules_csv(request: HttpRequest, actor: Actor) -> StreamingHttpResponse:
    """The same as CSV."""
    found = rules_page(actor)
    columns = [_("Version"), _("Game"), _("Newest"), _("In use at"), _("Since"), _("By"), _("Why")]
    rows = (
        (
            row.rule_set.name,
            row.game,
            _("yes") if row.is_newest else "",
            ", ".join(f"{session.table.room.name} {session.table}" for session in row.open_sessions),
            instant_cell(row.since.astimezone(found.zone) if row.since else None),
            str(row.added_by or ""),
            row.stored.reason if row.stored else "",
        )
        for row in found.rows
    )
    return csv_response("rules", columns, rows)


@require_GET
@page
def rule_set(request: HttpRequest, actor: Actor, slug: str, version: int) -> HttpResponse:
    """One version, parameter by parameter; ``with`` names the one it is compared with."""
    found = rule_set_page(actor, f"{slug}@{version}", request.GET.get("with", ""))
    return render(request, "audit/rule_set.html", {"page": found})
