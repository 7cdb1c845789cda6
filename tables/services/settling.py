"""Settling a hand: the verdict's payments become ledger transactions, one by one, in paying order."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict
from ledger.kinds import ReasonCode, TransactionKind
from ledger.rows import Composed, update
from ledger.services import Posting
from tables.models import Hand, HandSeat, Verdict
from tables.models.rooms import Game
from tables.selectors.wagers import shares_of, wagers_of
from tables.services.behind import from_behind
from tables.services.collecting import refunds
from tables.services.commands import Answer, Work, command
from tables.services.hands import give_back, lock_hand
from tables.services.paid_differently import Paid, pay_differently
from tables.services.players import move_on, seated_at_the_end
from tables.services.postings import hand_reference, move
from tables.services.stages import SETTLE, step

_LAST_RECORD = Composed(
    lambda hand_id: (
        Verdict.objects.filter(record__hand=hand_id)
        .order_by("-record__revision")
        .values_list("record_id", "record__revision", "text")[:1]
    )
)
_STACKS = Composed(
    lambda hand_id: HandSeat.objects.filter(hand=hand_id).values_list("number", "sitting__stack_id"),
)


@command("hand.settle")
def hand_settle(work: Work, *, hand_id: UUID, revision: int, paid: Paid = (), note: str = "") -> Answer:
    """Confirm the verdict of a record: post what it says, end the hand, move the button (CP-66).

    ``revision`` is the record that was on the screen. ``paid`` are the lines that were really paid otherwise, with a ``note``:
    see ``pay_differently``; the answer names the exception. A misdeal gives back what the hand took (CP-43). Raises
    ``Conflict`` when nothing was entered, when somebody has entered the hand again since, or when it is over.
    """
    hand = lock_hand(work, hand_id)
    step(hand, SETTLE)
    entered = _LAST_RECORD(hand.pk)
    if not entered:
        raise Conflict("not-recorded", _("The hands are open, and no cards are entered. Enter them first."))
    ((record_id, last_revision, verdict_text),) = entered
    if last_revision != revision:
        raise Conflict(
            "record-changed", _("The hand was entered again meanwhile. Look at the new verdict, then confirm.")
        )
    verdict = json.loads(verdict_text)
    otherwise = pay_differently(work, hand, record_id, verdict, paid, note) if paid or note else None
    if verdict["status"] == "misdeal":
        give_back(work, hand, ReasonCode.MISDEAL, _("Misdeal"))
        _end(work, hand, record_id, Hand.Status.MISDEAL)
    else:
        payments = final_postings(hand, otherwise.verdict if otherwise else verdict)
        _end(work, hand, record_id, Hand.Status.SETTLED)
        if hand.session.table.game == Game.CHINESE_POKER:
            seated = seated_at_the_end(hand)
            work.postings += from_behind(work, hand, seated, payments)
            move_on(hand, seated)
        work.postings += payments
    answer: Answer = {
        "hand": str(hand.pk),
        "number": hand.number,
        "status": hand.status,
        "revision": revision,
        "sheet": hand.session.sheet_number,
    }
    if otherwise is not None and otherwise.exception is not None:
        answer["exception"] = str(otherwise.exception.pk)
    return answer


def final_postings(hand: Hand, verdict: dict[str, Any]) -> list[Posting]:
    """What a verdict pays, one posting for each payment, in paying order."""
    if verdict["status"] == "misdeal":
        return []
    chinese = hand.session.table.game == Game.CHINESE_POKER
    return _payments(hand, verdict) if chinese else _settlements(hand, verdict)


def _payments(hand: Hand, verdict: dict[str, Any]) -> list[Posting]:
    """Chinese Poker: stack to stack, as far as the cap lets each be paid (CP-51, CP-52)."""
    stacks = dict(_STACKS(hand.pk))
    return [
        move(
            TransactionKind.PAYMENT,
            hand_reference(hand),
            stacks[payment["payer"]],
            stacks[payment["payee"]],
            payment["paid"],
            rule="CP-51",
        )
        for payment in verdict["payments"]
        if payment["paid"]
    ]


def _settlements(hand: Hand, verdict: dict[str, Any]) -> list[Posting]:
    """Pai Gow Poker: what each wager comes to in the order of action, then each share of the bank.

    The action account is empty after. Collections of wagers without action follow where the rules give them back (PG-04).
    """
    if hand.action_account_id is None:
        raise RuntimeError(f"{hand.pk} has no action account")
    reference, action = hand_reference(hand), hand.action_account_id
    wagers = {wager.reference: wager for wager in wagers_of(hand)}
    shares = {str(share.sitting_id): share for share in shares_of(hand)}
    due: list[tuple[UUID, int, str]] = []
    for line in sorted(verdict["wagers"], key=lambda line: line["order"]):
        wager = wagers[line["id"]]
        due.append((wager.sitting.stack_id, wager.amount_cents + line["net"], "PG-30"))
    for memo in verdict["bank"]["shares"]:
        share = shares[memo["patron"]]
        due.append((share.sitting.stack_id, share.amount_cents + memo["net"], "PG-52"))
    settlements = [
        move(TransactionKind.SETTLEMENT, reference, action, stack, cents, rule=rule)
        for stack, cents, rule in due
        if cents
    ]
    return [*settlements, *refunds(hand, list(wagers.values()), verdict)]


def _end(work: Work, hand: Hand, record_id: int, status: str) -> None:
    hand.status = status
    hand.final_record_id = record_id
    hand.ended_at = work.now
    update(hand, "status", "final_record_id", "ended_at")
