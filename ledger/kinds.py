"""Kinds of account and of transaction, and which transaction may touch which account in which direction.

``FLOWS`` is the one table behind it. ``manage.py migrate`` makes the database's own copy (``KindRule``) equal to
it, and the database refuses every entry that no row of that copy allows. It is what keeps the house out of the
play: a wager, payment, settlement or return never touches a float, a drop box or the cage, and a collection
goes from a stack to a drop box and nowhere else (Business and Professions Code 19984); a waiver or a refund brings it back.
"""

from collections.abc import Iterator
from typing import NamedTuple

from django.db import models
from django.utils.translation import gettext_lazy as _


class AccountKind(models.TextChoices):
    """A place where value can be."""

    STACK = "stack", _("stack")
    HAND_ACTION = "hand-action", _("hand's action")
    TABLE_FLOAT = "table-float", _("table float")
    DROP_BOX = "drop-box", _("drop box")
    JACKPOT = "jackpot", _("jackpot")
    CAGE = "cage", _("cage")
    OUTSIDE_CASH = "outside-cash", _("patrons' cash")
    OUTSIDE_CHIPS = "outside-chips", _("chips carried in and out")
    RULING = "ruling", _("held during a ruling")


GUARDED_KINDS = frozenset(
    {AccountKind.STACK, AccountKind.HAND_ACTION, AccountKind.TABLE_FLOAT, AccountKind.JACKPOT},
)
"""Accounts that have a balance row and can never go below zero."""


class TransactionKind(models.TextChoices):
    """Why value moved."""

    BUY_IN = "buy-in", _("buy-in")
    CHIPS_IN = "chips-in", _("chips carried in")
    CASH_OUT = "cash-out", _("cash-out")
    CHIPS_OUT = "chips-out", _("chips carried out")
    TABLE_MOVE = "table-move", _("move to another table")
    WAGER = "wager", _("wager")
    BANK = "bank", _("bank")
    COLLECTION = "collection", _("collection")
    WAIVER = "waiver", _("waiver of a collection")
    COLLECTION_REFUND = "collection-refund", _("refund of a collection")
    PAYMENT = "payment", _("payment")
    SETTLEMENT = "settlement", _("settlement")
    RETURN = "return", _("return")
    JACKPOT_FEE = "jackpot-fee", _("jackpot fee")
    JACKPOT_AWARD = "jackpot-award", _("jackpot award")
    FILL = "fill", _("fill")
    CREDIT = "credit", _("credit")
    DROP_COUNT = "drop-count", _("drop count")
    RULING_ADVANCE = "ruling-advance", _("advance during a ruling")
    RULING_RETURN = "ruling-return", _("return of an advance")
    REVERSAL = "reversal", _("reversal")
    NOTE = "note", _("note")


class ReasonCode(models.TextChoices):
    """Why something was taken back, for counting; the words beside it say the rest."""

    MISDEAL = "misdeal", _("Misdeal")
    VOID = "void", _("Hand voided")
    CARDS = "cards", _("Cards entered wrong")
    AMOUNT = "amount", _("Wrong amount")
    PERSON = "person", _("Wrong person")
    RULING = "ruling", _("Ruling on a dispute")
    OTHER = "other", _("Something else")


class Flow(NamedTuple):
    """The kinds of account that a kind of transaction takes from, and those it gives to."""

    takes_from: frozenset[AccountKind]
    gives_to: frozenset[AccountKind]


def _flow(takes_from: set[AccountKind], gives_to: set[AccountKind]) -> Flow:
    return Flow(frozenset(takes_from), frozenset(gives_to))


_STACK, _ACTION, _FLOAT = AccountKind.STACK, AccountKind.HAND_ACTION, AccountKind.TABLE_FLOAT

# A reversal has no row: the database holds each of its entries to be the mirror of the one it takes back. Nor has a
# note: it moves nothing.
FLOWS: dict[TransactionKind, Flow] = {
    TransactionKind.BUY_IN: _flow({AccountKind.OUTSIDE_CASH, _FLOAT}, {_STACK, _FLOAT}),
    TransactionKind.CHIPS_IN: _flow({AccountKind.OUTSIDE_CHIPS}, {_STACK}),
    TransactionKind.CASH_OUT: _flow({_STACK, _FLOAT}, {AccountKind.OUTSIDE_CASH, _FLOAT}),
    TransactionKind.CHIPS_OUT: _flow({_STACK}, {AccountKind.OUTSIDE_CHIPS}),
    TransactionKind.TABLE_MOVE: _flow({_STACK}, {_STACK}),
    TransactionKind.WAGER: _flow({_STACK}, {_ACTION}),
    TransactionKind.BANK: _flow({_STACK}, {_ACTION}),
    TransactionKind.COLLECTION: _flow({_STACK}, {AccountKind.DROP_BOX}),
    TransactionKind.WAIVER: _flow({AccountKind.DROP_BOX}, {_STACK}),
    TransactionKind.COLLECTION_REFUND: _flow({AccountKind.DROP_BOX}, {_STACK}),
    TransactionKind.PAYMENT: _flow({_STACK}, {_STACK}),
    TransactionKind.SETTLEMENT: _flow({_ACTION}, {_STACK}),
    TransactionKind.RETURN: _flow({_ACTION}, {_STACK}),
    TransactionKind.JACKPOT_FEE: _flow({_STACK}, {AccountKind.JACKPOT}),
    TransactionKind.JACKPOT_AWARD: _flow({AccountKind.JACKPOT}, {_STACK}),
    TransactionKind.FILL: _flow({AccountKind.CAGE}, {_FLOAT}),
    TransactionKind.CREDIT: _flow({_FLOAT}, {AccountKind.CAGE}),
    TransactionKind.DROP_COUNT: _flow({AccountKind.DROP_BOX}, {AccountKind.CAGE}),
    TransactionKind.RULING_ADVANCE: _flow({AccountKind.RULING}, {_STACK}),
    TransactionKind.RULING_RETURN: _flow({_STACK}, {AccountKind.RULING}),
}


class Rule(NamedTuple):
    """One row of the database's copy: ``sign`` is -1 where value leaves the account, 1 where it arrives."""

    transaction_kind: TransactionKind
    account_kind: AccountKind
    sign: int


def _rules() -> Iterator[Rule]:
    for kind, flow in FLOWS.items():
        yield from (Rule(kind, account_kind, -1) for account_kind in flow.takes_from)
        yield from (Rule(kind, account_kind, 1) for account_kind in flow.gives_to)


RULES = frozenset(_rules())
