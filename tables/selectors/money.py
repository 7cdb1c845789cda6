"""Chips and transactions as the tables look at them."""

from collections.abc import Iterable
from uuid import UUID

from ledger.models import Balance, Transaction


def balances_cents(account_ids: Iterable[UUID]) -> dict[UUID, int]:
    """What each of these guarded accounts holds, in cents."""
    rows = Balance.objects.filter(account_id__in=list(account_ids))
    return dict(rows.values_list("account_id", "balance_cents"))


def balance_cents(account_id: UUID) -> int:
    """What one guarded account holds, in cents. Raises ``Balance.DoesNotExist`` for an account without a balance."""
    return Balance.objects.values_list("balance_cents", flat=True).get(account_id=account_id)


def open_transactions(reference: str) -> list[Transaction]:
    """The transactions about something that stand: neither reversed nor reversals, in the order of posting."""
    rows = Transaction.objects.filter(reference=reference, reverses__isnull=True, reversals__isnull=True)
    return list(rows.select_related("book").prefetch_related("entries").order_by("recorded_at", "book_id", "sequence"))
