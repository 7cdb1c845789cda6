"""The strip beside the floor's tables: what waits for somebody in their rooms, and what the watchdogs saw, in a line each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone

from casino.staff.actor import Actor
from tables.models import FloorCall, Table, Watch
from tables.selectors.calls import OpenCall, open_call_of
from tables.selectors.inbox import InboxItem, open_items
from tables.selectors.watches import watches_on_the_floor


@dataclass(frozen=True, slots=True)
class InboxRow:
    """One line of what needs deciding, the same for everything: what, where, since when, and who has it already.

    ``call`` is the call, where it is one of a table that is open: it is answered where it is shown. What the watchdogs saw was
    raised by nobody, may be about no table, and is not always opened by whoever runs a floor. ``is_late``: the room wanted it
    decided by now.
    """

    kind: str
    kind_words: str
    table: Table | None
    time_zone: ZoneInfo
    words: str
    raised_at: datetime
    raised_by: str
    url: str
    taken_by: str | None = None
    call: OpenCall | None = None
    is_late: bool = False


def needs_deciding(actor: Actor) -> list[InboxRow]:
    """What waits in the rooms of somebody who runs a floor, and what the watchdogs saw there, the oldest first.

    Raises ``Forbidden``.
    """
    address, now = reverse("floor:inbox"), timezone.now()
    items = [_row_of(item, address, now) for item in open_items(actor, with_windows=False)]
    return sorted([*items, *map(_row_of_watch, watches_on_the_floor(actor.user_id))], key=attrgetter("raised_at"))


def _row_of(item: InboxItem, address: str, now: datetime) -> InboxRow:
    room = item.session.table.room
    is_decided_on = item.thing != "call"
    return InboxRow(
        kind=item.kind,
        kind_words=item.kind_words,
        table=item.session.table,
        time_zone=room.zone,
        words=item.words,
        raised_at=item.raised_at,
        raised_by=item.raised_by.name,
        url=f"{address}#{item.anchor}",
        taken_by=item.taken_by,
        call=open_call_of(item.row) if isinstance(item.row, FloorCall) and not item.has_ended else None,
        is_late=is_decided_on and now - item.raised_at >= timedelta(minutes=room.decision_minutes),
    )


def _row_of_watch(watch: Watch) -> InboxRow:
    """A silent table opens its panel; the rest is for managers, on the audit pages."""
    return InboxRow(
        kind=watch.kind,
        kind_words=watch.get_kind_display(),
        table=watch.table,
        time_zone=watch.room.zone if watch.room else ZoneInfo("UTC"),
        words=watch.words,
        raised_at=watch.since,
        raised_by="",
        url=reverse("floor:table", args=[watch.table_id]) if watch.table_id else "",
    )
