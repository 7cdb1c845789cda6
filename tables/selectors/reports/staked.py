"""What banks and wagers of Pai Gow Poker have in common: which hands, what came back, how it ended, and what it was before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from tables.models import Hand, Patron, Resettlement, Sitting, TableSession
from tables.selectors.corrections import judged
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.dealt import DEALT_IN_THE_SPAN
from tables.selectors.reports.happenings import in_company, reason_in_words
from tables.selectors.reports.report import Cell, Link, Mark, Row

GIVEN_BACK = (Hand.Status.VOID, Hand.Status.MISDEAL)
"""Hands that gave everything back that was in action."""


@dataclass(frozen=True, slots=True)
class Stake:
    """What somebody had in action in a hand, as ``staked_statement`` tells it, in cents; whoever reads it adds what it selects.

    ``seat`` is where they were dealt in, or sat down since; ``None`` for who stands. ``net_cents`` is what it won or lost as
    paid, ``None`` while the hand is out and where it gave everything back.
    """

    hand_id: UUID
    number: int
    started_at: datetime
    status: str
    action_account_id: UUID
    table: int
    session_id: UUID
    sitting_id: UUID
    stack_id: UUID
    patron_id: UUID
    seat: int | None
    cents: int
    net_cents: int | None
    is_paid_differently: bool

    @property
    def is_given_back(self) -> bool:
        """Whether the hand gave back everything that was in action."""
        return self.status in GIVEN_BACK

    @property
    def back_cents(self) -> int:
        """What it gave back."""
        return self.cents if self.is_given_back else 0

    @property
    def hand_cells(self) -> Row:
        """When it was dealt, at which table, and its number, which open session and hand."""
        return (
            self.started_at,
            Cell(f"T{self.table}", Link("session", self.session_id)),
            Cell(self.number, Link("hand", self.hand_id)),
        )


def staked_statement(select: str, stake: str, withdrawn: str, line: str, otherwise: str, order: str) -> str:
    """A statement for ``money.read``: every ``stake`` in the hands of the span that was not withdrawn before the dice.

    ``line`` is its line of the verdict that counts now, ``otherwise`` what ties it to what was paid instead. Withdrawn ones are
    those of which ``withdrawn`` is a row.
    """
    return f"""
        SELECT hand.id, hand.number, hand.started_at, hand.status, hand.action_account_id, place.number, session.id,
            sitting.id, sitting.stack_id, sitting.patron_id, COALESCE(dealt_in.number, seat.number), stake.amount_cents,
            COALESCE(otherwise.paid_cents, (line ->> 'net')::bigint), otherwise.id IS NOT NULL, {select}
        FROM tables_hand hand
        JOIN tables_tablesession session ON session.id = hand.session_id
        JOIN tables_table place ON place.id = session.table_id
        JOIN {stake} stake ON stake.hand_id = hand.id
            AND NOT EXISTS (SELECT FROM tables_withdrawal back WHERE back.{withdrawn} = stake.id)
        JOIN tables_sitting sitting ON sitting.id = stake.sitting_id
        LEFT JOIN tables_handseat dealt_in ON dealt_in.hand_id = hand.id AND dealt_in.sitting_id = sitting.id
        LEFT JOIN tables_seat seat ON seat.id = sitting.seat_id
        LEFT JOIN tables_verdict verdict ON verdict.record_id = hand.final_record_id AND hand.status = 'settled'
        LEFT JOIN LATERAL {line}
        LEFT JOIN tables_paiddifferently otherwise
            ON otherwise.record_id = verdict.record_id AND otherwise.{otherwise} = stake.id
        WHERE {DEALT_IN_THE_SPAN}
        ORDER BY place.number, hand.started_at, hand.id, {order}
    """  # noqa: S608  only the constants of the modules beside this one are put in


def state_in_words(stakes: Sequence[Stake]) -> str:
    """What became of the hand of these stakes."""
    words = str(Hand.Status(stakes[0].status).label)
    is_paid_differently = any(stake.is_paid_differently for stake in stakes)
    return _("%(state)s, paid differently") % {"state": words} if is_paid_differently else words


def part_of(cents: int, whole_cents: int) -> Decimal:
    """What share of the whole an amount is, to a tenth of a percent, as it is shown everywhere."""
    return (Decimal(cents) / whole_cents).quantize(Decimal("0.001"))


def patrons_at(sessions: Iterable[TableSession]) -> Mapping[UUID, Patron]:
    """Everybody who sat or stood in these sessions, by id, in one query."""
    there = Sitting.objects.filter(session__in=list(sessions)).values("patron")
    return {patron.pk: patron for patron in Patron.objects.filter(pk__in=there)}


def patron_in_words(patron: Patron) -> str:
    """A patron's name or description, with the card number where there is one."""
    return f"{patron} ({patron.number})" if patron.number else str(patron)


def by_name(patron: Patron) -> tuple[str, str, str]:
    """The order in which patrons are listed."""
    return str(patron), patron.number, str(patron.pk)


def patron_cell(patron: Patron) -> Cell:
    """The same, which opens the patron's statement."""
    return Cell(
        patron_in_words(patron), Link("report", "patron-statement", {"patron": patron.number or str(patron.pk)})
    )


Nets = Mapping[str, int]
"""What each line of a verdict won or lost, in cents: a share by its sitting, a wager by its name in the hand."""


class Corrected:
    """What the lines of hands that were settled again were before: each step with who and why, in one query."""

    def __init__(self, asked: Asked, nets_of: Callable[[Mapping[str, Any]], Nets]) -> None:
        found = (
            Resettlement.objects.filter(
                hand__started_at__gte=asked.span.start,
                hand__started_at__lt=asked.span.end,
                hand__session__table__in=asked.table_ids,
                hand__action_account__isnull=False,
            )
            .select_related("command__actor", "approver", "before__verdict")
            .prefetch_related("before__paid_differently__wager", "before__paid_differently__share")
            .order_by("hand", "number")
        )
        self._steps: dict[UUID, list[tuple[Nets, Mark]]] = defaultdict(list)
        for row in found:
            who = in_company(row.command.actor.name, row.approver.name if row.approver else None)
            mark = Mark(None, who, row.command.recorded_at, reason_in_words(row.reason_code, row.reason))
            self._steps[row.hand_id].append((nets_of(judged(row.before)[1]), mark))

    def marks(self, hand_id: UUID, now_cents: int | None, lines: Collection[str]) -> list[Mark]:
        """The notes on what these lines of a hand won or lost together, which is ``now_cents`` now."""
        steps = self._steps.get(hand_id, ())
        were = [sum(nets.get(line, 0) for line in lines) for nets, _mark in steps]
        became = [*were, now_cents or 0][1:]
        return [
            replace(mark, before=was)
            for (_nets, mark), was, then in zip(steps, were, became, strict=False)
            if was != then
        ]
