"""What auditors have looked at: history, to be looked at."""

from __future__ import annotations

from django.contrib import admin

from ledger.admin import HistoryAdmin
from tables.models import LookedAt, LookedAtReply


@admin.register(LookedAt)
class LookedAtAdmin(HistoryAdmin):
    """Things looked at, notes, questions and sign-offs."""

    list_display = ("name", "kind", "about", "room", "gaming_date", "by", "at")
    list_select_related = ("room", "by")
    list_filter = ("kind", "about", "room", "at")
    search_fields = ("name", "words", "by__name")
    ordering = ("-at", "pk")


@admin.register(LookedAtReply)
class LookedAtReplyAdmin(HistoryAdmin):
    """Answers to questions, and their closing."""

    list_display = ("question", "kind", "by", "at")
    list_select_related = ("question", "by")
    list_filter = ("kind", "at")
    search_fields = ("question__name", "words", "by__name")
    ordering = ("-at", "pk")
