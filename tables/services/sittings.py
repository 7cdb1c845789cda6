"""Sitting down, being absent, buying in, cashing out."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, Refusal
from ledger.kinds import AccountKind, TransactionKind
from ledger.rows import insert, update
from ledger.services import account_open
from tables.models import BuyIn, Hand, Patron, Seat, Sitting, TableSession
from tables.models.rooms import Game
from tables.selectors.short_buys import last_buys, may_buy_short
from tables.services.amounts import check_amount, check_chips
from tables.services.collecting import carried_back, given_to
from tables.services.commands import Answer, Work, command
from tables.services.patrons import patron_of
from tables.services.postings import move
from tables.services.restrictions import check_not_restricted
from tables.services.rotation import check_one_provider
from tables.services.seats import check_not_at_table, free_seat, hold_of, take_seat
from tables.services.sessions import lock_any_sitting, lock_session, lock_sitting, sitting_ended, stack_cents

BUY_IN_KINDS = {"cash": TransactionKind.BUY_IN, "chips": TransactionKind.CHIPS_IN}
CASH_OUT_KINDS = {"cash": TransactionKind.CASH_OUT, "chips": TransactionKind.CHIPS_OUT}


@command("sitting.start")
def sitting_start(
    work: Work, *, session_id: UUID, seat: int | None = None, patron_number: str = "", description: str = ""
) -> Answer:
    """Sit a patron down, known by card number or only described; without a seat they stand and wager on the backline.

    A description finds whoever the seat is held for under the same words. Raises ``NotThere`` for an unknown card number or
    seat, ``Conflict`` where somebody sits there, the seat is held for another, or the patron already sits at this table
    (PG-24), ``Malformed`` without a patron, ``Forbidden`` for who is barred or self-restricted.
    """
    session = lock_session(work, session_id)
    place = free_seat(session, seat) if seat is not None else None
    held = hold_of(place, work.now) if place is not None else None
    number, description = patron_number.strip(), description.strip()
    if held is not None and not number and description == held.patron.name:
        patron = work.patron = held.patron
    else:
        patron = patron_of(work, session.table.room, number, description)
    sitting = sit_down(work, session, place, patron)
    return {"sitting": str(sitting.pk), "seat": seat, "patron": patron.name}


def sit_down(
    work: Work, session: TableSession, place: Seat | None, patron: Patron, moved_from: Sitting | None = None
) -> Sitting:
    """A new sitting with an empty stack. In Chinese Poker who comes after the first deal is a new player (CP-62).

    Raises ``Conflict`` for a seat held for another and for who is at the table already, ``Forbidden`` for who may not play.
    """
    check_not_restricted(patron, work.now)
    check_not_at_table(session, patron)
    check_one_provider(session, patron)
    if place is not None:
        take_seat(session, place, patron, work.now)
    sitting = Sitting(
        session=session,
        seat=place,
        patron=patron,
        stack=account_open(kind=AccountKind.STACK, name=_stack_name(session, place)),
        started_at=work.now,
        is_new=session.table.game == Game.CHINESE_POKER and session.hands_dealt > 0,
        moved_from=moved_from,
    )
    insert([sitting])
    return sitting


def _stack_name(session: TableSession, place: Seat | None) -> str:
    """What the ledger calls a stack: by its place, since nothing of the ledger can be erased."""
    return f"{session.table} seat {place.number}" if place else f"{session.table} standing"


@command("sitting.absent")
def sitting_absent(work: Work, *, sitting_id: UUID) -> Answer:
    """Note that a player is away from their seat. A hand that is out goes on; the next ones do without them.

    Raises ``Conflict`` for who has no seat or is absent already.
    """
    sitting = lock_sitting(work, sitting_id)
    if sitting.seat is None:
        raise Conflict("no-seat", _("%(name)s has no seat here.") % {"name": sitting.patron.name})
    if sitting.absent_at is not None:
        raise Conflict("absent-already", _("%(name)s is absent already.") % {"name": sitting.patron.name})
    return _set_absent(sitting, work.now)


@command("sitting.return")
def sitting_return(work: Work, *, sitting_id: UUID) -> Answer:
    """Note that an absent player is back; the next hand is dealt to them again.

    Raises ``Conflict`` for who is not absent, ``Forbidden`` for who has been barred meanwhile.
    """
    sitting = lock_sitting(work, sitting_id)
    if sitting.absent_at is None:
        raise Conflict("not-absent", _("%(name)s is not absent.") % {"name": sitting.patron.name})
    check_not_restricted(sitting.patron, work.now)
    return _set_absent(sitting, None)


def _set_absent(sitting: Sitting, absent_at: datetime | None) -> Answer:
    sitting.absent_at = absent_at
    update(sitting, "absent_at")
    return {"sitting": str(sitting.pk), "is_absent": absent_at is not None}


@command("sitting.buy_in")
def sitting_buy_in(work: Work, *, sitting_id: UUID, amount_cents: int, means: str = "cash") -> Answer:
    """Bring chips into play, bought for cash or carried in. ``amount_cents`` is positive.

    In Chinese Poker a full buy-in is 20 times the point value and one short buy is allowed after each full one (CP-60). In Pai
    Gow Poker a stack has no part in the hand, so chips may come any time. Raises ``Malformed`` for an amount that cannot be,
    ``Refusal`` for one that the game's chips do not make up, for a short buy that is not allowed or, in Chinese Poker, for
    somebody who is in a hand that is out (CP-61).
    """
    check_amount("amount_cents", amount_cents)
    sitting = lock_sitting(work, sitting_id)
    session = sitting.session
    kind, source = check_means(session, means, BUY_IN_KINDS, _("Chips are bought for cash or carried in."))
    if session.table.game == Game.CHINESE_POKER and is_in_hand(sitting):
        raise hand_out(_("no chips are added before it is over"))
    check_chips("amount_cents", amount_cents, session)
    is_short = _check_short_buy(sitting, amount_cents)
    rule = "CP-60" if session.table.game == Game.CHINESE_POKER else "PG-05"
    work.postings.append(move(kind, sitting_reference(sitting), source, sitting.stack_id, amount_cents, rule=rule))
    buy_in = BuyIn(
        sitting=sitting,
        amount_cents=amount_cents,
        means=means,
        is_short=is_short,
        bought_at=work.now,
        command_id=work.order.key,
    )
    insert([buy_in])
    return {"sitting": str(sitting.pk), "stack_cents": stack_cents(sitting) + amount_cents, "short": is_short}


def full_buy_in_cents(session: TableSession) -> int | None:
    """A full buy-in in cents (CP-60); ``None`` in a game without one."""
    if session.point_value_cents is None:
        return None
    return int(session.rules.parameters.get("buy_in_points", 20)) * session.point_value_cents


def _check_short_buy(sitting: Sitting, amount_cents: int) -> bool:
    """Whether it is a short buy, which only a full one may come before, also where that was at the table left (CP-60)."""
    full = full_buy_in_cents(sitting.session)
    if full is None or amount_cents >= full:
        return False
    last = last_buys([sitting.pk]).get(sitting.pk)
    if may_buy_short(last, full):
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
    sitting = lock_any_sitting(work, sitting_id)
    kind, target = check_means(sitting.session, means, CASH_OUT_KINDS, _("A stack leaves as chips or is paid in cash."))
    if is_in_hand(sitting):
        raise hand_out(_("nobody in it leaves before it is over"))
    carried = carried_back(sitting.session, [sitting])
    work.postings += carried
    amount_cents = stack_cents(sitting) + given_to(sitting, carried)
    if sitting.ended_at is not None and not amount_cents:
        raise sitting_ended(sitting)
    if amount_cents:
        reference = sitting_reference(sitting)
        work.postings.append(move(kind, reference, sitting.stack_id, target, amount_cents, rule="CP-61"))
    if sitting.ended_at is None:
        sitting.ended_at = work.now
        update(sitting, "ended_at")
    return {"sitting": str(sitting.pk), "paid_cents": amount_cents}


def check_means(
    session: TableSession, means: str, kinds: Mapping[str, TransactionKind], message: str
) -> tuple[TransactionKind, UUID]:
    """What moves by cash or by chips, and the patrons' account on the other side. Raises ``Malformed`` for other means."""
    if means not in kinds:
        raise Malformed("out-of-range", message, fields={"means": means})
    return kinds[means], session.cash_account_id if means == "cash" else session.chips_account_id


def sitting_reference(sitting: Sitting) -> str:
    """What the ledger calls a sitting."""
    return f"sitting:{sitting.pk}"


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
