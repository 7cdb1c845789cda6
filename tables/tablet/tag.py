"""The tag of what a tablet shows: by it a tablet that asks again is told in few reads that nothing has changed."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.utils import timezone

from casino.staff.actor import Actor
from ledger.rows import Composed, ComposedModels
from tables.models import Hand, Table, TableSession
from tables.models.rooms import Game
from tables.selectors.banking import bank_turn
from tables.selectors.seats import seats_held
from tables.selectors.table_state import state_version


def state_tag(at: Table, actor: Actor) -> str:
    """A digest that changes whenever what is shown does, in few queries.

    Most of it is done by commands at the table, calls and requests among them. Some comes of itself, as time goes on or
    somewhere else: a held seat becomes free, a timed game ends sooner, somebody at the table may not play any more.
    """
    parts: list[Any] = [str(actor.user_id), sorted(actor.roles), str(state_version(at))]
    for session in _OPEN_SESSION(at.pk):
        now = timezone.now()
        parts += sorted(held.hold_id for held in seats_held([session.pk], now))
        if at.game == Game.PAI_GOW_POKER and not _HAND_OUT(session.pk):
            turn = bank_turn(session, now)
            parts += [turn.seat, turn.has_accepted, turn.minutes_left, [seat for seat, _why in turn.passes_by]]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


_OPEN_SESSION = ComposedModels(
    lambda table: TableSession.objects.filter(table=table, closed_at__isnull=True).select_related(
        "rules", "table__room"
    )
)
_HAND_OUT = Composed(lambda session: Hand.objects.filter(session=session, status=Hand.Status.OUT).values_list("pk"))
