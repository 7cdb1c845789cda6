"""Reports on paper: which was printed when, by whom, with which figures."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from tables.models.rooms import Paper, Room


class ReportPrinting(AppendOnly):
    """One printing of a report. ``ordinal`` counts a room's printings from 1, whatever the report; ``number`` is that as it is
    written, ``R-0012``.

    ``asked`` are the filters, ``data_sha256`` is over the figures alone, without who made them and when: equal digests are equal
    figures. ``printed_by`` is nobody where the timetable did. ``again`` is the first printing of the same report with the same
    filters; a paper that has one says REPRINT.
    """

    Paper = Paper

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="report_printings")
    ordinal = models.PositiveIntegerField(_("count"))
    number = models.CharField(_("number"), max_length=17)
    report = models.SlugField(_("report"), max_length=40)
    asked = models.JSONField(_("filters"))
    data_sha256 = models.BinaryField(_("SHA-256 of the figures"), max_length=32)
    paper = models.CharField(_("paper"), max_length=6, choices=Paper.choices)
    printed_by = models.ForeignKey("staff.User", on_delete=models.PROTECT, related_name="+", null=True)
    printed_at = models.DateTimeField(_("printed"))
    again = models.ForeignKey("self", on_delete=models.PROTECT, related_name="+", null=True)

    class Meta(AppendOnly.Meta):
        verbose_name = _("printing of a report")
        verbose_name_plural = _("printings of reports")
        constraints = (
            models.UniqueConstraint(name="reportprinting_number_once", fields=["room", "number"]),
            models.CheckConstraint(name="reportprinting_counts_from_one", condition=Q(ordinal__gte=1)),
            models.CheckConstraint(name="reportprinting_paper_known", condition=Q(paper__in=["letter", "a4"])),
        )
        indexes = (models.Index(name="reportprinting_of_report", fields=["room", "report", "ordinal"]),)

    def __str__(self) -> str:
        return f"{self.number}, {self.report}"
