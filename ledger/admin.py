"""The ledger in the admin: to look at. Nothing here is added, changed or deleted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from ledger.models import Account, Balance, Book, Entry, Seal, SealLine, Transaction

Shown = str | Callable[[models.Model], str]


class HistoryAdmin(ModelAdmin):
    """Base for everything that is history: every column is shown, digests in hexadecimal, and nothing can be done."""

    actions = None
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: models.Model | None = None) -> list[Any]:
        return [_shown(field) for field in self.model._meta.concrete_fields]

    def get_readonly_fields(self, request: HttpRequest, obj: models.Model | None = None) -> list[Any]:
        return self.get_fields(request, obj)


def _shown(field: models.Field[Any, Any]) -> Shown:
    """A column as the admin takes it: by its name, or as a function where its own value is bytes."""
    if not isinstance(field, models.BinaryField):
        return field.name

    @admin.display(description=field.verbose_name)
    def as_hexadecimal(row: models.Model) -> str:
        value = field.value_from_object(row)
        return "" if value is None else bytes(value).hex()

    return as_hexadecimal


@admin.register(Account)
class AccountAdmin(HistoryAdmin):
    """Accounts."""

    list_display = ("name", "kind", "guarded", "frozen_at", "created_at")
    list_filter = ("kind",)
    search_fields = ("name", "id")
    ordering = ("-created_at", "pk")


@admin.register(Balance)
class BalanceAdmin(HistoryAdmin):
    """Balances of guarded accounts, as the database keeps them."""

    list_display = ("account", "balance_cents", "version")
    list_select_related = ("account",)
    search_fields = ("account__name",)
    ordering = ("pk",)


@admin.register(Book)
class BookAdmin(HistoryAdmin):
    """Books."""

    list_display = ("name", "opened_at")
    search_fields = ("name", "id")
    ordering = ("-opened_at", "pk")


@admin.register(Transaction)
class TransactionAdmin(HistoryAdmin):
    """Transactions, book by book, the newest of each first."""

    list_display = ("kind", "reference", "book", "sequence", "actor", "recorded_at")
    list_filter = ("kind",)
    list_select_related = ("book",)
    search_fields = ("reference", "actor", "id")
    ordering = ("-book_id", "-sequence")


@admin.register(Entry)
class EntryAdmin(HistoryAdmin):
    """Entries, the newest first."""

    list_display = ("id", "transaction", "line", "account", "amount_cents", "balance_after_cents")
    list_select_related = ("transaction", "account")
    search_fields = ("account__name", "transaction__reference")
    ordering = ("-id",)


@admin.register(Seal)
class SealAdmin(HistoryAdmin):
    """Seals, the newest first."""

    list_display = ("number", "kind", "label", "made_at", "transactions", "entries")
    list_filter = ("kind",)
    search_fields = ("label",)
    ordering = ("-number",)


@admin.register(SealLine)
class SealLineAdmin(HistoryAdmin):
    """What each seal covers, book by book, the newest seals first."""

    list_display = ("seal", "book", "first", "last")
    list_select_related = ("seal", "book")
    search_fields = ("book__name", "seal__label")
    ordering = ("-id",)
