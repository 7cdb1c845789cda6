"""What the HTTP API reads about the house: incidents, disputes, exceptions, who may not play, collections and jackpots.

As in `api_reads`, each only for those who may see it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Case, F, QuerySet, Value, When

from casino.staff.actor import Actor
from ledger.selectors import balances_of
from tables.models import CollectionSchedule, Dispute, Incident, Jackpot, Restriction, TableException
from tables.selectors.api_reads import rooms, tables
from tables.selectors.hands import rooms_read_by
from tables.selectors.restrictions import KNOW_WHY


def incidents(actor: Actor) -> QuerySet[Incident]:
    """Incidents at the tables that the actor reads, the newest first."""
    found = Incident.objects.filter(session__table__in=tables(actor))
    return found.prefetch_related("people").order_by("-recorded_at", "-pk")


def disputes(actor: Actor) -> QuerySet[Dispute]:
    """Disputes with their rulings, the newest first."""
    return (
        Dispute.objects.filter(session__table__in=tables(actor))
        .select_related("command__actor", "ruling__command__actor")
        .order_by("-raised_at", "-pk")
    )


def exceptions(actor: Actor) -> QuerySet[TableException]:
    """Exceptions with what was decided, the newest first."""
    return (
        TableException.objects.filter(session__table__in=tables(actor))
        .select_related("command__actor", "decision__command__actor")
        .order_by("-raised_at", "-pk")
    )


def restrictions(actor: Actor) -> QuerySet[Restriction]:
    """Who may not play, the newest first: for who reads history. Raises ``Forbidden``.

    ``told`` is why; of a self-restriction it is empty for who need not know.
    """
    why: F | Case = F("reason")
    if not actor.has_role(*KNOW_WHY):
        why = Case(When(kind=Restriction.Kind.SELF_RESTRICTED, then=Value("")), default=F("reason"))
    return (
        Restriction.objects.filter(patron__room__in=rooms_read_by(actor))
        .annotate(told=why)
        .select_related("patron", "command__actor", "lift__command__actor")
        .order_by("-started_at", "-pk")
    )


def schedules(actor: Actor) -> QuerySet[CollectionSchedule]:
    """The collection schedules of the rooms that the actor reads, by slug, the newest version first."""
    found = CollectionSchedule.objects.filter(room__in=rooms(actor)).select_related("command__actor")
    return found.prefetch_related("rates").order_by("room__name", "room_id", "slug", "-version")


def jackpots(actor: Actor) -> QuerySet[Jackpot]:
    """The jackpots of the rooms that the actor reads, the newest first."""
    return Jackpot.objects.filter(room__in=rooms(actor)).order_by("-opened_at", "-pk")


@dataclass(frozen=True, slots=True)
class JackpotRow:
    """A jackpot with what its pool holds, in cents."""

    jackpot: Jackpot
    pool_cents: int


def with_pools(found: Iterable[Jackpot]) -> Sequence[JackpotRow]:
    """Jackpots with their pools."""
    rows = list(found)
    pools = balances_of(jackpot.account_id for jackpot in rows)
    return [JackpotRow(jackpot, pools[jackpot.account_id]) for jackpot in rows]
