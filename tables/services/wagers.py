"""Wagers and bank of a Pai Gow hand, up to the dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Malformed, NotThere, Refusal
from ledger.kinds import TransactionKind
from ledger.services import Posting
from tables.models import BankShare, Hand, Sitting, Wager
from tables.models.rooms import Game
from tables.services.amounts import check_amount
from tables.services.collecting import wager_collections
from tables.services.commands import Answer, Work, command
from tables.services.hands import lock_hand
from tables.services.postings import hand_reference, move
from tables.services.stages import OPEN_DICE, step

MAX_WAGERS = 60


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
    step(hand, OPEN_DICE)
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
    hand.save(update_fields=["dice", "wagers_closed_at", "stage"])
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
    reference, action = hand_reference(hand), hand.action_account_id
    if action is None:
        raise RuntimeError(f"{hand.pk} has no action account")
    postings = wager_collections(hand, wagers, shares)
    postings += [
        move(TransactionKind.WAGER, reference, w.sitting.stack_id, action, w.amount_cents, rule="PG-08") for w in wagers
    ]
    postings += [
        move(TransactionKind.BANK, reference, s.sitting.stack_id, action, s.amount_cents, rule="PG-07") for s in shares
    ]
    return postings
