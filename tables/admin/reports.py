"""Printings of reports: history, to be looked at."""

from __future__ import annotations

from django.contrib import admin

from ledger.admin import HistoryAdmin
from tables.models import ReportPrinting


@admin.register(ReportPrinting)
class ReportPrintingAdmin(HistoryAdmin):
    """Printings of reports."""

    list_display = ("number", "room", "report", "paper", "printed_by", "printed_at", "again")
    list_select_related = ("room", "printed_by", "again")
    list_filter = ("room", "report", "printed_at")
    search_fields = ("number__exact", "printed_by__name")
    ordering = ("-printed_at", "pk")
