"""Which kind of transaction moves which kind of account, tried with plain SQL in every combination."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from psycopg.errors import CheckViolation

from ledger.kinds import AccountKind, TransactionKind
from ledger.models import Account, Transaction
from ledger.selectors import balance_of
from ledger.services import account_open
from tests.ledger.house import House, move, post_now
from tests.ledger.raw import insert_entry, insert_transaction, write_pair

# Which kind takes from where and gives to where, from the rule book and not from ``ledger.kinds``. A reversal mirrors,
# a note moves nothing.
MAY_MOVE = {
    "buy-in": ("outside-cash table-float", "stack table-float"),
    "chips-in": ("outside-chips", "stack"),
    "cash-out": ("stack table-float", "outside-cash table-float"),
    "chips-out": ("stack", "outside-chips"),
    "table-move": ("stack", "stack"),
    "wager": ("stack", "hand-action"),
    "bank": ("stack", "hand-action"),
    "collection": ("stack", "drop-box"),
    "waiver": ("drop-box", "stack"),
    "collection-refund": ("drop-box", "stack"),
    "payment": ("stack", "stack"),
    "settlement": ("hand-action", "stack"),
    "return": ("hand-action", "stack"),
    "jackpot-fee": ("stack", "jackpot"),
    "jackpot-award": ("jackpot", "stack"),
    "fill": ("cage", "table-float"),
    "credit": ("table-float", "cage"),
    "drop-count": ("drop-box", "cage"),
    "ruling-advance": ("ruling", "stack"),
    "ruling-return": ("stack", "ruling"),
}
OF_PLAY = ("wager", "bank", "payment", "settlement", "return")
REFUSED_BY = {"reversal": "ledger_reversal_mirrors", "note": "ledger_entry_belongs"}


def test_a_collection_goes_from_a_stack_to_the_drop_box(house: House, app: psycopg.Connection) -> None:
    write_pair(app, house, "collection", (house.lin, -300), (house.drop, 300))
    app.commit()
    assert balance_of(house.drop.pk) == 300


def test_there_are_no_other_kinds(house: House, app: psycopg.Connection) -> None:
    with pytest.raises(CheckViolation, match="ledger_transaction_kind"):
        insert_transaction(app, house.book.pk, "gift")


def test_of_all_combinations_the_database_takes_these_alone(house: House, app: psycopg.Connection) -> None:
    """Every kind of transaction on every kind of account, out and in: 22 times 9 times 2."""
    accounts = one_account_of_each_kind(house)
    taken = set()
    for kind in TransactionKind.values:
        for account_kind, account in accounts.items():
            for cents in (-1, 1):
                if line_is_taken(app, house, kind, account, cents):
                    taken.add((kind, account_kind, cents))
    expected = {(kind, place, -1) for kind, (source, _) in MAY_MOVE.items() for place in source.split()}
    expected |= {(kind, place, 1) for kind, (_, target) in MAY_MOVE.items() for place in target.split()}
    assert taken == expected
    in_play = {place for kind, place, _cents in taken if kind in OF_PLAY}
    assert in_play == {"stack", "hand-action"}, "the house has no part in any result"
    assert {row for row in taken if row[0] == "collection"} == {
        ("collection", "stack", -1),
        ("collection", "drop-box", 1),
    }


def one_account_of_each_kind(house: House) -> dict[str, Account]:
    """An account of every kind, the guarded ones with something to take."""
    jackpot = account_open(kind=AccountKind.JACKPOT, name="Jackpot")
    ruling = account_open(kind=AccountKind.RULING, name="Ruling")
    post_now(
        house.book,
        move(TransactionKind.WAGER, house.lin, house.action, 100),
        move(TransactionKind.JACKPOT_FEE, house.lin, jackpot, 100),
        move(TransactionKind.FILL, house.cage, house.table_float, 100),
    )
    accounts = (
        *(house.cash, house.chips, house.drop, house.table_float, house.cage, house.action, house.lin),
        *(jackpot, ruling),
    )
    assert {account.kind for account in accounts} == set(AccountKind.values), "every kind has its account"
    return {account.kind: account for account in accounts}


def line_is_taken(app: psycopg.Connection, house: House, kind: str, account: Account, cents: int) -> bool:
    """Whether a first line of a transaction of that kind may be this; nothing of it stays."""
    changes: dict[str, Any] = {}
    if kind == "reversal":
        bought_in = Transaction.objects.filter(book=house.book).order_by("sequence")[0]
        changes = {"reverses_id": bought_in.pk, "reason_code": "cards", "reason": "Misread"}
    if kind == "note":
        changes = {"entry_count": 0, "evidence": bytes(32)}
    transaction = insert_transaction(app, house.book.pk, kind, **changes)
    refusal = None
    try:
        insert_entry(app, transaction, 1, account.pk, cents)
    except CheckViolation as error:
        refusal = error.diag.constraint_name
    app.rollback()
    assert refusal in (None, REFUSED_BY.get(kind, "ledger_entry_kind_rule"))
    return refusal is None
