"""What a report is asked for: filters as they stand in an address or a form, read with a word beside each that makes no sense."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.errors import Forbidden, Malformed
from casino.staff.actor import Actor
from casino.staff.models import User
from tables.asked import EARLIEST, LATEST
from tables.models import Patron, Room, Table
from tables.selectors.hands import rooms_read_by
from tables.selectors.reports.report import Report, Words
from tables.selectors.reports.spans import Span, days_span, hours_span

LONGEST_DAYS = 366
LONGEST_TEXT = 60


@dataclass(frozen=True, slots=True)
class Asked:
    """What a report is about: the room, the time, and whom or what alone. ``given`` are the filters as an address has them,
    without those that ask for what is meant anyway.

    ``now`` is the instant of making it, ``table_ids`` the tables it looks at. ``at_leisure``: a worker makes it, who may take
    minutes where a page may not.
    """

    actor: Actor
    now: datetime
    room: Room
    span: Span
    table_ids: Sequence[UUID]
    table: Table | None = None
    dealer: User | None = None
    patron: Patron | None = None
    given: Mapping[str, str] = field(default_factory=dict)
    words: Sequence[tuple[str, str]] = ()
    at_leisure: bool = False

    @property
    def is_part_of_a_day(self) -> bool:
        """Whether it is about some hours and not about whole gaming days."""
        return self.span != days_span(self.room, self.span.first, self.span.last)


@dataclass(slots=True)
class Field:
    """A filter on the page: its name in the address, what it holds, what is wrong with that, or that it has to be filled in."""

    name: str
    label: str
    kind: str
    value: str
    choices: Sequence[tuple[str, str]] = ()
    error: str = ""
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """The filters of a report as filled in, and what they ask for: nothing while one of them makes no sense or is missing."""

    fields: Sequence[Field]
    asked: Asked | None

    @property
    def has_errors(self) -> bool:
        """Whether something was filled in that makes no sense."""
        return any(field.error for field in self.fields)


@dataclass(frozen=True, slots=True)
class Filter:
    """How a filter is shown and read. ``read`` raises ``ValueError`` with a sentence for whoever filled it in."""

    label: Words
    kind: str
    read: Callable[[_Reading, str], None]


def ask(report: Report, actor: Actor, values: Mapping[str, str], now: datetime) -> Form:
    """What somebody asks a report for. Raises ``Forbidden``, and where there is no room yet ``Malformed``."""
    if not actor.has_role(*report.roles):
        raise Forbidden("not-allowed", _("Managers, compliance and auditors read reports."))
    rooms = list(rooms_read_by(actor))
    if not rooms:
        raise Malformed("no-room", _("There is no room yet. An admin adds one under Set-up."))
    reading = _Reading(report, actor, rooms, now)
    fields = []
    for name in ("room", *report.filters):
        each = FILTERS[name]
        value = values.get(name, "").replace("\x00", "").strip()[:LONGEST_TEXT]
        shown = Field(name, str(each.label), each.kind, value)
        try:
            each.read(reading, value)
        except ValueError as error:
            shown.error = str(error)
        shown.value = reading.filled.get(name, value) or reading.shown.get(name, "")
        if name in report.needs and not value:
            shown.missing = _("%(field)s is needed: this report is about one alone.") % {"field": each.label}
        if name == "room":
            shown.choices = [(room.slug, room.name) for room in rooms]
        fields.append(shown)
    is_answerable = not any(each.error or each.missing for each in fields)
    return Form(fields, reading.asked() if is_answerable else None)


def asked_of(form: Form) -> Asked:
    """What a form asks for. Raises ``Malformed`` with what is wrong with each field."""
    if form.asked is None:
        wrong = {each.name: each.error or each.missing for each in form.fields if each.error or each.missing}
        raise Malformed("out-of-range", " ".join(wrong.values()), fields=wrong)
    return form.asked


class _Reading:
    """The filters read so far, in the order of the form: the room first, since days and tables are the room's."""

    def __init__(self, report: Report, actor: Actor, rooms: Sequence[Room], now: datetime) -> None:
        self.report, self.actor, self.rooms, self.now = report, actor, rooms, now
        self.room = rooms[0]
        self.first = self.last = self.today
        self.begins = self.ends = self.room.day_starts_at
        self.table: Table | None = None
        self.dealer: User | None = None
        self.patron: Patron | None = None
        self.shown: dict[str, str] = {}
        self.filled: dict[str, str] = {}
        self.words: list[tuple[str, str]] = []

    @property
    def today(self) -> date:
        return self.room.gaming_day(self.now)

    def asked(self) -> Asked:
        tables = list(self.room.tables.order_by("number").values_list("pk", flat=True))
        return Asked(
            actor=self.actor,
            now=self.now,
            room=self.room,
            span=self.span(),
            table_ids=tables if self.table is None else [self.table.pk],
            table=self.table,
            dealer=self.dealer,
            patron=self.patron,
            given=self.shown,
            words=self.words,
        )

    def span(self) -> Span:
        return hours_span(self.room, self.first, self.last, self.begins, self.ends)


def _room(reading: _Reading, text: str) -> None:
    found = next((room for room in reading.rooms if room.slug == text), None) if text else reading.rooms[0]
    if found is None:
        raise ValueError(_("You read no room called that. Choose one."))
    reading.room = found
    reading.shown["room"] = found.slug
    reading.first = reading.last = reading.today
    reading.begins = reading.ends = found.day_starts_at


def _day(reading: _Reading, text: str) -> None:
    reading.first = reading.last = _date(text) if text else reading.today
    reading.shown["day"] = reading.first.isoformat()


def _through(reading: _Reading, text: str) -> None:
    found = _date(text) if text else reading.first
    if found < reading.first:
        raise ValueError(_("This day comes before the first one."))
    if (found - reading.first).days >= LONGEST_DAYS:
        raise ValueError(_("Ask for at most %(days)s gaming days at once.") % {"days": LONGEST_DAYS})
    reading.last = found
    if found != reading.first:
        reading.shown["through"] = found.isoformat()


def _date(text: str) -> date:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        raise ValueError(_("Write a day as 2026-11-30.")) from None
    if not EARLIEST <= found <= LATEST:
        raise ValueError(_("Choose a day between 2000 and 2999."))
    return found


def _begins(reading: _Reading, text: str) -> None:
    reading.begins = _time(text) if text else reading.room.day_starts_at
    if reading.begins != reading.room.day_starts_at:
        reading.shown["begins"] = f"{reading.begins:%H:%M}"


def _ends(reading: _Reading, text: str) -> None:
    reading.ends = _time(text) if text else reading.room.day_starts_at
    if reading.ends != reading.room.day_starts_at:
        reading.shown["ends"] = f"{reading.ends:%H:%M}"
    try:
        reading.span()
    except ValueError:
        start = f"{reading.room.day_starts_at:%H:%M}"
        raise ValueError(
            _("The end comes before the beginning: this room's gaming day goes from %(start)s to %(start)s.")
            % {"start": start}
        ) from None


def _time(text: str) -> time:
    try:
        found = time.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is not None:
        raise ValueError(_("Write a time of the room's clock as 14:00."))
    return found.replace(second=0, microsecond=0)


def _table(reading: _Reading, text: str) -> None:
    if not text:
        return
    number = text.upper().removeprefix("T")
    found = None
    if number.isascii() and number.isdecimal() and len(number) < 5:
        found = reading.room.tables.filter(number=int(number)).first()
    if found is None:
        raise ValueError(_("%(room)s has no table of this number.") % {"room": reading.room})
    reading.table = found
    reading.shown["table"] = str(found.number)
    reading.words.append((_("Table"), str(found)))


def _dealer(reading: _Reading, text: str) -> None:
    if not text:
        return
    works_here, dealt_here = Q(rooms__room=reading.room), Q(dealer_shifts__session__table__room=reading.room)
    found = User.objects.filter(works_here | dealt_here, badge_number=text).first()
    if found is None:
        raise ValueError(_("Nobody who works or dealt in %(room)s has this badge number.") % {"room": reading.room})
    reading.dealer = found
    reading.shown["dealer"] = found.badge_number
    reading.words.append((_("Dealer"), f"{found.name} ({found.badge_number})"))


def _patron(reading: _Reading, text: str) -> None:
    if not text:
        return
    found = reading.room.patrons.filter(**({"pk": text} if _is_id(text) else {"number": text})).first()
    if found is None:
        raise ValueError(_("%(room)s knows no patron with this card number.") % {"room": reading.room})
    reading.patron = found
    # What is kept of a report, with its printing or its file, is the id: a card number could not be erased there.
    reading.shown["patron"] = str(found.pk)
    reading.filled["patron"] = found.number or str(found.pk)
    reading.words.append((_("Patron"), f"{found} ({found.number})" if found.number else str(found)))


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


FILTERS: dict[str, Filter] = {
    "room": Filter(gettext_lazy("Room"), "choice", _room),
    "day": Filter(gettext_lazy("Gaming day"), "date", _day),
    "through": Filter(gettext_lazy("Through"), "date", _through),
    "begins": Filter(gettext_lazy("Begins at"), "time", _begins),
    "ends": Filter(gettext_lazy("Ends at"), "time", _ends),
    "table": Filter(gettext_lazy("Table number"), "text", _table),
    "dealer": Filter(gettext_lazy("Dealer's badge"), "text", _dealer),
    "patron": Filter(gettext_lazy("Patron's card number"), "text", _patron),
}
"""Every filter by its name in an address. In a report's list one comes after those it needs: ``through`` after ``day``."""
