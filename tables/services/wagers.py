"""Wagers and bank of a Pai Gow hand, up to the dice: one by one as they are put down, or all in one press."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Max
from django.utils.translation import gettext as _

from casino.errors import Conflict, Malformed, NotThere, Refusal
from ledger.kinds import ReasonCode, TransactionKind
from ledger.rows import ComposedModels, insert, update
from ledger.selectors import transactions_of_reference
from ledger.services import reverse
from tables.models import BankShare, Hand, Sitting, Wager, Withdrawal
from tables.models.rooms import Game
from tables.selectors.wagers import handlers, no_action_cents, reaches, shares_of, wagers_of
from tables.services.amounts import check_amount
from tables.services.collecting import end_carrying, wager_collections
from tables.services.commands import Answer, Work, command
from tables.services.hands import lock_hand
from tables.services.postings import hand_reference, move
from tables.services.restrictions import check_none_restricted
from tables.services.stages import OPEN_DICE, WAGER, step

MAX_WAGERS = 60
_PARTNERS = ("partners", "sittings")


@dataclass(slots=True)
class _Stakes:
    """What lies on the table of a hand before the dice, and who may put more there."""

    work: Work
    hand: Hand
    sittings: Mapping[str, Sitting]
    wagers: list[Wager]
    shares: list[BankShare]
    is_first: bool

    def sitting(self, asked: object) -> Sitting:
        """Somebody at the table, by the id that was sent. Raises ``NotThere``."""
        sitting = self.sittings.get(str(asked))
        if sitting is None:
            raise NotThere("unknown-patron", _("This patron is not at the table. Seat or describe them first."))
        return sitting

    def answer(self, placed: Sequence[Wager]) -> Answer:
        """What the screen shows of wagers just placed, and who handles which cards now (PG-06)."""
        most = self.hand.session.table_max_cents
        over = {wager.reference: no_action_cents(wager, most) for wager in placed}
        return {
            "hand": str(self.hand.pk),
            "wagers": [wager.reference for wager in placed],
            "no_action_cents": {reference: cents for reference, cents in over.items() if cents},
            "put_down_by_dealer": [wager.reference for wager in placed if wager.put_down_by_dealer],
            "handlers": {str(spot): str(sitting) for spot, sitting in handlers(self.wagers, most).items()},
        }


_THERE = ComposedModels(
    lambda session_id: Sitting.objects.filter(session=session_id, ended_at__isnull=True).select_related(
        "seat", "patron"
    )
)


@command("hand.wager")
def hand_wager(
    work: Work,
    *,
    hand_id: UUID,
    position: int,
    sitting_id: UUID,
    amount_cents: int,
    put_down_by_dealer: bool | None = None,
    partners: Sequence[UUID] = (),
) -> Answer:
    """Place one wager before the dice: its collection (PG-04) and the wager leave the stack at once.

    What is over the table maximum is taken and named as ``no_action_cents``; it goes back before anything is covered
    (PG-05). A wager that the bettor does not reach is put down by the dealer (PG-06) and marked so; saying that it was
    not is refused. Raises ``Malformed``, ``NotThere`` for who is not at the table, ``Forbidden`` for who may not play,
    ``InsufficientFunds``, and ``Refusal``: below the minimum (PG-05), on the Player/Dealer's own spot (PG-06), with
    ``partners`` (PG-07), after the dice (PG-08).
    """
    stakes = _lock_stakes(work, hand_id, WAGER)
    asked = {
        "position": position,
        "sitting": sitting_id,
        "amount_cents": amount_cents,
        "put_down_by_dealer": put_down_by_dealer,
        "partners": partners,
    }
    placed = _place(stakes, [asked])
    _put_in_action(stakes, placed, [])
    update(stakes.hand, "stage")
    return stakes.answer(placed)


@command("hand.bank")
def hand_bank(work: Work, *, hand_id: UUID, shares: Sequence[Mapping[str, Any]]) -> Answer:
    """Put up the bank before the dice, with its collection (PG-04): first the Player/Dealer, then Kum-Kum (PG-07).

    ``shares``: ``{"sitting", "amount_cents"}``; partners may stand. The bank has no maximum (PG-05). To change it, take it
    back first. Raises as ``hand.wager`` does, and ``Conflict`` while there is a bank.
    """
    stakes = _lock_stakes(work, hand_id, WAGER)
    given = _give_bank(stakes, shares)
    _put_in_action(stakes, [], given)
    update(stakes.hand, "stage")
    return {"hand": str(stakes.hand.pk), "bank_cents": sum(share.amount_cents for share in given)}


@command("hand.take_back_wager")
def hand_take_back_wager(work: Work, *, hand_id: UUID, wager: str) -> Answer:
    """Take back a wager before the dice, with its collection. ``wager`` is its name in the hand, such as ``w2``.

    Raises ``NotThere`` where no such wager lies there, ``Refusal`` after the dice (PG-08).
    """
    stakes = _lock_stakes(work, hand_id, WAGER)
    found = next((each for each in stakes.wagers if each.reference == wager), None)
    if found is None:
        raise NotThere("no-such-wager", _("There is no wager %(wager)s on the table.") % {"wager": wager[:20]})
    _take_back(stakes, found, [Withdrawal(wager=found, withdrawn_at=work.now, command_id=work.order.key)])
    stakes.wagers.remove(found)
    return stakes.answer([]) | {"returned_cents": found.amount_cents}


@command("hand.take_back_bank")
def hand_take_back_bank(work: Work, *, hand_id: UUID) -> Answer:
    """Take back the whole bank before the dice, with its collection, to put up another. Raises ``Refusal`` after them (PG-08)."""
    stakes = _lock_stakes(work, hand_id, WAGER)
    if not stakes.shares:
        raise Conflict("no-bank", _("There is no bank on the table."))
    rows = [Withdrawal(share=each, withdrawn_at=work.now, command_id=work.order.key) for each in stakes.shares]
    _take_back(stakes, stakes.shares[0], rows)
    return {"hand": str(stakes.hand.pk), "returned_cents": sum(share.amount_cents for share in stakes.shares)}


@command("hand.open_dice")
def hand_open_dice(work: Work, *, hand_id: UUID, dice: Sequence[int]) -> Answer:
    """Open the dice: wagers are closed from here on (PG-08). Raises ``Refusal`` without a bank or without a wager."""
    stakes = _lock_stakes(work, hand_id, OPEN_DICE)
    if not stakes.shares:
        raise Conflict(
            "no-bank", _("There is no bank on the table. Put it up before the dice are opened."), rule="PG-08"
        )
    if not stakes.wagers:
        raise Conflict("no-wager", _("Nobody has wagered. Place a wager before the dice are opened."), rule="PG-08")
    _open_dice(stakes, dice)
    return stakes.answer(stakes.wagers)


@command("hand.close_wagers")
def hand_close_wagers(
    work: Work,
    *,
    hand_id: UUID,
    wagers: Sequence[Mapping[str, Any]],
    bank: Sequence[Mapping[str, Any]],
    dice: Sequence[int],
) -> Answer:
    """Wagers, bank and dice in one press: what ``hand.wager``, ``hand.bank`` and ``hand.open_dice`` do one by one.

    ``wagers``: ``{"position", "sitting", "amount_cents"}`` in the order of placing, with ``put_down_by_dealer`` where it is
    to be said; they come on top of what was placed before. ``bank`` as for ``hand.bank``. Raises what those do.
    """
    stakes = _lock_stakes(work, hand_id, OPEN_DICE)
    if not wagers:
        raise Malformed("out-of-range", _("Enter at least one wager, and at most %(most)s.") % {"most": MAX_WAGERS})
    placed = _place(stakes, wagers)
    _put_in_action(stakes, placed, _give_bank(stakes, bank))
    _open_dice(stakes, dice)
    return stakes.answer(placed)


def _lock_stakes(work: Work, hand_id: UUID, act: str) -> _Stakes:
    """The stakes of a hand whose stage allows the act, the table locked. Raises ``Malformed`` in another game."""
    hand = lock_hand(work, hand_id)
    if hand.session.table.game != Game.PAI_GOW_POKER:
        raise Malformed("conflict", _("Wagers and dice belong to Pai Gow Poker."))
    is_first = hand.stage == Hand.Stage.COLLECTED
    step(hand, act)
    return _Stakes(
        work=work,
        hand=hand,
        sittings={str(sitting.pk): sitting for sitting in _THERE(hand.session_id)},
        wagers=[] if is_first else wagers_of(hand),
        shares=[] if is_first else shares_of(hand),
        is_first=is_first,
    )


def _place(stakes: _Stakes, asked: Sequence[Mapping[str, Any]]) -> list[Wager]:
    """The new wagers, checked and numbered on; they join those that lie there."""
    hand = stakes.hand
    if len(stakes.wagers) + len(asked) > MAX_WAGERS:
        raise Malformed("out-of-range", _("A hand takes at most %(most)s wagers.") % {"most": MAX_WAGERS})
    last = 0
    if not stakes.is_first:
        last = Wager.objects.filter(hand=hand).aggregate(last=Max("ordinal"))["last"] or 0
    placed = []
    for place, each in enumerate(asked):
        wager = _wager(stakes, each, place)
        wager.ordinal = last + place + 1
        placed.append(wager)
        stakes.wagers.append(wager)
    return placed


def _wager(stakes: _Stakes, asked: Mapping[str, Any], place: int) -> Wager:
    hand, position = stakes.hand, asked.get("position")
    if type(position) is not int or not 1 <= position <= 7:
        message = _("A wager lies on a position from 1 to 7.")
        raise Malformed("out-of-range", message, fields={f"wagers/{place}": "position"})
    if position == hand.button_seat:
        raise Refusal("conflict", _("Nobody wagers on the Player/Dealer's own position."), rule="PG-06")
    if any(asked.get(name) for name in _PARTNERS):
        message = _("One wager is one person's. Several people's money goes together in the bank only.")
        raise Refusal("kum-kum-in-the-bank-only", message, rule="PG-07")
    amount_cents = check_amount(f"wagers/{place}", asked.get("amount_cents"))
    if amount_cents < (hand.session.table_min_cents or 1):
        message = _("The wager on position %(position)s is below the table minimum.") % {"position": position}
        raise Refusal("below-minimum", message, rule="PG-05")
    sitting = stakes.sitting(asked.get("sitting"))
    if any(each.position == position and each.sitting_id == sitting.pk for each in stakes.wagers):
        message = _("%(name)s has a wager on position %(position)s. Take it back, then place the whole amount.")
        values = {"name": sitting.patron.name, "position": position}
        raise Refusal("wagered-there", message % values, rule="PG-05")
    return Wager(
        hand=hand,
        position=position,
        sitting=sitting,
        amount_cents=amount_cents,
        put_down_by_dealer=_is_put_down(asked.get("put_down_by_dealer"), sitting, position, place),
        command_id=stakes.work.order.key,
    )


def _is_put_down(said: object, sitting: Sitting, position: int, place: int) -> bool:
    """Whether the dealer puts a wager down: where that was said, and wherever the bettor does not reach the spot (PG-06)."""
    if said is not None and type(said) is not bool:
        message = _("Say true or false, or leave it out.")
        raise Malformed("wrong-type", message, fields={f"wagers/{place}": "put_down_by_dealer"})
    if said is False and not reaches(sitting, position):
        values = {"name": sitting.patron.name, "position": position}
        message = _("%(name)s does not sit beside position %(position)s. The dealer puts this wager down.") % values
        raise Refusal("through-the-dealer", message, rule="PG-06")
    return said is True or not reaches(sitting, position)


def _give_bank(stakes: _Stakes, asked: Sequence[Mapping[str, Any]]) -> list[BankShare]:
    """The shares of the bank, checked; they lie there from now on."""
    hand = stakes.hand
    if stakes.shares:
        raise Conflict("bank-given", _("The bank is on the table. Take it back to put up another."), rule="PG-07")
    if len(asked) > MAX_WAGERS:
        raise Malformed("out-of-range", _("A bank has at most %(most)s partners.") % {"most": MAX_WAGERS})
    given = 0
    if not stakes.is_first:
        given = BankShare.objects.filter(hand=hand).aggregate(last=Max("giving"))["last"] or 0
    rows = [
        BankShare(
            hand=hand,
            giving=given + 1,
            ordinal=ordinal,
            sitting=stakes.sitting(share.get("sitting")),
            amount_cents=check_amount(f"bank/{ordinal - 1}", share.get("amount_cents")),
            command_id=stakes.work.order.key,
        )
        for ordinal, share in enumerate(asked, 1)
    ]
    if not rows or rows[0].sitting.seat is None or rows[0].sitting.seat.number != hand.button_seat:
        raise Malformed("missing", _("The first share of the bank is the Player/Dealer's."), fields={"bank": "PG-07"})
    if len({row.sitting_id for row in rows}) != len(rows):
        raise Malformed("conflict", _("Each partner has one share of the bank; add them up."), fields={"bank": "PG-07"})
    stakes.shares += rows
    return rows


def _put_in_action(stakes: _Stakes, wagers: Sequence[Wager], shares: Sequence[BankShare]) -> None:
    """Store new stakes and move them, collections first (PG-04). Raises ``Forbidden`` where somebody may not play."""
    work, hand = stakes.work, stakes.hand
    if hand.action_account_id is None:
        raise RuntimeError(f"{hand.pk} has no action account")
    sittings = [*(each.sitting for each in wagers), *(each.sitting for each in shares)]
    patrons = {sitting.patron_id: sitting.patron for sitting in sittings}
    for patron in patrons.values():
        patron.room = hand.session.table.room
    check_none_restricted(list(patrons.values()), work.now)
    work.postings += wager_collections(hand, wagers, shares)
    reference, action = hand_reference(hand), hand.action_account_id
    work.postings += [
        move(TransactionKind.WAGER, reference, each.sitting.stack_id, action, each.amount_cents, rule="PG-08")
        for each in wagers
    ]
    work.postings += [
        move(TransactionKind.BANK, reference, each.sitting.stack_id, action, each.amount_cents, rule="PG-07")
        for each in shares
    ]
    insert(wagers)
    insert(shares)


def _take_back(stakes: _Stakes, placed: Wager | BankShare, withdrawals: Sequence[Withdrawal]) -> None:
    """Reverse everything that was moved when something was placed, the last first, and keep that it was taken back."""
    if placed.command_id is None:
        raise RuntimeError(f"{placed} names no command that placed it")
    moved = transactions_of_reference(hand_reference(stakes.hand)).filter(
        command=placed.command_id, reverses__isnull=True, reversals__isnull=True
    )
    reason = _("Taken back before the dice")
    stakes.work.postings += [
        reverse(each, reason_code=ReasonCode.OTHER, reason=reason, rule="PG-08") for each in moved.order_by("-sequence")
    ]
    insert(withdrawals)


def _open_dice(stakes: _Stakes, dice: Sequence[int]) -> None:
    if len(dice) != 3 or any(type(face) is not int or not 1 <= face <= 6 for face in dice):
        raise Malformed("out-of-range", _("Enter three dice, each from 1 to 6."), fields={"dice": "1-6"})
    hand = stakes.hand
    end_carrying(stakes.work, hand.session)
    hand.dice = list(dice)
    hand.wagers_closed_at = stakes.work.now
    update(hand, "dice", "wagers_closed_at", "stage")
