"""Commands: what people did. Written with their effects, never changed."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from ledger.canonical import canonical_instant
from tables.models.rooms import Table
from tables.rules import canonical_json

if TYPE_CHECKING:
    from tables.models.records import HandRecord


class Command(AppendOnly):
    """One thing somebody did: the key their device made, the verb, who, where, when, what was asked and answered.

    ``occurred_at`` is the device's time of the press, ``recorded_at`` the server's. ``fingerprint`` is SHA-256 over
    verb, actor and request in canonical JSON: the same key with another fingerprint is refused. ``table`` is ``None`` for
    what belongs to no table, such as a change of the rules or a barred patron; ``approver`` is the second person, where one
    was needed.
    """

    key = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    verb = models.CharField(_("verb"), max_length=40)
    actor = models.ForeignKey("staff.User", on_delete=models.PROTECT, related_name="commands")
    approver = models.ForeignKey("staff.User", on_delete=models.PROTECT, related_name="+", null=True)
    device = models.ForeignKey("staff.Device", on_delete=models.PROTECT, related_name="commands", null=True)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="commands", null=True)
    occurred_at = models.DateTimeField(_("happened"))
    recorded_at = models.DateTimeField(_("recorded"), db_default=Now(), editable=False)
    request = models.JSONField(_("request"))
    fingerprint = models.BinaryField(_("fingerprint"), max_length=32)
    answer = models.JSONField(_("answer"))

    class Meta(AppendOnly.Meta):
        verbose_name = _("command")
        verbose_name_plural = _("commands")
        constraints = (
            models.CheckConstraint(
                name="command_at_a_table",
                condition=models.Q(table__isnull=False)
                | models.Q(verb__regex=r"^(rules|schedule|patron|jackpot|staff|waiting|sheet|audit)\."),
            ),
            models.CheckConstraint(
                name="command_two_people",
                condition=models.Q(approver__isnull=True) | ~models.Q(approver=models.F("actor")),
            ),
        )
        indexes = (models.Index(name="command_table_time", fields=["table", "recorded_at", "key"]),)

    def __str__(self) -> str:
        return f"{self.verb} {self.key}"

    def document(self, records: Sequence[HandRecord] = ()) -> str:
        """What the ledger's note of this command vouches for: everything stored of it, as canonical JSON.

        ``records`` are the hand records that the command entered, with their verdicts.
        """
        return canonical_json(
            {
                "command": str(self.key),
                "verb": self.verb,
                "actor": str(self.actor_id),
                "approver": str(self.approver_id or ""),
                "device": str(self.device_id or ""),
                "table": str(self.table_id or ""),
                "occurred_at": canonical_instant(self.occurred_at),
                "recorded_at": canonical_instant(self.recorded_at),
                "request": self.request,
                "answer": self.answer,
                "records": [
                    {
                        "hand": str(record.hand_id),
                        "revision": record.revision,
                        "record": record.text,
                        "verdict": record.verdict.text,
                    }
                    for record in records
                ],
            }
        )
