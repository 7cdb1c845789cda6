"""Collections by table, hour, schedule version and dealer, against hands played and hours dealt; waivers apart.

Every figure is counted once, by session, hour and dealer; the four tables are those figures put together four ways, and so end
in the same totals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.staff.models import User
from tables.models import DealerShift, Payer, TableSession, Waiver
from tables.rules.sentences import dollars
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.charts import title_of_the_most
from tables.selectors.reports.dealt import DEALT_IN_THE_SPAN, FROM_HANDS_DEALT
from tables.selectors.reports.hours import hours_between, named_hours
from tables.selectors.reports.money import Drop, DropRow, drop_rows, read
from tables.selectors.reports.report import (
    Cell,
    Chart,
    ChartKind,
    Column,
    Kind,
    Link,
    Per,
    Report,
    Row,
    Section,
    Sections,
    Words,
    with_totals,
)
from tables.selectors.reports.sessions import sessions_of, shifts_of

_FIGURES = (
    Column("hands", gettext_lazy("Hands settled"), Kind.COUNT, totals=True),
    Column("time", gettext_lazy("Time dealt"), Kind.DURATION, totals=True),
    Column("taken", gettext_lazy("Collected"), Kind.CENTS, totals=True),
    Column("waived", gettext_lazy("Waived"), Kind.CENTS, totals=True),
    Column("back", gettext_lazy("Given back"), Kind.CENTS, totals=True),
    Column("kept", gettext_lazy("Kept"), Kind.CENTS, totals=True),
    Column("per_hand", gettext_lazy("Kept a hand"), Kind.CENTS, per=Per("kept", "hands")),
    Column("per_hour", gettext_lazy("Kept an hour"), Kind.CENTS, per=Per("kept", "time", 3600)),
)
_WAIVERS = (
    Column("at", gettext_lazy("Waived"), Kind.INSTANT),
    Column("table", gettext_lazy("Table")),
    Column("hand", gettext_lazy("Hand"), Kind.COUNT),
    Column("patron", gettext_lazy("Whose")),
    Column("payer", gettext_lazy("Paid for")),
    Column("cents", gettext_lazy("Amount"), Kind.CENTS, totals=True),
    Column("by", gettext_lazy("By")),
    Column("why", gettext_lazy("Why")),
)
_HANDS = f"""
    SELECT hand.session_id, date_trunc('hour', hand.started_at, %(zone)s), shift.dealer_id, count(*)
    {FROM_HANDS_DEALT} WHERE {DEALT_IN_THE_SPAN} AND hand.status = 'settled'
    GROUP BY 1, 2, 3
"""


class Place(NamedTuple):
    """Where a figure belongs: the session, the hour of the clock by its first instant, and who dealt."""

    session_id: UUID
    hour: datetime
    dealer_id: UUID | None


@dataclass(slots=True)
class Figures:
    """What was settled, how many seconds somebody dealt, and what the drop box took."""

    hands: int = 0
    seconds: int = 0
    drop: Drop = field(default_factory=Drop)

    def add(self, other: Figures) -> None:
        """Count another's figures as well."""
        self.hands += other.hands
        self.seconds += other.seconds
        self.drop = Drop(
            self.drop.taken_cents + other.drop.taken_cents,
            self.drop.waived_cents + other.drop.waived_cents,
            self.drop.back_cents + other.drop.back_cents,
        )

    @property
    def cells(self) -> Row:
        """The figures in the order of their columns; the last two are worked out from them."""
        drop = self.drop
        return (
            self.hands,
            self.seconds,
            drop.taken_cents,
            drop.waived_cents,
            drop.back_cents,
            drop.kept_cents,
            None,
            None,
        )


@dataclass(frozen=True, slots=True)
class _Facts:
    """Every figure by its place, and the sessions and dealers by id."""

    asked: Asked
    figures: Mapping[Place, Figures]
    sessions: Mapping[UUID, TableSession]
    dealers: Mapping[UUID, User]

    @classmethod
    def of(cls, asked: Asked) -> _Facts:
        drops = drop_rows(asked)
        sessions = sessions_of(asked, {row.session_id for row in drops})
        shifts = shifts_of(asked, sessions)
        figures = _placed(asked, drops, shifts)
        dealers = {shift.dealer_id: shift.dealer for shift in shifts}
        missing = {place.dealer_id for place in figures if place.dealer_id} - dealers.keys()
        dealers |= User.objects.in_bulk(missing)
        if asked.dealer is not None:
            figures = {place: each for place, each in figures.items() if place.dealer_id == asked.dealer.pk}
        return cls(asked, figures, {session.pk: session for session in sessions}, dealers)

    def by(self, key: Callable[[Place], object]) -> dict[object, Figures]:
        """The figures put together by what a place is, in the order of the keys."""
        found: dict[object, Figures] = defaultdict(Figures)
        for place, figures in self.figures.items():
            found[key(place)].add(figures)
        return found


def _placed(asked: Asked, drops: Iterable[DropRow], shifts: Iterable[DealerShift]) -> dict[Place, Figures]:
    found: dict[Place, Figures] = defaultdict(Figures)
    for row in drops:
        place = Place(row.session_id, row.hour.astimezone(UTC), row.dealer_id)
        found[place].drop.add(row.kind, row.cents, taken_back=row.taken_back)
    for session_id, hour, dealer_id, hands in read(_HANDS, asked):
        found[Place(session_id, hour.astimezone(UTC), dealer_id)].hands += hands
    for shift in shifts:
        for hour, seconds in _hours_of(shift, asked):
            found[Place(shift.session_id, hour, shift.dealer_id)].seconds += seconds
    return found


def _hours_of(shift: DealerShift, asked: Asked) -> Iterator[tuple[datetime, int]]:
    """How many seconds of each hour of the clock a dealer was at a table, within the span."""
    begin, end = max(shift.started_at, asked.span.start), min(shift.ended_at or asked.now, asked.span.end)
    # Whole seconds of both ends, so that what is cut by the hour adds up to the whole.
    begin, end = (each.astimezone(UTC).replace(microsecond=0) for each in (begin, end))
    for hour, start, until in hours_between(begin, end, asked.room.zone):
        yield hour, int((until - start).total_seconds())


def _collections(asked: Asked) -> Sections:
    facts = _Facts.of(asked)
    yield _section("tables", gettext_lazy("By table"), [Column("table", gettext_lazy("Table"))], _table_rows(facts))
    hours = _section("hours", gettext_lazy("By hour"), [Column("hour", gettext_lazy("Hour"))], _hour_rows(facts))
    yield replace(hours, chart=_hours_chart(hours))
    schedule = Column("schedule", gettext_lazy("Schedule"))
    yield _section("schedules", gettext_lazy("By schedule version"), [schedule], _schedule_rows(facts))
    yield _section(
        "dealers", gettext_lazy("By dealer"), [Column("dealer", gettext_lazy("Dealer"))], _dealer_rows(facts)
    )
    yield _waivers(asked)


def _section(name: str, title: Words, of: Sequence[Column], rows: Iterable[Row]) -> Section:
    columns = (*of, *_FIGURES)
    return Section(
        name,
        title,
        columns,
        list(with_totals(columns, rows)),
        gettext_lazy(
            "Nothing was dealt or collected. Hands, time dealt, and what drop boxes took and kept would be here."
        ),
    )


def _table_rows(facts: _Facts) -> Iterator[Row]:
    by_table = facts.by(lambda place: facts.sessions[place.session_id].table_id)
    tables = {session.table_id: session.table for session in facts.sessions.values()}
    for table in sorted(tables.values(), key=lambda each: each.number):
        if table.pk in by_table:
            link = Link("report", "collections", {"table": str(table.number)})
            yield (Cell(str(table), link), *by_table[table.pk].cells)


def _hour_rows(facts: _Facts) -> Iterator[Row]:
    by_hour = facts.by(lambda place: place.hour)
    for name, hours in named_hours(facts.asked, {place.hour for place in facts.figures}):
        figures = Figures()
        for hour in hours:
            figures.add(by_hour[hour])
        yield (name, *figures.cells)


def _hours_chart(hours: Section) -> Chart:
    title = title_of_the_most(
        hours.columns,
        list(hours.rows),
        "kept",
        lambda hour, cents: (
            _("Most was kept in the hour from %(hour)s: %(amount)s") % {"hour": hour, "amount": dollars(cents)}
        ),
        without=gettext_lazy("Nothing was kept in any hour"),
    )
    return Chart(ChartKind.BARS, title, label="hour", value="kept")


def _schedule_rows(facts: _Facts) -> Iterator[Row]:
    by_schedule = facts.by(lambda place: schedule_words(facts.sessions[place.session_id]))
    for words in sorted(by_schedule, key=str):
        yield (str(words), *by_schedule[words].cells)


def schedule_words(session: TableSession) -> str:
    """The version of the schedule a session collects by, or its flat amounts."""
    if session.schedule is not None:
        return str(session.schedule)
    amounts = dollars(session.collection_cents)
    if session.bank_collection_cents:
        amounts = _("%(amount)s, bank %(bank)s") % {"amount": amounts, "bank": dollars(session.bank_collection_cents)}
    return _("flat: %(amounts)s") % {"amounts": amounts}


def _dealer_rows(facts: _Facts) -> Iterator[Row]:
    by_dealer = facts.by(lambda place: place.dealer_id)
    for dealer in sorted(facts.dealers.values(), key=lambda each: each.badge_number):
        if dealer.pk in by_dealer:
            link = Link("report", "collections", {"dealer": dealer.badge_number})
            yield (Cell(f"{dealer.name} ({dealer.badge_number})", link), *by_dealer[dealer.pk].cells)
    if None in by_dealer:
        yield (_("nobody dealt in"), *by_dealer[None].cells)


def _waivers(asked: Asked) -> Section:
    waivers = (
        Waiver.objects.filter(
            command__verb="collection.waive",
            command__table__in=asked.table_ids,
            command__recorded_at__gte=asked.span.start,
            command__recorded_at__lt=asked.span.end,
        )
        .order_by("command__recorded_at", "pk")
        .values_list(
            *("command__recorded_at", "hand__session__table__number", "hand__session_id", "hand__number", "hand_id"),
            *("sitting__patron__name", "payer", "amount_cents", "sitting__stack_id", "command__actor__name", "reason"),
        )
    )
    rows: list[Row] = [
        (
            at,
            Cell(f"T{table}", Link("session", session_id)),
            Cell(hand, Link("hand", hand_id)),
            patron,
            str(Payer(payer).label),
            Cell(cents, Link("account", stack_id)),
            by,
            reason,
        )
        for at, table, session_id, hand, hand_id, patron, payer, cents, stack_id, by, reason in waivers
    ]
    return Section(
        "waivers",
        gettext_lazy("Waivers"),
        _WAIVERS,
        list(with_totals(_WAIVERS, rows)),
        gettext_lazy("Nothing was waived. Each waiver would be here, with who gave it and why."),
        gettext_lazy(
            "As they were given, at all dealers; one that was taken back with its hand is no longer in the figures above."
        ),
    )


COLLECTIONS = Report(
    "collections",
    gettext_lazy("Collections"),
    gettext_lazy(
        "What drop boxes took and kept by table, hour, schedule version and dealer, against hands and time dealt."
    ),
    ("day", "through", "begins", "ends", "table", "dealer"),
    _collections,
)
