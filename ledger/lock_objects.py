"""The ledger's row locks, taken in the order of ``docs/locking.md``: the book, then balances by account id."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import QuerySet

from ledger.models import Account, Balance, Book


def books_for_posting() -> QuerySet[Book]:
    """Books whose next number is about to be taken: whoever posts to a book waits here for the one before."""
    return Book.objects.select_for_update(no_key=True).order_by("pk")


def balances_for_update(account_ids: Iterable[UUID]) -> QuerySet[Balance]:
    """The balances of those accounts that are guarded, in the one order in which everybody locks them.

    A service that posts more than once in a transaction calls this first with all accounts it will touch.
    """
    return (
        Balance.objects.filter(account_id__in=set(account_ids))
        .select_for_update(of=("self",), no_key=True)
        .order_by("account_id")
    )


def accounts_for_freezing() -> QuerySet[Account]:
    """Account rows about to be frozen or released.

    The full lock: an entry being written holds a key-share lock on its account, and a freeze has to wait for it.
    """
    return Account.objects.select_for_update(no_key=False).order_by("pk")
