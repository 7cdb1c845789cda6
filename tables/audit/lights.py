"""The lights of the auditor's room: is the ledger sealed, does the chain hold, was the day checked and settled again.

Each is a word, then a colour, then what to do and where to look. All that they read is a fixed number of rows by an index.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db import Error
from django.db.models import Case, Exists, F, Func, IntegerField, OuterRef, Q, Sum, Value, When
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.replica import REPORTS, has_replica, lag_seconds
from ledger.kinds import TransactionKind
from ledger.models import Seal, SealKind, Transaction
from ledger.seals import seal_file
from ledger.selectors import newest_seals
from ledger.verification_of_parts import verify_kept_seal
from ledger.verifier import Fault, Json, Status, check_seal, check_succession
from tables.models import DayEnd, Job, ReplayRun, Room
from tables.selectors.day_ends import checks_light, failed_checks, seal_label

SEALS_LOOKED_AT = 48
"""How many of the newest seals the light of the chain looks at: two days of hours."""
HOUR_AND_A_BIT = timedelta(minutes=70)
"""How old may be what no seal covers: the timetable seals every hour."""
LATE = timedelta(hours=3)
BEHIND = timedelta(minutes=1)
JOBS_OF = timedelta(days=7)

GREEN, AMBER, RED, GREY = "act", "warn", "stop", "muted"


@dataclass(frozen=True, slots=True)
class Light:
    """What it is about, the word, its colour, what is the case, what to do (empty while nothing is), and where to look."""

    name: str
    word: str
    tone: str
    says: str
    do: str = ""
    href: str = ""
    opens: str = ""


def ledger_lights(now: datetime) -> list[Light]:
    """The lights of the whole ledger, which is one for all rooms."""
    seals = list(newest_seals(SEALS_LOOKED_AT + 1))
    lights = [_hour(seals[0] if seals else None, now), _chain(seals), _witness(seals, now), _jobs(now)]
    return [*lights, _replica()] if has_replica() else lights


def _hour(newest: Seal | None, now: datetime) -> Light:
    name, href, opens = _("Seal of the hour"), reverse("audit:seals"), _("All seals")
    if newest is None:
        words = _("Nothing is sealed yet. One is made every hour and at the end of every gaming day.")
        do = _("After the first hour: see under Jobs that the timetable and a worker run.")
        return Light(name, _("none"), AMBER, words, do, href, opens)
    age = now - newest.made_at
    said = _("Seal %(number)s was made %(ago)s ago.") % {"number": newest.number, "ago": _ago(age)}
    if age < HOUR_AND_A_BIT:
        return Light(name, _("there"), GREEN, said, "", href, opens)
    moved = Transaction.objects.exclude(kind=TransactionKind.NOTE).filter(
        recorded_at__gt=newest.made_at, recorded_at__lt=now - HOUR_AND_A_BIT
    )
    if not moved.exists():
        return Light(
            name, _("there"), GREEN, f"{said} {_('No money has moved since that had to be sealed.')}", "", href, opens
        )
    do = _("See under Jobs that the timetable and a worker run; until then `manage.py ledger_seal` makes one.")
    return Light(name, _("late"), RED if age > LATE else AMBER, said, do, href, opens)


def _chain(seals: Sequence[Seal]) -> Light:
    name, href, opens = _("Chain of seals"), reverse("audit:chain"), _("Verify all of it")
    if not seals:
        return Light(name, _("none"), GREY, _("There is no seal to verify yet."))
    looked = seals[:SEALS_LOOKED_AT]
    fault = chain_fault(seals)
    if fault is not None:
        do = _("Keep what you hold of the seals, run `manage.py ledger_verify`, and tell whoever runs the server.")
        return Light(name, _("broken"), RED, fault, do, href, opens)
    first, last = looked[-1].number, looked[0].number
    words = _("Seals %(first)s to %(last)s were checked now: digest, signature, and that each follows the one before.")
    return Light(name, _("holds"), GREEN, words % {"first": first, "last": last}, "", href, opens)


def chain_fault(seals: Sequence[Seal]) -> str | None:
    """What is wrong with some seals in a row, the newest first, in words; the oldest stands for what came before it."""
    files: list[Json] = [seal_file(seal) for seal in reversed(seals)]
    before = None
    try:
        for place, file in enumerate(files):
            check_seal(file)
            if place or file["content"]["number"] == 1:
                check_succession(file, before)
            before = file
    except Fault as fault:
        return str(fault)
    return None


def _witness(seals: Sequence[Seal], now: datetime) -> Light:
    """The seal that is kept beside the keys, outside the database."""
    name = _("Seal kept outside")
    try:
        kept, fault = verify_kept_seal(now)
    except OSError:
        words = _("This server may not read the folder of the keys, so that it cannot look.")
        return Light(name, _("not seen"), GREY, words, _("Hold a seal that you took home against the list."))
    if fault is not None and fault.status == Status.UNREADABLE:
        do = _(
            "Let this server read the file, or bring it back from the back-up; until then hold your own seal against the list."
        )
        return Light(name, _("unreadable"), AMBER, str(fault), do)
    if fault is not None:
        do = _("Stop, and run `manage.py ledger_verify` with a seal that was taken home.")
        return Light(name, _("differs"), RED, str(fault), do)
    if kept is None:
        words = _("None is kept where this server could see it.")
        return Light(name, _("not seen"), GREY, words, _("Take the newest seal home, as a file or as its digest."))
    number = kept["content"]["number"]
    if seals and number < seals[0].number - 1:
        words = _("The one that is kept is seal %(kept)s, and the newest is %(newest)s.")
        do = _("See that the worker that seals can write to the folder of the keys.")
        return Light(name, _("behind"), AMBER, words % {"kept": number, "newest": seals[0].number}, do)
    words = _("Seal %(number)s is kept outside the database, and is the one in it.")
    return Light(name, _("there"), GREEN, words % {"number": number})


def _jobs(now: datetime) -> Light:
    name, href, opens = _("Jobs"), reverse("audit:jobs"), _("All jobs")
    failed = Job.objects.filter(state=Job.State.FAILED, asked_at__gt=now - JOBS_OF).count()
    if failed:
        words = ngettext(
            "%(number)s job failed in the last 7 days.", "%(number)s jobs failed in the last 7 days.", failed
        )
        do = _("Each says why. Ask for it again once the cause is gone.")
        return Light(name, _("failed"), AMBER, words % {"number": failed}, do, href, opens)
    return Light(name, _("done"), GREEN, _("None has failed in the last 7 days."), "", href, opens)


def _replica() -> Light:
    """How far the copy that reports are read from is behind."""
    name = _("Copy for reports")
    try:
        behind = timedelta(seconds=lag_seconds(REPORTS))
    except Error:
        words = _("The database that reports are read from does not answer.")
        return Light(name, _("away"), RED, words, _("Tell whoever runs the servers. Reports wait for it."))
    if behind > BEHIND:
        words = _("It is %(ago)s behind: reports lack what happened since, and say so.") % {"ago": _ago(behind)}
        return Light(name, _("behind"), AMBER, words, _("Wait, or tell whoever runs the servers."))
    return Light(name, _("in step"), GREEN, _("What happened a minute ago is in it."))


def _ago(age: timedelta) -> str:
    minutes = int(age.total_seconds()) // 60
    if minutes < 100:
        return _("%(minutes)s min") % {"minutes": minutes}
    return (
        _("%(hours)s h") % {"hours": minutes // 60}
        if minutes < 100 * 60
        else _("%(days)s d") % {"days": minutes // 1440}
    )


@dataclass(frozen=True, slots=True)
class DayFacts:
    """What is known of the end of a gaming day: its end, its seal's number, and the newest replay with how many hands differ."""

    end: DayEnd | None = None
    seal: int | None = None
    replay: ReplayRun | None = None
    differing: int = 0


def day_facts(days: Sequence[tuple[Room, date]]) -> Mapping[tuple[UUID, date], DayFacts]:
    """The facts of some gaming days. Three queries."""
    of_days = Q(pk__in=[])
    for room, day in days:
        of_days |= Q(room=room, gaming_date=day)
    ends = {(end.room_id, end.gaming_date): end for end in DayEnd.objects.filter(of_days).select_related("job", "seal")}
    labels = {seal_label(room, day): (room.pk, day) for room, day in days}
    sealed = Seal.objects.filter(label__in=labels, kind=SealKind.GAMING_DAY).values_list("label", "number")
    seals = {place: end.seal.number for place, end in ends.items() if end.seal}
    seals |= {labels[label]: number for label, number in sealed}
    later = ReplayRun.objects.filter(
        room=OuterRef("room"),
        gaming_date=OuterRef("gaming_date"),
        hand=None,
        rules="",
        asked_at__gt=OuterRef("asked_at"),
    )
    runs = ReplayRun.objects.filter(of_days, ~Exists(later), hand=None, rules="").annotate(differing=differing_hands())
    replays = {(run.room_id, run.gaming_date): run for run in runs}
    return {
        (room.pk, day): DayFacts(
            ends.get((room.pk, day)),
            seals.get((room.pk, day)),
            replays.get((room.pk, day)),
            getattr(replays.get((room.pk, day)), "differing", 0),
        )
        for room, day in days
    }


def differing_hands() -> Coalesce:
    """How many hands of a run came out otherwise than stored."""
    length = Func(F("run_parts__differences"), function="jsonb_array_length", output_field=IntegerField())
    return Coalesce(Sum(Case(When(run_parts__done_at__isnull=False, then=length), default=Value(0))), 0)


def day_lights(facts: DayFacts) -> list[Light]:
    """The lights of a room's gaming day that is over."""
    return [_sealed(facts), _checked(facts), _replayed(facts)]


def _sealed(facts: DayFacts) -> Light:
    name = _("Day sealed")
    if facts.seal is None:
        words = _("No seal closes this gaming day. It is made within minutes after the day has ended.")
        do = _("If it ended longer ago: see under Jobs what became of its end, and that the timetable runs.")
        return Light(name, _("not yet"), AMBER, words, do, reverse("audit:jobs"), _("All jobs"))
    href = reverse("audit:seal", args=[facts.seal])
    words = _("Seal %(number)s closes it.") % {"number": facts.seal}
    return Light(name, _("sealed"), GREEN, words, "", href, _("Look at the seal"))


def _checked(facts: DayFacts) -> Light:
    name = _("Checks")
    if facts.end is None or facts.end.checks is None:
        words = _("The checks of the ledger have not been run at the end of this day.")
        do = _("On the server `manage.py ledger_check` runs them now.")
        return Light(name, _("not yet"), AMBER, words, do, reverse("audit:jobs"), _("All jobs"))
    failed = failed_checks(facts.end)
    if failed:
        words = _("%(light)s. First: %(first)s") % {
            "light": checks_light(facts.end).words,
            "first": failed[0]["first"][0],
        }
        return Light(name, _("failed"), RED, words, _("Read what each found; then look at the rows that they name."))
    return Light(name, _("hold"), GREEN, _("%(light)s.") % {"light": checks_light(facts.end).words.capitalize()})


def _replayed(facts: DayFacts) -> Light:
    name, run = _("Settled again"), facts.replay
    if run is None:
        words = _("The hands of this day have not been settled again.")
        return Light(
            name, _("not yet"), AMBER, words, _("Ask for it below: a worker compares every hand with what is stored.")
        )
    href, opens = reverse("audit:replay", args=[run.pk]), _("Look at the replay")
    if run.finished_at is None:
        return Light(name, _("being done"), GREY, _("A worker is at it."), "", href, opens)
    if facts.differing:
        words = ngettext(
            "%(number)s hand differs from what is stored.",
            "%(number)s hands differ from what is stored.",
            facts.differing,
        )
        do = _("Open the replay: it says line by line what differs, with each hand.")
        return Light(name, _("differs"), RED, words % {"number": f"{facts.differing:,}"}, do, href, opens)
    words = ngettext("%(number)s hand came out as stored.", "All %(number)s hands came out as stored.", run.hands)
    return Light(name, _("same"), GREEN, words % {"number": f"{run.hands:,}"}, "", href, opens)
