"""What the bank can expect: history, to be looked at."""

from __future__ import annotations

from django.contrib import admin

from ledger.admin import HistoryAdmin
from tables.models import Expectation


@admin.register(Expectation)
class ExpectationAdmin(HistoryAdmin):
    """Expected results of the bank."""

    list_display = ("rules", "deals", "seed", "made_at")
    list_select_related = ("rules",)
    list_filter = ("made_at",)
    search_fields = ("rules__slug__exact",)
    ordering = ("-made_at", "pk")
