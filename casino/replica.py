"""Reading reports from a streaming replica, so that a year's figures do not keep a table waiting."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.utils.translation import gettext as _
from psycopg import errors

from casino.errors import Busy

REPORTS = "reports"
"""The connection that ``REPORTS_DATABASE_URL`` names. It is there only where the variable is set."""

# One that is sent what happens and has played it all back is not behind, however long ago the last change was.
_LAG = """
    SELECT CASE WHEN NOT pg_is_in_recovery() THEN 0
        WHEN EXISTS (SELECT FROM pg_stat_wal_receiver) AND pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
        ELSE extract(epoch FROM clock_timestamp() - coalesce(pg_last_xact_replay_timestamp(), pg_postmaster_start_time()))
    END
"""


def lag_seconds(alias: str) -> float:
    """How far a database is behind the one it follows; 0 for one that follows none. Raises the database's own errors."""
    with connections[alias].cursor() as cursor:
        cursor.execute(_LAG)
        (lag,) = cursor.fetchone()
    return float(lag)


def has_replica() -> bool:
    """Whether reports have a database of their own to read from."""
    return REPORTS in connections.settings


def _lacks_something() -> bool:
    """Whether anything is written that the replica has not played back yet."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_flush_lsn()")
        (written,) = cursor.fetchone()
    with connections[REPORTS].cursor() as cursor:
        cursor.execute("SELECT pg_last_wal_replay_lsn() < %s::pg_lsn", [written])
        (is_before,) = cursor.fetchone()
    return bool(is_before)


@contextmanager
def replica_read(*, up_to_date: bool = False) -> Iterator[int | None]:
    """Read everything in the block from the replica, and say how many whole seconds it is behind, rounded up.

    ``None`` where no replica is named, or within a transaction, whose own changes have to be seen: then nothing is different. The
    same where it has to be ``up_to_date``, and does not answer or lacks anything that is written by now. For this thread the
    replica stands in the place of the primary, in statements by hand as much as in the ORM's, and it refuses every change. Raises
    ``Busy`` when it does not answer, or gives up a reading to keep up with the primary.
    """
    primary = connections[DEFAULT_DB_ALIAS]
    is_usual = not has_replica() or primary.in_atomic_block or primary is connections[REPORTS]
    behind = None if is_usual else _seconds_behind(up_to_date=up_to_date)
    if behind is None:
        yield None
        return
    connections[DEFAULT_DB_ALIAS] = connections[REPORTS]
    try:
        yield -int(-behind // 1)
    except OperationalError as error:
        if isinstance(error.__cause__, errors.SerializationFailure | errors.QueryCanceled):
            raise Busy(
                "replica-busy",
                _("The database of the reports had to catch up and gave this one up. Make it again."),
            ) from error
        raise
    finally:
        connections[DEFAULT_DB_ALIAS] = primary


def _seconds_behind(*, up_to_date: bool) -> float | None:
    """How far the replica is behind; ``None`` where it may not be read. Raises ``Busy``."""
    try:
        if up_to_date and _lacks_something():
            return None
        return lag_seconds(REPORTS)
    except OperationalError as error:
        connections[REPORTS].close()  # one that broke is not kept for the next report
        if up_to_date:
            return None
        words = _(
            "The database of the reports does not answer. Try again; tell whoever runs the servers if it stays away."
        )
        raise Busy("no-replica", words) from error
