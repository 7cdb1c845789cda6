"""Controls of the race tests: a lock or a guard taken away, so that the fault shows that it is there for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import Barrier
from uuid import UUID

import psycopg
import pytest
from django.utils import timezone

from ledger import services
from ledger.lock_objects import Held, HeldAccount, lock_for_posting
from ledger.models import Account, Transaction
from tests.ledger.together import PATIENCE_SECONDS


def accounts_as_they_are(account_ids: Collection[UUID]) -> list[HeldAccount]:
    """What a posting reads of its accounts, in the order asked for and without a lock."""
    found = Account.objects.select_related("balance").in_bulk(account_ids)
    held = {pk: account.balance if account.guarded else None for pk, account in found.items()}
    return [
        HeldAccount(pk, found[pk].kind, found[pk].name, balance and balance.balance_cents, balance and balance.version)
        for pk in account_ids
        for balance in [held[pk]]
    ]


def balances_unlocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the lock of balances away, and let two read them before either writes."""
    barrier = Barrier(2)

    def unlocked(book_id: UUID, account_ids: Collection[UUID], keys: Sequence[str]) -> Held:
        held = lock_for_posting(book_id, [], keys)
        read = replace(held, accounts=accounts_as_they_are(account_ids))
        barrier.wait(PATIENCE_SECONDS)
        return read

    monkeypatch.setattr(services, "lock_for_posting", unlocked)


def book_unlocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the lock of books away, and let two read where the book stands before either writes."""
    barrier = Barrier(2)

    def unlocked(book_id: UUID, account_ids: Collection[UUID], keys: Sequence[str]) -> Held:
        last = Transaction.objects.filter(book=book_id).order_by("sequence").last()
        read = Held(
            last and last.sequence,
            last and last.digest,
            timezone.now(),
            Transaction.objects.filter(key__in=keys).exists(),
            accounts_as_they_are(account_ids),
        )
        barrier.wait(PATIENCE_SECONDS)
        return read

    monkeypatch.setattr(services, "lock_for_posting", unlocked)


@contextmanager
def unguarded(superuser: psycopg.Connection) -> Iterator[None]:
    """The entries' guard and the number on the account taken away."""
    superuser.execute("ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_guard")
    superuser.execute("DROP INDEX ledger_entry_version")
    yield
    superuser.execute("ALTER TABLE ledger_entry ENABLE TRIGGER ledger_entry_guard")
    superuser.execute("DELETE FROM ledger_entry")
    superuser.execute(
        "CREATE UNIQUE INDEX ledger_entry_version ON ledger_entry (account_id, account_version) "
        "WHERE account_version IS NOT NULL"
    )


@contextmanager
def forkable(superuser: psycopg.Connection) -> Iterator[None]:
    """The transactions' guard and the number in the book taken away."""
    superuser.execute("ALTER TABLE ledger_transaction DISABLE TRIGGER ledger_transaction_guard")
    superuser.execute("ALTER TABLE ledger_transaction DROP CONSTRAINT ledger_transaction_sequence")
    yield
    superuser.execute("ALTER TABLE ledger_transaction ENABLE TRIGGER ledger_transaction_guard")
    superuser.execute("DELETE FROM ledger_transaction")
    superuser.execute(
        "ALTER TABLE ledger_transaction ADD CONSTRAINT ledger_transaction_sequence UNIQUE (book_id, sequence)"
    )


@contextmanager
def reversible_twice(superuser: psycopg.Connection) -> Iterator[None]:
    """The unique pointer taken away."""
    superuser.execute("ALTER TABLE ledger_transaction DROP CONSTRAINT ledger_transaction_reverses")
    yield
    superuser.execute("DELETE FROM ledger_transaction")
    superuser.execute("ALTER TABLE ledger_transaction ADD CONSTRAINT ledger_transaction_reverses UNIQUE (reverses_id)")
