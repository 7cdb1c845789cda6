"""Long work that a worker does: what was asked for, how far it is, and the files that came of it."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import F, Func, Q
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from tables.models.rooms import Room

TRIES = 3
"""How often a job is begun before it is given up."""

LONGEST = timedelta(hours=2)
"""How long one attempt may take: a job that hangs is ended after this."""


class Job(models.Model):
    """One piece of work for a worker, whoever asks for it and however often: there is one of a ``kind`` and ``key``.

    ``asked`` is what the kind needs to know; ``asked_by`` nobody for what the timetable asks for. ``step`` says what is being
    done, ``done_steps`` of ``all_steps`` how far it is (0 of 0 while that cannot be said), ``seen_at`` is the last sign of life.
    ``attempts`` counts how often it was begun; at ``attempts_until`` it is given up, which ``busy_tries``, those that found
    others at work on the same, put off. ``once`` are values by name that an attempt
    has settled for all later ones; none are left when it has ended. ``sent_at`` is when the broker was
    last told of it, ``not_before`` when it may be tried again.
    """

    class State(models.TextChoices):
        """Where it is."""

        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.SlugField(_("kind"), max_length=40)
    key = models.CharField(_("key"), max_length=200)
    asked = models.JSONField(_("asked for"))
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="jobs", null=True)
    asked_by = models.ForeignKey("staff.User", on_delete=models.PROTECT, related_name="+", null=True)
    asked_at = models.DateTimeField(_("asked"))
    state = models.CharField(_("state"), max_length=9, choices=State.choices, default=State.WAITING)
    step = models.CharField(_("step"), max_length=200, blank=True)
    done_steps = models.PositiveIntegerField(_("steps done"), default=0)
    all_steps = models.PositiveIntegerField(_("steps in all"), default=0)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    attempts_until = models.PositiveSmallIntegerField(_("attempts at most"), default=TRIES)
    busy_tries = models.PositiveSmallIntegerField(_("attempts among others"), default=0)
    last_error = models.TextField(_("last error"), blank=True)
    once = models.JSONField(_("settled once"), default=dict)
    sent_at = models.DateTimeField(_("sent"), null=True)
    not_before = models.DateTimeField(_("not before"), null=True)
    started_at = models.DateTimeField(_("started"), null=True)
    seen_at = models.DateTimeField(_("last sign of life"), null=True)
    ended_at = models.DateTimeField(_("ended"), null=True)
    cancel_asked_at = models.DateTimeField(_("cancel asked"), null=True)
    cancelled_by = models.ForeignKey("staff.User", on_delete=models.PROTECT, related_name="+", null=True)

    application_grants: ClassVar[tuple[str, ...]] = (
        "SELECT",
        "INSERT",
        "UPDATE (state, step, done_steps, all_steps, attempts, attempts_until, busy_tries, last_error, once, sent_at, not_before,"
        " started_at, seen_at, ended_at, cancel_asked_at, cancelled_by_id)",
    )

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        constraints = (
            models.UniqueConstraint(name="job_once", fields=["kind", "key"]),
            models.CheckConstraint(
                name="job_ended_in_an_end",
                condition=Q(state__in=["waiting", "running"], ended_at__isnull=True)
                | Q(state__in=["done", "failed", "cancelled"], ended_at__isnull=False),
            ),
            models.CheckConstraint(name="job_says_why_it_failed", condition=~Q(state="failed", last_error="")),
        )
        indexes = (
            models.Index(name="job_by_time", fields=["-asked_at", "id"]),
            models.Index(name="job_not_ended", fields=["asked_at"], condition=Q(state__in=["waiting", "running"])),
        )
        triggers = (
            pgtrigger.Protect(name="no_delete", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(name="facts_fixed", fields=["kind", "key", "asked", "room", "asked_by", "asked_at"]),
            pgtrigger.Protect(
                name="done_is_done", operation=pgtrigger.Update, condition=pgtrigger.Q(old__state="done")
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"

    @property
    def has_ended(self) -> bool:
        """Whether nothing more happens to it unless somebody asks again."""
        return self.state not in (self.State.WAITING, self.State.RUNNING)


class KeptFile(AppendOnly):
    """A file that a job has made, kept as it was made. ``name`` is its name on disk; ``sha256`` is over ``content``, and the
    database checks it.

    ``report`` is the slug of the report that it is, empty where it is none: who may not read that report does not read the file.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    job = models.ForeignKey(Job, on_delete=models.PROTECT, related_name="files")
    name = models.CharField(_("name"), max_length=160)
    title = models.CharField(_("title"), max_length=200)
    report = models.SlugField(_("report"), max_length=40, blank=True)
    content_type = models.CharField(_("content type"), max_length=100)
    sha256 = models.BinaryField(_("SHA-256"), max_length=32)
    size = models.PositiveBigIntegerField(_("size in bytes"))
    content = models.BinaryField(_("content"))
    made_at = models.DateTimeField(_("made"))

    class Meta(AppendOnly.Meta):
        verbose_name = _("kept file")
        verbose_name_plural = _("kept files")
        constraints = (
            models.UniqueConstraint(name="keptfile_once_a_job", fields=["job", "name"]),
            models.CheckConstraint(
                name="keptfile_digest_is_of_content",
                condition=Q(sha256=Func(F("content"), function="sha256", output_field=models.BinaryField())),
            ),
            models.CheckConstraint(
                name="keptfile_size_is_of_content",
                condition=Q(size=Func(F("content"), function="octet_length", output_field=models.IntegerField())),
            ),
        )

    def __str__(self) -> str:
        return self.name
