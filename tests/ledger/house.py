"""A small house for the ledger's tests: one table's book, the accounts around it, and two players with chips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID, uuid4

from django.db import transaction

from ledger.kinds import AccountKind, TransactionKind
from ledger.models import Account, Book, Transaction
from ledger.services import Line, Posting, account_open, book_open, post

NOON = datetime(2026, 11, 29, 20, 0, 0, 123456, tzinfo=UTC)
BUY_IN_CENTS = 10_000


@dataclass(frozen=True)
class House:
    """Lin and Park have bought in for $100 each; the book of their table has those two transactions."""

    book: Book
    cash: Account
    chips: Account
    drop: Account
    table_float: Account
    cage: Account
    action: Account
    lin: Account
    park: Account


def make_house() -> House:
    """Open the book and the accounts, and buy Lin and Park in."""
    house = House(
        book=book_open(name="Table 7", opened_at=NOON),
        cash=account_open(kind=AccountKind.OUTSIDE_CASH, name="Cash"),
        chips=account_open(kind=AccountKind.OUTSIDE_CHIPS, name="Chips"),
        drop=account_open(kind=AccountKind.DROP_BOX, name="Drop box 7"),
        table_float=account_open(kind=AccountKind.TABLE_FLOAT, name="Float 7"),
        cage=account_open(kind=AccountKind.CAGE, name="Cage"),
        action=account_open(kind=AccountKind.HAND_ACTION, name="Hand 1"),
        lin=account_open(kind=AccountKind.STACK, name="Lin"),
        park=account_open(kind=AccountKind.STACK, name="Park"),
    )
    for player in (house.lin, house.park):
        post_now(house.book, move(TransactionKind.BUY_IN, house.cash, player, BUY_IN_CENTS))
    return house


def move(kind: TransactionKind, source: Account, target: Account, cents: int, reference: str = "hand:1") -> Posting:
    """A posting of one amount from one account to another."""
    return Posting(kind, reference, (Line(source.pk, -cents), Line(target.pk, cents)))


def pay(source: Account, target: Account, cents: int) -> Posting:
    """A payment from one stack to another."""
    return move(TransactionKind.PAYMENT, source, target, cents)


def post_now(book: Book, *postings: Posting, command: UUID | None = None, **other: object) -> list[Transaction]:
    """Post and commit, as the dealer with badge 2001."""
    arguments = {"actor": "2001", "device": "T7", "occurred_at": NOON, **other}
    with transaction.atomic():
        return post(book=book, postings=postings, command=command or uuid4(), **arguments)  # type: ignore[arg-type]


def amounts(transactions: Sequence[Transaction]) -> list[list[int]]:
    """The signed amounts of each transaction in line order."""
    return [[entry.amount_cents for entry in row.entries.order_by("line")] for row in transactions]
