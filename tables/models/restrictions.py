"""Patrons who may not play: barred by the house, or at their own wish."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from tables.models.commands import Command
from tables.models.people import Patron


class Restriction(AppendOnly):
    """A patron may not play through the gaming day ``until_date``, or for good where there is none."""

    class Kind(models.TextChoices):
        """Who wanted it."""

        BARRED = "barred", _("Barred")
        SELF_RESTRICTED = "self-restricted", _("Self-restricted")

    patron = models.ForeignKey(Patron, on_delete=models.PROTECT, related_name="restrictions")
    kind = models.CharField(_("kind"), max_length=16, choices=Kind.choices)
    started_at = models.DateTimeField(_("from"))
    until_date = models.DateField(_("last day"), null=True)
    reason = models.CharField(_("why"), max_length=300)
    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("restriction")
        verbose_name_plural = _("restrictions")
        constraints = (
            models.CheckConstraint(name="restriction_kind_known", condition=Q(kind__in=["barred", "self-restricted"])),
            models.CheckConstraint(name="restriction_has_a_reason", condition=~Q(reason="")),
        )

    def __str__(self) -> str:
        return f"{self.patron}: {self.kind}"


class RestrictionLift(AppendOnly):
    """A restriction that two people ended before its time."""

    restriction = models.OneToOneField(Restriction, on_delete=models.PROTECT, related_name="lift")
    lifted_at = models.DateTimeField(_("lifted"))
    reason = models.CharField(_("why"), max_length=300)
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("lifted restriction")
        verbose_name_plural = _("lifted restrictions")
        constraints = (models.CheckConstraint(name="restrictionlift_has_a_reason", condition=~Q(reason="")),)

    def __str__(self) -> str:
        return f"{self.restriction}, lifted"
