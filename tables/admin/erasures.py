"""Erasures, and what is kept apart from commands so that it can be erased: to be looked at."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import TabularInline

from ledger.admin import HistoryAdmin
from tables.models import Command, Erasure, PersonalText


@admin.register(Erasure)
class ErasureAdmin(HistoryAdmin):
    """Patrons whose personal data was erased."""

    list_display = ("label", "room", "asked_date", "reason", "erased_at")
    list_select_related = ("room",)
    list_filter = ("room",)
    search_fields = ("label",)
    ordering = ("-erased_at", "-pk")


class PersonalTexts(TabularInline):
    """What a command was told of who a patron is, as long as it was not erased."""

    model = PersonalText
    fields = readonly_fields = ("place", "text")
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: Command | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Command | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Command | None = None) -> bool:
        return False
