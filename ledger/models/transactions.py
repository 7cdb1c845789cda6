"""What moved: books of transactions, and their entries."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Length
from django.db.models.lookups import Exact
from django.utils.translation import gettext_lazy as _

from casino.append_only import AppendOnly
from casino.quickly_read import QuicklyRead
from ledger.canonical import EntryContent, TransactionContent
from ledger.kinds import ReasonCode, TransactionKind
from ledger.models.accounts import MAX_AMOUNT_CENTS, Account


def length_is(field: str, length: int) -> Exact:
    """For a CHECK: the column has this many bytes."""
    return Exact(Length(F(field)), length)


class Book(QuicklyRead):
    """A run of transactions with a chain of digests of its own: a table session, the cage."""

    application_grants: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE (name)")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=200)
    opened_at = models.DateTimeField(_("opened"))

    class Meta:
        verbose_name = _("book")
        verbose_name_plural = _("books")

    def __str__(self) -> str:
        return self.name


class Transaction(AppendOnly):
    """One movement of value: entries that sum to zero, written together and never changed.

    A note alone moves nothing: its ``evidence`` is the SHA-256 of a document kept elsewhere, which it binds into the chain.
    ``key`` is the command and the number of the posting in it. ``previous_digest`` is the digest of the transaction
    before it in the book, ``digest`` its own (``ledger.canonical``).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    book = models.ForeignKey(Book, models.PROTECT, related_name="transactions", db_index=False)
    sequence = models.BigIntegerField(_("number in the book"))
    kind = models.CharField(_("kind"), max_length=20, choices=TransactionKind.choices)
    key = models.CharField(_("key"), max_length=60)
    command = models.UUIDField(_("command"), db_index=True)
    reference = models.CharField(_("what it is about"), max_length=100, db_index=True)
    rule = models.CharField(_("rule"), max_length=20, blank=True)
    actor = models.CharField(_("who"), max_length=100)
    approver = models.CharField(_("second person"), max_length=100, blank=True, default="")
    device = models.CharField(_("device"), max_length=100, blank=True)
    occurred_at = models.DateTimeField(_("happened"))
    recorded_at = models.DateTimeField(_("recorded"))
    reverses = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="reversals", db_index=False
    )
    reason_code = models.CharField(_("why"), max_length=20, blank=True, default="", choices=ReasonCode.choices)
    reason = models.TextField(_("why, in words"), blank=True)
    evidence = models.BinaryField(_("SHA-256 of a document"), null=True)
    entry_count = models.SmallIntegerField(_("number of entries"))
    previous_digest = models.BinaryField(_("digest before"))
    digest = models.BinaryField(_("digest"))

    class Meta(AppendOnly.Meta):
        verbose_name = _("transaction")
        verbose_name_plural = _("transactions")
        # Reports find what moved in a span of time by it; notes move nothing and are half of all rows.
        indexes = (
            models.Index(
                name="ledger_transaction_by_time", fields=["recorded_at"], condition=~Q(kind=TransactionKind.NOTE)
            ),
        )
        constraints = (
            models.UniqueConstraint(fields=("book", "sequence"), name="ledger_transaction_sequence"),
            models.UniqueConstraint(fields=("key",), name="ledger_transaction_key"),
            models.UniqueConstraint(fields=("reverses",), name="ledger_transaction_reverses"),
            models.CheckConstraint(condition=Q(kind__in=TransactionKind.values), name="ledger_transaction_kind"),
            models.CheckConstraint(condition=Q(sequence__gte=1), name="ledger_transaction_sequence_from_one"),
            models.CheckConstraint(
                condition=Q(kind=TransactionKind.NOTE, entry_count=0, evidence__isnull=False)
                | ~Q(kind=TransactionKind.NOTE) & Q(entry_count__gte=2, evidence__isnull=True),
                name="ledger_transaction_entries_or_evidence",
            ),
            models.CheckConstraint(
                condition=Q(approver="") | ~Q(approver=F("actor")), name="ledger_transaction_two_people"
            ),
            models.CheckConstraint(condition=~Q(key="") & ~Q(actor=""), name="ledger_transaction_says_who"),
            models.CheckConstraint(
                condition=Q(kind=TransactionKind.REVERSAL, reverses__isnull=False) & ~Q(reason="") & ~Q(reason_code="")
                | ~Q(kind=TransactionKind.REVERSAL) & Q(reverses__isnull=True),
                name="ledger_transaction_reversal_says_why",
            ),
            models.CheckConstraint(
                condition=Q(length_is("previous_digest", 32), length_is("digest", 32))
                & (Q(evidence__isnull=True) | Q(length_is("evidence", 32))),
                name="ledger_transaction_digest_length",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"

    @classmethod
    def of(cls, content: TransactionContent, digest: bytes) -> Transaction:
        """The row to store for what was composed. Values by place, which Django takes far quicker than by name."""
        book, sequence, pk, *rest, previous_digest, _entries = content
        values: list[Any] = [pk, book, sequence, *rest, previous_digest, digest]
        return cls(*values)  # type: ignore[misc]  # the plugin reads a list as one value

    def content(self, entries: Sequence[Entry]) -> TransactionContent:
        """What its digest covers; ``entries`` are its own in line order, each with its account at hand."""
        return TransactionContent(
            book=self.book_id,
            sequence=self.sequence,
            id=self.id,
            kind=self.kind,
            key=self.key,
            command=self.command,
            reference=self.reference,
            rule=self.rule,
            actor=self.actor,
            approver=self.approver,
            device=self.device,
            occurred_at=self.occurred_at,
            recorded_at=self.recorded_at,
            reverses=self.reverses_id,
            reason_code=self.reason_code,
            reason=self.reason,
            evidence=None if self.evidence is None else bytes(self.evidence),
            entry_count=self.entry_count,
            previous_digest=bytes(self.previous_digest),
            entries=tuple(
                EntryContent(
                    line=entry.line,
                    account=entry.account_id,
                    account_kind=entry.account.kind,
                    amount_cents=entry.amount_cents,
                    balance_after_cents=entry.balance_after_cents,
                    account_version=entry.account_version,
                )
                for entry in entries
            ),
        )


class Entry(AppendOnly):
    """A signed amount on one account. Positive: value arrives. ``id`` follows the order of writing, no more.

    On a guarded account ``balance_after_cents`` is its balance with this entry and ``account_version`` counts
    its entries from 1, so that each line proves itself and a missing one shows; both are empty elsewhere.
    """

    id = models.BigAutoField(primary_key=True)
    transaction = models.ForeignKey(Transaction, models.PROTECT, related_name="entries", db_index=False)
    line = models.SmallIntegerField(_("line"))
    account = models.ForeignKey(Account, models.PROTECT, related_name="entries", db_index=False)
    amount_cents = models.BigIntegerField(_("amount in cents"))
    balance_after_cents = models.BigIntegerField(_("balance after in cents"), null=True)
    account_version = models.BigIntegerField(_("number on the account"), null=True)

    class Meta(AppendOnly.Meta):
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        indexes = (models.Index(fields=("account", "id"), name="ledger_entry_statement"),)
        constraints = (
            models.UniqueConstraint(fields=("transaction", "line"), name="ledger_entry_line"),
            models.UniqueConstraint(
                fields=("account", "account_version"),
                condition=Q(account_version__isnull=False),
                name="ledger_entry_version",
            ),
            models.CheckConstraint(
                condition=~Q(amount_cents=0)
                & Q(amount_cents__gte=-MAX_AMOUNT_CENTS, amount_cents__lte=MAX_AMOUNT_CENTS),
                name="ledger_entry_amount",
            ),
            models.CheckConstraint(
                # A comparison with NULL would let half of the pair pass, so both are said to be there.
                condition=Q(balance_after_cents__isnull=False, balance_after_cents__gte=0)
                & Q(account_version__isnull=False, account_version__gte=1)
                | Q(balance_after_cents__isnull=True, account_version__isnull=True),
                name="ledger_entry_balance_after",
            ),
        )

    def __str__(self) -> str:
        return f"{self.transaction_id}/{self.line}: {self.amount_cents:+d}"

    @classmethod
    def of(cls, transaction_id: uuid.UUID, content: EntryContent) -> Entry:
        """The row to store for what was composed."""
        line, account, _kind, amount_cents, balance_after_cents, account_version = content
        values: list[Any] = [None, transaction_id, line, account, amount_cents, balance_after_cents, account_version]
        return cls(*values)  # type: ignore[misc]  # the plugin reads a list as one value
