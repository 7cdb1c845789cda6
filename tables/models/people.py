"""Patrons, their sittings, and what they bought in."""

from __future__ import annotations

import uuid
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from tables.models.commands import Command
from tables.models.rooms import Room, Seat
from tables.models.sessions import TableSession


class Patron(models.Model):
    """Somebody who plays: known by a card number, or only described ("tall, red cap")."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="patrons")
    number = models.CharField(_("card number"), max_length=20, blank=True)
    name = models.CharField(_("name or description"), max_length=120)
    created_at = models.DateTimeField(_("added"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("patron")
        verbose_name_plural = _("patrons")
        constraints = (
            models.UniqueConstraint(
                name="patron_number_once_a_room", fields=["room", "number"], condition=~Q(number="")
            ),
            models.CheckConstraint(name="patron_has_a_name", condition=~Q(name="")),
        )

    def __str__(self) -> str:
        return self.name


class Sitting(models.Model):
    """A patron at a table, from sitting down to cashing out, with a stack of chips.

    ``seat`` is ``None`` for somebody who stands behind the players and wagers on the backline only.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="sittings")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="sittings", null=True)
    patron = models.ForeignKey(Patron, on_delete=models.PROTECT, related_name="sittings")
    stack = models.OneToOneField("ledger.Account", on_delete=models.PROTECT, related_name="+")
    started_at = models.DateTimeField(_("sat down"))
    ended_at = models.DateTimeField(_("left"), null=True)

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        verbose_name = _("sitting")
        verbose_name_plural = _("sittings")
        constraints = (
            models.UniqueConstraint(
                name="sitting_one_occupant_a_seat",
                fields=["seat"],
                condition=Q(ended_at__isnull=True, seat__isnull=False),
            ),
            models.UniqueConstraint(
                name="sitting_one_a_patron", fields=["session", "patron"], condition=Q(ended_at__isnull=True)
            ),
        )
        triggers = (
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(name="facts_fixed", fields=["session", "patron", "stack", "started_at"]),
        )

    def __str__(self) -> str:
        return f"{self.patron} at {self.seat or self.session.table}"


class BuyIn(AppendOnly):
    """Chips brought into play: bought for cash, or carried in (CP-60, CP-61)."""

    class Means(models.TextChoices):
        """What was put on the table for the chips."""

        CASH = "cash", _("Cash")
        CHIPS = "chips", _("Chips carried in")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="buy_ins")
    amount_cents = models.BigIntegerField(_("amount"))
    means = models.CharField(_("means"), max_length=10, choices=Means.choices)
    is_short = models.BooleanField(_("short buy"))
    bought_at = models.DateTimeField(_("bought"))
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("buy-in")
        verbose_name_plural = _("buy-ins")
        constraints = (
            models.CheckConstraint(name="buyin_amount_positive", condition=Q(amount_cents__gt=0)),
            models.CheckConstraint(name="buyin_means_known", condition=Q(means__in=["cash", "chips"])),
        )

    def __str__(self) -> str:
        return f"{self.sitting}: {self.amount_cents}"
