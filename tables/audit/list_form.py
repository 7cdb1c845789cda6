"""The fields over a list of something that happened in rooms: which room, which gaming days, which table, which patron."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from tables.asked import EARLIEST, LATEST
from tables.models import Patron, Room
from tables.selectors.hand_search import MOST_PATRONS, patrons_meant
from tables.selectors.people import LONGEST_QUERY

LONGEST_SPAN = 366
"""How many gaming days at once."""


def choice(label: str, unasked: str, choices: Mapping[str, Any]) -> forms.ChoiceField:
    """One of these, or none."""
    return forms.ChoiceField(required=False, label=label, choices=[("", unasked), *choices.items()])


def number(label: str, most: int) -> forms.IntegerField:
    """A number from 1, typed on the keys of a telephone."""
    field = forms.IntegerField(required=False, label=label, min_value=1, max_value=most)
    field.widget = forms.TextInput({"inputmode": "numeric", "autocomplete": "off"})
    return field


def day(label: str) -> forms.DateField:
    """A gaming day."""
    widget = forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(required=False, label=label, input_formats=["%Y-%m-%d"], widget=widget)


class ListForm(forms.Form):
    """What is right in the address counts, also beside something that is wrong, which is said beside its field."""

    def __init__(self, asked: QueryDict, rooms: Sequence[Room]) -> None:
        super().__init__(asked, auto_id="list-%s", use_required_attribute=False)
        self.asked, self._rooms = asked, rooms
        self.patrons: list[Patron] | None = None
        self.fields |= {
            "room": choice(_("Room"), _("All rooms"), {room.slug: room.name for room in rooms}),
            "day": day(_("Gaming day")),
            "through": day(_("Through")),
            "table": number(_("Table"), 9_999),
            "patron": forms.CharField(
                required=False,
                label=_("Patron"),
                max_length=LONGEST_QUERY,
                widget=forms.TextInput({"placeholder": _("name or card")}),
            ),
        }
        if not self.has_rooms:
            del self.fields["room"]

    @property
    def has_rooms(self) -> bool:
        """Whether there is more than one room to choose from."""
        return len(self._rooms) > 1

    @property
    def rooms(self) -> list[Room]:
        """The rooms that are meant."""
        return [room for room in self._rooms if self.said("room") in (None, room.slug)]

    @property
    def days(self) -> tuple[date, date] | None:
        """The first and the last gaming day that are meant, if any are."""
        first = self.said("day")
        return first and (first, self.said("through") or first)

    def said(self, name: str) -> Any:
        """What a field says; ``None`` where it says nothing, or something wrong."""
        value = self.cleaned_data.get(name)
        return None if value == "" else value

    def clean(self) -> dict[str, Any]:
        """People and days, each with what is wrong with it beside its field."""
        self._find_patrons()
        self._check_days()
        return self.cleaned_data

    def longest_span(self) -> int:
        """How many gaming days may be asked for at once."""
        return LONGEST_SPAN

    def span_words(self) -> str:
        """What is said where they are more."""
        return _("At most %(days)s gaming days at once.") % {"days": LONGEST_SPAN}

    def _check_days(self) -> None:
        for name in ("day", "through"):
            on = self.said(name)
            if on is not None and not EARLIEST <= on <= LATEST:
                self.add_error(name, _("Nothing was recorded on that day."))
        first, last = self.said("day"), self.said("through")
        if last is None:
            return
        if first is None:
            self.add_error("through", _("Say the first gaming day, too."))
        elif last < first:
            self.add_error("through", _("This is before the first gaming day."))
        elif last - first >= timedelta(days=self.longest_span()):
            self.add_error("through", self.span_words())

    def _find_patrons(self) -> None:
        if text := self.said("patron"):
            found = list(patrons_meant(self.rooms, text)[: MOST_PATRONS + 1])
            if len(found) > MOST_PATRONS:
                words = _("More than %(most)s people: type more of the name.") % {"most": MOST_PATRONS}
                self.add_error("patron", words)
            else:
                self.patrons = found
