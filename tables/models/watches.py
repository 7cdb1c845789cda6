"""Watches: what somebody has to look at, from when it was seen until it was seen no more; and the mail about it."""

from __future__ import annotations

import uuid
from typing import ClassVar

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tables.models.day_ends import DayEnd
from tables.models.rooms import Room, Table


class Watch(models.Model):
    """Something that the timetable saw and somebody has to look at. There is one of a ``kind`` about a ``subject`` at a time.

    ``subject`` is the id, or the label, of what it is about. ``since`` is when that began, ``raised_at`` when it was seen, and
    ``ended_at`` when it was not so any more. Without ``room`` it concerns every room.
    """

    class Kind(models.TextChoices):
        """What was seen."""

        TABLE_SILENT = "table-silent", _("Table silent")
        DECISION_LATE = "decision-late", _("Decision waits too long")
        CHECKS_FAILED = "checks-failed", _("Checks of a gaming day failed")
        JOB_FAILED = "job-failed", _("Job failed")
        SEAL_MISSING = "seal-missing", _("Seal missing")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    subject = models.CharField(_("about"), max_length=100)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="watches", null=True)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="watches", null=True)
    words = models.CharField(_("in words"), max_length=300)
    since = models.DateTimeField(_("since"))
    raised_at = models.DateTimeField(_("raised"))
    ended_at = models.DateTimeField(_("ended"), null=True)

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE (ended_at)")

    class Meta:
        verbose_name = _("watch")
        verbose_name_plural = _("watches")
        constraints = (
            models.UniqueConstraint(
                name="watch_one_at_a_time", fields=["kind", "subject"], condition=Q(ended_at__isnull=True)
            ),
            models.CheckConstraint(
                name="watch_ends_after_it_was_raised", condition=Q(ended_at__gte=models.F("raised_at"))
            ),
        )
        indexes = (models.Index(name="watch_by_time", fields=["-raised_at"]),)
        triggers = (
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="over_is_over", operation=pgtrigger.Update, condition=pgtrigger.Q(old__ended_at__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.words}"


class Mail(models.Model):
    """A mail that has to go out: that a watch was raised, that it ended, or that a gaming day has ended. One of each.

    It is written with what it tells of, in one transaction, and sent afterwards: what cannot be sent is tried again.
    """

    class About(models.TextChoices):
        """What it tells."""

        RAISED = "raised", _("a watch was raised")
        ENDED = "ended", _("a watch ended")
        DAY_END = "day-end", _("a gaming day ended")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    about = models.CharField(_("about"), max_length=10, choices=About.choices)
    watch = models.ForeignKey(Watch, on_delete=models.PROTECT, related_name="mails", null=True)
    day_end = models.OneToOneField(DayEnd, on_delete=models.PROTECT, related_name="mail", null=True)
    to = ArrayField(models.EmailField(), verbose_name=_("to"))
    subject = models.CharField(_("subject"), max_length=200)
    text = models.TextField(_("text"))
    written_at = models.DateTimeField(_("written"))
    sent_at = models.DateTimeField(_("sent"), null=True)
    attempts = models.PositiveIntegerField(_("attempts"), default=0)
    next_try_at = models.DateTimeField(_("next attempt"))
    last_error = models.CharField(_("last error"), max_length=300, blank=True)

    application_grants: ClassVar[tuple[str, ...]] = (
        "SELECT",
        "INSERT",
        "UPDATE (sent_at, attempts, next_try_at, last_error)",
    )

    class Meta:
        verbose_name = _("mail")
        verbose_name_plural = _("mail")
        constraints = (
            models.UniqueConstraint(name="mail_one_a_turn_of_a_watch", fields=["watch", "about"]),
            models.CheckConstraint(
                name="mail_is_about_one_thing",
                condition=Q(about="day-end", watch__isnull=True, day_end__isnull=False)
                | Q(about__in=["raised", "ended"], watch__isnull=False, day_end__isnull=True),
            ),
        )
        indexes = (models.Index(name="mail_to_be_sent", fields=["next_try_at"], condition=Q(sent_at__isnull=True)),)
        triggers = (
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="sent_is_sent", operation=pgtrigger.Update, condition=pgtrigger.Q(old__sent_at__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return self.subject
