"""Sitting down, buying in, cashing out."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere, Refusal
from ledger.kinds import AccountKind, TransactionKind
from ledger.services import account_open
from tables.models import BuyIn, Hand, Patron, Seat, Sitting, TableSession
from tables.models.rooms import Game
from tables.services.amounts import check_amount
from tables.services.commands import Answer, Work, command
from tables.services.postings import move
from tables.services.sessions import lock_any_sitting, lock_session, lock_sitting, sitting_ended, stack_cents

BUY_IN_KINDS = {"cash": TransactionKind.BUY_IN, "chips": TransactionKind.CHIPS_IN}
MAX_DESCRIPTION = 120
CASH_OUT_KINDS = {"cash": TransactionKind.CASH_OUT, "chips": TransactionKind.CHIPS_OUT}


@command("sitting.start")
def sitting_start(
    work: Work, *, session_id: UUID, seat: int | None = None, patron_number: str = "", description: str = ""
) -> Answer:
    """Sit a patron down, known by card number or only described; without a seat they stand and wager on the backline.

    Raises ``NotThere`` for an unknown card number or seat, ``Conflict`` where somebody sits there or the patron already sits
    at this table, ``Malformed`` without a patron.
    """
    session = lock_session(work, session_id)
    place = _free_seat(session, seat) if seat is not None else None
    patron = _patron(session, patron_number.strip(), description.strip())
    if session.sittings.filter(patron=patron, ended_at__isnull=True).exists():
        raise Conflict("patron-seated", _("%(name)s sits at this table already.") % {"name": patron.name})
    sitting = Sitting.objects.create(
        session=session,
        seat=place,
        patron=patron,
        stack=account_open(kind=AccountKind.STACK, name=f"{patron.name}, {session.table}"),
        started_at=work.now,
    )
    return {"sitting": str(sitting.pk), "seat": seat, "patron": patron.name}


def _free_seat(session: TableSession, number: int) -> Seat:
    seat = Seat.objects.filter(table=session.table, number=number).first()
    if seat is None:
        raise NotThere("no-such-seat", _("This table has no seat %(number)s.") % {"number": number})
    taken = Sitting.objects.filter(seat=seat, ended_at__isnull=True).select_related("patron").first()
    if taken is not None:
        message = _("%(name)s sits in seat %(number)s.") % {"name": taken.patron.name, "number": number}
        raise Conflict("seat-taken", message)
    return seat


def _patron(session: TableSession, number: str, description: str) -> Patron:
    room = session.table.room
    if number:
        patron = Patron.objects.filter(room=room, number=number).first()
        if patron is None:
            unknown = _("No patron has the card number %(number)s. Check it, or describe the person instead.")
            message = unknown % {"number": number}
            raise NotThere("unknown-patron", message, fields={"patron_number": message})
        return patron
    if not description:
        message = _("Give a card number, or describe the person.")
        raise Malformed("missing", message, fields={"patron_number": message})
    if len(description) > MAX_DESCRIPTION:
        message = _("Describe the person in 120 characters at most.")
        raise Malformed("out-of-range", message, fields={"description": message})
    return Patron.objects.create(room=room, name=description)


@command("sitting.buy_in")
def sitting_buy_in(work: Work, *, sitting_id: UUID, amount_cents: int, means: str = "cash") -> Answer:
    """Bring chips into play, bought for cash or carried in. ``amount_cents`` is positive.

    In Chinese Poker a full buy-in is 20 times the point value and one short buy is allowed after each full one (CP-60). Raises
    ``Malformed`` for an amount that cannot be, ``Refusal`` for a short buy that is not allowed or, in Chinese Poker, for
    somebody who is in a hand that is out (CP-61). In Pai Gow Poker a stack has no part in the hand, so chips may come any time.
    """
    check_amount("amount_cents", amount_cents)
    if means not in BUY_IN_KINDS:
        raise Malformed("out-of-range", _("Chips are bought for cash or carried in."), fields={"means": means})
    sitting = lock_sitting(work, sitting_id)
    if sitting.session.table.game == Game.CHINESE_POKER and is_in_hand(sitting):
        raise hand_out(_("no chips are added before it is over"))
    is_short = _check_short_buy(sitting, amount_cents)
    session = sitting.session
    source = session.cash_account_id if means == "cash" else session.chips_account_id
    rule = "CP-60" if session.table.game == Game.CHINESE_POKER else "PG-05"
    posting = move(BUY_IN_KINDS[means], f"sitting:{sitting.pk}", source, sitting.stack_id, amount_cents, rule=rule)
    work.postings.append(posting)
    BuyIn.objects.create(
        sitting=sitting,
        amount_cents=amount_cents,
        means=means,
        is_short=is_short,
        bought_at=work.now,
        command_id=work.order.key,
    )
    return {"sitting": str(sitting.pk), "stack_cents": stack_cents(sitting) + amount_cents, "short": is_short}


def full_buy_in_cents(session: TableSession) -> int | None:
    """A full buy-in in cents (CP-60); ``None`` in a game without one."""
    if session.point_value_cents is None:
        return None
    return int(session.rules.parameters.get("buy_in_points", 20)) * session.point_value_cents


def _check_short_buy(sitting: Sitting, amount_cents: int) -> bool:
    full = full_buy_in_cents(sitting.session)
    if full is None or amount_cents >= full:
        return False
    taken_back = sitting.reversals.values("transaction__command")
    last = sitting.buy_ins.exclude(command__in=taken_back).order_by("-bought_at", "-pk").first()
    if last is not None and not last.is_short:
        return True
    why = _("the first buy at a seat is a full one") if last is None else _("the last buy at this seat was short too")
    message = _("Short buy refused: %(why)s. A full buy-in is $%(dollars)s.") % {
        "why": why,
        "dollars": f"{full / 100:,.2f}".removesuffix(".00"),
    }
    raise Refusal("short-buy-not-allowed", message, rule="CP-60", fields={"amount_cents": message})


@command("sitting.cash_out")
def sitting_cash_out(work: Work, *, sitting_id: UUID, means: str = "chips") -> Answer:
    """Leave the table with the whole stack, as chips to the cage or paid in cash; none is kept back (CP-61).

    Somebody who has left is paid what a correction has left on the stack since, also after the table was closed. Raises
    ``Refusal`` for somebody who is in a hand that is out, ``Malformed`` for another means, ``Conflict`` for who has left
    and is owed nothing.
    """
    if means not in CASH_OUT_KINDS:
        raise Malformed("out-of-range", _("A stack leaves as chips or is paid in cash."), fields={"means": means})
    sitting = lock_any_sitting(work, sitting_id)
    if is_in_hand(sitting):
        raise hand_out(_("nobody in it leaves before it is over"))
    session = sitting.session
    amount_cents = stack_cents(sitting)
    if sitting.ended_at is not None and not amount_cents:
        raise sitting_ended(sitting)
    if amount_cents:
        target = session.cash_account_id if means == "cash" else session.chips_account_id
        posting = move(
            CASH_OUT_KINDS[means], f"sitting:{sitting.pk}", sitting.stack_id, target, amount_cents, rule="CP-61"
        )
        work.postings.append(posting)
    if sitting.ended_at is None:
        sitting.ended_at = work.now
        sitting.save(update_fields=["ended_at"])
    return {"sitting": str(sitting.pk), "paid_cents": amount_cents}


def is_in_hand(sitting: Sitting) -> bool:
    """Whether the sitting has a part in the hand that is out: dealt in, or with money in action, or holding the bank."""
    hand = sitting.session.hands.filter(status=Hand.Status.OUT).first()
    if hand is None:
        return False
    if sitting.session.table.game == Game.CHINESE_POKER:
        return hand.seats.filter(sitting=sitting).exists()
    if sitting.seat is not None and sitting.seat.number == hand.button_seat:
        return True
    return hand.wagers.filter(sitting=sitting).exists() or hand.bank_shares.filter(sitting=sitting).exists()


def hand_out(what: str) -> Refusal:
    return Refusal("hand-out", _("A hand is out: %(what)s.") % {"what": what}, rule="CP-61", status=409)
