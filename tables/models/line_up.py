"""The line-up: which dealers are on duty in a room, and their breaks."""

from __future__ import annotations

import uuid
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tables.models.commands import Command
from tables.models.rooms import Room


class Duty(models.Model):
    """A dealer on duty in a room, from coming on to going off. One room at a time; ``command`` is the coming on."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="duties")
    dealer = models.ForeignKey("staff.User", on_delete=models.PROTECT, related_name="duties")
    came_on_at = models.DateTimeField(_("came on"))
    went_off_at = models.DateTimeField(_("went off"), null=True)
    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        verbose_name = _("dealer on duty")
        verbose_name_plural = _("dealers on duty")
        constraints = (
            models.UniqueConstraint(name="duty_one_a_dealer", fields=["dealer"], condition=Q(went_off_at__isnull=True)),
            models.CheckConstraint(
                name="duty_ends_after_it_began",
                condition=Q(went_off_at__isnull=True) | Q(went_off_at__gte=F("came_on_at")),
            ),
        )
        triggers = (
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="ended_is_final", operation=pgtrigger.Update, condition=pgtrigger.Q(old__went_off_at__isnull=False)
            ),
            pgtrigger.ReadOnly(name="facts_fixed", fields=["room", "dealer", "came_on_at", "command"]),
        )

    def __str__(self) -> str:
        return f"{self.dealer} in {self.room}"


class DealerBreak(models.Model):
    """A dealer's break. ``due_back_at`` is when it should be over; ``command`` is its beginning, and says who gave it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    duty = models.ForeignKey(Duty, on_delete=models.PROTECT, related_name="breaks")
    started_at = models.DateTimeField(_("began"))
    due_back_at = models.DateTimeField(_("due back"))
    ended_at = models.DateTimeField(_("ended"), null=True)
    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        verbose_name = _("dealer's break")
        verbose_name_plural = _("dealers' breaks")
        constraints = (
            models.UniqueConstraint(name="dealerbreak_one_a_duty", fields=["duty"], condition=Q(ended_at__isnull=True)),
            models.CheckConstraint(
                name="dealerbreak_times_in_order",
                condition=Q(due_back_at__gt=F("started_at"))
                & (Q(ended_at__isnull=True) | Q(ended_at__gte=F("started_at"))),
            ),
        )
        triggers = (
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="ended_is_final", operation=pgtrigger.Update, condition=pgtrigger.Q(old__ended_at__isnull=False)
            ),
            pgtrigger.ReadOnly(name="facts_fixed", fields=["duty", "started_at", "due_back_at", "command"]),
        )

    def __str__(self) -> str:
        return f"Break of {self.duty}"
