"""Hands: who was dealt in, what was wagered, how the cards were set, and what the rules made of it."""

from __future__ import annotations

import json
import uuid
from typing import Any, ClassVar

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from tables.models.commands import Command
from tables.models.people import Sitting
from tables.models.sessions import RuleSetVersion, TableSession

# Of a hand that is over nothing changes but its record, and with it the status between settled and misdeal.
_CHANGES_AN_ENDED_HAND = """
    OLD.status <> 'out' AND NOT (
        OLD.status IN ('settled', 'misdeal') AND NEW.status IN ('settled', 'misdeal')
        AND NEW.final_record_id IS NOT NULL AND NEW.final_record_id IS DISTINCT FROM OLD.final_record_id
        AND to_jsonb(OLD) - '{status,final_record_id}'::text[] = to_jsonb(NEW) - '{status,final_record_id}'::text[]
    )
"""


class Hand(models.Model):
    """A hand from the deal to its end: out until settled, misdealt or voided.

    What ended stays as it was, except that a settled hand or a misdeal may be judged again (PG-45): record and status
    then move on together with a ``Resettlement``, which keeps what was before.
    """

    class Status(models.TextChoices):
        """Where the hand is. Out ends; settled and misdeal can become each other by a resettlement."""

        OUT = "out", _("Out")
        SETTLED = "settled", _("Settled")
        MISDEAL = "misdeal", _("Misdeal")
        VOID = "void", _("Void")

    class Stage(models.TextChoices):
        """How far a hand that is out has come; `tables.services.stages` says what leads where."""

        COLLECTED = "collected", _("Collected")
        WAGERED = "wagered", _("Wagered")
        DICE_OPEN = "dice-open", _("Dice open")
        DEALT = "dealt", _("Dealt")
        SETTING = "setting", _("Being set")
        ALL_SET = "all-set", _("All set")
        OPENED = "opened", _("Opened")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="hands")
    number = models.PositiveIntegerField(_("number"))
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.OUT)
    stage = models.CharField(_("stage"), max_length=10, choices=Stage.choices, default=Stage.COLLECTED)
    rules = models.ForeignKey(RuleSetVersion, on_delete=models.PROTECT, related_name="hands")
    button_seat = models.PositiveSmallIntegerField(_("button or Player/Dealer"))
    started_at = models.DateTimeField(_("dealt"))
    dice = ArrayField(models.PositiveSmallIntegerField(), verbose_name=_("dice"), size=3, null=True)
    wagers_closed_at = models.DateTimeField(_("wagers closed"), null=True)
    ended_at = models.DateTimeField(_("ended"), null=True)
    action_account = models.OneToOneField("ledger.Account", on_delete=models.PROTECT, related_name="+", null=True)
    final_record = models.OneToOneField("HandRecord", on_delete=models.PROTECT, related_name="+", null=True)
    void_reason = models.CharField(_("why it was voided"), max_length=300, blank=True)

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        verbose_name = _("hand")
        verbose_name_plural = _("hands")
        constraints = (
            models.UniqueConstraint(name="hand_number_once_a_session", fields=["session", "number"]),
            models.UniqueConstraint(name="hand_one_out_a_session", fields=["session"], condition=Q(status="out")),
            models.CheckConstraint(
                name="hand_status_known", condition=Q(status__in=["out", "settled", "misdeal", "void"])
            ),
            models.CheckConstraint(
                name="hand_stage_known",
                condition=Q(
                    stage__in=["collected", "wagered", "dice-open", "dealt", "setting", "all-set", "opened"],
                ),
            ),
            models.CheckConstraint(
                name="hand_ended_when_not_out",
                condition=Q(status="out", ended_at__isnull=True) | (~Q(status="out") & Q(ended_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="hand_settled_has_a_record",
                condition=~Q(status__in=["settled", "misdeal"]) | Q(final_record__isnull=False),
            ),
        )
        indexes = (models.Index(name="hand_by_time", fields=["-started_at", "id"]),)
        triggers = (
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="ended_is_final", operation=pgtrigger.Update, condition=pgtrigger.Condition(_CHANGES_AN_ENDED_HAND)
            ),
            pgtrigger.Trigger(
                name="judged_again_with_a_row",
                level=pgtrigger.Row,
                when=pgtrigger.After,
                operation=pgtrigger.Update,
                condition=~pgtrigger.Q(old__status="out"),
                func="""
                    IF NOT EXISTS (
                        SELECT FROM tables_resettlement WHERE hand_id = NEW.id
                        AND before_id = OLD.final_record_id AND after_id = NEW.final_record_id
                        AND status_before = OLD.status AND status_after = NEW.status
                    ) THEN
                        RAISE EXCEPTION 'hand % changes without a resettlement', NEW.id;
                    END IF;
                    RETURN NULL;
                """,
            ),
            pgtrigger.ReadOnly(
                name="deal_fixed",
                fields=["session", "number", "rules", "button_seat", "started_at", "action_account"],
            ),
        )

    def __str__(self) -> str:
        return f"{self.session.table} hand {self.number}"

    @property
    def is_out(self) -> bool:
        """Whether the cards are still out."""
        return self.status == self.Status.OUT


class HandSeat(AppendOnly):
    """A seat that was dealt into a hand, and the chips in front of it when the hand began (CP-52)."""

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField(_("seat"))
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="+")
    stack_cents = models.BigIntegerField(_("stack"))

    class Meta(AppendOnly.Meta):
        verbose_name = _("seat in a hand")
        verbose_name_plural = _("seats in hands")
        constraints = (
            models.UniqueConstraint(name="handseat_once", fields=["hand", "number"]),
            models.CheckConstraint(name="handseat_stack_not_negative", condition=Q(stack_cents__gte=0)),
        )

    def __str__(self) -> str:
        return f"{self.hand} seat {self.number}"


class Wager(AppendOnly):
    """A wager against the bank, on a position, by the player of that seat or from the backline (PG-06)."""

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="wagers")
    ordinal = models.PositiveSmallIntegerField(_("order of placing"))
    position = models.PositiveSmallIntegerField(_("position"))
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="+")
    amount_cents = models.BigIntegerField(_("amount"))

    class Meta(AppendOnly.Meta):
        verbose_name = _("wager")
        verbose_name_plural = _("wagers")
        constraints = (
            models.UniqueConstraint(name="wager_ordinal_once", fields=["hand", "ordinal"]),
            models.CheckConstraint(name="wager_amount_positive", condition=Q(amount_cents__gt=0)),
        )

    def __str__(self) -> str:
        return f"{self.hand} {self.reference}"

    @property
    def reference(self) -> str:
        """The wager's name in the hand record."""
        return f"w{self.ordinal}"


class BankShare(AppendOnly):
    """What one person put in the bank of a hand; the first is the seated Player/Dealer, the rest Kum-Kum (PG-07)."""

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="bank_shares")
    ordinal = models.PositiveSmallIntegerField(_("order"))
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="+")
    amount_cents = models.BigIntegerField(_("amount"))

    class Meta(AppendOnly.Meta):
        verbose_name = _("share of a bank")
        verbose_name_plural = _("shares of banks")
        constraints = (
            models.UniqueConstraint(name="bankshare_ordinal_once", fields=["hand", "ordinal"]),
            models.UniqueConstraint(name="bankshare_sitting_once", fields=["hand", "sitting"]),
            models.CheckConstraint(name="bankshare_amount_positive", condition=Q(amount_cents__gt=0)),
        )

    def __str__(self) -> str:
        return f"{self.hand} bank {self.ordinal}"


class HandRecord(AppendOnly):
    """A hand as it was entered: the canonical hand record. Entering or settling it again adds a revision."""

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="records")
    revision = models.PositiveSmallIntegerField(_("revision"))
    text = models.TextField(_("canonical JSON"))
    sha256 = models.BinaryField(_("SHA-256"), max_length=32)
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("hand record")
        verbose_name_plural = _("hand records")
        constraints = (models.UniqueConstraint(name="handrecord_revision_once", fields=["hand", "revision"]),)

    def __str__(self) -> str:
        return f"{self.hand} record {self.revision}"

    @property
    def data(self) -> dict[str, Any]:
        """The record as an object."""
        return dict(json.loads(self.text))


class Verdict(AppendOnly):
    """What the rules made of a record: the canonical verdict, stored beside it."""

    record = models.OneToOneField(HandRecord, on_delete=models.PROTECT, related_name="verdict", primary_key=True)
    text = models.TextField(_("canonical JSON"))
    sha256 = models.BinaryField(_("SHA-256"), max_length=32)

    class Meta(AppendOnly.Meta):
        verbose_name = _("verdict")
        verbose_name_plural = _("verdicts")

    def __str__(self) -> str:
        return f"Verdict of {self.record}"

    @property
    def data(self) -> dict[str, Any]:
        """The verdict as an object."""
        return dict(json.loads(self.text))
