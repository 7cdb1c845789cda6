"""Locks of the second floor. The order is in docs/locking.md: command key, then table, then the ledger's own.

The table's row is the one lock that a change at a table takes; sessions, sittings and hands are read
under it. Locks are no-key: nothing here changes a key that another row points at.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ledger.rows import ComposedModels, execute
from tables.models import Duty, Jackpot, Job, Mail, NumberSeries, Patron, RoomStaff, Table, WaitingEntry, WaitingList


def lock_command_key(key: UUID, timeout_ms: int) -> list[tuple[bytes, str]]:
    """Wait for any other request with the same key, and bound every later wait of this transaction.

    The answer is the fingerprint and the answer, as JSON text, of the command that has this key already; empty where none has.
    Held to the end of the transaction, so the second of two equal requests sees the first one's answer. The transaction's
    statements are planned once: they find rows by their keys, whatever the keys are.
    """
    return list(execute("SELECT * FROM tables_begin_command($1, $2)", [key, f"{timeout_ms}ms"]).fetchall())


def tables_for_update() -> QuerySet[Table]:
    """Tables to be changed, in the order of their keys."""
    return Table.objects.select_for_update(of=("self",), no_key=True).select_related("room").order_by("pk")


@dataclass(frozen=True)
class TableBy:
    """By what a table is found to be locked: ``path`` leads from it to the id; the rest is said when that leads nowhere."""

    path: str
    missing_code: str
    missing: Promise

    @cached_property
    def locked(self) -> ComposedModels:
        """The read that locks, of an id and a user's: the table, and as ``is_theirs`` whether the user works in its room."""
        return ComposedModels(
            lambda found_by, user_id: (
                tables_for_update()
                .filter(**{self.path: found_by})
                .annotate(is_theirs=Exists(RoomStaff.objects.filter(room_id=OuterRef("room_id"), user_id=user_id)))
            ),
            ids=2,
        )


BY_TABLE = TableBy("pk", "no-such-table", _("There is no such table."))
BY_SESSION = TableBy("sessions__pk", "no-such-thing", _("What this is about does not exist. Load the page again."))
BY_HAND = TableBy("sessions__hands__pk", "no-such-hand", _("There is no such hand."))
BY_SITTING = TableBy(
    "sessions__sittings__pk", "no-such-sitting", _("Nobody sits there under this name. Load the page again.")
)


def lock_table(by: TableBy, found_by: UUID, user_id: UUID) -> tuple[Table, bool] | None:
    """A table, its row locked to the end of the transaction, and whether the user works in its room; None where there is none."""
    for table in by.locked(found_by, user_id):
        return table, table.is_theirs
    return None


def lock_tables(table_ids: Collection[UUID]) -> dict[UUID, Table]:
    """The rows of several tables by id, locked in the order of their keys; those that are not there are left out."""
    return {table.pk: table for table in tables_for_update().filter(pk__in=table_ids)}


def _jackpots_for_update() -> QuerySet[Jackpot]:
    return Jackpot.objects.select_for_update(of=("self",), no_key=True).select_related("room").order_by("pk")


def lock_jackpot(jackpot_id: UUID) -> Jackpot | None:
    """A jackpot's row, locked to the end of the transaction: who pays out of a pool or closes it waits for who does the same."""
    return _jackpots_for_update().filter(pk=jackpot_id).first()


def lock_open_jackpot(room_id: UUID, game: str) -> Jackpot | None:
    """The jackpot of a game that is open in a room, locked, so that it is not closed while a table begins to feed it."""
    return _jackpots_for_update().filter(room=room_id, game=game, closed_at__isnull=True).first()


def lock_question(question_id: UUID) -> None:
    """Hold a question about what was looked at to the end of the transaction: none is answered once it is closed.

    Not by its row, which is history that nobody may change and so nobody may lock.
    """
    execute("SELECT pg_advisory_xact_lock(hashtextextended('question ' || $1::text, 0))", [question_id])


def lock_duty(duty_id: UUID) -> Duty | None:
    """A dealer on duty, locked to the end of the transaction: who sends them on a break waits for who sends them home."""
    duties = Duty.objects.select_for_update(of=("self",), no_key=True).select_related("dealer").order_by("pk")
    return duties.filter(pk=duty_id).first()


def lock_waiting_list(list_id: UUID) -> None:
    """Hold a waiting list to the end of the transaction, so that nobody is added to it twice."""
    WaitingList.objects.select_for_update(no_key=True).order_by("pk").get(pk=list_id)


def lock_waiting_entry(entry_id: UUID) -> WaitingEntry | None:
    """Somebody on a waiting list, locked to the end of the transaction: who calls or seats them waits for who does the same."""
    entries = WaitingEntry.objects.select_for_update(of=("self",), no_key=True)
    return entries.select_related("waiting_list__room", "patron").order_by("pk").filter(pk=entry_id).first()


def lock_patron(patron_id: UUID) -> Patron | None:
    """A patron, locked to the end of the transaction as if they were removed: whoever writes down who they are waits.

    Not a no-key lock: it also holds up the rows that come to point at them, such as sittings. Nothing else is locked after it.
    """
    patrons = Patron.objects.select_for_update(of=("self",), no_key=False).select_related("room").order_by("pk")
    return patrons.filter(pk=patron_id).first()


def lock_number_series(room_id: UUID, kind: str) -> NumberSeries | None:
    """A room's series of numbers, locked to the end of the transaction: the last lock that a command takes."""
    series = NumberSeries.objects.select_for_update(no_key=True).order_by("pk")
    return series.filter(room=room_id, kind=kind).first()


def lock_job(job_id: UUID) -> Job | None:
    """A job's row, locked to the end of the transaction: who keeps what came of it waits for who says how far it is."""
    return Job.objects.select_for_update(no_key=True).order_by("pk").filter(pk=job_id).first()


def lock_mail_to_send(mail_id: UUID) -> Mail | None:
    """A mail that was not sent yet, locked to the end of the transaction; ``None`` where somebody is sending it."""
    mails = Mail.objects.select_for_update(no_key=True, skip_locked=True).order_by("pk")
    return mails.filter(pk=mail_id, sent_at__isnull=True).first()


# On a connection that is used by nothing else, so that the database lets go of the lock when whoever holds it ends, however
# it ends. The kernel tells it at once; of a host that is gone it hears within half a minute.
_HOLD_JOB = """
    SELECT pg_try_advisory_lock(hashtextextended('job ' || %s::text, 0)),
        set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
        set_config('tcp_keepalives_count', '4', false), set_config('lock_timeout', %s, false)
"""


@contextmanager
def hold_job(job_id: UUID, timeout_ms: int) -> Iterator[BaseDatabaseWrapper | None]:
    """Be the one who does a job while the block lasts; ``None`` where somebody else is.

    What is given is the connection that holds the lock: each of its statements is committed by itself.
    """
    own = connection.copy()
    try:
        with own.cursor() as cursor:
            cursor.execute(_HOLD_JOB, [job_id, f"{timeout_ms}ms"])
            is_ours = cursor.fetchone()[0]
        yield own if is_ours else None
    finally:
        own.close()


def lock_looking_out() -> bool:
    """Be the one who looks for what has to be watched, to the end of the transaction; false where somebody else is."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended('look out', 0))")
        (is_ours,) = cursor.fetchone()
    return bool(is_ours)


def lock_job_nobody_does(job_id: UUID) -> bool:
    """Keep everybody from beginning a job to the end of the transaction; false where somebody does it now."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended('job ' || %s::text, 0))", [job_id])
        (is_ours,) = cursor.fetchone()
    return bool(is_ours)
