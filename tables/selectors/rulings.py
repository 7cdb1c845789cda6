"""Reads about disputes and exceptions: what is open at a table, and everything of one hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet

from tables.models import Dispute, Hand, PaidDifferently, TableException, TableSession, Taking


def open_disputes(session: TableSession) -> QuerySet[Dispute]:
    """The disputes of a session that nobody has ruled on, the oldest first."""
    return (
        Dispute.objects.filter(session=session, ruling__isnull=True).select_related("hand").order_by("raised_at", "pk")
    )


def undecided(session: TableSession) -> QuerySet[TableException]:
    """The exceptions of a session that nobody has decided on, the oldest first."""
    return TableException.objects.filter(session=session, decision__isnull=True).order_by("raised_at", "pk")


@dataclass(frozen=True, slots=True)
class HandRulings:
    """What was disputed about a hand, what of it was paid differently, and which exceptions it made, the oldest first."""

    disputes: Sequence[Dispute]
    paid_differently: Sequence[PaidDifferently]
    exceptions: Sequence[TableException]
    takings: Sequence[Taking]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.disputes or self.paid_differently or self.exceptions)

    def commands(self) -> list[UUID]:
        """The keys of the commands behind them, however late those came."""
        rulings = [dispute.ruling for dispute in self.disputes if hasattr(dispute, "ruling")]
        decisions = [exception.decision for exception in self.exceptions if hasattr(exception, "decision")]
        raised = [row.command_id for row in self.disputes] + [row.command_id for row in self.exceptions]
        taken = [key for taking in self.takings for key in (taking.command_id, taking.ended_by_id) if key]
        return raised + taken + [row.command_id for row in rulings] + [row.command_id for row in decisions]


def hand_rulings(hand: Hand) -> HandRulings:
    """The disputes, lines paid differently and exceptions of a hand, and who took them; the lines of every record it stood by."""
    disputes = Dispute.objects.filter(hand=hand).select_related(
        "sitting__patron", "command__actor", "ruling__command__actor"
    )
    lines = PaidDifferently.objects.filter(record__hand=hand).select_related(
        "record", "wager", "share", "command__actor"
    )
    exceptions = TableException.objects.filter(hand=hand).select_related("command__actor", "decision__command__actor")
    return HandRulings(
        list(disputes.order_by("raised_at", "pk")),
        list(lines.order_by("pk")),
        list(exceptions.order_by("raised_at", "pk")),
        list(Taking.objects.filter(Q(dispute__hand=hand) | Q(exception__hand=hand))),
    )
