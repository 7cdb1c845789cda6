"""Barring a patron, and lifting it. Whoever is barred or self-restricted neither sits nor wagers nor is paid a jackpot."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime

from django.utils.translation import gettext as _

from casino.errors import Conflict, Forbidden, Malformed, NotThere, Refusal
from casino.staff.actor import ON_THE_FLOOR
from tables.models import Patron, Restriction, RestrictionLift
from tables.selectors.restrictions import restrictions_of
from tables.services.approvals import check_second_person
from tables.services.commands import Answer, Work, command
from tables.services.reasons import check_reason

Kind = Restriction.Kind


def check_not_restricted(patron: Patron, now: datetime) -> None:
    """Raise ``Forbidden``, for staff to read, where the patron is barred or self-restricted."""
    check_none_restricted([patron], now)


def check_none_restricted(patrons: Collection[Patron], now: datetime) -> None:
    """The same for several patrons of one room, in one query."""
    if not patrons:
        return
    restrictions = restrictions_of(patrons, next(iter(patrons)).room, now)
    if restrictions:
        raise Forbidden("patron-restricted", _in_words(restrictions[0]))


def _in_words(restriction: Restriction) -> str:
    values = {"name": restriction.patron.name, "date": restriction.until_date}
    if restriction.kind == Kind.SELF_RESTRICTED:
        told = _("%(name)s asked not to be let play through %(date)s.")
        for_good = _("%(name)s asked not to be let play, for good.")
    else:
        told = _("%(name)s is barred through %(date)s.")
        for_good = _("%(name)s is barred, without an end.")
    return f"{(told if restriction.until_date else for_good) % values} {_('Call floor, and keep it between you.')}"


@command("patron.bar")
def patron_bar(
    work: Work, *, patron_number: str, kind: str, reason: str, until_date: str = "", room: str = ""
) -> Answer:
    """Let a patron, by card number, not play through the gaming day ``until_date`` (``2026-12-31``); for good without one.

    ``kind`` is ``barred``, or ``self-restricted`` for who asked for it. ``room`` is the room's slug, for staff of several
    rooms. Raises ``NotThere`` for a card number of no room of the actor's, ``Malformed`` for a date that is past.
    """
    work.without_table(ON_THE_FLOOR)
    reason = check_reason(reason, _("Say in up to 300 characters why the patron may not play."))
    if kind not in Kind.values:
        message = _("Choose barred or self-restricted.")
        raise Malformed("out-of-range", message, fields={"kind": message})
    patron = _patron(work, patron_number.strip(), room.strip())
    restriction = Restriction.objects.create(
        patron=patron,
        kind=kind,
        started_at=work.now,
        until_date=_last_day(patron, until_date.strip(), work.now),
        reason=reason,
        command_id=work.order.key,
    )
    return {"patron": str(patron.pk), "kind": kind, "until_date": until_date.strip(), "restriction": restriction.pk}


def _last_day(patron: Patron, text: str, now: datetime) -> date | None:
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        message = _("Give the last day as a date such as 2026-12-31.")
        raise Malformed("malformed", message, fields={"until_date": message}) from None
    if day < patron.room.gaming_day(now):
        message = _("This day is over already.")
        raise Malformed("out-of-range", message, fields={"until_date": message})
    return day


def _patron(work: Work, number: str, room: str) -> Patron:
    """A patron with a card, in a room that the actor works in: whom the command is about."""
    found = Patron.objects.filter(number=number, room__staff__user=work.actor.user_id).exclude(number="")
    if room:
        found = found.filter(room__slug=room)
    patrons = list(found.select_related("room").order_by("room__slug"))
    if not patrons:
        message = _("No patron of your room has the card number %(number)s.") % {"number": number}
        raise NotThere("unknown-patron", message, fields={"patron_number": message})
    if len(patrons) > 1:
        rooms = ", ".join(patron.room.slug for patron in patrons)
        message = _("Several of your rooms have this card number. Name one: %(rooms)s.") % {"rooms": rooms}
        raise Malformed("missing", message, fields={"room": message})
    work.patron = patrons[0]
    return work.patron


@command("patron.lift_bar")
def patron_lift_bar(work: Work, *, patron_number: str, reason: str, room: str = "") -> Answer:
    """Let a barred patron play again: two people, with a reason. A self-restriction ends with its day and no sooner.

    Raises ``Forbidden`` without a second person, ``Conflict`` for somebody who is not barred, ``Refusal`` for who is
    self-restricted only.
    """
    work.without_table(ON_THE_FLOOR)
    reason = check_reason(reason, _("Say in up to 300 characters why the patron may play again."))
    patron = _patron(work, patron_number.strip(), room.strip())
    check_second_person(work, patron.room_id)
    restrictions = restrictions_of([patron], patron.room, work.now)
    barred = [each for each in restrictions if each.kind == Kind.BARRED]
    if not restrictions:
        raise Conflict("not-barred", _("%(name)s is not barred.") % {"name": patron.name})
    if not barred:
        message = _("%(restriction)s Nobody lifts a self-restriction before its day.")
        raise Refusal("self-restricted", message % {"restriction": _in_words(restrictions[0])})
    for restriction in barred:
        RestrictionLift.objects.create(
            restriction=restriction, lifted_at=work.now, reason=reason, command_id=work.order.key
        )
    return {"patron": str(patron.pk), "lifted": len(barred), "is_restricted": len(barred) < len(restrictions)}
