"""Lists that people sort, page through and save: what all of them have in common.

A list is a query of rows with an instant. It is sorted by one of its columns, and rows that are alike in it by the instant and
then the key, so that the order is always one and the same. A page begins after a row, or ends before one, whose place in
that order stands in the address: rows that come or go meanwhile shift nothing.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import BooleanField, F, Func, Model, QuerySet, Value
from django.db.models.expressions import Combinable
from django.http import QueryDict
from django.utils.timezone import is_aware

ROWS_A_PAGE = 50
AT_ONCE = 500
"""How many rows are read at once while a whole list is saved."""

SORT, AFTER, BEFORE = "sort", "after", "before"
_PAGING = (AFTER, BEFORE)
_KEY = "sort_key"

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a list. ``by`` is what its rows are sorted by, never NULL; without it nothing is sorted by this column.

    ``name`` stands in the address. Of what is sorted for its largest, the first press shows the largest first.
    """

    name: str
    label: str
    by: Combinable | None = None
    is_number: bool = False
    largest_first: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column: the address that sorts by it, empty where none does, and how it is sorted now, if it is."""

    column: Column
    address: str
    sorted: str


class _Together(Func):
    """A row of values, which the database compares from the first on."""

    template, output_field = "(%(expressions)s)", BooleanField()


class _Less(Func):
    arg_joiner, template, output_field = " < ", "%(expressions)s", BooleanField()


class _More(Func):
    arg_joiner, template, output_field = " > ", "%(expressions)s", BooleanField()


class Listing(Generic[Row]):
    """A page of a list as the address asks for it. What makes no sense in the address counts as not asked.

    ``instant`` names the field that says when, ``unasked`` the column it is sorted by unless another one is asked for, with a
    minus in front for descending. ``at`` is the address of the list where the page that shows it is another one.
    """

    def __init__(
        self,
        asked: QueryDict,
        rows: QuerySet[Row],
        columns: Sequence[Column],
        *,
        instant: str,
        unasked: str,
        most: int = ROWS_A_PAGE,
        at: str = "",
    ) -> None:
        self._asked, self._rows, self._instant, self._most, self._at = asked, rows, instant, most, at
        self.columns = columns
        sorts = {column.name: column for column in columns if column.by is not None}
        said = asked.get(SORT, "")
        self._sort = said if said.removeprefix("-") in sorts else unasked
        self._column = sorts[self._sort.removeprefix("-")]

    @property
    def is_descending(self) -> bool:
        """Whether the largest, or newest, comes first."""
        return self._sort.startswith("-")

    @cached_property
    def all(self) -> QuerySet[Row]:
        """Every row, in order: what is saved."""
        return self._ordered(self.is_descending)

    def chunks(self) -> Iterator[list[Row]]:
        """Every row, in order, some at once: never more in memory than that."""
        rows = self.all.iterator(chunk_size=AT_ONCE)
        while chunk := list(islice(rows, AT_ONCE)):
            yield chunk

    @cached_property
    def _page(self) -> tuple[list[Row], bool, bool]:
        """The rows of this page, and whether there are any before and after."""
        after, before = self._mark(AFTER), self._mark(BEFORE)
        if after is None and before is not None:
            found = list(self._beyond(before, not self.is_descending)[: self._most + 1])
            return found[: self._most][::-1], len(found) > self._most, True
        rows = self.all if after is None else self._beyond(after, self.is_descending)
        found = list(rows[: self._most + 1])
        return found[: self._most], after is not None, len(found) > self._most

    @property
    def rows(self) -> list[Row]:
        """The rows of this page."""
        return self._page[0]

    @property
    def is_whole(self) -> bool:
        """Whether these are all rows there are."""
        return not self._page[1] and not self._page[2]

    @property
    def first(self) -> str:
        """The address of the first page; empty where this is it."""
        return self._address() if self._page[1] else ""

    @property
    def previous(self) -> str:
        """The address of the page before; empty where there is none."""
        rows, has_previous, _ = self._page
        return self._address(**{BEFORE: self._place(rows[0])}) if rows and has_previous else ""

    @property
    def next(self) -> str:
        """The address of the page after; empty where there is none."""
        rows, _, has_next = self._page
        return self._address(**{AFTER: self._place(rows[-1])}) if rows and has_next else ""

    @property
    def query(self) -> str:
        """What the address asks for, as far as it is not about pages: the same list, whole."""
        return address(self._asked).removeprefix("?")

    @property
    def heads(self) -> list[Head]:
        """The columns' heads."""
        return [self._head(column) for column in self.columns]

    def _head(self, column: Column) -> Head:
        if column.by is None:
            return Head(column, "", "")
        is_this = column == self._column
        is_down = not self.is_descending if is_this else column.largest_first
        word = ("descending" if self.is_descending else "ascending") if is_this else ""
        return Head(column, self._address(**{SORT: f"-{column.name}" if is_down else column.name}), word)

    def _ordered(self, is_descending: bool) -> QuerySet[Row]:
        sign = "-" if is_descending else ""
        rows: QuerySet[Row] = self._rows.annotate(**{_KEY: self._column.by})
        return rows.order_by(*(f"{sign}{name}" for name in self._names))

    @property
    def _names(self) -> tuple[str, str, str]:
        return _KEY, self._instant, "pk"

    @cached_property
    def _fields(self) -> list[Any]:
        """The kinds of value of these."""
        meta = self._rows.model._meta
        return [self.all.query.annotations[_KEY].output_field, meta.get_field(self._instant), meta.pk]

    def _beyond(self, place: Sequence[Any], is_descending: bool) -> QuerySet[Row]:
        """What comes after a place in this direction; the bound of the first is said apart, for an index to be used."""
        end, beyond = ("lte", _Less) if is_descending else ("gte", _More)
        names = _Together(*(F(name) for name in self._names))
        values = _Together(
            *(Value(value, output_field=field) for value, field in zip(place, self._fields, strict=True))
        )
        rows = self._ordered(is_descending).filter(beyond(names, values))
        if self._column.by == F(self._instant):
            rows = rows.filter(**{f"{self._instant}__{end}": place[0]})
        return rows

    def _place(self, row: Row) -> str:
        values = (getattr(row, name) for name in self._names)
        return json.dumps([each.isoformat() if isinstance(each, datetime) else str(each) for each in values])

    def _mark(self, name: str) -> list[Any] | None:
        """The place in the order that the address names; ``None`` for one that is none."""
        try:
            said = json.loads(self._asked.get(name, ""))
        except (ValueError, RecursionError):
            return None
        if not isinstance(said, list) or not all(isinstance(each, str) and "\0" not in each for each in said):
            return None
        if len(said) != len(self._fields):
            return None
        try:
            place = [field.to_python(text) for field, text in zip(self._fields, said, strict=True)]
        except (ValidationError, ArithmeticError):
            return None
        return place if all(not isinstance(each, datetime) or is_aware(each) for each in place) else None

    def _address(self, **changes: str) -> str:
        return self._at + address(self._asked, **changes)


def address(asked: QueryDict, *, dropped: Collection[str] = (), **changes: str) -> str:
    """The address of the first page of the list that is asked for, without some of what is asked, and with something else."""
    query = asked.copy()
    for name in (*_PAGING, *dropped):
        query.pop(name, None)
    for name, value in changes.items():
        query[name] = value
    return f"?{query.urlencode()}"
