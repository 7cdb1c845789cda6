"""What the ledger's notes vouch for at the tables: every command as it is stored now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from ledger.witnesses import witness
from tables.models import Command, HandRecord


@witness
def command_documents(commands: Sequence[UUID]) -> dict[UUID, str]:
    """The documents of these commands, made anew from the rows in two queries.

    A command that is gone, or one of whose hand records has lost its verdict, has no document any more.
    """
    entered: defaultdict[UUID, list[HandRecord]] = defaultdict(list)
    for record in HandRecord.objects.filter(command__in=commands).select_related("verdict").order_by("pk"):
        entered[record.command_id].append(record)
    return {
        command.pk: command.document(entered[command.pk])
        for command in Command.objects.filter(pk__in=commands)
        if all(hasattr(record, "verdict") for record in entered[command.pk])
    }
