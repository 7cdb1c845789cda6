"""Hands, wagers and banks, marks and incidents, records and corrections: history, to be looked at."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from ledger.admin import HistoryAdmin
from tables.models import (
    BankAnswer,
    BankOffer,
    BankShare,
    DeckRequest,
    Hand,
    HandEvent,
    HandRecord,
    HandSeat,
    Incident,
    IncidentPerson,
    Resettlement,
    Reversal,
    Verdict,
    Wager,
    Withdrawal,
)


@admin.register(Hand)
class HandAdmin(HistoryAdmin):
    """Hands."""

    list_display = ("__str__", "status", "rules", "started_at", "ended_at")
    list_select_related = ("session__table", "rules")
    list_filter = ("session__table__room", "status", "session__table__game", "started_at")
    search_fields = ("session__table__number__exact", "number__exact", "void_reason")
    ordering = ("-started_at", "pk")


@admin.register(HandSeat, Wager, BankShare)
class HandPartAdmin(HistoryAdmin):
    """Seats, wagers and shares of the bank, the withdrawn ones too."""

    list_display = ("__str__", "sitting")
    list_select_related = ("hand__session__table", "sitting__patron", "sitting__seat__table", "sitting__session__table")
    list_filter = ("hand__session__table__room", "hand__started_at")
    search_fields = ("hand__session__table__number__exact", "hand__number__exact", "sitting__patron__name")
    ordering = ("-hand__started_at", "pk")

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Any]:
        """All of them."""
        everything: models.QuerySet[Any] = self.model._base_manager.order_by(*self.ordering)
        return everything


@admin.register(Withdrawal)
class WithdrawalAdmin(HistoryAdmin):
    """Wagers and banks that were taken back before the dice."""

    list_display = ("__str__", "withdrawn_at")
    list_select_related = ("wager__hand__session__table", "share__hand__session__table")
    list_filter = ("withdrawn_at",)
    search_fields = ("wager__sitting__patron__name", "share__sitting__patron__name")
    ordering = ("-withdrawn_at", "pk")


@admin.register(BankOffer)
class BankOfferAdmin(HistoryAdmin):
    """Offers of the bank, and who was passed by."""

    list_display = ("__str__", "round", "sitting", "skipped", "offered_at")
    list_select_related = ("session__table", "sitting__patron", "sitting__seat__table", "sitting__session__table")
    list_filter = ("session__table__room", "skipped", "offered_at")
    search_fields = ("session__table__number__exact", "sitting__patron__name")
    ordering = ("-offered_at", "pk")


@admin.register(BankAnswer)
class BankAnswerAdmin(HistoryAdmin):
    """What was answered to offers of the bank."""

    list_display = ("offer", "accepts", "answered_at")
    list_select_related = ("offer__session__table",)
    list_filter = ("accepts", "answered_at")
    search_fields = ("offer__session__table__number__exact", "offer__sitting__patron__name")
    ordering = ("-answered_at", "pk")


@admin.register(HandEvent)
class HandEventAdmin(HistoryAdmin):
    """What was marked while hands were set."""

    list_display = ("__str__", "value", "at", "expires_at")
    list_select_related = ("hand__session__table",)
    list_filter = ("hand__session__table__room", "kind", "at")
    search_fields = ("hand__session__table__number__exact", "hand__number__exact", "value")
    ordering = ("-at", "-pk")


@admin.register(Incident)
class IncidentAdmin(HistoryAdmin):
    """Incidents and what came of them."""

    list_display = ("__str__", "hand", "seat", "consequence", "happened_at", "note")
    list_select_related = ("session__table", "hand__session__table")
    list_filter = ("session__table__room", "kind", "consequence", "happened_at")
    search_fields = ("session__table__number__exact", "hand__number__exact", "note", "cards")
    ordering = ("-recorded_at", "pk")


@admin.register(IncidentPerson)
class IncidentPersonAdmin(HistoryAdmin):
    """Who had a part in an incident."""

    list_display = ("sitting", "incident")
    list_select_related = (
        "incident__session__table",
        "sitting__patron",
        "sitting__seat__table",
        "sitting__session__table",
    )
    list_filter = ("incident__kind", "incident__happened_at")
    search_fields = ("sitting__patron__name", "incident__note")
    ordering = ("-pk",)


@admin.register(DeckRequest)
class DeckRequestAdmin(HistoryAdmin):
    """Extra shuffles and deck changes that a Player/Dealer asked for."""

    list_display = ("__str__", "sitting", "asked_at")
    list_select_related = ("session__table", "sitting__patron", "sitting__seat__table", "sitting__session__table")
    list_filter = ("session__table__room", "what", "asked_at")
    search_fields = ("session__table__number__exact", "sitting__patron__name")
    ordering = ("-asked_at", "-pk")


@admin.register(HandRecord)
class HandRecordAdmin(HistoryAdmin):
    """Hand records, every revision."""

    list_display = ("__str__", "revision")
    list_select_related = ("hand__session__table",)
    list_filter = ("hand__session__table__room", "hand__started_at")
    search_fields = ("hand__session__table__number__exact", "hand__number__exact")
    ordering = ("-hand__started_at", "pk")


@admin.register(Verdict)
class VerdictAdmin(HistoryAdmin):
    """Verdicts."""

    list_display = ("__str__",)
    list_select_related = ("record__hand__session__table",)
    list_filter = ("record__hand__session__table__room", "record__hand__started_at")
    search_fields = ("record__hand__session__table__number__exact", "record__hand__number__exact")
    ordering = ("-record_id",)


@admin.register(Resettlement)
class ResettlementAdmin(HistoryAdmin):
    """Hands that were settled again."""

    list_display = ("__str__", "status_before", "status_after", "moved_cents", "in_window", "approver", "reason")
    list_select_related = ("hand__session__table", "approver")
    list_filter = ("reason_code", "in_window", "command__recorded_at")
    search_fields = ("hand__session__table__number__exact", "hand__number__exact", "reason", "approver__name")
    ordering = ("-pk",)


@admin.register(Reversal)
class ReversalAdmin(HistoryAdmin):
    """Buy-ins and cash-outs that were taken back."""

    list_display = ("__str__", "moved_cents", "in_window", "approver", "reason")
    list_select_related = ("sitting__patron", "sitting__seat__table", "sitting__session__table", "approver")
    list_filter = ("reason_code", "in_window", "command__recorded_at")
    search_fields = ("sitting__patron__name", "reason", "approver__name")
    ordering = ("-pk",)
