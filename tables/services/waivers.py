"""Waiving a collection: an entry of its own that gives it back, with the reason; what was taken stays taken (CP-65, PG-04)."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere, Refusal
from casino.staff.actor import ON_THE_FLOOR
from ledger.errors import dollars
from ledger.kinds import TransactionKind
from tables.models import Hand, Payer, Waiver
from tables.selectors.waiving import Collected, collected_by, waits_for_the_dice
from tables.services.amounts import check_amount
from tables.services.commands import Answer, Work, command
from tables.services.hands import lock_any_hand
from tables.services.postings import hand_reference, move
from tables.services.reasons import check_reason
from tables.services.sessions import check_open


@command("collection.waive")
def collection_waive(
    work: Work, *, hand_id: UUID, sitting_id: UUID, reason: str, payer: str = "", amount_cents: int | None = None
) -> Answer:
    """Give a collection back to who paid it for this hand, whole or ``amount_cents`` of it. Floor only, with a reason.

    ``payer`` (``player``, ``wager``, ``bank``) is needed where somebody paid for a wager and for the bank. The hand is out, its
    wagers closed, or the last one over. Raises ``NotThere`` for who paid nothing, ``Conflict`` for what was waived or given back
    already and once the next hand has begun, ``Malformed`` for more than was taken, ``Refusal`` before the dice (PG-08).
    """
    hand = lock_any_hand(work, hand_id, ON_THE_FLOOR)
    reason = check_reason(reason, _("Say in up to 300 characters why the collection is waived."))
    check_open(hand.session)
    _check_time(hand)
    collected = _collected(hand, sitting_id, payer)
    sitting, payer, left_cents = collected.sitting, collected.payer, collected.left_cents
    if not left_cents:
        message = _("Nothing of this collection is left to be waived: %(name)s has had it back.")
        raise Conflict("waived-already", message % {"name": sitting.patron.name})
    if amount_cents is None:
        amount_cents = left_cents
    if check_amount("amount_cents", amount_cents) > left_cents:
        message = _("No more can be waived than was taken: %(left)s is left.") % {"left": dollars(left_cents)}
        raise Malformed("out-of-range", message, fields={"amount_cents": message})
    session = hand.session
    rule = "CP-65" if payer == Payer.PLAYER else "PG-04"
    work.postings.append(
        move(
            TransactionKind.WAIVER,
            hand_reference(hand),
            session.drop_account_id,
            sitting.stack_id,
            amount_cents,
            rule=rule,
        )
    )
    Waiver.objects.create(
        hand=hand, sitting=sitting, payer=payer, amount_cents=amount_cents, reason=reason, command_id=work.order.key
    )
    return {"hand": str(hand.pk), "sitting": str(sitting.pk), "payer": payer, "waived_cents": amount_cents}


def _check_time(hand: Hand) -> None:
    if hand.number != hand.session.hands_dealt:
        message = _("The next hand has begun; the collection of hand %(number)s stands.") % {"number": hand.number}
        raise Conflict("next-hand-begun", message)
    if waits_for_the_dice(hand):
        message = _("Wagers can still be taken back with their collection. Waive it when the dice are open.")
        raise Refusal("dice-closed", message, rule="PG-08", status=409)


def _collected(hand: Hand, sitting_id: UUID, payer: str) -> Collected:
    """What the hand took from somebody as ``payer``, who need not be said where they paid as one alone."""
    found = {each.payer: each for each in collected_by(hand) if each.sitting.pk == sitting_id}
    if not found:
        raise NotThere("nothing-taken", _("Nothing was collected from this patron for this hand."))
    if not payer and len(found) == 1:
        return next(iter(found.values()))
    if payer not in found:
        message = _("Say which collection is waived: %(payers)s.") % {"payers": ", ".join(sorted(found))}
        raise Malformed("missing", message, fields={"payer": message})
    return found[payer]
