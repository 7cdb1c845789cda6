"""The floor's pages of corrections: a hand settled again, a buy-in or cash-out taken back, and where to find them.

Plain forms without a script, so that the second person's PIN is nowhere kept on the device. Each page has one key, which
goes with everything sent from it: pressed twice it is done once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods

from casino.errors import NotThere, Refusal
from casino.staff.actor import ON_THE_FLOOR, Actor
from casino.staff.models import Role
from casino.staff.pages import page
from ledger.models import Transaction
from tables.access import access_table
from tables.floor.cards import CardsForm, cards_form
from tables.floor.forms import order_of_form, page_out_of_date
from tables.models import Hand, HandRecord, TableSession
from tables.rules.explain import Line, explain
from tables.selectors.corrections import CardsChange, PaymentChange, People, cards_changes, judged, payment_changes
from tables.selectors.hands import HANDS_A_PAGE, hand_page, hands_read_by, names_of
from tables.selectors.statements import session_page
from tables.services.corrections import REASONS, hand_resettle, transaction_reverse
from tables.services.differences import (
    ChipsGone,
    Difference,
    Planned,
    check_can_be_judged_again,
    planned,
    resettle_difference,
    take_back_difference,
)

CONFIRM = "confirm"


@require_GET
@page
def session(request: HttpRequest, actor: Actor, session_id: UUID) -> HttpResponse:
    """What can be corrected of a session: its hands, its buy-ins and cash-outs, and chips left for who has gone."""
    found = TableSession.objects.filter(pk=session_id).first()
    if found is None:
        raise NotThere("no-such-session", _("There is no such session."))
    access_table(actor, found.table_id, ON_THE_FLOOR)
    shown = session_page(actor, session_id)
    waiting = [row for row in shown.sittings if row.sitting.ended_at is not None and row.stack_cents]
    hands = hands_read_by(actor).filter(session=found)[:HANDS_A_PAGE]
    return render(request, "floor/session.html", {"page": shown, "waiting": waiting, "hands": hands})


@sensitive_post_parameters("approver_pin")
@require_http_methods(["GET", "POST"])
@page
def resettle(request: HttpRequest, actor: Actor, hand_id: UUID) -> HttpResponse:
    """A hand that is over: its cards to be changed, then the difference, then reason and second person, then done."""
    hand = _hand(actor, hand_id)
    sent = request.POST.dict() if request.method == "POST" else None
    record = _base(hand, sent)
    form = cards_form(hand, record, names_of(hand), sent, {})
    refusal: Refusal | None = None
    difference: Difference | None = None
    try:
        # First of all, so that what is confirmed a second time is answered as the first time.
        if sent is not None and sent.get("step") == CONFIRM:
            _confirm_resettle(actor, hand, form, record.revision, sent)
            return redirect(reverse("floor:hand", args=[hand.pk]) + "#corrections")
    except Refusal as error:
        refusal = error
    check_can_be_judged_again(hand)
    try:
        if sent is not None:
            difference = resettle_difference(hand=hand, hands=form.hands(), incidents=form.kept_incidents())
    except Refusal as error:
        refusal = refusal or error
        form = cards_form(hand, record, names_of(hand), sent, error.fields)
    context = {
        "page": hand_page(actor, hand.pk),
        "hand": hand,
        "form": form,
        "base_revision": record.revision,
        "refusal": refusal,
        **_second_step(actor, sent, difference.people if difference else None, refusal),
    }
    if difference is not None:
        context["shown"] = _shown(difference, names_of(hand))
    return render(request, "floor/resettle.html", context, status=refusal.status if refusal else 200)


def _hand(actor: Actor, hand_id: UUID) -> Hand:
    hand = (
        Hand.objects.select_related("session__table__room", "session__ruling_account", "rules", "final_record__verdict")
        .prefetch_related("seats__sitting__patron", "wagers__sitting__patron", "bank_shares__sitting__patron")
        .filter(pk=hand_id)
        .first()
    )
    if hand is None:
        raise NotThere("no-such-hand", _("There is no such hand."))
    access_table(actor, hand.session.table_id, ON_THE_FLOOR)
    return hand


def _base(hand: Hand, sent: Mapping[str, str] | None) -> HandRecord:
    """The record that the page began with. Raises ``Conflict`` for a hand without one, ``Malformed`` for none such."""
    if sent is None:
        return check_can_be_judged_again(hand)
    revision = sent.get("base_revision", "")
    record = hand.records.filter(revision=revision).first() if revision.isdecimal() and len(revision) < 5 else None
    if record is None:
        raise page_out_of_date()
    return record


def _confirm_resettle(actor: Actor, hand: Hand, form: CardsForm, revision: int, sent: Mapping[str, str]) -> None:
    hand_resettle(
        order_of_form(actor, sent),
        hand_id=hand.pk,
        base_revision=revision,
        hands=form.hands(),
        incidents=form.kept_incidents(),
        reason_code=sent.get("reason_code", ""),
        reason=sent.get("reason", ""),
    )


def _second_step(
    actor: Actor, sent: Mapping[str, str] | None, people: People | None, refusal: Refusal | None
) -> dict[str, Any]:
    """What the form that confirms shows: its key, why, what was typed, who has to be there."""
    typed = sent or {}
    return {
        "key": typed.get("key") or uuid4(),
        "reasons": [(code.value, code.label) for code in REASONS],
        "typed": typed,
        "people": people,
        "is_too_late": people is not None and people.needs_manager and not actor.has_role(Role.MANAGER),
        "refused_at_confirm": refusal if typed.get("step") == CONFIRM else None,
    }


@dataclass(frozen=True, slots=True)
class Shown:
    """A difference as the page shows it."""

    difference: Difference
    payments: Sequence[PaymentChange]
    cards: Sequence[CardsChange]
    lines: Sequence[Line]
    posted: Sequence[Planned]
    gone: ChipsGone | None


def _shown(difference: Difference, names: Mapping[str, str]) -> Shown:
    before = judged(difference.standing)
    after = (difference.record, difference.verdict)
    return Shown(
        difference=difference,
        payments=payment_changes(before, after, names),
        cards=cards_changes(before[0], after[0], names),
        lines=explain(dict(difference.verdict), dict(difference.record), names),
        posted=planned(difference),
        gone=ChipsGone(difference.shortages) if difference.shortages else None,
    )


@sensitive_post_parameters("approver_pin")
@require_http_methods(["GET", "POST"])
@page
def take_back(request: HttpRequest, actor: Actor, transaction_id: UUID) -> HttpResponse:
    """A buy-in or cash-out: what taking it back changes, reason and second person, and done."""
    transaction = Transaction.objects.prefetch_related("entries").filter(pk=transaction_id).first()
    found = (
        TableSession.objects.filter(book=transaction.book_id).select_related("table__room").first()
        if transaction
        else None
    )
    if transaction is None or found is None:
        raise NotThere("no-such-transaction", _("There is no such transaction at a table."))
    access_table(actor, found.table_id, ON_THE_FLOOR)
    sent = request.POST.dict() if request.method == "POST" else None
    refusal: Refusal | None = None
    back = reverse("floor:session", args=[found.pk])
    if sent is not None:
        try:
            transaction_reverse(
                order_of_form(actor, sent),
                transaction_id=transaction.pk,
                reason_code=sent.get("reason_code", ""),
                reason=sent.get("reason", ""),
            )
            return redirect(back)
        except Refusal as error:
            refusal = error
    difference = take_back_difference(session=found, transaction=transaction, now=timezone.now())
    context = {
        "session": found,
        "difference": difference,
        "gone": ChipsGone(difference.shortages) if difference.shortages else None,
        **_second_step(actor, (sent or {}) | {"step": CONFIRM}, difference.people, refusal),
    }
    return render(request, "floor/take_back.html", context, status=refusal.status if refusal else 200)
