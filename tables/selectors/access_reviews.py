"""The quarterly review of who may what, as it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from casino.staff.access_reviews import Quarter, is_due
from casino.staff.change_log import house_zone
from casino.staff.models import AccessReview, AccessReviewDecision, AccessReviewLine, Outcome, Role, User
from tables.models import Room


def access_review_due(now: datetime) -> Quarter | None:
    """The quarter that has ended and has no finished review, of the house or of each room; ``None`` where nothing is due.

    Nothing is due for a quarter in which nobody was there yet.
    """
    zone = house_zone()
    quarter = Quarter.of(now.astimezone(zone).date()).before
    first_day_after = datetime.combine(quarter.ends_before, datetime.min.time(), zone)
    if not User.objects.filter(created_at__lt=first_day_after).exists():
        return None
    return quarter if is_due(quarter, list(Room.objects.values_list("pk", flat=True))) else None


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """A person of a review, as they were, and what was decided; ``is_own`` is the reader's, who decides about others."""

    line: AccessReviewLine
    decisions: list[AccessReviewDecision]
    is_own: bool

    @property
    def decision(self) -> AccessReviewDecision | None:
        """The last word so far."""
        return self.decisions[-1] if self.decisions else None

    @property
    def is_open(self) -> bool:
        """Whether something is to be decided."""
        return self.decision is None or self.decision.outcome == Outcome.LATER

    @property
    def roles_to_take(self) -> list[tuple[str, str]]:
        """The roles that the person has now, by code and in words."""
        return [(role.value, str(role.label)) for role in Role if role in self.line.user.roles]


def review_lines(review: AccessReview, reader_id: UUID) -> list[ReviewLine]:
    """The people of a review by their badges, in three queries."""
    lines = review.lines.select_related("user").prefetch_related("decisions__by").order_by("user__badge_number")
    return [
        ReviewLine(
            line=line,
            decisions=sorted(line.decisions.all(), key=lambda decision: decision.number),
            is_own=line.user_id == reader_id,
        )
        for line in lines
    ]
