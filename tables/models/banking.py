"""The offers of the Player/Dealer's position before each hand of Pai Gow Poker, and what was answered (PG-02)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from tables.models.commands import Command
from tables.models.people import Sitting
from tables.models.sessions import TableSession


class BankOffer(AppendOnly):
    """The position offered to a seat for a hand, or passing it by with the reason; once a seat in each round.

    ``hand_number`` is the hand that it is offered for, dealt or not; ``round`` counts how often it went round the table
    for that hand.
    """

    class Skip(models.TextChoices):
        """Why a seat is passed by."""

        LIMIT = "limit", _("held it for as many hands in a row as anybody may")
        ABSENT = "absent", _("absent")
        NO_CHIPS = "no-chips", _("no chips")
        PROVIDER = "provider", _("its provider had the turn before")
        NO_WAGER = "no-wager", _("no wager on this spot in the hand before")

    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="bank_offers")
    hand_number = models.PositiveIntegerField(_("for hand"))
    round = models.PositiveIntegerField(_("round"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="+")
    skipped = models.CharField(_("why it was passed by"), max_length=10, choices=Skip.choices, blank=True)
    offered_at = models.DateTimeField(_("offered"))
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("offer of the bank")
        verbose_name_plural = _("offers of the bank")
        constraints = (
            models.UniqueConstraint(name="bankoffer_once_a_round", fields=["session", "hand_number", "round", "seat"]),
            models.CheckConstraint(
                name="bankoffer_skip_known",
                condition=Q(skipped__in=["", "limit", "absent", "no-chips", "provider", "no-wager"]),
            ),
        )

    def __str__(self) -> str:
        return f"{self.session.table} hand {self.hand_number}: bank to seat {self.seat}"


class BankAnswer(AppendOnly):
    """What somebody said to an offer. The last answer counts: until the hand begins, who accepted may hand it back."""

    offer = models.ForeignKey(BankOffer, on_delete=models.PROTECT, related_name="answers")
    accepts = models.BooleanField(_("accepted"))
    answered_at = models.DateTimeField(_("answered"))
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("answer to an offer of the bank")
        verbose_name_plural = _("answers to offers of the bank")

    def __str__(self) -> str:
        return f"{self.offer}: {_('accepted') if self.accepts else _('declined')}"
