"""Replays: the hands of a gaming day settled again from their records, part by part, and what came of it."""

from __future__ import annotations

import uuid
from typing import ClassVar

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tables.models.rooms import Room


class ReplayRun(models.Model):
    """One replay of a room's gaming day.

    Without ``rules`` every hand is settled under its own and compared with what is stored; with them the run says what
    the day would have paid. ``hands`` are in parts; those out, void or of the other game are only counted.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="replays")
    gaming_date = models.DateField(_("gaming day"))
    hand = models.ForeignKey("tables.Hand", on_delete=models.PROTECT, related_name="replays", null=True)
    rules = models.CharField(_("under other rules"), max_length=80, blank=True)
    asked_by = models.CharField(_("asked by"), max_length=300)
    asked_at = models.DateTimeField(_("asked"), db_default=Now(), editable=False)
    hands = models.PositiveIntegerField(_("hands"))
    hands_out = models.PositiveIntegerField(_("hands still out"))
    hands_void = models.PositiveIntegerField(_("void hands"))
    hands_of_another_game = models.PositiveIntegerField(_("hands of another game"))
    parts = models.PositiveIntegerField(_("parts"))
    finished_at = models.DateTimeField(_("finished"), null=True)

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE (finished_at)")

    class Meta:
        verbose_name = _("replay")
        verbose_name_plural = _("replays")
        indexes = (models.Index(name="replayrun_of_a_day", fields=["room", "gaming_date", "-asked_at"]),)

    def __str__(self) -> str:
        return f"{self.room} {self.gaming_date}"


class ReplayPart(models.Model):
    """Some hands of a run, for one worker to settle again. Written once, when it is done.

    ``taken_at`` says that a worker has begun, ``differences`` is a list of ``{"hand", "name", "lines"}``, and ``totals`` holds
    by patron what hands settled under other rules paid and would have paid.
    """

    id = models.BigAutoField(primary_key=True)
    run = models.ForeignKey(ReplayRun, on_delete=models.PROTECT, related_name="run_parts")
    number = models.PositiveIntegerField(_("number"))
    hand_ids = ArrayField(models.UUIDField(), verbose_name=_("hands"))
    taken_at = models.DateTimeField(_("taken by a worker"), null=True)
    done_at = models.DateTimeField(_("done"), null=True)
    differences = models.JSONField(_("differences"), null=True)
    totals = models.JSONField(_("totals"), null=True)

    application_grants: ClassVar[tuple[str, ...]] = (
        "SELECT",
        "INSERT",
        "UPDATE (taken_at, done_at, differences, totals)",
    )

    class Meta:
        verbose_name = _("part of a replay")
        verbose_name_plural = _("parts of replays")
        constraints = (
            models.UniqueConstraint(name="replaypart_number_once", fields=["run", "number"]),
            models.CheckConstraint(
                name="replaypart_done_with_a_result",
                condition=Q(done_at__isnull=True, differences__isnull=True, totals__isnull=True)
                | Q(done_at__isnull=False, differences__isnull=False, totals__isnull=False),
            ),
        )
        triggers = (
            pgtrigger.Protect(
                name="done_is_done", operation=pgtrigger.Update, condition=pgtrigger.Q(old__done_at__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"{self.run} part {self.number}"
