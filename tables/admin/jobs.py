"""Jobs and the files that came of them, to be looked at. What is in a file is read where its report may be read."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from ledger.admin import HistoryAdmin
from tables.models import Job, KeptFile


@admin.register(Job)
class JobAdmin(HistoryAdmin):
    """Jobs, without what an attempt has settled for later ones: a paper's figures stand there."""

    list_display = ("kind", "room", "asked_by", "asked_at", "state", "step", "attempts", "last_error", "ended_at")
    list_select_related = ("room", "asked_by")
    list_filter = ("state", "kind", "asked_at")
    search_fields = ("key", "id")
    ordering = ("-asked_at", "pk")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Job]:
        return super().get_queryset(request).defer("once")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return [name for name in super().get_fields(request, obj) if name != "once"]


@admin.register(KeptFile)
class KeptFileAdmin(HistoryAdmin):
    """Kept files, without what is in them."""

    list_display = ("name", "title", "content_type", "size", "made_at", "job")
    list_select_related = ("job",)
    list_filter = ("content_type", "made_at")
    search_fields = ("name", "title")
    ordering = ("-made_at", "pk")

    def get_queryset(self, request: HttpRequest) -> QuerySet[KeptFile]:
        return super().get_queryset(request).defer("content", "job__once")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        shown = [field for field in self.model._meta.concrete_fields if field.name != "content"]
        return [field.name for field in shown if field.name != "sha256"] + ["digest"]

    @admin.display(description="SHA-256")
    def digest(self, row: KeptFile) -> str:
        """In hexadecimal."""
        return bytes(row.sha256).hex()
