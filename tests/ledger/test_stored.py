"""What is read for verifying is, byte for byte, what was digested when it was written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from ledger.canonical import EntryContent, TransactionContent, canonical_bytes, canonical_instant
from ledger.kinds import ReasonCode
from ledger.models import Transaction
from ledger.services import book_open, note, reverse
from ledger.stored import Range, StoredTransaction, stored_transaction, stored_transactions
from tests.ledger.house import NOON, House, pay, post_now

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
instants = st.datetimes(datetime(1900, 1, 1), datetime(2900, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001  bounds are naive
numbers = st.integers(-(2**62), 2**62)
digests = st.binary(min_size=32, max_size=32)
entries = st.builds(
    EntryContent, numbers, st.uuids(), texts | st.none(), numbers, st.none() | numbers, st.none() | numbers
)
contents = st.builds(
    TransactionContent,
    book=st.uuids(),
    sequence=numbers,
    id=st.uuids(),
    kind=texts,
    key=texts,
    command=st.uuids(),
    reference=texts,
    rule=texts,
    actor=texts,
    approver=texts,
    device=texts,
    occurred_at=instants,
    recorded_at=instants,
    reverses=st.none() | st.uuids(),
    reason_code=texts,
    reason=texts,
    evidence=st.none() | digests,
    entry_count=numbers,
    previous_digest=digests,
    entries=st.lists(entries, max_size=4).map(tuple),
)


def rows_of(content: TransactionContent) -> list[tuple[Any, ...]]:
    """As the query gives them: ids and instants as text, the digest after the rest, a row for each entry."""
    plain = [_as_queried(value) for value in content[:-1]]
    lines = [(entry.line, str(entry.account), *entry[2:]) for entry in content.entries] or [(None,) * 6]
    return [(*plain, bytes(32), *line) for line in lines]


def _as_queried(value: Any) -> Any:
    if isinstance(value, datetime):
        return canonical_instant(value)
    return str(value) if isinstance(value, UUID) else value


@given(contents)
def test_the_bytes_are_the_canonical_ones_whatever_is_stored(content: TransactionContent) -> None:
    stored = stored_transaction(rows_of(content))
    assert stored.content == canonical_bytes(content)
    assert (stored.book, stored.sequence, stored.kind) == (str(content.book), content.sequence, content.kind)
    assert (stored.command, stored.evidence) == (str(content.command), content.evidence)
    assert (stored.previous_digest, stored.digest) == (content.previous_digest, bytes(32))
    assert stored.entries == len(content.entries)


def read(*ranges: Range) -> list[StoredTransaction]:
    """All, or what is in these ranges."""
    with transaction.atomic():
        return list(stored_transactions(ranges or None))


def test_what_services_wrote_makes_its_digest(house: House) -> None:
    (paid,) = post_now(house.book, pay(house.lin, house.park, 300))
    post_now(
        house.book, reverse(paid, reason_code=ReasonCode.OTHER, reason='„So“ \\ "so"\n\x01 \u2028'), approver="1001"
    )
    post_now(house.book, note("hand.settle", "{}"))
    other = book_open(name="Other", opened_at=NOON)
    instants = [NOON.replace(microsecond=0), NOON.replace(microsecond=100), datetime(987, 1, 2, 3, 4, 5, 6, tzinfo=UTC)]
    for instant in (*instants, NOON.astimezone(timezone(timedelta(hours=-8)))):
        post_now(other, note("x", ""), occurred_at=instant)
    stored = read()
    assert [sha256(each.content).digest() for each in stored] == [each.digest for each in stored]
    assert len(stored) == Transaction.objects.count() == 9


def test_they_come_in_the_order_of_book_and_number(house: House) -> None:
    others = [book_open(name=str(number), opened_at=NOON) for number in range(3)]
    for book in (*others, *others, house.book):
        post_now(book, note("x", ""), note("y", ""))
    order = [(each.book, each.sequence) for each in read()]
    assert order == sorted(order)


def test_only_what_is_in_the_ranges(house: House) -> None:
    other = book_open(name="Other", opened_at=NOON)
    post_now(other, *[note("x", "") for _ in range(5)])
    found = read(Range(other.pk, 2, 3), Range(house.book.pk, 2, 9))
    assert sorted((each.book == str(other.pk), each.sequence) for each in found) == [(False, 2), (True, 2), (True, 3)]
    with transaction.atomic():
        assert list(stored_transactions([])) == []
