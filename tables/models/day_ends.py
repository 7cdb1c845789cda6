"""Ends of gaming days: what was sealed, checked, settled again and printed of a room's gaming day once it was over."""

from __future__ import annotations

import uuid
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from tables.models.jobs import Job, KeptFile
from tables.models.replays import ReplayRun
from tables.models.reports import ReportPrinting
from tables.models.rooms import Room


class DayEnd(models.Model):
    """The end of one gaming day of a room, worked off by one job. Each step fills in its part once; what is filled in stays.

    ``checks`` is a list of ``{"name", "claim", "at", "found", "first"}``: how many rows each of the ledger's checks found, begun
    at an instant in ISO form, and the first of them in words. ``seal`` is that of the day or, where it has none, of the next
    later day that has one. ``replay`` settles the hands of the day again. The figures are counted when that is done: hands dealt
    in the day, what its drop boxes took, waived, gave back and kept, in cents, and what waits for a decision, of whatever day.
    ``ended_at`` is when the last step was done.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="day_ends")
    gaming_date = models.DateField(_("gaming day"))
    job = models.OneToOneField(Job, on_delete=models.PROTECT, related_name="day_end")
    seal = models.ForeignKey("ledger.Seal", on_delete=models.PROTECT, related_name="+", null=True)
    checks = models.JSONField(_("checks"), null=True)
    checked_at = models.DateTimeField(_("checked"), null=True)
    replay = models.ForeignKey(ReplayRun, on_delete=models.PROTECT, related_name="+", null=True)
    differences = models.PositiveIntegerField(_("hands that differ"), null=True)
    hands = models.PositiveIntegerField(_("hands dealt"), null=True)
    taken_cents = models.BigIntegerField(_("collected"), null=True)
    waived_cents = models.BigIntegerField(_("waived"), null=True)
    back_cents = models.BigIntegerField(_("given back"), null=True)
    kept_cents = models.BigIntegerField(_("kept"), null=True)
    open_exceptions = models.PositiveIntegerField(_("exceptions waiting"), null=True)
    open_disputes = models.PositiveIntegerField(_("disputes waiting"), null=True)
    counted_at = models.DateTimeField(_("counted"), null=True)
    ended_at = models.DateTimeField(_("ended"), null=True)

    application_grants: ClassVar[tuple[str, ...]] = (
        "SELECT",
        "INSERT",
        "UPDATE (seal_id, checks, checked_at, replay_id, differences, hands, taken_cents, waived_cents, back_cents, "
        "kept_cents, open_exceptions, open_disputes, counted_at, ended_at)",
    )

    class Meta:
        verbose_name = _("end of a gaming day")
        verbose_name_plural = _("ends of gaming days")
        constraints = (
            models.UniqueConstraint(name="dayend_once_a_day", fields=["room", "gaming_date"]),
            models.CheckConstraint(
                name="dayend_checked_with_a_result",
                condition=Q(checked_at__isnull=True, checks__isnull=True)
                | Q(checked_at__isnull=False, checks__isnull=False),
            ),
            models.CheckConstraint(
                name="dayend_counted_whole",
                condition=Q(counted_at__isnull=True, hands__isnull=True, kept_cents__isnull=True)
                | Q(
                    counted_at__isnull=False,
                    hands__isnull=False,
                    taken_cents__isnull=False,
                    waived_cents__isnull=False,
                    back_cents__isnull=False,
                    kept_cents=models.F("taken_cents") - models.F("waived_cents") - models.F("back_cents"),
                    open_exceptions__isnull=False,
                    open_disputes__isnull=False,
                ),
            ),
            models.CheckConstraint(
                name="dayend_ended_with_every_step",
                condition=Q(ended_at__isnull=True)
                | Q(
                    seal__isnull=False,
                    checked_at__isnull=False,
                    replay__isnull=False,
                    differences__isnull=False,
                    counted_at__isnull=False,
                ),
            ),
        )
        triggers = (
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(name="facts_fixed", fields=["room", "gaming_date", "job"]),
            pgtrigger.Protect(
                name="over_is_over", operation=pgtrigger.Update, condition=pgtrigger.Q(old__ended_at__isnull=False)
            ),
            *(
                pgtrigger.Protect(
                    name=f"{step}_is_done",
                    operation=pgtrigger.Update,
                    condition=pgtrigger.Q(**{f"old__{filled}__isnull": False})
                    & pgtrigger.Q(**{f"old__{filled}__df": pgtrigger.F(f"new__{filled}")}),
                )
                for step, filled in (
                    ("sealing", "seal"),
                    ("checking", "checked_at"),
                    ("replay", "replay"),
                    ("comparing", "differences"),
                    ("counting", "counted_at"),
                )
            ),
        )

    def __str__(self) -> str:
        return f"{self.room} {self.gaming_date}"


class DayEndPaper(AppendOnly):
    """A report in the archive of a gaming day: its numbered printing and the file.

    One that is too long for paper has no printing: its file is the CSV.
    """

    id = models.BigAutoField(primary_key=True)
    day_end = models.ForeignKey(DayEnd, on_delete=models.PROTECT, related_name="papers")
    report = models.SlugField(_("report"), max_length=40)
    printing = models.OneToOneField(ReportPrinting, on_delete=models.PROTECT, related_name="+", null=True)
    file = models.OneToOneField(KeptFile, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("report of an ended day")
        verbose_name_plural = _("reports of ended days")
        constraints = (models.UniqueConstraint(name="dayendpaper_once", fields=["day_end", "report"]),)

    def __str__(self) -> str:
        return f"{self.day_end}: {self.report}"
