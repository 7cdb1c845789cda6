"""Reads about what auditors have looked at: what a thing is called and whose it is, what was said of it, what is still open."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TypeAlias
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.http import QueryDict
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.errors import Malformed, NotThere
from casino.staff.actor import READS_ALL, Actor
from ledger.models import Account, Seal
from tables.access import check_web_access
from tables.asked import EARLIEST
from tables.models import Hand, LookedAt, LookedAtReply, Room, TableSession
from tables.selectors.day_ends import seal_label
from tables.selectors.hands import rooms_read_by
from tables.selectors.reports import find_report, reports_read_by
from tables.selectors.reports.asking import Asked, ask, asked_of
from tables.selectors.reports.report import Report
from tables.selectors.statements import account_read_by

About: TypeAlias = LookedAt.About
Kind: TypeAlias = LookedAt.Kind


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that can be looked at; see ``LookedAt`` for its fields."""

    about: About
    key: str
    name: str
    room: Room | None = None
    gaming_date: date | None = None
    query: str = ""


def find_thing(actor: Actor, about: str, key: str, query: str, now: datetime) -> Thing:
    """What is meant, by its kind and key, where the actor reads it. Raises ``Malformed``, ``NotThere`` and ``Forbidden``."""
    if about not in About.values:
        message = _("Choose one of: %(kinds)s.") % {"kinds": ", ".join(About.values)}
        raise Malformed("out-of-range", message, fields={"about": message})
    if query and about != About.REPORT:
        message = _("Only a report has filters.")
        raise Malformed("out-of-range", message, fields={"query": message})
    match about:
        case About.HAND:
            return _hand(actor, key)
        case About.SESSION:
            return _session(actor, key)
        case About.ACCOUNT:
            return _account(actor, key)
        case About.SEAL:
            return seal_thing(_seal(key))
        case About.DAY:
            return _day(actor, key, now)
    return _report(actor, key, query, now)


def hand_thing(hand: Hand) -> Thing:
    """A hand; its session, table and room have to be there."""
    room = hand.session.table.room
    name = _("%(table)s hand %(number)s") % {"table": hand.session.table, "number": hand.number}
    return Thing(About.HAND, str(hand.pk), name, room, room.gaming_day(hand.started_at))


def session_thing(session: TableSession) -> Thing:
    """A session; its table and room have to be there."""
    room = session.table.room
    opened = f"{session.opened_at.astimezone(room.zone):%Y-%m-%d %H:%M}"
    name = _("%(table)s, opened %(opened)s") % {"table": session.table, "opened": opened}
    return Thing(About.SESSION, str(session.pk), name, room, room.gaming_day(session.opened_at))


def seal_thing(seal: Seal) -> Thing:
    """A seal."""
    return Thing(About.SEAL, str(seal.number), _("Seal %(number)s") % {"number": seal.number})


def day_thing(room: Room, day: date) -> Thing:
    """A gaming day of a room."""
    return Thing(About.DAY, seal_label(room, day), _("Gaming day %(day)s") % {"day": day}, room, day)


def _no_such(kind: About) -> NotThere:
    message = _("There is no such thing of the kind “%(kind)s” in the rooms you read.") % {"kind": kind.label}
    return NotThere("nothing-to-look-at", message, fields={"key": message})


def _id(text: str, kind: About) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise _no_such(kind) from None


def _hand(actor: Actor, key: str) -> Thing:
    found = Hand.objects.filter(pk=_id(key, About.HAND), session__table__room__in=rooms_read_by(actor))
    hand = found.select_related("session__table__room").first()
    if hand is None:
        raise _no_such(About.HAND)
    return hand_thing(hand)


def _session(actor: Actor, key: str) -> Thing:
    found = TableSession.objects.filter(pk=_id(key, About.SESSION), table__room__in=rooms_read_by(actor))
    session = found.select_related("table__room").first()
    if session is None:
        raise _no_such(About.SESSION)
    return session_thing(session)


def _account(actor: Actor, key: str) -> Thing:
    return account_thing(*account_read_by(actor, _id(key, About.ACCOUNT)))


def account_thing(account: Account, session: TableSession | None) -> Thing:
    """An account, by its kind and session: its own name may hold a patron's, and what is noted stays for good."""
    kind = capfirst(account.get_kind_display())
    if session is None:
        return Thing(About.ACCOUNT, str(account.pk), kind)
    at = session_thing(session)
    return Thing(About.ACCOUNT, str(account.pk), f"{kind}, {at.name}", at.room)


def _seal(key: str) -> Seal:
    number = int(key) if key.isascii() and key.isdecimal() and len(key) < 19 else 0
    seal = Seal.objects.filter(number=number).first()
    if seal is None:
        raise _no_such(About.SEAL)
    return seal


def _day(actor: Actor, key: str, now: datetime) -> Thing:
    slug, _blank, text = key.rpartition(" ")
    room = rooms_read_by(actor).filter(slug=slug).first()
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise _no_such(About.DAY) from None
    if room is None or not EARLIEST <= day <= room.gaming_day(now):
        raise _no_such(About.DAY)
    return day_thing(room, day)


def _report(actor: Actor, key: str, query: str, now: datetime) -> Thing:
    report = find_report(key)
    return report_thing(report, asked_of(ask(report, actor, filters_of(query), now)))


def filters_of(query: str) -> dict[str, str]:
    """Filters by name, from an address."""
    return {name: value for name, value in QueryDict(query).items() if isinstance(value, str)}


def report_thing(report: Report, asked: Asked) -> Thing:
    """A report with its filters as they are meant, so that they mean the same tomorrow; a patron by id, which outlasts a card."""
    given = dict(asked.given)
    if asked.patron is not None:
        given["patron"] = str(asked.patron.pk)
    first, last = asked.span.first, asked.span.last
    days = f"{first}" if first == last else f"{first} – {last}"
    name = _("%(report)s, %(days)s") % {"report": report.title, "days": days}
    return Thing(About.REPORT, report.slug, name, asked.room, first if first == last else None, urlencode(given))


def looked_at_found(actor: Actor) -> QuerySet[LookedAt]:
    """Everything that was noted, but of reports that the actor may not read, in no order. Raises ``Forbidden``.

    Each has ``is_answered`` and ``is_closed``.
    """
    check_web_access(actor, READS_ALL)
    return (
        LookedAt.objects.filter(_read_by(actor))
        .select_related("room", "by")
        .annotate(is_answered=Exists(_replies(LookedAtReply.Kind.ANSWER)), is_closed=Exists(_closings()))
    )


def _read_by(actor: Actor) -> Q:
    return ~Q(about=About.REPORT) | Q(key__in=[report.slug for report in reports_read_by(actor)])


def _closings() -> QuerySet[LookedAtReply]:
    return _replies(LookedAtReply.Kind.CLOSED)


def _replies(kind: LookedAtReply.Kind) -> QuerySet[LookedAtReply]:
    return LookedAtReply.objects.filter(question=OuterRef("pk"), kind=kind)


def still_open(notes: QuerySet[LookedAt]) -> QuerySet[LookedAt]:
    """Those that are questions which whoever asked has not closed."""
    return notes.filter(~Exists(_closings()), kind=Kind.QUESTION)


def closed(notes: QuerySet[LookedAt]) -> QuerySet[LookedAt]:
    """Those that are questions which whoever asked has closed."""
    return notes.filter(Exists(_closings()), kind=Kind.QUESTION)


def open_questions_to(actor: Actor) -> int:
    """How many questions nobody has answered yet wait in the rooms where this manager works; for others, 0. One query."""
    if not actor.on_the_floor or not actor.reads_all:
        return 0
    unanswered = ~Exists(LookedAtReply.objects.filter(question=OuterRef("pk")))
    mine = Q(room__staff__user=actor.user_id) | Q(room__isnull=True)
    return LookedAt.objects.filter(_read_by(actor), unanswered, mine, kind=Kind.QUESTION).count()


def said_about(thing: Thing) -> QuerySet[LookedAt]:
    """What was noted of one thing, newest first, each with its replies. Two queries."""
    notes = LookedAt.objects.filter(about=thing.about, key=thing.key, query=thing.query).select_related("by")
    return notes.prefetch_related(Prefetch("replies", replies_in_order())).order_by("-at", "-pk")


def replies_in_order() -> QuerySet[LookedAtReply]:
    """Replies with who gave them, as they came."""
    return LookedAtReply.objects.select_related("by").order_by("at", "pk")


@dataclass(frozen=True, slots=True)
class DayMarks:
    """What has been looked at of a gaming day: who looked at which report last, and who signed the day off, each with when."""

    reports: dict[str, LookedAt]
    sign_offs: Sequence[LookedAt]


def day_marks(days: Collection[tuple[Room, date]]) -> dict[tuple[UUID, date], DayMarks]:
    """The marks of some gaming days. One query."""
    either = Q(pk__in=[])
    for room, day in days:
        either |= Q(room=room, gaming_date=day)
    notes = LookedAt.objects.filter(either, about__in=[About.REPORT, About.DAY]).select_related("by").order_by("at")
    by_day: dict[tuple[UUID, date], list[LookedAt]] = {(room.pk, day): [] for room, day in days}
    for note in notes:
        if note.room_id is not None and note.gaming_date is not None:
            by_day[note.room_id, note.gaming_date].append(note)
    return {place: _marks(found) for place, found in by_day.items()}


def _marks(notes: Iterable[LookedAt]) -> DayMarks:
    reports: dict[str, LookedAt] = {}
    sign_offs = []
    for note in notes:
        if note.about == About.REPORT:
            reports[note.key] = note
        elif note.kind == Kind.SIGN_OFF:
            sign_offs.append(note)
    return DayMarks(reports, sign_offs)
