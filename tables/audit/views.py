"""The audit pages: what happened and the ledger behind it. They read and change nothing."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from casino.staff.actor import Actor
from casino.staff.pages import page
from ledger.selectors import newest_seals
from tables.selectors.declared import declared_splits
from tables.selectors.hands import hand_page, hands_before, hands_read_by, rooms_read_by
from tables.selectors.rules import rule_set_page, rules_page
from tables.selectors.statements import account_page, last_sessions, last_sittings, session_page

SEALS_SHOWN = 5


@require_GET
@page
def home(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The rooms with their gaming day, the newest hands, sessions, stacks and seals, and how to verify the ledger."""
    rooms = list(rooms_read_by(actor))
    now = timezone.now()
    hands, has_older = hands_before(hands_read_by(actor), _before(request))
    context = {
        "rooms": [(room, room.gaming_day(now)) for room in rooms],
        "hands": hands,
        "has_older": has_older,
        "sessions": last_sessions(rooms),
        "sittings": last_sittings(rooms),
        "seals": newest_seals(SEALS_SHOWN),
    }
    return render(request, "audit/home.html", context)


@require_GET
@page
def hand(request: HttpRequest, actor: Actor, hand_id: UUID) -> HttpResponse:
    """One hand: record, verdict, payments, commands and ledger transactions, with their digests checked."""
    found = hand_page(actor, hand_id)
    declared = declared_splits(found.record) if found.is_as_stored else []
    return render(request, "audit/hand.html", {"page": found, "declared": declared})


@require_GET
@page
def session(request: HttpRequest, actor: Actor, session_id: UUID) -> HttpResponse:
    """One table session: its terms, its accounts, its sittings and its hands."""
    found = session_page(actor, session_id)
    hands, has_older = hands_before(hands_read_by(actor).filter(session=found.session), _before(request))
    return render(request, "audit/session.html", {"page": found, "hands": hands, "has_older": has_older})


@require_GET
@page
def account(request: HttpRequest, actor: Actor, account_id: UUID) -> HttpResponse:
    """One account's statement with its running balance."""
    return render(request, "audit/account.html", {"page": account_page(actor, account_id, request.GET.get("page"))})


@require_GET
@page
def rules(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Every version of every rule set: since when, by whom, where it is played."""
    return render(request, "audit/rules.html", {"page": rules_page(actor)})


@require_GET
@page
def rule_set(request: HttpRequest, actor: Actor, slug: str, version: int) -> HttpResponse:
    """One version, parameter by parameter; ``with`` names the one it is compared with."""
    found = rule_set_page(actor, f"{slug}@{version}", request.GET.get("with", ""))
    return render(request, "audit/rule_set.html", {"page": found})


def _before(request: HttpRequest) -> UUID | None:
    """The hand after which a list goes on; anything that is no id counts as the beginning."""
    try:
        return UUID(request.GET.get("before", ""))
    except ValueError:
        return None
