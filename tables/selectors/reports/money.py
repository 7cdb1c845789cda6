"""What moved in a span of time, counted by the database over its entries: the figures that every report about money begins with.

A transaction belongs to the time at which it was recorded, as in the ledger. What takes one back is counted where the taking back
was recorded, under the kind of what was taken back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from ledger.kinds import AccountKind, TransactionKind
from tables.selectors.reports.asking import Asked

ROWS_AT_ONCE = 2000

BY_WHOM = """
    LEFT JOIN tables_command command ON command.key = moved.command
    LEFT JOIN staff_user staff ON staff.id = command.actor_id
    LEFT JOIN staff_user approver ON approver.id = command.approver_id
"""
"""Who moved something: a transaction has the badges of its time, and a badge can be another's by now."""
BY = """COALESCE(staff.name, moved.actor), COALESCE(approver.name, NULLIF(moved.approver, '')), moved.reason_code, moved.reason"""
"""Who that was, who gave their badge as well, and why."""


def of_the_span(select: str, joins: str = "", conditions: str = "") -> str:
    """A statement about the entries of the span, for ``read``. Notes move nothing and are not in the index by time.

    Each book's session is looked up once: joined in the usual way the sessions of all years would be read.
    """
    return f"""
        {select}
        FROM ledger_transaction moved
        JOIN LATERAL (SELECT * FROM tables_tablesession WHERE book_id = moved.book_id LIMIT 1) session ON true
        LEFT JOIN ledger_transaction reversed ON reversed.id = moved.reverses_id
        JOIN ledger_entry entry ON entry.transaction_id = moved.id
        {joins}
        WHERE moved.kind <> 'note' AND moved.recorded_at >= %(start)s AND moved.recorded_at < %(end)s
            AND session.table_id = ANY(%(tables)s)
        {conditions}
    """  # noqa: S608  only constants of the modules beside this one are put in


def read(statement: str, asked: Asked, **values: Any) -> list[tuple[Any, ...]]:
    """The rows of a statement. It may name ``start``, ``end``, ``tables``, ``zone`` of what is asked, and the ``values``."""
    with connection.cursor() as cursor:
        cursor.execute(statement, _named(asked) | values)
        return list(cursor.fetchall())


def streamed(statement: str, asked: Asked, **values: Any) -> Iterator[tuple[Any, ...]]:
    """The same as the server sends them, so that a year of them needs no more memory than a day."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(statement, _named(asked) | values)
        while rows := cursor.fetchmany(ROWS_AT_ONCE):
            yield from rows


def _named(asked: Asked) -> dict[str, Any]:
    span = asked.span
    return {"start": span.start, "end": span.end, "tables": list(asked.table_ids), "zone": asked.room.time_zone}


_LINES = of_the_span(
    """SELECT session.id AS session_id, COALESCE(reversed.kind, moved.kind) AS kind, reversed.id IS NOT NULL AS taken_back,
    moved.id, entry.account_id, entry.amount_cents"""
)
# Accounts are looked up once each: joined to the lines they would all be read, of all the years there are.
_MOVEMENTS = f"""
    WITH line AS MATERIALIZED ({_LINES}), account AS MATERIALIZED (
        SELECT id, kind FROM ledger_account WHERE id IN (SELECT account_id FROM line)
    )
    SELECT line.session_id, line.kind, line.taken_back, account.kind, count(DISTINCT line.id),
        COALESCE(sum(line.amount_cents) FILTER (WHERE line.amount_cents > 0), 0)::bigint,
        COALESCE(-sum(line.amount_cents) FILTER (WHERE line.amount_cents < 0), 0)::bigint
    FROM line JOIN account ON account.id = line.account_id
    GROUP BY 1, 2, 3, 4
"""  # noqa: S608  only the constant above is put in


@dataclass(frozen=True, slots=True)
class Moved:
    """What one kind of transaction moved in a session to and from one kind of account, in cents, both positive.

    ``taken_back``: by reversals of that kind. ``session_id`` is the session in whose book it is written.
    """

    session_id: UUID
    kind: str
    taken_back: bool
    account_kind: str
    transactions: int
    arrived_cents: int
    left_cents: int


@dataclass(frozen=True, slots=True)
class Way:
    """What moved one way and what of it was taken back: how often, and how much in cents."""

    number: int
    cents: int
    back_number: int
    back_cents: int

    @property
    def stands_cents(self) -> int:
        """What is left of it."""
        return self.cents - self.back_cents


class Movements:
    """Everything that moved in the span."""

    def __init__(self, rows: Iterable[Moved]) -> None:
        self.rows = list(rows)

    @property
    def session_ids(self) -> set[UUID]:
        """The sessions in whose books something moved."""
        return {row.session_id for row in self.rows}

    def transactions_of(self, kind: TransactionKind, *, taken_back: bool) -> int:
        """How many transactions of a kind there were, or how many of them were taken back."""
        most: dict[UUID, int] = defaultdict(int)
        for row in self.rows:
            # All transactions of a kind touch one of its kinds of account at least, and so are counted there.
            if row.kind == kind and row.taken_back is taken_back:
                most[row.session_id] = max(most[row.session_id], row.transactions)
        return sum(most.values())

    def onto(self, kind: TransactionKind, account_kind: AccountKind, sessions: Collection[UUID] | None = None) -> Way:
        """What arrived on accounts of a kind by transactions of a kind, and left them again by their reversals."""
        return self._way(kind, account_kind, 1, sessions)

    def off(self, kind: TransactionKind, account_kind: AccountKind, sessions: Collection[UUID] | None = None) -> Way:
        """What left accounts of a kind by transactions of a kind, and came back by their reversals."""
        return self._way(kind, account_kind, -1, sessions)

    def _way(self, kind: str, account_kind: str, sign: int, sessions: Collection[UUID] | None) -> Way:
        found = [
            row
            for row in self.rows
            if row.kind == kind
            and row.account_kind == account_kind
            and (sessions is None or row.session_id in sessions)
        ]
        done, back = ([row for row in found if row.taken_back is taken] for taken in (False, True))
        return Way(
            sum(row.transactions for row in done),
            sum(row.arrived_cents - row.left_cents for row in done) * sign,
            sum(row.transactions for row in back),
            sum(row.left_cents - row.arrived_cents for row in back) * sign,
        )


def movements(asked: Asked) -> Movements:
    """What moved at the tables in the span, in one query over the entries of that time."""
    return Movements(Moved(*row) for row in read(_MOVEMENTS, asked))


@dataclass(slots=True)
class Drop:
    """What drop boxes took, what of it was waived, and what was given back otherwise, in cents."""

    taken_cents: int = 0
    waived_cents: int = 0
    back_cents: int = 0

    @property
    def kept_cents(self) -> int:
        """What is left in the box."""
        return self.taken_cents - self.waived_cents - self.back_cents

    def add(self, kind: str, cents: int, *, taken_back: bool) -> None:
        """Count what a transaction put into a box, negative for what it took out."""
        if kind == TransactionKind.WAIVER:
            self.waived_cents -= cents
        elif kind == TransactionKind.COLLECTION and not taken_back:
            self.taken_cents += cents
        else:
            self.back_cents -= cents


OF_A_DROP = (TransactionKind.COLLECTION, TransactionKind.WAIVER, TransactionKind.COLLECTION_REFUND)
"""What a drop box takes and gives back while a table plays."""


def drops_by_session(moved: Movements) -> dict[UUID, Drop]:
    """What each session's drop box took and gave."""
    drops: dict[UUID, Drop] = defaultdict(Drop)
    for row in moved.rows:
        if row.account_kind == AccountKind.DROP_BOX and row.kind in OF_A_DROP:
            drops[row.session_id].add(row.kind, row.arrived_cents - row.left_cents, taken_back=row.taken_back)
    return drops


@dataclass(frozen=True, slots=True)
class DropRow:
    """What one kind of transaction put into a session's drop box in an hour of the clock while one dealer dealt, in cents."""

    session_id: UUID
    hour: datetime
    dealer_id: UUID | None
    kind: str
    taken_back: bool
    cents: int


_DROPS = (
    of_the_span(
        """SELECT session.id, date_trunc('hour', moved.recorded_at, %(zone)s), shift.dealer_id,
        COALESCE(reversed.kind, moved.kind), reversed.id IS NOT NULL, sum(entry.amount_cents)::bigint""",
        """LEFT JOIN tables_dealershift shift ON shift.session_id = session.id AND shift.started_at <= moved.recorded_at
        AND (shift.ended_at IS NULL OR shift.ended_at > moved.recorded_at)""",
        "AND entry.account_id = session.drop_account_id AND COALESCE(reversed.kind, moved.kind) = ANY(%(kinds)s)",
    )
    + "GROUP BY 1, 2, 3, 4, 5"
)


def drop_rows(asked: Asked) -> list[DropRow]:
    """What went into drop boxes and out of them in the span, by session, hour and who dealt then."""
    return [DropRow(*row) for row in read(_DROPS, asked, kinds=[kind.value for kind in OF_A_DROP])]
