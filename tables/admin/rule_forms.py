"""The form of a new version of a rule set, or of a new rule set: a field for every parameter that the game declares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from casino.errors import Refusal
from tables.admin.by_command import CommandForm
from tables.admin.rule_fields import ParameterField
from tables.rule_words import allowed_in_words, entry_in_words, value_in_words
from tables.rules.parameters import Parameter
from tables.rules.rulesets import RuleSet, parameters_of
from tables.selectors.charts import OwnChart
from tables.services.rules import MAX_REASON

_PARAMETERS = "parameters/"


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A parameter on the form: its field, what it may be given, and the values to be seen beside it, in words."""

    parameter: Parameter
    field: BoundField
    allowed: str
    before: Sequence[str]
    default: Sequence[str]
    is_changed: bool


class RuleSetForm(CommandForm):
    """Every parameter, and why. ``base`` is what it begins with; ``default`` is the shipped rule set to be seen beside it.

    ``slug`` is asked for where the form makes a new rule set, ``is_copy``; else the form makes the version after the base.
    """

    reason = forms.CharField(
        label=_lazy("Why"),
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2, "maxlength": MAX_REASON}),
        help_text=_lazy("As auditors will read it."),
    )

    def __init__(
        self, *args: Any, base: RuleSet, default: RuleSet, is_copy: bool, charts: Sequence[OwnChart], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.base, self.default, self.is_copy = base, default, is_copy
        if is_copy:
            self.fields["slug"] = forms.CharField(
                label=_lazy("Short name of the new rule set"),
                required=False,
                widget=UnfoldAdminTextInputWidget(attrs={"maxlength": 60, "autocomplete": "off"}),
                help_text=_lazy("Small letters, digits and hyphens, such as our-mandarin. It never changes."),
            )
        for parameter in parameters_of(base.game):
            self.fields[parameter.name] = ParameterField(parameter, charts)
            self.initial.setdefault(parameter.name, base.parameters[parameter.name])

    def values(self) -> dict[str, Any]:
        """The rule set that was typed, whole, and the reason; what could not be read at all is left as it is in the base."""
        typed = {**self.base.parameters, "slug": self.base.slug, "reason": "", **self.cleaned_data}
        data = self.base.to_data() | {
            "slug": typed["slug"] if self.is_copy else self.base.slug,
            "version": 1 if self.is_copy else self.base.version + 1,
            "parameters": {parameter.name: typed[parameter.name] for parameter in parameters_of(self.base.game)},
        }
        return {"rules": data, "reason": typed["reason"]}

    def rows(self) -> Iterator[FieldRow]:
        """The parameters in the order in which the game declares them."""
        for parameter in parameters_of(self.base.game):
            name = parameter.name
            before = self.base.parameters[name]
            yield FieldRow(
                parameter,
                self[name],
                allowed_in_words(parameter),
                value_in_words(name, before),
                value_in_words(name, self.default.parameters[name]),
                self[name].value() != before,
            )

    def refuse(self, refusal: Refusal) -> None:
        """Show what is wrong beside its field, with the place inside it where the field has more than one."""
        if not refusal.fields:
            super().refuse(refusal)
        for place, message in refusal.fields.items():
            inside = place.removeprefix(_PARAMETERS)
            name, _slash, entry = inside.partition("/")
            where = ", ".join(_part(part) for part in entry.split("/")) if entry else ""
            self.add_error(name if name in self.fields else None, f"{where}: {message}" if where else message)


def _part(part: str) -> str:
    """A step of a path in words; the lines of a list are counted from 1, as they are seen."""
    return _("line %(number)d") % {"number": int(part) + 1} if part.isdecimal() else entry_in_words(part)
