"""The reads of the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import F, Prefetch, QuerySet, Sum, Window
from django.db.models.functions import Coalesce

from ledger.models import Account, Entry, Seal, SealKind, Transaction
from ledger.postings import Line
from ledger.rows import execute


def lines_of(transaction: Transaction) -> tuple[Line, ...]:
    """The entries of a transaction in line order, as they were asked for."""
    entries = sorted(transaction.entries.all(), key=lambda entry: entry.line)
    return tuple(Line(entry.account_id, entry.amount_cents) for entry in entries)


def _with_entries() -> QuerySet[Transaction]:
    entries = Entry.objects.select_related("account").order_by("transaction_id", "line")
    return Transaction.objects.select_related("book", "reverses").prefetch_related(Prefetch("entries", entries))


def transactions_of_keys(keys: Iterable[str]) -> QuerySet[Transaction]:
    """The transactions stored under these keys, with book and entries."""
    return _with_entries().filter(key__in=list(keys)).order_by("book_id", "sequence")


def transactions_of_reference(reference: str) -> QuerySet[Transaction]:
    """Everything posted about one thing, such as ``hand:<id>``, in the order of its books, reversals included."""
    return _with_entries().filter(reference=reference).order_by("book_id", "sequence")


def seal_of_day(label: str) -> Seal | None:
    """The seal that closes a gaming day, by the label of its own seal (``one 2026-11-29``): that one, or where it has none the
    next of the same room, which covers the day too.
    """
    room = label.rpartition(" ")[0]
    days = Seal.objects.filter(kind=SealKind.GAMING_DAY, label__startswith=f"{room} ", label__gte=label)
    return days.order_by("number").first()


@dataclass(frozen=True, slots=True)
class StatementLine:
    """An entry on one account with the transaction it belongs to and the account's balance after it, in cents."""

    entry_id: int
    transaction_id: UUID
    book_id: UUID
    sequence: int
    line: int
    kind: str
    reference: str
    rule: str
    actor: str
    reason: str
    reverses_id: UUID | None
    occurred_at: datetime
    recorded_at: datetime
    amount_cents: int
    balance_cents: int
    account_version: int | None
    digest: str
    previous_digest: str


def account_statement(account_id: UUID) -> Iterator[StatementLine]:
    """Every entry of an account from the first, streamed in the order of writing.

    The balance is the one stored with the entry on a guarded account, and the running sum on the others.
    """
    running = Window(Sum("amount_cents"), order_by=F("id").asc())
    rows = (
        Entry.objects.filter(account_id=account_id)
        .annotate(balance=Coalesce("balance_after_cents", running))
        .select_related("transaction")
        .order_by("id")
    )
    for entry in rows.iterator():
        transaction = entry.transaction
        yield StatementLine(
            entry_id=entry.pk,
            transaction_id=transaction.pk,
            book_id=transaction.book_id,
            sequence=transaction.sequence,
            line=entry.line,
            kind=transaction.kind,
            reference=transaction.reference,
            rule=transaction.rule,
            actor=transaction.actor,
            reason=transaction.reason,
            reverses_id=transaction.reverses_id,
            occurred_at=transaction.occurred_at,
            recorded_at=transaction.recorded_at,
            amount_cents=entry.amount_cents,
            balance_cents=int(entry.balance),
            account_version=entry.account_version,
            digest=bytes(transaction.digest).hex(),
            previous_digest=bytes(transaction.previous_digest).hex(),
        )


def newest_seals(count: int) -> QuerySet[Seal]:
    """The last seals, the newest first."""
    return Seal.objects.order_by("-number")[:count]


def balances_of(account_ids: Iterable[UUID]) -> dict[UUID, int]:
    """What each of these accounts holds, in cents: the kept balance where there is one, else the sum of its entries."""
    ids = set(account_ids)
    kept = "SELECT account_id, balance_cents FROM ledger_balance WHERE account_id = ANY($1)"
    held: dict[UUID, int] = dict(execute(kept, [list(ids)]).fetchall())
    if len(held) == len(ids):
        return held
    summed = Account.objects.filter(pk__in=ids - held.keys()).annotate(held=Coalesce(Sum("entries__amount_cents"), 0))
    return held | {account_id: int(cents) for account_id, cents in summed.values_list("pk", "held")}


def balance_of(account_id: UUID) -> int:
    """What one account holds, in cents. Raises ``KeyError`` for an unknown account."""
    return balances_of([account_id])[account_id]
