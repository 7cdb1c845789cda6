"""What every bank of Pai Gow Poker was made of (Kum-Kum): who put in how much, and what each won or lost (PG-07, PG-52)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.models import Patron
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.money import streamed
from tables.selectors.reports.report import Cell, Column, Kind, Link, Report, Row, Section, Sections, with_totals
from tables.selectors.reports.sessions import sessions_of
from tables.selectors.reports.staked import (
    Corrected,
    Nets,
    Stake,
    by_name,
    part_of,
    patron_cell,
    patrons_at,
    staked_statement,
    state_in_words,
)

_PEOPLE = (
    Column("patron", gettext_lazy("Patron")),
    Column("own", gettext_lazy("Banks as Player/Dealer"), Kind.COUNT, totals=True),
    Column("kum_kum", gettext_lazy("Parts in others' banks"), Kind.COUNT, totals=True),
    Column("put_up", gettext_lazy("Put up"), Kind.CENTS, totals=True),
    Column("back", gettext_lazy("Given back"), Kind.CENTS, totals=True),
    Column("net", gettext_lazy("Won or lost"), Kind.CENTS, totals=True),
    Column("collection", gettext_lazy("Collection"), Kind.CENTS, totals=True),
)
_BANKS = (
    Column("at", gettext_lazy("Dealt"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("Hand"), Kind.COUNT),
    Column("banker", gettext_lazy("Player/Dealer")),
    Column("people", gettext_lazy("People"), Kind.COUNT),
    Column("put_up", gettext_lazy("Bank"), Kind.CENTS, totals=True),
    Column("used", gettext_lazy("In action"), Kind.CENTS, totals=True),
    Column("back", gettext_lazy("Given back"), Kind.CENTS, totals=True),
    Column("net", gettext_lazy("Won or lost"), Kind.CENTS, totals=True),
    Column("collection", gettext_lazy("Collection"), Kind.CENTS, totals=True),
    Column("state", gettext_lazy("The hand")),
)
_SHARES = (
    Column("at", gettext_lazy("Dealt"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("Hand"), Kind.COUNT),
    Column("patron", gettext_lazy("Patron")),
    Column("place", gettext_lazy("As")),
    Column("put_up", gettext_lazy("Share"), Kind.CENTS, totals=True),
    Column("part", gettext_lazy("Of the bank"), Kind.PERCENT),
    Column("back", gettext_lazy("Given back"), Kind.CENTS, totals=True),
    Column("net", gettext_lazy("Won or lost"), Kind.CENTS, totals=True),
    Column("collection", gettext_lazy("Collection"), Kind.CENTS, totals=True),
)

# The collection is the bank's, by the terms of the session, and its first share's to pay (PG-04). Who waives it gives it back;
# a hand that gives back what was in action keeps none.
_STATEMENT = staked_statement(
    """
    stake.ordinal, sum(stake.amount_cents) OVER (PARTITION BY hand.id)::bigint,
    (verdict.text::jsonb -> 'bank' ->> 'used')::bigint,
    CASE WHEN stake.ordinal > 1 OR hand.status IN ('void', 'misdeal') THEN 0 ELSE
        CASE WHEN session.schedule_id IS NULL THEN session.bank_collection_cents ELSE tables_collection_due(
            session.id, 'bank', sum(stake.amount_cents) OVER (PARTITION BY hand.id)::bigint
        ) END - COALESCE((
            SELECT sum(waiver.amount_cents)::bigint FROM tables_waiver waiver
            WHERE waiver.hand_id = hand.id AND waiver.sitting_id = sitting.id AND waiver.payer = 'bank'
        ), 0)
    END
    """,
    "tables_bankshare",
    "share_id",
    """(
        SELECT each AS line FROM jsonb_array_elements(verdict.text::jsonb -> 'bank' -> 'shares') AS each
        WHERE each ->> 'patron' = sitting.id::text
    ) AS due ON true""",
    "share_id",
    "stake.ordinal",
)


@dataclass(frozen=True, slots=True)
class Share(Stake):
    """One person's part in a bank of ``bank_cents``, of which ``used_cents`` covered wagers."""

    ordinal: int
    bank_cents: int
    used_cents: int | None
    collection_cents: int

    @property
    def place(self) -> str:
        """As what they put it in."""
        if self.ordinal == 1:
            return _("Player/Dealer, seat %(seat)s") % {"seat": self.seat}
        return _("Kum-Kum, seat %(seat)s") % {"seat": self.seat} if self.seat else _("Kum-Kum, standing")


@dataclass(frozen=True, slots=True)
class _Facts:
    asked: Asked
    patrons: Mapping[UUID, Patron]
    corrected: Corrected

    def shares(self) -> Iterator[Share]:
        """Every share of the span, by table and hand; read anew each time."""
        return (Share(*row) for row in streamed(_STATEMENT, self.asked))


def _nets(verdict: Mapping[str, Any]) -> Nets:
    return {share["patron"]: share["net"] for share in verdict.get("bank", {}).get("shares", ())}


def _banks(asked: Asked) -> Sections:
    facts = _Facts(asked, patrons_at(sessions_of(asked)), Corrected(asked, _nets))
    yield Section(
        "people",
        gettext_lazy("Who had a part"),
        _PEOPLE,
        list(with_totals(_PEOPLE, _people_rows(facts))),
        gettext_lazy("Nobody had a part in a bank. Each patron who had would be here."),
        gettext_lazy("In the hands dealt in this time. What was put up and taken back before the dice is left out."),
    )
    yield Section(
        "banks",
        gettext_lazy("Every bank"),
        _BANKS,
        with_totals(_BANKS, _bank_rows(facts), group="table"),
        gettext_lazy("There was no bank. Each hand of Pai Gow Poker would have one."),
        gettext_lazy(
            "In action is what the bank covered of the wagers. The collection is what it paid, less what was waived."
        ),
        is_corrected=True,
    )
    yield Section(
        "shares",
        gettext_lazy("Every share"),
        _SHARES,
        with_totals(_SHARES, _share_rows(facts), group="table"),
        gettext_lazy("Nobody put anything in a bank. Each contributor would have a line a hand."),
        is_corrected=True,
    )


def _people_rows(facts: _Facts) -> list[Row]:
    sums: dict[UUID, list[int]] = defaultdict(lambda: [0] * (len(_PEOPLE) - 1))
    for share in facts.shares():
        is_own = share.ordinal == 1
        parts = (is_own, not is_own, share.cents, share.back_cents, share.net_cents or 0, share.collection_cents)
        for index, part in enumerate(parts):
            sums[share.patron_id][index] += part
    known = sorted((facts.patrons[patron_id] for patron_id in sums), key=by_name)
    return [(patron_cell(patron), *sums[patron.pk]) for patron in known]


def _bank_rows(facts: _Facts) -> Iterator[Row]:
    for hand_id, found in groupby(facts.shares(), key=lambda share: share.hand_id):
        shares = list(found)
        first = shares[0]
        nets = [share.net_cents for share in shares if share.net_cents is not None]
        net_cents = sum(nets) if nets else None
        marks = facts.corrected.marks(hand_id, net_cents, [str(share.sitting_id) for share in shares])
        action = Link("account", first.action_account_id)
        yield (
            *first.hand_cells,
            Cell(f"{first.seat} {facts.patrons[first.patron_id]}", Link("account", first.stack_id)),
            Cell(len(shares), Link("section", "shares")),
            Cell(first.bank_cents, action),
            first.used_cents,
            first.bank_cents if first.is_given_back else 0,
            Cell(net_cents, action, marks),
            Cell(
                sum(share.collection_cents for share in shares),
                Link("report", "collections", {"table": str(first.table)}),
            ),
            state_in_words(shares),
        )


def _share_rows(facts: _Facts) -> Iterator[Row]:
    for share in facts.shares():
        marks = facts.corrected.marks(share.hand_id, share.net_cents, [str(share.sitting_id)])
        stack = Link("account", share.stack_id)
        yield (
            *share.hand_cells,
            patron_cell(facts.patrons[share.patron_id]),
            share.place,
            Cell(share.cents, stack),
            part_of(share.cents, share.bank_cents),
            share.back_cents,
            Cell(share.net_cents, stack, marks),
            share.collection_cents,
        )


BANKS = Report(
    "banks",
    gettext_lazy("Banks"),
    gettext_lazy("What every bank of Pai Gow Poker was made of: who put in how much, and what each won or lost."),
    ("day", "through", "begins", "ends", "table"),
    _banks,
)
