"""Corrections: what was ruled on afterwards, by whom, and who the second person was. Both the old and the new stay."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from ledger.kinds import ReasonCode
from tables.models.commands import Command
from tables.models.hands import Hand
from tables.models.people import Sitting
from tables.models.records import HandRecord

_AGAIN = [Hand.Status.SETTLED, Hand.Status.MISDEAL]


class Correction(AppendOnly):
    """Abstract base of a ruling that changed what was paid (PG-45).

    ``in_window`` says whether the next hand had not begun yet; ``moved_cents`` is what changed hands by it, and
    ``limit_cents`` the room's limit on that day, above which two people are always needed.
    """

    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")
    reason_code = models.CharField(_("why"), max_length=20, choices=ReasonCode.choices)
    reason = models.CharField(_("why, in words"), max_length=300)
    approver = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True)
    in_window = models.BooleanField(_("before the next hand began"))
    moved_cents = models.BigIntegerField(_("changed hands"))
    limit_cents = models.BigIntegerField(_("limit for one person"))

    class Meta(AppendOnly.Meta):
        abstract = True
        constraints: ClassVar[tuple[models.BaseConstraint, ...]] = (
            models.CheckConstraint(
                name="%(class)s_says_why", condition=Q(reason_code__in=ReasonCode.values) & ~Q(reason="")
            ),
            models.CheckConstraint(
                name="%(class)s_two_people",
                condition=Q(in_window=True, moved_cents__lte=F("limit_cents")) | Q(approver__isnull=False),
            ),
            models.CheckConstraint(name="%(class)s_moved_not_negative", condition=Q(moved_cents__gte=0)),
        )


class Resettlement(Correction):
    """A hand that was settled, or a misdeal, and was judged again from another record: before and after."""

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="resettlements")
    number = models.PositiveSmallIntegerField(_("number"))
    before = models.OneToOneField(HandRecord, on_delete=models.PROTECT, related_name="+")
    after = models.OneToOneField(HandRecord, on_delete=models.PROTECT, related_name="+")
    status_before = models.CharField(_("was"), max_length=10, choices=Hand.Status.choices)
    status_after = models.CharField(_("became"), max_length=10, choices=Hand.Status.choices)

    class Meta(Correction.Meta):
        verbose_name = _("resettlement")
        verbose_name_plural = _("resettlements")
        constraints = (
            *Correction.Meta.constraints,
            models.UniqueConstraint(name="resettlement_number_once", fields=["hand", "number"]),
            models.CheckConstraint(
                name="resettlement_of_a_judged_hand",
                condition=Q(status_before__in=_AGAIN, status_after__in=_AGAIN) & ~Q(before=F("after")),
            ),
        )
        triggers = (
            *Correction.Meta.triggers,
            pgtrigger.Trigger(
                name="is_what_the_hand_says",
                level=pgtrigger.Row,
                when=pgtrigger.After,
                operation=pgtrigger.Insert,
                timing=pgtrigger.Deferred,
                func="""
                    IF NOT EXISTS (
                        SELECT FROM tables_hand WHERE id = NEW.hand_id
                        AND status = NEW.status_after AND final_record_id = NEW.after_id
                    ) AND NOT EXISTS (SELECT FROM tables_resettlement
                        WHERE before_id = NEW.after_id AND number > NEW.number
                    ) THEN
                        RAISE EXCEPTION 'hand % is not what its resettlement says', NEW.hand_id;
                    END IF;
                    RETURN NULL;
                """,
            ),
        )

    def __str__(self) -> str:
        return f"{self.hand} resettlement {self.number}"


class Reversal(Correction):
    """A buy-in, a cash-out, chips carried in or out that were taken back, by the ledger transaction that was reversed."""

    transaction = models.OneToOneField("ledger.Transaction", on_delete=models.PROTECT, related_name="+")
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="reversals")

    class Meta(Correction.Meta):
        verbose_name = _("reversal")
        verbose_name_plural = _("reversals")

    def __str__(self) -> str:
        return f"{self.sitting}: {self.transaction_id}"
