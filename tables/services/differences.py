"""What a correction would change, worked out before anything is posted. Pages show it; the services post exactly it.

Pure reads. A service calls them under the table's lock, so that what they say holds until it commits.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from casino.errors import Conflict, Refusal
from ledger.errors import dollars
from ledger.kinds import AccountKind, ReasonCode, TransactionKind
from ledger.models import Account, Transaction
from ledger.selectors import balances_of, lines_of, transactions_of_reference
from ledger.services import Posting, reverse
from tables.models import Command, Hand, HandRecord, Sitting, TableSession
from tables.models.rooms import Game
from tables.selectors.corrections import OF_A_SITTING, People, money_window, ruling_window
from tables.selectors.restrictions import restrictions_of
from tables.selectors.seats import holds_running
from tables.services.collecting import CARRIED_KINDS, carried_parts, last_first
from tables.services.postings import course, hand_reference, move
from tables.services.records import judge, record_data
from tables.services.rotation import provider_there
from tables.services.settling import final_postings

RULE = "PG-45"
FINAL_KINDS = (TransactionKind.PAYMENT, TransactionKind.SETTLEMENT, TransactionKind.COLLECTION_REFUND)
DEAL_KINDS = (
    TransactionKind.COLLECTION,
    TransactionKind.JACKPOT_FEE,
    TransactionKind.WAGER,
    TransactionKind.BANK,
    TransactionKind.WAIVER,
)
# Lent and returned within one command; there is nothing in them to take back.
RULING_KINDS = (TransactionKind.RULING_ADVANCE, TransactionKind.RULING_RETURN)


@dataclass(frozen=True, slots=True)
class Shortage:
    """A stack that a correction would take more from than is on it, and by how much."""

    sitting: Sitting
    missing_cents: int


class ChipsGone(Refusal):
    """Somebody has lost or cashed out the chips that a correction would take back."""

    def __init__(self, shortages: Sequence[Shortage]) -> None:
        people = "; ".join(_missing(shortage) for shortage in shortages)
        message = _(
            "Chips are missing: %(people)s. Have them bought in or carried in, or take their cash-out back, and confirm "
            "again; or let the hand stand and write the ruling down as an incident. Nothing was changed."
        )
        missing = {str(each.sitting.pk): dollars(each.missing_cents) for each in shortages}
        super().__init__("chips-gone", message % {"people": people}, rule=RULE, fields=missing)


def _missing(shortage: Shortage) -> str:
    values = {"name": shortage.sitting.patron.name, "amount": dollars(shortage.missing_cents)}
    if shortage.sitting.ended_at is not None:
        return _("%(name)s, who has left, lacks %(amount)s") % values
    return _("%(name)s lacks %(amount)s") % values


@dataclass(frozen=True, slots=True)
class StackChange:
    """A person's stack before and after a correction, in cents."""

    sitting: Sitting
    before_cents: int
    net_cents: int

    @property
    def after_cents(self) -> int:
        """What will be on the stack."""
        return self.before_cents + self.net_cents


@dataclass(frozen=True, slots=True)
class Difference:
    """A hand judged again: the new record and verdict, and what takes the old payments back and pays the new ones.

    ``postings`` holds reversals, still without a reason, and after them what is posted anew. Where ``advances`` names
    stacks, chips have gone since: so much is lent to each before the rest and comes back after it.
    """

    hand: Hand
    standing: HandRecord
    record: Mapping[str, Any]
    record_text: str
    verdict: Mapping[str, Any]
    postings: Sequence[Posting]
    reversed: Mapping[UUID, Transaction]
    stacks: Sequence[StackChange]
    advances: Mapping[UUID, int]
    people: People

    @property
    def status(self) -> str:
        """What the hand becomes."""
        is_misdeal = self.verdict["status"] == "misdeal"
        return Hand.Status.MISDEAL if is_misdeal else Hand.Status.SETTLED

    @property
    def shortages(self) -> list[Shortage]:
        """The stacks that would end below zero; with any, nothing can be posted."""
        return _shortages(self.stacks)

    def in_full(self, ruling_account: UUID) -> list[Posting]:
        """All postings in order, with what is lent first and returned last through the session's ruling account."""
        reference = hand_reference(self.hand)
        lent, back = TransactionKind.RULING_ADVANCE, TransactionKind.RULING_RETURN
        return [
            *(move(lent, reference, ruling_account, stack, cents, rule=RULE) for stack, cents in self.advances.items()),
            *self.postings,
            *(move(back, reference, stack, ruling_account, cents, rule=RULE) for stack, cents in self.advances.items()),
        ]


def resettle_difference(
    *, hand: Hand, hands: Sequence[Mapping[str, Any]], incidents: Sequence[Mapping[str, Any]] = ()
) -> Difference:
    """What it would change to judge a hand that is over from these cards, under its own rules, with its own stacks.

    It is paid by its verdict then, whatever was paid before. Raises ``Conflict`` where the hand cannot be judged again now,
    or the cards are those already recorded and were paid as due, and ``Malformed`` with every fault of the cards. Missing
    chips are no refusal yet: see ``shortages``.
    """
    standing = check_can_be_judged_again(hand)
    record_text, verdict = judge(hand, record_data(hand, hands, incidents))
    if record_text == standing.text and not standing.paid_differently.exists():
        raise Conflict("nothing-changed", _("This is what is recorded already. Change the cards that were wrong."))
    takes_back, posts = _money(hand, verdict)
    if Counter(map(lines_of, takes_back)) == Counter(posting.entries for posting in posts):
        takes_back, posts = [], []
    postings = [*(reverse(each, reason_code=ReasonCode.OTHER, reason="", rule=RULE) for each in takes_back), *posts]
    stacks, advances = _stacks(_sittings(hand), postings)
    moved_cents = sum(max(change.net_cents, 0) for change in stacks)
    return Difference(
        hand=hand,
        standing=standing,
        record=json.loads(record_text),
        record_text=record_text,
        verdict=verdict,
        postings=postings,
        reversed={each.pk: each for each in takes_back},
        stacks=stacks,
        advances=advances,
        people=People(ruling_window(hand), moved_cents, hand.session.table.room.approval_limit_cents),
    )


def check_can_be_judged_again(hand: Hand) -> HandRecord:
    """The record that the hand was settled by. Raises ``Conflict``, saying what to do instead."""
    values = {"number": hand.number}
    if hand.is_out:
        raise Conflict("hand-out", _("Hand %(number)s is still out. Enter the cards again on the tablet.") % values)
    if hand.misdeal_code:
        message = _("Hand %(number)s was called a misdeal without its cards: everything went back. Deal a new hand.")
        raise Conflict("hand-misdealt", message % values)
    if hand.final_record is None:
        message = _("Hand %(number)s was voided: everything went back. Deal a new hand, and pay by that one.")
        raise Conflict("hand-void", message % values)
    out = hand.session.hands.filter(status=Hand.Status.OUT).first()
    if out is not None and hand.session.table.game == Game.CHINESE_POKER:
        message = _("Hand %(out)s is out, and no chips move beside it. Correct hand %(number)s when it is over.")
        raise Conflict("hand-out", message % {"out": out.number, **values}, rule="CP-61")
    return hand.final_record


def _money(hand: Hand, verdict: dict[str, Any]) -> tuple[list[Transaction], list[Posting]]:
    """What has to be taken back, the newest first, and what has to be posted."""
    posted = list(transactions_of_reference(hand_reference(hand)).order_by("-sequence"))
    reversals = {each.reverses_id: each for each in posted if each.reverses_id}
    standing = [each for each in posted if each.reverses_id is None and each.pk not in reversals]
    finals = final_postings(hand, verdict)
    if verdict["status"] == "misdeal":
        stays = carried_parts(hand, standing)
        return last_first(each for each in standing if each.kind not in RULING_KINDS and each not in stays), []
    if hand.status == Hand.Status.SETTLED:
        # An award belongs to the verdict that it was given by. Floor and manager give it again by the new one (CP-63).
        return [each for each in standing if each.kind in (*FINAL_KINDS, TransactionKind.JACKPOT_AWARD)], finals
    return [], [*_deal(posted, reversals), *finals]


def _deal(posted: Sequence[Transaction], reversals: Mapping[UUID, Transaction]) -> list[Posting]:
    """What the deal of a misdeal had moved, to be posted again. ``posted`` is everything of the hand, the newest first.

    That is what went back with the misdeal, and of its collections what went back later, carried to the next deal (PG-04).
    What went back before, such as a wager that was taken back, stays back.
    """
    at_once = [reversals[each.pk] for each in posted if each.pk in reversals and each.kind not in CARRIED_KINDS]
    last = max(at_once or reversals.values(), key=lambda each: each.sequence, default=None)
    if last is None:
        return []
    began = min(each.sequence for each in reversals.values() if each.command == last.command)
    return [
        Posting(TransactionKind(each.kind), each.reference, lines_of(each), rule=each.rule)
        for each in reversed(posted)
        if each.kind in DEAL_KINDS and each.pk in reversals and reversals[each.pk].sequence >= began
    ]


def _sittings(hand: Hand) -> dict[UUID, Sitting]:
    """Everybody with a part in a hand by the account of their stack, in the order of seats, wagers, shares."""
    parts = (hand.seats.order_by("number"), hand.wagers.order_by("ordinal"), hand.bank_shares.order_by("ordinal"))
    found = [part.sitting for rows in parts for part in rows.select_related("sitting__patron", "sitting__seat")]
    return {sitting.stack_id: sitting for sitting in found}


def _stacks(sittings: Mapping[UUID, Sitting], postings: Iterable[Posting]) -> tuple[list[StackChange], dict[UUID, int]]:
    """What becomes of each stack, and how far each would fall below zero on the way, line by line."""
    held = balances_of(sittings)
    running, lacking = course({stack: held[stack] for stack in sittings}, postings)
    changes = [StackChange(sitting, held[stack], running[stack] - held[stack]) for stack, sitting in sittings.items()]
    return changes, lacking


def _shortages(stacks: Iterable[StackChange]) -> list[Shortage]:
    return [Shortage(change.sitting, -change.after_cents) for change in stacks if change.after_cents < 0]


@dataclass(frozen=True, slots=True)
class Planned:
    """A transaction about to be posted: what it is, the number in the book of what it takes back, its entries by name."""

    kind: str
    takes_back: int | None
    rule: str
    entries: Sequence[tuple[str, int]]


# Stands for the session's ruling account while none is open. Nothing is ever posted on it.
_NOT_OPEN = UUID(int=0)


def planned(difference: Difference) -> list[Planned]:
    """The transactions of a difference in the order of posting, for people to read."""
    postings = difference.in_full(difference.hand.session.ruling_account_id or _NOT_OPEN)
    accounts = Account.objects.in_bulk({line.account_id for posting in postings for line in posting.entries})
    names = {pk: account.name for pk, account in accounts.items()} | {_NOT_OPEN: str(AccountKind.RULING.label)}
    return [
        Planned(
            kind=str(posting.kind.label),
            takes_back=difference.reversed[posting.reverses].sequence if posting.reverses else None,
            rule=posting.rule,
            entries=[(names[line.account_id], line.amount_cents) for line in posting.entries],
        )
        for posting in postings
    ]


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A buy-in or cash-out about to be taken back. ``seats_again``: its sitting goes on where it ended."""

    transaction: Transaction
    sitting: Sitting
    stack: StackChange
    people: People
    seats_again: bool

    @property
    def shortages(self) -> list[Shortage]:
        """The stack, when it does not hold what was bought in."""
        return _shortages([self.stack])


def take_back_difference(*, session: TableSession, transaction: Transaction, now: datetime) -> TakeBack:
    """What it would change ``now`` to take back a buy-in, chips carried in, a cash-out or chips carried out of a session.

    Raises ``Refusal`` for a transaction of another kind and ``Conflict`` for one that was taken back before.
    """
    _check_is_of_a_sitting(transaction)
    if transaction.reversals.exists():
        raise Conflict("already-reversed", _("This has been taken back already."))
    sitting = Sitting.objects.select_related("patron", "seat").get(
        pk=UUID(transaction.reference.removeprefix("sitting:")), session=session
    )
    sitting.session = session
    command = Command.objects.get(pk=transaction.command)
    net = -sum(line.amount_cents for line in lines_of(transaction) if line.account_id == sitting.stack_id)
    limit = session.table.room.approval_limit_cents
    return TakeBack(
        transaction=transaction,
        sitting=sitting,
        stack=StackChange(sitting, balances_of([sitting.stack_id])[sitting.stack_id], net),
        people=People(money_window(session, command.recorded_at), abs(net), limit),
        seats_again=sitting.ended_at == command.recorded_at and _may_sit(sitting, now),
    )


def _check_is_of_a_sitting(transaction: Transaction) -> None:
    if transaction.kind in OF_A_SITTING:
        return
    if transaction.reference.startswith("hand:") and transaction.kind != TransactionKind.REVERSAL:
        message = _("This is money of a hand. Settle the hand again, or void it while it is out.")
        raise Refusal("hand-money", message, rule=RULE)
    message = _("Only buy-ins, cash-outs and chips carried in or out are taken back by themselves, and once.")
    raise Refusal("not-reversible", message, rule=RULE)


def _may_sit(sitting: Sitting, now: datetime) -> bool:
    """Whether somebody who left could sit where they sat as anybody could: table open, seat free and held for nobody else, not
    seated again meanwhile, not restricted, and at a timed table with no provider's player there already.
    """
    session, seat, patron = sitting.session, sitting.seat, sitting.patron
    there = Sitting.objects.filter(ended_at__isnull=True)
    if not session.is_open or there.filter(session=session, patron=patron).exists():
        return False
    if restrictions_of([patron], session.table.room, now) or provider_there(session, patron) is not None:
        return False
    return seat is None or not (
        there.filter(seat=seat).exists() or holds_running(now).filter(seat=seat).exclude(patron=patron).exists()
    )
