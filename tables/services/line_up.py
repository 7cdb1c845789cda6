"""The line-up of dealers: coming on, going off, breaks. Floor keeps it, on the web."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere
from casino.staff.actor import ON_THE_FLOOR
from casino.staff.models import Role, User
from tables.access import check_works_in
from tables.lock_objects import lock_duty
from tables.models import DealerBreak, DealerShift, Duty
from tables.services.commands import Answer, Work, command
from tables.services.schedules import room_of

BREAK_MINUTES = 20
LONGEST_BREAK_MINUTES = 120


@command("staff.come_on")
def staff_come_on(work: Work, *, room: str, badge: str) -> Answer:
    """Put a dealer on duty in a room of the actor's; ``room`` is its slug.

    Raises ``NotThere`` for no such room or dealer of it, ``Forbidden`` in a room that is not the actor's, ``Conflict`` for who is
    on duty already, here or elsewhere.
    """
    work.without_table(ON_THE_FLOOR)
    at = room_of(work, room)
    dealer = User.objects.filter(
        badge_number=badge.strip(), is_active=True, roles__contains=[Role.DEALER], rooms__room=at
    ).first()
    if dealer is None:
        raise NotThere("no-such-dealer", _("No dealer of this room has this badge."))
    on_duty = Duty.objects.filter(dealer=dealer, went_off_at__isnull=True).select_related("room").first()
    if on_duty is not None:
        values = {"name": dealer.name, "room": on_duty.room}
        raise Conflict("on-duty-already", _("%(name)s is on duty already, in %(room)s.") % values)
    duty = Duty.objects.create(room=at, dealer=dealer, came_on_at=work.now, command_id=work.order.key)
    return {"duty": str(duty.pk), "dealer": dealer.badge_number}


@command("staff.go_off")
def staff_go_off(work: Work, *, duty_id: UUID) -> Answer:
    """End a dealer's duty, and the break it ends in. Raises ``Conflict`` for who deals or has gone off, ``NotThere``."""
    duty = _lock_duty(work, duty_id)
    _check_deals_nowhere(duty.dealer)
    duty.breaks.filter(ended_at__isnull=True).update(ended_at=work.now)
    duty.went_off_at = work.now
    duty.save(update_fields=["went_off_at"])
    return {"duty": str(duty.pk), "dealer": duty.dealer.badge_number}


@command("staff.break_start")
def staff_break_start(work: Work, *, duty_id: UUID, minutes: int = BREAK_MINUTES) -> Answer:
    """Send a dealer on a break of so many minutes; nothing ends it by itself.

    Raises ``Conflict`` for who deals, is on a break or has gone off, ``Malformed`` for another time than 1 to 120 minutes.
    """
    duty = _lock_duty(work, duty_id)
    if not 1 <= minutes <= LONGEST_BREAK_MINUTES:
        message = _("A break takes 1 to 120 minutes.")
        raise Malformed("out-of-range", message, fields={"minutes": message})
    if duty.breaks.filter(ended_at__isnull=True).exists():
        raise Conflict("on-a-break", _("%(name)s is on a break already.") % {"name": duty.dealer.name})
    _check_deals_nowhere(duty.dealer)
    due_back_at = work.now + timedelta(minutes=minutes)
    DealerBreak.objects.create(duty=duty, started_at=work.now, due_back_at=due_back_at, command_id=work.order.key)
    return {"duty": str(duty.pk), "dealer": duty.dealer.badge_number, "due_back": due_back_at.isoformat()}


@command("staff.break_end")
def staff_break_end(work: Work, *, duty_id: UUID) -> Answer:
    """A dealer is back from the break, and last in the line-up. Raises ``Conflict`` for who is on none, ``NotThere``."""
    duty = _lock_duty(work, duty_id)
    if not duty.breaks.filter(ended_at__isnull=True).update(ended_at=work.now):
        raise Conflict("on-no-break", _("%(name)s is on no break.") % {"name": duty.dealer.name})
    return {"duty": str(duty.pk), "dealer": duty.dealer.badge_number}


def _lock_duty(work: Work, duty_id: UUID) -> Duty:
    """A dealer on duty in a room of the actor's, locked. Raises ``NotThere``, ``Forbidden``, ``Conflict`` when off."""
    work.without_table(ON_THE_FLOOR)
    duty = lock_duty(duty_id)
    if duty is None:
        raise NotThere("no-such-duty", _("Nobody is on duty under this name. Load the page again."))
    work.now = timezone.now()
    check_works_in(work.actor, duty.room_id)
    if duty.went_off_at is not None:
        raise Conflict("went-off", _("%(name)s has gone off already.") % {"name": duty.dealer.name})
    return duty


def _check_deals_nowhere(dealer: User) -> None:
    shift = DealerShift.objects.filter(dealer=dealer, ended_at__isnull=True).select_related("session__table").first()
    if shift is not None:
        values = {"name": dealer.name, "table": shift.session.table}
        raise Conflict("deals", _("%(name)s deals at %(table)s. Another dealer signs in there first.") % values)
