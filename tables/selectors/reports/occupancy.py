"""Occupancy by hour: how many seats there were at open tables, and how many of them somebody had."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from uuid import UUID

from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tables.models import Seat, Sitting, TableSession
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.charts import title_of_the_most
from tables.selectors.reports.hours import hours_between, named_hours
from tables.selectors.reports.report import Chart, ChartKind, Column, Kind, Row, Section, Total

_COLUMNS = (
    Column("hour", gettext_lazy("Hour")),
    Column("filled", gettext_lazy("Most seats filled"), Kind.COUNT),
    Column("open", gettext_lazy("Most seats open"), Kind.COUNT),
    Column("filled_time", gettext_lazy("Time filled"), Kind.DURATION, totals=True),
    Column("open_time", gettext_lazy("Time open"), Kind.DURATION, totals=True),
    Column("part", gettext_lazy("Filled"), Kind.PERCENT),
)
_THOUSANDTH = Decimal("0.001")


@dataclass(slots=True)
class _Seats:
    """Seats in an hour: whole seconds of all of them together, and when how many were more or fewer."""

    seconds: int = 0
    steps: dict[datetime, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, start: datetime, end: datetime, number: int) -> None:
        """So many of them from one instant to another."""
        self.seconds += int((end - start).total_seconds()) * number
        self.steps[start] += number
        self.steps[end] -= number

    @property
    def most(self) -> int:
        """How many there were at once, when there were most."""
        now = most = 0
        for at in sorted(self.steps):
            now += self.steps[at]
            most = max(most, now)
        return most


_ByHour = Mapping[datetime, _Seats]


def occupancy(asked: Asked, sessions: Sequence[TableSession]) -> Section:
    """The section, of these sessions. Who stands at the backline has no seat."""
    numbers = _seats_of_tables(sessions)
    spans = ((each.opened_at, each.closed_at, numbers[each.table_id]) for each in sessions)
    there = _by_hour(asked, spans)
    taken = _by_hour(asked, ((started, ended, 1) for started, ended in _sittings(asked, sessions)))
    rows = list(_rows(asked, taken, there))
    title = title_of_the_most(
        _COLUMNS,
        rows,
        "filled",
        lambda hour, seats: (
            _("Most seats were filled in the hour from %(hour)s: %(seats)s") % {"hour": hour, "seats": seats}
        ),
        without=gettext_lazy("No seat was filled"),
    )
    return Section(
        "occupancy",
        gettext_lazy("Seats by hour"),
        _COLUMNS,
        rows,
        gettext_lazy(
            "No table was open. Each hour would be here, with the seats there were and those that were filled."
        ),
        gettext_lazy(
            "Most seats at any one time in the hour, and the time of all seats together; of several days, over all."
        ),
        chart=Chart(ChartKind.STEPS, title, label="hour", value="filled", against="open"),
    )


def _seats_of_tables(sessions: Iterable[TableSession]) -> Mapping[UUID, int]:
    tables = {session.table_id for session in sessions}
    counted = Seat.objects.filter(table__in=tables).values_list("table").annotate(number=Count("pk"))
    return dict.fromkeys(tables, 0) | dict(counted)


def _sittings(asked: Asked, sessions: Sequence[TableSession]) -> Iterable[tuple[datetime, datetime | None]]:
    """When somebody sat down and left; of the span's sessions those that reach into it, which is settled where hours are cut."""
    found = Sitting.objects.filter(session__in=sessions, seat__isnull=False, started_at__lt=asked.span.end)
    return found.values_list("started_at", "ended_at").iterator()


def _by_hour(asked: Asked, spans: Iterable[tuple[datetime, datetime | None, int]]) -> _ByHour:
    found: dict[datetime, _Seats] = defaultdict(_Seats)
    for started, ended, number in spans:
        start, end = max(started, asked.span.start), min(ended or asked.now, asked.span.end)
        # Whole seconds of both ends, so that what is cut by the hour adds up to the whole.
        start, end = (each.astimezone(UTC).replace(microsecond=0) for each in (start, end))
        for hour, begins, ends in hours_between(start, end, asked.room.zone):
            found[hour].add(begins, ends, number)
    return found


def _rows(asked: Asked, taken: _ByHour, there: _ByHour) -> Iterator[Row]:
    filled = opened = 0
    for name, hours in named_hours(asked, {*taken, *there}):
        filled_time, open_time = (sum(each[hour].seconds for hour in hours if hour in each) for each in (taken, there))
        most = (max((each[hour].most for hour in hours if hour in each), default=0) for each in (taken, there))
        yield (name, *most, filled_time, open_time, _part(filled_time, open_time))
        filled, opened = filled + filled_time, opened + open_time
    if opened:
        yield Total((_("Total"), None, None, filled, opened, _part(filled, opened)))


def _part(filled: int, opened: int) -> Decimal | None:
    return (Decimal(filled) / opened).quantize(_THOUSANDTH, ROUND_HALF_UP) if opened else None
