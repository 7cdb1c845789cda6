"""The clock: floor calls time on a player, and a hand is set for somebody whose time is up or who is gone (CP-64).

Nothing runs. A call stores when its time is over, and whoever asks later compares.
"""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Refusal
from casino.staff.actor import ON_THE_FLOOR
from tables.selectors.marks import Kind, SeatMarks, marks_of
from tables.services.commands import Answer, Work, command
from tables.services.marks import add_mark, lock_unset, mark_as_set

RULE = "CP-64"


@command("clock.call")
def clock_call(work: Work, *, hand_id: UUID, seat: int) -> Answer:
    """Call time on a seat that has not set: from now it has the session's ``clock_seconds``. Floor only.

    Raises ``Conflict`` while time runs for the seat already, or where it has set.
    """
    hand, marks = lock_unset(work, hand_id, seat, ON_THE_FLOOR)
    if marks.time_until is not None:
        raise Conflict("clock-running", _("Time is called on seat %(seat)s already.") % {"seat": seat}, rule=RULE)
    expires_at = work.now + timedelta(seconds=hand.session.clock_seconds)
    add_mark(work, hand, seat, Kind.CLOCK_CALLED, expires_at=expires_at)
    return {"hand": str(hand.pk), "seat": seat, "expires_at": expires_at.isoformat()}


@command("clock.stop")
def clock_stop(work: Work, *, hand_id: UUID, seat: int) -> Answer:
    """Stop the clock of a seat, run out or not, as long as its hand was not set for it. Floor only."""
    hand, marks = lock_unset(work, hand_id, seat, ON_THE_FLOOR)
    if marks.time_until is None:
        raise Conflict("no-clock", _("No time is called on seat %(seat)s.") % {"seat": seat}, rule=RULE)
    add_mark(work, hand, seat, Kind.CLOCK_STOPPED)
    return {"hand": str(hand.pk), "seat": seat}


@command("hand.set_by_clock")
def hand_set_by_clock(work: Work, *, hand_id: UUID, seat: int) -> Answer:
    """The hand of a seat whose time is up, or whose player has left, is to be set for it (CP-64).

    Its cards are then entered in one pile: the engine sets them legally, never with a declared automatic win; in Pai Gow Poker
    the house way. Raises ``Refusal`` while time is left, and for a seat that has declared or surrendered, of which nothing is
    left to be set.
    """
    hand, marks = lock_unset(work, hand_id, seat)
    _check_time_is_up(work, marks)
    if marks.announced in (Kind.DECLARED, Kind.SURRENDERED):
        message = _("Seat %(seat)s has declared or surrendered; nothing is left to be set. Mark it as set.")
        raise Refusal("announced", message % {"seat": seat}, rule=RULE)
    waiting = mark_as_set(hand, seat, marks_of(hand))
    add_mark(work, hand, seat, Kind.SET_BY_CLOCK)
    return {"hand": str(hand.pk), "stage": hand.stage, "not_set": waiting}


def _check_time_is_up(work: Work, marks: SeatMarks) -> None:
    if marks.has_left:
        return
    values = {"seat": marks.seat}
    if marks.time_until is None:
        message = _("No time is called on seat %(seat)s, and its player has not left. Floor calls time first.")
        raise Refusal("no-clock", message % values, rule=RULE)
    if work.now < marks.time_until:
        left = (marks.time_until - work.now).seconds + 1
        message = _("Seat %(seat)s has %(left)s more seconds to set.") % {**values, "left": left}
        raise Refusal("time-left", message, rule=RULE)
