"""What auditors have looked at, and what they asked, noted or signed off: a log of its own that moves nothing."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from tables.models.commands import Command
from tables.models.rooms import Room


class LookedAt(AppendOnly):
    """One thing that somebody looked at, with a note, a question or a sign-off.

    ``key`` finds it: the id of a hand, session or account, the number of a seal, the slug of a report, the label of a gaming
    day's seal (``one 2026-11-29``). ``query`` are a report's filters as its address has them, and ``figures_sha256`` is over its
    figures as they were. ``name`` is what it was called and holds no patron's name. ``gaming_date`` is the day that it is about,
    ``None`` for what is about none or several; ``room`` ``None`` for a seal, which is of all rooms.
    """

    class About(models.TextChoices):
        """What was looked at."""

        HAND = "hand", _("Hand")
        SESSION = "session", _("Session")
        ACCOUNT = "account", _("Account")
        SEAL = "seal", _("Seal")
        REPORT = "report", _("Report")
        DAY = "day", _("Gaming day")

    class Kind(models.TextChoices):
        """What came of it."""

        SEEN = "seen", _("Looked at")
        NOTE = "note", _("Note")
        QUESTION = "question", _("Question")
        SIGN_OFF = "sign-off", _("Signed off")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(_("what"), max_length=8, choices=Kind.choices)
    about = models.CharField(_("about"), max_length=7, choices=About.choices)
    key = models.CharField(_("which"), max_length=80)
    query = models.CharField(_("filters"), max_length=400, blank=True)
    figures_sha256 = models.BinaryField(_("SHA-256 of the figures"), max_length=32, null=True)
    name = models.CharField(_("called"), max_length=200)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="+", null=True)
    gaming_date = models.DateField(_("gaming day"), null=True)
    words = models.CharField(_("words"), max_length=300, blank=True)
    by = models.ForeignKey("staff.User", on_delete=models.PROTECT, related_name="+", verbose_name=_("by"))
    at = models.DateTimeField(_("when"))
    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("thing looked at")
        verbose_name_plural = _("things looked at")
        constraints = (
            models.UniqueConstraint(
                name="lookedat_signed_off_once", fields=["about", "key", "query", "by"], condition=Q(kind="sign-off")
            ),
            models.CheckConstraint(
                name="lookedat_kind_known", condition=Q(kind__in=["seen", "note", "question", "sign-off"])
            ),
            models.CheckConstraint(
                name="lookedat_about_known",
                condition=Q(about__in=["hand", "session", "account", "seal", "report", "day"]),
            ),
            models.CheckConstraint(
                name="lookedat_says_something", condition=Q(kind__in=["seen", "sign-off"]) | ~Q(words="")
            ),
            models.CheckConstraint(
                name="lookedat_filters_are_of_a_report",
                condition=Q(about="report") | Q(query="", figures_sha256__isnull=True),
            ),
        )
        indexes = (
            models.Index(name="lookedat_by_time", fields=["-at", "id"]),
            models.Index(name="lookedat_of_a_thing", fields=["about", "key"]),
            models.Index(name="lookedat_of_a_day", fields=["room", "gaming_date"]),
            models.Index(name="lookedat_questions", fields=["at"], condition=Q(kind="question")),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.name}"


class LookedAtReply(AppendOnly):
    """An answer to a question, or that whoever asked has closed it; a closed one gets no more answers."""

    class Kind(models.TextChoices):
        """Which of them."""

        ANSWER = "answer", _("Answer")
        CLOSED = "closed", _("Closed")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question = models.ForeignKey(LookedAt, on_delete=models.PROTECT, related_name="replies")
    kind = models.CharField(_("kind"), max_length=6, choices=Kind.choices)
    words = models.CharField(_("words"), max_length=300, blank=True)
    by = models.ForeignKey("staff.User", on_delete=models.PROTECT, related_name="+", verbose_name=_("by"))
    at = models.DateTimeField(_("when"))
    command = models.OneToOneField(Command, on_delete=models.PROTECT, related_name="+")

    class Meta(AppendOnly.Meta):
        verbose_name = _("reply to a question")
        verbose_name_plural = _("replies to questions")
        constraints = (
            models.UniqueConstraint(name="lookedatreply_closed_once", fields=["question"], condition=Q(kind="closed")),
            models.CheckConstraint(name="lookedatreply_kind_known", condition=Q(kind__in=["answer", "closed"])),
            models.CheckConstraint(
                name="lookedatreply_answer_says_something", condition=Q(kind="closed") | ~Q(words="")
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.question.name}"
