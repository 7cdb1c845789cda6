"""What people disagree about and what was paid otherwise than the rules say: disputes, rulings, exceptions, decisions."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from tables.models.commands import Command
from tables.models.hands import BankShare, Hand, Wager
from tables.models.people import Sitting
from tables.models.records import HandRecord
from tables.models.sessions import TableSession


class Dispute(AppendOnly):
    """Somebody disagrees about a hand, before the next one begins (PG-45). Without ``sitting`` nobody is named."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="disputes")
    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="disputes")
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="+", null=True)
    about = models.CharField(_("about"), max_length=300)
    raised_at = models.DateTimeField(_("raised"))
    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("dispute")
        verbose_name_plural = _("disputes")
        constraints = (models.CheckConstraint(name="dispute_says_what", condition=~Q(about="")),)
        indexes = (models.Index(name="dispute_by_time", fields=["raised_at"]),)

    def __str__(self) -> str:
        return f"{self.hand}: {self.about}"


class Ruling(AppendOnly):
    """How a dispute ended: ruled on by floor in time, or overtaken by the next hand, which floor began all the same."""

    class Outcome(models.TextChoices):
        """What became of the hand."""

        STANDS = "stands", _("Stands")
        RESETTLED = "resettled", _("Settled again")
        VOIDED = "voided", _("Voided")
        NOT_IN_TIME = "not-in-time", _("Not ruled in time")

    class Error(models.TextChoices):
        """Whose mistake it was."""

        NONE = "none", _("Nobody's")
        PATRON = "patron", _("A patron's")
        DEALER = "dealer", _("The dealer's")

    dispute = models.OneToOneField(Dispute, on_delete=models.PROTECT, related_name="ruling")
    outcome = models.CharField(_("outcome"), max_length=12, choices=Outcome.choices)
    rule = models.CharField(_("rule"), max_length=5)
    words = models.CharField(_("ruling"), max_length=300)
    error_by = models.CharField(_("whose mistake"), max_length=10, choices=Error.choices)
    ruled_at = models.DateTimeField(_("ruled"))
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")
        constraints = (
            models.CheckConstraint(name="ruling_says_what", condition=~Q(words="") & ~Q(rule="")),
            models.CheckConstraint(
                name="ruling_outcome_known",
                condition=Q(outcome__in=["stands", "resettled", "voided", "not-in-time"]),
            ),
            models.CheckConstraint(
                name="ruling_error_known",
                condition=Q(error_by__in=["none", "patron", "dealer"]),
            ),
        )

    def __str__(self) -> str:
        return f"{self.dispute} {self.outcome}"


class PaidDifferently(AppendOnly):
    """One line of a verdict that was paid otherwise than it says, in cents; it holds while its record is the hand's.

    The line is a payment from ``payer`` to ``payee``, both seats (Chinese Poker), or what a ``wager`` or a ``share`` of the
    bank won or lost (Pai Gow Poker).
    """

    record = models.ForeignKey(HandRecord, on_delete=models.PROTECT, related_name="paid_differently")
    payer = models.PositiveSmallIntegerField(_("payer"), null=True)
    payee = models.PositiveSmallIntegerField(_("payee"), null=True)
    wager = models.ForeignKey(Wager, on_delete=models.PROTECT, related_name="+", null=True)
    share = models.ForeignKey(BankShare, on_delete=models.PROTECT, related_name="+", null=True)
    due_cents = models.BigIntegerField(_("due"))
    paid_cents = models.BigIntegerField(_("paid"))
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("line paid differently")
        verbose_name_plural = _("lines paid differently")
        constraints = (
            models.UniqueConstraint(name="paiddifferently_pair_once", fields=["record", "payer", "payee"]),
            models.UniqueConstraint(name="paiddifferently_wager_once", fields=["record", "wager"]),
            models.UniqueConstraint(name="paiddifferently_share_once", fields=["record", "share"]),
            models.CheckConstraint(name="paiddifferently_differs", condition=~Q(paid_cents=F("due_cents"))),
            models.CheckConstraint(
                name="paiddifferently_one_line",
                condition=Q(
                    payer__isnull=False, payee__isnull=False, wager__isnull=True, share__isnull=True, paid_cents__gte=0
                )
                | Q(payer__isnull=True, payee__isnull=True, wager__isnull=False, share__isnull=True)
                | Q(payer__isnull=True, payee__isnull=True, wager__isnull=True, share__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"{self.record}: {self.due_cents} due, {self.paid_cents} paid"


class TableException(AppendOnly):
    """Something at a table that somebody else than who raised it has to look at and decide on."""

    class Kind(models.TextChoices):
        """What it is about."""

        PAID_DIFFERENTLY = "paid-differently", _("Paid differently")
        NOT_RULED = "dispute-not-ruled", _("Dispute not ruled in time")
        CONTRADICTION = "contradiction", _("Chips and record disagree")
        UNDO_ASKED = "undo-asked", _("Asked to take back a hand")
        OTHER = "other", _("Something else")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="exceptions")
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="exceptions", null=True)
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    words = models.TextField(_("what happened"))
    raised_at = models.DateTimeField(_("raised"))
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("exception")
        verbose_name_plural = _("exceptions")
        constraints = (
            models.CheckConstraint(
                name="tableexception_kind_known",
                condition=Q(kind__in=["paid-differently", "dispute-not-ruled", "contradiction", "undo-asked", "other"]),
            ),
            models.CheckConstraint(name="tableexception_says_what", condition=~Q(words="")),
        )
        indexes = (models.Index(name="tableexception_by_time", fields=["raised_at"]),)

    def __str__(self) -> str:
        return f"{self.session}: {self.words}"


class ExceptionDecision(AppendOnly):
    """What floor made of an exception, once: never by who raised it."""

    class Outcome(models.TextChoices):
        """Accepted as it is, or not; what has to be put right then has its own verb."""

        ACCEPTED = "accepted", _("Accepted")
        REFUSED = "refused", _("Refused")

    exception = models.OneToOneField(TableException, on_delete=models.PROTECT, related_name="decision")
    outcome = models.CharField(_("decision"), max_length=10, choices=Outcome.choices)
    reason = models.CharField(_("why"), max_length=300)
    decided_at = models.DateTimeField(_("decided"))
    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("decision on an exception")
        verbose_name_plural = _("decisions on exceptions")
        constraints = (
            models.CheckConstraint(
                name="exceptiondecision_outcome_known", condition=Q(outcome__in=["accepted", "refused"])
            ),
            models.CheckConstraint(name="exceptiondecision_says_why", condition=~Q(reason="")),
        )

    def __str__(self) -> str:
        return f"{self.exception} {self.outcome}"
