"""What was changed in the set-up, in words: who, when, from what to what, why and from where.

The floors above tell how values are worded that this one does not know (``word_values``), and in which time zone the house
reads the clock (``house_time``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q, Value
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.set_up_history import Happened, SetUpChange
from casino.staff.models import Device, User, Way

Changes = models.QuerySet[Any, tuple[datetime, str, int]]
"""Keys of changes: when, the label of the model, and the event's own key."""

Names = Callable[[Collection[Any]], Mapping[Any, str]]

OUTSIDE = "outside"
"""The filter for changes that no person of the program made."""

_names: dict[str, Names] = {}
_zone: list[Callable[[], tzinfo]] = []


def word_values(field: str, names: Names) -> None:
    """Have values of ``app.model.field`` worded by ``names``, which is asked for many at once."""
    _names[field] = names


def house_time(zone: Callable[[], tzinfo]) -> None:
    """Have instants told in this zone where no room says another."""
    _zone[:] = [zone]


def house_zone() -> tzinfo:
    """The zone that instants are told in where no room says another."""
    return _zone[0]() if _zone else UTC


def events_of(model: type[models.Model]) -> type[SetUpChange]:
    """The event model of a model of set-up."""
    (found,) = (events for events in event_models() if events.pgh_tracked_model is model)
    return found


def event_models() -> list[type[SetUpChange]]:
    """All event models, by the name of what they are about."""
    found = [model for model in apps.get_models() if issubclass(model, SetUpChange)]
    return sorted(found, key=lambda model: str(model.pgh_tracked_model._meta.verbose_name))


def label_of(events: type[SetUpChange]) -> str:
    """How the model that the events are about is called in addresses: ``tables.room``."""
    return events.pgh_tracked_model._meta.label_lower


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field in words, before and after; either is empty where there was nothing."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One change in words. ``label`` and ``object_id`` say what it was about, ``url`` where more is about that."""

    at: datetime
    label: str
    object_id: Any
    kind: str
    what: str
    happened: str
    fields: tuple[FieldChange, ...]
    who: str
    why: str
    where: str
    command: str
    is_change: bool
    is_gone: bool
    url: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which changes are looked for. ``who`` is the id of a person, or ``OUTSIDE``; days are those of ``house_zone``."""

    what: str = ""
    who: str = ""
    first: date | None = None
    last: date | None = None


def changes(asked: Asked) -> Changes:
    """The keys of what was changed, the newest first: to be counted and cut, then given to ``events_by_key``."""
    found = _keys((events, _is_asked(asked)) for events in event_models() if asked.what in ("", label_of(events)))
    return found.order_by("-pgh_created_at", "about", "-pgh_id")


def changes_between(start: datetime, end: datetime, about: Mapping[type[models.Model], Q]) -> Changes:
    """The keys of what was changed of these models from ``start`` to before ``end``, the oldest first.

    ``about`` says which rows of each model's history count.
    """
    in_time = Q(pgh_created_at__gte=start, pgh_created_at__lt=end)
    found = _keys((events_of(model), in_time & condition) for model, condition in about.items())
    return found.order_by("pgh_created_at", "about", "pgh_id")


def _keys(wanted: Iterable[tuple[type[SetUpChange], Q]]) -> Changes:
    first, *others = (
        events._default_manager.exclude(pgh_label=Happened.WAS_THERE)
        .filter(condition)
        .annotate(about=Value(label_of(events)))
        .values_list("pgh_created_at", "about", "pgh_id")
        for events, condition in wanted
    )
    return first.union(*others, all=True)


def _is_asked(asked: Asked) -> Q:
    is_asked = Q()
    zone = house_zone()
    if asked.first is not None:
        is_asked &= Q(pgh_created_at__gte=datetime.combine(asked.first, time(), zone))
    if asked.last is not None:
        is_asked &= Q(pgh_created_at__lt=datetime.combine(asked.last + timedelta(days=1), time(), zone))
    if asked.who == OUTSIDE:
        is_asked &= Q(pgh_context__actor__isnull=True)
    elif asked.who:
        is_asked &= Q(pgh_context__actor=asked.who)
    return is_asked


def history_of(thing: models.Model, also: Sequence[tuple[type[models.Model], str]] = ()) -> list[SetUpChange]:
    """The events of one row, the newest first, with those of the models ``also`` whose field named there points at it."""
    events = list(events_of(type(thing))._default_manager.filter(pgh_obj_id=thing.pk))  # type: ignore[misc]
    for model, field in also:
        events += events_of(model)._default_manager.filter(**{field: thing.pk})
    return sorted(events, key=lambda event: (event.pgh_created_at, event.pgh_id), reverse=True)


def events_by_key(keys: Iterable[tuple[datetime, str, int]]) -> list[SetUpChange]:
    """The events of these keys of ``changes``, in their order."""
    wanted: dict[str, list[int]] = defaultdict(list)
    in_order = [(label, pk) for _at, label, pk in keys]
    for label, pk in in_order:
        wanted[label].append(pk)
    found = {
        (label_of(events), pk): event
        for events in event_models()
        if (pks := wanted.get(label_of(events)))
        for pk, event in events._default_manager.in_bulk(pks).items()
    }
    return [found[key] for key in in_order]


def in_words(events: Sequence[SetUpChange], zone: tzinfo) -> list[ChangeLine]:
    """Each event in words, with instants in ``zone``: a query for each kind of thing that is named, however many events."""
    before = _before(events)
    people, devices = _people(events), _devices(events)
    wording = _Wording([*events, *before.values()], zone)
    return [
        ChangeLine(
            at=event.pgh_created_at.astimezone(zone),
            label=label_of(type(event)),
            object_id=event.pgh_obj_id,
            kind=capfirst(str(event.pgh_tracked_model._meta.verbose_name)),
            what=wording.name_of(event),
            happened=str(Happened(event.pgh_label).label),
            fields=tuple(wording.changed(before.get(event), event)),
            who=_who(event, people),
            why=_fact(event, "reason"),
            where=_where(event, devices),
            command=_fact(event, "command"),
            is_change=event.pgh_label == Happened.CHANGED,
            is_gone=event.pgh_label == Happened.REMOVED,
        )
        for event in events
    ]


def _before(events: Sequence[SetUpChange]) -> dict[SetUpChange, SetUpChange]:
    """The event before each, of the same row."""
    by_model: dict[type[SetUpChange], list[SetUpChange]] = defaultdict(list)
    for event in events:
        by_model[type(event)].append(event)
    before = {}
    for model, some in by_model.items():
        rows: dict[Any, SetUpChange] = {}
        about = {event.pgh_obj_id for event in some}
        for event in model._default_manager.filter(pgh_obj_id__in=about).order_by("pgh_id"):  # type: ignore[misc]
            if event.pgh_obj_id in rows:
                before[event] = rows[event.pgh_obj_id]
            rows[event.pgh_obj_id] = event
    return before


def _fact(event: SetUpChange, name: str) -> str:
    return (event.pgh_context or {}).get(name, "")


def _people(events: Sequence[SetUpChange]) -> dict[UUID, User]:
    return User.objects.in_bulk({UUID(actor) for event in events if (actor := _fact(event, "actor"))})


def _devices(events: Sequence[SetUpChange]) -> dict[UUID, Device]:
    return Device.objects.in_bulk({UUID(device) for event in events if (device := _fact(event, "device"))})


def is_outside(event: SetUpChange) -> bool:
    """Whether another role of the database than the program's made the change: somebody with ``psql``, or a migration."""
    return event.pgh_role != settings.DATABASE_APP_ROLE


def _who(event: SetUpChange, people: Mapping[UUID, User]) -> str:
    if actor := _fact(event, "actor"):
        return str(people.get(UUID(actor), actor))
    if is_outside(event):
        return _("Outside the program")
    way = _fact(event, "way")
    if way == Way.SERVER:
        return _("Whoever runs the server")
    return _("Nobody signed in") if way else _("The program itself")


def _where(event: SetUpChange, devices: Mapping[UUID, Device]) -> str:
    parts = []
    if is_outside(event):
        parts.append(_("database, as %(role)s") % {"role": event.pgh_role})
    if _fact(event, "way") == Way.SERVER:
        parts.append(_("command line of the server"))
    if device := _fact(event, "device"):
        parts.append(str(devices.get(UUID(device), device)))
    if address := _fact(event, "address"):
        parts.append(address)
    return ", ".join(parts)


class _Wording:
    """Values of events in words; what they point at is read once."""

    def __init__(self, events: Sequence[SetUpChange], zone: tzinfo) -> None:
        self._zone = zone
        self._rows: dict[type[models.Model], dict[Any, models.Model]] = {}
        self._worded: dict[str, Mapping[Any, str]] = {}
        ids: dict[type[models.Model], set[Any]] = defaultdict(set)
        values: dict[str, set[Any]] = defaultdict(set)
        for event in events:
            for field in _tracked(type(event)):
                value = getattr(event, field.attname)
                if value is None:
                    continue
                if isinstance(field, models.ForeignKey):
                    ids[field.related_model].add(value)
                elif (name := f"{label_of(type(event))}.{field.name}") in _names:
                    values[name].add(value)
        for model, some in ids.items():
            self._rows[model] = model._base_manager.in_bulk(some)
        for name, some in values.items():
            self._worded[name] = _names[name](some)

    def name_of(self, event: SetUpChange) -> str:
        """What the event is about, as it was called then."""
        values = {}
        for field in _tracked(type(event)):
            value = getattr(event, field.attname)
            if isinstance(field, models.ForeignKey):
                value = self._rows.get(field.related_model, {}).get(value)
            values[field.name] = value
        return str(event.pgh_tracked_model(**values))

    def changed(self, before: SetUpChange | None, event: SetUpChange) -> Iterable[FieldChange]:
        """The fields that differ, or all that hold something where the row came or went."""
        if event.pgh_label in (Happened.NEW_PASSWORD, Happened.NEW_PIN):
            return
        came, went = event.pgh_label == Happened.ADDED, event.pgh_label == Happened.REMOVED
        for field in _tracked(type(event)):
            old = None if came else getattr(event if went else before, field.attname, None)
            new = None if went else getattr(event, field.attname)
            if old != new:
                words = self._word(event, field, old), self._word(event, field, new)
                if words != ("", ""):
                    yield FieldChange(capfirst(str(field.verbose_name)), *words)

    def _word(self, event: SetUpChange, field: models.Field[Any, Any], value: Any) -> str:
        if value is None or value == "":
            return ""
        if isinstance(field, ArrayField):
            choices = dict(field.base_field.flatchoices)
            return ", ".join(str(choices.get(each, each)) for each in value)
        if isinstance(field, models.ForeignKey):
            return str(self._rows[field.related_model].get(value, value))
        worded = self._worded.get(f"{label_of(type(event))}.{field.name}", {})
        if value in worded:
            return worded[value]
        if field.flatchoices:
            return str(dict(field.flatchoices).get(value, value))
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        if isinstance(value, datetime):
            return f"{value.astimezone(self._zone):%Y-%m-%d %H:%M:%S}"
        return f"{value:%H:%M}" if isinstance(value, time) else str(value)


def _tracked(events: type[SetUpChange]) -> list[models.Field[Any, Any]]:
    return [field for field in events._meta.concrete_fields if not field.name.startswith("pgh_")]
