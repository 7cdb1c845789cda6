"""Staff members, the devices they sign in on, the log of that, and the review of who may what."""

from casino.staff.models.access_reviews import (
    AccessReview,
    AccessReviewDecision,
    AccessReviewEnd,
    AccessReviewLine,
    Outcome,
)
from casino.staff.models.devices import ApiToken, Device, EnrolmentCode
from casino.staff.models.people import Role, SecondFactor, User, UserManager
from casino.staff.models.sign_in_log import SignInEvent, Way, What

__all__ = [
    "AccessReview",
    "AccessReviewDecision",
    "AccessReviewEnd",
    "AccessReviewLine",
    "ApiToken",
    "Device",
    "EnrolmentCode",
    "Outcome",
    "Role",
    "SecondFactor",
    "SignInEvent",
    "User",
    "UserManager",
    "Way",
    "What",
]
