"""One patron's statement: every sitting from its opening to its closing stack, each movement, each hand, money behind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger.kinds import TransactionKind
from tables.models import Hand, MoneyBehind, Restriction
from tables.models.rooms import Game
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.patron_stacks import Movement, PatronFacts, Play
from tables.selectors.reports.report import (
    Cell,
    Column,
    Kind,
    Link,
    Report,
    Row,
    Section,
    Sections,
    marks_of_what_was_taken_back,
    with_totals,
)
from tables.selectors.reports.sessions import table_cell
from tables.selectors.restrictions import KNOW_WHY

_MONEY = (
    Column("cash_in", gettext_lazy("Cash in"), Kind.CENTS, totals=True),
    Column("cash_out", gettext_lazy("Cash out"), Kind.CENTS, totals=True),
    Column("chips_in", gettext_lazy("Chips in"), Kind.CENTS, totals=True),
    Column("chips_out", gettext_lazy("Chips out"), Kind.CENTS, totals=True),
    Column("moved_in", gettext_lazy("Moved in"), Kind.CENTS, totals=True),
    Column("moved_out", gettext_lazy("Moved out"), Kind.CENTS, totals=True),
)
_PLAY = (
    Column("net", gettext_lazy("Won or lost"), Kind.CENTS, totals=True),
    Column("collections", gettext_lazy("Collections"), Kind.CENTS, totals=True),
    Column("fees", gettext_lazy("Fees"), Kind.CENTS, totals=True),
    Column("awards", gettext_lazy("Awards"), Kind.CENTS, totals=True),
    Column("left", gettext_lazy("Left in action"), Kind.CENTS, totals=True),
)
_SITTINGS = (
    Column("table", gettext_lazy("Table")),
    Column("seat", gettext_lazy("Seat")),
    Column("sat_down", gettext_lazy("Sat down"), Kind.INSTANT),
    Column("went", gettext_lazy("Left"), Kind.INSTANT),
    Column("came_from", gettext_lazy("Came from")),
    Column("went_to", gettext_lazy("Went to")),
    Column("closing", gettext_lazy("Stack at the end"), Kind.CENTS, totals=True),
    Column("behind", gettext_lazy("Money behind then"), Kind.CENTS, totals=True),
)
_STACKS = (
    Column("table", gettext_lazy("Table")),
    Column("opening", gettext_lazy("Opening"), Kind.CENTS, totals=True),
    *_MONEY,
    *_PLAY,
    Column("closing", gettext_lazy("Closing"), Kind.CENTS, totals=True),
)
_GAMES = (
    Column("game", gettext_lazy("Game")),
    Column("hands", gettext_lazy("Hands"), Kind.COUNT, totals=True),
    *_PLAY,
)
_MOVEMENTS = (
    Column("at", gettext_lazy("Recorded"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("what", gettext_lazy("What")),
    *_MONEY,
    Column("stack", gettext_lazy("Stack after"), Kind.CENTS),
    Column("by", gettext_lazy("By")),
)
_HANDS = (
    Column("at", gettext_lazy("Dealt"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("Hand"), Kind.COUNT),
    Column("game", gettext_lazy("Game")),
    Column("action", gettext_lazy("Put in action"), Kind.CENTS, totals=True),
    *_PLAY,
    Column("state", gettext_lazy("The hand")),
)
_BEHIND = (
    Column("at", gettext_lazy("Recorded"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("cause", gettext_lazy("Why")),
    Column("change", gettext_lazy("Change"), Kind.CENTS, totals=True),
    Column("after", gettext_lazy("Behind after"), Kind.CENTS),
    Column("by", gettext_lazy("By")),
)
_RESTRICTIONS = (
    Column("kind", gettext_lazy("Restriction")),
    Column("start", gettext_lazy("From"), Kind.INSTANT),
    Column("until", gettext_lazy("Last day"), Kind.DATE),
    Column("why", gettext_lazy("Why")),
    Column("by", gettext_lazy("By")),
    Column("lifted", gettext_lazy("Lifted"), Kind.INSTANT),
    Column("lifted_why", gettext_lazy("Why lifted")),
)


def _statement(asked: Asked) -> Sections:
    if asked.patron is None:
        raise ValueError("a statement is about one patron")
    facts = PatronFacts.of(asked, asked.patron)
    yield from _summary(facts)
    yield from _one_by_one(facts)
    # A file that a worker makes is kept, and read by all who may read this report.
    if asked.actor.has_role(*KNOW_WHY) and not asked.at_leisure:
        yield Section(
            "restrictions",
            gettext_lazy("Restrictions"),
            _RESTRICTIONS,
            [_restriction_row(row) for row in facts.restrictions()],
            gettext_lazy("The patron could play all this time. A bar or a self-restriction would be here."),
            gettext_lazy(
                "Shown to managers and compliance alone; a file made in the background, which others read, is without it."
            ),
        )


def _summary(facts: PatronFacts) -> Sections:
    yield Section(
        "sittings",
        gettext_lazy("Sittings"),
        _SITTINGS,
        list(with_totals(_SITTINGS, _sitting_rows(facts))),
        gettext_lazy("The patron sat nowhere. Each sitting would be here, with what it ended with."),
    )
    yield Section(
        "stacks",
        gettext_lazy("From opening to closing stack"),
        _STACKS,
        list(with_totals(_STACKS, _stack_rows(facts))),
        gettext_lazy("The patron had no stack. What made each of opening and closing would be here."),
        gettext_lazy(
            "A line a sitting. Cash in and cash out stand each for itself. Collections are less what was waived or given back; "
            "fees and awards are the jackpot's. What hands won or lost counts when they end; left in action is what hands held "
            "that went on at the end of the time, less what they held at its beginning."
        ),
        is_corrected=True,
    )
    yield Section(
        "games",
        gettext_lazy("By game"),
        _GAMES,
        list(with_totals(_GAMES, _game_rows(facts))),
        gettext_lazy("The patron had a part in no hand."),
    )


def _one_by_one(facts: PatronFacts) -> Sections:
    yield Section(
        "movements",
        gettext_lazy("Brought, taken and moved"),
        _MOVEMENTS,
        with_totals(_MOVEMENTS, (_movement_row(facts, row) for row in facts.movements())),
        gettext_lazy("Nothing was brought or taken. Each buy-in, cash-out and move to another table would be here."),
        is_corrected=True,
    )
    yield Section(
        "hands",
        gettext_lazy("Every hand"),
        _HANDS,
        with_totals(_HANDS, _hand_rows(facts)),
        gettext_lazy(
            "The patron had a part in no hand. Each would be here, with what it did to the stack in this time."
        ),
        is_corrected=True,
    )
    yield Section(
        "behind",
        gettext_lazy("Money behind"),
        _BEHIND,
        list(with_totals(_BEHIND, _behind_rows(facts))),
        gettext_lazy("Nothing was coloured up. What is off the table and still played with would be here (CP-61)."),
    )


def _sitting_rows(facts: PatronFacts) -> Iterator[Row]:
    for stack_id, sitting in facts.sittings.items():
        moved_to = getattr(sitting, "moved_to", None)
        yield (
            table_cell(sitting.session),
            str(sitting.seat.number) if sitting.seat else _("standing"),
            sitting.started_at,
            sitting.ended_at,
            table_cell(sitting.moved_from.session) if sitting.moved_from else None,
            table_cell(moved_to.session) if moved_to else None,
            Cell(facts.stacks[stack_id].closing_cents, Link("account", stack_id)),
            facts.behind_cents(sitting),
        )


def _stack_rows(facts: PatronFacts) -> Iterator[Row]:
    for stack_id, sitting in facts.sittings.items():
        stack, account = facts.stacks[stack_id], Link("account", stack_id)
        figures = {column.name: stack.money_cents.get(column.name, 0) for column in _MONEY}
        figures |= zip([column.name for column in _PLAY], _play_figures(stack.play), strict=True)
        yield (
            table_cell(sitting.session),
            Cell(stack.opening_cents, account),
            *(
                Cell(cents, account, marks_of_what_was_taken_back(cents, stack.taken_back.get(name, ())))
                for name, cents in figures.items()
            ),
            Cell(stack.closing_cents, account),
        )


def _play_figures(play: Play) -> tuple[int, ...]:
    """In the order of their columns."""
    return play.net_cents, play.collections_cents, play.fees_cents, play.awards_cents, play.left_cents


def _game_rows(facts: PatronFacts) -> Iterator[Row]:
    for game, play in sorted(facts.games.items()):
        yield str(Game(game).label), Cell(play.hands, Link("section", "hands")), *_play_figures(play)


def _movement_row(facts: PatronFacts, row: Movement) -> Row:
    cell = Cell(row.stands_cents, Link("account", row.stack_id), [row.mark] if row.takes_back else [])
    what = str(TransactionKind(row.kind).label)
    return (
        row.recorded_at,
        table_cell(facts.sittings[row.stack_id].session),
        _("%(kind)s taken back") % {"kind": what} if row.takes_back else what,
        *(cell if column.name == row.column[0] else None for column in _MONEY),
        row.after_cents,
        row.by,
    )


def _hand_rows(facts: PatronFacts) -> Iterator[Row]:
    for hand in facts.hands():
        net_cents, *beside = _play_figures(facts.play_of(hand))
        marks = marks_of_what_was_taken_back(net_cents, facts.corrected.get(hand.hand_id, ()))
        yield (
            hand.started_at,
            Cell(f"T{hand.table}", Link("session", hand.session_id)),
            Cell(hand.number, Link("hand", hand.hand_id)),
            str(Game(hand.game).label),
            hand.staked_cents or None,
            Cell(net_cents, Link("account", hand.stack_id), marks),
            *beside,
            str(Hand.Status(hand.status).label),
        )


def _behind_rows(facts: PatronFacts) -> Iterator[Row]:
    sessions = {sitting.pk: sitting.session for sitting in facts.sittings.values()}
    after: dict[UUID, int] = defaultdict(int)
    for change in facts.behind:
        after[change.sitting_id] += change.change_cents
        if change.command.recorded_at >= facts.asked.span.start:
            yield (
                change.command.recorded_at,
                table_cell(sessions[change.sitting_id]),
                str(MoneyBehind.Cause(change.cause).label),
                change.change_cents,
                after[change.sitting_id],
                change.command.actor.name,
            )


def _restriction_row(row: Restriction) -> Row:
    lift = getattr(row, "lift", None)
    return (
        str(Restriction.Kind(row.kind).label),
        row.started_at,
        row.until_date,
        row.reason,
        row.command.actor.name,
        lift.lifted_at if lift else None,
        lift.reason if lift else None,
    )


PATRON_STATEMENT = Report(
    "patron-statement",
    gettext_lazy("Patron statement"),
    gettext_lazy(
        "One patron: every sitting from opening to closing stack, what was brought and taken, and what each hand did."
    ),
    ("patron", "day", "through"),
    _statement,
    needs=("patron",),
)
