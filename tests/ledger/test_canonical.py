"""The digest covers every stored field, and anybody can work it out again from the documented bytes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.canonical import EntryContent, TransactionContent, canonical_bytes, first_digest, transaction_digest
from ledger.models import Entry, Transaction
from tests.ledger.house import House, pay, post_now

BOOK = UUID("11111111-1111-4111-8111-111111111111")

EXAMPLE = TransactionContent(
    book=BOOK,
    sequence=1,
    id=UUID("22222222-2222-4222-8222-222222222222"),
    kind="buy-in",
    key="33333333-3333-4333-8333-333333333333/1",
    command=UUID("33333333-3333-4333-8333-333333333333"),
    reference="sitting:55555555-5555-4555-8555-555555555555",
    rule="CP-60",
    actor="2001",
    approver="",
    device="",
    occurred_at=datetime(2026, 11, 29, 20, 0, tzinfo=UTC),
    recorded_at=datetime(2026, 11, 29, 20, 0, 0, 250_000, tzinfo=UTC),
    reverses=None,
    reason_code="",
    reason="",
    evidence=None,
    entry_count=2,
    previous_digest=first_digest(BOOK),
    entries=(
        EntryContent(1, UUID("66666666-6666-4666-8666-666666666666"), "outside-cash", -10_000, None, None),
        EntryContent(2, UUID("77777777-7777-4777-8777-777777777777"), "stack", 10_000, 10_000, 1),
    ),
)

OTHER: dict[str, Any] = {
    "book": UUID(int=9),
    "sequence": 2,
    "id": UUID(int=9),
    "kind": "chips-in",
    "key": "k",
    "command": UUID(int=9),
    "reference": "",
    "rule": "",
    "actor": "2002",
    "approver": "1001",
    "device": "T7",
    "occurred_at": EXAMPLE.occurred_at + timedelta(microseconds=1),
    "recorded_at": EXAMPLE.recorded_at + timedelta(microseconds=1),
    "reverses": UUID(int=9),
    "reason_code": "other",
    "reason": "x",
    "evidence": bytes(32),
    "entry_count": 3,
    "previous_digest": bytes(32),
    "entries": EXAMPLE.entries[:1],
}
OTHER_ENTRY: dict[str, Any] = {
    "line": 3,
    "account": UUID(int=9),
    "account_kind": "cage",
    "amount_cents": 9_999,
    "balance_after_cents": 9_999,
    "account_version": 2,
}


def test_the_digest_is_sha_256_of_the_bytes() -> None:
    assert transaction_digest(EXAMPLE) == hashlib.sha256(canonical_bytes(EXAMPLE)).digest()
    assert first_digest(BOOK) == hashlib.sha256(BOOK.bytes).digest()


@pytest.mark.parametrize("field", TransactionContent._fields)
def test_every_field_of_a_transaction_changes_the_digest(field: str) -> None:
    assert transaction_digest(EXAMPLE._replace(**{field: OTHER[field]})) != transaction_digest(EXAMPLE)


@pytest.mark.parametrize("field", EntryContent._fields)
def test_every_field_of_an_entry_changes_the_digest(field: str) -> None:
    entry = EXAMPLE.entries[1]._replace(**{field: OTHER_ENTRY[field]})
    changed = EXAMPLE._replace(entries=(EXAMPLE.entries[0], entry))
    assert transaction_digest(changed) != transaction_digest(EXAMPLE)


def test_every_stored_column_is_covered() -> None:
    stored = {field.attname.removesuffix("_id") for field in Transaction._meta.concrete_fields}
    assert stored - {"digest"} == set(TransactionContent._fields) - {"entries"}
    stored = {field.attname.removesuffix("_id") for field in Entry._meta.concrete_fields}
    assert stored - {"id", "transaction"} == set(EntryContent._fields) - {"account_kind"}


def test_an_instant_is_the_same_in_every_time_zone() -> None:
    away = EXAMPLE.occurred_at.astimezone(timezone(timedelta(hours=-8)))
    assert canonical_bytes(EXAMPLE._replace(occurred_at=away)) == canonical_bytes(EXAMPLE)


@dataclass(frozen=True)
class Texts:
    reference: str
    reason: str


@given(st.builds(Texts, st.text(), st.text()), st.builds(Texts, st.text(), st.text()))
def test_texts_cannot_run_into_each_other(one: Texts, other: Texts) -> None:
    digests = [
        canonical_bytes(EXAMPLE._replace(reference=texts.reference, reason=texts.reason)) for texts in (one, other)
    ]
    assert (digests[0] == digests[1]) == (one == other)


def test_what_post_stores_is_the_digest_of_what_is_read_back(house: House) -> None:
    (written,) = post_now(house.book, pay(house.lin, house.park, 300))
    stored = Transaction.objects.get(pk=written.pk)
    content = stored.content(list(stored.entries.order_by("line")))
    assert bytes(stored.digest) == transaction_digest(content)
