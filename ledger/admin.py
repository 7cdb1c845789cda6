"""The ledger in the admin: to look at. Nothing here is added, changed or deleted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from casino.admin_lists import ListAdmin
from ledger.errors import dollars
from ledger.models import Account, Balance, Book, BroughtForward, Entry, Seal, SealLine, Transaction

Shown = str | Callable[[models.Model], str | None]


class HistoryAdmin(ListAdmin):
    """Base for everything that is history: every column is shown, amounts in dollars, and nothing can be done."""

    actions = None
    comes_from = _("They come from what people do, and are only looked at here.")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        amounts = {field.name: field for field in self.model._meta.concrete_fields if field.name.endswith("_cents")}
        return [_shown(amounts[name]) if name in amounts else name for name in self.list_display]

    def get_fields(self, request: HttpRequest, obj: models.Model | None = None) -> list[Any]:
        return [_shown(field) for field in self.model._meta.concrete_fields]

    def get_readonly_fields(self, request: HttpRequest, obj: models.Model | None = None) -> list[Any]:
        return self.get_fields(request, obj)


def _shown(field: models.Field[Any, Any]) -> Shown:
    """A column as the admin takes it: by its name, or as a function where its own value is bytes or cents."""
    if field.name.endswith("_cents"):
        in_words: Callable[[Any], str] = dollars
    elif isinstance(field, models.BinaryField):
        in_words = _hexadecimal
    else:
        return field.name

    @admin.display(description=field.verbose_name, ordering=field.name, empty_value="")
    def shown(row: models.Model) -> str | None:
        value = field.value_from_object(row)
        return None if value is None else in_words(value)

    return shown


def _hexadecimal(value: bytes | memoryview) -> str:
    return bytes(value).hex()


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
    list_filter = ("account__kind", "account__frozen_at")
    ordering = ("pk",)


@admin.register(Book)
class BookAdmin(HistoryAdmin):
    """Books."""

    list_display = ("name", "opened_at")
    search_fields = ("name", "id")
    list_filter = ("opened_at",)
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
    list_filter = ("transaction__kind", "transaction__recorded_at")
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
    list_filter = ("seal__kind",)
    ordering = ("-id",)


@admin.register(BroughtForward)
class BroughtForwardAdmin(HistoryAdmin):
    """What every table held as of the seal of each gaming day, the newest seals first."""

    list_display = ("seal", "place", "account_kind", "amount_cents")
    list_select_related = ("seal",)
    search_fields = ("seal__label", "place")
    list_filter = ("account_kind",)
    ordering = ("-id",)
