"""Hands: who was dealt in, what was wagered, how the cards were set, and what the rules made of it."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any, ClassVar

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from casino.quickly_read import QuicklyRead
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


class Hand(QuicklyRead):
    """A hand from the deal to its end: out until settled, misdealt or voided.

    ``first_pile`` is the pile that the Player/Dealer named to be delivered first (PG-11). A misdeal that was called without
    its cards has no record but ``misdeal_code``, and ``misdeal_seat`` where it is about one hand (CP-40 to CP-42, PG-41 to
    PG-43).

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
    first_pile = models.PositiveSmallIntegerField(_("pile delivered first"), null=True)
    misdeal_code = models.CharField(_("why it was a misdeal"), max_length=30, blank=True)
    misdeal_seat = models.PositiveSmallIntegerField(_("whose hand was misdealt"), null=True)

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
                condition=~Q(status="settled") | Q(final_record__isnull=False),
            ),
            models.CheckConstraint(
                name="hand_misdeal_has_a_record_or_a_code",
                condition=Q(final_record__isnull=True, status="misdeal") & ~Q(misdeal_code="")
                | Q(misdeal_code="", misdeal_seat__isnull=True)
                & (~Q(status="misdeal") | Q(final_record__isnull=False)),
            ),
            models.CheckConstraint(
                name="hand_pile_is_one_of_seven",
                condition=Q(first_pile__isnull=True) | Q(first_pile__gte=1, first_pile__lte=7),
            ),
        )
        indexes = (
            models.Index(name="hand_by_time", fields=["-started_at", "id"]),
            # The few that people look for among all others; a hand that is settled has no part in it.
            models.Index(
                name="hand_void_or_misdeal_by_time",
                fields=["-started_at", "id"],
                condition=Q(status__in=["void", "misdeal"]),
            ),
        )
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

    @property
    def length(self) -> timedelta | None:
        """How long it took from the deal to its end; ``None`` while it is out."""
        return None if self.ended_at is None else self.ended_at - self.started_at


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


class NotWithdrawn(models.Manager[Any]):
    """What lies on the table: everything but what was taken back before the dice."""

    def get_queryset(self) -> models.QuerySet[Any]:
        """Without the withdrawn ones."""
        return super().get_queryset().filter(withdrawal__isnull=True)


class Wager(AppendOnly):
    """A wager against the bank, on a position, by the player of that seat or from the backline (PG-06).

    ``put_down_by_dealer`` marks one that the bettor did not reach and the house dealer put down. ``command`` placed it;
    those from before it was kept have none. Through a hand only those are read that were not withdrawn.
    """

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="wagers")
    ordinal = models.PositiveSmallIntegerField(_("order of placing"))
    position = models.PositiveSmallIntegerField(_("position"))
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="+")
    amount_cents = models.BigIntegerField(_("amount"))
    put_down_by_dealer = models.BooleanField(_("put down by the dealer"), default=False)
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+", null=True)

    # The first is the one that ``hand.wagers`` goes by.
    not_withdrawn = NotWithdrawn()
    objects = models.Manager["Wager"]()

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
    """What one person put in the bank of a hand; the first is the seated Player/Dealer, the rest Kum-Kum (PG-07).

    A bank that was withdrawn before the dice can be given again: ``giving`` counts the times. Through a hand only those
    shares are read that were not withdrawn.
    """

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="bank_shares")
    giving = models.PositiveSmallIntegerField(_("giving"), default=1)
    ordinal = models.PositiveSmallIntegerField(_("order"))
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="+")
    amount_cents = models.BigIntegerField(_("amount"))
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+", null=True)

    # The first is the one that ``hand.bank_shares`` goes by.
    not_withdrawn = NotWithdrawn()
    objects = models.Manager["BankShare"]()

    class Meta(AppendOnly.Meta):
        verbose_name = _("share of a bank")
        verbose_name_plural = _("shares of banks")
        constraints = (
            models.UniqueConstraint(name="bankshare_ordinal_once", fields=["hand", "giving", "ordinal"]),
            models.UniqueConstraint(name="bankshare_sitting_once", fields=["hand", "giving", "sitting"]),
            models.CheckConstraint(name="bankshare_amount_positive", condition=Q(amount_cents__gt=0)),
        )

    def __str__(self) -> str:
        return f"{self.hand} bank {self.ordinal}"


class Withdrawal(AppendOnly):
    """A wager, or a share of the bank, that was taken back before the dice; after them the database takes no row (PG-08)."""

    wager = models.OneToOneField(Wager, on_delete=models.PROTECT, related_name="withdrawal", null=True)
    share = models.OneToOneField(BankShare, on_delete=models.PROTECT, related_name="withdrawal", null=True)
    withdrawn_at = models.DateTimeField(_("taken back"))
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("withdrawal before the dice")
        verbose_name_plural = _("withdrawals before the dice")
        constraints = (
            models.CheckConstraint(
                name="withdrawal_of_one_thing",
                condition=Q(wager__isnull=True, share__isnull=False) | Q(wager__isnull=False, share__isnull=True),
            ),
        )
        triggers = (
            *AppendOnly.Meta.triggers,
            pgtrigger.Trigger(
                name="before_the_dice",
                level=pgtrigger.Row,
                when=pgtrigger.Before,
                operation=pgtrigger.Insert,
                func="""
                    IF NOT EXISTS (
                        SELECT FROM tables_hand h WHERE h.status = 'out' AND h.wagers_closed_at IS NULL AND h.id IN (
                            SELECT hand_id FROM tables_wager WHERE id = NEW.wager_id
                            UNION ALL SELECT hand_id FROM tables_bankshare WHERE id = NEW.share_id
                        )
                    ) THEN
                        RAISE EXCEPTION 'nothing is withdrawn after the dice'
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawal_before_the_dice';
                    END IF;
                    RETURN NEW;
                """,
            ),
        )

    def __str__(self) -> str:
        return f"{self.wager or self.share} taken back"


class HandEvent(AppendOnly):
    """Something said or done about one seat's cards before they were opened (CP-03, CP-20, CP-35, CP-64, PG-22, PG-23).

    ``seat`` is the seat or position. ``value`` is the automatic win that was declared, or the kind of mark that was taken
    back; ``sitting`` who set the hand, where it was said (PG-24); ``expires_at`` when the time that was called runs out.
    """

    class Kind(models.TextChoices):
        """What was marked."""

        SET = "set", _("Set")
        SET_BY_CLOCK = "set-by-clock", _("To be set for the player")
        DECLARED = "declared", _("Declared")
        SURRENDERED = "surrendered", _("Surrendered")
        HOUSE_WAY = "house-way", _("House way asked for")
        WITHDRAWN = "withdrawn", _("Taken back")
        LEFT = "left", _("Left the table")
        CLOCK_CALLED = "clock-called", _("Time called")
        CLOCK_STOPPED = "clock-stopped", _("Time stopped")

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="events")
    seat = models.PositiveSmallIntegerField(_("seat or position"))
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    value = models.CharField(_("what was declared or taken back"), max_length=30, blank=True)
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="+", null=True)
    at = models.DateTimeField(_("when"))
    expires_at = models.DateTimeField(_("time runs out"), null=True)
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("mark of a hand")
        verbose_name_plural = _("marks of hands")
        constraints = (
            models.CheckConstraint(
                name="handevent_kind_known",
                condition=Q(
                    kind__in=[
                        "set",
                        "set-by-clock",
                        "declared",
                        "surrendered",
                        "house-way",
                        "withdrawn",
                        "left",
                        "clock-called",
                        "clock-stopped",
                    ],
                ),
            ),
            models.CheckConstraint(
                name="handevent_expiry_of_a_call",
                condition=Q(kind="clock-called", expires_at__isnull=False)
                | (~Q(kind="clock-called") & Q(expires_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="handevent_value_where_one_is_due",
                condition=(Q(kind__in=["declared", "withdrawn"]) & ~Q(value=""))
                | (~Q(kind__in=["declared", "withdrawn"]) & Q(value="")),
            ),
        )

    def __str__(self) -> str:
        return f"{self.hand} seat {self.seat}: {self.get_kind_display()}"
