"""The admin of the rooms: set-up is done here, history is looked at. Money and play go through services alone."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from ledger.admin import HistoryAdmin
from tables.models import (
    BankAnswer,
    BankOffer,
    BankShare,
    BuyIn,
    CollectionRate,
    CollectionSchedule,
    Command,
    DealerShift,
    DeckRequest,
    Dispute,
    ExceptionDecision,
    Hand,
    HandEvent,
    HandRecord,
    HandSeat,
    Incident,
    IncidentPerson,
    Jackpot,
    JackpotAward,
    MoneyBehind,
    PaidDifferently,
    Patron,
    Resettlement,
    Restriction,
    RestrictionLift,
    Reversal,
    Room,
    RoomStaff,
    RuleSetVersion,
    Ruling,
    SeatHold,
    Sitting,
    Table,
    TableException,
    TableSession,
    Verdict,
    Wager,
    Waiver,
    Withdrawal,
)
from tables.services.sessions import table_add


class SetUpAdmin(ModelAdmin):
    """Base of set-up that history points at: never deleted, and ``fixed`` stays what it was when it was added."""

    actions = None
    fixed: tuple[str, ...] = ()

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: models.Model | None = None) -> tuple[str, ...]:
        return self.fixed if obj else ()


@admin.register(Room)
class RoomAdmin(SetUpAdmin):
    """Rooms."""

    fields = ("name", "slug", "time_zone", "day_starts_at", "approval_limit_cents")
    prepopulated_fields = {"slug": ("name",)}
    list_display = ("name", "slug", "time_zone", "day_starts_at")
    ordering = ("name", "pk")


@admin.register(RoomStaff)
class RoomStaffAdmin(ModelAdmin):
    """Who works in which room. Taking somebody off a room deletes a row here; what they did there stays theirs."""

    list_display = ("room", "user")
    list_filter = ("room",)
    list_select_related = ("room", "user")
    search_fields = ("user__name", "user__badge_number")
    ordering = ("room__name", "user__badge_number", "pk")


@admin.register(Table)
class TableAdmin(SetUpAdmin):
    """Tables. A new one gets the seats of its game, so neither game nor room changes afterwards."""

    fields = ("room", "number", "game")
    fixed = ("room", "game")
    list_display = ("__str__", "room", "number", "game")
    list_filter = ("room", "game")
    list_select_related = ("room",)
    ordering = ("room__name", "number", "pk")

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Add through the service that makes the seats; a change is the number alone."""
        if change:
            obj.save(update_fields=["number"])
            return
        added = table_add(room_id=obj.room_id, number=obj.number, game=obj.game)
        obj.pk = added.pk
        obj.created_at = added.created_at
        obj._state.adding = False


@admin.register(Patron)
class PatronAdmin(SetUpAdmin):
    """Patrons with a card, and those who were only described."""

    fields = ("room", "number", "name", "provider")
    fixed = ("room",)
    list_display = ("name", "number", "room", "created_at")
    list_filter = ("room",)
    list_select_related = ("room",)
    search_fields = ("name", "number")
    ordering = ("room__name", "number", "name", "pk")


@admin.register(RuleSetVersion)
class RuleSetVersionAdmin(HistoryAdmin):
    """Versions of rule sets: shipped ones as they were stored when first used, and the house's own with the reason."""

    list_display = ("slug", "version", "game", "created_at", "reason")
    ordering = ("slug", "-version")


@admin.register(TableSession)
class TableSessionAdmin(HistoryAdmin):
    """Table sessions."""

    list_display = ("table", "rules", "opened_at", "closed_at", "hands_dealt", "dealer")
    list_select_related = ("table", "rules", "dealer")
    list_filter = ("table__room",)
    ordering = ("-opened_at", "pk")


@admin.register(Sitting)
class SittingAdmin(HistoryAdmin):
    """Sittings."""

    list_display = ("patron", "session", "seat", "started_at", "absent_at", "ended_at")
    list_select_related = ("patron", "session__table", "seat__table")
    search_fields = ("patron__name",)
    ordering = ("-started_at", "pk")


@admin.register(BuyIn)
class BuyInAdmin(HistoryAdmin):
    """Buy-ins."""

    list_display = ("sitting", "amount_cents", "means", "is_short", "bought_at")
    list_select_related = ("sitting__patron", "sitting__seat__table", "sitting__session__table")
    ordering = ("-bought_at", "pk")


@admin.register(MoneyBehind)
class MoneyBehindAdmin(HistoryAdmin):
    """What was coloured up, and what became of it."""

    list_display = ("sitting", "cause", "change_cents")
    list_select_related = ("sitting__patron", "sitting__seat__table", "sitting__session__table")
    list_filter = ("cause",)
    ordering = ("-pk",)


@admin.register(DealerShift)
class DealerShiftAdmin(HistoryAdmin):
    """Who dealt where, and when."""

    list_display = ("dealer", "session", "started_at", "ended_at")
    list_select_related = ("dealer", "session__table")
    ordering = ("-started_at", "pk")


@admin.register(SeatHold)
class SeatHoldAdmin(HistoryAdmin):
    """Seats that were held for somebody."""

    list_display = ("seat", "patron", "held_at", "until", "ended_at")
    list_select_related = ("seat__table", "patron")
    ordering = ("-held_at", "pk")


@admin.register(Restriction)
class RestrictionAdmin(HistoryAdmin):
    """Patrons who were barred, or restricted themselves."""

    list_display = ("patron", "kind", "started_at", "until_date", "reason")
    list_select_related = ("patron",)
    list_filter = ("kind",)
    ordering = ("-started_at", "pk")


@admin.register(RestrictionLift)
class RestrictionLiftAdmin(HistoryAdmin):
    """Restrictions that two people ended."""

    list_display = ("restriction", "lifted_at", "reason")
    list_select_related = ("restriction__patron",)
    ordering = ("-lifted_at", "pk")


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


@admin.register(Dispute)
class DisputeAdmin(HistoryAdmin):
    """Disputes about hands."""

    list_display = ("__str__", "sitting", "raised_at")
    list_select_related = ("hand__session__table", "sitting__patron", "sitting__seat__table", "sitting__session__table")
    ordering = ("-raised_at", "pk")


@admin.register(Ruling)
class RulingAdmin(HistoryAdmin):
    """Rulings on disputes."""

    list_display = ("__str__", "outcome", "rule", "error_by", "ruled_at")
    list_select_related = ("dispute__hand__session__table",)
    list_filter = ("outcome", "error_by")
    ordering = ("-ruled_at", "pk")


@admin.register(PaidDifferently)
class PaidDifferentlyAdmin(HistoryAdmin):
    """Lines of verdicts that were paid otherwise."""

    list_display = ("record", "payer", "payee", "wager", "share", "due_cents", "paid_cents")
    list_select_related = (
        "record__hand__session__table",
        "wager__hand__session__table",
        "share__hand__session__table",
    )
    ordering = ("-pk",)


@admin.register(TableException)
class TableExceptionAdmin(HistoryAdmin):
    """Exceptions for floor to decide on."""

    list_display = ("session", "kind", "words", "raised_at")
    list_select_related = ("session__table",)
    list_filter = ("kind",)
    ordering = ("-raised_at", "pk")


@admin.register(ExceptionDecision)
class ExceptionDecisionAdmin(HistoryAdmin):
    """What floor made of exceptions."""

    list_display = ("exception", "outcome", "reason", "decided_at")
    list_select_related = ("exception__session__table",)
    list_filter = ("outcome",)
    ordering = ("-decided_at", "pk")


@admin.register(CollectionSchedule)
class CollectionScheduleAdmin(HistoryAdmin):
    """Collection schedules, every version."""

    list_display = ("__str__", "room", "game", "title", "created_at", "reason")
    list_select_related = ("room",)
    list_filter = ("room", "game")
    ordering = ("slug", "-version")


@admin.register(CollectionRate)
class CollectionRateAdmin(HistoryAdmin):
    """The rates of collection schedules."""

    list_display = ("schedule", "payer", "bracket_from", "bracket_to", "amount_cents")
    list_select_related = ("schedule",)
    ordering = ("schedule__slug", "-schedule__version", "number")


@admin.register(Waiver)
class WaiverAdmin(HistoryAdmin):
    """Collections that were waived."""

    list_display = ("hand", "sitting", "payer", "amount_cents", "reason")
    list_select_related = ("hand__session__table", "sitting__patron", "sitting__seat__table", "sitting__session__table")
    list_filter = ("payer",)
    ordering = ("-pk",)


@admin.register(Jackpot)
class JackpotAdmin(HistoryAdmin):
    """Jackpots, open and closed."""

    list_display = ("title", "room", "game", "fee_cents", "opened_at", "closed_at")
    list_select_related = ("room",)
    list_filter = ("room", "game")
    ordering = ("-opened_at", "pk")


@admin.register(JackpotAward)
class JackpotAwardAdmin(HistoryAdmin):
    """What was paid out of jackpots."""

    list_display = ("jackpot", "record", "place", "sitting", "amount_cents", "approver")
    list_select_related = (
        "jackpot",
        "record__hand__session__table",
        "sitting__patron",
        "sitting__seat__table",
        "sitting__session__table",
        "approver",
    )
    ordering = ("-pk",)


@admin.register(Command)
class CommandAdmin(HistoryAdmin):
    """Commands: what people did."""

    list_display = ("verb", "table", "actor", "device", "occurred_at", "recorded_at")
    list_select_related = ("table", "actor", "device")
    list_filter = ("verb", "table__room")
    search_fields = ("key", "actor__name")
    ordering = ("-recorded_at", "key")
