"""Table sessions: each from opening to closing with its terms, hands, dealers, what came and went, and what was collected."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Prefetch, prefetch_related_objects
from django.utils.translation import gettext_lazy

from ledger.kinds import AccountKind, TransactionKind
from tables.models import DealerShift, Hand, PostedSheet, TableSession
from tables.selectors.corrections import OF_A_SITTING
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.collections import schedule_words
from tables.selectors.reports.dealt import dealer_in_words
from tables.selectors.reports.gaming_day import ways
from tables.selectors.reports.happenings import Happenings, happenings, parts_taken_back
from tables.selectors.reports.money import Drop, Moved, Movements, drops_by_session, movements
from tables.selectors.reports.occupancy import occupancy
from tables.selectors.reports.report import (
    Cell,
    Column,
    Kind,
    Link,
    Per,
    Report,
    Row,
    Section,
    Sections,
    marks_of_what_was_taken_back,
    with_totals,
)
from tables.selectors.reports.sessions import hands_by_status, sessions_of, shifts_of, table_cell
from tables.wording import stakes_in_words

_SESSION = (
    Column("table", gettext_lazy("Table")),
    Column("opened", gettext_lazy("Opened"), Kind.INSTANT),
)
_TERMS = (
    *_SESSION,
    Column("opened_by", gettext_lazy("Opened by")),
    Column("closed", gettext_lazy("Closed"), Kind.INSTANT),
    Column("game", gettext_lazy("Game")),
    Column("rules", gettext_lazy("Rules")),
    Column("stakes", gettext_lazy("Stakes")),
    Column("schedule", gettext_lazy("Schedule")),
    Column("jackpot", gettext_lazy("Jackpot")),
    Column("sheet", gettext_lazy("Posted sheet")),
)
_HANDS = (
    *_SESSION,
    Column("dealt", gettext_lazy("Hands"), Kind.COUNT, totals=True),
    Column("settled", gettext_lazy("Settled"), Kind.COUNT, totals=True),
    Column("misdeal", gettext_lazy("Misdeals"), Kind.COUNT, totals=True),
    Column("void", gettext_lazy("Void"), Kind.COUNT, totals=True),
    Column("out", gettext_lazy("Out"), Kind.COUNT, totals=True),
    Column("time", gettext_lazy("Time dealt"), Kind.DURATION, totals=True),
    Column("per_hour", gettext_lazy("Hands an hour"), Kind.COUNT, per=Per("settled", "time", 3600)),
)
_DEALERS = (
    *_SESSION,
    Column("dealer", gettext_lazy("Dealer")),
    Column("from", gettext_lazy("Dealt in"), Kind.INSTANT),
    Column("to", gettext_lazy("Dealt out"), Kind.INSTANT),
    Column("time", gettext_lazy("Time in this span"), Kind.DURATION, totals=True),
)
_MONEY = (
    *_SESSION,
    Column("cash_ins", gettext_lazy("Buy-ins"), Kind.COUNT, totals=True),
    Column("cash_in", gettext_lazy("Cash in"), Kind.CENTS, totals=True),
    Column("chips_ins", gettext_lazy("Chips in, times"), Kind.COUNT, totals=True),
    Column("chips_in", gettext_lazy("Chips in"), Kind.CENTS, totals=True),
    Column("cash_outs", gettext_lazy("Cash-outs"), Kind.COUNT, totals=True),
    Column("cash_out", gettext_lazy("Cash out"), Kind.CENTS, totals=True),
    Column("chips_outs", gettext_lazy("Chips out, times"), Kind.COUNT, totals=True),
    Column("chips_out", gettext_lazy("Chips out"), Kind.CENTS, totals=True),
)
_COLLECTED = (
    *_SESSION,
    Column("taken", gettext_lazy("Collected"), Kind.CENTS, totals=True),
    Column("waived", gettext_lazy("Waived"), Kind.CENTS, totals=True),
    Column("back", gettext_lazy("Given back"), Kind.CENTS, totals=True),
    Column("kept", gettext_lazy("Kept"), Kind.CENTS, totals=True),
    Column("fees", gettext_lazy("Jackpot fees"), Kind.CENTS, totals=True),
    Column("awards", gettext_lazy("Jackpot awards"), Kind.CENTS, totals=True),
)


@dataclass(frozen=True, slots=True)
class _Facts:
    """What the sections are made of, each read once; what moved and what was taken back by the session."""

    asked: Asked
    sessions: Sequence[TableSession]
    moved: Mapping[UUID, Movements]
    drops: Mapping[UUID, Drop]
    hands: Mapping[UUID, Mapping[str, int]]
    shifts: Mapping[UUID, Sequence[DealerShift]]
    happened: Happenings

    @classmethod
    def of(cls, asked: Asked) -> _Facts:
        moved = movements(asked)
        sessions = sessions_of(asked, moved.session_ids)
        sheets = Prefetch("sheet", PostedSheet.objects.defer("content"))
        prefetch_related_objects(sessions, "opened_by", "rules", "jackpot", sheets)
        by_session: dict[UUID, list[Moved]] = defaultdict(list)
        for row in moved.rows:
            by_session[row.session_id].append(row)
        shifts: dict[UUID, list[DealerShift]] = defaultdict(list)
        for shift in shifts_of(asked, sessions):
            shifts[shift.session_id].append(shift)
        return cls(
            asked,
            sessions,
            {session.pk: Movements(by_session[session.pk]) for session in sessions},
            drops_by_session(moved),
            hands_by_status(asked),
            shifts,
            happenings(asked),
        )

    def seconds_of(self, shift: DealerShift) -> int:
        """How long a shift lasted within the span."""
        return self.asked.span.clip_seconds(shift.started_at, shift.ended_at, self.asked.now)


def _table_sessions(asked: Asked) -> Sections:
    facts = _Facts.of(asked)
    yield Section(
        "sessions",
        gettext_lazy("Opened and closed"),
        _TERMS,
        [_terms_row(session) for session in facts.sessions],
        gettext_lazy("No table was open. Each session would be here, with what was played by which rules."),
        gettext_lazy("A session counts here while it was open in this time, or something of it was corrected."),
    )
    yield Section(
        "hands",
        gettext_lazy("Hands"),
        _HANDS,
        list(with_totals(_HANDS, (_hands_row(facts, session) for session in facts.sessions), group="table")),
        gettext_lazy("No table was open. Each session would be here, with the hands dealt in this time."),
    )
    yield Section(
        "dealers",
        gettext_lazy("Dealers"),
        _DEALERS,
        list(with_totals(_DEALERS, _dealer_rows(facts), group="table")),
        gettext_lazy("Nobody dealt. Each dealer would have a line a turn at a table."),
    )
    yield Section(
        "money",
        gettext_lazy("Buy-ins and cash-outs"),
        _MONEY,
        list(with_totals(_MONEY, (_money_row(facts, session) for session in facts.sessions), group="table")),
        gettext_lazy("No table was open. What was brought to each session and taken from it would be here."),
        gettext_lazy("What came in and what went out stand each for itself and are never netted."),
        is_corrected=True,
    )
    yield Section(
        "collected",
        gettext_lazy("Collections and jackpots"),
        _COLLECTED,
        list(with_totals(_COLLECTED, (_collected_row(facts, session) for session in facts.sessions), group="table")),
        gettext_lazy("No table was open. What the drop box of each session kept would be here."),
        gettext_lazy("Jackpot fees and awards less what was given back of them."),
    )
    yield occupancy(asked, facts.sessions)


def _terms_row(session: TableSession) -> Row:
    return (
        table_cell(session),
        session.opened_at,
        session.opened_by.name,
        session.closed_at,
        str(session.table.get_game_display()),
        str(session.rules),
        stakes_in_words(session),
        schedule_words(session),
        str(session.jackpot) if session.jackpot else None,
        session.sheet_number,
    )


def _hands_row(facts: _Facts, session: TableSession) -> Row:
    hands = facts.hands.get(session.pk) or dict.fromkeys(Hand.Status.values, 0)
    return (
        table_cell(session),
        session.opened_at,
        Cell(sum(hands.values()), Link("hands", "list", {"session": str(session.pk)})),
        hands[Hand.Status.SETTLED],
        hands[Hand.Status.MISDEAL],
        hands[Hand.Status.VOID],
        hands[Hand.Status.OUT],
        sum(facts.seconds_of(shift) for shift in facts.shifts.get(session.pk, ())),
        None,
    )


def _dealer_rows(facts: _Facts) -> Iterator[Row]:
    for session in facts.sessions:
        for shift in facts.shifts.get(session.pk, ()):
            yield (
                table_cell(session),
                session.opened_at,
                dealer_in_words(shift.dealer),
                shift.started_at,
                shift.ended_at,
                facts.seconds_of(shift),
            )


def _money_row(facts: _Facts, session: TableSession) -> Row:
    found = ways(facts.moved[session.pk])
    taken_back = [row for row in facts.happened.reversals if row.sitting.session_id == session.pk]
    of_the_session = replace(facts.happened, reversals=taken_back)
    link = Link("report", "buy-ins", {"table": str(session.table.number)})
    cells: list[Cell | int] = []
    for kind in OF_A_SITTING:
        way = found[kind]
        marks = marks_of_what_was_taken_back(way.stands_cents, parts_taken_back(of_the_session, kind))
        cells += [way.number - way.back_number, Cell(way.stands_cents, link, marks)]
    return (table_cell(session), session.opened_at, *cells)


def _collected_row(facts: _Facts, session: TableSession) -> Row:
    drop, moved = facts.drops.get(session.pk, Drop()), facts.moved[session.pk]
    box = Link("account", session.drop_account_id)
    return (
        table_cell(session),
        session.opened_at,
        Cell(drop.taken_cents, box),
        Cell(drop.waived_cents, box),
        Cell(drop.back_cents, box),
        Cell(drop.kept_cents, box),
        Cell(moved.onto(TransactionKind.JACKPOT_FEE, AccountKind.JACKPOT).stands_cents, Link("report", "jackpots")),
        Cell(moved.off(TransactionKind.JACKPOT_AWARD, AccountKind.JACKPOT).stands_cents, Link("report", "jackpots")),
    )


TABLE_SESSIONS = Report(
    "table-sessions",
    gettext_lazy("Table sessions"),
    gettext_lazy("Each session of a table: terms, hands, dealers, what came in and went out, and what was collected."),
    ("day", "through", "begins", "ends", "table"),
    _table_sessions,
)
