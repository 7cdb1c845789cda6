"""Seats: which are free, holding one for somebody, and putting the button where it belongs."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import F
from django.db.models.functions import Least
from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere
from casino.staff.actor import ON_THE_FLOOR
from ledger.rows import update
from tables.models import Patron, Seat, SeatHold, Sitting, TableSession
from tables.selectors.seats import holds_running
from tables.services.commands import Answer, Work, command
from tables.services.patrons import patron_of
from tables.services.players import check_may_have_button
from tables.services.reasons import check_reason
from tables.services.restrictions import check_not_restricted
from tables.services.sessions import lock_session

MAX_HOLD_MINUTES = 120


@command("seat.hold")
def seat_hold(
    work: Work, *, session_id: UUID, seat: int, minutes: int, patron_number: str = "", description: str = ""
) -> Answer:
    """Keep a free seat for a patron, known by card number or only described, for up to 120 minutes.

    Raises ``Conflict`` where somebody sits, the seat is held already, or the patron has a seat or a held one at this table,
    ``Malformed`` for a time that cannot be, ``Forbidden`` for who may not play.
    """
    session = lock_session(work, session_id)
    check_hold_minutes(minutes)
    place = seat_to_hold(session, seat, work.now)
    patron = patron_of(work, session.table.room, patron_number.strip(), description.strip())
    hold = hold_seat(work, session, place, patron, minutes)
    return {"seat": seat, "patron": patron.name, "until": hold.until.isoformat()}


def check_hold_minutes(minutes: int) -> None:
    """Raise ``Malformed`` for a time that nobody is waited for."""
    if not 1 <= minutes <= MAX_HOLD_MINUTES:
        message = _("A seat is held for 1 to %(most)s minutes.") % {"most": MAX_HOLD_MINUTES}
        raise Malformed("out-of-range", message, fields={"minutes": message})


def seat_to_hold(session: TableSession, number: int, now: datetime) -> Seat:
    """A seat that nobody sits in and that is held for nobody. Raises ``NotThere``, ``Conflict``."""
    place = free_seat(session, number)
    held = hold_of(place, now)
    if held is not None:
        raise _seat_held(held)
    return place


def hold_seat(work: Work, session: TableSession, place: Seat, patron: Patron, minutes: int) -> SeatHold:
    """Keep a ``seat_to_hold`` for a patron. Raises ``Conflict`` for who has a seat or a held one here, ``Forbidden``."""
    check_not_restricted(patron, work.now)
    check_not_at_table(session, patron)
    if holds_running(work.now).filter(session=session, patron=patron).exists():
        raise Conflict("seat-held", _("A seat is held for %(name)s already.") % {"name": patron.name})
    SeatHold.objects.filter(seat=place, ended_at__isnull=True).update(ended_at=F("until"))
    return SeatHold.objects.create(
        session=session,
        seat=place,
        patron=patron,
        held_at=work.now,
        until=work.now + timedelta(minutes=minutes),
        command_id=work.order.key,
    )


@command("seat.release")
def seat_release(work: Work, *, session_id: UUID, seat: int) -> Answer:
    """Let a held seat go before its time. Floor only. Raises ``Conflict`` for a seat that is not held."""
    session = lock_session(work, session_id, ON_THE_FLOOR)
    held = hold_of(_seat(session, seat), work.now)
    if held is None:
        raise Conflict("not-held", _("Nobody holds seat %(number)s.") % {"number": seat})
    work.patron = held.patron
    held.ended_at = work.now
    held.save(update_fields=["ended_at"])
    return {"seat": seat, "patron": held.patron.name}


def _seat(session: TableSession, number: int) -> Seat:
    seat = Seat.objects.filter(table=session.table, number=number).first()
    if seat is None:
        raise NotThere("no-such-seat", _("This table has no seat %(number)s.") % {"number": number})
    return seat


def free_seat(session: TableSession, number: int) -> Seat:
    """A seat that nobody sits in; it may be held. Raises ``NotThere`` for no seat of the table, ``Conflict``."""
    seat = _seat(session, number)
    taken = Sitting.objects.filter(seat=seat, ended_at__isnull=True).select_related("patron").first()
    if taken is not None:
        message = _("%(name)s sits in seat %(number)s.") % {"name": taken.patron.name, "number": number}
        raise Conflict("seat-taken", message)
    return seat


def hold_of(seat: Seat, now: datetime) -> SeatHold | None:
    """The hold on a seat, if it still is held."""
    return holds_running(now).filter(seat=seat).first()


def take_seat(session: TableSession, seat: Seat, patron: Patron, now: datetime) -> None:
    """Let a held seat be taken by the patron it is held for, and by nobody else: raises ``Conflict``, which says who.

    Whoever sits down needs no seat held at this table any more.
    """
    held = hold_of(seat, now)
    if held is not None and held.patron_id != patron.pk:
        raise _seat_held(held)
    session.seat_holds.filter(patron=patron, ended_at__isnull=True).update(ended_at=Least(F("until"), now))


def _seat_held(held: SeatHold) -> Conflict:
    until = held.until.astimezone(held.seat.table.room.zone)
    message = _("Seat %(number)s is held for %(name)s until %(time)s. Floor can let it go.")
    values = {"number": held.seat.number, "name": held.patron.name, "time": f"{until:%H:%M}"}
    return Conflict("seat-held", message % values)


def check_not_at_table(session: TableSession, patron: Patron) -> None:
    """Raise ``Conflict`` for who is at the table already: each sits once and sets one hand only (PG-24)."""
    if session.sittings.filter(patron=patron, ended_at__isnull=True).exists():
        raise Conflict("patron-seated", _("%(name)s sits at this table already.") % {"name": patron.name})


@command("session.correct_button")
def session_correct_button(work: Work, *, session_id: UUID, seat: int, reason: str) -> Answer:
    """Put the button where it belongs, between hands, with a reason. Floor only.

    Raises ``Conflict`` while a hand is out and for an empty seat, ``Refusal`` for a new player's (CP-62).
    """
    session = lock_session(work, session_id, ON_THE_FLOOR)
    reason = check_reason(reason, _("Say in up to 300 characters why the button is moved."))
    out = session.hands.filter(status="out").first()
    if out is not None:
        message = _("Hand %(number)s is out. The button stays until it is over.") % {"number": out.number}
        raise Conflict("hand-out", message, rule="CP-66")
    place = _seat(session, seat)
    if not session.sittings.filter(seat=place, ended_at__isnull=True).exists():
        message = _("Nobody sits in seat %(number)s.") % {"number": seat}
        raise Conflict("empty-seat", message, rule="CP-66", fields={"seat": message})
    check_may_have_button(session, seat)
    before, session.button_seat = session.button_seat, seat
    update(session, "button_seat")
    return {"session": str(session.pk), "before": before, "button": seat, "reason": reason}
