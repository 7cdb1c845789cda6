"""Collections as data: what a table takes for a hand, by versions that never change, and what was waived of it."""

from __future__ import annotations

import uuid

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from tables.models.commands import Command
from tables.models.hands import Hand
from tables.models.people import Sitting
from tables.models.rooms import Game, Room

MOST_RATES = 5
"""How many rates may be in force at a table at once (PG-04)."""


class Payer(models.TextChoices):
    """For what a collection is taken: being dealt in (CP-65), a wager, or the bank (PG-04)."""

    PLAYER = "player", _("A player")
    WAGER = "wager", _("A wager")
    BANK = "bank", _("The bank")


class CollectionSchedule(AppendOnly):
    """One version of a room's collections for a game, whole, with up to five rates. A change is the next version.

    ``rate_count`` says how many rates it has, so that none can be added later.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="collection_schedules")
    slug = models.SlugField(_("slug"), max_length=60)
    version = models.PositiveIntegerField(_("version"))
    game = models.CharField(_("game"), max_length=20, choices=Game.choices)
    title = models.CharField(_("title"), max_length=120)
    rate_count = models.PositiveSmallIntegerField(_("rates"))
    created_at = models.DateTimeField(_("added"), db_default=Now(), editable=False)
    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(_("why it was added"), max_length=300)

    class Meta(AppendOnly.Meta):
        verbose_name = _("collection schedule")
        verbose_name_plural = _("collection schedules")
        constraints = (
            models.UniqueConstraint(name="collectionschedule_once", fields=["room", "slug", "version"]),
            models.CheckConstraint(name="collectionschedule_game_known", condition=Q(game__in=Game.values)),
            models.CheckConstraint(
                name="collectionschedule_at_most_five_rates",
                condition=Q(rate_count__gte=1, rate_count__lte=MOST_RATES),
            ),
            models.CheckConstraint(name="collectionschedule_has_a_reason", condition=~Q(reason="")),
        )

    def __str__(self) -> str:
        return f"{self.slug}@{self.version}"


class CollectionRate(AppendOnly):
    """A flat amount in cents for a bracket: players dealt in, or cents of a wager or bank, from and to both included.

    The last bracket of a payer has no end (``bracket_to`` is ``None``). Amounts are whole cents, so a percentage has no place
    to stand in.
    """

    schedule = models.ForeignKey(CollectionSchedule, on_delete=models.PROTECT, related_name="rates")
    number = models.PositiveSmallIntegerField(_("number"))
    payer = models.CharField(_("for"), max_length=10, choices=Payer.choices)
    bracket_from = models.BigIntegerField(_("from"))
    bracket_to = models.BigIntegerField(_("to"), null=True)
    amount_cents = models.BigIntegerField(_("amount"))

    class Meta(AppendOnly.Meta):
        verbose_name = _("collection rate")
        verbose_name_plural = _("collection rates")
        constraints = (
            models.UniqueConstraint(name="collectionrate_once", fields=["schedule", "number"]),
            models.CheckConstraint(
                name="collectionrate_at_most_five", condition=Q(number__gte=1, number__lte=MOST_RATES)
            ),
            models.CheckConstraint(name="collectionrate_payer_known", condition=Q(payer__in=Payer.values)),
            models.CheckConstraint(name="collectionrate_amount_positive", condition=Q(amount_cents__gt=0)),
            models.CheckConstraint(
                name="collectionrate_bracket_is_one",
                condition=Q(bracket_from__gte=1)
                & (Q(bracket_to__isnull=True) | Q(bracket_to__gte=models.F("bracket_from"))),
            ),
        )
        triggers = (
            *AppendOnly.Meta.triggers,
            pgtrigger.Trigger(
                name="none_added_later",
                level=pgtrigger.Row,
                when=pgtrigger.Before,
                operation=pgtrigger.Insert,
                func="""
                    IF NEW.number > (SELECT rate_count FROM tables_collectionschedule WHERE id = NEW.schedule_id) THEN
                        RAISE EXCEPTION 'schedule % has all its rates', NEW.schedule_id;
                    END IF;
                    RETURN NEW;
                """,
            ),
        )

    def __str__(self) -> str:
        return f"{self.schedule} {self.get_payer_display()} {self.bracket_from}"


class Waiver(AppendOnly):
    """A collection, or a part of one, given back to who paid it, with the reason. An entry of its own: nothing is undone."""

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="waivers")
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="waivers")
    payer = models.CharField(_("for"), max_length=10, choices=Payer.choices)
    amount_cents = models.BigIntegerField(_("amount"))
    reason = models.CharField(_("why"), max_length=300)
    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("waiver of a collection")
        verbose_name_plural = _("waivers of collections")
        constraints = (
            models.CheckConstraint(name="waiver_payer_known", condition=Q(payer__in=Payer.values)),
            models.CheckConstraint(name="waiver_amount_positive", condition=Q(amount_cents__gt=0)),
            models.CheckConstraint(name="waiver_has_a_reason", condition=~Q(reason="")),
        )

    def __str__(self) -> str:
        return f"{self.hand}: {self.amount_cents}"
