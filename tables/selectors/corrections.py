"""Reads about corrections: how long may be ruled, who has to be there, and what was before and after."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Q, Subquery
from django.utils.translation import gettext as _

from ledger.kinds import TransactionKind
from ledger.models import Transaction
from ledger.selectors import lines_of
from tables.models import Command, Hand, HandRecord, Resettlement, Reversal, Sitting, TableSession
from tables.selectors.paid import as_paid

OF_A_SITTING = (TransactionKind.BUY_IN, TransactionKind.CHIPS_IN, TransactionKind.CASH_OUT, TransactionKind.CHIPS_OUT)
"""The kinds of transaction that are one person's own, outside every hand."""

Names = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Window:
    """Whether floor may still rule alone (PG-45): until the next hand begins or the table is closed.

    ``next_hand`` is the number of the first hand that has begun since, and ``next_began_at`` when it did.
    """

    session: TableSession
    next_hand: int | None = None
    next_began_at: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Whether no hand has begun since and the table is open."""
        return self.session.is_open and self.next_hand is None


def ruling_window(hand: Hand) -> Window:
    """The window of a hand that is over."""
    return _window(hand.session, Q(number__gt=hand.number))


def ruling_windows(hands: Collection[Hand]) -> dict[UUID | None, Window]:
    """The windows of several hands by their ids, in one query."""
    later = Hand.objects.filter(session=OuterRef("session"), number__gt=OuterRef("number")).order_by("number")
    rows = (
        Hand.objects.filter(pk__in=[hand.pk for hand in hands])
        .select_related("session")
        .annotate(next_hand=Subquery(later.values("number")[:1]), next_at=Subquery(later.values("started_at")[:1]))
    )
    return {row.pk: Window(row.session, row.next_hand, row.next_at) for row in rows}


def money_window(session: TableSession, recorded_at: datetime) -> Window:
    """The window of a buy-in or cash-out: no hand has begun since its command was recorded."""
    return _window(session, Q(started_at__gt=recorded_at))


def _window(session: TableSession, later: Q) -> Window:
    first = session.hands.filter(later).order_by("number").values_list("number", "started_at").first()
    return Window(session, *first) if first else Window(session)


@dataclass(frozen=True, slots=True)
class People:
    """Who has to be there for a correction that moves ``moved_cents``, in a room with this limit."""

    window: Window
    moved_cents: int
    limit_cents: int

    @property
    def needs_manager(self) -> bool:
        """Whether floor supervisors are too late."""
        return not self.window.is_open

    @property
    def is_above_limit(self) -> bool:
        """Whether it moves more than one person may."""
        return self.moved_cents > self.limit_cents

    @property
    def needs_second(self) -> bool:
        """Whether a second person has to give badge and PIN."""
        return self.needs_manager or self.is_above_limit


@dataclass(frozen=True, slots=True)
class PaymentChange:
    """A payment, a wager's result or a share of the bank, before and after, in cents; ``None`` where there was none.

    ``to`` is who is paid; without one the amounts are what ``who`` won or lost.
    """

    who: str
    to: str
    before_cents: int | None
    after_cents: int | None

    @property
    def differs(self) -> bool:
        """Whether it is another amount now."""
        return self.before_cents != self.after_cents

    @property
    def change_cents(self) -> int:
        """What it is more now, or less."""
        return (self.after_cents or 0) - (self.before_cents or 0)


@dataclass(frozen=True, slots=True)
class CardsChange:
    """A hand whose entry differs, with the segments and the rest of either record."""

    place: int
    name: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]


Judged = tuple[Mapping[str, Any], Mapping[str, Any]]
"""A hand record and its verdict."""


def payment_changes(before: Judged, after: Judged, names: Names) -> list[PaymentChange]:
    """Everything that either verdict pays, in paying order."""
    found = [dict(_payments(judged, names)) for judged in (before, after)]
    keys = dict.fromkeys([*found[1], *found[0]])
    return [PaymentChange(*key, found[0].get(key), found[1].get(key)) for key in keys]


def _payments(judged: Judged, names: Names) -> Iterator[tuple[tuple[str, str], int]]:
    record, verdict = judged
    for payment in sorted(verdict.get("payments", ()), key=lambda each: int(each["order"])):
        if payment["paid"]:
            payer, payee = (f"{seat} {names.get(str(seat), '')}" for seat in (payment["payer"], payment["payee"]))
            yield (payer, payee), payment["paid"]
    wagers = {wager["id"]: wager for wager in record.get("wagers", ())}
    for line in sorted(verdict.get("wagers", ()), key=lambda each: int(each["order"])):
        wager = wagers[line["id"]]
        yield (f"{wager['position']} {names.get(wager['patron'], '')} ({line['id']})", ""), line["net"]
    for share in verdict.get("bank", {}).get("shares", ()):
        yield (_("%(name)s, in the bank") % {"name": names.get(share["patron"], share["patron"])}, ""), share["net"]


def cards_changes(before: Mapping[str, Any], after: Mapping[str, Any], names: Names) -> list[CardsChange]:
    """The hands that two records of one hand have differently."""
    place, hands = ("seat", "seats") if "seats" in before else ("position", "hands")
    old, new = ({each[place]: _in_order(each) for each in record[hands]} for record in (before, after))
    return [
        CardsChange(number, names.get(str(number), ""), old.get(number, {}), new.get(number, {}))
        for number in sorted({*old, *new})
        if old.get(number) != new.get(number)
    ]


def _in_order(entered: Mapping[str, Any]) -> dict[str, Any]:
    """What was entered of a hand, its segments as they lie: front, middle, back."""
    segments = [name for name in ("front", "middle", "back") if name in entered]
    return {name: entered[name] for name in (*segments, *entered)}


@dataclass(frozen=True, slots=True)
class ResettlementRow:
    """A resettlement with what it changed."""

    row: Resettlement
    payments: Sequence[PaymentChange]
    cards: Sequence[CardsChange]


def resettlement_rows(resettlements: Sequence[Resettlement], names: Names) -> list[ResettlementRow]:
    """The resettlements of a hand, the first first; ``names`` as on the hand's page."""
    return [
        ResettlementRow(
            each,
            payment_changes(judged(each.before), judged(each.after), names),
            cards_changes(each.before.data, each.after.data, names),
        )
        for each in sorted(resettlements, key=lambda each: each.number)
    ]


def judged(record: HandRecord) -> Judged:
    """A stored record with its verdict as it was paid."""
    rows = sorted(record.paid_differently.all(), key=lambda row: row.pk)
    return record.data, as_paid(record.verdict.data, rows)


@dataclass(frozen=True, slots=True)
class MoneyRow:
    """A buy-in, cash-out, or chips carried in or out: whose, what it put on the stack in cents, and what took it back."""

    transaction: Transaction
    sitting: Sitting
    command: Command | None
    amount_cents: int
    reversal: Reversal | None


def money_rows(session: TableSession) -> list[MoneyRow]:
    """What the patrons of a session brought and took, the newest first."""
    found = list(
        Transaction.objects.filter(book=session.book_id, kind__in=OF_A_SITTING)
        .prefetch_related("entries")
        .order_by("-sequence")
    )
    sittings = {f"sitting:{each.pk}": each for each in session.sittings.select_related("patron", "seat")}
    commands = Command.objects.select_related("actor").in_bulk([each.command for each in found])
    reversals = Reversal.objects.filter(transaction__in=found).select_related("command__actor", "approver")
    taken_back = {each.transaction_id: each for each in reversals}
    return [
        MoneyRow(
            each,
            sittings[each.reference],
            commands.get(each.command),
            sum(line.amount_cents for line in lines_of(each) if line.account_id == sittings[each.reference].stack_id),
            taken_back.get(each.pk),
        )
        for each in found
    ]
