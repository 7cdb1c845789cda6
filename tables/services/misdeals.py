"""A misdeal that is called before the cards are entered, by what was noted of the hand (CP-40 to CP-43, PG-41 to PG-43).

Whether it is one is for the rules to say, by the same reasons as for a hand whose cards are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Malformed, Refusal
from ledger.kinds import ReasonCode
from ledger.rows import update
from tables.models import Hand, Incident
from tables.rules.called import RULES, STUB, WRONG_STUB, called_reasons
from tables.selectors.marks import marks_of
from tables.selectors.rules import rule_set_of
from tables.services.commands import Answer, Work, command
from tables.services.hands import give_back, lock_hand
from tables.services.incidents import Kind, check_seen, for_the_record, incidents_of, keep_incident

# What is seen where a misdeal is called for this.
_SEEN = {
    "dealer-exposed": Kind.DEALER_EXPOSED,
    "wrong-count": Kind.WRONG_COUNT,
    "wrong-seat": Kind.WRONG_SEAT,
    "joker-or-ace-exposed": Kind.EXPOSED,
    "cards-exposed": Kind.EXPOSED,
    WRONG_STUB: Kind.WRONG_COUNT,
}


@command("hand.misdeal")
def hand_misdeal(
    work: Work,
    *,
    hand_id: UUID,
    code: str,
    seat: int | None = None,
    cards: str = "",
    count: int | None = None,
    note: str = "",
) -> Answer:
    """Call a misdeal of a hand that is out, without its cards: everything goes back, no button moves (CP-43).

    ``seat``, ``cards`` and ``count`` say what was seen and are kept as an incident; where none is given, the incidents that
    were noted before decide. Raises ``Malformed`` for a code of the other game, ``Refusal`` with the rule where what was seen
    is no misdeal.
    """
    hand = lock_hand(work, hand_id)
    game = hand.session.table.game
    if code not in RULES[game]:
        message = _("Choose one of: %(codes)s.") % {"codes": ", ".join(RULES[game])}
        raise Malformed("out-of-range", message, fields={"code": message})
    if seat is not None or cards or count is not None:
        seen = check_seen(game, hand, kind=_SEEN[code], seat=seat, cards=cards, count=count, note=note)
        keep_incident(work, hand.session, hand, seen)
    reason = _reason(hand, code, seat)
    if reason is None:
        raise Refusal("no-misdeal", _why_none(code), rule=RULES[game][code])
    end_as_misdeal(work, hand, reason, note.strip())
    return {"hand": str(hand.pk), "number": hand.number, "status": hand.status, "reason": reason}


def _reason(hand: Hand, code: str, seat: int | None) -> Mapping[str, Any] | None:
    """Why the deal is void, for this cause and this seat; ``None`` where it is not."""
    marks = marks_of(hand)
    incidents = incidents_of(hand)
    game = hand.session.table.game
    reasons = called_reasons(
        rule_set_of(hand.rules),
        for_the_record(game, incidents, marks),
        counts=_counts(incidents),
        button=hand.button_seat,
        looked_at=[place for place, mark in marks.items() if mark.is_set],
    )
    for reason in reasons:
        if reason["code"] == code and seat in (None, reason.get("seat", reason.get("position"))):
            return reason
    return None


def _counts(incidents: Sequence[Incident]) -> dict[int, int]:
    """How many cards the hands had whose count was found wrong, by seat or position; those of the stub under ``STUB``."""
    return {
        STUB if each.seat is None else each.seat: each.count
        for each in incidents
        if each.kind == Kind.WRONG_COUNT and each.count is not None
    }


def _why_none(code: str) -> str:
    messages = {
        "dealer-exposed": _(
            "No hand has five cards exposed by the dealer. Note what was seen as an incident and play on."
        ),
        "wrong-count": _(
            "Say whose hand it is and how many cards it has. The right number is no misdeal; a player's hand that was looked "
            "at before is a foul, so enter its cards."
        ),
        "wrong-seat": _("The hand was set before it was noticed, so it plays."),
        "joker-or-ace-exposed": _("Neither the joker nor an ace was boxed or exposed. Note the card and play on."),
        "cards-exposed": _("One card alone was boxed or exposed. Note it as an incident and play on."),
        WRONG_STUB: _("Four cards are left over, as there should be. Play on."),
    }
    return messages[code]


def end_as_misdeal(work: Work, hand: Hand, reason: Mapping[str, Any], note: str) -> None:
    """End a hand as a misdeal without a record, and give back what it moved."""
    give_back(work, hand, ReasonCode.MISDEAL, note or _("Misdeal"))
    hand.status = Hand.Status.MISDEAL
    hand.misdeal_code = reason["code"]
    hand.misdeal_seat = reason.get("seat", reason.get("position"))
    hand.ended_at = work.now
    update(hand, "status", "misdeal_code", "misdeal_seat", "ended_at")
