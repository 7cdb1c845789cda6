"""Seats that are held for somebody."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from casino.quickly_read import QuicklyRead
from tables.models.commands import Command
from tables.models.people import Patron
from tables.models.rooms import Seat
from tables.models.sessions import TableSession


class SeatHold(QuicklyRead):
    """A seat that only one patron can take, until it is taken, let go, or ``until`` has passed."""

    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="seat_holds")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="holds")
    patron = models.ForeignKey(Patron, on_delete=models.PROTECT, related_name="seat_holds")
    held_at = models.DateTimeField(_("held since"))
    until = models.DateTimeField(_("held until"))
    ended_at = models.DateTimeField(_("ended"), null=True)
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+")

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        verbose_name = _("held seat")
        verbose_name_plural = _("held seats")
        constraints = (
            models.UniqueConstraint(name="seathold_one_a_seat", fields=["seat"], condition=Q(ended_at__isnull=True)),
            models.CheckConstraint(name="seathold_ends_after_it_began", condition=Q(until__gt=models.F("held_at"))),
        )
        triggers = (
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="ended_is_final", operation=pgtrigger.Update, condition=pgtrigger.Q(old__ended_at__isnull=False)
            ),
            pgtrigger.ReadOnly(name="facts_fixed", fields=["session", "seat", "patron", "held_at", "until", "command"]),
        )

    def __str__(self) -> str:
        return f"{self.seat} held for {self.patron}"
