"""Migrating an empty database in a fraction of the time: fewer of the models that migrations work on are rendered anew.

After each operation Django renders the model that changed as a class, and with it all that lead to it or to which it
leads. Here nearly all lead to each other, so each of hundreds of constraints, triggers and fields had tens of models
rendered: nine tenths of the first start.

What is added to a model asks of the others no more than the name of a table and its key, and so do constraints, indexes
and triggers. While only these follow each other, the one model is rendered. Before any other operation (a field altered, a
function that reads and writes rows) and before the signals at the end, all are rendered afresh.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from itertools import groupby
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import Migration, operations
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from pgtrigger.migrations import AddTrigger, RemoveTrigger

_KEEP_TO_THEIR_MODEL = (
    operations.CreateModel,
    operations.AddField,
    operations.AddConstraint,
    operations.RemoveConstraint,
    operations.AddIndex,
    operations.RemoveIndex,
    AddTrigger,
    RemoveTrigger,
)


@contextmanager
def models_rendered_alone() -> Iterator[None]:
    """While this lasts, migrations render no more than they need: for one run of them at a time."""
    apply = Migration.apply
    alone_before = False

    def apply_in_stretches(
        migration: Migration, state: ProjectState, editor: BaseDatabaseSchemaEditor, collect_sql: bool = False
    ) -> ProjectState:
        nonlocal alone_before
        for alone, stretch in groupby(migration.operations, _keeps_to_its_model):
            part = copy(migration)
            part.operations = list(stretch)  # type: ignore[misc]  # each instance has its own, whatever the stubs say
            if alone:
                with _replaced(ProjectState, "reload_model", _render_alone):
                    state = apply(part, state, editor, collect_sql)
            else:
                if alone_before:
                    state.__dict__.pop("apps", None)  # rendered whole when it is asked for
                state = apply(part, state, editor, collect_sql)
            alone_before = alone
        return state

    with _replaced(Migration, "apply", apply_in_stretches):
        yield


def _keeps_to_its_model(operation: Operation) -> bool:
    if isinstance(operation, operations.RunSQL):
        return not operation.state_operations
    return isinstance(operation, _KEEP_TO_THEIR_MODEL)


def _render_alone(state: ProjectState, app_label: str, model_name: str, delay: bool = True) -> None:
    """Instead of Django's ``reload_model``."""
    if "apps" in state.__dict__:  # where nothing was rendered yet, nothing is rendered anew
        state.is_delayed = True  # so that Django itself renders all before it shows them to functions and signals
        with state.apps.bulk_update():
            state.apps.unregister_model(app_label, model_name)
        state.apps.render_multiple([state.models[app_label, model_name]])


@contextmanager
def _replaced(owner: type, name: str, by: Callable[..., Any]) -> Iterator[None]:
    former = getattr(owner, name)
    setattr(owner, name, by)
    try:
        yield
    finally:
        setattr(owner, name, former)
