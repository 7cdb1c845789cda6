"""The auditor's room: what an auditor opens in the morning, and the chain of seals. It reads and changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from pathlib import Path
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from casino.errors import NotThere
from casino.gaming_day import ONE_DAY, gaming_day_bounds
from casino.staff.actor import READS_ALL, Actor
from casino.staff.pages import page
from ledger import verifier
from ledger.models import Seal, SealLine
from ledger.seals import seal_file
from ledger.verification_of_parts import verify_part
from ledger.verifier import canonical
from tables.access import check_web_access
from tables.asked import day_asked, number_asked
from tables.audit.hands import newest_hands
from tables.audit.lights import DayFacts, Light, chain_fault, day_facts, day_lights, ledger_lights
from tables.audit.lists import seal_list, session_list, sitting_list
from tables.listing import Listing
from tables.models import LookedAt, Room
from tables.selectors.hand_search import HandQuery
from tables.selectors.hands import rooms_read_by
from tables.selectors.looked_at import DayMarks, Thing, day_marks, day_thing, looked_at_found, seal_thing, still_open
from tables.selectors.reports import reports_read_by
from tables.selectors.reports.report import Report
from tables.selectors.statements import session_rows, sessions_found, sitting_rows, sittings_found
from tables.selectors.statistics.rights import READS_STATISTICS
from tables.services.looked_at import ASKS
from tables.services.room_jobs import VERIFIER

ROWS_OF_HOME = 10
QUESTIONS_OF_HOME = 8
SEALS_SHOWN = 5
LINES_SHOWN = 200
SEALS_AT_A_TIME = 5_000
"""How many seals one look verifies: seven months of hours, some seconds."""


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A report of a room's day: the address of the day that is shown and of today's, and who looked at it last."""

    report: Report
    of_day: str
    of_today: str
    looked_at: LookedAt | None


@dataclass(frozen=True, slots=True)
class RoomPart:
    """A room on the home page: the gaming day that is shown, the ones beside it, today's, its lights, reports and marks.

    ``press`` is the key of its form.
    """

    room: Room
    day: date
    today: date
    starts_at: datetime
    ends_at: datetime
    lights: Sequence[Light]
    reports: Sequence[ReportRow]
    marks: DayMarks
    thing: Thing
    facts: DayFacts
    is_signed_by_actor: bool
    press: UUID

    @property
    def before(self) -> str:
        """The address of the same room with the gaming day before."""
        return _of(self.room, self.day - ONE_DAY)

    @property
    def after(self) -> str:
        """The address of the same room with the gaming day after; empty for one that is not over."""
        return _of(self.room, self.day + ONE_DAY) if self.day + ONE_DAY < self.today else ""


def _of(room: Room, day: date) -> str:
    return f"?{urlencode({'room': room.slug, 'day': day.isoformat()})}"


@require_GET
@page
def home(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Of each room the last gaming day that is over, or the one asked for, with lights and reports; then what is newest."""
    rooms = list(rooms_read_by(actor))
    now = timezone.now()
    sessions = session_list(QueryDict(), sessions_found(rooms), most=ROWS_OF_HOME, at=reverse("audit:sessions"))
    sittings = sitting_list(QueryDict(), sittings_found(rooms), most=ROWS_OF_HOME, at=reverse("audit:sittings"))
    context = {
        "rooms": [(room, room.gaming_day(now)) for room in rooms],
        "list": newest_hands(HandQuery(rooms), most=ROWS_OF_HOME),
        "has_rooms": len(rooms) > 1,
        "session_list": sessions,
        "sessions": session_rows(sessions.rows),
        "sitting_list": sittings,
        "sittings": sitting_rows(sittings.rows),
        "seal_list": _newest_seals(),
    }
    if actor.reads_all:
        context |= _for_who_reads_all(request, actor, rooms, now)
    return render(request, "audit/home.html", context)


def _newest_seals() -> Listing[Seal]:
    return seal_list(QueryDict(), Seal.objects.all(), most=SEALS_SHOWN, at=reverse("audit:seals"))


def _for_who_reads_all(request: HttpRequest, actor: Actor, rooms: Sequence[Room], now: datetime) -> dict[str, object]:
    shown = [(room, _day_shown(request, room, now)) for room in rooms]
    facts, marks = day_facts(shown), day_marks(shown)
    reports = reports_read_by(actor)
    questions = looked_at_found(actor)
    return {
        "lights": ledger_lights(now),
        "parts": [
            _part(actor, room, day, now, reports, facts[room.pk, day], marks[room.pk, day]) for room, day in shown
        ],
        "questions": still_open(questions).order_by("-at", "-pk")[:QUESTIONS_OF_HOME],
        "notes": questions.exclude(kind=LookedAt.Kind.QUESTION).order_by("-at", "-pk")[:QUESTIONS_OF_HOME],
        "may_note": actor.has_role(*ASKS),
        "has_statistics": actor.has_role(*READS_STATISTICS),
    }


def _day_shown(request: HttpRequest, room: Room, now: datetime) -> date:
    """The last gaming day that is over, unless another one of this room is asked for that is over, too."""
    last = room.gaming_day(now) - ONE_DAY
    asked = day_asked(request) if request.GET.get("room", "") == room.slug else None
    return asked if asked is not None and asked < last else last


def _part(
    actor: Actor,
    room: Room,
    day: date,
    now: datetime,
    reports: Sequence[Report],
    facts: DayFacts,
    marks: DayMarks,
) -> RoomPart:
    today = room.gaming_day(now)
    start, end = gaming_day_bounds(day, time_zone=room.zone, starts_at=room.day_starts_at)
    rows = [
        ReportRow(
            report,
            reverse("audit:report", args=[report.slug]) + _of(room, day),
            reverse("audit:report", args=[report.slug]) + _of(room, today),
            marks.reports.get(report.slug),
        )
        for report in reports
    ]
    return RoomPart(
        room=room,
        day=day,
        today=today,
        starts_at=start,
        ends_at=end,
        lights=day_lights(facts),
        reports=rows,
        marks=marks,
        thing=day_thing(room, day),
        facts=facts,
        is_signed_by_actor=any(each.by_id == actor.user_id for each in marks.sign_offs),
        press=uuid4(),
    )


@require_GET
@page
def seal(request: HttpRequest, actor: Actor, seal_number: int) -> HttpResponse:
    """One seal: what it covers, who signed it, and whether it holds, which is worked out now from what is stored."""
    check_web_access(actor, READS_ALL)
    found = _seal(seal_number)
    before = Seal.objects.filter(number=seal_number - 1).first()
    covered = SealLine.objects.filter(seal=found).select_related("book").order_by("book__name", "book_id")
    with transaction.atomic():
        verification = verify_part([], {seal_number})
    context = {
        "seal": found,
        "before": before,
        "has_next": Seal.objects.filter(number=seal_number + 1).exists(),
        "lines": list(covered[:LINES_SHOWN]),
        "new_transactions": found.transactions - (before.transactions if before else 0),
        "new_entries": found.entries - (before.entries if before else 0),
        "faults": verification.faults,
        "thing": seal_thing(found),
        "verified_at": timezone.now(),
    }
    return render(request, "audit/room/seal.html", context)


def _seal(number: int) -> Seal:
    found = Seal.objects.filter(number=number).first()
    if found is None:
        raise NotThere("no-such-seal", _("There is no such seal."))
    return found


@require_GET
@page
def chain(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Every seal against the one before it, some thousands at a time, from the newest or ``from`` on downwards."""
    check_web_access(actor, READS_ALL)
    below = number_asked(request, "from")
    rows = Seal.objects.order_by("-number")
    if below is not None:
        rows = rows.filter(number__lte=below)
    # One more than is said: the oldest is there for the one after it.
    seals = list(islice(rows.iterator(), SEALS_AT_A_TIME + 1))
    looked = seals[:SEALS_AT_A_TIME]
    context = {
        "first": looked[-1].number if looked else None,
        "last": looked[0].number if looked else None,
        "fault": chain_fault(seals),
        "left": seals[-1].number if len(seals) > SEALS_AT_A_TIME else None,
        "keys": list(dict.fromkeys(bytes(each.public_key).hex() for each in looked)),
    }
    return render(request, "audit/room/chain.html", context)


@require_GET
@page
def seal_as_file(request: HttpRequest, actor: Actor, seal_number: int) -> HttpResponse:
    """A seal as an auditor keeps it: content, digest and signature."""
    rooms_read_by(actor)
    return _saved(canonical(seal_file(_seal(seal_number))) + b"\n", f"seal-{seal_number}.json", "application/json")


@require_GET
@page
def verifier_file(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The verifier, one file that runs on any machine with Python."""
    rooms_read_by(actor)
    return _saved(Path(verifier.__file__).read_bytes(), VERIFIER, "text/x-python")


def _saved(content: bytes, name: str, content_type: str) -> HttpResponse:
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response
