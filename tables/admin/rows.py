"""Forms of commands with several rows of the same fields, such as the brackets of a schedule. Rows left blank are none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _

from tables.admin.by_command import CommandForm


class RowsForm(CommandForm):
    """A form with rows: the fields ``rates/0/payer``, ``rates/0/from`` and so on, called as the command's refusals call them.

    A subclass names ``rows_name`` (``rates``), ``most_rows``, and ``columns``, which makes the fields of one row at each call.
    """

    rows_name: ClassVar[str]
    most_rows: ClassVar[int]
    columns: Callable[[], dict[str, forms.Field]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for row in range(self.most_rows):
            for name, field in self.columns().items():
                field.required = False
                field.widget.attrs["aria-label"] = _("Row %(row)s: %(field)s") % {"row": row + 1, "field": field.label}
                self.fields[self._called(row, name)] = field

    def _called(self, row: int, name: str) -> str:
        return f"{self.rows_name}/{row}/{name}"

    @property
    def rows(self) -> list[list[BoundField]]:
        """The fields of all rows, for the template."""
        return [[self[self._called(row, name)] for name in self.columns()] for row in range(self.most_rows)]

    @property
    def row_labels(self) -> list[Any]:
        """What stands above the columns."""
        return [field.label for field in self.columns().values()]

    @property
    def single_fields(self) -> list[BoundField]:
        """What is no row."""
        return [field for field in self.visible_fields() if not field.name.startswith(f"{self.rows_name}/")]

    def used_rows(self) -> dict[int, dict[str, Any]]:
        """What was typed in the rows that are not blank, by the numbers of the rows; a field with a mistake is left out."""
        rows: dict[int, dict[str, Any]] = {}
        for row in range(self.most_rows):
            if any(str(self[self._called(row, name)].value() or "").strip() for name in self.columns()):
                cleaned = {name: self.cleaned_data.get(self._called(row, name)) for name in self.columns()}
                rows[row] = {name: value for name, value in cleaned.items() if value not in (None, "")}
        return rows

    def field_at(self, place: str) -> str | None:
        """The field that a refusal means: the command counts the rows that are not blank, the page all of them."""
        head, _slash, rest = place.partition("/")
        number, _slash, name = rest.partition("/")
        used = list(self.used_rows())
        if head == self.rows_name and number.isdecimal() and int(number) < len(used):
            place = self._called(used[int(number)], name)
        return super().field_at(place)
