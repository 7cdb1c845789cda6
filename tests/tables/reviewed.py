"""A finished review of who may what, for tests that need one in the history."""

from casino.staff.access_reviews import Quarter, access_review_decide, access_review_finish
from casino.staff.actor import Actor
from casino.staff.models import AccessReview, Outcome
from tables.services.access_reviews import room_access_review_start
from tests.people import Cast


def one_finished_review(cast: Cast) -> AccessReview:
    """Dan's room, where nobody else works, reviewed by Max, who leaves him what he has."""
    actor = Actor.of(cast.max)
    review = room_access_review_start(actor=actor, quarter=Quarter(2026, 3), room_id=cast.other_room.pk)
    for line in review.lines.all():
        access_review_decide(actor=actor, line_id=line.pk, outcome=Outcome.KEEP, seen=0)
    access_review_finish(actor=actor, review_id=review.pk)
    return review
