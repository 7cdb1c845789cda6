"""The floor's inbox: everything that waits for a decision in somebody's rooms, what ended by itself, what was decided today.

The number of queries of each read is fixed, whatever waits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import attrgetter
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import Forbidden
from casino.gaming_day import gaming_day_bounds
from casino.staff.actor import Actor
from casino.staff.models import Role, User
from ledger.rows import ComposedModels
from tables.models import (
    Dispute,
    ExceptionDecision,
    FloorCall,
    Hand,
    Room,
    Ruling,
    TableException,
    TableSession,
    Taking,
)
from tables.selectors.corrections import PaymentChange, Window, judged, payment_changes, ruling_windows
from tables.selectors.hands import names_of
from tables.selectors.takings import open_takings

DECIDED_SHOWN = 50

Row = TypeVar("Row", TableException, Dispute, FloorCall)
Takings = Mapping[UUID | None, Taking]
Windows = Mapping[UUID | None, Window]


@dataclass(frozen=True, slots=True)
class InboxItem:
    """Something that waits, with what whoever decides has to know.

    ``thing`` is ``exception``, ``dispute`` or ``call``, and ``row`` that row. ``taking`` says who has it in hand, ``may_take``
    whether the reader may take it, or as a manager take it over, and ``window`` how long may be ruled on its hand. ``lines`` are
    the payments that it is about, what was due before what was paid. ``has_ended``: nobody decided while there was time.
    """

    thing: str
    row: TableException | Dispute | FloorCall
    kind: str
    kind_words: str
    session: TableSession
    hand: Hand | None
    words: str
    raised_at: datetime
    raised_by: User
    is_own: bool
    taking: Taking | None = None
    is_mine: bool = False
    may_take: bool = False
    window: Window | None = None
    lines: Sequence[PaymentChange] = ()
    has_ended: bool = False

    @property
    def anchor(self) -> str:
        """Its place on the page."""
        return f"{self.thing}-{self.row.pk}"

    @property
    def taken_by(self) -> str | None:
        """The name of who has it, or of who is on the way to a call."""
        if isinstance(self.row, FloorCall):
            answer = getattr(self.row, "answer", None)
            return answer.command.actor.name if answer else None
        return self.taking.command.actor.name if self.taking else None

    @property
    def may_decide(self) -> bool:
        """Whether the reader may decide on it now: neither their own nor somebody else's."""
        return not self.is_own and (self.taking is None or self.is_mine)


@dataclass(frozen=True, slots=True)
class Decided:
    """What was decided on: the item, how it ended, in words and by whom."""

    kind_words: str
    session: TableSession
    hand: Hand | None
    words: str
    raised_by: User
    outcome: str
    outcome_words: str
    reason: str
    rule: str
    decided_at: datetime
    decided_by: User


@dataclass(frozen=True, slots=True)
class Inbox:
    """The whole page: what waits and what ended without a decision, the oldest first; what was decided, the newest first."""

    waiting: Sequence[InboxItem]
    ended: Sequence[InboxItem]
    decided: Sequence[Decided]


def inbox(actor: Actor) -> Inbox:
    """The inbox of somebody who runs a floor. Raises ``Forbidden``."""
    items = _with_figures(open_items(actor))
    return Inbox(
        waiting=[item for item in items if not item.has_ended],
        ended=[item for item in items if item.has_ended],
        decided=_decided(actor),
    )


def items_of(actor: Actor, hand: Hand) -> list[InboxItem]:
    """What waits of one hand, without the figures, which stand on its page."""
    return [item for item in open_items(actor) if item.hand is not None and item.hand.pk == hand.pk]


def items_at(actor: Actor, session: TableSession) -> list[InboxItem]:
    """What waits at one table, without the figures."""
    return [item for item in open_items(actor) if item.session.pk == session.pk]


def open_items(actor: Actor, *, with_windows: bool = True) -> list[InboxItem]:
    """Everything that waits, the oldest first, without figures; without windows nobody learns how long may be ruled on it.

    Raises ``Forbidden``.
    """
    if not actor.on_the_floor:
        raise Forbidden("not-allowed", _("Floor supervisors and managers decide on what the tables ask."))
    exceptions, disputes, calls = (read(actor.user_id) for read in (_EXCEPTIONS, _DISPUTES, _CALLS))
    waiting: list[TableException | Dispute] = [*exceptions, *disputes]
    takings = open_takings([each.pk for each in waiting])
    windows = ruling_windows([each.hand for each in waiting if each.hand is not None]) if with_windows else {}
    items = [
        *(_exception(each, actor, takings, windows) for each in exceptions),
        *(_dispute(each, actor, takings, windows) for each in disputes),
        *(_call(each, actor) for each in calls),
    ]
    return sorted(items, key=attrgetter("raised_at", "anchor"))


def _of_their_rooms(rows: QuerySet[Row], user_id: UUID) -> QuerySet[Row]:
    return rows.filter(session__table__room__staff__user_id=user_id).select_related(
        "session__table__room", "hand", "command__actor"
    )


_EXCEPTIONS = ComposedModels(
    lambda user_id: _of_their_rooms(TableException.objects.filter(decision__isnull=True), user_id)
)
_DISPUTES = ComposedModels(
    lambda user_id: _of_their_rooms(Dispute.objects.filter(ruling__isnull=True), user_id).select_related(
        "sitting__patron"
    )
)
_CALLS = ComposedModels(
    lambda user_id: (
        _of_their_rooms(FloorCall.objects.filter(close__isnull=True), user_id)
        .filter(Q(session__closed_at__isnull=True) | Q(answer__isnull=True))
        .select_related("answer__command__actor")
    )
)


def _hand(row: TableException | Dispute | FloorCall) -> Hand | None:
    if row.hand is not None:
        row.hand.session = row.session
    return row.hand


def _taking(taking: Taking | None, actor: Actor, *, is_own: bool = False) -> dict[str, Any]:
    """Who has it in hand, and what that means for the reader."""
    is_mine = taking is not None and taking.command.actor_id == actor.user_id
    may_take = not (is_own or is_mine) and (taking is None or actor.has_role(Role.MANAGER))
    return {"taking": taking, "is_mine": is_mine, "may_take": may_take}


def _exception(row: TableException, actor: Actor, takings: Takings, windows: Windows) -> InboxItem:
    window = windows.get(row.hand_id)
    is_own = row.command.actor_id == actor.user_id
    return InboxItem(
        thing="exception",
        row=row,
        kind=row.kind,
        kind_words=row.get_kind_display(),
        session=row.session,
        hand=_hand(row),
        words=row.words,
        raised_at=row.raised_at,
        raised_by=row.command.actor,
        is_own=is_own,
        **_taking(takings.get(row.pk), actor, is_own=is_own),
        window=window,
        has_ended=row.kind == TableException.Kind.NOT_RULED
        or (row.kind == TableException.Kind.UNDO_ASKED and window is not None and not window.is_open),
    )


def _dispute(row: Dispute, actor: Actor, takings: Takings, windows: Windows) -> InboxItem:
    return InboxItem(
        thing="dispute",
        row=row,
        kind="dispute",
        kind_words=_("Dispute"),
        session=row.session,
        hand=_hand(row),
        words=row.about,
        raised_at=row.raised_at,
        raised_by=row.command.actor,
        is_own=False,
        **_taking(takings.get(row.pk), actor),
        window=windows.get(row.hand_id),
    )


def _call(row: FloorCall, actor: Actor) -> InboxItem:
    return InboxItem(
        thing="call",
        row=row,
        kind="call",
        kind_words=_("Floor called: %(reason)s") % {"reason": row.get_reason_display().lower()},
        session=row.session,
        hand=_hand(row),
        words=row.note,
        raised_at=row.called_at,
        raised_by=row.command.actor,
        is_own=row.command.actor_id == actor.user_id,
        has_ended=not row.session.is_open,
    )


def _with_figures(items: Sequence[InboxItem]) -> list[InboxItem]:
    """The same items with the payments that they are about."""
    hands = _hands([item.hand.pk for item in items if item.hand is not None and item.thing != "call"])
    changes = {pk: _paid_and_due(hand) for pk, hand in hands.items()}
    return [replace(item, lines=_lines(item, changes)) for item in items]


def _hands(ids: Collection[UUID]) -> dict[UUID, Hand]:
    return (
        Hand.objects.select_related("final_record__verdict", "session__table")
        .prefetch_related("seats__sitting__patron", "wagers__sitting__patron", "bank_shares__sitting__patron")
        .prefetch_related("final_record__paid_differently__wager", "final_record__paid_differently__share")
        .in_bulk(ids)
    )


def _paid_and_due(hand: Hand) -> list[PaymentChange]:
    """Every payment of a hand that was settled, what was due before what was paid; none of another hand."""
    record = hand.final_record
    if record is None:
        return []
    return payment_changes((record.data, record.verdict.data), judged(record), names_of(hand))


def _lines(item: InboxItem, changes: Mapping[UUID, Sequence[PaymentChange]]) -> list[PaymentChange]:
    """Of what was paid otherwise the lines that differ, of anything else about a hand all that it paid."""
    lines = changes.get(item.hand.pk, ()) if item.hand is not None else ()
    if item.kind == TableException.Kind.PAID_DIFFERENTLY:
        return [line for line in lines if line.differs]
    return list(lines)


def _decided(actor: Actor) -> list[Decided]:
    """What was decided in the gaming day of each room, the newest first."""
    rooms = Room.objects.filter(staff__user_id=actor.user_id)
    began = {room.pk: _day_began(room) for room in rooms}
    if not began:
        return []
    found = [*_decisions(began), *_rulings(began)]
    return sorted(found, key=attrgetter("decided_at"), reverse=True)[:DECIDED_SHOWN]


def _day_began(room: Room) -> datetime:
    day = room.gaming_day(timezone.now())
    return gaming_day_bounds(day, time_zone=room.zone, starts_at=room.day_starts_at)[0]


def _since(path: str, instant: str, began: Mapping[UUID, datetime]) -> Q:
    """The rows whose room, at ``path``, has them in the gaming day that runs."""
    found = Q()
    for room, since in began.items():
        found |= Q(**{path: room, f"{instant}__gte": since})
    return found


def _decisions(began: Mapping[UUID, datetime]) -> Iterator[Decided]:
    rows = (
        ExceptionDecision.objects.filter(_since("exception__session__table__room", "decided_at", began))
        .select_related("exception__session__table__room", "exception__hand", "exception__command__actor")
        .select_related("command__actor")
        .order_by("-decided_at", "-pk")
    )
    for row in rows[:DECIDED_SHOWN]:
        yield Decided(
            kind_words=row.exception.get_kind_display(),
            session=row.exception.session,
            hand=row.exception.hand,
            words=row.exception.words,
            raised_by=row.exception.command.actor,
            outcome=row.outcome,
            outcome_words=row.get_outcome_display(),
            reason=row.reason,
            rule="",
            decided_at=row.decided_at,
            decided_by=row.command.actor,
        )


def _rulings(began: Mapping[UUID, datetime]) -> Iterator[Decided]:
    rows = (
        Ruling.objects.filter(_since("dispute__session__table__room", "ruled_at", began))
        .exclude(outcome=Ruling.Outcome.NOT_IN_TIME)
        .select_related("dispute__session__table__room", "dispute__hand", "dispute__command__actor", "command__actor")
        .order_by("-ruled_at", "-pk")
    )
    for row in rows[:DECIDED_SHOWN]:
        yield Decided(
            kind_words=_("Dispute"),
            session=row.dispute.session,
            hand=row.dispute.hand,
            words=row.dispute.about,
            raised_by=row.dispute.command.actor,
            outcome=row.outcome,
            outcome_words=row.get_outcome_display(),
            reason=row.words,
            rule=row.rule,
            decided_at=row.ruled_at,
            decided_by=row.command.actor,
        )
