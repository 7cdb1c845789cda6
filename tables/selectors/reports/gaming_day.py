"""The gaming day and the shift: what was open, dealt, taken, brought, paid out, corrected and seen, each figure once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger.kinds import AccountKind, TransactionKind
from tables.models import Dispute, Hand, TableSession
from tables.selectors.corrections import OF_A_SITTING
from tables.selectors.reports import happenings
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.money import Drop, Movements, Way, drops_by_session, movements
from tables.selectors.reports.report import (
    Cell,
    Column,
    Kind,
    Link,
    Report,
    Row,
    Section,
    Sections,
    Value,
    marks_of_what_was_taken_back,
    with_totals,
)
from tables.selectors.reports.sessions import hands_by_status, sessions_of, shifts_of, table_cell
from tables.wording import stakes_in_words

_SUMMARY = (
    Column("figure", gettext_lazy("Figure")),
    Column("number", gettext_lazy("Number"), Kind.COUNT),
    Column("cents", gettext_lazy("Amount"), Kind.CENTS),
)
_TABLES = (
    Column("table", gettext_lazy("Table")),
    Column("stakes", gettext_lazy("Stakes")),
    Column("opened", gettext_lazy("Opened"), Kind.INSTANT),
    Column("closed", gettext_lazy("Closed"), Kind.INSTANT),
    Column("dealt", gettext_lazy("Hands"), Kind.COUNT, totals=True),
    Column("settled", gettext_lazy("Settled"), Kind.COUNT, totals=True),
    Column("misdeal", gettext_lazy("Misdeals"), Kind.COUNT, totals=True),
    Column("void", gettext_lazy("Void"), Kind.COUNT, totals=True),
    Column("out", gettext_lazy("Out"), Kind.COUNT, totals=True),
    Column("taken", gettext_lazy("Collected"), Kind.CENTS, totals=True),
    Column("waived", gettext_lazy("Waived"), Kind.CENTS, totals=True),
    Column("back", gettext_lazy("Given back"), Kind.CENTS, totals=True),
    Column("kept", gettext_lazy("Kept"), Kind.CENTS, totals=True),
)
_WAYS = (
    Column("way", gettext_lazy("Way")),
    Column("number", gettext_lazy("Number"), Kind.COUNT),
    Column("cents", gettext_lazy("Amount"), Kind.CENTS),
    Column("back_number", gettext_lazy("Taken back"), Kind.COUNT),
    Column("back_cents", gettext_lazy("Taken back, amount"), Kind.CENTS),
    Column("stands", gettext_lazy("Stands"), Kind.CENTS),
)
_DEALERS = (
    Column("dealer", gettext_lazy("Dealer")),
    Column("table", gettext_lazy("Table")),
    Column("from", gettext_lazy("Dealt in"), Kind.INSTANT),
    Column("to", gettext_lazy("Dealt out"), Kind.INSTANT),
    Column("time", gettext_lazy("Time in this span"), Kind.DURATION, totals=True),
)

IN, OUT = (TransactionKind.BUY_IN, TransactionKind.CHIPS_IN), (TransactionKind.CASH_OUT, TransactionKind.CHIPS_OUT)


@dataclass(frozen=True, slots=True)
class _Facts:
    """What the sections are made of, each read once."""

    asked: Asked
    moved: Movements
    sessions: Sequence[TableSession]
    drops: Mapping[UUID, Drop]
    hands: Mapping[UUID, Mapping[str, int]]
    happened: happenings.Happenings
    disputes: int
    ruled: int

    @classmethod
    def of(cls, asked: Asked) -> _Facts:
        moved = movements(asked)
        raised = Dispute.objects.filter(
            session__table__in=asked.table_ids, raised_at__gte=asked.span.start, raised_at__lt=asked.span.end
        )
        disputes = raised.aggregate(all=Count("pk"), ruled=Count("ruling"))
        return cls(
            asked,
            moved,
            sessions_of(asked, moved.session_ids),
            drops_by_session(moved),
            hands_by_status(asked),
            happenings.happenings(asked),
            disputes["all"],
            disputes["ruled"],
        )

    def hands_of(self, session: TableSession) -> Mapping[str, int]:
        return self.hands.get(session.pk) or dict.fromkeys(Hand.Status.values, 0)


def ways(moved: Movements) -> dict[TransactionKind, Way]:
    """What patrons brought and took, cash and chips, in and out: four figures that are never set off against each other."""
    stack = AccountKind.STACK
    return {kind: moved.onto(kind, stack) if kind in IN else moved.off(kind, stack) for kind in OF_A_SITTING}


def _day(asked: Asked) -> Sections:
    facts = _Facts.of(asked)
    yield _summary(facts)
    yield _tables(facts)
    yield _money(facts)
    yield happenings.corrections_section(facts.happened)
    yield happenings.exceptions_section(facts.happened)
    yield happenings.incidents_section(facts.happened)


def _shift(asked: Asked) -> Sections:
    facts = _Facts.of(asked)
    yield _summary(facts)
    yield _tables(facts)
    yield _money(facts)
    yield _dealers(facts)
    yield happenings.corrections_section(facts.happened)
    yield happenings.exceptions_section(facts.happened)
    yield happenings.incidents_section(facts.happened)


def _summary(facts: _Facts) -> Section:
    return Section(
        "summary", gettext_lazy("Summary"), _SUMMARY, list(_summary_rows(facts)), gettext_lazy("Nothing to add up.")
    )


def _summary_rows(facts: _Facts) -> Iterator[Row]:
    yield from _table_figures(facts)
    yield from _hand_figures(facts)
    for kind, way in ways(facts.moved).items():
        link = Link("report", "buy-ins")
        yield _words_of(kind), Cell(way.number - way.back_number, link), Cell(way.stands_cents, link)
    yield from _drop_figures(facts)
    yield from _jackpot_figures(facts.moved)
    happened = facts.happened
    corrections, exceptions, incidents = (Link("section", name) for name in ("corrections", "exceptions", "incidents"))
    rulings = Link("report", "rulings")
    counted: list[tuple[str, int, Link]] = [
        (_("Hands settled again"), len(happened.resettlements), corrections),
        (_("Buy-ins and cash-outs taken back"), len(happened.reversals), corrections),
        (_("Disputes raised"), facts.disputes, rulings),
        (_("Disputes ruled on"), facts.ruled, rulings),
        (_("Exceptions raised"), len(happened.exceptions), exceptions),
        (_("Exceptions waiting for a decision"), happened.undecided, exceptions),
        (_("Incidents"), len(happened.incidents), incidents),
    ]
    for words, number, link in counted:
        yield words, Cell(number, link), None


def _table_figures(facts: _Facts) -> Iterator[Row]:
    span, there = facts.asked.span, Link("section", "tables")
    opened = [each for each in facts.sessions if span.start <= each.opened_at < span.end]
    closed = [each for each in facts.sessions if each.closed_at and span.start <= each.closed_at < span.end]
    running = [each for each in facts.sessions if each.opened_at < span.end and not _is_closed_by(each, facts.asked)]
    figures: list[tuple[str, int]] = [
        (_("Tables played at"), len({each.table_id for each in facts.sessions})),
        (_("Tables opened"), len(opened)),
        (_("Tables closed"), len(closed)),
        (_("Tables open at the end"), len(running)),
    ]
    for words, number in figures:
        yield words, Cell(number, there), None


def _hand_figures(facts: _Facts) -> Iterator[Row]:
    """Each opens the list of those hands; the list knows gaming days, so of some hours it is the tables below."""
    counts = [facts.hands_of(session) for session in facts.sessions]
    figures: list[tuple[str, str]] = [
        (_("Hands dealt"), ""),
        (_("Hands settled"), Hand.Status.SETTLED.value),
        (_("Misdeals"), Hand.Status.MISDEAL.value),
        (_("Hands voided"), Hand.Status.VOID.value),
        (_("Hands still out"), Hand.Status.OUT.value),
    ]
    for words, status in figures:
        number = sum(each[status] if status else sum(each.values()) for each in counts)
        listed = Link("hands", "list", {"state": status} if status else {})
        yield words, Cell(number, Link("section", "tables") if facts.asked.is_part_of_a_day else listed), None


def _is_closed_by(session: TableSession, asked: Asked) -> bool:
    return session.closed_at is not None and session.closed_at < asked.span.end


def _drop_figures(facts: _Facts) -> Iterator[Row]:
    drops, link = facts.drops.values(), Link("report", "collections")
    figures = [
        (_("Collections taken"), sum(drop.taken_cents for drop in drops)),
        (_("Collections waived"), sum(drop.waived_cents for drop in drops)),
        (_("Collections given back"), sum(drop.back_cents for drop in drops)),
        (_("Collections kept"), sum(drop.kept_cents for drop in drops)),
    ]
    for words, cents in figures:
        yield words, None, Cell(cents, link)


def _jackpot_figures(moved: Movements) -> Iterator[Row]:
    fees = moved.onto(TransactionKind.JACKPOT_FEE, AccountKind.JACKPOT)
    awards = moved.off(TransactionKind.JACKPOT_AWARD, AccountKind.JACKPOT)
    link = Link("report", "jackpots")
    for words, number, cents in (
        (_("Jackpot fees taken"), fees.number, fees.cents),
        (_("Jackpot fees given back"), fees.back_number, fees.back_cents),
        (_("Jackpots awarded"), awards.number, awards.cents),
        (_("Jackpot awards taken back"), awards.back_number, awards.back_cents),
    ):
        yield words, number, Cell(cents, link)


def _words_of(kind: TransactionKind) -> str:
    return {
        TransactionKind.BUY_IN: _("Cash in: bought in"),
        TransactionKind.CASH_OUT: _("Cash out: paid out"),
        TransactionKind.CHIPS_IN: _("Chips carried in"),
        TransactionKind.CHIPS_OUT: _("Chips carried out"),
    }[kind]


def _tables(facts: _Facts) -> Section:
    rows = [_table_row(facts, session) for session in facts.sessions]
    return Section(
        "tables",
        gettext_lazy("Tables"),
        _TABLES,
        list(with_totals(_TABLES, rows, group="table")),
        gettext_lazy("No table was open. Each would have a line a session, with its hands and what its drop box kept."),
        gettext_lazy("Hands count where they were dealt, money where it was recorded."),
    )


def _table_row(facts: _Facts, session: TableSession) -> Row:
    hands, drop = facts.hands_of(session), facts.drops.get(session.pk, Drop())
    box = Link("account", session.drop_account_id)
    figures: tuple[Value, ...] = (
        sum(hands.values()),
        hands[Hand.Status.SETTLED],
        hands[Hand.Status.MISDEAL],
        hands[Hand.Status.VOID],
        hands[Hand.Status.OUT],
    )
    return (
        table_cell(session),
        stakes_in_words(session),
        session.opened_at,
        session.closed_at,
        *figures,
        Cell(drop.taken_cents, box),
        Cell(drop.waived_cents, box),
        Cell(drop.back_cents, box),
        Cell(drop.kept_cents, box),
    )


def _money(facts: _Facts) -> Section:
    link = Link("report", "buy-ins")
    rows: list[Row] = []
    for kind, way in ways(facts.moved).items():
        parts = happenings.parts_taken_back(facts.happened, kind)
        stands = Cell(way.stands_cents, link, marks_of_what_was_taken_back(way.stands_cents, parts))
        rows.append((_words_of(kind), way.number, way.cents, way.back_number, way.back_cents, stands))
    return Section(
        "money",
        gettext_lazy("Buy-ins and cash-outs"),
        _WAYS,
        rows,
        gettext_lazy("Nothing was brought or taken."),
        gettext_lazy("What came in and what went out stand each for itself and are never netted."),
        is_corrected=True,
    )


def _dealers(facts: _Facts) -> Section:
    asked = facts.asked
    rows: list[Row] = [
        (
            f"{shift.dealer.name} ({shift.dealer.badge_number})",
            table_cell(shift.session),
            shift.started_at,
            shift.ended_at,
            asked.span.clip_seconds(shift.started_at, shift.ended_at, asked.now),
        )
        for shift in sorted(shifts_of(asked, facts.sessions), key=lambda each: each.dealer.badge_number)
    ]
    return Section(
        "dealers",
        gettext_lazy("Dealers"),
        _DEALERS,
        list(with_totals(_DEALERS, rows, group="dealer")),
        gettext_lazy("Nobody dealt. Each dealer would have a line a table."),
    )


GAMING_DAY = Report(
    "gaming-day",
    gettext_lazy("Gaming day"),
    gettext_lazy("Everything of a room in its gaming days: tables, hands, money, corrections, exceptions, incidents."),
    ("day", "through", "begins", "ends", "table"),
    _day,
)
SHIFT = Report(
    "shift",
    gettext_lazy("Shift"),
    gettext_lazy("The same for some hours of one gaming day, with who dealt where."),
    ("day", "begins", "ends", "table"),
    _shift,
)
