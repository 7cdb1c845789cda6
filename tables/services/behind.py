"""Money behind: what was coloured up leaves the table, and its player still plays with it (CP-61)."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Refusal
from casino.staff.actor import ON_THE_FLOOR
from ledger.errors import dollars
from ledger.kinds import TransactionKind
from ledger.models import Transaction
from ledger.selectors import balances_of
from ledger.services import Posting
from tables.models import Hand, MoneyBehind, Sitting
from tables.models.rooms import Game
from tables.services.amounts import check_amount, check_chips
from tables.services.commands import Answer, Work, command
from tables.services.players import Seated
from tables.services.postings import course, move
from tables.services.reasons import check_reason
from tables.services.sessions import lock_sitting, stack_cents
from tables.services.sittings import CASH_OUT_KINDS, check_means, hand_out, is_in_hand, sitting_reference

RULE = "CP-61"
Cause = MoneyBehind.Cause


@command("sitting.colour_up")
def sitting_colour_up(work: Work, *, sitting_id: UUID, amount_cents: int, reason: str, means: str = "chips") -> Answer:
    """Take a part of a stack off the table in larger chips or cash, as floor allows (CP-61). ``amount_cents`` is positive.

    The player plays with it all the same and may not declare all-in with the rest. Raises ``Refusal`` in a hand that is out,
    for the whole stack, and in Pai Gow Poker, where a stack has no part in the hand.
    """
    check_amount("amount_cents", amount_cents)
    sitting = lock_sitting(work, sitting_id, ON_THE_FLOOR)
    reason = check_reason(reason, _("Say in up to 300 characters why chips are coloured up."))
    session = sitting.session
    kind, target = check_means(
        session, means, CASH_OUT_KINDS, _("Chips are coloured up into larger ones or into cash.")
    )
    if session.table.game != Game.CHINESE_POKER:
        raise Refusal("not-in-this-game", _("Money behind belongs to Chinese Poker. Cash out instead."), status=409)
    if is_in_hand(sitting):
        raise hand_out(_("no chips are taken off before it is over"))
    check_chips("amount_cents", amount_cents, session)
    left_cents = stack_cents(sitting) - amount_cents
    if left_cents <= 0:
        message = _("A part of the stack is coloured up, and more than nothing stays on the table.")
        raise Refusal("whole-stack", message, rule=RULE, fields={"amount_cents": message})
    work.postings.append(move(kind, sitting_reference(sitting), sitting.stack_id, target, amount_cents, rule=RULE))
    return _changed(work, sitting, Cause.COLOURED_UP, amount_cents, left_cents)


@command("sitting.put_back")
def sitting_put_back(work: Work, *, sitting_id: UUID, amount_cents: int) -> Answer:
    """Put money behind on the table again, between hands. ``amount_cents`` is positive.

    No buy-in, as it never left the game. Raises ``Refusal`` for more than is behind, and in a hand that is out (CP-61).
    """
    check_amount("amount_cents", amount_cents)
    sitting = lock_sitting(work, sitting_id)
    if is_in_hand(sitting):
        raise hand_out(_("no chips are added before it is over"))
    check_chips("amount_cents", amount_cents, sitting.session)
    if amount_cents > sitting.money_behind_cents:
        message = _("%(amount)s is behind.") % {"amount": dollars(sitting.money_behind_cents)}
        raise Refusal("not-behind", message, rule=RULE, fields={"amount_cents": message})
    work.postings.append(_onto_the_stack(sitting, amount_cents))
    return _changed(work, sitting, Cause.PUT_BACK, -amount_cents, stack_cents(sitting) + amount_cents)


def _onto_the_stack(sitting: Sitting, amount_cents: int) -> Posting:
    source = sitting.session.chips_account_id
    return move(TransactionKind.CHIPS_IN, sitting_reference(sitting), source, sitting.stack_id, amount_cents, rule=RULE)


def _changed(work: Work, sitting: Sitting, cause: str, change_cents: int, stack_after_cents: int) -> Answer:
    change_behind(work, sitting, cause, change_cents)
    return {
        "sitting": str(sitting.pk),
        "stack_cents": stack_after_cents,
        "money_behind_cents": sitting.money_behind_cents,
    }


def change_behind(work: Work, sitting: Sitting, cause: str, change_cents: int) -> None:
    """Write down that so much more, or less, is behind, in cents."""
    MoneyBehind.objects.create(sitting=sitting, cause=cause, change_cents=change_cents, command_id=work.order.key)
    sitting.money_behind_cents += change_cents
    sitting.save(update_fields=["money_behind_cents"])


def from_behind(work: Work, hand: Hand, seated: Sequence[Seated], payments: Sequence[Posting]) -> list[Posting]:
    """What comes onto the table from behind so that a settled hand can be paid (CP-52, CP-61), and is behind no more.

    Asks the database nothing where nobody in the hand has money behind.
    """
    behind = {each.stack_id: each.sitting_id for each in seated if each.in_hand and each.money_behind_cents}
    if not behind:
        return []
    _after, lacking = course(balances_of(behind), payments)
    sittings = Sitting.objects.in_bulk([behind[stack] for stack in lacking])
    postings = []
    for stack, cents in lacking.items():
        sitting = sittings[behind[stack]]
        sitting.session = hand.session
        change_behind(work, sitting, Cause.PLAYED, -cents)
        postings.append(_onto_the_stack(sitting, cents))
    return postings


def take_back_behind(work: Work, sitting: Sitting, transaction: Transaction) -> None:
    """When a colour-up is taken back its amount is no longer behind; does nothing for any other buy-in or cash-out.

    Raises ``Refusal`` where it has been played with, and for chips that came from behind.
    """
    change = MoneyBehind.objects.filter(command=transaction.command, sitting=sitting).first()
    if change is None:
        return
    if change.cause != Cause.COLOURED_UP:
        message = _("These chips came from behind and never left the game. There is nothing in them to take back.")
        raise Refusal("from-behind", message, rule=RULE)
    if change.change_cents > sitting.money_behind_cents:
        message = _("%(name)s has played with a part of it: %(amount)s is still behind. Have it put back instead.")
        values = {"name": sitting.patron.name, "amount": dollars(sitting.money_behind_cents)}
        raise Refusal("from-behind", message % values, rule=RULE)
    change_behind(work, sitting, Cause.TAKEN_BACK, -change.change_cents)
