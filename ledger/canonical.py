"""The canonical bytes of a transaction and its digest. Pure; the writer and the verifier both use it.

The bytes are JSON in UTF-8: keys sorted, no blanks, no escapes beyond JSON's own, integers for cents, UUIDs in lower
case with hyphens, instants in UTC with six decimals and ``Z``, digests in lower-case hexadecimal. Every stored
field is in them, also the digest before. ``docs/ledger.md`` has a worked example.
"""

import json
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID


class EntryContent(NamedTuple):
    """What a digest covers of one entry."""

    line: int
    account: UUID
    account_kind: str
    amount_cents: int
    balance_after_cents: int | None
    account_version: int | None


class TransactionContent(NamedTuple):
    """What a digest covers of one transaction; ``entries`` in line order."""

    book: UUID
    sequence: int
    id: UUID
    kind: str
    key: str
    command: UUID
    reference: str
    rule: str
    actor: str
    approver: str
    device: str
    occurred_at: datetime
    recorded_at: datetime
    reverses: UUID | None
    reason_code: str
    reason: str
    evidence: bytes | None
    entry_count: int
    previous_digest: bytes
    entries: tuple[EntryContent, ...]


def first_digest(book: UUID) -> bytes:
    """What stands before the first transaction of a book: SHA-256 of the 16 bytes of the book's id."""
    return sha256(book.bytes).digest()


def transaction_digest(content: TransactionContent) -> bytes:
    """SHA-256 of the canonical bytes."""
    return sha256(canonical_bytes(content)).digest()


def canonical_bytes(content: TransactionContent) -> bytes:
    """The bytes that stand for a transaction, the same for the same content on every machine."""
    data = {
        **content._asdict(),
        "book": str(content.book),
        "id": str(content.id),
        "command": str(content.command),
        "occurred_at": canonical_instant(content.occurred_at),
        "recorded_at": canonical_instant(content.recorded_at),
        "reverses": None if content.reverses is None else str(content.reverses),
        "evidence": None if content.evidence is None else content.evidence.hex(),
        "previous_digest": content.previous_digest.hex(),
        "entries": [{**entry._asdict(), "account": str(entry.account)} for entry in content.entries],
    }
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def canonical_instant(value: datetime) -> str:
    """An instant in UTC with six decimals and ``Z``."""
    return value.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
