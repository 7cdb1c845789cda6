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
    list_filter = ("status",)
    ordering = ("-started_at", "pk")


@admin.register(HandSeat, Wager, BankShare)
class HandPartAdmin(HistoryAdmin):
    """Seats, wagers and shares of the bank, the withdrawn ones too."""

    list_display = ("__str__", "sitting")
    list_select_related = ("hand__session__table", "sitting__patron", "sitting__seat__table", "sitting__session__table")
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
    ordering = ("-withdrawn_at", "pk")


@admin.register(BankOffer)
class BankOfferAdmin(HistoryAdmin):
    """Offers of the bank, and who was passed by."""

    list_display = ("__str__", "round", "sitting", "skipped", "offered_at")
    list_select_related = ("session__table", "sitting__patron", "sitting__seat__table", "sitting__session__table")
    list_filter = ("skipped",)
    ordering = ("-offered_at", "pk")


@admin.register(BankAnswer)
class BankAnswerAdmin(HistoryAdmin):
    """What was answered to offers of the bank."""

    list_display = ("offer", "accepts", "answered_at")
    list_select_related = ("offer__session__table",)
    ordering = ("-answered_at", "pk")


@admin.register(HandEvent)
class HandEventAdmin(HistoryAdmin):
    """What was marked while hands were set."""

    list_display = ("__str__", "value", "at", "expires_at")
    list_select_related = ("hand__session__table",)
    list_filter = ("kind",)
    ordering = ("-at", "-pk")


@admin.register(Incident)
class IncidentAdmin(HistoryAdmin):
    """Incidents and what came of them."""

    list_display = ("__str__", "hand", "seat", "consequence", "happened_at", "note")
    list_select_related = ("session__table", "hand__session__table")
    list_filter = ("kind", "consequence")
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
    ordering = ("-pk",)


@admin.register(DeckRequest)
class DeckRequestAdmin(HistoryAdmin):
    """Extra shuffles and deck changes that a Player/Dealer asked for."""

    list_display = ("__str__", "sitting", "asked_at")
    list_select_related = ("session__table", "sitting__patron", "sitting__seat__table", "sitting__session__table")
    ordering = ("-asked_at", "-pk")


@admin.register(HandRecord)
class HandRecordAdmin(HistoryAdmin):
    """Hand records, every revision."""

    list_display = ("__str__", "revision")
    list_select_related = ("hand__session__table",)
    ordering = ("-hand__started_at", "pk")


@admin.register(Verdict)
class VerdictAdmin(HistoryAdmin):
    """Verdicts."""

    list_display = ("__str__",)
    list_select_related = ("record__hand__session__table",)
    ordering = ("-record_id",)


@admin.register(Resettlement)
class ResettlementAdmin(HistoryAdmin):
    """Hands that were settled again."""

    list_display = ("__str__", "status_before", "status_after", "moved_cents", "in_window", "approver", "reason")
    list_select_related = ("hand__session__table", "approver")
    list_filter = ("reason_code", "in_window")
    ordering = ("-pk",)


@admin.register(Reversal)
class ReversalAdmin(HistoryAdmin):
    """Buy-ins and cash-outs that were taken back."""

    list_display = ("__str__", "moved_cents", "in_window", "approver", "reason")
    list_select_related = ("sitting__patron", "sitting__seat__table", "sitting__session__table", "approver")
    list_filter = ("reason_code", "in_window")
    ordering = ("-pk",)
