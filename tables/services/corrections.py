"""Corrections (PG-45): a hand judged again after it was settled, and a buy-in or cash-out taken back.

Nothing is changed or removed: what was posted is reversed with the reason, what is right is posted beside it, and a row
says what was before. Until the next hand begins floor may do it alone, up to the room's limit; after that, and after the
table was closed, a manager with a second person.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Forbidden, Malformed, NotThere
from casino.staff.actor import ON_THE_FLOOR
from casino.staff.models import Role
from ledger.errors import dollars
from ledger.kinds import AccountKind, ReasonCode, TransactionKind
from ledger.models import Transaction
from ledger.services import Posting, account_open, reverse
from tables.models import Hand, HandRecord, Resettlement, Reversal, TableSession
from tables.models.rooms import Game
from tables.selectors.corrections import People
from tables.services.approvals import check_second_person
from tables.services.behind import take_back_behind
from tables.services.collecting import carries_collection, carry
from tables.services.commands import Answer, Work, command
from tables.services.differences import (
    RULE,
    ChipsGone,
    Difference,
    check_can_be_judged_again,
    resettle_difference,
    take_back_difference,
)
from tables.services.hands import lock_any_hand
from tables.services.players import move_back, move_on, seated_at_the_end
from tables.services.reasons import check_reason
from tables.services.records import keep_record
from tables.services.sessions import lock_session
from tables.services.sittings import hand_out, is_in_hand

# A void has its own verb; everything else can be why something settled was wrong.
REASONS = tuple(code for code in ReasonCode if code is not ReasonCode.VOID)


@command("hand.resettle")
def hand_resettle(
    work: Work,
    *,
    hand_id: UUID,
    base_revision: int,
    hands: Sequence[Mapping[str, Any]],
    incidents: Sequence[Mapping[str, Any]] = (),
    reason_code: str,
    reason: str,
) -> Answer:
    """Judge a settled hand or a misdeal again from other cards, take back what it moved, and post what is right.

    ``hands`` and ``incidents`` are as for ``hand.record``, ``base_revision`` the record that was on the screen. Payments that
    come out the same are left alone. A hand that becomes a misdeal gives everything back, its collection too (CP-43), which
    in Pai Gow Poker waits for the next deal where there was none yet (PG-04); one that was a misdeal has it taken again.
    Before the next hand the button follows (CP-66). A jackpot's award goes back, to be given by the new verdict (CP-63).

    Raises ``Conflict`` where somebody has corrected the hand meanwhile or it cannot be corrected now, ``Malformed`` with all
    faults of the cards or without a reason, ``Forbidden`` for who may not and where a second person is missing, and
    ``ChipsGone`` where somebody has no longer what would be taken back.
    """
    code, reason = _why(reason_code, reason)
    hand = _lock_judged_hand(work, hand_id, base_revision)
    difference = resettle_difference(hand=hand, hands=hands, incidents=incidents)
    _check_people(work, hand.session, difference.people)
    if difference.shortages:
        raise ChipsGone(difference.shortages)
    record = keep_record(work, hand, hand.records.count() + 1, difference.record_text, difference.verdict)
    work.postings += [_with_reason(posting, code, reason) for posting in _postings(hand.session, difference)]
    carry(work, hand, is_carried=difference.status == Hand.Status.MISDEAL and carries_collection(hand))
    row = _keep_resettlement(work, difference, record, code, reason)
    hand.status, hand.final_record = difference.status, record
    hand.save(update_fields=["status", "final_record"])
    if row.in_window and row.status_before != row.status_after:
        _button_follows(hand)
    return {
        "hand": str(hand.pk),
        "number": hand.number,
        "status": hand.status,
        "revision": record.revision,
        "sheet": hand.session.sheet_number,
        **_ruled(difference.people),
    }


def _why(reason_code: str, reason: str) -> tuple[ReasonCode, str]:
    if reason_code not in REASONS:
        message = _("Choose why: %(codes)s.") % {"codes": ", ".join(str(code.label) for code in REASONS)}
        raise Malformed("out-of-range", message, fields={"reason_code": message})
    return ReasonCode(reason_code), check_reason(reason, _("Say in up to 300 characters why this is corrected."))


def _lock_judged_hand(work: Work, hand_id: UUID, base_revision: int) -> Hand:
    hand = lock_any_hand(work, hand_id, ON_THE_FLOOR)
    if check_can_be_judged_again(hand).revision != base_revision:
        raise Conflict(
            "corrected-meanwhile",
            _("Somebody has corrected this hand meanwhile. Look at it as it is now, then decide again."),
        )
    return hand


def _check_people(work: Work, session: TableSession, people: People) -> None:
    """Who may do it, and the second person where one is needed or came along. Raises ``Forbidden``."""
    if people.needs_manager and not work.actor.has_role(Role.MANAGER):
        since = _("hand %(number)s has begun") % {"number": people.window.next_hand}
        why = since if people.window.next_hand else _("the table is closed")
        message = _("Too late for floor: %(why)s. A manager can still correct this, with a second person.")
        raise Forbidden("window-over", message % {"why": why}, rule=RULE)
    approver = work.order.approver
    if approver is None and people.needs_second:
        why = _("the next hand has begun or the table is closed")
        if people.window.is_open:
            why = _("more than %(limit)s changes hands") % {"limit": dollars(people.limit_cents)}
        message = _("A second person has to give badge and PIN: %(why)s.") % {"why": why}
        raise Forbidden("second-person", message, rule=RULE, fields={"approver_badge": message})
    if approver is not None:
        check_second_person(work, session.table.room_id, rule=RULE)


def _postings(session: TableSession, difference: Difference) -> list[Posting]:
    if not difference.advances:
        return list(difference.postings)
    if session.ruling_account_id is None:
        name = f"Held during rulings, {session.table} {session.opened_at.astimezone(session.table.room.zone):%Y-%m-%d %H:%M}"
        session.ruling_account = account_open(kind=AccountKind.RULING, name=name)
        session.save(update_fields=["ruling_account"])
    if session.ruling_account_id is None:
        raise RuntimeError("unreachable: it was opened above")
    return difference.in_full(session.ruling_account_id)


def _with_reason(posting: Posting, code: ReasonCode, reason: str) -> Posting:
    if posting.kind is not TransactionKind.REVERSAL:
        return posting
    return replace(posting, reason_code=code.value, reason=reason)


def _keep_resettlement(
    work: Work, difference: Difference, record: HandRecord, code: ReasonCode, reason: str
) -> Resettlement:
    hand = difference.hand
    return Resettlement.objects.create(
        hand=hand,
        number=hand.resettlements.count() + 1,
        before=difference.standing,
        after=record,
        status_before=hand.status,
        status_after=difference.status,
        **_correction(work, difference.people, code, reason),
    )


def _correction(work: Work, people: People, code: ReasonCode, reason: str) -> dict[str, Any]:
    """What every correction keeps."""
    return {
        "command_id": work.order.key,
        "reason_code": code.value,
        "reason": reason,
        "approver_id": work.order.approver.user_id if work.order.approver else None,
        **_ruled(people),
    }


def _ruled(people: People) -> dict[str, Any]:
    """What decided who had to be there. It is in the command's answer too, and so in the ledger's chain."""
    return {
        "in_window": people.window.is_open,
        "moved_cents": people.moved_cents,
        "limit_cents": people.limit_cents,
    }


def _button_follows(hand: Hand) -> None:
    """A misdeal moves no button (CP-43), a settled hand does (CP-66)."""
    if hand.session.table.game != Game.CHINESE_POKER:
        return
    if hand.status == Hand.Status.SETTLED:
        move_on(hand, seated_at_the_end(hand))
    else:
        move_back(hand)


@command("transaction.reverse")
def transaction_reverse(work: Work, *, transaction_id: UUID, reason_code: str, reason: str) -> Answer:
    """Take back a buy-in, chips carried in, a cash-out, chips carried out, or a colour-up that was not played with yet.

    A buy-in that was taken back counts no more for short buys (CP-60). A cash-out that was taken back seats its patron
    again where they may sit down as anybody may; else the chips wait on the stack to be paid out.

    Raises ``Refusal`` for any other transaction and, in Chinese Poker, for somebody who is in a hand that is out (CP-61),
    ``Conflict`` for what was taken back before, ``Malformed`` without a reason, ``Forbidden`` as for ``hand.resettle``, and
    ``ChipsGone`` where the stack does not hold what was bought.
    """
    code, reason = _why(reason_code, reason)
    transaction, session = _lock_transaction(work, transaction_id)
    difference = take_back_difference(session=session, transaction=transaction, now=work.now)
    _check_people(work, session, difference.people)
    sitting = difference.sitting
    if session.table.game == Game.CHINESE_POKER and is_in_hand(sitting):
        raise hand_out(_("no chips are taken off before it is over"))
    if difference.shortages:
        raise ChipsGone(difference.shortages)
    take_back_behind(work, sitting, transaction)
    work.postings.append(reverse(transaction, reason_code=code, reason=reason, rule=RULE))
    Reversal.objects.create(
        transaction=transaction, sitting=sitting, **_correction(work, difference.people, code, reason)
    )
    if difference.seats_again:
        sitting.ended_at = None
        sitting.save(update_fields=["ended_at"])
    return {
        "sitting": str(sitting.pk),
        "transaction": str(transaction.pk),
        "stack_cents": difference.stack.after_cents,
        "is_seated": sitting.ended_at is None,
        **_ruled(difference.people),
    }


def _lock_transaction(work: Work, transaction_id: UUID) -> tuple[Transaction, TableSession]:
    """A transaction in the book of a session, the session's table locked. Raises ``NotThere``, ``Forbidden``."""
    transaction = Transaction.objects.prefetch_related("entries").filter(pk=transaction_id).first()
    session = TableSession.objects.filter(book=transaction.book_id).first() if transaction else None
    if transaction is None or session is None:
        raise NotThere("no-such-transaction", _("There is no such transaction at a table."))
    return transaction, lock_session(work, session.pk, ON_THE_FLOOR, even_closed=True)
