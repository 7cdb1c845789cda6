"""What the timetable's watchdogs see: silent tables, decisions that wait, checks and jobs that failed, seals that are missing.

Each look is a fixed number of reads, however many tables there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import (
    Count,
    DurationField,
    Exists,
    ExpressionWrapper,
    F,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.utils.translation import gettext as _

from casino.gaming_day import ONE_DAY, gaming_day_bounds
from ledger.kinds import TransactionKind
from ledger.models import Seal, Transaction
from ledger.rows import ComposedModels
from ledger.selectors import newest_seals
from tables.models import (
    Command,
    DayEnd,
    Dispute,
    Hand,
    Job,
    Room,
    RoomStaff,
    Table,
    TableException,
    TableSession,
    Watch,
)
from tables.selectors.day_ends import checks_light, failed_checks, replay_light, seal_label
from tables.selectors.jobs import in_words

HOURS_SEAL_LATE = timedelta(minutes=90)
"""A movement that is older than this is in a seal: one is made every hour."""

DAYS_SEAL_LATE = timedelta(minutes=30)
"""So long after its end a gaming day is sealed."""

PLAYERS_IN_PLAY = 2
"""With so many players who are there a table is in play, also between two hands."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Something that somebody has to look at, as a ``Watch`` keeps it."""

    kind: Watch.Kind
    subject: str
    room: Room | None
    words: str
    since: datetime
    table: Table | None = None


def seen_now(now: datetime) -> Iterator[Seen]:
    """Everything that has to be looked at now."""
    yield from _silent_tables(now)
    yield from _late_decisions(now)
    yield from _failed_checks()
    yield from _failed_jobs()
    yield from _missing_seals(now)


def open_watches() -> QuerySet[Watch]:
    """What was seen and has not ended, the oldest first."""
    return Watch.objects.filter(ended_at__isnull=True).select_related("room", "table__room").order_by("raised_at", "pk")


# Read every two seconds at a busy floor, so composed once.
_ON_THE_FLOOR = ComposedModels(
    lambda user_id: (
        open_watches()
        .exclude(kind=Watch.Kind.DECISION_LATE)
        .filter(Q(room__isnull=True) | Q(room__in=RoomStaff.objects.filter(user_id=user_id).values("room")))
    )
)


def watches_on_the_floor(user_id: UUID) -> list[Watch]:
    """What was seen in the rooms of somebody; decisions that wait are on the floor's pages by themselves."""
    return _ON_THE_FLOOR(user_id)


def _silent_tables(now: datetime) -> Iterator[Seen]:
    last = Command.objects.filter(table=OuterRef("table")).order_by("-recorded_at")
    there = Q(sittings__ended_at__isnull=True, sittings__absent_at__isnull=True)
    sessions = (
        TableSession.objects.filter(closed_at__isnull=True)
        .select_related("table__room")
        .annotate(
            last_at=Subquery(last.values("recorded_at")[:1]),
            players=Count("sittings", filter=there),
            is_out=Exists(Hand.objects.filter(session=OuterRef("pk"), status=Hand.Status.OUT)),
        )
    )
    for session in sessions:
        table = session.table
        since = max(session.last_at or session.opened_at, session.opened_at)
        in_play = session.is_out or (session.dealer_id and session.players >= PLAYERS_IN_PLAY)
        if in_play and now - since >= timedelta(minutes=table.room.silent_minutes):
            words = _("%(table)s is in play, and nothing was pressed for %(minutes)s minutes")
            values = {"table": table, "minutes": table.room.silent_minutes}
            yield Seen(Watch.Kind.TABLE_SILENT, str(session.pk), table.room, words % values, since, table)


def _late_decisions(now: datetime) -> Iterator[Seen]:
    minutes = ExpressionWrapper(
        Value(timedelta(minutes=1)) * F("session__table__room__decision_minutes"), output_field=DurationField()
    )
    late = {"raised_at__lte": now - minutes}
    exceptions = TableException.objects.filter(decision__isnull=True, **late)
    disputes = Dispute.objects.filter(ruling__isnull=True, **late)
    for rows, words_of in (
        (exceptions, lambda row: row.get_kind_display()),
        (disputes, lambda row: _("Dispute")),
    ):
        for row in rows.select_related("session__table__room", "hand").order_by("raised_at", "pk"):
            table, hand = row.session.table, row.hand
            where = _("%(table)s hand %(hand)s") % {"table": table, "hand": hand.number} if hand else str(table)
            words = f"{where}: {words_of(row)}"
            yield Seen(Watch.Kind.DECISION_LATE, str(row.pk), table.room, words, row.raised_at, table)


def _failed_checks() -> Iterator[Seen]:
    """Of each room's newest ended day: one that holds again ends the watch of the one before."""
    newest = (
        DayEnd.objects.filter(room=OuterRef("room"), checked_at__isnull=False, differences__isnull=False)
        .order_by("-gaming_date")
        .values("pk")[:1]
    )
    for day_end in DayEnd.objects.filter(pk=Subquery(newest)).select_related("room", "replay", "job"):
        parts = []
        if failed_checks(day_end):
            parts.append(_("checks: %(words)s") % {"words": checks_light(day_end).words})
        if day_end.differences:
            parts.append(_("hands settled again: %(words)s") % {"words": replay_light(day_end).words})
        if parts and day_end.checked_at:
            words = f"{day_end.gaming_date}, {', '.join(parts)}"
            yield Seen(Watch.Kind.CHECKS_FAILED, str(day_end.pk), day_end.room, words, day_end.checked_at)


def _failed_jobs() -> Iterator[Seen]:
    """What the timetable asked for; who asks for a job sees on its page how it went."""
    failed = Job.objects.filter(state=Job.State.FAILED, asked_by__isnull=True).select_related("room")
    for job in failed.order_by("ended_at", "pk"):
        if job.ended_at:
            words = f"{' · '.join(filter(None, in_words(job)))}: {job.last_error}"
            yield Seen(Watch.Kind.JOB_FAILED, str(job.pk), job.room, words, job.ended_at)


def _missing_seals(now: datetime) -> Iterator[Seen]:
    seal = newest_seals(1).first()
    moved = Transaction.objects.exclude(kind=TransactionKind.NOTE).order_by("recorded_at")
    unsealed = moved.filter(recorded_at__gt=seal.made_at) if seal else moved
    oldest = unsealed.values_list("recorded_at", flat=True).first()
    if oldest is not None and now - oldest >= HOURS_SEAL_LATE:
        words = _("what was recorded at %(time)s UTC is not sealed") % {"time": f"{oldest:%Y-%m-%d %H:%M}"}
        yield Seen(Watch.Kind.SEAL_MISSING, "hour", None, words, oldest)
    yield from _missing_day_seals(now)


def _missing_day_seals(now: datetime) -> Iterator[Seen]:
    """Of each room's last gaming day that is over: its seal covers all before it."""
    over: dict[str, Seen] = {}
    for room in Room.objects.annotate(played_at=Min("tables__sessions__opened_at")).order_by("pk"):
        day = room.gaming_day(now) - ONE_DAY
        _start, end = gaming_day_bounds(day, time_zone=room.zone, starts_at=room.day_starts_at)
        if room.played_at and room.played_at < end and now - end >= DAYS_SEAL_LATE:
            label = seal_label(room, day)
            words = _("the gaming day %(day)s has no seal") % {"day": day}
            over[label] = Seen(Watch.Kind.SEAL_MISSING, label, room, words, end)
    sealed = set(Seal.objects.filter(label__in=over).values_list("label", flat=True))
    yield from (seen for label, seen in over.items() if label not in sealed)
