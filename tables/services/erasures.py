"""Erasing a patron's personal data, on the person's own request. What they played stays, under a label that names nobody."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import Max, Q
from django.utils.translation import gettext as _

from casino.errors import Conflict, Forbidden, Malformed, NotThere, Refusal
from casino.staff.changes import say_who
from casino.staff.models import Role
from ledger.selectors import balances_of
from tables.lock_objects import lock_patron
from tables.models import Dispute, Erasure, Patron, TableException
from tables.models.restrictions import Restriction
from tables.selectors.restrictions import restrictions_of
from tables.selectors.seats import holds_running
from tables.services.approvals import check_second_person
from tables.services.commands import Answer, Work, command
from tables.services.reasons import check_reason

if TYPE_CHECKING:
    from datetime import datetime


@command("patron.erase")
def patron_erase(work: Work, *, patron_id: UUID, asked_date: str, reason: str) -> Answer:
    """Erase a patron's name, card number and description everywhere but in free text, for good: compliance and a manager.

    ``asked_date`` is the day on which the person asked for it (``2026-11-30``). The database does it when the ``Erasure`` is
    there. Raises ``NotThere``; ``Forbidden`` without a manager of the room as second person; ``Malformed``; ``Conflict`` for
    who was erased before, sits, waits, has a seat held, chips left, or a dispute or an exception open; ``Refusal`` for who is
    barred or self-restricted, whom staff must be able to recognise.
    """
    work.without_table((Role.COMPLIANCE,))
    reason = check_reason(reason, _("Say in up to 300 characters why it is erased, without the person's name."))
    patron = lock_patron(patron_id)
    if patron is None:
        raise NotThere("no-such-patron", _("There is no such patron. Search for the name or the card."))
    _check_manager_agrees(work, patron)
    on = _asked_on(work, patron, asked_date)
    check_may_be_erased(patron, work.now)
    number = (patron.room.erasures.aggregate(last=Max("number"))["last"] or 0) + 1
    label = _("Erased patron %(number)s") % {"number": f"{number:04}"}
    say_who(work.actor.user_id, reason=reason, command=work.order.key)
    Erasure.objects.create(
        patron=patron,
        room=patron.room,
        number=number,
        label=label,
        asked_date=on,
        reason=reason,
        erased_at=work.now,
        command_id=work.order.key,
    )
    return {"patron": str(patron.pk), "number": number, "label": label}


def _check_manager_agrees(work: Work, patron: Patron) -> None:
    check_second_person(work, patron.room_id)
    approver = work.order.approver
    if approver is None or not approver.has_role(Role.MANAGER):
        message = _("The second person is a manager of the room.")
        raise Forbidden("second-person", message, fields={"approver_badge": message})


def _asked_on(work: Work, patron: Patron, text: str) -> date:
    try:
        day: date | None = date.fromisoformat(text)
    except ValueError:
        day = None
    # Written in one way alone: the command keeps what was typed, and is compared with the day that is stored.
    if day is None or day.isoformat() != text:
        message = _("Give the day on which the person asked for it, such as 2026-11-30.")
        raise Malformed("malformed", message, fields={"asked_date": message})
    if day > work.now.astimezone(patron.room.zone).date():
        message = _("This day has not come yet.")
        raise Malformed("out-of-range", message, fields={"asked_date": message})
    return day


def check_may_be_erased(patron: Patron, now: datetime) -> None:
    """Raise ``Conflict`` or ``Refusal``, with what has to be done first or from when on it can be, while it cannot."""
    if Erasure.objects.filter(patron=patron).exists():
        raise Conflict("erased-already", _("This patron was erased already."))
    sittings = list(patron.sittings.select_related("session__table"))
    seated = next((each for each in sittings if each.ended_at is None), None)
    if seated is not None:
        message = _("They are at %(table)s. Cash them out first.") % {"table": seated.session.table}
        raise Conflict("patron-at-table", message)
    if any(balances_of([each.stack_id for each in sittings]).values()):
        raise Conflict("patron-owed", _("Chips of theirs are still here from a correction. Pay them out first."))
    if patron.waiting.filter(ended_at__isnull=True).exists():
        raise Conflict("patron-waiting", _("They are on a waiting list. Take them off it first."))
    if holds_running(now).filter(patron=patron).exists():
        raise Conflict("patron-seat-held", _("A seat is held for them. Let it go first."))
    _check_nothing_open(patron)
    restrictions = restrictions_of([patron], patron.room, now)
    if restrictions:
        raise Refusal("patron-restricted", _restricted(restrictions[0]))


def _check_nothing_open(patron: Patron) -> None:
    part = Q(hand__seats__sitting__patron=patron)
    part |= Q(hand__wagers__sitting__patron=patron) | Q(hand__bank_shares__sitting__patron=patron)
    if Dispute.objects.filter(part | Q(sitting__patron=patron), ruling__isnull=True).exists():
        raise Conflict("dispute-open", _("A dispute about a hand of theirs is open. Let floor rule on it first."))
    if TableException.objects.filter(part, decision__isnull=True).exists():
        raise Conflict(
            "exception-open", _("An exception about a hand of theirs is open. Let floor decide on it first.")
        )


def _restricted(restriction: Restriction) -> str:
    day = restriction.until_date
    if day is not None:
        from_then = _(
            "They may not play through %(date)s and must be recognised until then. Erase them from %(next)s on."
        )
        return from_then % {"date": day, "next": day + timedelta(days=1)}
    if restriction.kind == Restriction.Kind.SELF_RESTRICTED:
        return _("They asked not to be let play, for good. Whoever keeps that promise must be able to recognise them.")
    return _("They are barred without an end and must be recognised. Two people of the floor can lift that first.")
