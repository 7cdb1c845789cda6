"""Disputes about a hand, and floor's rulings on them, until the next hand begins (PG-45)."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere, Refusal
from casino.staff.actor import ON_THE_FLOOR
from tables.access import AT_THE_TABLE
from tables.models import Dispute, Hand, Ruling, Sitting
from tables.rules.numbers import RULE_NUMBERS
from tables.selectors.corrections import ruling_window
from tables.services.commands import Answer, Work, command
from tables.services.hands import lock_any_hand
from tables.services.reasons import check_reason
from tables.services.takings import check_free, give_back, take
from tables.services.unsettled import RULE, keep_ruling

Outcome = Ruling.Outcome


@command("dispute.raise")
def dispute_raise(work: Work, *, hand_id: UUID, about: str, sitting_id: UUID | None = None) -> Answer:
    """Put down that somebody disagrees about a hand that is out or was the last one; ``sitting_id`` says who.

    Raises ``Refusal`` once the next hand has begun (PG-45), ``Malformed`` without words or for who is not at the table.
    """
    hand = lock_any_hand(work, hand_id, AT_THE_TABLE)
    _check_in_time(hand)
    about = check_reason(about, _("Say in up to 300 characters what is disputed."), field="about")
    if sitting_id is not None and not Sitting.objects.filter(pk=sitting_id, session=hand.session).exists():
        message = _("This person is not at this table.")
        raise Malformed("out-of-range", message, fields={"sitting_id": message})
    dispute = Dispute.objects.create(
        hand=hand,
        session=hand.session,
        sitting_id=sitting_id,
        about=about,
        raised_at=work.now,
        command_id=work.order.key,
    )
    return {"dispute": str(dispute.pk), "hand": str(hand.pk), "number": hand.number}


@command("dispute.rule")
def dispute_rule(work: Work, *, dispute_id: UUID, rule: str, ruling: str, error_by: str, outcome: str) -> Answer:
    """Rule on a dispute, once: by which rule, in words, whose mistake it was, and what becomes of the hand.

    ``outcome`` is ``stands``, or ``resettled`` or ``voided`` where that was done before. Raises ``Refusal`` once the next hand
    has begun (PG-45), ``Conflict`` where it was ruled on or somebody else has taken it, ``Malformed`` with every wrong value,
    ``NotThere``.
    """
    hand, dispute = _lock_dispute(work, dispute_id)
    _check_not_ruled(dispute)
    check_free(work, dispute)
    _check_in_time(hand)
    _check_values(rule, error_by, outcome)
    words = check_reason(ruling, _("Say in up to 300 characters what is ruled."), field="ruling")
    _check_is_done(hand, outcome)
    keep_ruling(work, dispute, outcome, rule, words, error_by)
    return {"dispute": str(dispute.pk), "hand": str(hand.pk), "outcome": outcome, "rule": rule}


@command("dispute.take")
def dispute_take(work: Work, *, dispute_id: UUID) -> Answer:
    """Say that one is looking into a dispute, so that nobody else rules on it meanwhile; a manager may take it over.

    Raises ``Conflict`` where somebody else has it, with who and for how long, and where it was ruled on, ``NotThere``.
    """
    _hand, dispute = _lock_dispute(work, dispute_id)
    _check_not_ruled(dispute)
    take(work, dispute)
    return {"dispute": str(dispute.pk), "taken_by": work.actor.name}


@command("dispute.give_back")
def dispute_give_back(work: Work, *, dispute_id: UUID) -> Answer:
    """Let somebody else rule on a dispute that one has taken. Raises ``Conflict`` for anybody else, ``NotThere``."""
    _hand, dispute = _lock_dispute(work, dispute_id)
    give_back(work, dispute)
    return {"dispute": str(dispute.pk), "given_back": True}


def _lock_dispute(work: Work, dispute_id: UUID) -> tuple[Hand, Dispute]:
    """A dispute and its hand, the table locked. Raises ``NotThere``, ``Forbidden``."""
    hand_id = Dispute.objects.filter(pk=dispute_id).values_list("hand_id", flat=True).first()
    if hand_id is None:
        raise NotThere("no-such-dispute", _("There is no such dispute."))
    hand = lock_any_hand(work, hand_id, ON_THE_FLOOR)
    return hand, Dispute.objects.select_related("ruling__command__actor").get(pk=dispute_id)


def _check_not_ruled(dispute: Dispute) -> None:
    if hasattr(dispute, "ruling"):
        values = {"name": dispute.ruling.command.actor.name, "outcome": dispute.ruling.get_outcome_display().lower()}
        raise Conflict("ruled-already", _("%(name)s has ended this dispute already: %(outcome)s.") % values)


def _check_in_time(hand: Hand) -> None:
    """Raise ``Refusal`` once the next hand has begun or the table is closed, with the second at which that was (PG-45)."""
    window = ruling_window(hand)
    if window.is_open:
        return
    room = hand.session.table.room
    at = window.next_began_at or hand.session.closed_at
    values = {
        "number": hand.number,
        "next": window.next_hand,
        "at": at and f"{at.astimezone(room.zone):%H:%M:%S}",
        "zone": room.time_zone,
    }
    message = _("The table was closed at %(at)s (%(zone)s).")
    if window.next_hand is not None:
        message = _("Hand %(next)s began at %(at)s (%(zone)s).")
    too_late = _(
        "Nothing is ruled on hand %(number)s after that. A manager can still settle it again, with a second person."
    )
    raise Refusal("window-over", f"{message} {too_late}" % values, rule=RULE, status=409)


def _check_values(rule: str, error_by: str, outcome: str) -> None:
    faults = {}
    if rule not in RULE_NUMBERS:
        faults["rule"] = _("Name a rule by its number, such as CP-30 or PG-21.")
    if error_by not in Ruling.Error.values:
        faults["error_by"] = _("Say whose mistake it was: none, patron or dealer.")
    if outcome not in (Outcome.STANDS, Outcome.RESETTLED, Outcome.VOIDED):
        faults["outcome"] = _("Say what becomes of the hand: stands, resettled or voided.")
    if faults:
        raise Malformed("out-of-range", " ".join(faults.values()), fields=faults)


def _check_is_done(hand: Hand, outcome: str) -> None:
    """A ruling tells what was done; doing it has a verb of its own."""
    values = {"number": hand.number}
    if outcome == Outcome.RESETTLED and not hand.resettlements.exists():
        raise Conflict("not-resettled", _("Hand %(number)s was not settled again. Do that first, then rule.") % values)
    if outcome == Outcome.VOIDED and hand.status != Hand.Status.VOID:
        raise Conflict("not-voided", _("Hand %(number)s was not voided. Do that first, then rule.") % values)
