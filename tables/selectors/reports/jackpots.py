"""Jackpots: what each pool held, took in fees, gave in awards and holds, which tables fed it, and each award."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy

from ledger.kinds import TransactionKind
from tables.models import Jackpot, JackpotAward, Table
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.money import of_the_span, read
from tables.selectors.reports.report import Cell, Column, Kind, Link, Report, Row, Section, Sections, with_totals
from tables.selectors.reports.sessions import hand_cell, table_cell

_POOLS = (
    Column("jackpot", gettext_lazy("Jackpot")),
    Column("game", gettext_lazy("Game")),
    Column("opened", gettext_lazy("Opened"), Kind.INSTANT),
    Column("closed", gettext_lazy("Closed"), Kind.INSTANT),
    Column("before", gettext_lazy("Held before"), Kind.CENTS, totals=True),
    Column("fees", gettext_lazy("Fees taken"), Kind.CENTS, totals=True),
    Column("fees_back", gettext_lazy("Fees given back"), Kind.CENTS, totals=True),
    Column("awards", gettext_lazy("Awarded"), Kind.CENTS, totals=True),
    Column("awards_back", gettext_lazy("Awards taken back"), Kind.CENTS, totals=True),
    Column("after", gettext_lazy("Holds"), Kind.CENTS, totals=True),
)
_TABLES = (
    Column("jackpot", gettext_lazy("Jackpot")),
    Column("table", gettext_lazy("Table")),
    Column("fees", gettext_lazy("Fees taken"), Kind.CENTS, totals=True),
    Column("fees_back", gettext_lazy("Fees given back"), Kind.CENTS, totals=True),
    Column("awards", gettext_lazy("Awarded"), Kind.CENTS, totals=True),
    Column("awards_back", gettext_lazy("Awards taken back"), Kind.CENTS, totals=True),
)
_AWARDS = (
    Column("at", gettext_lazy("Awarded"), Kind.INSTANT),
    Column("jackpot", gettext_lazy("Jackpot")),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("Hand"), Kind.COUNT),
    Column("place", gettext_lazy("Seat or position"), Kind.COUNT),
    Column("patron", gettext_lazy("Patron")),
    Column("cents", gettext_lazy("Amount"), Kind.CENTS, totals=True),
    Column("by", gettext_lazy("By")),
    Column("second", gettext_lazy("Second person")),
    Column("record", gettext_lazy("Record that it was for"), Kind.COUNT),
    Column("final", gettext_lazy("Record that counts"), Kind.COUNT),
)

_FED = (
    of_the_span(
        """SELECT jackpot.id, session.table_id, COALESCE(reversed.kind, moved.kind), reversed.id IS NOT NULL,
        sum(entry.amount_cents)::bigint""",
        "JOIN tables_jackpot jackpot ON jackpot.account_id = entry.account_id",
    )
    + "GROUP BY 1, 2, 3, 4"
)
# From what a pool holds back to the beginning, so that it costs what has moved since and not what ever did.
_HELD_BEFORE = """
    SELECT jackpot.id, balance.balance_cents - COALESCE((
        SELECT sum(entry.amount_cents) FROM ledger_transaction moved
        JOIN ledger_entry entry ON entry.transaction_id = moved.id
        WHERE moved.kind <> 'note' AND moved.recorded_at >= %(start)s AND entry.account_id = jackpot.account_id
    ), 0)::bigint
    FROM tables_jackpot jackpot
    JOIN ledger_balance balance ON balance.account_id = jackpot.account_id
    WHERE jackpot.id = ANY(%(jackpots)s)
"""


@dataclass(slots=True)
class _Fed:
    """What went into a pool and out of it, in cents, each way and what was taken back of it."""

    fees_cents: int = 0
    fees_back_cents: int = 0
    awards_cents: int = 0
    awards_back_cents: int = 0

    def count(self, kind: str, *, taken_back: bool, cents: int) -> None:
        """So much more arrived, negative for what left."""
        is_fee = kind == TransactionKind.JACKPOT_FEE
        self.fees_cents += cents * (is_fee and not taken_back)
        self.fees_back_cents -= cents * (is_fee and taken_back)
        self.awards_cents -= cents * (not is_fee and not taken_back)
        self.awards_back_cents += cents * (not is_fee and taken_back)

    @property
    def change_cents(self) -> int:
        """What the pool holds more than before."""
        return self.fees_cents - self.fees_back_cents - self.awards_cents + self.awards_back_cents

    @property
    def cells(self) -> tuple[int, int, int, int]:
        """The figures in the order of their columns."""
        return self.fees_cents, self.fees_back_cents, self.awards_cents, self.awards_back_cents


def _jackpots(asked: Asked) -> Sections:
    fed = read(_FED, asked)
    there = Jackpot.objects.filter(room=asked.room, opened_at__lt=asked.span.end)
    pools = [
        pool
        for pool in there.order_by("title", "opened_at", "pk")
        if not pool.closed_at or pool.closed_at >= asked.span.start
    ]
    yield Section(
        "pools",
        gettext_lazy("Pools"),
        _POOLS,
        list(with_totals(_POOLS, _pool_rows(asked, pools, fed))),
        gettext_lazy("No jackpot was open. Each pool would be here, with what it held, took, gave and holds."),
        gettext_lazy("Held before, fees and awards come to what the pool holds at the end of this time."),
    )
    yield Section(
        "tables",
        gettext_lazy("Tables that fed them"),
        _TABLES,
        list(with_totals(_TABLES, _table_rows(asked, pools, fed), group="jackpot")),
        gettext_lazy("No table fed a jackpot. What each put in would be here."),
    )
    yield _awards(asked)


def _pool_rows(asked: Asked, pools: Sequence[Jackpot], fed: Sequence[tuple[Any, ...]]) -> Iterator[Row]:
    held: dict[UUID, int] = dict(read(_HELD_BEFORE, asked, jackpots=[pool.pk for pool in pools]))
    by_pool: Mapping[UUID, _Fed] = defaultdict(_Fed)
    for pool_id, _table_id, kind, taken_back, cents in fed:
        by_pool[pool_id].count(kind, taken_back=taken_back, cents=cents)
    for pool in pools:
        moved, before = by_pool[pool.pk], held[pool.pk]
        statement = Link("account", pool.account_id)
        yield (
            Cell(str(pool), statement),
            str(pool.get_game_display()),
            pool.opened_at,
            pool.closed_at,
            before,
            *moved.cells,
            Cell(before + moved.change_cents, statement),
        )


def _table_rows(asked: Asked, pools: Sequence[Jackpot], fed: Sequence[tuple[Any, ...]]) -> Iterator[Row]:
    by_both: Mapping[tuple[UUID, UUID], _Fed] = defaultdict(_Fed)
    for pool_id, table_id, kind, taken_back, cents in fed:
        by_both[pool_id, table_id].count(kind, taken_back=taken_back, cents=cents)
    tables = list(Table.objects.filter(pk__in=asked.table_ids).order_by("number"))
    for pool in pools:
        for table in tables:
            if (pool.pk, table.pk) in by_both:
                yield (str(pool), str(table), *by_both[pool.pk, table.pk].cells)


def _awards(asked: Asked) -> Section:
    awards = (
        JackpotAward.objects.filter(
            command__verb="jackpot.award",
            command__table__in=asked.table_ids,
            command__recorded_at__gte=asked.span.start,
            command__recorded_at__lt=asked.span.end,
        )
        .select_related("jackpot", "record__hand__session__table", "record__hand__final_record", "sitting__patron")
        .select_related("approver", "command__actor")
        .order_by("command__recorded_at", "pk")
    )
    rows = [_award_row(award) for award in awards]
    return Section(
        "awards",
        gettext_lazy("Awards"),
        _AWARDS,
        list(with_totals(_AWARDS, rows)),
        gettext_lazy("Nothing was awarded. Each award would be here, with the hand, and the two people who gave it."),
        gettext_lazy("As they were given. One whose hand was judged again since, from another record, went back then."),
    )


def _award_row(award: JackpotAward) -> Row:
    hand = award.record.hand
    return (
        award.command.recorded_at,
        str(award.jackpot),
        table_cell(hand.session),
        hand_cell(hand),
        award.place,
        str(award.sitting.patron),
        Cell(award.amount_cents, Link("account", award.sitting.stack_id)),
        award.command.actor.name,
        award.approver.name,
        award.record.revision,
        hand.final_record.revision if hand.final_record else None,
    )


JACKPOTS = Report(
    "jackpots",
    gettext_lazy("Jackpots"),
    gettext_lazy(
        "What each pool held, took in fees, gave in awards and holds, and each award with the two who gave it."
    ),
    ("day", "through", "begins", "ends"),
    _jackpots,
)
