"""Floor called to a table: the call, who is on the way, and that it is over, each a row of its own."""

from __future__ import annotations

import uuid

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from tables.models.commands import Command
from tables.models.hands import Hand
from tables.models.sessions import TableSession


class FloorCall(AppendOnly):
    """Somebody at a table asks for a floor supervisor. It is open until it was closed or the table was."""

    class Reason(models.TextChoices):
        """What floor is needed for; it decides who hurries."""

        DECISION = "decision", _("Decision")
        FILL = "fill", _("Fill")
        DISPUTE = "dispute", _("Dispute")
        SERVICE = "service", _("Service")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="calls")
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="calls", null=True)
    reason = models.CharField(_("reason"), max_length=10, choices=Reason.choices)
    note = models.CharField(_("note"), max_length=300, blank=True)
    called_at = models.DateTimeField(_("called"))
    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("call for floor")
        verbose_name_plural = _("calls for floor")
        constraints = (
            models.CheckConstraint(
                name="floorcall_reason_known", condition=Q(reason__in=["decision", "fill", "dispute", "service"])
            ),
        )
        triggers = (
            *AppendOnly.Meta.triggers,
            pgtrigger.Trigger(
                name="one_open_a_reason",
                level=pgtrigger.Row,
                when=pgtrigger.Before,
                operation=pgtrigger.Insert,
                func="""
                    IF EXISTS (
                        SELECT FROM tables_floorcall c WHERE c.session_id = NEW.session_id AND c.reason = NEW.reason
                        AND NOT EXISTS (SELECT FROM tables_callclose o WHERE o.call_id = c.id)
                    ) THEN
                        RAISE EXCEPTION 'floor is called for this reason already at session %', NEW.session_id;
                    END IF;
                    RETURN NEW;
                """,
            ),
        )

    def __str__(self) -> str:
        return f"{self.session}: {self.get_reason_display()}"


class CallAnswer(AppendOnly):
    """A floor supervisor said to be on the way; whoever pressed first."""

    call = models.OneToOneField(FloorCall, on_delete=models.PROTECT, related_name="answer")
    answered_at = models.DateTimeField(_("answered"))
    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("answer to a call")
        verbose_name_plural = _("answers to calls")

    def __str__(self) -> str:
        return f"{self.call}: {self.command.actor}"


class CallClose(AppendOnly):
    """A call is over: floor has been there, or is no longer needed."""

    call = models.OneToOneField(FloorCall, on_delete=models.PROTECT, related_name="close")
    closed_at = models.DateTimeField(_("closed"))
    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("end of a call")
        verbose_name_plural = _("ends of calls")

    def __str__(self) -> str:
        return f"{self.call}: {self.command.actor}"
