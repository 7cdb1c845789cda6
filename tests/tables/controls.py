"""Controls of the race tests: the table's lock taken away, so that the fault shows that it is there for."""

from uuid import UUID

import pytest

from tables.lock_objects import TableBy
from tables.models import Table
from tables.services import commands


def table_unlocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every command read its table without waiting for whoever changes something there."""

    def unlocked(by: TableBy, found_by: UUID, _user_id: UUID) -> tuple[Table, bool]:
        return Table.objects.select_related("room").get(**{by.path: found_by}), True

    monkeypatch.setattr(commands, "lock_table", unlocked)
