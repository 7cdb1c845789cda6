"""Jackpots: pools fed by flat amounts beside the collection and kept apart from it, and what was paid out of them (CP-63)."""

from __future__ import annotations

import uuid
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from tables.models.commands import Command
from tables.models.people import Sitting
from tables.models.records import HandRecord
from tables.models.rooms import Game, Room


class Jackpot(models.Model):
    """A pool of a room and a game: what each player or wager puts in, and which hands qualify.

    ``qualifying`` is a list of ``{"segment", "category", "min_ranks"}``. Tables that are opened while it is open feed it
    until they close.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="jackpots")
    game = models.CharField(_("game"), max_length=20, choices=Game.choices)
    slug = models.SlugField(_("slug"), max_length=60)
    title = models.CharField(_("title"), max_length=120)
    fee_cents = models.BigIntegerField(_("fee"))
    qualifying = models.JSONField(_("qualifying hands"))
    account = models.OneToOneField("ledger.Account", on_delete=models.PROTECT, related_name="+")
    opened_at = models.DateTimeField(_("opened"))
    opened_by = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(_("closed"), null=True)
    closed_by = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+", null=True)

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        verbose_name = _("jackpot")
        verbose_name_plural = _("jackpots")
        constraints = (
            models.UniqueConstraint(name="jackpot_slug_once_a_room", fields=["room", "slug"]),
            models.UniqueConstraint(
                name="jackpot_one_open_a_game", fields=["room", "game"], condition=Q(closed_at__isnull=True)
            ),
            models.CheckConstraint(name="jackpot_game_known", condition=Q(game__in=Game.values)),
            models.CheckConstraint(name="jackpot_fee_positive", condition=Q(fee_cents__gt=0)),
            models.CheckConstraint(
                name="jackpot_closed_by_a_command",
                condition=Q(closed_at__isnull=True, closed_by__isnull=True)
                | Q(closed_at__isnull=False, closed_by__isnull=False),
            ),
        )
        triggers = (
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="closed_is_final", operation=pgtrigger.Update, condition=pgtrigger.Q(old__closed_at__isnull=False)
            ),
            pgtrigger.ReadOnly(
                name="terms_fixed",
                fields=[
                    "room",
                    "game",
                    "slug",
                    "title",
                    "fee_cents",
                    "qualifying",
                    "account",
                    "opened_at",
                    "opened_by",
                ],
            ),
        )

    def __str__(self) -> str:
        return self.title

    @property
    def is_open(self) -> bool:
        """Whether tables can be opened with it."""
        return self.closed_at is None


class JackpotAward(AppendOnly):
    """What a hand was paid out of a pool, by floor and manager together.

    It belongs to the record by which the hand qualified. A hand that is judged again gives the award back and has another
    record, so that the new verdict decides about the next award. Of two that qualify the lower is not paid; equal ones may be.
    """

    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, related_name="awards")
    record = models.ForeignKey(HandRecord, on_delete=models.PROTECT, related_name="jackpot_awards")
    place = models.PositiveSmallIntegerField(_("seat or position"))
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="jackpot_awards")
    amount_cents = models.BigIntegerField(_("amount"))
    approver = models.ForeignKey("staff.User", on_delete=models.PROTECT, related_name="+")
    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("jackpot award")
        verbose_name_plural = _("jackpot awards")
        constraints = (
            models.UniqueConstraint(name="jackpotaward_once_a_hand", fields=["record", "place"]),
            models.CheckConstraint(name="jackpotaward_amount_positive", condition=Q(amount_cents__gt=0)),
        )

    def __str__(self) -> str:
        return f"{self.jackpot}: {self.amount_cents}"
