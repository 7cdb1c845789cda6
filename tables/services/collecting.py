"""Collections: flat amounts, fixed before the deal, from each stack to the drop box (CP-65, PG-04); jackpot fees beside them.

A misdeal of Pai Gow Poker leaves its collections in the drop box, and the session names the hand (``carried_hand``). Who
wagers on the next deal has theirs taken back and what that deal owes taken whole, in one command, and so pays what is
missing. When its dice are opened the others have theirs back; who leaves before gets it with the rest of the stack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Refusal
from ledger.errors import dollars
from ledger.kinds import ReasonCode, TransactionKind
from ledger.models import Transaction
from ledger.rows import update
from ledger.selectors import balances_of, lines_of, transactions_of_reference
from ledger.services import Posting, reverse
from tables.models import BankShare, Hand, Payer, Sitting, TableSession, Wager
from tables.models.rooms import Game
from tables.selectors.jackpots import jackpot_feed
from tables.selectors.schedules import Charge, player_charges, wager_charges
from tables.services.commands import Work
from tables.services.players import Player
from tables.services.postings import hand_reference, move

CARRIED_KINDS = (TransactionKind.COLLECTION, TransactionKind.WAIVER)
"""What a misdeal of Pai Gow Poker leaves standing for the next deal (PG-04)."""


def player_collections(hand: Hand, players: Sequence[Player]) -> tuple[list[Posting], dict[UUID, int]]:
    """What each player of a Chinese hand pays before the deal (CP-65), and how much that is in cents, by sitting."""
    sittings = [player.sitting for player in players]
    charges = player_charges(hand.session, sittings)
    paid = Counter({charge.sitting.pk: charge.amount_cents for charge in charges})
    fees = _fees(hand, sittings)
    for sitting, fee in zip(sittings, fees, strict=False):
        paid[sitting.pk] += fee.entries[1].amount_cents
    return [*_collections(hand, charges, "CP-65"), *fees], paid


def wager_collections(hand: Hand, wagers: Sequence[Wager], shares: Sequence[BankShare]) -> list[Posting]:
    """What each wager pays in advance, and the bank from its first share, after what was carried for them came back (PG-04).

    Raises ``Refusal`` where somebody has no full minimum wager left.
    """
    charges = wager_charges(hand.session, wagers, shares)
    stakes: list[Wager | BankShare] = [*wagers, *shares]
    carried = carried_back(hand.session, [stake.sitting for stake in stakes])
    fees = _fees(hand, [wager.sitting for wager in wagers])
    taken = [*carried, *_collections(hand, charges, "PG-04"), *fees]
    if taken:
        _check_left_after_collection(hand.session, wagers, taken)
    return taken


def _collections(hand: Hand, charges: Iterable[Charge], rule: str) -> list[Posting]:
    reference, drop = hand_reference(hand), hand.session.drop_account_id
    return [
        move(TransactionKind.COLLECTION, reference, charge.sitting.stack_id, drop, charge.amount_cents, rule=rule)
        for charge in charges
    ]


def _fees(hand: Hand, sittings: Sequence[Sitting]) -> list[Posting]:
    """The jackpot's fee from each, where the session feeds one (CP-63)."""
    if hand.session.jackpot_id is None:
        return []
    fee_cents, pool = jackpot_feed(hand.session.jackpot_id)
    reference = hand_reference(hand)
    return [
        move(TransactionKind.JACKPOT_FEE, reference, sitting.stack_id, pool, fee_cents, rule="CP-63")
        for sitting in sittings
    ]


def _check_left_after_collection(session: TableSession, wagers: Sequence[Wager], taken: Sequence[Posting]) -> None:
    """Raise ``Refusal`` where what is left to somebody is less than a full minimum for each of their wagers (PG-04)."""
    left = Counter(balances_of({wager.sitting.stack_id for wager in wagers}))
    for line in (line for posting in taken for line in posting.entries if line.account_id in left):
        left[line.account_id] += line.amount_cents
    counts = Counter(wager.sitting.stack_id for wager in wagers)
    for wager in wagers:
        least_cents = counts[wager.sitting.stack_id] * (session.table_min_cents or 1)
        left_cents = left[wager.sitting.stack_id]
        if left_cents < least_cents:
            message = _(
                "After the collection %(name)s has %(left)s, and a full minimum has to be left: %(missing)s more is needed. "
                "Take the wager back, or let more chips come into play first."
            ) % {
                "name": wager.sitting.patron.name,
                "left": dollars(left_cents) if left_cents >= 0 else _("nothing"),
                "missing": dollars(least_cents - left_cents),
            }
            raise Refusal("below-minimum", message, rule="PG-04", fields={"wagers": message})


def carries_collection(hand: Hand) -> bool:
    """Whether a misdeal of this hand carries its collection to the next deal: in Pai Gow Poker, until that deal (PG-04)."""
    session = hand.session
    if session.table.game != Game.PAI_GOW_POKER or not session.is_open:
        return False
    return session.carried_hand_id == hand.pk or hand.number == session.hands_dealt


def carried_parts(hand: Hand, standing: Iterable[Transaction]) -> list[Transaction]:
    """What of a hand's standing transactions stays for the next deal: the collections of those who are still there."""
    if not carries_collection(hand):
        return []
    there = set(hand.session.sittings.filter(ended_at__isnull=True).values_list("stack_id", flat=True))
    return [
        each
        for each in standing
        if each.kind in CARRIED_KINDS and any(line.account_id in there for line in lines_of(each))
    ]


def carry(work: Work, hand: Hand, *, is_carried: bool) -> None:
    """Let the session name the hand whose collections wait for the next deal, or name it no longer."""
    session = hand.session
    if (session.carried_hand_id == hand.pk) == is_carried:
        return
    if is_carried:
        end_carrying(work, session)
    session.carried_hand_id = hand.pk if is_carried else None
    update(session, "carried_hand_id")


def carried_back(session: TableSession, sittings: Iterable[Sitting]) -> list[Posting]:
    """What gives these sittings the collections back that a misdeal has waiting for the next deal (PG-04)."""
    if session.carried_hand_id is None:
        return []
    stacks = {sitting.stack_id for sitting in sittings}
    return _back([each for each in _carried(session) if any(line.account_id in stacks for line in lines_of(each))])


def given_to(sitting: Sitting, postings: Iterable[Posting]) -> int:
    """What postings add to a sitting's stack, in cents."""
    return sum(line.amount_cents for each in postings for line in each.entries if line.account_id == sitting.stack_id)


def end_carrying(work: Work, session: TableSession) -> None:
    """At the end of the next deal's wagering: who did not wager has what was carried back, and nothing waits any longer."""
    if session.carried_hand_id is None:
        return
    coming_back = {posting.reverses for posting in work.postings}
    work.postings += _back([each for each in _carried(session) if each.pk not in coming_back])
    session.carried_hand_id = None
    update(session, "carried_hand_id")


def _carried(session: TableSession) -> list[Transaction]:
    posted = transactions_of_reference(f"hand:{session.carried_hand_id}")
    return list(posted.filter(kind__in=CARRIED_KINDS, reversals__isnull=True))


def _back(waiting: Iterable[Transaction]) -> list[Posting]:
    reason = _("Carried to the next deal")
    return [reverse(each, reason_code=ReasonCode.MISDEAL, reason=reason, rule="PG-04") for each in last_first(waiting)]


def last_first(transactions: Iterable[Transaction]) -> list[Transaction]:
    """In the order of taking back: the newest first, and a waiver after its collection, so that nobody has to pay it before."""
    return sorted(transactions, key=lambda each: (each.kind == TransactionKind.WAIVER, -each.sequence))


def refunds(hand: Hand, wagers: Sequence[Wager], verdict: dict[str, Any]) -> list[Posting]:
    """The collections of wagers without any action, given back at settlement where the rules say so (PG-04).

    What of them was waived is not given twice.
    """
    if not hand.rules.parameters["refund_uncovered_collection"]:
        return []
    uncovered = {line["id"] for line in verdict["wagers"] if line["rule"] == "PG-32"}
    charges = wager_charges(hand.session, wagers, ())
    due = Counter[UUID]()
    back = Counter[UUID]()
    for charge in charges:
        due[charge.sitting.pk] += charge.amount_cents
        if charge.wager is not None and charge.wager.reference in uncovered:
            back[charge.sitting.pk] += charge.amount_cents
    if not back:
        return []
    for sitting_id, cents in hand.waivers.filter(payer=Payer.WAGER).values_list("sitting_id", "amount_cents"):
        due[sitting_id] -= cents
    stacks = {wager.sitting.pk: wager.sitting.stack_id for wager in wagers}
    reference, drop = hand_reference(hand), hand.session.drop_account_id
    return [
        move(
            TransactionKind.COLLECTION_REFUND, reference, drop, stacks[sitting], min(cents, due[sitting]), rule="PG-04"
        )
        for sitting, cents in back.items()
        if min(cents, due[sitting]) > 0
    ]
