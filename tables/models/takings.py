"""Who of the floor has what waits for a decision in hand, so that two people do not work on one thing."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tables.models.commands import Command
from tables.models.rulings import Dispute, TableException


class Taking(models.Model):
    """Somebody has taken an exception or a dispute, until it is decided on, given back, or taken over.

    ``command`` took it, so its actor is who has it; ``ended_by`` is what ended that. What was decided without being taken first
    has both in one.
    """

    exception = models.ForeignKey(TableException, on_delete=models.PROTECT, related_name="takings", null=True)
    dispute = models.ForeignKey(Dispute, on_delete=models.PROTECT, related_name="takings", null=True)
    taken_at = models.DateTimeField(_("taken"))
    ended_at = models.DateTimeField(_("ended"), null=True)
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+")
    ended_by = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+", null=True)

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        verbose_name = _("taken by")
        verbose_name_plural = _("taken by")
        constraints = (
            models.UniqueConstraint(
                name="taking_one_an_exception", fields=["exception"], condition=Q(ended_at__isnull=True)
            ),
            models.UniqueConstraint(
                name="taking_one_a_dispute", fields=["dispute"], condition=Q(ended_at__isnull=True)
            ),
            models.CheckConstraint(
                name="taking_of_one_thing",
                condition=Q(exception__isnull=False, dispute__isnull=True)
                | Q(exception__isnull=True, dispute__isnull=False),
            ),
            models.CheckConstraint(
                name="taking_ended_by_a_command",
                condition=Q(ended_at__isnull=True, ended_by__isnull=True)
                | Q(ended_at__gte=models.F("taken_at"), ended_by__isnull=False),
            ),
        )
        triggers = (
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="ended_is_final", operation=pgtrigger.Update, condition=pgtrigger.Q(old__ended_at__isnull=False)
            ),
            pgtrigger.ReadOnly(name="facts_fixed", fields=["exception", "dispute", "taken_at", "command"]),
        )

    def __str__(self) -> str:
        return f"{self.exception or self.dispute}: {self.command.actor}"
