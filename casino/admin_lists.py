"""The one base of all lists in the admin: filtered, searched, paged, in a steady order, and saved as CSV as they are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import label_for_field, lookup_field
from django.core.exceptions import PermissionDenied
from django.db.models import BinaryField, Field, Model
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from unfold.admin import ModelAdmin
from unfold.views import ChangeList

from casino.csv_files import Cell, csv_response, dollars_cell, instant_cell

ROWS_AT_ONCE = 500


class Rows(ChangeList):
    """The rows of a list. Unfiltered, they are all there are, so nobody need count those again to say so."""

    def get_results(self, request: HttpRequest) -> None:
        """The rows of the page that is shown."""
        super().get_results(request)
        if not self.query and not self.has_active_filters:
            self.full_result_count = self.result_count


class ListAdmin(ModelAdmin):
    """Base of every ``ModelAdmin`` here. Its list has ``csv/`` beside it, which takes the same filters, search and order.

    Django ends every order with the primary key where it is not a total one, so that no row is on two pages or on none.
    """

    comes_from: str | Promise = ""
    """Said where the list is empty: how something gets into it."""
    list_per_page = 50
    show_full_result_count = False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:
        return Rows

    def get_urls(self) -> list[URLPattern]:
        """The pages of a model, and its list as CSV."""
        name = f"{self.opts.app_label}_{self.opts.model_name}_csv"
        return [path("csv/", self.admin_site.admin_view(self.csv), name=name), *super().get_urls()]

    def csv(self, request: HttpRequest) -> HttpResponseBase:
        """All rows of the list that was asked for, the columns that it shows, amounts in dollars."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            rows = self.get_changelist_instance(request).queryset
        except IncorrectLookupParameters:
            # The list itself says what was wrong with the address.
            return redirect(f"{reverse(f'admin:{self.opts.app_label}_{self.opts.model_name}_changelist')}?e=1")
        columns = [str(label_for_field(name, self.model, self)).capitalize() for name in self.list_display]
        return csv_response(str(self.opts.verbose_name_plural).replace(" ", "-"), columns, self._csv_rows(rows))

    def _csv_rows(self, rows: Any) -> Iterator[Sequence[Cell]]:
        for row in rows.iterator(chunk_size=ROWS_AT_ONCE):
            yield [self._cell(name, row) for name in self.list_display]

    def _cell(self, name: Any, row: Model) -> Cell:
        field, _attribute, value = lookup_field(name, row, self)
        if isinstance(field, Field) and field.flatchoices:
            value = dict(field.flatchoices).get(value, value)
        elif isinstance(field, Field) and field.is_relation:
            value = getattr(row, field.name)
        return _as_cell(str(name), field, value)


def _as_cell(name: str, field: Any, value: Any) -> Cell:
    if value is None:
        return None
    if name.endswith("_cents"):
        return dollars_cell(value)
    if isinstance(value, datetime):
        return instant_cell(localtime(value))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return value
    if isinstance(field, BinaryField):
        return bytes(value).hex()
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
