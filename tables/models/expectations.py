"""What the bank can expect by chance alone, counted from dealt hands."""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from tables.models.sessions import RuleSetVersion

OUTCOMES_KEPT = 28
"""In how many ways six wagers can fare, whichever of them: so many won, so many lost, the rest pushed."""


class Expectation(AppendOnly):
    """How six wagers fare against a bank of Pai Gow Poker when every hand is set by the house way of a version of the rules.

    ``seed`` deals all ``deals`` again, and so the same figures. ``outcomes`` counts the deals by how many of the six won and
    lost, in the order of ``tables.selectors.statistics.chances.OUTCOMES``: whole numbers, of which mean, variance and everything
    else are worked out. ``rules_sha256`` and ``chart_sha256`` are over the canonical JSON of the version's parameters and of the
    chart it names, so that a figure never stands for rules that it was not made under.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    rules = models.ForeignKey(RuleSetVersion, on_delete=models.PROTECT, related_name="expectations")
    rules_sha256 = models.BinaryField(_("SHA-256 of the rules"), max_length=32)
    chart_sha256 = models.BinaryField(_("SHA-256 of the chart"), max_length=32)
    seed = models.BigIntegerField(_("seed"))
    deals = models.PositiveIntegerField(_("deals"))
    outcomes = ArrayField(models.PositiveIntegerField(), verbose_name=_("deals by outcome"), size=OUTCOMES_KEPT)
    made_at = models.DateTimeField(_("made"), db_default=Now(), editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("expected result of the bank")
        verbose_name_plural = _("expected results of the bank")
        constraints = (
            models.UniqueConstraint(name="expectation_once", fields=["rules", "rules_sha256", "chart_sha256"]),
            models.CheckConstraint(name="expectation_of_some_deals", condition=Q(deals__gte=1)),
            models.CheckConstraint(name="expectation_counts_every_outcome", condition=Q(outcomes__len=OUTCOMES_KEPT)),
        )

    def __str__(self) -> str:
        return f"{self.rules}, {self.deals} deals"
