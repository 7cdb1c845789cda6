"""Settling a hand: the verdict's payments become ledger transactions, one by one, in paying order."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict
from ledger.kinds import ReasonCode, TransactionKind
from ledger.services import Posting
from tables.models import Hand, HandRecord
from tables.models.rooms import SEATS, Game
from tables.services.commands import Answer, Work, command
from tables.services.hands import give_back, hand_reference, lock_hand
from tables.services.postings import move


@command("hand.settle")
def hand_settle(work: Work, *, hand_id: UUID, revision: int) -> Answer:
    """Confirm the verdict of a record: post what it says, end the hand, move the button (CP-66).

    ``revision`` is the record that was on the screen. A misdeal gives back what the hand took (CP-43). Raises ``Conflict``
    when nothing was entered, when somebody has entered the hand again since, or when it is over.
    """
    hand = lock_hand(work, hand_id)
    record = hand.records.select_related("verdict").order_by("-revision").first()
    if record is None:
        raise Conflict("no-record", _("Enter the cards first."))
    if record.revision != revision:
        raise Conflict(
            "record-changed", _("The hand was entered again meanwhile. Look at the new verdict, then confirm.")
        )
    verdict = record.verdict.data
    if verdict["status"] == "misdeal":
        give_back(work, hand, ReasonCode.MISDEAL, _("Misdeal"))
        _end(work, hand, record, Hand.Status.MISDEAL)
    else:
        chinese = hand.session.table.game == Game.CHINESE_POKER
        work.postings += _payments(hand, verdict) if chinese else _settlements(hand, verdict)
        _end(work, hand, record, Hand.Status.SETTLED)
        if chinese:
            _move_button(hand)
    return {"hand": str(hand.pk), "number": hand.number, "status": hand.status, "revision": revision}


def _payments(hand: Hand, verdict: dict[str, Any]) -> list[Posting]:
    """Chinese Poker: stack to stack, as far as the cap lets each be paid (CP-51, CP-52)."""
    stacks = dict(hand.seats.values_list("number", "sitting__stack_id"))
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

    The action account is empty after.
    """
    if hand.action_account_id is None:
        raise RuntimeError(f"{hand.pk} has no action account")
    reference, action = hand_reference(hand), hand.action_account_id
    wagers = {wager.reference: wager for wager in hand.wagers.select_related("sitting")}
    shares = {str(share.sitting_id): share for share in hand.bank_shares.select_related("sitting")}
    due: list[tuple[UUID, int, str]] = []
    for line in sorted(verdict["wagers"], key=lambda line: line["order"]):
        wager = wagers[line["id"]]
        due.append((wager.sitting.stack_id, wager.amount_cents + line["net"], "PG-30"))
    for memo in verdict["bank"]["shares"]:
        share = shares[memo["patron"]]
        due.append((share.sitting.stack_id, share.amount_cents + memo["net"], "PG-52"))
    return [
        move(TransactionKind.SETTLEMENT, reference, action, stack, cents, rule=rule)
        for stack, cents, rule in due
        if cents
    ]


def _end(work: Work, hand: Hand, record: HandRecord, status: str) -> None:
    hand.status = status
    hand.final_record = record
    hand.ended_at = work.now
    hand.save(update_fields=["status", "final_record", "ended_at"])


def _move_button(hand: Hand) -> None:
    """One seat clockwise to the next player in a seat; it rests where nobody else is there to take it (CP-66)."""
    session = hand.session
    occupied = set(
        session.sittings.filter(ended_at__isnull=True, seat__isnull=False).values_list("seat__number", flat=True)
    )
    seats = SEATS[session.table.game]
    clockwise = [(hand.button_seat - 1 + step) % seats + 1 for step in range(1, seats + 1)]
    session.button_seat = next((seat for seat in clockwise if seat in occupied), hand.button_seat)
    session.save(update_fields=["button_seat"])
