"""Waiving a collection: an entry of its own that gives it back, with the reason; what was taken stays taken (CP-65, PG-04)."""

from __future__ import annotations

from collections import Counter
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere, Refusal
from casino.staff.actor import ON_THE_FLOOR
from ledger.errors import dollars
from ledger.kinds import TransactionKind
from ledger.selectors import lines_of, transactions_of_reference
from tables.models import Hand, Payer, Sitting, Waiver
from tables.selectors.schedules import charges_of_hand
from tables.services.amounts import check_amount
from tables.services.commands import Answer, Work, command
from tables.services.hands import lock_any_hand
from tables.services.postings import hand_reference, move
from tables.services.reasons import check_reason
from tables.services.sessions import check_open

_COLLECTION_KINDS = (TransactionKind.COLLECTION, TransactionKind.WAIVER, TransactionKind.COLLECTION_REFUND)
_BEFORE_THE_DICE = (Hand.Stage.COLLECTED, Hand.Stage.WAGERED)


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
    sitting, paid = _paid(hand, sitting_id)
    payer = _payer(payer, paid)
    left_cents = _left_cents(hand, sitting, payer, paid[payer])
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
    if hand.is_out and hand.action_account_id is not None and hand.stage in _BEFORE_THE_DICE:
        message = _("Wagers can still be taken back with their collection. Waive it when the dice are open.")
        raise Refusal("dice-closed", message, rule="PG-08", status=409)


def _paid(hand: Hand, sitting_id: UUID) -> tuple[Sitting, Counter[str]]:
    """Somebody and what the hand took from them in cents, by payer."""
    charges = [charge for charge in charges_of_hand(hand) if charge.sitting.pk == sitting_id]
    if not charges:
        raise NotThere("nothing-taken", _("Nothing was collected from this patron for this hand."))
    paid = Counter[str]()
    for charge in charges:
        paid[charge.payer] += charge.amount_cents
    return charges[0].sitting, paid


def _payer(asked: str, paid: Counter[str]) -> str:
    if not asked and len(paid) == 1:
        return next(iter(paid))
    if asked not in paid:
        message = _("Say which collection is waived: %(payers)s.") % {"payers": ", ".join(sorted(paid))}
        raise Malformed("missing", message, fields={"payer": message})
    return asked


def _left_cents(hand: Hand, sitting: Sitting, payer: str, paid_cents: int) -> int:
    """What of a collection was neither waived nor given back otherwise."""
    waived = sum(hand.waivers.filter(sitting=sitting, payer=payer).values_list("amount_cents", flat=True))
    standing = transactions_of_reference(hand_reference(hand)).filter(
        kind__in=_COLLECTION_KINDS, reversals__isnull=True
    )
    kept = -sum(
        line.amount_cents for each in standing for line in lines_of(each) if line.account_id == sitting.stack_id
    )
    return max(0, min(paid_cents - waived, kept))
