"""What went wrong at a table, and with whom; and what the Player/Dealer asked to be done with the deck."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from tables.models.commands import Command
from tables.models.hands import Hand
from tables.models.people import Sitting
from tables.models.sessions import TableSession


class Incident(AppendOnly):
    """An irregularity that somebody saw, with what came of it (CP-40 to CP-42, CP-63, PG-41 to PG-43, PG-47).

    ``seat`` is the seat or position whose hand it is about, ``cards`` canonical text, ``count`` how many cards where they were
    not named. ``hand`` is ``None`` for what happened between hands.
    """

    class Kind(models.TextChoices):
        """What was seen."""

        EXPOSED = "exposed", _("Card exposed")
        BOXED = "boxed", _("Card boxed")
        DEALER_EXPOSED = "dealer-exposed", _("Exposed by the dealer")
        WRONG_SEAT = "wrong-seat", _("Delivered to the wrong player")
        WRONG_COUNT = "wrong-count", _("Wrong number of cards")
        SHOWN = "shown", _("Hand shown")
        DISCUSSED = "discussed", _("Hand discussed")
        SWITCHED = "switched", _("Cards switched or passed")
        HELD_OUT = "held-out", _("Cards held out")
        BELOW_TABLE = "below-table", _("Cards below the table")
        BET_REMOVED = "bet-removed", _("Bet removed")
        OTHER = "other", _("Other")

    class Consequence(models.TextChoices):
        """What came of it."""

        NONE = "none", _("None")
        WARNING = "warning", _("Warning")
        FOUL = "foul", _("Foul")
        JACKPOT_VOID = "jackpot-void", _("Jackpot void")
        BARRED = "barred", _("Barred")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="incidents")
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="incidents", null=True)
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    seat = models.PositiveSmallIntegerField(_("seat or position"), null=True)
    cards = models.CharField(_("cards"), max_length=200, blank=True)
    count = models.PositiveSmallIntegerField(_("how many cards"), null=True)
    note = models.CharField(_("note"), max_length=300, blank=True)
    consequence = models.CharField(
        _("consequence"), max_length=20, choices=Consequence.choices, default=Consequence.NONE
    )
    happened_at = models.DateTimeField(_("happened"))
    recorded_at = models.DateTimeField(_("recorded"))
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("incident")
        verbose_name_plural = _("incidents")
        constraints = (
            models.CheckConstraint(
                name="incident_kind_known",
                condition=Q(
                    kind__in=[
                        "exposed",
                        "boxed",
                        "dealer-exposed",
                        "wrong-seat",
                        "wrong-count",
                        "shown",
                        "discussed",
                        "switched",
                        "held-out",
                        "below-table",
                        "bet-removed",
                        "other",
                    ],
                ),
            ),
            models.CheckConstraint(
                name="incident_consequence_known",
                condition=Q(consequence__in=["none", "warning", "foul", "jackpot-void", "barred"]),
            ),
        )
        indexes = (models.Index(name="incident_by_time", fields=["-recorded_at", "id"]),)

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.session.table}"


class IncidentPerson(AppendOnly):
    """Somebody who had a part in an incident."""

    incident = models.ForeignKey(Incident, on_delete=models.PROTECT, related_name="people")
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="incidents")

    class Meta(AppendOnly.Meta):
        verbose_name = _("person in an incident")
        verbose_name_plural = _("people in incidents")
        constraints = (models.UniqueConstraint(name="incidentperson_once", fields=["incident", "sitting"]),)

    def __str__(self) -> str:
        return f"{self.sitting}"


class DeckRequest(AppendOnly):
    """An extra shuffle or another deck that the Player/Dealer asked for (PG-09)."""

    class What(models.TextChoices):
        """What was asked for."""

        EXTRA_SHUFFLE = "extra-shuffle", _("Extra shuffle")
        DECK_CHANGE = "deck-change", _("Deck change")

    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="deck_requests")
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="deck_requests", null=True)
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="deck_requests")
    what = models.CharField(_("what"), max_length=20, choices=What.choices)
    asked_at = models.DateTimeField(_("asked"))
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("request about the deck")
        verbose_name_plural = _("requests about the deck")
        constraints = (
            models.CheckConstraint(
                name="deckrequest_what_known", condition=Q(what__in=["extra-shuffle", "deck-change"])
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_what_display()}, {self.session.table}"
