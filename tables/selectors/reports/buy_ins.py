"""Buy-ins and cash-outs by gaming day and patron, and every movement behind them. What came in and went out is never netted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger.kinds import TransactionKind
from tables.selectors.corrections import OF_A_SITTING
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.happenings import in_company, reason_in_words
from tables.selectors.reports.money import BY, BY_WHOM, of_the_span, streamed
from tables.selectors.reports.report import (
    Cell,
    Column,
    Kind,
    Link,
    Mark,
    Report,
    Row,
    Section,
    Sections,
    marks_of_what_was_taken_back,
    with_totals,
)
from tables.selectors.reports.spans import day_starts

_DAYS = (
    Column("day", gettext_lazy("Gaming day"), Kind.DATE),
    Column("patron", gettext_lazy("Patron")),
    Column("number", gettext_lazy("Card number")),
    Column("cash_ins", gettext_lazy("Buy-ins"), Kind.COUNT, totals=True),
    Column("cash_in", gettext_lazy("Cash in"), Kind.CENTS, totals=True),
    Column("cash_outs", gettext_lazy("Cash-outs"), Kind.COUNT, totals=True),
    Column("cash_out", gettext_lazy("Cash out"), Kind.CENTS, totals=True),
    Column("chips_in", gettext_lazy("Chips in"), Kind.CENTS, totals=True),
    Column("chips_out", gettext_lazy("Chips out"), Kind.CENTS, totals=True),
)
_MOVEMENTS = (
    Column("at", gettext_lazy("Recorded"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("patron", gettext_lazy("Patron")),
    Column("what", gettext_lazy("What")),
    Column("cash_in", gettext_lazy("Cash in"), Kind.CENTS, totals=True),
    Column("cash_out", gettext_lazy("Cash out"), Kind.CENTS, totals=True),
    Column("chips_in", gettext_lazy("Chips in"), Kind.CENTS, totals=True),
    Column("chips_out", gettext_lazy("Chips out"), Kind.CENTS, totals=True),
    Column("by", gettext_lazy("By")),
)
_CENTS = (TransactionKind.BUY_IN, TransactionKind.CASH_OUT, TransactionKind.CHIPS_IN, TransactionKind.CHIPS_OUT)
"""In the order of their columns."""
_KINDS = [kind.value for kind in OF_A_SITTING]

# One line a movement: the stack's entry of what is one person's own, and of what took such a thing back.
_OF_A_STACK = """
    JOIN tables_sitting sitting ON sitting.stack_id = entry.account_id
    JOIN tables_patron patron ON patron.id = sitting.patron_id
"""
_ASKED = """
    AND COALESCE(reversed.kind, moved.kind) = ANY(%(kinds)s)
    AND (%(patron)s::uuid IS NULL OR sitting.patron_id = %(patron)s::uuid)
"""
_BY_PATRON = (
    of_the_span(
        """
        SELECT width_bucket(moved.recorded_at, %(days)s::timestamptz[]) - 1, patron.id, patron.name, patron.number,
            count(*) FILTER (WHERE moved.kind = 'buy-in') - count(*) FILTER (WHERE reversed.kind = 'buy-in'),
            COALESCE(sum(entry.amount_cents) FILTER (WHERE COALESCE(reversed.kind, moved.kind) = 'buy-in'), 0)::bigint,
            count(*) FILTER (WHERE moved.kind = 'cash-out') - count(*) FILTER (WHERE reversed.kind = 'cash-out'),
            COALESCE(-sum(entry.amount_cents) FILTER (WHERE COALESCE(reversed.kind, moved.kind) = 'cash-out'), 0)::bigint,
            COALESCE(sum(entry.amount_cents) FILTER (WHERE COALESCE(reversed.kind, moved.kind) = 'chips-in'), 0)::bigint,
            COALESCE(-sum(entry.amount_cents) FILTER (WHERE COALESCE(reversed.kind, moved.kind) = 'chips-out'), 0)::bigint
        """,
        _OF_A_STACK,
        _ASKED,
    )
    + "GROUP BY 1, 2, 3, 4 ORDER BY 1, 3, 4, 2"
)


def _one_by_one_statement(conditions: str = "") -> str:
    statement = of_the_span(
        f"""
        SELECT moved.recorded_at, place.number, session.id, patron.name, patron.number, sitting.stack_id,
            COALESCE(reversed.kind, moved.kind), reversed.recorded_at, entry.amount_cents, patron.id, {BY}
        """,
        f"""
        {_OF_A_STACK}
        JOIN tables_table place ON place.id = session.table_id
        {BY_WHOM}
        """,
        f"{_ASKED} {conditions}",
    )
    return f"{statement} ORDER BY moved.recorded_at, moved.id"


_ONE_BY_ONE, _TAKEN_BACK = _one_by_one_statement(), _one_by_one_statement("AND moved.kind = 'reversal'")


class Movement(NamedTuple):
    """One movement as the database tells it; ``takes_back_at`` is when what it takes back was recorded."""

    recorded_at: datetime
    table: int
    session_id: UUID
    patron: str
    card: str
    stack_id: UUID
    kind: str
    takes_back_at: datetime | None
    cents: int
    patron_id: UUID
    by: str
    approver: str | None
    reason_code: str
    reason: str

    @property
    def stands_cents(self) -> int:
        """What it adds to its column: what came in or went out, negative where that was taken back."""
        return self.cents if self.kind in (TransactionKind.BUY_IN, TransactionKind.CHIPS_IN) else -self.cents

    @property
    def mark(self) -> Mark:
        """The note on what this took back."""
        who = in_company(self.by, self.approver)
        return Mark(-self.stands_cents, who, self.recorded_at, reason_in_words(self.reason_code, self.reason))


def _read(statement: str, asked: Asked) -> Iterator[tuple[Any, ...]]:
    days = day_starts(asked.room, asked.span)
    return streamed(statement, asked, kinds=_KINDS, patron=asked.patron and asked.patron.pk, days=days)


def _buy_ins(asked: Asked) -> Sections:
    yield Section(
        "days",
        gettext_lazy("By gaming day and patron"),
        _DAYS,
        with_totals(_DAYS, _day_rows(asked), group="day"),
        gettext_lazy("Nobody bought in or cashed out. Each patron would have a line a gaming day."),
        gettext_lazy(
            "Cash in and cash out stand each for itself. What was taken back is off the day it was taken back on."
        ),
        is_corrected=True,
    )
    yield Section(
        "movements",
        gettext_lazy("Every movement"),
        _MOVEMENTS,
        with_totals(_MOVEMENTS, (_movement_row(Movement(*row)) for row in _read(_ONE_BY_ONE, asked))),
        gettext_lazy("Nothing was brought or taken."),
        is_corrected=True,
    )


def _day_rows(asked: Asked) -> Iterator[Row]:
    taken_back = _taken_back(asked)
    for index, patron_id, name, card, cash_ins, cash_in, cash_outs, cash_out, *chips in _read(_BY_PATRON, asked):
        day = asked.span.first + timedelta(days=index)
        link = Link("report", "buy-ins", {"patron": card or str(patron_id), **_of_one_day(asked, day)})
        cells = [
            Cell(cents, link, marks_of_what_was_taken_back(cents, taken_back.get((day, patron_id, kind), ())))
            for kind, cents in zip(_CENTS, (cash_in, cash_out, *chips), strict=True)
        ]
        yield day, Cell(name, link), card or None, cash_ins, cells[0], cash_outs, *cells[1:]


def _of_one_day(asked: Asked, day: date) -> dict[str, str]:
    """The filters for one of several gaming days; one alone stays with the hours that it was asked for."""
    if asked.span.days == 1:
        return {}
    return {"day": day.isoformat(), "through": "", "begins": "", "ends": ""}


def _taken_back(asked: Asked) -> Mapping[tuple[date, UUID, str], Sequence[tuple[int, Mark]]]:
    found: dict[tuple[date, UUID, str], list[tuple[int, Mark]]] = defaultdict(list)
    for row in (Movement(*values) for values in _read(_TAKEN_BACK, asked)):
        found[asked.room.gaming_day(row.recorded_at), row.patron_id, row.kind].append((-row.stands_cents, row.mark))
    return found


def _movement_row(row: Movement) -> Row:
    marks = [] if row.takes_back_at is None else [row.mark]
    cell = Cell(row.stands_cents, Link("account", row.stack_id), marks)
    what = str(TransactionKind(row.kind).label)
    return (
        row.recorded_at,
        Cell(f"T{row.table}", Link("session", row.session_id)),
        f"{row.patron} ({row.card})" if row.card else row.patron,
        what if row.takes_back_at is None else _("%(kind)s taken back") % {"kind": what},
        *(cell if row.kind == kind else None for kind in _CENTS),
        row.by,
    )


BUY_INS = Report(
    "buy-ins",
    gettext_lazy("Buy-ins and cash-outs"),
    gettext_lazy(
        "What each patron brought and took in a gaming day, cash and chips, in and out, and every movement of it."
    ),
    ("day", "through", "begins", "ends", "table", "patron"),
    _buy_ins,
)
