"""On whose behalf the set-up is changed, said to its history (``casino.set_up_history``)."""

from __future__ import annotations

from uuid import UUID

from casino import set_up_history
from casino.staff import log

MOST_REASON = 300


def say_who(actor_id: UUID | None, *, reason: str = "", command: UUID | None = None) -> None:
    """Name who changes the set-up in the rest of this transaction, and why; from where is the ``log``'s origin.

    ``None`` where nobody is signed in; ``command`` is the key of the command that does it. Raises ``RuntimeError`` outside a
    transaction.
    """
    came_from = log.origin()
    facts = {
        "actor": actor_id,
        "way": came_from.way,
        "device": came_from.device_id,
        "address": came_from.address,
        "reason": reason,
        "command": command,
    }
    set_up_history.say({name: fact for name, fact in facts.items() if fact})
