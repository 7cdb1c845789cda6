"""The filters of the lists: declared fields, each read by its kind."""

from __future__ import annotations

from datetime import date
from typing import Any

import django_filters
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.errors import Malformed
from tables.models import (
    CollectionSchedule,
    Command,
    Dispute,
    Hand,
    Incident,
    Jackpot,
    Restriction,
    Sitting,
    Table,
    TableException,
    TableSession,
)
from tables.models.rooms import Game
from tables.selectors import api_reads

MAX_NUMBER = 2**31 - 1


class OpenOr(django_filters.ChoiceFilter):
    """``open``, for what has no value or row under a name yet, or the word for what has."""

    def __init__(self, name: str, over: str, label: str | Promise) -> None:
        super().__init__(choices=[("open", _("Open")), (over, label)], field_name=f"{name}__isnull")

    def filter(self, qs: QuerySet[Any], value: str) -> QuerySet[Any]:
        """The rows of a state; all of them where none is asked for."""
        return qs.filter(**{str(self.field_name): value == "open"}) if value else qs


class Filters(django_filters.FilterSet):
    """Filters of a list; what cannot be read is refused by name."""

    def is_valid(self) -> bool:
        """Whether everything can be read. Raises ``Malformed`` where not."""
        if not super().is_valid():
            fields = {name: str(found[0]) for name, found in self.form.errors.items()}
            first = next(iter(fields))
            raise Malformed("malformed", f"{first}: {fields[first]}", fields=fields)
        return True


class TableFilters(Filters):
    """Filters of tables."""

    room = django_filters.UUIDFilter(field_name="room_id")
    game = django_filters.ChoiceFilter(choices=Game.choices)

    class Meta:
        model = Table
        fields = ()


class SessionFilters(Filters):
    """Filters of table sessions."""

    room = django_filters.UUIDFilter(field_name="table__room_id")
    table = django_filters.UUIDFilter(field_name="table_id")
    state = OpenOr("closed_at", "closed", _("Closed"))

    class Meta:
        model = TableSession
        fields = ()


class SittingFilters(Filters):
    """Filters of sittings."""

    table = django_filters.UUIDFilter(field_name="session__table_id")
    session = django_filters.UUIDFilter(field_name="session_id")
    patron = django_filters.UUIDFilter(field_name="patron_id")

    class Meta:
        model = Sitting
        fields = ()


class HandFilters(Filters):
    """Filters of hands."""

    room = django_filters.UUIDFilter(field_name="session__table__room_id")
    table = django_filters.UUIDFilter(field_name="session__table_id")
    session = django_filters.UUIDFilter(field_name="session_id")
    status = django_filters.ChoiceFilter(choices=Hand.Status.choices)
    number = django_filters.NumberFilter(min_value=1, max_value=MAX_NUMBER, decimal_places=0)
    gaming_day = django_filters.DateFilter(
        method="of_gaming_day",
        validators=[MinValueValidator(date(1900, 1, 1)), MaxValueValidator(date(2999, 12, 31))],
    )

    class Meta:
        model = Hand
        fields = ()

    def of_gaming_day(self, found: QuerySet[Hand], name: str, day: date) -> QuerySet[Hand]:
        """Those of one gaming day, by the clock of their room."""
        return api_reads.of_gaming_day(found, day)


class CommandFilters(Filters):
    """Filters of commands."""

    room = django_filters.UUIDFilter(field_name="table__room_id")
    table = django_filters.UUIDFilter(field_name="table_id")
    verb = django_filters.CharFilter(max_length=40)
    badge = django_filters.CharFilter(field_name="actor__badge_number", max_length=12)

    class Meta:
        model = Command
        fields = ()


class _AtATable(Filters):
    """Filters of what happens in a session, about a hand or not."""

    room = django_filters.UUIDFilter(field_name="session__table__room_id")
    table = django_filters.UUIDFilter(field_name="session__table_id")
    session = django_filters.UUIDFilter(field_name="session_id")
    hand = django_filters.UUIDFilter(field_name="hand_id")


class IncidentFilters(_AtATable):
    """Filters of incidents."""

    kind = django_filters.ChoiceFilter(choices=Incident.Kind.choices)

    class Meta:
        model = Incident
        fields = ()


class DisputeFilters(_AtATable):
    """Filters of disputes."""

    state = OpenOr("ruling", "ruled", _("Ruled"))

    class Meta:
        model = Dispute
        fields = ()


class ExceptionFilters(_AtATable):
    """Filters of exceptions."""

    state = OpenOr("decision", "decided", _("Decided"))

    class Meta:
        model = TableException
        fields = ()


class RestrictionFilters(Filters):
    """Filters of restrictions."""

    room = django_filters.UUIDFilter(field_name="patron__room_id")
    patron = django_filters.UUIDFilter(field_name="patron_id")
    kind = django_filters.ChoiceFilter(choices=Restriction.Kind.choices)

    class Meta:
        model = Restriction
        fields = ()


class ScheduleFilters(Filters):
    """Filters of collection schedules."""

    room = django_filters.UUIDFilter(field_name="room_id")
    game = django_filters.ChoiceFilter(choices=Game.choices)

    class Meta:
        model = CollectionSchedule
        fields = ()


class JackpotFilters(ScheduleFilters):
    """Filters of jackpots."""

    class Meta:
        model = Jackpot
        fields = ()
