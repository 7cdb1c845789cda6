"""The admin's home and its side bar: what a cardroom manager sets up, what still waits, and history to be looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from casino.staff.middleware import actor_of
from tables.models.rooms import Game
from tables.selectors.access_reviews import access_review_due
from tables.selectors.set_up import RoomSetUp, rooms_set_up

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Item:
    """A page of the admin: how it is called, where it is, and what it is for."""

    name: Words
    view: str
    about: Words = ""

    @property
    def link(self) -> str:
        """Its address."""
        return reverse(self.view)


@dataclass(frozen=True, slots=True)
class Section:
    """Pages that belong together, with a sign of the icon font."""

    title: Words
    icon: str
    items: Sequence[Item]


def _list(model: str) -> str:
    return f"admin:{model}_changelist"


SECTIONS = (
    Section(
        _lazy("The room"),
        "storefront",
        (
            Item(_lazy("Rooms"), _list("tables_room"), _lazy("Name, time zone, when the gaming day starts, limits.")),
            Item(_lazy("Tables"), _list("tables_table"), _lazy("Numbers and games; each has the seats of its game.")),
            Item(_lazy("Who works where"), _list("tables_roomstaff"), _lazy("Nobody acts in a room without it.")),
            Item(_lazy("Patrons"), _list("tables_patron"), _lazy("Players with a card, and those only described.")),
            Item(_lazy("Number series"), _list("tables_numberseries"), _lazy("How the room's papers are numbered.")),
        ),
    ),
    Section(
        _lazy("Rules and posted sheets"),
        "menu_book",
        (
            Item(_lazy("Rule sets"), _list("tables_rulesetversion"), _lazy("Every version; a change is the next one.")),
            Item(_lazy("House ways"), "admin:tables_rulesetversion_charts", _lazy("Charts, tried out on hands.")),
            Item(_lazy("Posted sheets"), _list("tables_postedsheet"), _lazy("The rules in words, by number.")),
        ),
    ),
    Section(
        _lazy("Money taken"),
        "payments",
        (
            Item(
                _lazy("Collection schedules"),
                _list("tables_collectionschedule"),
                _lazy("What tables take for a hand, by version and bracket."),
            ),
            Item(_lazy("Rates"), _list("tables_collectionrate"), _lazy("The brackets of all schedules, one by one.")),
            Item(_lazy("Jackpots"), _list("tables_jackpot"), _lazy("Pools, what feeds them, and what qualifies.")),
        ),
    ),
    Section(
        _lazy("People and devices"),
        "badge",
        (
            Item(_lazy("Staff"), _list("staff_user"), _lazy("Badges, roles, passwords and PINs.")),
            Item(
                _lazy("Access reviews"),
                _list("staff_accessreview"),
                _lazy("Who may what, looked through each quarter."),
            ),
            Item(_lazy("Devices"), _list("staff_device"), _lazy("Tablets; they are enrolled on the floor's pages.")),
            Item(_lazy("API tokens"), _list("staff_apitoken"), _lazy("For other programs, to be revoked here.")),
            Item(_lazy("Log of sign-ins"), _list("staff_signinevent"), _lazy("Every success, failure and refusal.")),
        ),
    ),
)
JOBS = Section(
    _lazy("The program's jobs"),
    "schedule",
    (
        Item(
            _lazy("Jobs"), _list("django_celery_beat_periodictask"), _lazy("What runs by itself, and whether it did.")
        ),
        Item(_lazy("Times of day"), _list("django_celery_beat_crontabschedule"), _lazy("When jobs run.")),
        Item(_lazy("Intervals"), _list("django_celery_beat_intervalschedule"), _lazy("How often jobs run.")),
    ),
)
CHANGES = Item(_lazy("Changes to the set-up"), "set-up-changes")


@cache
def history() -> Section:
    """Everything else that is registered: history, by its name."""
    named = {item.view for section in (*SECTIONS, JOBS) for item in section.items}
    items = [
        Item(capfirst(each.opts.verbose_name_plural or ""), _list(f"{each.opts.app_label}_{each.opts.model_name}"))
        for each in admin.site._registry.values()
        if _list(f"{each.opts.app_label}_{each.opts.model_name}") not in named
    ]
    items.sort(key=lambda item: str(item.name))
    return Section(_lazy("History, to look at"), "history", (CHANGES, *items))


def sections() -> Sequence[Section]:
    """All sections in their order."""
    return (*SECTIONS, history(), JOBS)


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The side bar as unfold takes it: the way back, and the sections; the long ones folded."""
    back = [{"title": _("Set-up"), "icon": "home", "link": reverse("admin:index")}]
    actor = actor_of(request)
    if actor is not None and actor.on_the_floor:
        back.append({"title": _("Back to the floor"), "icon": "arrow_back", "link": reverse("floor:tables")})
    if actor is not None and actor.reads_all:
        back.append({"title": _("Audit"), "icon": "fact_check", "link": reverse("audit:home")})
    links = {item.view: item.link for section in sections() for item in section.items}
    here = max((link for link in links.values() if request.path.startswith(link)), key=len, default="")
    shown = [
        {
            "title": section.title,
            "icon": section.icon,
            "separator": True,
            "collapsible": section.title in (history().title, JOBS.title),
            "items": [
                {"title": item.name, "link": links[item.view], "active": links[item.view] == here}
                for item in section.items
            ],
        }
        for section in sections()
    ]
    return [{"items": back}, *shown]


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something that still waits to be set up, and where that is done. ``must`` says that nobody can play without it."""

    words: str
    link: str
    must: bool = False


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """What the home shows: what still waits, what must be there first, and the sections."""
    rooms = rooms_set_up()
    waiting = [waits for found in rooms for waits in _waiting_in(found)]
    if not rooms:
        words = _("There is no room yet. Everything else belongs to one.")
        waiting.append(Waiting(words, reverse("admin:tables_room_changelist"), True))
    if (quarter := access_review_due(timezone.now())) is not None:
        words = _("Nobody has finished the review of who may what for %(quarter)s.") % {"quarter": quarter}
        waiting.append(Waiting(words, reverse("admin:staff_accessreview_changelist")))
    return context | {
        "title": _("Set-up"),
        "sections": sections(),
        "history_title": history().title,
        "waiting": sorted(waiting, key=lambda each: not each.must),
    }


def _waiting_in(found: RoomSetUp) -> list[Waiting]:
    room = {"room": found.room.name}
    waiting = []
    if not found.tables:
        waiting.append(Waiting(_("%(room)s has no tables.") % room, reverse("admin:tables_table_changelist"), True))
    if not found.has_floor:
        words = _("Nobody of floor works in %(room)s, so nobody can open a table there.")
        waiting.append(Waiting(words % room, reverse("admin:tables_roomstaff_changelist"), True))
    if found.without_tablet and found.tables:
        words = _("Without a tablet in %(room)s: %(tables)s. Tablets are enrolled on the floor's pages.")
        tables = ", ".join(str(table) for table in found.without_tablet)
        waiting.append(Waiting(words % (room | {"tables": tables}), reverse("floor:staff")))
    for game in found.without_sheet:
        words = _(
            "%(room)s has no rules of %(game)s in force. They are posted here, or when a table first opens with them."
        )
        waiting.append(
            Waiting(words % (room | {"game": Game(game).label}), reverse("admin:tables_postedsheet_changelist"))
        )
    for game in found.without_schedule:
        words = _("%(room)s has no collection schedule for %(game)s: tables take what is typed when they open.")
        link = reverse("admin:tables_collectionschedule_changelist")
        waiting.append(Waiting(words % (room | {"game": Game(game).label}), link))
    return waiting
