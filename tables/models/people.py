"""Patrons, their sittings, and what they bought in."""

from __future__ import annotations

import uuid
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from casino.quickly_read import QuicklyRead
from casino.set_up_history import with_history
from tables.models.commands import Command
from tables.models.rooms import Room, Seat
from tables.models.sessions import TableSession

STROKES = ("đĐðÐøØłŁħĦŧŦ", "dDdDoOlLhHtT")
"""Letters that are no base letter with a mark on it, and what people type for them."""

FOLDED = models.Func(
    "name",
    template=r"lower(translate(regexp_replace(normalize(%(expressions)s, NFKD), '[\u0300-\u036f]', '', 'g'), "
    f"'{STROKES[0]}', '{STROKES[1]}'))",
)


@with_history("room", "number", "name", "provider")
class Patron(QuicklyRead):
    """Somebody who plays: known by a card number, or only described ("tall, red cap").

    ``folded_name`` is the name without case and accents, as it is searched for.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="patrons")
    number = models.CharField(_("card number"), max_length=20, blank=True)
    name = models.CharField(_("name or description"), max_length=120)
    folded_name = models.GeneratedField(expression=FOLDED, output_field=models.TextField(), db_persist=True)
    provider = models.CharField(
        _("third-party provider"),
        max_length=120,
        blank=True,
        help_text=_("The provider of proposition services that this person plays for; empty for everybody else."),
    )
    created_at = models.DateTimeField(_("added"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("patron")
        verbose_name_plural = _("patrons")
        constraints = (
            models.UniqueConstraint(
                name="patron_number_once_a_room", fields=["room", "number"], condition=~Q(number="")
            ),
            models.CheckConstraint(name="patron_has_a_name", condition=~Q(name="")),
        )
        triggers = (
            pgtrigger.Trigger(
                name="erased_for_good",
                when=pgtrigger.Before,
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange("name", "number", "room"),
                func="""
                    IF EXISTS (
                        SELECT FROM tables_erasure e
                        WHERE e.patron_id = OLD.id AND (NEW.name, NEW.number, NEW.room_id) <> (e.label, '', e.room_id)
                    ) THEN
                        RAISE EXCEPTION 'patron % was erased, and stays so', OLD.id
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'patron_erased_for_good';
                    END IF;
                    RETURN NEW;
                """,
            ),
        )

    def __str__(self) -> str:
        return self.name


class Sitting(QuicklyRead):
    """A patron at a table, from sitting down to cashing out, with a stack of chips.

    ``seat`` is ``None`` for somebody who stands behind the players and wagers on the backline only. ``is_new`` until the
    first settled hand, for who sat down after the first one was dealt (CP-62). ``money_behind_cents`` was coloured up and
    is still played with (CP-61): the sum of the sitting's ``MoneyBehind``. ``moved_from`` is where the stack came from.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(TableSession, on_delete=models.PROTECT, related_name="sittings")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="sittings", null=True)
    patron = models.ForeignKey(Patron, on_delete=models.PROTECT, related_name="sittings")
    stack = models.OneToOneField("ledger.Account", on_delete=models.PROTECT, related_name="+")
    started_at = models.DateTimeField(_("sat down"))
    ended_at = models.DateTimeField(_("left"), null=True)
    absent_at = models.DateTimeField(_("absent since"), null=True)
    is_new = models.BooleanField(_("new player"), default=False)
    money_behind_cents = models.BigIntegerField(_("money behind"), default=0)
    moved_from = models.OneToOneField("self", on_delete=models.PROTECT, related_name="moved_to", null=True)

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        verbose_name = _("sitting")
        verbose_name_plural = _("sittings")
        constraints = (
            models.UniqueConstraint(
                name="sitting_one_occupant_a_seat",
                fields=["seat"],
                condition=Q(ended_at__isnull=True, seat__isnull=False),
            ),
            models.UniqueConstraint(
                name="sitting_one_a_patron", fields=["session", "patron"], condition=Q(ended_at__isnull=True)
            ),
            models.CheckConstraint(name="sitting_money_behind_not_negative", condition=Q(money_behind_cents__gte=0)),
        )
        indexes = (models.Index(name="sitting_by_time", fields=["-started_at", "id"]),)
        triggers = (
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(name="facts_fixed", fields=["session", "patron", "stack", "started_at", "moved_from"]),
        )

    def __str__(self) -> str:
        return f"{self.patron} at {self.seat or self.session.table}"


class BuyIn(AppendOnly):
    """Chips brought into play: bought for cash, or carried in (CP-60, CP-61)."""

    class Means(models.TextChoices):
        """What was put on the table for the chips."""

        CASH = "cash", _("Cash")
        CHIPS = "chips", _("Chips carried in")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="buy_ins")
    amount_cents = models.BigIntegerField(_("amount"))
    means = models.CharField(_("means"), max_length=10, choices=Means.choices)
    is_short = models.BooleanField(_("short buy"))
    bought_at = models.DateTimeField(_("bought"))
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("buy-in")
        verbose_name_plural = _("buy-ins")
        constraints = (
            models.CheckConstraint(name="buyin_amount_positive", condition=Q(amount_cents__gt=0)),
            models.CheckConstraint(name="buyin_means_known", condition=Q(means__in=["cash", "chips"])),
        )

    def __str__(self) -> str:
        return f"{self.sitting}: {self.amount_cents}"


class MoneyBehind(AppendOnly):
    """What a sitting's money behind grew or shrank by, and why (CP-61).

    What is coloured up leaves the stack; what is played with or put back comes onto it; a move takes the rest along.
    """

    class Cause(models.TextChoices):
        """Why the money behind changed."""

        COLOURED_UP = "coloured-up", _("Coloured up")
        PLAYED = "played", _("Paid with in a hand")
        PUT_BACK = "put-back", _("Put back on the table")
        TAKEN_BACK = "taken-back", _("Colour-up taken back")
        MOVED = "moved", _("Taken along to another table")

    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="money_behind")
    cause = models.CharField(_("why"), max_length=12, choices=Cause.choices)
    change_cents = models.BigIntegerField(_("change"))
    command = models.ForeignKey(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("change of money behind")
        verbose_name_plural = _("changes of money behind")
        constraints = (
            models.CheckConstraint(
                name="moneybehind_grows_or_shrinks",
                condition=Q(cause="coloured-up", change_cents__gt=0)
                | Q(cause__in=["played", "put-back", "taken-back"], change_cents__lt=0)
                | Q(cause="moved") & ~Q(change_cents=0),
            ),
        )

    def __str__(self) -> str:
        return f"{self.sitting}: {self.change_cents}"
