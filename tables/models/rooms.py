"""Rooms, who works in them, their tables and the seats."""

from __future__ import annotations

import uuid
from datetime import date, datetime, time
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from casino.gaming_day import gaming_day

SEATS = {"chinese-poker": 4, "pai-gow-poker": 7}


class Game(models.TextChoices):
    """The games that the rules know, by the names of the hand record."""

    CHINESE_POKER = "chinese-poker", _("Chinese Poker")
    PAI_GOW_POKER = "pai-gow-poker", _("Pai Gow Poker")


def validate_time_zone(name: str) -> None:
    """Raise ``ValidationError`` for a name that is no time zone."""
    if name not in available_timezones():
        raise ValidationError(
            _("%(name)s is no time zone. Write one such as America/Los_Angeles."), params={"name": name}
        )


class Room(models.Model):
    """A cardroom. Its time zone and roll-over make the gaming day of everything in it.

    ``approval_limit_cents`` is how much a correction may move without a second person.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(_("slug"), unique=True)
    name = models.CharField(_("name"), max_length=120)
    time_zone = models.CharField(_("time zone"), max_length=64, validators=[validate_time_zone])
    day_starts_at = models.TimeField(_("gaming day starts at"), default=time(6))
    approval_limit_cents = models.BigIntegerField(
        _("corrections need two people above, in cents"),
        default=100_000,
        help_text=_("What may change hands by one person's correction, before the next hand begins (PG-45)."),
    )

    class Meta:
        verbose_name = _("room")
        verbose_name_plural = _("rooms")
        constraints = (
            models.CheckConstraint(name="room_approval_limit_not_negative", condition=Q(approval_limit_cents__gte=0)),
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


class RoomStaff(models.Model):
    """A staff member who works in a room. Nobody acts at a table of a room they do not work in."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="staff")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="rooms")

    class Meta:
        verbose_name = _("staff of a room")
        verbose_name_plural = _("staff of rooms")
        constraints = (models.UniqueConstraint(name="roomstaff_once", fields=["room", "user"]),)

    def __str__(self) -> str:
        return f"{self.user} · {self.room}"


class Table(models.Model):
    """A table of a room. Its row is the one lock that every change at the table takes."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField(_("number"))
    game = models.CharField(_("game"), max_length=20, choices=Game.choices)
    created_at = models.DateTimeField(_("added"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        constraints = (
            models.UniqueConstraint(name="table_number_once_a_room", fields=["room", "number"]),
            models.CheckConstraint(name="table_game_known", condition=Q(game__in=Game.values)),
        )

    def __str__(self) -> str:
        return f"T{self.number}"


class Seat(models.Model):
    """A place at a table, numbered clockwise: four in Chinese Poker, seven positions in Pai Gow Poker."""

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

    def __str__(self) -> str:
        return f"{self.table} seat {self.number}"
