"""Whose personal data was erased, when, on whose behalf and why. Nobody who reads this learns who it was."""

from __future__ import annotations

from django.db.models import QuerySet

from casino.staff.actor import READS_ALL, Actor
from tables.access import check_web_access
from tables.models import Erasure


def erasures(actor: Actor) -> QuerySet[Erasure]:
    """Every erasure, the newest first. Raises ``Forbidden`` for who does not read the history of every room."""
    check_web_access(actor, READS_ALL)
    return Erasure.objects.select_related("room", "command__actor", "command__approver").order_by("-erased_at", "-pk")
