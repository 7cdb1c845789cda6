"""The verbs of the ledger: the only code that writes accounts, books, transactions and entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

import psycopg
from django.db import IntegrityError
from django.db import transaction as database
from django.utils import timezone

from ledger.canonical import EntryContent, TransactionContent, first_digest, transaction_digest
from ledger.errors import (
    AccountFrozen,
    AlreadyReversed,
    AmountOutOfRange,
    InsufficientFunds,
    KeyConflict,
    KindNotAllowed,
    NotAMirror,
    UnknownAccount,
)
from ledger.kinds import GUARDED_KINDS, RULES, AccountKind, ReasonCode, TransactionKind
from ledger.lock_objects import Held, HeldAccount, accounts_for_freezing, lock_for_posting
from ledger.models import MAX_AMOUNT_CENTS, Account, Book, Entry, Transaction
from ledger.postings import Line, Posting, check_amounts, is_reversal_of, mirrored, note
from ledger.rows import insert
from ledger.selectors import lines_of, transactions_of_keys

__all__ = [
    "Line",
    "Posting",
    "account_freeze",
    "account_open",
    "account_release",
    "book_open",
    "note",
    "post",
    "reverse",
]


def account_open(*, kind: AccountKind, name: str) -> Account:
    """Add an account; its kind decides whether it is guarded. ``name`` is what people will read in refusals."""
    account = Account(kind=kind, name=name, guarded=kind in GUARDED_KINDS)
    insert([account])
    return account


def account_freeze(*, account_id: UUID, at: datetime) -> Account:
    """Let no further entry onto the account. Waits for entries being written; a frozen account keeps its time."""
    return _account_set_frozen(account_id, at)


def account_release(*, account_id: UUID) -> Account:
    """Let entries onto a frozen account again."""
    return _account_set_frozen(account_id, None)


@database.atomic
def _account_set_frozen(account_id: UUID, at: datetime | None) -> Account:
    account = accounts_for_freezing().filter(pk=account_id).first()
    if account is None:
        raise UnknownAccount([account_id])
    if (account.frozen_at is None) != (at is None):
        account.frozen_at = at
        account.save(update_fields=["frozen_at"])
    return account


def book_open(*, name: str, opened_at: datetime) -> Book:
    """Begin a book: a run of transactions with its own numbers and its own chain of digests."""
    return Book.objects.create(name=name, opened_at=opened_at)


def reverse(transaction: Transaction, *, reason_code: ReasonCode, reason: str, rule: str = "") -> Posting:
    """The posting that takes a stored transaction back, for ``post``. ``reason`` must say why in words."""
    return Posting(
        kind=TransactionKind.REVERSAL,
        reference=transaction.reference,
        entries=mirrored(lines_of(transaction)),
        rule=rule,
        reason_code=reason_code.value,
        reason=reason,
        reverses=transaction.pk,
    )


def post(
    *,
    book: Book,
    postings: Sequence[Posting],
    command: UUID,
    actor: str,
    device: str,
    occurred_at: datetime,
    approver: str = "",
    numbered_from: int = 1,
) -> list[Transaction]:
    """Write transactions with their entries, all or none, inside the caller's database transaction.

    Each gets the key ``<command>/<n>``, counted from ``numbered_from``: a command that posts in several calls
    numbers them through. Posting the same again under the same keys returns what is stored. ``actor`` is a badge or
    an id, ``approver`` the second person where one was needed, ``occurred_at`` when it happened at the table; the time
    of recording is the database's.

    Raises ``Unbalanced``, ``AmountOutOfRange``, ``UnknownAccount``, ``AccountFrozen``, ``KindNotAllowed``,
    ``InsufficientFunds``, ``KeyConflict``, ``AlreadyReversed`` or ``NotAMirror``; after any of them the caller's
    transaction must be rolled back. Outside a transaction: ``TransactionManagementError``.
    """
    if not database.get_connection().in_atomic_block:
        raise database.TransactionManagementError("ledger.services.post must run inside transaction.atomic().")
    if timezone.is_naive(occurred_at):
        raise ValueError("occurred_at must have a time zone.")
    if not postings:
        return []
    check_amounts(postings)
    source = _Source(book, command, actor, approver, device, occurred_at)
    keys = [f"{command}/{number}" for number, _ in enumerate(postings, start=numbered_from)]

    ids = list(dict.fromkeys(line.account_id for posting in postings for line in posting.entries))
    held = lock_for_posting(book.pk, ids, keys)
    if held.keys_known:
        return _stored(source, postings, keys)
    _check_reversals(postings)
    accounts = {account.id: account for account in held.accounts}
    if len(accounts) < len(ids):
        raise UnknownAccount(sorted(set(ids) - accounts.keys()))
    _check_kinds(postings, accounts)
    return _write(_compose(source, postings, keys, held, accounts))


@dataclass(frozen=True, slots=True)
class _Source:
    """What all transactions of one call have in common."""

    book: Book
    command: UUID
    actor: str
    approver: str
    device: str
    occurred_at: datetime


def _stored(source: _Source, postings: Sequence[Posting], keys: Sequence[str]) -> list[Transaction]:
    stored = {row.key: row for row in transactions_of_keys(keys)}
    for key, posting in zip(keys, postings, strict=True):
        row = stored.get(key)
        if row is None or _request_of(row) != (source, posting):
            raise KeyConflict(key)
    return [stored[key] for key in keys]


def _request_of(row: Transaction) -> tuple[_Source, Posting]:
    source = _Source(row.book, row.command, row.actor, row.approver, row.device, row.occurred_at)
    posting = Posting(
        kind=TransactionKind(row.kind),
        reference=row.reference,
        entries=lines_of(row),
        rule=row.rule,
        reason_code=row.reason_code,
        reason=row.reason,
        reverses=row.reverses_id,
        evidence=None if row.evidence is None else bytes(row.evidence),
    )
    return source, posting


def _check_reversals(postings: Sequence[Posting]) -> None:
    ids = [posting.reverses for posting in postings if posting.reverses is not None]
    if not ids:
        return
    done = Transaction.objects.filter(reverses__in=ids).values_list("reverses", flat=True).first()
    if done is not None:
        raise AlreadyReversed(done)
    originals = Transaction.objects.prefetch_related("entries").in_bulk(ids)
    for posting in postings:
        if posting.reverses is not None:
            original = originals.get(posting.reverses)
            if original is None or not is_reversal_of(posting, original.kind, lines_of(original)):
                raise NotAMirror(posting.reverses)


def _check_kinds(postings: Sequence[Posting], accounts: dict[UUID, HeldAccount]) -> None:
    for posting in postings:
        if posting.reverses is not None:
            continue
        for line in posting.entries:
            account_kind = AccountKind(accounts[line.account_id].kind)
            if (posting.kind, account_kind, 1 if line.amount_cents > 0 else -1) not in RULES:
                raise KindNotAllowed(posting.kind, account_kind, line.amount_cents)


def _enter(number: int, line: Line, account: HeldAccount) -> EntryContent:
    """The entry for the next line; what the account holds moves on, as the database's trigger will move it.

    Raises ``InsufficientFunds`` or ``AmountOutOfRange``.
    """
    if account.balance_cents is None or account.version is None:
        return EntryContent(number, account.id, account.kind, line.amount_cents, None, None)
    after = account.balance_cents + line.amount_cents
    if after < 0:
        raise InsufficientFunds(account.id, account.name, account.balance_cents, -line.amount_cents)
    if after > MAX_AMOUNT_CENTS:
        raise AmountOutOfRange(after, MAX_AMOUNT_CENTS)
    account.balance_cents = after
    account.version += 1
    return EntryContent(number, account.id, account.kind, line.amount_cents, after, account.version)


def _compose(
    source: _Source,
    postings: Sequence[Posting],
    keys: Sequence[str],
    held: Held,
    accounts: dict[UUID, HeldAccount],
) -> list[tuple[Transaction, list[Entry]]]:
    composed = []
    previous_digest = first_digest(source.book.pk) if held.digest is None else bytes(held.digest)
    last = held.sequence or 0
    for offset, (key, posting) in enumerate(zip(keys, postings, strict=True), start=1):
        content = TransactionContent(
            book=source.book.pk,
            sequence=last + offset,
            id=uuid4(),
            kind=posting.kind.value,
            key=key,
            command=source.command,
            reference=posting.reference,
            rule=posting.rule,
            actor=source.actor,
            approver=source.approver,
            device=source.device,
            occurred_at=source.occurred_at,
            recorded_at=held.recorded_at,
            reverses=posting.reverses,
            reason_code=posting.reason_code,
            reason=posting.reason,
            evidence=posting.evidence,
            entry_count=len(posting.entries),
            previous_digest=previous_digest,
            entries=tuple(
                _enter(number, line, accounts[line.account_id]) for number, line in enumerate(posting.entries, start=1)
            ),
        )
        previous_digest = transaction_digest(content)
        entries = [Entry.of(content.id, entry) for entry in content.entries]
        composed.append((Transaction.of(content, previous_digest), entries))
    return composed


def _write(composed: Sequence[tuple[Transaction, list[Entry]]]) -> list[Transaction]:
    transactions = [transaction for transaction, _ in composed]
    with _refusals_of_the_database(composed):
        insert(transactions)
        insert([entry for _, entries in composed for entry in entries])
    return transactions


@contextmanager
def _refusals_of_the_database(composed: Sequence[tuple[Transaction, list[Entry]]]) -> Iterator[None]:
    """Put into words what the database has to judge: a frozen account, and a key or reversal taken meanwhile."""
    try:
        yield
    except IntegrityError as error:
        cause = error.__cause__
        if not isinstance(cause, psycopg.Error):
            raise
        constraint = cause.diag.constraint_name
        if constraint == "ledger_transaction_key":
            raise KeyConflict(composed[0][0].key) from error
        if constraint == "ledger_transaction_reverses":
            raise AlreadyReversed() from error
        if constraint == "ledger_entry_account_frozen":
            raise AccountFrozen(cause.diag.message_detail or "") from error
        raise
