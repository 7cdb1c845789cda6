"""Reads about who has taken what waits for a decision."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import Q

from tables.models import Dispute, TableException, Taking


def open_taking(item: TableException | Dispute) -> Taking | None:
    """Who has an exception or a dispute now, if anybody."""
    about = Q(exception=item) if isinstance(item, TableException) else Q(dispute=item)
    return Taking.objects.filter(about, ended_at__isnull=True).select_related("command__actor").first()


def open_takings(ids: Collection[UUID]) -> dict[UUID | None, Taking]:
    """Who has what, of exceptions and disputes together by their ids, in one query."""
    rows = Taking.objects.filter(Q(exception__in=ids) | Q(dispute__in=ids), ended_at__isnull=True)
    return {row.exception_id or row.dispute_id: row for row in rows.select_related("command__actor")}
