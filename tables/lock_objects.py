"""Locks of the second floor. The order is in docs/locking.md: command key, then table, then the ledger's own.

The table's row is the one lock that a change at a table takes; sessions, sittings and hands are read
under it. Locks are no-key: nothing here changes a key that another row points at.
"""

from collections.abc import Collection
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from ledger.rows import ComposedModels
from tables.models import Jackpot, Table


def lock_command_key(key: UUID, timeout_ms: int) -> None:
    """Wait for any other request with the same key, and bound every later wait of this transaction.

    Held to the end of the transaction, so the second of two equal requests sees the first one's answer.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('lock_timeout', %s, true), pg_advisory_xact_lock(hashtextextended(%s, 0))",
            [f"{timeout_ms}ms", str(key)],
        )


def tables_for_update() -> QuerySet[Table]:
    """Tables to be changed, in the order of their keys."""
    return Table.objects.select_for_update(of=("self",), no_key=True).select_related("room").order_by("pk")


_FOR_UPDATE = ComposedModels(lambda table_id: tables_for_update().filter(pk=table_id))


def lock_table(table_id: UUID) -> Table:
    """The table's row, locked to the end of the transaction. Raises ``Table.DoesNotExist``."""
    locked: list[Table] = _FOR_UPDATE(table_id)
    if not locked:
        raise Table.DoesNotExist
    return locked[0]


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
