"""What the timetable's watchdogs see: silent tables, decisions that wait, checks and jobs that failed, seals that are missing.

Each look is a fixed number of reads, however many tables there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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
from ledger.models import SealLine, Transaction
from ledger.rows import ComposedModels
from ledger.selectors import newest_seals, seal_of_day
from tables.models import (
    Command,
    DayEnd,
    Dispute,
    Hand,
    Job,
    LookedAt,
    ReplayPart,
    ReplayRun,
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

LONGEST_COMMAND = timedelta(hours=1)
"""What was recorded so long before a seal was made is committed, and so in that seal or an earlier one."""

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


def seen_now(kind: Watch.Kind, now: datetime) -> list[Seen]:
    """Everything of a kind that has to be looked at now."""
    return list(_READERS[kind](now))


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


def _failed_checks(_now: datetime) -> Iterator[Seen]:
    yield from _failed_checks_of_rooms()
    yield from _differing_hands()


def _failed_checks_of_rooms() -> Iterator[Seen]:
    """By the newest checks of each room, which are over all its history: as long as any fail, it is one thing."""
    newest = DayEnd.objects.filter(room=OuterRef("room"), checked_at__isnull=False).order_by(
        "-checked_at", "-gaming_date"
    )
    for day_end in DayEnd.objects.filter(pk=Subquery(newest.values("pk")[:1])).select_related("room", "job"):
        if failed_checks(day_end) and day_end.checked_at:
            values = {"day": day_end.gaming_date, "words": checks_light(day_end).words}
            words = _("%(day)s, checks: %(words)s") % values
            yield Seen(Watch.Kind.CHECKS_FAILED, str(day_end.room_id), day_end.room, words, day_end.checked_at)


def _differing_hands() -> Iterator[Seen]:
    """Day by day, since another day says nothing about these hands: until the day is signed off, or they come out as stored."""
    of_this_day = {"room": OuterRef("room"), "gaming_date": OuterRef("gaming_date")}
    signed_off = LookedAt.objects.filter(
        kind=LookedAt.Kind.SIGN_OFF, about=LookedAt.About.DAY, at__gte=OuterRef("replay__asked_at"), **of_this_day
    )
    replays = ReplayRun.objects.filter(hand=None, rules="", finished_at__isnull=False, **of_this_day)
    newest = Subquery(replays.order_by("-asked_at").values("pk")[:1])
    still = ReplayPart.objects.filter(run=OuterRef("newest")).exclude(differences=[]).exclude(differences=None)
    differ = DayEnd.objects.filter(~Exists(signed_off), differences__gt=0).annotate(newest=newest)
    for day_end in (
        differ.filter(Exists(still)).select_related("room", "replay", "job").order_by("room_id", "gaming_date")
    ):
        since = day_end.replay.finished_at if day_end.replay else None
        if since:
            values = {"day": day_end.gaming_date, "words": replay_light(day_end).words}
            words = _("%(day)s, hands settled again: %(words)s") % values
            yield Seen(Watch.Kind.CHECKS_FAILED, str(day_end.pk), day_end.room, words, since)


def _failed_jobs(_now: datetime) -> Iterator[Seen]:
    """What the timetable asked for; who asks for a job sees on its page how it went."""
    failed = Job.objects.filter(state=Job.State.FAILED, asked_by__isnull=True).select_related("room")
    for job in failed.order_by("ended_at", "pk"):
        if job.ended_at:
            words = f"{' · '.join(filter(None, in_words(job)))}: {job.last_error}"
            yield Seen(Watch.Kind.JOB_FAILED, str(job.pk), job.room, words, job.ended_at)


def _missing_seals(now: datetime) -> Iterator[Seen]:
    seal = newest_seals(1).first()
    moved = Transaction.objects.exclude(kind=TransactionKind.NOTE)
    if seal:
        # What a seal covers it says line by line: its own time is neither before nor after all that it covers.
        line = SealLine.objects.filter(
            book=OuterRef("book"), first__lte=OuterRef("sequence"), last__gte=OuterRef("sequence")
        )
        moved = moved.filter(~Exists(line), recorded_at__gt=seal.made_at - LONGEST_COMMAND)
    oldest = moved.order_by("recorded_at").values_list("recorded_at", flat=True).first()
    if oldest is not None and now - oldest >= HOURS_SEAL_LATE:
        words = _("what was recorded at %(time)s UTC is not sealed") % {"time": f"{oldest:%Y-%m-%d %H:%M}"}
        yield Seen(Watch.Kind.SEAL_MISSING, "hour", None, words, oldest)
    yield from _missing_day_seals(now)


def _missing_day_seals(now: datetime) -> Iterator[Seen]:
    """Of each room's last gaming day that should be sealed by now, whose seal covers all before it: one thing a room."""
    for room in Room.objects.annotate(played_at=Min("tables__sessions__opened_at")).order_by("pk"):
        day = room.gaming_day(now - DAYS_SEAL_LATE) - ONE_DAY
        _start, end = gaming_day_bounds(day, time_zone=room.zone, starts_at=room.day_starts_at)
        if room.played_at and room.played_at < end and seal_of_day(seal_label(room, day)) is None:
            words = _("the gaming day %(day)s has no seal") % {"day": day}
            yield Seen(Watch.Kind.SEAL_MISSING, str(room.pk), room, words, end)


_READERS: Mapping[Watch.Kind, Callable[[datetime], Iterator[Seen]]] = {
    Watch.Kind.TABLE_SILENT: _silent_tables,
    Watch.Kind.DECISION_LATE: _late_decisions,
    Watch.Kind.CHECKS_FAILED: _failed_checks,
    Watch.Kind.JOB_FAILED: _failed_jobs,
    Watch.Kind.SEAL_MISSING: _missing_seals,
}
