"""The archive: the gaming days that have ended, each with what was sealed, checked, settled again and printed."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from casino.staff.actor import READS_ALL, Actor
from casino.staff.pages import page
from tables.access import check_web_access
from tables.audit.list_form import ListForm
from tables.audit.reports.screen import screen_of
from tables.listing import Column, Listing
from tables.models import DayEnd
from tables.selectors.day_ends import (
    SUMMARY,
    Light,
    checks_light,
    day_end_read_by,
    day_ends_found,
    files_light,
    may_be_archived,
    papers_of,
    replay_light,
    sealed_light,
)
from tables.selectors.hands import rooms_read_by
from tables.selectors.reports import REPORTS, report_made
from tables.selectors.reports.day_end import asked_for_day


@dataclass(frozen=True, slots=True)
class DayRow:
    """An ended day as the list shows it."""

    day_end: DayEnd
    sealed: Light
    checks: Light
    replay: Light
    files: Light

    @classmethod
    def of(cls, day_end: DayEnd, files: int) -> DayRow:
        """Its lights; ``files`` is how many its archive has."""
        return cls(
            day_end, sealed_light(day_end), checks_light(day_end), replay_light(day_end), files_light(day_end, files)
        )

    @property
    def lights(self) -> list[tuple[str, Light]]:
        """Each with its name."""
        return [
            (_("Sealed"), self.sealed),
            (_("Checks"), self.checks),
            (_("Settled again"), self.replay),
            (_("Archive"), self.files),
        ]


def _day_list(asked: QueryDict, rows: QuerySet[DayEnd]) -> Listing[DayEnd]:
    columns = (
        Column("day", _("Gaming day"), F("gaming_date"), largest_first=True),
        Column("room", _("Room"), F("room__name")),
        Column("sealed", _("Sealed")),
        Column("checks", _("Checks")),
        Column("replay", _("Settled again")),
        Column("files", _("Archive")),
        Column("hands", _("Hands"), is_number=True),
        Column("kept", _("Kept"), is_number=True),
    )
    return Listing(asked, rows, columns, instant="gaming_date", unasked="-day")


@require_GET
@page
def days(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Every gaming day that has ended, the newest first, with a light for each step."""
    check_web_access(actor, READS_ALL)
    form = ListForm(request.GET, list(rooms_read_by(actor)))
    for name in ("table", "patron"):
        del form.fields[name]
    form.is_valid()
    found = day_ends_found(form.rooms)
    if form.days:
        found = found.filter(gaming_date__range=form.days)
    listing = _day_list(request.GET, found)
    rows = [DayRow.of(day_end, day_end.files) for day_end in listing.rows]  # type: ignore[attr-defined]  # annotated
    return render(request, "audit/days/list.html", {"form": form, "list": listing, "rows": rows})


@require_GET
@page
def day(request: HttpRequest, actor: Actor, room_slug: str, day: str) -> HttpResponse:
    """One ended day: its lights, its files with their digests, and the summary as it is now."""
    found = day_end_read_by(actor, room_slug, day)
    readable = {slug for slug, each in REPORTS.items() if actor.has_role(*each.roles)}
    report = REPORTS[SUMMARY]
    asked = asked_for_day(report, found.room, found.gaming_date, timezone.now(), actor)
    with report_made(report, asked) as data:
        screen = screen_of(data)
    context = {
        "row": DayRow.of(found, found.files),  # type: ignore[attr-defined]  # annotated
        "day_end": found,
        "papers": [paper for paper in papers_of(found) if paper.report in readable],
        "report": report,
        "screen": screen,
        "query": urlencode(asked.given),
        "others": [each for each in REPORTS.values() if each.slug in readable and may_be_archived(each)],
    }
    return render(request, "audit/days/day.html", context)
