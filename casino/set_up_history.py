"""Who changed the set-up, from what to what, and why: django-pghistory's events, written by the database itself.

``@with_history("name", …)`` gives a model an event model called ``<Model>Change``. A trigger adds a row there for every row that
is added, changed or removed, whoever does it: a page, a command, the owner with ``psql``. On whose behalf the program does it is
said by ``say``, for the rest of the transaction.

The application's role may read these events and no more. The triggers' functions run as their owner (SECURITY DEFINER), on a
search path of their own; nobody else may put one under a table of their own (EXECUTE is revoked); and unlike pgtrigger's other
triggers they look at no ``pgtrigger.ignore``, which any role could set. So no event is added without a change, and no change
without an event. What ``say`` was told is believed: a program that lies about its user cannot be caught by its database.

pghistory's own middleware and ``Context`` table are not used: it puts a second statement before every writing one, which
parameters bound by the server do not allow, and a context stored once for several events is rewritten by the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

import pghistory
import pgtrigger
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from pghistory.models import Event
from pghistory.trigger import Event as EventTrigger
from pgtrigger.compiler import Trigger as CompiledTrigger
from pgtrigger.compiler import UpsertTriggerSql

from casino.append_only import AppendOnly

M = TypeVar("M", bound=type[models.Model])


class Happened(models.TextChoices):
    """What happened to a row of set-up."""

    WAS_THERE = "was-there", _("Was there before the history began")
    ADDED = "added", _("Added")
    CHANGED = "changed", _("Changed")
    REMOVED = "removed", _("Removed")
    NEW_PASSWORD = "new-password", _("New password")
    NEW_PIN = "new-pin", _("New PIN")


class RecordingSql(UpsertTriggerSql):
    """pgtrigger's SQL of a trigger whose function runs as its owner, belongs under no other table, and is never skipped.

    Migrations hold what this renders: change it as pgtrigger changes its own, by another class.
    """

    def get_template(self) -> str:
        """See ``UpsertTriggerSql``."""
        return """
            CREATE OR REPLACE FUNCTION {pgid}()
            RETURNS TRIGGER AS $$
                BEGIN
                    {func}
                END;
            $$ LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp;
            REVOKE ALL ON FUNCTION {pgid}() FROM PUBLIC;

            DROP TRIGGER IF EXISTS {pgid} ON {table};
            CREATE TRIGGER {pgid}
                {when} {operation} ON {table}
                FOR EACH {level} {condition}
                EXECUTE FUNCTION {execute};

            COMMENT ON TRIGGER {pgid} ON {table} IS '{hash}';
        """


class RecordingTrigger(EventTrigger):
    """pghistory's trigger, installed by ``RecordingSql``."""

    def compile(self, model: Any) -> CompiledTrigger:
        """See ``pgtrigger.Trigger``."""
        kwargs = super().compile(model).sql.kwargs
        kwargs.pop("ignore_func_name", None)
        return CompiledTrigger(name=self.name, sql=RecordingSql(**kwargs))


class Recorded(pghistory.RowEvent):
    """An event that ``RecordingTrigger`` writes."""

    def add_event_trigger(self, event_model: type[Event]) -> None:
        """See ``pghistory.RowEvent``."""
        trigger = RecordingTrigger(  # type: ignore[no-untyped-call]
            event_model=event_model,
            label=self.label,
            name=self.trigger_name,
            row=self.row,
            operation=self.operation,
            condition=self.condition,
        )
        pgtrigger.register(trigger)(event_model.pgh_tracked_model)


class SessionUser(models.Func):
    """The role that signed in to the database; a function that runs as somebody else does not change it."""

    template = "SESSION_USER"
    output_field = models.TextField()


class SetUpChange(Event):
    """Abstract base of the events of one model: its tracked fields as they were after the change, or before a removal."""

    pgh_tracked_model: type[models.Model]  # type: ignore[assignment]  # which pghistory sets
    pgh_obj_id: Any
    pgh_context: Mapping[str, str] | None

    pgh_role = models.TextField(_("database role"), db_default=SessionUser(), editable=False)

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT",)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.pgh_tracked_model._meta.verbose_name} {Happened(self.pgh_label).label}"


def with_history(*fields: str, secrets: Mapping[str, Happened] | None = None) -> Callable[[M], M]:
    """Keep the history of a model in these fields; others change without an event.

    Of a field among ``secrets`` only that it changed is kept, as the event named there, never its value.
    """

    def decorate(model: M) -> M:
        trackers = [
            Recorded(Happened.ADDED.value, operation=pgtrigger.Insert, row="NEW"),
            Recorded(Happened.CHANGED.value, operation=pgtrigger.Update, row="NEW"),
            Recorded(Happened.REMOVED.value, operation=pgtrigger.Delete, row="OLD"),
        ]
        for secret, happened in (secrets or {}).items():
            changed = pgtrigger.AnyChange(secret)
            trackers.append(Recorded(happened.value, operation=pgtrigger.Update, row="NEW", condition=changed))
        name = model._meta.verbose_name
        pghistory.track(
            *trackers,
            fields=list(fields),
            base_model=SetUpChange,
            model_name=f"{model.__name__}Change",
            obj_field=pghistory.ObjForeignKey(related_name="set_up_changes", related_query_name="set_up_change"),
            context_field=pghistory.ContextJSONField(),
            context_id_field=None,  # type: ignore[arg-type]  # documented so
            meta={
                "triggers": AppendOnly.Meta.triggers,
                "verbose_name": format_lazy(_("change: {what}"), what=name),
                "verbose_name_plural": format_lazy(_("changes: {what}"), what=name),
                "indexes": [models.Index(name=f"{model.__name__.lower()}change_time", fields=["pgh_created_at"])],
            },
        )(model)
        return model

    return decorate


def say(facts: Mapping[str, Any]) -> None:
    """Keep these facts with every event of the rest of this transaction, in the place of what was said before.

    Raises ``RuntimeError`` outside a transaction, where they would be lost at once.
    """
    connection = transaction.get_connection()
    if not connection.in_atomic_block:
        raise RuntimeError("who changes the set-up is said inside the transaction that changes it")
    with connection.cursor() as cursor:
        said = DjangoJSONEncoder(separators=(",", ":")).encode(dict(facts))
        cursor.execute("SELECT set_config('pghistory.context_metadata', %s, true)", [said])


def was_there_sql(app_label: str, model_name: str, *columns: str) -> str:
    """For migrations: the events of the rows that were there before the triggers, so that every later change has a before."""
    table = f"{app_label}_{model_name}"
    names = ", ".join(columns)
    was_there = f"SELECT now(), '{Happened.WAS_THERE}', id, {names} FROM {table}"  # noqa: S608  names of our own
    return f"INSERT INTO {table}change (pgh_created_at, pgh_label, pgh_obj_id, {names}) {was_there}"
