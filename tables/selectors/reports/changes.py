"""Changes of what the house plays by: rules, charts, collections, jackpots, sheets, and its rooms, tables, staff and devices.

What a version of the rules, a schedule or a jackpot has otherwise is worked out from the versions, which never change; what
happened to a room or to somebody's roles is read from the history that the database writes. Patrons have pages of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.staff.change_log import changes_between, events_by_key, in_words
from casino.staff.models import ApiToken, Device, User
from tables.house_words import all_qualifying_in_words, bracket_in_words
from tables.models import (
    CollectionSchedule,
    Command,
    Jackpot,
    NumberSeries,
    PostedSheet,
    Room,
    RoomStaff,
    RuleSetVersion,
    Table,
    TableSession,
)
from tables.rule_words import difference_sides
from tables.rules.rulesets import Difference, RuleSet, differences
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.report import Cell, Column, Kind, Link, Report, Row, Section, Sections
from tables.selectors.reports.sessions import sessions_of, table_cell
from tables.selectors.rules import nearest_shipped, set_up_rows
from tables.selectors.schedules import Rate, collection_terms, terms_of

HOUSE_WAY = "house_way"
"""The parameter that holds a chart."""

EVENTS_AT_ONCE = 500

_BY = (
    Column("by", gettext_lazy("By")),
    Column("approver", gettext_lazy("Second person")),
    Column("where", gettext_lazy("From where")),
    Column("why", gettext_lazy("Why")),
)
_BEFORE_AND_AFTER = (Column("before", gettext_lazy("Before")), Column("after", gettext_lazy("After")))
_RULES = (
    Column("at", gettext_lazy("Added"), Kind.INSTANT),
    Column("rules", gettext_lazy("Rules")),
    Column("compared", gettext_lazy("Beside")),
    Column("what", gettext_lazy("What")),
    *_BEFORE_AND_AFTER,
    *_BY,
)
_SCHEDULES = (
    Column("at", gettext_lazy("Added"), Kind.INSTANT),
    Column("schedule", gettext_lazy("Schedule")),
    Column("game", gettext_lazy("Game")),
    Column("what", gettext_lazy("What")),
    Column("before", gettext_lazy("Before"), Kind.CENTS),
    Column("after", gettext_lazy("After"), Kind.CENTS),
    *_BY,
)
_FEES = (
    Column("schedule", gettext_lazy("Schedule")),
    Column("rate", gettext_lazy("Taken for")),
    Column("cents", gettext_lazy("Rate"), Kind.CENTS),
    Column("start", gettext_lazy("Effective from"), Kind.INSTANT),
    Column("end", gettext_lazy("Effective to"), Kind.INSTANT),
    Column("approved", gettext_lazy("Added by")),
    Column("approver", gettext_lazy("Second person")),
    Column("tables", gettext_lazy("Tables")),
)
_JACKPOTS = (
    Column("at", gettext_lazy("When"), Kind.INSTANT),
    Column("jackpot", gettext_lazy("Jackpot")),
    Column("game", gettext_lazy("Game")),
    Column("what", gettext_lazy("What happened")),
    Column("fee", gettext_lazy("Fee"), Kind.CENTS),
    Column("qualifying", gettext_lazy("Qualifying hands")),
    *_BY,
)
_SHEETS = (
    Column("at", gettext_lazy("Posted"), Kind.INSTANT),
    Column("sheet", gettext_lazy("Sheet")),
    Column("rules", gettext_lazy("Rules")),
    *_BY,
)
_SET_UP = (
    Column("at", gettext_lazy("When"), Kind.INSTANT),
    Column("kind", gettext_lazy("Kind")),
    Column("thing", gettext_lazy("Which")),
    Column("happened", gettext_lazy("What happened")),
    Column("what", gettext_lazy("What")),
    *_BEFORE_AND_AFTER,
    Column("by", gettext_lazy("By")),
    Column("where", gettext_lazy("From where")),
    Column("why", gettext_lazy("Why")),
)


def _changes(asked: Asked) -> Sections:
    versions = _versions_of(asked)
    yield Section(
        "rules",
        gettext_lazy("Rules"),
        _RULES,
        [row for version in versions for row in _rules_rows(version)],
        gettext_lazy("No rules were changed. New versions would be here, with each parameter before and after."),
        gettext_lazy(
            "Rules are the house's and not one room's. Those that come with the program are here when first played."
        ),
    )
    yield Section(
        "charts",
        gettext_lazy("House ways"),
        _RULES,
        [row for version in versions for row in version.rows(lambda each: each.parameter == HOUSE_WAY)],
        gettext_lazy("No house way was changed. Charts that came with new rules would be here, row by row."),
    )
    yield from _collections(asked)
    yield _jackpots(asked)
    yield _sheets(asked)
    yield Section(
        "set-up",
        gettext_lazy("Rooms, staff and devices"),
        _SET_UP,
        _set_up_rows(asked),
        gettext_lazy("Nothing was changed in the set-up. Each change would be here, by whom, from where and why."),
        gettext_lazy(
            "Of this room, and of staff, devices and API tokens, which are the house's. Patrons are not here."
        ),
    )


def _in_span(asked: Asked, at: str) -> Q:
    return Q(**{f"{at}__gte": asked.span.start, f"{at}__lt": asked.span.end})


def _with_people(commands: QuerySet[Command]) -> QuerySet[Command]:
    return commands.select_related("actor", "approver", "device")


def _by(command: Command, why: str) -> Row:
    """The cells of who did it, with whom, from where, and why."""
    approver = str(command.approver) if command.approver else None
    return (str(command.actor), approver, str(command.device) if command.device else _("the web"), why or None)


@dataclass(frozen=True, slots=True)
class _Version:
    """A version of rules that was added or first played in the span, beside the one before it, and who added it."""

    at: datetime
    rules: RuleSet
    base: RuleSet | None
    differences: Sequence[Difference]
    by: Row

    def row(self, what: str, before: str | None = None, after: str | None = None) -> Row:
        name = Cell(self.rules.name, Link("rules", self.rules.name))
        compared = Cell(self.base.name, Link("rules", self.base.name)) if self.base is not None else None
        return (self.at, name, compared, what, before, after, *self.by)

    def rows(self, takes: Callable[[Difference], bool]) -> Iterator[Row]:
        """A row for each difference that is taken."""
        for difference in self.differences:
            if takes(difference):
                yield self.row(*difference_sides(difference))


def _versions_of(asked: Asked) -> list[_Version]:
    found = [(row.rule_set, row.stored, base) for row, base, _changes in set_up_rows() if row.stored is not None]
    keys = [stored.command_id for _rules, stored, _base in found if stored.command_id]
    commands = _with_people(Command.objects.filter(_in_span(asked, "recorded_at"), pk__in=keys)).in_bulk()
    versions = []
    for rules, stored, base in found:
        command = commands.get(stored.command_id) if stored.command_id else None
        at = command.recorded_at if command else stored.created_at
        is_shipped = stored.command_id is None and asked.span.start <= at < asked.span.end
        if command or is_shipped:
            versions.append(_version(at, rules, stored, base or _shipped_beside(rules), command))
    return sorted(versions, key=lambda version: (version.at, version.rules.name))


def _version(
    at: datetime, rules: RuleSet, stored: RuleSetVersion, base: RuleSet | None, command: Command | None
) -> _Version:
    by = _by(command, stored.reason) if command else (_("Comes with the program"), None, None, None)
    return _Version(at, rules, base, differences(rules, base) if base is not None else (), by)


def _shipped_beside(rules: RuleSet) -> RuleSet | None:
    """What a first version is seen beside; nothing where it is a shipped one itself."""
    nearest = nearest_shipped(rules)
    return nearest if nearest.name != rules.name else None


def _rules_rows(version: _Version) -> Iterator[Row]:
    """Its differences but for the chart; a version without any is there all the same."""
    if not version.differences:
        yield version.row(_("The same as the rules beside") if version.base else _("First played"))
    yield from version.rows(lambda each: each.parameter != HOUSE_WAY)


@dataclass(frozen=True, slots=True)
class _Schedule:
    """A version of a room's collections, the one before it, and when the next one came."""

    stored: CollectionSchedule
    before: CollectionSchedule | None
    start: datetime
    end: datetime | None

    @classmethod
    def all_of(cls, asked: Asked) -> list[_Schedule]:
        stored = CollectionSchedule.objects.filter(room=asked.room).prefetch_related("rates")
        by_slug: dict[str, list[CollectionSchedule]] = defaultdict(list)
        with_people = stored.select_related("command__actor", "command__approver", "command__device")
        for schedule in with_people.order_by("slug", "version"):
            by_slug[schedule.slug].append(schedule)
        return [
            cls(
                each,
                versions[place - 1] if place else None,
                each.command.recorded_at,
                versions[place + 1].command.recorded_at if place + 1 < len(versions) else None,
            )
            for versions in by_slug.values()
            for place, each in enumerate(versions)
        ]


def _collections(asked: Asked) -> Sections:
    schedules = _Schedule.all_of(asked)
    added = [each for each in schedules if asked.span.start <= each.start < asked.span.end]
    yield Section(
        "schedules",
        gettext_lazy("Collections"),
        _SCHEDULES,
        [row for schedule in sorted(added, key=attrgetter("start")) for row in _schedule_rows(schedule)],
        gettext_lazy(
            "No collection was changed. New versions of schedules would be here, with each rate before and after."
        ),
    )
    yield Section(
        "fees",
        gettext_lazy("Collections in effect"),
        _FEES,
        list(_fee_rows(asked, schedules)),
        gettext_lazy("No collection was in effect. Each rate would be here, with since when and at which tables."),
        gettext_lazy(
            "A version is in effect until the next one of its name. A table keeps the one that it was opened with until "
            "it closes: tables are those that were open with it in this time."
        ),
    )


def _schedule_rows(schedule: _Schedule) -> Iterator[Row]:
    """Every bracket that differs from the version before; all of a first one."""
    stored = schedule.stored
    was, now = _amounts(schedule.before), _amounts(stored)
    facts = (schedule.start, str(stored), str(stored.get_game_display()))
    by = _by(stored.command, stored.reason)
    changed = [bracket for bracket in {**was, **now} if was.get(bracket) != now.get(bracket)]
    for bracket in changed:
        yield (*facts, bracket, was.get(bracket), now.get(bracket), *by)
    if not changed:
        yield (*facts, _("Nothing but the name"), None, None, *by)


def _amounts(stored: CollectionSchedule | None) -> dict[str, int]:
    """What is taken for each bracket, in words and cents."""
    rates: Sequence[Rate] = terms_of(stored.rates.all()).rates if stored else ()
    return {bracket_in_words(rate): rate.amount_cents for rate in rates}


def _fee_rows(asked: Asked, schedules: Sequence[_Schedule]) -> Iterator[Row]:
    span = asked.span
    played: dict[UUID, dict[str, None]] = defaultdict(dict)
    flat: list[TableSession] = []
    for session in sessions_of(asked):
        if session.schedule_id is None:
            flat.append(session)
        else:
            played[session.schedule_id][str(session.table)] = None
    for each in schedules:
        tables = ", ".join(played.get(each.stored.pk, ())) or None
        if tables or (each.start < span.end and (each.end is None or each.end > span.start)):
            command = each.stored.command
            approver = str(command.approver) if command.approver else None
            for rate in terms_of(each.stored.rates.all()).rates:
                of = (str(each.stored), bracket_in_words(rate), rate.amount_cents)
                yield (*of, each.start, each.end, str(command.actor), approver, tables)
    for session in flat:
        for rate in collection_terms(session).rates:
            of = (_("flat, at this table alone"), bracket_in_words(rate), rate.amount_cents)
            yield (*of, session.opened_at, session.closed_at, None, None, table_cell(session))


def _jackpots(asked: Asked) -> Section:
    pools = Jackpot.objects.filter(_in_span(asked, "opened_at") | _in_span(asked, "closed_at"), room=asked.room)
    people = [f"{by}__{who}" for by in ("opened_by", "closed_by") for who in ("actor", "approver", "device")]
    rows: list[tuple[datetime, Row]] = []
    for pool in pools.select_related(*people).order_by("opened_at", "pk"):
        for at, words, by in (
            (pool.opened_at, _("Opened"), pool.opened_by),
            (pool.closed_at, _("Closed"), pool.closed_by),
        ):
            if at is not None and by is not None and asked.span.start <= at < asked.span.end:
                terms = (pool.fee_cents, all_qualifying_in_words(pool.qualifying))
                facts = (at, Cell(pool.title, Link("account", pool.account_id)), str(pool.get_game_display()), words)
                rows.append((at, (*facts, *terms, *_by(by, by.request.get("reason", "")))))
    return Section(
        "jackpots",
        gettext_lazy("Jackpots"),
        _JACKPOTS,
        [row for _at, row in sorted(rows, key=lambda each: each[0])],
        gettext_lazy("No jackpot was opened or closed. Either would be here, with its terms."),
        gettext_lazy("The terms of a jackpot never change: it is closed, and another one is opened."),
    )


def _sheets(asked: Asked) -> Section:
    sheets = (
        PostedSheet.objects.filter(_in_span(asked, "posted_at"), room=asked.room)
        .select_related("rules", "command__actor", "command__approver", "command__device", "command__table")
        .order_by("ordinal")
    )
    return Section(
        "sheets",
        gettext_lazy("Posted sheets"),
        _SHEETS,
        [
            (
                sheet.posted_at,
                Cell(sheet.number, Link("sheet", sheet.number)),
                Cell(str(sheet.rules), Link("rules", str(sheet.rules))),
                *_by(sheet.command, sheet.why),
            )
            for sheet in sheets
        ],
        gettext_lazy("No sheet was posted. Each would be here, with its rules and why it was posted."),
    )


def _set_up_rows(asked: Asked) -> Iterator[Row]:
    room, zone = asked.room.pk, asked.room.zone
    places = Q(place__isnull=True) | Q(place__in=[room, *asked.table_ids])
    about = {
        Room: Q(pgh_obj=room),
        RoomStaff: Q(room=room),
        Table: Q(room=room),
        NumberSeries: Q(room=room),
        Device: places,
        ApiToken: Q(),
        User: Q(),
    }
    keys = list(changes_between(asked.span.start, asked.span.end, about))
    for first in range(0, len(keys), EVENTS_AT_ONCE):
        for line in in_words(events_by_key(keys[first : first + EVENTS_AT_ONCE]), zone):
            facts = (line.at, line.kind, line.what, line.happened)
            by = (line.who, line.where or None, line.why or None)
            for each in line.fields:
                yield (*facts, each.label, each.before or None, each.after or None, *by)
            if not line.fields:
                yield (*facts, None, None, None, *by)


CHANGES = Report(
    "changes",
    gettext_lazy("Changes of rules and set-up"),
    gettext_lazy(
        "What was changed in rules, house ways, collections, jackpots, rooms, tables, staff and devices: before and after, by "
        "whom, from where and why."
    ),
    ("day", "through", "begins", "ends"),
    _changes,
)
