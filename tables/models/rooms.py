"""Rooms, who works in them, their tables and the seats."""

from __future__ import annotations

import uuid
from datetime import date, datetime, time
from zoneinfo import ZoneInfo, available_timezones

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from casino.gaming_day import gaming_day
from casino.quickly_read import QuicklyRead
from casino.set_up_history import with_history

SEATS = {"chinese-poker": 4, "pai-gow-poker": 7}

MAP_COLUMNS, MAP_ROWS = 12, 12
"""How large the map of a room may be."""


class Game(models.TextChoices):
    """The games that the rules know, by the names of the hand record."""

    CHINESE_POKER = "chinese-poker", _("Chinese Poker")
    PAI_GOW_POKER = "pai-gow-poker", _("Pai Gow Poker")


class Paper(models.TextChoices):
    """What reports are printed on."""

    LETTER = "letter", _("Letter")
    A4 = "a4", _("A4")


def usual_day_end_reports() -> list[str]:
    """What the archive of a gaming day holds until the room chooses otherwise: slugs of reports."""
    return [
        "gaming-day",
        "table-sessions",
        "collections",
        "buy-ins",
        "rulings",
        "incidents",
        "jackpots",
        "trial-balance",
    ]


def validate_time_zone(name: str) -> None:
    """Raise ``ValidationError`` for a name that is no time zone."""
    if name not in available_timezones():
        raise ValidationError(
            _("%(name)s is no time zone. Write one such as America/Los_Angeles."), params={"name": name}
        )


@with_history(
    "slug",
    "name",
    "time_zone",
    "day_starts_at",
    "approval_limit_cents",
    "waiting_hold_minutes",
    "dealer_minutes",
    "day_end_reports",
    "day_end_paper",
    "silent_minutes",
    "decision_minutes",
    "mail_to",
)
class Room(QuicklyRead):
    """A cardroom. Its time zone and roll-over make the gaming day of everything in it.

    ``approval_limit_cents`` is how much a correction may move without a second person; ``waiting_hold_minutes`` how long somebody
    called from a waiting list is waited for; ``dealer_minutes`` how long a dealer usually stays at a table.
    ``day_end_reports`` are the slugs of the reports that the archive of every gaming day holds, on ``day_end_paper``. A watch is
    raised after ``silent_minutes`` without a press at a table in play, and when a decision waits for ``decision_minutes``; it is
    told to the addresses in ``mail_to``.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(_("slug"), unique=True)
    name = models.CharField(_("name"), max_length=120)
    time_zone = models.CharField(_("time zone"), max_length=64, validators=[validate_time_zone])
    day_starts_at = models.TimeField(_("gaming day starts at"), default=time(6))
    approval_limit_cents = models.BigIntegerField(
        _("corrections need two people above"),
        default=100_000,
        help_text=_("What may change hands by one person's correction, before the next hand begins (PG-45)."),
    )
    waiting_hold_minutes = models.PositiveSmallIntegerField(
        _("who is called from a waiting list is waited for, in minutes"),
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(120)],
        help_text=_("Floor can choose another time at each call."),
    )

    dealer_minutes = models.PositiveSmallIntegerField(
        _("a dealer stays at a table, in minutes"),
        default=60,
        validators=[MinValueValidator(5), MaxValueValidator(480)],
        help_text=_("Who deals longer stands out on the staff page."),
    )
    day_end_reports = ArrayField(
        models.CharField(max_length=40),
        verbose_name=_("reports in the archive of a gaming day"),
        default=usual_day_end_reports,
        blank=True,
        help_text=_("Printed when a gaming day has ended, each under the next number of the room, after the summary."),
    )
    day_end_paper = models.CharField(
        _("paper of the archive"), max_length=6, choices=Paper.choices, default=Paper.LETTER
    )
    silent_minutes = models.PositiveSmallIntegerField(
        _("a table in play is silent, in minutes"),
        default=15,
        validators=[MinValueValidator(2), MaxValueValidator(240)],
        help_text=_("Without a press for so long at a table with players, the floor is told, and the addresses below."),
    )
    decision_minutes = models.PositiveSmallIntegerField(
        _("a decision waits, in minutes"),
        default=20,
        validators=[MinValueValidator(2), MaxValueValidator(1440)],
        help_text=_("Exceptions and disputes that wait longer are told to the addresses below."),
    )
    mail_to = ArrayField(
        models.EmailField(),
        verbose_name=_("e-mail addresses"),
        default=list,
        blank=True,
        help_text=_("Separated by commas. They are told what the watchdogs see, and when a gaming day has ended."),
    )

    class Meta:
        verbose_name = _("room")
        verbose_name_plural = _("rooms")
        constraints = (
            models.CheckConstraint(name="room_approval_limit_not_negative", condition=Q(approval_limit_cents__gte=0)),
            models.CheckConstraint(
                name="room_waiting_hold_in_reason",
                condition=Q(waiting_hold_minutes__gte=1, waiting_hold_minutes__lte=120),
            ),
            models.CheckConstraint(name="room_paper_known", condition=Q(day_end_paper__in=Paper.values)),
            models.CheckConstraint(
                name="room_watches_in_reason",
                condition=Q(
                    silent_minutes__gte=2,
                    silent_minutes__lte=240,
                    decision_minutes__gte=2,
                    decision_minutes__lte=1440,
                ),
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        """The room's time zone."""
        return ZoneInfo(self.time_zone)

    def gaming_day(self, instant: datetime) -> date:
        """The gaming day an instant belongs to in this room."""
        return gaming_day(instant, time_zone=self.zone, starts_at=self.day_starts_at)


@with_history("room", "user")
class RoomStaff(models.Model):
    """A staff member who works in a room. Nobody acts at a table of a room they do not work in."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="staff")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="rooms", verbose_name=_("person")
    )

    class Meta:
        verbose_name = _("staff of a room")
        verbose_name_plural = _("staff of rooms")
        constraints = (models.UniqueConstraint(name="roomstaff_once", fields=["room", "user"]),)

    def __str__(self) -> str:
        return f"{self.user} · {self.room}"


@with_history("room", "number", "game", "map_column", "map_row")
class Table(QuicklyRead):
    """A table of a room. Its row is the one lock that every change at the table takes.

    ``map_column`` and ``map_row`` say where it stands on the map of the floor's page, from 1 at the top left; a table without
    either comes after the map.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField(_("number"))
    game = models.CharField(_("game"), max_length=20, choices=Game.choices)
    map_column = models.PositiveSmallIntegerField(_("column on the map"), null=True, blank=True)
    map_row = models.PositiveSmallIntegerField(_("row on the map"), null=True, blank=True)
    created_at = models.DateTimeField(_("added"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        constraints = (
            models.UniqueConstraint(name="table_number_once_a_room", fields=["room", "number"]),
            # Deferred, so that two tables can change places in one statement.
            models.UniqueConstraint(
                name="table_one_a_place_of_the_map",
                fields=["room", "map_column", "map_row"],
                deferrable=models.Deferrable.DEFERRED,
            ),
            models.CheckConstraint(
                name="table_place_is_on_the_map",
                condition=Q(map_column__isnull=True, map_row__isnull=True)
                # Either comparison with nothing is unknown, which a CHECK lets pass, so both are said to be there.
                | Q(map_column__isnull=False, map_row__isnull=False)
                & Q(map_column__gte=1, map_column__lte=MAP_COLUMNS, map_row__gte=1, map_row__lte=MAP_ROWS),
            ),
            models.CheckConstraint(name="table_game_known", condition=Q(game__in=Game.values)),
        )

    def __str__(self) -> str:
        return f"T{self.number}"


class Seat(QuicklyRead):
    """A place at a table, numbered clockwise: four in Chinese Poker, seven positions in Pai Gow Poker. It stays what it is."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField(_("number"))

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = (
            models.UniqueConstraint(name="seat_number_once_a_table", fields=["table", "number"]),
            models.CheckConstraint(name="seat_number_at_least_one", condition=Q(number__gte=1)),
            models.CheckConstraint(name="seat_number_at_most_seven", condition=Q(number__lte=7)),
        )
        triggers = (pgtrigger.Protect(name="stays", operation=pgtrigger.Update | pgtrigger.Delete),)

    def __str__(self) -> str:
        return f"{self.table} seat {self.number}"
