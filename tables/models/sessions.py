"""Rule set versions, and table sessions: a table from opening to closing."""

from __future__ import annotations

import uuid
from typing import ClassVar

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GistIndex
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from casino.quickly_read import QuicklyRead
from tables.models.commands import Command
from tables.models.rooms import Game, Table


class RuleSetVersion(AppendOnly):
    """One version of a rule set, whole. Never changes, so that a hand keeps the rules it was dealt under.

    A shipped one is stored at its first use and has no ``command``; a room's own has the command that added it, and why.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(_("slug"), max_length=60)
    version = models.PositiveIntegerField(_("version"))
    game = models.CharField(_("game"), max_length=20, choices=Game.choices)
    parameters = models.JSONField(_("parameters"))
    created_at = models.DateTimeField(_("added"), db_default=Now(), editable=False)
    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+", null=True)
    reason = models.CharField(_("why it was added"), max_length=300, blank=True)

    class Meta(AppendOnly.Meta):
        verbose_name = _("rule set version")
        verbose_name_plural = _("rule set versions")
        constraints = (
            models.UniqueConstraint(name="rulesetversion_once", fields=["slug", "version"]),
            models.CheckConstraint(name="rulesetversion_game_known", condition=Q(game__in=Game.values)),
            models.CheckConstraint(
                name="rulesetversion_own_has_a_reason",
                condition=Q(command__isnull=True, reason="") | Q(command__isnull=False) & ~Q(reason=""),
            ),
        )

    def __str__(self) -> str:
        return f"{self.slug}@{self.version}"


class TableSession(QuicklyRead):
    """A table from opening to closing: game, stakes, collection, and who holds the button or the bank.

    Chinese Poker has a point value; Pai Gow Poker a minimum and a maximum of the betting circle. A collection is
    a flat amount, in force before the deal (CP-65, PG-04): ``collection_cents`` for each player or wager,
    ``bank_collection_cents`` for the bank; or the rates of ``schedule``. ``jackpot`` is the pool that its hands feed beside it,
    and ``carried_hand`` the misdeal whose collections wait for the next deal (PG-04). ``sheet`` is the posted sheet of its rules;
    tables that were opened before there were any have none. ``chip_denominations`` are the chips that play, in cents, each a
    multiple of the smallest; none stands for any (CP-61). ``clock_seconds`` is how long a player has once floor calls time
    (CP-64). ``ruling_account`` is opened with the first correction that needs it.
    ``offers_required``: no Pai Gow hand begins before somebody accepted the bank; ``rotation_pack``: besides, two people
    other than providers' bank in any 40 minutes (PG-02).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="sessions")
    rules = models.ForeignKey(RuleSetVersion, on_delete=models.PROTECT, related_name="sessions")
    point_value_cents = models.BigIntegerField(_("a point"), null=True)
    table_min_cents = models.BigIntegerField(_("minimum"), null=True)
    table_max_cents = models.BigIntegerField(_("maximum"), null=True)
    collection_cents = models.BigIntegerField(_("collection"), default=0)
    bank_collection_cents = models.BigIntegerField(_("collection of the bank"), default=0)
    schedule = models.ForeignKey(
        "tables.CollectionSchedule", on_delete=models.PROTECT, related_name="sessions", null=True
    )
    jackpot = models.ForeignKey("tables.Jackpot", on_delete=models.PROTECT, related_name="sessions", null=True)
    sheet = models.ForeignKey("tables.PostedSheet", on_delete=models.PROTECT, related_name="sessions", null=True)
    carried_hand = models.ForeignKey("tables.Hand", on_delete=models.PROTECT, related_name="+", null=True)
    chip_denominations = ArrayField(models.BigIntegerField(), verbose_name=_("chips"), default=list, blank=True)
    clock_seconds = models.PositiveSmallIntegerField(_("clock, in seconds"), default=60)
    offers_required = models.BooleanField(_("bank offered before every hand"), default=False)
    rotation_pack = models.BooleanField(_("rotation of the bank is timed"), default=False)
    button_seat = models.PositiveSmallIntegerField(_("button or Player/Dealer"), null=True)
    hands_dealt = models.PositiveIntegerField(_("hands dealt"), default=0)
    opened_at = models.DateTimeField(_("opened"))
    opened_by = models.ForeignKey("staff.User", on_delete=models.PROTECT, related_name="sessions_opened")
    dealer = models.ForeignKey("staff.User", on_delete=models.PROTECT, related_name="sessions_dealt", null=True)
    closed_at = models.DateTimeField(_("closed"), null=True)
    book = models.OneToOneField("ledger.Book", on_delete=models.PROTECT, related_name="+")
    cash_account = models.OneToOneField("ledger.Account", on_delete=models.PROTECT, related_name="+")
    chips_account = models.OneToOneField("ledger.Account", on_delete=models.PROTECT, related_name="+")
    drop_account = models.OneToOneField("ledger.Account", on_delete=models.PROTECT, related_name="+")
    ruling_account = models.OneToOneField("ledger.Account", on_delete=models.PROTECT, related_name="+", null=True)

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        verbose_name = _("table session")
        verbose_name_plural = _("table sessions")
        constraints = (
            models.UniqueConstraint(
                name="tablesession_one_open_a_table", fields=["table"], condition=Q(closed_at__isnull=True)
            ),
            models.CheckConstraint(
                name="tablesession_stakes_of_one_game",
                condition=Q(point_value_cents__gt=0, table_min_cents__isnull=True, table_max_cents__isnull=True)
                | Q(
                    point_value_cents__isnull=True,
                    table_min_cents__gt=0,
                    table_max_cents__gte=models.F("table_min_cents"),
                ),
            ),
            models.CheckConstraint(
                name="tablesession_collection_not_negative",
                condition=Q(collection_cents__gte=0, bank_collection_cents__gte=0),
            ),
            models.CheckConstraint(
                name="tablesession_clock_runs", condition=Q(clock_seconds__gte=1, clock_seconds__lte=3600)
            ),
            models.CheckConstraint(
                name="tablesession_schedule_or_flat_amounts",
                condition=Q(schedule__isnull=True) | Q(collection_cents=0, bank_collection_cents=0),
            ),
            models.CheckConstraint(
                name="tablesession_button_is_a_seat",
                condition=Q(button_seat__isnull=True) | Q(button_seat__gte=1, button_seat__lte=7),
            ),
        )
        # Reports find what was open in a span of time by it, however long the house has played.
        indexes = (
            GistIndex(
                models.Func("opened_at", "closed_at", models.Value("[]"), function="tstzrange"),
                name="tablesession_by_time",
            ),
        )
        triggers = (
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(name="rotation_fixed", fields=["offers_required", "rotation_pack"]),
            pgtrigger.Protect(
                name="ruling_account_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__ruling_account__isnull=False)
                & pgtrigger.Q(old__ruling_account__df=pgtrigger.F("new__ruling_account")),
            ),
            pgtrigger.ReadOnly(
                name="terms_fixed",
                fields=[
                    "table",
                    "rules",
                    "point_value_cents",
                    "table_min_cents",
                    "table_max_cents",
                    "collection_cents",
                    "bank_collection_cents",
                    "schedule",
                    "jackpot",
                    "sheet",
                    "chip_denominations",
                    "clock_seconds",
                    "opened_at",
                    "opened_by",
                    "book",
                    "cash_account",
                    "chips_account",
                    "drop_account",
                ],
            ),
        )

    def __str__(self) -> str:
        return f"{self.table} from {self.opened_at:%Y-%m-%d %H:%M}"

    @property
    def is_open(self) -> bool:
        """Whether the session still runs."""
        return self.closed_at is None

    @property
    def sheet_number(self) -> str | None:
        """The number of the posted sheet that stands at the table."""
        return self.sheet.number if self.sheet else None


class DealerShift(models.Model):
    """A dealer at a table, from dealing in to dealing out. One at a time."""

    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="dealer_shifts")
    dealer = models.ForeignKey("staff.User", on_delete=models.PROTECT, related_name="dealer_shifts")
    started_at = models.DateTimeField(_("dealt in"))
    ended_at = models.DateTimeField(_("dealt out"), null=True)

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        verbose_name = _("dealer's shift")
        verbose_name_plural = _("dealers' shifts")
        constraints = (
            models.UniqueConstraint(
                name="dealershift_one_a_session", fields=["session"], condition=Q(ended_at__isnull=True)
            ),
            models.CheckConstraint(
                name="dealershift_ends_after_it_began",
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=models.F("started_at")),
            ),
        )
        triggers = (
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="ended_is_final", operation=pgtrigger.Update, condition=pgtrigger.Q(old__ended_at__isnull=False)
            ),
            pgtrigger.ReadOnly(name="facts_fixed", fields=["session", "dealer", "started_at"]),
        )

    def __str__(self) -> str:
        return f"{self.dealer} at {self.session}"
