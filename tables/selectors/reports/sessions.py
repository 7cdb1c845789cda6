"""The sessions, hands and dealers' shifts that a span of time is about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from uuid import UUID

from django.contrib.postgres.fields import DateTimeRangeField
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange
from django.db.models import Count, F, Func, Q, Value

from tables.models import DealerShift, Hand, TableSession
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.report import Cell, Link

# As in the index ``tablesession_by_time``, so that a session of no length is found too.
_OPEN = Func(F("opened_at"), F("closed_at"), Value("[]"), function="tstzrange", output_field=DateTimeRangeField())


def sessions_of(asked: Asked, moved_in: Collection[UUID] = ()) -> list[TableSession]:
    """The sessions that were open in the span, and those of ``moved_in``: corrections come after a table was closed, too."""
    there = Q(open_time__overlap=DateTimeTZRange(asked.span.start, asked.span.end)) | Q(pk__in=list(moved_in))
    return list(
        TableSession.objects.alias(open_time=_OPEN)
        .filter(there, table__in=asked.table_ids)
        .select_related("table", "schedule")
        .order_by("table__number", "opened_at", "pk")
    )


def hands_by_status(asked: Asked) -> Mapping[UUID, Mapping[str, int]]:
    """How many hands that were dealt in the span each session has, by what became of them."""
    counts: dict[UUID, dict[str, int]] = defaultdict(lambda: dict.fromkeys(Hand.Status.values, 0))
    dealt = Hand.objects.filter(
        started_at__gte=asked.span.start, started_at__lt=asked.span.end, session__table__in=asked.table_ids
    )
    for session_id, status, number in dealt.values_list("session_id", "status").annotate(number=Count("pk")):
        counts[session_id][status] = number
    return counts


def shifts_of(asked: Asked, sessions: Collection[TableSession]) -> list[DealerShift]:
    """The dealers' shifts at these tables in the span, in the order of their beginning."""
    in_span = Q(ended_at__isnull=True) | Q(ended_at__gt=asked.span.start)
    found = DealerShift.objects.filter(in_span, session__in=sessions, started_at__lt=asked.span.end)
    shifts = list(found.prefetch_related("dealer").order_by("started_at", "pk"))
    known = {session.pk: session for session in sessions}
    for shift in shifts:
        shift.session = known[shift.session_id]  # a dealer and a session stand in many shifts, and are read once
    return shifts


def table_cell(session: TableSession) -> Cell:
    """A session's table, which opens the session."""
    return Cell(str(session.table), Link("session", session.pk))


def hand_cell(hand: Hand | None) -> Cell:
    """A hand's number, which opens the hand; nothing for what happened between two."""
    return Cell(None) if hand is None else Cell(hand.number, Link("hand", hand.pk))
