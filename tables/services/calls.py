"""The table asks for floor: calls with a reason, who is on the way, and the last hand to be taken back or put right."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere, Refusal
from casino.staff.actor import ON_THE_FLOOR
from tables.access import AT_THE_TABLE
from tables.models import CallAnswer, CallClose, FloorCall, Hand, TableException, TableSession
from tables.selectors.calls import is_undo_asked, open_calls
from tables.selectors.corrections import ruling_window
from tables.services.approvals import check_second_person
from tables.services.commands import Answer, Work, command
from tables.services.hands import lock_any_hand
from tables.services.reasons import MAX_REASON, check_reason
from tables.services.sessions import lock_session
from tables.services.unsettled import RULE, keep_exception

Reason = FloorCall.Reason


@command("floor.call")
def floor_call(work: Work, *, session_id: UUID, reason: str, note: str = "", hand_id: UUID | None = None) -> Answer:
    """Call floor to the table for a ``decision``, a ``fill``, a ``dispute`` or for ``service``.

    ``hand_id`` names a hand of the session. Raises ``Conflict`` while a call for the same reason is open, ``Malformed``.
    """
    session = lock_session(work, session_id)
    if reason not in Reason.values:
        message = _("Choose what floor is needed for: %(reasons)s.") % {"reasons": ", ".join(Reason.values)}
        raise Malformed("out-of-range", message, fields={"reason": message})
    note = note.strip()
    if len(note) > MAX_REASON:
        message = _("Say it in up to 300 characters.")
        raise Malformed("out-of-range", message, fields={"note": message})
    if hand_id is not None and not session.hands.filter(pk=hand_id).exists():
        message = _("This hand was not dealt in this session.")
        raise Malformed("out-of-range", message, fields={"hand_id": message})
    _check_not_called(session, reason)
    call = FloorCall.objects.create(
        session=session, hand_id=hand_id, reason=reason, note=note, called_at=work.now, command_id=work.order.key
    )
    return {"call": str(call.pk), "session": str(session.pk), "reason": reason}


def _check_not_called(session: TableSession, reason: str) -> None:
    running = next((call for call in open_calls(session) if call.reason == reason), None)
    if running is None:
        return
    if running.answered_by:
        message = _("%(name)s is on the way already.") % {"name": running.answered_by}
    else:
        message = _("Floor is called for this already, and nobody has answered yet.")
    raise Conflict("called-already", message)


@command("floor.answer")
def floor_answer(work: Work, *, call_id: UUID) -> Answer:
    """Say that one is on the way to a table that has called. Raises ``Conflict`` where somebody has said so, ``NotThere``."""
    call = _lock_call(work, call_id, ON_THE_FLOOR)
    if (answer := getattr(call, "answer", None)) is not None:
        values = {"name": answer.command.actor.name}
        raise Conflict("answered-already", _("%(name)s has answered this call already.") % values)
    CallAnswer.objects.create(call=call, answered_at=work.now, command_id=work.order.key)
    return {"call": str(call.pk), "answered_by": work.actor.name}


@command("floor.close")
def floor_close(work: Work, *, call_id: UUID) -> Answer:
    """End a call: floor at any time, the dealer once it was answered, or with a supervisor who gives badge and PIN there.

    Floor also notes one so that the table was closed over.

    Raises ``Refusal`` for a dealer before that, ``Forbidden`` for a second person who is none, ``Conflict`` where it is
    closed, ``NotThere``.
    """
    call = _lock_call(work, call_id, AT_THE_TABLE, even_closed=work.actor.on_the_floor)
    if work.order.approver is not None:
        check_second_person(work, call.session.table.room_id)
    elif not (work.actor.on_the_floor or hasattr(call, "answer")):
        message = _(
            "Nobody has answered this call yet. You can end it once floor has answered, or floor does with badge and PIN."
        )
        raise Refusal("not-answered", message, status=409)
    CallClose.objects.create(call=call, closed_at=work.now, command_id=work.order.key)
    return {"call": str(call.pk), "closed": True}


def _lock_call(work: Work, call_id: UUID, roles: tuple[str, ...], *, even_closed: bool = False) -> FloorCall:
    """A call that is open, its table locked. Raises ``NotThere``, ``Forbidden``, ``Conflict`` where it or the table is closed.

    ``even_closed`` is for noting a call that nobody had answered when the table was closed.
    """
    session_id = FloorCall.objects.filter(pk=call_id).values_list("session_id", flat=True).first()
    if session_id is None:
        raise NotThere("no-such-call", _("There is no such call."))
    session = lock_session(work, session_id, roles, even_closed=even_closed)
    call = FloorCall.objects.select_related("answer__command__actor", "close__command__actor").get(pk=call_id)
    if (close := getattr(call, "close", None)) is not None:
        values = {"name": close.command.actor.name}
        raise Conflict("call-closed", _("%(name)s has closed this call already.") % values)
    call.session = session
    return call


@command("hand.ask_undo")
def hand_ask_undo(work: Work, *, hand_id: UUID, reason: str) -> Answer:
    """Ask floor to take back or put right the last hand, until the next one begins (PG-45). Nothing moves by asking.

    It becomes an exception that floor decides on; what is wrong then is put right by ``hand.resettle`` or
    ``transaction.reverse``. Raises ``Conflict`` while the hand is out or where floor was asked, ``Refusal`` once the next hand
    has begun, ``Malformed`` without a reason.
    """
    hand = lock_any_hand(work, hand_id, AT_THE_TABLE)
    _check_may_be_undone(hand)
    reason = check_reason(reason, _("Say in up to 300 characters what is wrong."))
    if is_undo_asked(hand):
        message = _("Floor was asked about hand %(number)s already and has not decided yet.")
        raise Conflict("undo-asked", message % {"number": hand.number})
    words = _("Hand %(number)s is to be taken back or put right: %(reason)s") % {
        "number": hand.number,
        "reason": reason,
    }
    row = keep_exception(work, hand.session, hand, TableException.Kind.UNDO_ASKED, words)
    return {"exception": str(row.pk), "hand": str(hand.pk), "number": hand.number}


def _check_may_be_undone(hand: Hand) -> None:
    values = {"number": hand.number}
    if hand.is_out:
        message = _("Hand %(number)s is still out. Enter its cards again, or ask floor to void it.")
        raise Conflict("hand-out", message % values)
    if hand.status == Hand.Status.VOID:
        raise Conflict("hand-voided", _("Hand %(number)s was voided; everything went back already.") % values)
    window = ruling_window(hand)
    if window.is_open:
        return
    since = _("The table is closed.")
    if window.next_hand is not None:
        since = _("Hand %(next)s has begun.") % {"next": window.next_hand}
    instead = _(
        "Hand %(number)s is no longer taken back from here. Call floor: a manager can still settle it again, "
        "with a second person."
    )
    raise Refusal("window-over", f"{since} {instead}" % values, rule=RULE, status=409)
