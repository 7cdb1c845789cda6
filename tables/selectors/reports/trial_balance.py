"""The trial balance: what every kind of account held before, took, gave and holds, and which kinds of transaction moved it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.utils.translation import gettext_lazy

from ledger.brought_forward import held_before
from ledger.kinds import AccountKind, TransactionKind
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.money import Movements, movements
from tables.selectors.reports.report import Cell, Column, Kind, Link, Report, Row, Section, Sections, with_totals

_BALANCE = (
    Column("kind", gettext_lazy("Kind of account")),
    Column("before", gettext_lazy("Held before"), Kind.CENTS, totals=True),
    Column("arrived", gettext_lazy("Arrived"), Kind.CENTS, totals=True),
    Column("left", gettext_lazy("Left"), Kind.CENTS, totals=True),
    Column("net", gettext_lazy("Change"), Kind.CENTS, totals=True),
    Column("after", gettext_lazy("Holds"), Kind.CENTS, totals=True),
)
_KINDS = (
    Column("kind", gettext_lazy("Kind of transaction")),
    Column("number", gettext_lazy("Number"), Kind.COUNT, totals=True),
    Column("cents", gettext_lazy("Moved"), Kind.CENTS, totals=True),
    Column("back_number", gettext_lazy("Taken back"), Kind.COUNT, totals=True),
    Column("back_cents", gettext_lazy("Taken back, amount"), Kind.CENTS, totals=True),
)
_FLOWS = (
    Column("account", gettext_lazy("Kind of account")),
    Column("kind", gettext_lazy("Kind of transaction")),
    Column("arrived", gettext_lazy("Arrived"), Kind.CENTS, totals=True),
    Column("left", gettext_lazy("Left"), Kind.CENTS, totals=True),
    Column("net", gettext_lazy("Change"), Kind.CENTS, totals=True),
)
_OPENS = {
    AccountKind.DROP_BOX: Link("report", "collections"),
    AccountKind.OUTSIDE_CASH: Link("report", "buy-ins"),
    AccountKind.OUTSIDE_CHIPS: Link("report", "buy-ins"),
}


def _trial_balance(asked: Asked) -> Sections:
    moved = movements(asked)
    yield Section(
        "balance",
        gettext_lazy("By kind of account"),
        _BALANCE,
        list(with_totals(_BALANCE, _balance_rows(asked, moved))),
        gettext_lazy("Nothing has moved yet."),
        gettext_lazy("What left one account arrived on another: held before, change and holds add up to nothing."),
    )
    yield Section(
        "transactions",
        gettext_lazy("By kind of transaction"),
        _KINDS,
        list(with_totals(_KINDS, _kind_rows(moved))),
        gettext_lazy("Nothing moved in this time."),
    )
    yield Section(
        "flows",
        gettext_lazy("What moved each kind of account"),
        _FLOWS,
        list(with_totals(_FLOWS, _flow_rows(moved), group="account")),
        gettext_lazy("Nothing moved in this time."),
        gettext_lazy("What takes a transaction back counts with the kind of what it takes back."),
    )


def _balance_rows(asked: Asked, moved: Movements) -> Iterator[Row]:
    held = held_before(asked.table_ids, asked.span.start)
    arrived, left = Counter[str](), Counter[str]()
    for row in moved.rows:
        arrived[row.account_kind] += row.arrived_cents
        left[row.account_kind] += row.left_cents
    for kind in AccountKind:
        before, net = held.get(kind, 0), arrived[kind] - left[kind]
        if kind in held or kind in arrived:
            link = Link("section", "flows")
            opens = _OPENS.get(kind, link)
            yield (
                str(kind.label),
                before,
                Cell(arrived[kind], link),
                Cell(left[kind], link),
                Cell(net, opens),
                before + net,
            )


def _kind_rows(moved: Movements) -> Iterator[Row]:
    """A transaction moves what arrives by it; it is counted once, at the kind of account that it arrives on."""
    for kind in TransactionKind:
        found = [row for row in moved.rows if row.kind == kind]
        done, back = ([row for row in found if row.taken_back is taken] for taken in (False, True))
        if found:
            yield (
                str(kind.label),
                moved.transactions_of(kind, taken_back=False),
                sum(row.arrived_cents for row in done),
                moved.transactions_of(kind, taken_back=True),
                sum(row.arrived_cents for row in back),
            )


def _flow_rows(moved: Movements) -> Iterator[Row]:
    flows: dict[tuple[str, str], tuple[int, int]] = {}
    for row in moved.rows:
        arrived, left = flows.get((row.account_kind, row.kind), (0, 0))
        flows[row.account_kind, row.kind] = (arrived + row.arrived_cents, left + row.left_cents)
    for account_kind in AccountKind:
        for kind in TransactionKind:
            if (account_kind, kind) in flows:
                arrived, left = flows[account_kind, kind]
                yield str(account_kind.label), str(kind.label), arrived, left, arrived - left


TRIAL_BALANCE = Report(
    "trial-balance",
    gettext_lazy("Trial balance"),
    gettext_lazy(
        "What every kind of account held, took, gave and holds, in sum nothing, and which transactions moved it."
    ),
    ("day", "through", "begins", "ends", "table"),
    _trial_balance,
)
