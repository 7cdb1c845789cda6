"""What a table's tile says needs a person: calls, disputes, the clock, decisions, its tablet, the rotation, a slow hand. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tables.models import Table, TableSession
from tables.selectors.calls import OpenCall
from tables.selectors.marks import SeatMarks

SILENT_AFTER = timedelta(seconds=60)
UNSENT_AFTER = timedelta(seconds=20)
"""A press takes a moment; what waits longer than this is told."""

ROTATION_WITHIN = timedelta(minutes=10)
SLOW, STUCK = timedelta(minutes=3), timedelta(minutes=6)
"""When a hand is older than usual, and when it is very much so, at a table that has not dealt enough hands to tell."""

LEAST_SLOW, LEAST_STUCK = timedelta(minutes=2), timedelta(minutes=4)
"""However quick a table is, no hand is called slow before this."""


class Tone(IntEnum):
    """How much an alert hurries; the lower comes first."""

    STOP = 0
    WARN = 1
    NOTE = 2


@dataclass(frozen=True, slots=True)
class Alert:
    """Something at a table that needs a person, in words, and since when; ``None`` where it is still to come."""

    tone: Tone
    words: str
    since: datetime | None


@dataclass(frozen=True, slots=True)
class Pace:
    """From what age a hand is slow at this table, and from what age something is wrong, in seconds."""

    slow_s: int
    stuck_s: int


def pace_of(usual: timedelta | None) -> Pace:
    """Half as long again as usual is slow, three times as long is stuck; fixed times where nothing is usual yet."""
    if usual is None:
        slow, stuck = SLOW, STUCK
    else:
        slow, stuck = max(LEAST_SLOW, usual * 1.5), max(LEAST_STUCK, usual * 3)
    return Pace(round(slow.total_seconds()), round(stuck.total_seconds()))


@dataclass(frozen=True, slots=True)
class HandOut:
    """The hand that is out, as far as a tile shows it."""

    id: UUID
    number: int
    started_at: datetime
    pace: Pace
    marks: Mapping[int, SeatMarks] = field(default_factory=dict)

    @property
    def clocks(self) -> list[tuple[int, datetime]]:
        """The seats on which time is called, with the instant at which it is up."""
        return [(seat, marks.time_until) for seat, marks in sorted(self.marks.items()) if marks.time_until is not None]


@dataclass(frozen=True, slots=True)
class Undecided:
    """A dispute nobody has ruled on, or an exception nobody has decided on, with the number of its hand."""

    hand_number: int | None
    raised_at: datetime


class DeviceReport(NamedTuple):
    """What a tablet said of itself; ``last_seen_at`` is ``None`` where nobody is signed in on it."""

    last_seen_at: datetime | None
    unsent_count: int
    oldest_unsent_at: datetime | None


class TabletsSaid(NamedTuple):
    """What floor has to know of the tablets of a table: what they hold unsent for too long, and since when all are silent."""

    unsent_count: int = 0
    oldest_unsent_at: datetime | None = None
    silent_since: datetime | None = None


NOTHING_SAID = TabletsSaid()


def tablets_said(reports: Collection[DeviceReport], opened_at: datetime | None, now: datetime) -> TabletsSaid:
    """What the tablets of a table come to. None of a table that is closed is silent, and none on which nobody is signed in."""
    late = [(at, each.unsent_count) for each in reports if (at := each.oldest_unsent_at) and now - at >= UNSENT_AFTER]
    seen = [max(each.last_seen_at, opened_at) for each in reports if each.last_seen_at and opened_at]
    is_silent = bool(seen) and now - max(seen) >= SILENT_AFTER
    return TabletsSaid(
        sum(count for _at, count in late),
        min((at for at, _count in late), default=None),
        max(seen) if is_silent else None,
    )


@dataclass(frozen=True, slots=True)
class Facts:
    """All that alerts come from, at one table with a session that is open."""

    session: TableSession
    now: datetime
    hand: HandOut | None = None
    calls: Sequence[OpenCall] = ()
    disputes: Sequence[Undecided] = ()
    exceptions: Sequence[Undecided] = ()
    tablets: TabletsSaid = NOTHING_SAID
    rotation_due_at: datetime | None = None


def alerts_of(facts: Facts) -> list[Alert]:
    """Everything that needs a person at a table: what hurries first, and of that the oldest."""
    return sorted(_alerts(facts), key=lambda alert: (alert.tone, alert.since is None, alert.since))


def changes_at(facts: Facts) -> Iterator[datetime]:
    """When time alone changes what the alerts of a table say."""
    if facts.hand is not None:
        yield from (until for _seat, until in facts.hand.clocks)
        yield facts.hand.started_at + timedelta(seconds=facts.hand.pace.slow_s)
        yield facts.hand.started_at + timedelta(seconds=facts.hand.pace.stuck_s)
    if facts.rotation_due_at is not None:
        yield facts.rotation_due_at - ROTATION_WITHIN
        yield facts.rotation_due_at


def _alerts(facts: Facts) -> Iterator[Alert]:
    for call in facts.calls:
        if call.answered_at:
            yield Alert(Tone.NOTE, _("%(name)s is coming") % {"name": call.answered_by}, call.answered_at)
        else:
            yield Alert(Tone.STOP, _("Called: %(reason)s") % {"reason": call.reason_words}, call.called_at)
    for dispute in facts.disputes:
        yield Alert(Tone.STOP, _("Dispute, hand %(number)s") % {"number": dispute.hand_number}, dispute.raised_at)
    yield from _of_the_hand(facts)
    yield from _to_decide(facts)
    yield from _of_the_tablet(facts)
    yield from _of_the_rotation(facts)


def _of_the_hand(facts: Facts) -> Iterator[Alert]:
    hand, now = facts.hand, facts.now
    if hand is None:
        return
    for seat, until in hand.clocks:
        if until <= now:
            yield Alert(Tone.STOP, _("Time is up, seat %(seat)s") % {"seat": seat}, until)
        else:
            called_at = until - timedelta(seconds=facts.session.clock_seconds)
            yield Alert(Tone.WARN, _("Time called, seat %(seat)s") % {"seat": seat}, called_at)
    age = (now - hand.started_at).total_seconds()
    if age >= hand.pace.slow_s:
        tone = Tone.STOP if age >= hand.pace.stuck_s else Tone.WARN
        yield Alert(tone, _("Older than usual"), hand.started_at)


def _to_decide(facts: Facts) -> Iterator[Alert]:
    """Exceptions, those about the last hand apart: floor rules on it alone until the next one begins (PG-45)."""
    last = facts.session.hands_dealt
    in_time = [each for each in facts.exceptions if facts.hand is None and each.hand_number == last]
    for each in in_time:
        yield Alert(Tone.WARN, _("Window closing"), each.raised_at)
    others = [each for each in facts.exceptions if each not in in_time]
    if others:
        words = ngettext("%(count)s exception to decide", "%(count)s exceptions to decide", len(others))
        yield Alert(Tone.WARN, words % {"count": len(others)}, min(each.raised_at for each in others))


def _of_the_tablet(facts: Facts) -> Iterator[Alert]:
    said = facts.tablets
    if said.oldest_unsent_at:
        words = ngettext("%(count)s press not sent", "%(count)s presses not sent", said.unsent_count)
        yield Alert(Tone.WARN, words % {"count": said.unsent_count}, said.oldest_unsent_at)
    if said.silent_since:
        yield Alert(Tone.STOP, _("Tablet silent"), said.silent_since)


def _of_the_rotation(facts: Facts) -> Iterator[Alert]:
    due_at = facts.rotation_due_at
    if due_at is None or due_at - facts.now > ROTATION_WITHIN:
        return
    if due_at <= facts.now:
        yield Alert(Tone.STOP, _("Rotation overdue"), due_at)
    else:
        table: Table = facts.session.table
        at = f"{due_at.astimezone(table.room.zone):%H:%M}"
        yield Alert(Tone.WARN, _("Rotation due by %(time)s") % {"time": at}, None)
