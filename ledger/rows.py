"""Reading and writing rows where it has to be quick: what is settled while a table waits.

Django puts the same statement together anew every time, which takes it longer than the database takes to carry it out. Here
a read is put together once, and rows that are written together are one statement. The statements number their places
as PostgreSQL does (``$1``), and whole numbers all go out as ``bigint``: so each is the same text with the same types
every time, which the driver need not take apart and the server plans once.
"""

import re
import time
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from itertools import count
from typing import Any, NamedTuple
from uuid import uuid4
from weakref import WeakKeyDictionary

import psycopg
from django.core.exceptions import ObjectDoesNotExist
from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.backends.utils import CursorWrapper
from django.db.models.expressions import DatabaseDefault, RawSQL
from django.db.models.query import RelatedPopulator, get_related_populators
from django.db.models.sql.compiler import SQLCompiler
from psycopg.types.numeric import Int8Dumper

_cursors: WeakKeyDictionary[psycopg.Connection, psycopg.RawCursor] = WeakKeyDictionary()


def execute(statement: str, values: Sequence[Any]) -> CursorWrapper:
    """Carry out a statement whose places are ``$1``, ``$2``… on Django's connection; read the rows before the next one.

    Errors are Django's. Making a cursor takes longer than sending a statement, so each connection keeps one for all of them.
    """
    connection.ensure_connection()
    raw = _cursors.get(connection.connection)
    if raw is None:
        raw = _cursors[connection.connection] = psycopg.RawCursor(connection.connection)
        raw.adapters.register_dumper(int, Int8Dumper)
    wrapped = connection.make_cursor(raw)  # type: ignore[arg-type]  # the stubs take only what was wrapped already
    begun = time.perf_counter()
    wrapped.execute(statement, values)
    if connection.queries_logged:  # by Django's own debug cursor, which cannot read these places
        connection.queries_log.append({"sql": statement, "time": f"{time.perf_counter() - begun:.3f}"})
    return wrapped


def any_of(ids: Any) -> RawSQL:
    """For a composed read, one id that stands for several: ``filter(session__in=any_of(sessions))``, called with a list."""
    return RawSQL("SELECT unnest(%s::uuid[])", [ids])


def instant(at: Any) -> RawSQL:
    """For a composed read, one id that is an instant."""
    return RawSQL("%s::timestamptz", [at])


class Composed:
    """A read by ids that Django composes at its first use: the lambda that makes the query, called with ids from then on.

    The query is one of ``values_list``; the rows are tuples as the driver reads them, so that JSON is text. An id that stands
    in the query inside ``any_of`` is a list of them.
    """

    def __init__(self, query: Callable[..., models.QuerySet[Any, Any]], ids: int = 1) -> None:
        self._query = query
        self._stand_ins = [uuid4() for _ in range(ids)]

    def __call__(self, *ids: Any) -> list[Any]:
        """The rows for these ids."""
        statement, values = self._statement
        given = dict(zip(self._stand_ins, ids, strict=True))
        return list(execute(statement, [given.get(value, value) for value in values]).fetchall())

    @cached_property
    def _compiler(self) -> SQLCompiler:
        compiler: SQLCompiler = self._query(*self._stand_ins).query.get_compiler(DEFAULT_DB_ALIAS)
        return compiler

    @cached_property
    def _statement(self) -> tuple[str, tuple[Any, ...]]:
        statement, values = self._compiler.as_sql()
        return _numbered(statement), values


class ComposedModels(Composed):
    """The same for whole rows: a list of model instances, with what ``select_related`` and ``annotate`` add."""

    def __call__(self, *ids: Any) -> list[Any]:
        """The instances for these ids."""
        rows = super().__call__(*ids)
        converted = self._compiler.apply_converters(rows, self._converters) if self._converters else rows
        return [self._instance(row) for row in converted]

    @cached_property
    def _converters(self) -> dict[int, Any]:
        """What Django does to single columns to make Python's values of them, by place."""
        _ = self._statement  # the compiler knows its columns once it has composed them
        converters: dict[int, Any] = self._compiler.get_converters([column[0] for column in self._compiler.select])
        return converters

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

    A numbered key, and what has no value but the database's default, is left to the database and not read back.
    """
    if rows:
        _insert(rows)


def insert_numbered(row: models.Model) -> None:
    """Insert one new row, and read back the number that the database gave it as its key."""
    (row.pk,) = _insert([row], returning=row._meta.pk.column).fetchone()


def _insert(rows: Sequence[models.Model], *, returning: str | None = None) -> CursorWrapper:
    given = [
        column for column in _columns(type(rows[0])) if not isinstance(getattr(rows[0], column.name), DatabaseDefault)
    ]
    values = [
        getattr(row, column.name)
        if column.as_stored is None
        else column.as_stored(getattr(row, column.name), connection)
        for row in rows
        for column in given
    ]
    statement = _insert_statement(
        rows[0]._meta.db_table, tuple(column.column for column in given), len(rows), returning
    )
    done = execute(statement, values)
    for row in rows:
        row._state.adding = False
    return done


def update(row: models.Model, *names: str) -> None:
    """Write these attributes of a stored row, named as their columns are (``session_id``), of types that need no preparing.

    Raises ``ObjectDoesNotExist`` where the row is not there.
    """
    done = execute(_update_statement(type(row), names), [*(getattr(row, name) for name in names), row.pk])
    if done.rowcount != 1:
        raise ObjectDoesNotExist(f"{type(row).__name__} {row.pk} is not there to be written.")


@cache
def _update_statement(model: type[models.Model], names: tuple[str, ...]) -> str:
    quote = connection.ops.quote_name
    columns = {field.attname: quote(str(field.column)) for field in model._meta.concrete_fields}
    settings = ", ".join(f"{columns[name]} = ${place}" for place, name in enumerate(names, start=1))
    table, key = quote(model._meta.db_table), columns[model._meta.pk.attname]
    return f"UPDATE {table} SET {settings} WHERE {key} = ${len(names) + 1}"  # noqa: S608 - names of columns


@cache
def _insert_statement(table: str, columns: tuple[str, ...], rows: int, returning: str | None) -> str:
    quote, places = connection.ops.quote_name, count(1)
    values = ", ".join(f"({', '.join(f'${next(places)}' for _ in columns)})" for _ in range(rows))
    statement = f"INSERT INTO {quote(table)} ({', '.join(map(quote, columns))}) VALUES {values}"  # noqa: S608 - names
    return statement if returning is None else f"{statement} RETURNING {quote(returning)}"


def _numbered(statement: str) -> str:
    """A statement as Django writes it, ``%s`` at each place and ``%%`` for a per cent, with its places numbered."""
    places = count(1)
    return re.sub("%[s%]", lambda found: f"${next(places)}" if found[0] == "%s" else "%", statement)


class _Column(NamedTuple):
    """An attribute that is written: its column, and what the driver needs done to some values."""

    name: str
    column: str
    as_stored: Callable[..., Any] | None


@cache
def _columns(model: type[models.Model]) -> list[_Column]:
    return [
        _Column(
            field.attname, str(field.column), field.get_db_prep_save if isinstance(field, models.JSONField) else None
        )
        for field in model._meta.concrete_fields
        if not isinstance(field, models.AutoField)
    ]
