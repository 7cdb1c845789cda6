"""Form fields for the parameters of rule sets, one kind for each domain that a parameter can have.

A field turns what was typed into the value that a rule set would hold and judges nothing: what is no number stays the text
that it is, so that the check of the rules says what is wrong with it and the field shows it again as it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from django import forms
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tables.chart_words import chart_text, read_chart_text
from tables.rule_words import choice_in_words, entry_in_words, none_in_words, parameter_in_words
from tables.rules import InvalidRecord
from tables.rules.parameters import Domain, Flag, NamedOrWhole, OneOf, Parameter, PointsList, PointsTable, Whole
from tables.selectors.charts import OwnChart

_D = TypeVar("_D", bound=Domain)

_NUMBER = re.compile(r"\s*-?[0-9]{1,18}\s*", re.ASCII)
_IN_VERSION = "in:"
_WRITTEN = "written"


class ParameterField(forms.Field):
    """A parameter of a rule set."""

    def __init__(self, parameter: Parameter, own_charts: Sequence[OwnChart]) -> None:
        self.parameter = parameter
        domain = parameter.domain
        widget: ParameterWidget[Any]
        if isinstance(domain, NamedOrWhole):
            widget = HouseWayWidget(parameter, domain, own_charts)
        else:
            widget = _WIDGETS[type(domain)](parameter, domain)
        super().__init__(required=False, label=parameter_in_words(parameter.name), widget=widget)

    def clean(self, value: Any) -> Any:
        """The value as it is, unless it is no value at all."""
        if isinstance(value, UnreadableText):
            raise ValidationError(value.why)
        return value


class UnreadableText(str):
    """What was typed as a chart and is no JSON. ``why`` says what is wrong with it."""

    __slots__ = ("why",)
    why: str


def number(text: str) -> int | str:
    """A whole number, or the text as it was typed."""
    return int(text) if _NUMBER.fullmatch(text) else text


class ParameterWidget(forms.Widget, Generic[_D]):
    """What all of them have: the parameter, its domain, and a template of the project's own."""

    template_name: str

    def __init__(self, parameter: Parameter, domain: _D) -> None:
        super().__init__()
        self.parameter = parameter
        self.domain = domain

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """What Django has, and the parameter with the word for none."""
        context = super().get_context(name, value, attrs)
        own = {
            "label": parameter_in_words(self.parameter.name),
            "domain": self.domain,
            "none": none_in_words(self.parameter.name) if self.parameter.nullable else "",
            "is_none": value is None,
        }
        return context | own | self.own_context(value)

    def own_context(self, value: Any) -> dict[str, Any]:
        """What the template of this kind needs besides."""
        return {}

    def format_value(self, value: Any) -> Any:
        """The value itself; the templates write it."""
        return value

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        """Never: a switch that is off sends nothing."""
        return False

    def _render(self, template_name: str, context: dict[str, Any], renderer: Any = None) -> SafeString:
        return render_to_string(template_name, context)


class NumberWidget(ParameterWidget[Whole]):
    """A number with its range, and a box for none."""

    template_name = "admin/rules/field_number.html"

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        if self.parameter.nullable and f"{name}-none" in data:
            return None
        return number(data.get(name, ""))


class SwitchWidget(ParameterWidget[Flag]):
    """On or off."""

    template_name = "admin/rules/field_switch.html"

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        sent = data.get(name)
        return True if sent == "on" else False if sent is None else sent


class ChoiceWidget(ParameterWidget[OneOf]):
    """One of several texts, in words."""

    template_name = "admin/rules/field_choice.html"

    def own_context(self, value: Any) -> dict[str, Any]:
        name = self.parameter.name
        choices = [(choice, choice_in_words(name, choice)) for choice in self.domain.choices]
        return {"choices": choices, "is_foreign": value is not None and value not in self.domain.choices}

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        sent = data.get(name, "")
        return None if self.parameter.nullable and sent == "" else sent


class PointsTableWidget(ParameterWidget[PointsTable]):
    """Points by part and entry; a cell that is left empty holds none."""

    template_name = "admin/rules/field_points_table.html"

    def own_context(self, value: Any) -> dict[str, Any]:
        parts = self.domain.entries
        entries = list(dict.fromkeys(entry for entries in parts.values() for entry in entries))
        held: Mapping[str, Mapping[str, Any]] = value or {}
        rows = [
            (
                entry_in_words(entry),
                [
                    (part, entry, entry_in_words(part), entry in allowed, held.get(part, {}).get(entry, ""))
                    for part, allowed in parts.items()
                ],
            )
            for entry in entries
        ]
        return {"parts": [entry_in_words(part) for part in parts], "rows": rows}

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        found: dict[str, dict[str, int | str]] = {}
        for part, entries in self.domain.entries.items():
            for entry in entries:
                typed = data.get(f"{name}-{part}-{entry}", "")
                if typed.strip():
                    found.setdefault(part, {})[entry] = number(typed)
        return found or None


class PointsListWidget(ParameterWidget[PointsList]):
    """Kinds with points, the highest first: as many lines as there are kinds, the empty ones left out."""

    template_name = "admin/rules/field_points_list.html"

    def own_context(self, value: Any) -> dict[str, Any]:
        held = list(value or [])
        blank = {"kind": "", "points": ""}
        lines = [*held, *[blank] * (len(self.domain.kinds) - len(held))]
        return {"lines": lines, "kinds": [(kind, entry_in_words(kind)) for kind in self.domain.kinds]}

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        lines = [
            {"kind": data.get(f"{name}-{line}-kind", ""), "points": number(data.get(f"{name}-{line}-points", ""))}
            for line in range(len(self.domain.kinds))
        ]
        return [line for line in lines if line["kind"] or line["points"] != ""]


class HouseWayWidget(ParameterWidget[NamedOrWhole]):
    """A chart that comes with Backline, one that a version of the house's own rules holds, or one written out."""

    template_name = "admin/rules/field_house_way.html"

    def __init__(self, parameter: Parameter, domain: NamedOrWhole, own_charts: Sequence[OwnChart]) -> None:
        super().__init__(parameter, domain)
        self._own_charts = own_charts

    def own_context(self, value: Any) -> dict[str, Any]:
        holders = [(f"{_IN_VERSION}{own.held_by[0]}", own) for own in self._own_charts]
        written = ""
        chosen = value
        if isinstance(value, dict):
            chosen = next((key for key, own in holders if own.data == value), _WRITTEN)
            written = chart_text(value) if chosen == _WRITTEN else ""
        elif isinstance(value, UnreadableText):
            chosen, written = _WRITTEN, value
        is_written = chosen == _WRITTEN
        is_known = is_written or chosen in self.domain.names or chosen in dict(holders)
        return {
            "holders": holders,
            "chosen": chosen,
            "written": written,
            "is_written": is_written,
            "is_known": is_known,
        }

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        sent = data.get(name, "")
        if sent == _WRITTEN:
            return read_written(data.get(f"{name}-written", ""))
        held = next((own for own in self._own_charts if sent == f"{_IN_VERSION}{own.held_by[0]}"), None)
        return held.data if held else sent


def read_written(text: str) -> Any:
    """A chart as JSON; what is no JSON object as the text that it is, with the reason."""
    try:
        data = read_chart_text(text)
    except InvalidRecord as invalid:
        why = invalid.faults[0].message
    else:
        if isinstance(data, dict):
            return data
        why = _("A chart is an object: it begins with { and ends with }.")
    unreadable = UnreadableText(text)
    unreadable.why = why
    return unreadable


_WIDGETS: Mapping[type[Any], type[ParameterWidget[Any]]] = {
    Whole: NumberWidget,
    Flag: SwitchWidget,
    OneOf: ChoiceWidget,
    PointsTable: PointsTableWidget,
    PointsList: PointsListWidget,
}
