"""Locks on staff rows. No-key locks: nothing here changes a key that another row points at."""

from django.db.models import QuerySet

from casino.staff.models import EnrolmentCode, User


def users_for_update() -> QuerySet[User]:
    """Staff rows to be read and then changed, in the order of their keys."""
    return User.objects.select_for_update(of=("self",), no_key=True).order_by("pk")


def enrolment_codes_for_update() -> QuerySet[EnrolmentCode]:
    """Codes about to be used up, in the order of their keys."""
    return EnrolmentCode.objects.select_for_update(no_key=True).order_by("pk")
