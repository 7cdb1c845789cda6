"""Who waits for a seat: a list a game and stake, and everything that happened to everybody on it."""

from __future__ import annotations

import uuid
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from tables.models.commands import Command
from tables.models.people import Patron
from tables.models.rooms import Game, Room, Seat


class WaitingList(models.Model):
    """The people of a room who wait for one game at one stake; there from the first who did. Its row is the lock of a new entry.

    The stake is the terms that a table of it is opened with: ``point_value_cents`` in Chinese Poker, ``table_min_cents`` and
    ``table_max_cents`` in Pai Gow Poker.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="waiting_lists")
    game = models.CharField(_("game"), max_length=20, choices=Game.choices)
    point_value_cents = models.BigIntegerField(_("a point"), null=True)
    table_min_cents = models.BigIntegerField(_("minimum"), null=True)
    table_max_cents = models.BigIntegerField(_("maximum"), null=True)

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        verbose_name = _("waiting list")
        verbose_name_plural = _("waiting lists")
        constraints = (
            models.UniqueConstraint(
                name="waitinglist_once",
                fields=["room", "game", "point_value_cents", "table_min_cents", "table_max_cents"],
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                name="waitinglist_stakes_of_its_game",
                condition=Q(
                    game="chinese-poker",
                    point_value_cents__gt=0,
                    table_min_cents__isnull=True,
                    table_max_cents__isnull=True,
                )
                | Q(
                    game="pai-gow-poker",
                    point_value_cents__isnull=True,
                    table_min_cents__gt=0,
                    table_max_cents__gte=F("table_min_cents"),
                ),
            ),
        )
        triggers = (
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(
                name="facts_fixed",
                fields=["room", "game", "point_value_cents", "table_min_cents", "table_max_cents"],
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_game_display()}, {self.room}"


class WaitingEntry(models.Model):
    """Somebody on a list, from being added to being seated or removed. ``in_line_at`` orders the list.

    What was done is in its events; ``in_line_at`` and ``ended_at`` follow from them.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    waiting_list = models.ForeignKey(WaitingList, on_delete=models.PROTECT, related_name="entries")
    patron = models.ForeignKey(Patron, on_delete=models.PROTECT, related_name="waiting")
    added_at = models.DateTimeField(_("added"))
    in_line_at = models.DateTimeField(_("in line since"))
    ended_at = models.DateTimeField(_("ended"), null=True)

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        verbose_name = _("entry of a waiting list")
        verbose_name_plural = _("entries of waiting lists")
        constraints = (
            models.UniqueConstraint(
                name="waitingentry_once_a_list",
                fields=["waiting_list", "patron"],
                condition=Q(ended_at__isnull=True),
            ),
            models.CheckConstraint(name="waitingentry_in_line_once_added", condition=Q(in_line_at__gte=F("added_at"))),
            models.CheckConstraint(
                name="waitingentry_ends_after_it_began",
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("in_line_at")),
            ),
        )
        indexes = (models.Index(name="waitingentry_by_end", fields=["waiting_list", "ended_at"]),)
        triggers = (
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="ended_is_final", operation=pgtrigger.Update, condition=pgtrigger.Q(old__ended_at__isnull=False)
            ),
            pgtrigger.ReadOnly(name="facts_fixed", fields=["waiting_list", "patron", "added_at"]),
        )

    def __str__(self) -> str:
        return f"{self.patron}, {self.waiting_list}"


class WaitingEvent(AppendOnly):
    """One thing that happened to somebody on a list, numbered from 1, so that of two who do something at once one is told.

    ``until`` is how long a called person is waited for; ``seat`` where somebody was seated, or which one was held at a call.
    ``why`` and ``words`` say how it ended without a seat.
    """

    class Kind(models.TextChoices):
        """What happened."""

        ADDED = "added", _("Added")
        CALLED = "called", _("Called")
        PUT_LAST = "put-last", _("Put at the end")
        SEATED = "seated", _("Seated")
        REMOVED = "removed", _("Removed")

    class Why(models.TextChoices):
        """Why somebody was removed."""

        GAVE_UP = "gave-up", _("Gave up")
        DID_NOT_COME = "did-not-come", _("Did not come")
        OTHER = "other", _("Other")

    entry = models.ForeignKey(WaitingEntry, on_delete=models.PROTECT, related_name="events")
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("what"), max_length=10, choices=Kind.choices)
    happened_at = models.DateTimeField(_("when"))
    until = models.DateTimeField(_("waited for until"), null=True)
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+", null=True)
    why = models.CharField(_("why"), max_length=14, choices=Why.choices, blank=True)
    words = models.CharField(_("in words"), max_length=300, blank=True)
    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("event of a waiting list")
        verbose_name_plural = _("events of waiting lists")
        constraints = (
            models.UniqueConstraint(name="waitingevent_numbered", fields=["entry", "number"]),
            models.CheckConstraint(
                name="waitingevent_says_what_its_kind_says",
                condition=Q(kind="added", number=1, until__isnull=True, seat__isnull=True, why="", words="")
                | Q(kind="called", number__gt=1, until__gt=F("happened_at"), why="", words="")
                | Q(kind="put-last", number__gt=1, until__isnull=True, seat__isnull=True, why="", words="")
                | Q(kind="seated", number__gt=1, until__isnull=True, seat__isnull=False, why="", words="")
                | Q(
                    Q(why__in=["gave-up", "did-not-come"]) | Q(why="other") & ~Q(words=""),
                    kind="removed",
                    number__gt=1,
                    until__isnull=True,
                    seat__isnull=True,
                ),
            ),
        )
        indexes = (models.Index(name="waitingevent_by_time", fields=["-happened_at", "-id"]),)

    def __str__(self) -> str:
        return f"{self.entry}: {self.get_kind_display()}"
