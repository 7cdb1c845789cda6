"""What was entered of a hand, and what the rules made of it. Neither ever changes."""

from __future__ import annotations

import json
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from tables.models.commands import Command
from tables.models.hands import Hand


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
