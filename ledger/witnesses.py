"""The documents behind notes: kept by the floors above, asked for by whoever verifies.

A note's ``evidence`` is the SHA-256 of a document that the ledger does not have. The floor that writes such documents
registers, with ``witness``, where they can be read again as they stand now, in a module that it imports in its
``AppConfig.ready``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

Witness = Callable[[Sequence[UUID]], Mapping[UUID, str]]
"""Of these commands, those whose document is there, each with the document's text."""

_witnesses: list[Witness] = []


def witness(read: Witness) -> Witness:
    """Register who can read documents; for use as a decorator."""
    _witnesses.append(read)
    return read


def documents(commands: Sequence[UUID]) -> dict[UUID, str]:
    """The documents of these commands as they are stored now; a command without one is missing from the answer."""
    found: dict[UUID, str] = {}
    for read in _witnesses:
        found.update(read(commands))
    return found
