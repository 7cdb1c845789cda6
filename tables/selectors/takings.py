"""Reads about who has taken what waits for a decision."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import Q

from ledger.rows import ComposedModels, any_of
from tables.models import Dispute, TableException, Taking


def open_taking(item: TableException | Dispute) -> Taking | None:
    """Who has an exception or a dispute now, if anybody."""
    about = Q(exception=item) if isinstance(item, TableException) else Q(dispute=item)
    return Taking.objects.filter(about, ended_at__isnull=True).select_related("command__actor").first()


def open_takings(ids: Collection[UUID]) -> dict[UUID | None, Taking]:
    """Who has what, of exceptions and disputes together by their ids, in one query."""
    if not ids:
        return {}
    return {row.exception_id or row.dispute_id: row for row in _OPEN(list(ids))}


_OPEN = ComposedModels(
    lambda ids: Taking.objects.filter(
        Q(exception__in=any_of(ids)) | Q(dispute__in=any_of(ids)), ended_at__isnull=True
    ).select_related("command__actor")
)
