"""Dealing a hand, closing its wagers at the dice, and voiding it before settlement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere, Refusal
from casino.staff.actor import ON_THE_FLOOR
from ledger.kinds import AccountKind, ReasonCode, TransactionKind
from ledger.rows import Composed, update
from ledger.selectors import balances_of, transactions_of_reference
from ledger.services import Posting, account_open, reverse
from tables.access import AT_THE_TABLE
from tables.models import BankShare, Hand, HandSeat, Sitting, TableSession, Wager
from tables.models.rooms import Game
from tables.services.amounts import check_amount
from tables.services.commands import Answer, Work, command
from tables.services.postings import move
from tables.services.sessions import check_open, lock_session

MAX_WAGERS = 60
MAX_REASON = 300

_TABLE_OF = Composed(lambda hand_id: Hand.objects.filter(pk=hand_id).values_list("session__table_id"))


@command("hand.start")
def hand_start(work: Work, *, session_id: UUID, button_seat: int | None = None) -> Answer:
    """Deal a hand: fix who is in it and with what stack, and in Chinese Poker take the collection (CP-65).

    ``button_seat`` names the first button of a session (CP-66 moves it from there), or the Player/Dealer of a Pai
    Gow hand (PG-02). Raises ``Conflict`` while a hand is out, ``Refusal`` with fewer than two players.
    """
    session = lock_session(work, session_id)
    if session.hands.filter(status=Hand.Status.OUT).exists():
        raise Conflict("hand-out", _("A hand is out at this table already."))
    in_play = _players(session)
    button = _button(session, in_play, button_seat)
    session.button_seat = button
    session.hands_dealt += 1
    update(session, "button_seat", "hands_dealt")
    chinese = session.table.game == Game.CHINESE_POKER
    name = f"{session.table} hand {session.hands_dealt}"
    hand = Hand.objects.create(
        session=session,
        number=session.hands_dealt,
        rules=session.rules,
        button_seat=button,
        started_at=work.now,
        action_account=None if chinese else account_open(kind=AccountKind.HAND_ACTION, name=f"Action of {name}"),
    )
    fee = session.collection_cents if chinese else 0
    if fee:
        sources = [sitting.stack_id for sitting, _stack in in_play]
        work.postings += [_collection(session, hand, source, fee, "CP-65") for source in sources]
    HandSeat.objects.bulk_create(
        HandSeat(hand=hand, number=_seat_number(sitting), sitting=sitting, stack_cents=stack - fee)
        for sitting, stack in in_play
    )
    return {"hand": str(hand.pk), "number": hand.number, "button": button}


def _players(session: TableSession) -> list[tuple[Sitting, int]]:
    """The seated with chips to play for, in seat order, each with the stack in cents."""
    seated = list(
        session.sittings.filter(ended_at__isnull=True, seat__isnull=False)
        .select_related("seat", "patron")
        .order_by("seat__number")
    )
    stacks = balances_of([sitting.stack_id for sitting in seated])
    chinese = session.table.game == Game.CHINESE_POKER
    least = session.collection_cents if chinese else 0
    in_play = [(sitting, stacks[sitting.stack_id]) for sitting in seated if stacks[sitting.stack_id] > least]
    if len(in_play) < 2:
        raise Refusal(
            "too-few-players", _("A hand needs two players with chips. Seat them and buy them in."), status=409
        )
    return in_play


def _seat_number(sitting: Sitting) -> int:
    if sitting.seat is None:
        raise RuntimeError(f"{sitting.pk} has no seat")
    return sitting.seat.number


def _button(session: TableSession, in_play: Sequence[tuple[Sitting, int]], asked: int | None) -> int:
    seats = [_seat_number(sitting) for sitting, _stack in in_play]
    chinese = session.table.game == Game.CHINESE_POKER
    if asked is not None and (session.button_seat is None or not chinese):
        if asked not in seats:
            message = _("Nobody in play sits in seat %(number)s.") % {"number": asked}
            raise Malformed("out-of-range", message, fields={"button_seat": message})
        return asked
    if asked is not None and asked != session.button_seat:
        raise Refusal("button-moves-by-itself", _("The button moves one seat after each settled hand."), rule="CP-66")
    if session.button_seat is None:
        return seats[0]
    if not chinese and session.button_seat not in seats:
        raise Refusal(
            "no-player-dealer", _("Offer the bank: nobody sits in the Player/Dealer's position."), rule="PG-02"
        )
    return session.button_seat


def _collection(session: TableSession, hand: Hand, source: UUID, fee_cents: int, rule: str) -> Posting:
    return move(TransactionKind.COLLECTION, hand_reference(hand), source, session.drop_account_id, fee_cents, rule=rule)


def hand_reference(hand: Hand) -> str:
    """What the ledger calls a hand."""
    return f"hand:{hand.pk}"


@command("hand.close_wagers")
def hand_close_wagers(
    work: Work,
    *,
    hand_id: UUID,
    wagers: Sequence[Mapping[str, Any]],
    bank: Sequence[Mapping[str, Any]],
    dice: Sequence[int],
) -> Answer:
    """Open the dice of a Pai Gow hand: wagers are closed (PG-08), collections taken (PG-04), and all of it is in action.

    ``wagers``: ``{"position", "sitting", "amount_cents"}`` in the order of placing; ``bank``: ``{"sitting", "amount_cents"}``,
    first the Player/Dealer, then Kum-Kum partners (PG-07). Raises ``Malformed``, ``Refusal`` below the minimum (PG-05),
    ``InsufficientFunds``.
    """
    hand = lock_hand(work, hand_id)
    session = hand.session
    if session.table.game != Game.PAI_GOW_POKER:
        raise Malformed("conflict", _("Wagers and dice belong to Pai Gow Poker."))
    if hand.wagers_closed_at is not None:
        raise Refusal("wagers-closed", _("The dice are open; no wager changes any more."), rule="PG-08", status=409)
    if len(dice) != 3 or any(type(face) is not int or not 1 <= face <= 6 for face in dice):
        raise Malformed("out-of-range", _("Enter three dice, each from 1 to 6."), fields={"dice": "1-6"})
    sittings = {str(s.pk): s for s in session.sittings.filter(ended_at__isnull=True).select_related("seat")}
    rows = _wager_rows(hand, wagers, sittings)
    shares = _bank_rows(hand, bank, sittings)
    work.postings += _action_postings(hand, rows, shares)
    Wager.objects.bulk_create(rows)
    BankShare.objects.bulk_create(shares)
    hand.dice = list(dice)
    hand.wagers_closed_at = work.now
    hand.save(update_fields=["dice", "wagers_closed_at"])
    return {"hand": str(hand.pk), "wagers": [row.reference for row in rows]}


def _wager_rows(hand: Hand, wagers: Sequence[Mapping[str, Any]], sittings: Mapping[str, Sitting]) -> list[Wager]:
    if not 1 <= len(wagers) <= MAX_WAGERS:
        raise Malformed("out-of-range", _("Enter at least one wager, and at most %(most)s.") % {"most": MAX_WAGERS})
    rows = []
    least = hand.session.table_min_cents or 1
    for ordinal, wager in enumerate(wagers, 1):
        position = wager.get("position")
        if type(position) is not int or not 1 <= position <= 7:
            raise Malformed(
                "out-of-range",
                _("A wager lies on a position from 1 to 7."),
                fields={f"wagers/{ordinal - 1}": "position"},
            )
        if position == hand.button_seat:
            raise Refusal("conflict", _("Nobody wagers on the Player/Dealer's own position."), rule="PG-06")
        amount = check_amount(f"wagers/{ordinal - 1}", wager.get("amount_cents"))
        if amount < least:
            raise Refusal(
                "below-minimum",
                _("The wager on position %(position)s is below the table minimum.") % {"position": position},
                rule="PG-05",
            )
        rows.append(
            Wager(hand=hand, ordinal=ordinal, position=position, sitting=_one_of(sittings, wager), amount_cents=amount)
        )
    return rows


def _bank_rows(hand: Hand, bank: Sequence[Mapping[str, Any]], sittings: Mapping[str, Sitting]) -> list[BankShare]:
    rows = [
        BankShare(
            hand=hand,
            ordinal=ordinal,
            sitting=_one_of(sittings, share),
            amount_cents=check_amount(f"bank/{ordinal - 1}", share.get("amount_cents")),
        )
        for ordinal, share in enumerate(bank[:MAX_WAGERS], 1)
    ]
    if not rows or rows[0].sitting.seat is None or rows[0].sitting.seat.number != hand.button_seat:
        raise Malformed("missing", _("The first share of the bank is the Player/Dealer's."), fields={"bank": "PG-07"})
    if len({row.sitting_id for row in rows}) != len(rows):
        raise Malformed("conflict", _("Each partner has one share of the bank; add them up."), fields={"bank": "PG-07"})
    return rows


def _one_of(sittings: Mapping[str, Sitting], item: Mapping[str, Any]) -> Sitting:
    sitting = sittings.get(str(item.get("sitting")))
    if sitting is None:
        raise NotThere("unknown-patron", _("This patron is not at the table. Seat or describe them first."))
    return sitting


def _action_postings(hand: Hand, wagers: Sequence[Wager], shares: Sequence[BankShare]) -> list[Posting]:
    session, reference, action = hand.session, hand_reference(hand), hand.action_account_id
    if action is None:
        raise RuntimeError(f"{hand.pk} has no action account")
    postings: list[Posting] = []
    if session.collection_cents:
        fee = session.collection_cents
        postings += [_collection(session, hand, wager.sitting.stack_id, fee, "PG-04") for wager in wagers]
    if session.bank_collection_cents:
        fee = session.bank_collection_cents
        postings.append(_collection(session, hand, shares[0].sitting.stack_id, fee, "PG-04"))
    postings += [
        move(TransactionKind.WAGER, reference, w.sitting.stack_id, action, w.amount_cents, rule="PG-08") for w in wagers
    ]
    postings += [
        move(TransactionKind.BANK, reference, s.sitting.stack_id, action, s.amount_cents, rule="PG-07") for s in shares
    ]
    return postings


@command("hand.void")
def hand_void(work: Work, *, hand_id: UUID, reason: str) -> Answer:
    """Take back a hand that is out, before settlement, with everything it moved. Floor only, with a reason."""
    hand = lock_hand(work, hand_id, ON_THE_FLOOR)
    reason = check_reason(reason, _("Say in up to 300 characters why the hand is voided."))
    give_back(work, hand, ReasonCode.VOID, reason)
    hand.status = Hand.Status.VOID
    hand.void_reason = reason
    hand.ended_at = work.now
    hand.save(update_fields=["status", "void_reason", "ended_at"])
    return {"hand": str(hand.pk), "status": hand.status}


def check_reason(reason: str, message: str) -> str:
    """The reason without blanks around it. Raises ``Malformed`` with the message for none, or a long one."""
    reason = reason.strip()
    if not 1 <= len(reason) <= MAX_REASON:
        raise Malformed("missing", message, fields={"reason": message})
    return reason


def give_back(work: Work, hand: Hand, reason_code: ReasonCode, reason: str) -> None:
    """Reverse everything a hand has moved so far, the last first."""
    stands = transactions_of_reference(hand_reference(hand)).filter(reverses__isnull=True, reversals__isnull=True)
    last_first = stands.order_by("-sequence")
    work.postings += [reverse(transaction, reason_code=reason_code, reason=reason) for transaction in last_first]


def lock_hand(work: Work, hand_id: UUID, roles: tuple[str, ...] = AT_THE_TABLE) -> Hand:
    """A hand that is out, its table locked and the rights checked.

    Raises ``NotThere``, ``Forbidden``, and ``Conflict`` when it is over.
    """
    dealt_at = _TABLE_OF(hand_id)
    if not dealt_at:
        raise NotThere("no-such-hand", _("There is no such hand."))
    ((table_id,),) = dealt_at
    table = work.lock(table_id, roles)
    hand = Hand.objects.select_related("rules", "session__book").get(pk=hand_id)
    hand.session.table = table
    check_open(hand.session)
    work.book = hand.session.book
    if not hand.is_out:
        message = _("Hand %(number)s is over already: %(status)s.")
        raise Conflict("hand-over", message % {"number": hand.number, "status": hand.get_status_display()})
    return hand
