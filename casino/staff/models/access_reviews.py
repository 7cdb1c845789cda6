"""The quarterly review of who may what: history, line by line and decision by decision."""

from __future__ import annotations

import uuid
from typing import Any

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from casino.staff.models.people import Role, User, role_names


def _texts(name: Any) -> ArrayField[list[str], list[str]]:
    return ArrayField(models.CharField(max_length=200), verbose_name=name)


class AccessReview(AppendOnly):
    """A review of who may what, for one quarter of the house, or of one room: an opaque reference of the floor above.

    It is done when it has its ``AccessReviewEnd``.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    year = models.PositiveSmallIntegerField(_("year"))
    quarter = models.PositiveSmallIntegerField(_("quarter"))
    room = models.UUIDField(_("room"), null=True, editable=False)
    scope = models.CharField(_("of"), max_length=120)
    started_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", verbose_name=_("started by"))
    started_at = models.DateTimeField(_("started"), db_default=Now(), editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("access review")
        verbose_name_plural = _("access reviews")
        constraints = (
            models.CheckConstraint(name="accessreview_quarter_of_a_year", condition=Q(quarter__gte=1, quarter__lte=4)),
            models.UniqueConstraint(
                name="accessreview_once_a_room", fields=["year", "quarter", "room"], condition=Q(room__isnull=False)
            ),
            models.UniqueConstraint(
                name="accessreview_once_the_house", fields=["year", "quarter"], condition=Q(room__isnull=True)
            ),
        )

    def __str__(self) -> str:
        return f"{self.year} Q{self.quarter}, {self.scope}"


class AccessReviewLine(AppendOnly):
    """One person of a review, as they were when it was started: roles, rooms, tokens and tablets by their names."""

    review = models.ForeignKey(AccessReview, on_delete=models.PROTECT, related_name="lines")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="access_reviews", verbose_name=_("who"))
    name = models.CharField(_("name"), max_length=140)
    roles = ArrayField(models.CharField(max_length=20, choices=Role.choices), verbose_name=_("roles"))
    rooms = _texts(_("rooms"))
    tokens = _texts(_("API tokens"))
    devices = _texts(_("tablets enrolled"))
    last_sign_in_at = models.DateTimeField(_("last sign-in"), null=True)
    has_phone = models.BooleanField(_("phone enrolled"))
    is_locked = models.BooleanField(_("locked"))

    class Meta(AppendOnly.Meta):
        verbose_name = _("line of an access review")
        verbose_name_plural = _("lines of access reviews")
        constraints = (models.UniqueConstraint(name="accessreviewline_once", fields=["review", "user"]),)

    def __str__(self) -> str:
        return f"{self.name}, {self.review}"

    @property
    def role_names(self) -> list[str]:
        """The roles as they were, in words."""
        return role_names(self.roles)


class Outcome(models.TextChoices):
    """What a reviewer decides about a person."""

    KEEP = "keep", _("Keeps what they have")
    TAKE = "take", _("Roles taken away")
    LATER = "later", _("Left for later")


class AccessReviewDecision(AppendOnly):
    """What was decided about a line, numbered from 1: only one left for later is followed by another. Never one's own."""

    line = models.ForeignKey(AccessReviewLine, on_delete=models.PROTECT, related_name="decisions")
    number = models.PositiveSmallIntegerField(_("number"))
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome.choices)
    taken = ArrayField(models.CharField(max_length=20, choices=Role.choices), verbose_name=_("roles taken"))
    note = models.CharField(_("note"), max_length=300, blank=True)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", verbose_name=_("decided by"))
    decided_at = models.DateTimeField(_("decided"), db_default=Now(), editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("decision of an access review")
        verbose_name_plural = _("decisions of access reviews")
        constraints = (
            models.UniqueConstraint(name="accessreviewdecision_numbered", fields=["line", "number"]),
            models.CheckConstraint(name="accessreviewdecision_outcome_known", condition=Q(outcome__in=Outcome.values)),
            models.CheckConstraint(
                name="accessreviewdecision_takes_roles",
                condition=Q(outcome="take") & ~Q(taken__len=0) | ~Q(outcome="take") & Q(taken__len=0),
            ),
            models.CheckConstraint(
                name="accessreviewdecision_says_why",
                condition=Q(outcome="keep") | ~Q(note=""),
            ),
        )
        triggers = (
            *AppendOnly.Meta.triggers,
            pgtrigger.Trigger(
                name="by_somebody_else",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert,
                func="""
                    IF EXISTS (SELECT FROM staff_accessreviewline WHERE id = NEW.line_id AND user_id = NEW.by_id)
                    THEN RAISE EXCEPTION 'access review: nobody decides about their own line'; END IF;
                    IF EXISTS (SELECT FROM staff_accessreviewdecision
                        WHERE line_id = NEW.line_id AND outcome <> 'later')
                    THEN RAISE EXCEPTION 'access review: this line is decided'; END IF;
                    IF EXISTS (SELECT FROM staff_accessreviewend e JOIN staff_accessreviewline l USING (review_id)
                        WHERE l.id = NEW.line_id)
                    THEN RAISE EXCEPTION 'access review: this review is finished'; END IF;
                    RETURN NEW;
                """,
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_outcome_display()}: {self.line}"

    @property
    def taken_names(self) -> list[str]:
        """The roles that were taken away, in words."""
        return role_names(self.taken)


class AccessReviewEnd(AppendOnly):
    """That a review was finished, with every line decided."""

    review = models.OneToOneField(AccessReview, on_delete=models.PROTECT, primary_key=True, related_name="end")
    finished_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", verbose_name=_("finished by"))
    finished_at = models.DateTimeField(_("finished"), db_default=Now(), editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("end of an access review")
        verbose_name_plural = _("ends of access reviews")
        triggers = (
            *AppendOnly.Meta.triggers,
            pgtrigger.Trigger(
                name="all_decided",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert,
                func="""
                    IF EXISTS (SELECT FROM staff_accessreviewline l WHERE l.review_id = NEW.review_id AND NOT EXISTS
                        (SELECT FROM staff_accessreviewdecision d WHERE d.line_id = l.id AND d.outcome <> 'later'))
                    THEN RAISE EXCEPTION 'access review: lines are open'; END IF;
                    RETURN NEW;
                """,
            ),
        )

    def __str__(self) -> str:
        return str(self.review)
