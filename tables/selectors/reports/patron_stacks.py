"""What was done to one patron's stacks in a span of time: the figures of the patron's statement, from the entries of the ledger.

The entries of one person's stacks are few and stand together in an index, so that no figure depends on how much others played.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import OuterRef, Q, Subquery

from ledger.kinds import TransactionKind
from ledger.models import Entry
from tables.models import MoneyBehind, Patron, Resettlement, Restriction, Sitting
from tables.selectors.corrections import OF_A_SITTING
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.happenings import in_company, reason_in_words
from tables.selectors.reports.money import BY, BY_WHOM, read, streamed
from tables.selectors.reports.report import Mark

_IN_ACTION = (TransactionKind.WAGER, TransactionKind.BANK)
_PLAYED = (
    *_IN_ACTION,
    TransactionKind.PAYMENT,
    TransactionKind.SETTLEMENT,
    TransactionKind.RETURN,
    TransactionKind.RULING_ADVANCE,
    TransactionKind.RULING_RETURN,
)
"""What hands do to a stack. What is lent during a ruling comes back with the same command."""
_COLLECTED = (TransactionKind.COLLECTION, TransactionKind.WAIVER, TransactionKind.COLLECTION_REFUND)

MONEY = {
    TransactionKind.BUY_IN.value: ("cash_in", 1),
    TransactionKind.CASH_OUT.value: ("cash_out", -1),
    TransactionKind.CHIPS_IN.value: ("chips_in", 1),
    TransactionKind.CHIPS_OUT.value: ("chips_out", -1),
}
"""The column that each way of bringing and taking belongs to, and the sign that its entries on the stack have there."""

_ENTRIES = """
    FROM ledger_entry entry
    JOIN ledger_transaction moved ON moved.id = entry.transaction_id
    LEFT JOIN ledger_transaction reversed ON reversed.id = moved.reverses_id
"""
_OF_THE_STACKS = " WHERE entry.account_id = ANY(%(stacks)s) AND moved.recorded_at < %(end)s "
_KIND = "COALESCE(reversed.kind, moved.kind)"
_IN_SPAN = "moved.recorded_at >= %(start)s"


def _sum(condition: str) -> str:
    return f"COALESCE(sum(entry.amount_cents) FILTER (WHERE {condition}), 0)::bigint"


_OPENED = f"SELECT entry.account_id, sum(entry.amount_cents)::bigint {_ENTRIES} {_OF_THE_STACKS} AND NOT {_IN_SPAN} GROUP BY 1"
_MOVEMENTS = f"""
    SELECT moved.recorded_at, entry.account_id, {_KIND}, reversed.id IS NOT NULL, entry.amount_cents, entry.balance_after_cents,
        {BY}
    {_ENTRIES} {BY_WHOM}
    {_OF_THE_STACKS} AND {_IN_SPAN} AND {_KIND} = ANY(%(own)s)
    ORDER BY entry.id
"""
_HANDS_JOINED = """
    JOIN tables_hand hand ON hand.id = CASE
        WHEN moved.reference LIKE 'hand:%%' THEN substring(moved.reference FROM 6)::uuid END
    JOIN tables_tablesession session ON session.id = hand.session_id
    JOIN tables_table place ON place.id = session.table_id
"""
_HANDS = f"""
    SELECT hand.id, hand.number, hand.started_at, hand.ended_at, hand.status, place.number, place.game, session.id,
        entry.account_id,
        -{_sum(f"{_IN_SPAN} AND {_KIND} = ANY(%(in_action)s)")},
        {_sum(f"NOT {_IN_SPAN} AND {_KIND} = ANY(%(played)s)")},
        {_sum(f"{_IN_SPAN} AND {_KIND} = ANY(%(played)s)")},
        -{_sum(f"{_IN_SPAN} AND {_KIND} = ANY(%(collected)s)")},
        -{_sum(f"{_IN_SPAN} AND {_KIND} = 'jackpot-fee'")},
        {_sum(f"{_IN_SPAN} AND {_KIND} = 'jackpot-award'")}
    {_ENTRIES} {_HANDS_JOINED} {_OF_THE_STACKS}
    GROUP BY hand.id, place.id, session.id, entry.account_id
    HAVING bool_or({_IN_SPAN})
    ORDER BY hand.started_at, hand.id
"""
_CORRECTED = f"""
    SELECT moved.command, sum(entry.amount_cents)::bigint
    {_ENTRIES} {_HANDS_JOINED} {_OF_THE_STACKS} AND {_IN_SPAN} AND {_KIND} = ANY(%(played)s)
        AND moved.command IN (SELECT command_id FROM tables_resettlement WHERE hand_id = hand.id)
    GROUP BY 1
"""  # noqa: S608
_KINDS = {
    "in_action": [kind.value for kind in _IN_ACTION],
    "played": [kind.value for kind in _PLAYED],
    "collected": [kind.value for kind in _COLLECTED],
    "own": [kind.value for kind in (*OF_A_SITTING, TransactionKind.TABLE_MOVE)],
}


class Movement(NamedTuple):
    """Something brought to a stack, taken from it or moved with it, or what took that back."""

    recorded_at: datetime
    stack_id: UUID
    kind: str
    takes_back: bool
    cents: int
    after_cents: int
    by: str
    approver: str | None
    reason_code: str
    reason: str

    @property
    def column(self) -> tuple[str, int]:
        """The column that it belongs to, and the sign that it has there."""
        if self.kind == TransactionKind.TABLE_MOVE:
            return ("moved_in", 1) if self.cents > 0 else ("moved_out", -1)
        return MONEY[self.kind]

    @property
    def stands_cents(self) -> int:
        """What it adds to its column, negative where it takes something back."""
        return self.cents * self.column[1]

    @property
    def mark(self) -> Mark:
        """The note on what this took back."""
        who = in_company(self.by, self.approver)
        return Mark(-self.stands_cents, who, self.recorded_at, reason_in_words(self.reason_code, self.reason))


class Played(NamedTuple):
    """What a hand did to a stack within the span, in cents; ``before_cents`` is what it had done before, negative if it took.

    ``within_cents`` are its wagers, bank and payments, ``staked_cents`` the wagers and bank alone, positive. Collections are less
    what was waived or given back.
    """

    hand_id: UUID
    number: int
    started_at: datetime
    ended_at: datetime | None
    status: str
    table: int
    game: str
    session_id: UUID
    stack_id: UUID
    staked_cents: int
    before_cents: int
    within_cents: int
    collections_cents: int
    fees_cents: int
    awards_cents: int

    def left_cents(self, start: datetime, end: datetime) -> int:
        """What was in action in it at the end of the span, less what was at the beginning."""
        at_the_beginning = 0 if self._is_over(start) else -self.before_cents
        at_the_end = 0 if self._is_over(end) else -self.before_cents - self.within_cents
        return at_the_end - at_the_beginning

    def _is_over(self, instant: datetime) -> bool:
        return self.ended_at is not None and self.ended_at < instant


@dataclass(slots=True)
class Play:
    """What hands come to: how many, what they won or lost when they ended, and what went beside that, in cents."""

    hands: int = 0
    net_cents: int = 0
    left_cents: int = 0
    collections_cents: int = 0
    fees_cents: int = 0
    awards_cents: int = 0

    def add(self, other: Play) -> None:
        """Count another's figures as well."""
        self.hands += other.hands
        self.net_cents += other.net_cents
        self.left_cents += other.left_cents
        self.collections_cents += other.collections_cents
        self.fees_cents += other.fees_cents
        self.awards_cents += other.awards_cents

    @property
    def change_cents(self) -> int:
        """What it did to the stack."""
        return self.net_cents - self.left_cents - self.collections_cents - self.fees_cents + self.awards_cents


@dataclass(slots=True)
class Stack:
    """A stack's way through the span: opening, what was brought and taken by column, what hands did; all in cents.

    ``taken_back`` is what was taken back, by column, each part with its note; under ``net`` what settling hands again took.
    """

    opening_cents: int = 0
    money_cents: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    change_cents: int = 0
    play: Play = field(default_factory=Play)
    taken_back: dict[str, list[tuple[int, Mark]]] = field(default_factory=lambda: defaultdict(list))

    @property
    def closing_cents(self) -> int:
        """Opening and everything since."""
        return self.opening_cents + self.change_cents + self.play.change_cents


@dataclass(frozen=True, slots=True)
class PatronFacts:
    """What the statement of a patron is made of, by the stack of each sitting."""

    asked: Asked
    patron: Patron
    sittings: Mapping[UUID, Sitting]
    stacks: Mapping[UUID, Stack]
    games: defaultdict[str, Play]
    corrected: Mapping[UUID, Sequence[tuple[int, Mark]]]
    behind: Sequence[MoneyBehind]

    @classmethod
    def of(cls, asked: Asked, patron: Patron) -> PatronFacts:
        """Those of the span."""
        sittings = {each.stack_id: each for each in _sittings(asked, patron)}
        changes = MoneyBehind.objects.filter(sitting__in=[each.pk for each in sittings.values()])
        behind = changes.filter(command__recorded_at__lt=asked.span.end).select_related("command__actor").order_by("pk")
        found = cls(
            asked,
            patron,
            sittings,
            {stack_id: Stack() for stack_id in sittings},
            defaultdict(Play),
            _corrected(asked, list(sittings)),
            list(behind),
        )
        found._add_up()
        return found

    def _add_up(self) -> None:
        for stack_id, cents in read(_OPENED, self.asked, stacks=list(self.sittings)):
            self.stacks[stack_id].opening_cents = cents
        for movement in self.movements():
            stack, (column, _sign) = self.stacks[movement.stack_id], movement.column
            stack.money_cents[column] += movement.stands_cents
            stack.change_cents += movement.cents
            if movement.takes_back:
                stack.taken_back[column].append((-movement.stands_cents, movement.mark))
        for hand in self.hands():
            play = self.play_of(hand)
            stack = self.stacks[hand.stack_id]
            stack.play.add(play)
            stack.taken_back["net"] += self.corrected.get(hand.hand_id, ())
            self.games[hand.game].add(play)
        for stack in self.stacks.values():
            # Hands come in the order of their deals, and were settled again in any.
            stack.taken_back["net"].sort(key=lambda part: part[1].at)

    def movements(self) -> Iterator[Movement]:
        """Everything brought, taken and moved, in order; read anew each time."""
        return (Movement(*row) for row in self._streamed(_MOVEMENTS))

    def hands(self) -> Iterator[Played]:
        """Every hand that did something to a stack, in the order of the deal; read anew each time."""
        return (Played(*row) for row in self._streamed(_HANDS))

    def _streamed(self, statement: str) -> Iterator[tuple[Any, ...]]:
        return streamed(statement, self.asked, stacks=list(self.sittings), **_KINDS)

    def play_of(self, hand: Played) -> Play:
        """What a hand comes to."""
        left_cents = hand.left_cents(self.asked.span.start, self.asked.span.end)
        fees = hand.collections_cents, hand.fees_cents, hand.awards_cents
        return Play(1, hand.within_cents + left_cents, left_cents, *fees)

    def behind_cents(self, sitting: Sitting) -> int:
        """What a sitting had behind at the end of the span."""
        return sum(change.change_cents for change in self.behind if change.sitting_id == sitting.pk)

    def restrictions(self) -> Iterator[Restriction]:
        """Those that were in force at some moment of the span, the earliest first."""
        span = self.asked.span
        lasted = Q(until_date__isnull=True) | Q(until_date__gte=span.first)
        not_lifted = Q(lift__isnull=True) | Q(lift__lifted_at__gte=span.start)
        found = self.patron.restrictions.filter(lasted, not_lifted, started_at__lt=span.end)
        return found.select_related("command__actor", "lift").order_by("started_at", "pk").iterator()


def _sittings(asked: Asked, patron: Patron) -> Iterator[Sitting]:
    """The sittings that went on in the span, and those of which something was corrected in it after they had ended."""
    entries = Entry.objects.filter(account=OuterRef("stack"), transaction__recorded_at__lt=asked.span.end)
    last = entries.order_by("-pk").values("transaction__recorded_at")[:1]
    there = Q(ended_at__isnull=True) | Q(ended_at__gte=asked.span.start) | Q(last_at__gte=asked.span.start)
    found = Sitting.objects.alias(last_at=Subquery(last)).filter(
        there, patron=patron, session__table__in=asked.table_ids, started_at__lt=asked.span.end
    )
    found = found.select_related("session__table", "seat", "moved_from__session__table", "moved_to__session__table")
    return found.order_by("started_at", "pk").iterator()


def _corrected(asked: Asked, stack_ids: Sequence[UUID]) -> Mapping[UUID, Sequence[tuple[int, Mark]]]:
    """By hand, what each time it was settled again took from what was won, with the note on that."""
    changes = {command: cents for command, cents in read(_CORRECTED, asked, stacks=stack_ids, **_KINDS) if cents}
    rows = Resettlement.objects.filter(command__in=changes).select_related("command__actor", "approver")
    found: dict[UUID, list[tuple[int, Mark]]] = defaultdict(list)
    for row in rows.order_by("number"):
        who = in_company(row.command.actor.name, row.approver.name if row.approver else None)
        mark = Mark(None, who, row.command.recorded_at, reason_in_words(row.reason_code, row.reason))
        found[row.hand_id].append((-changes[row.command_id], mark))
    return found
