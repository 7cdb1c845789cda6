"""Reading and writing rows where it has to be quick: what is settled while a table waits.

Django puts the same statement together anew every time, which takes it longer than the database takes to carry it out. Here
a read is put together once, and rows that are written together are one statement.
"""

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Any
from uuid import UUID, uuid4

from django.core.exceptions import ObjectDoesNotExist
from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models.query import RelatedPopulator, get_related_populators
from django.db.models.sql.compiler import SQLCompiler


class Composed:
    """A read by ids that Django composes at its first use: the lambda that makes the query, called with ids from then on.

    The query is one of ``values_list``; the rows are tuples as the driver reads them, so that JSON is text.
    """

    def __init__(self, query: Callable[..., models.QuerySet[Any, Any]], ids: int = 1) -> None:
        self._query = query
        self._stand_ins = [uuid4() for _ in range(ids)]

    def __call__(self, *ids: UUID) -> list[Any]:
        """The rows for these ids."""
        statement, values = self._statement
        given = dict(zip(self._stand_ins, ids, strict=True))
        with connection.cursor() as cursor:
            cursor.execute(statement, [given.get(value, value) for value in values])
            return list(cursor.fetchall())

    @cached_property
    def _compiler(self) -> SQLCompiler:
        compiler: SQLCompiler = self._query(*self._stand_ins).query.get_compiler(DEFAULT_DB_ALIAS)
        return compiler

    @cached_property
    def _statement(self) -> tuple[str, tuple[Any, ...]]:
        return self._compiler.as_sql()


class ComposedModels(Composed):
    """The same for whole rows: a list of model instances, with what ``select_related`` and ``annotate`` add."""

    def __call__(self, *ids: UUID) -> list[Any]:
        """The instances for these ids."""
        return [self._instance(row) for row in self._compiler.results_iter([super().__call__(*ids)])]

    def _instance(self, row: Sequence[Any]) -> models.Model:
        model, names, fields, related = self._shape
        instance = model.from_db(DEFAULT_DB_ALIAS, names, row[fields])
        for each in related:
            each.populate(row, instance)
        for name, place in self._compiler.annotation_col_map.items():
            setattr(instance, name, row[place])
        return instance

    @cached_property
    def _shape(self) -> tuple[type[models.Model], list[str], slice, list[RelatedPopulator]]:
        """Where in a row the model's own fields are, and how the related ones are read, as a query set would do it."""
        _ = self._statement  # the compiler knows its columns once it has composed them
        info, select = self._compiler.klass_info, self._compiler.select
        start, end = info["select_fields"][0], info["select_fields"][-1] + 1
        names = [column[0].target.attname for column in select[start:end]]
        related = get_related_populators(info, select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]  # stubs of Django 6
        return info["model"], names, slice(start, end), related


def insert(rows: Sequence[models.Model]) -> None:
    """Insert new rows of one model, in their order.

    Every field has its value, none is left to the database but a numbered key, and that is not read back.
    """
    if not rows:
        return
    columns, table = _columns(type(rows[0]))
    places = f"({', '.join(['%s'] * len(columns))})"
    statement = f"INSERT INTO {table} VALUES {', '.join([places] * len(rows))}"  # noqa: S608 - names of columns
    values = [
        getattr(row, name) if as_stored is None else as_stored(getattr(row, name), connection)
        for row in rows
        for name, as_stored in columns
    ]
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
    for row in rows:
        row._state.adding = False


def update(row: models.Model, *names: str) -> None:
    """Write these attributes of a stored row, named as their columns are (``session_id``), of types that need no preparing.

    Raises ``ObjectDoesNotExist`` where the row is not there.
    """
    with connection.cursor() as cursor:
        cursor.execute(_update_statement(type(row), names), [*(getattr(row, name) for name in names), row.pk])
        if cursor.rowcount != 1:
            raise ObjectDoesNotExist(f"{type(row).__name__} {row.pk} is not there to be written.")


@cache
def _update_statement(model: type[models.Model], names: tuple[str, ...]) -> str:
    quote = connection.ops.quote_name
    columns = {field.attname: quote(str(field.column)) for field in model._meta.concrete_fields}
    settings = ", ".join(f"{columns[name]} = %s" for name in names)
    table, key = quote(model._meta.db_table), columns[model._meta.pk.attname]
    return f"UPDATE {table} SET {settings} WHERE {key} = %s"  # noqa: S608 - names of columns


@cache
def _columns(model: type[models.Model]) -> tuple[list[tuple[str, Callable[..., Any] | None]], str]:
    """The attributes that are written, with what the driver needs done to some, and the table with their columns."""
    fields = [field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)]
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in fields)
    columns = [
        (field.attname, field.get_db_prep_save if isinstance(field, models.JSONField) else None) for field in fields
    ]
    return columns, f"{quote(model._meta.db_table)} ({names})"
