"""Verifies the whole ledger from its stored rows: seals, books, and the documents behind notes.

Reads once through the transactions as of one instant and keeps one of them. The judgement is that of
``ledger.verifier``, so that a bundle that leaves the building is held to the same.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, ParamSpec
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Max, OuterRef, Subquery

from ledger import verifier
from ledger.canonical import first_digest
from ledger.models import Book, Seal, SealLine, Transaction
from ledger.seals import seal_file, witness_path
from ledger.stored import Range, StoredTransaction, stored_transactions
from ledger.verifier import Fault, Json, MerkleTree, Status
from ledger.witnesses import documents

_NEVER = 2**63 - 1
_DOCUMENTS_AT_ONCE = 500
P = ParamSpec("P")


@dataclass(slots=True)
class Verification:
    """How much was read, how much of it no seal covers yet, and every fault: of each book's chain the first one."""

    seals: int = 0
    books: int = 0
    transactions: int = 0
    entries: int = 0
    documents: int = 0
    unsealed: int = 0
    faults: list[Fault] = field(default_factory=list)

    @property
    def status(self) -> Status:
        """The gravest that was found: an empty ledger before a missing end before any other fault."""
        return max((fault.status for fault in self.faults), default=Status.HOLDS)

    def hold(self, check: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> bool:
        """Whether a check finds nothing; what it finds is noted."""
        try:
            check(*args, **kwargs)
        except Fault as fault:
            self.faults.append(fault)
            return False
        return True


class UnknownSeal(Exception):
    """There is no seal with this number to start from."""


def verify_books(*, since: int = 0, in_hand: Sequence[Json] = ()) -> Verification:
    """Check every seal and every book, with the last seal kept outside the database and those ``in_hand``.

    ``since``: of transactions read only what later seals than this one cover, and what no seal covers. Must not run inside a
    database transaction. Raises ``UnknownSeal``.
    """
    verification = Verification()
    # Read before the instant that the rows are seen at: a seal is committed before it is kept.
    kept = list(in_hand)
    if witness_path().exists():
        verification.hold(lambda: kept.append(verifier.read_seal(witness_path())))
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        if since and not Seal.objects.filter(number=since).exists():
            raise UnknownSeal(f"There is no seal {since}.")
        Reading(verification, since).verify(kept)
    return verification


class SealedRange(NamedTuple):
    """A line of a seal, by its book; ``seal`` is the seal's number, ``None`` when it is gone."""

    book: str
    seal: int | None
    content: Json


class Reading:
    """One reading of the ledger, of what comes after the seal ``since``."""

    def __init__(self, verification: Verification, since: int) -> None:
        self._found = verification
        self._since = since
        self._names = {str(pk): name for pk, name in Book.objects.values_list("pk", "name")}
        self._starts = _sealed_until(since)
        self._entries_of_seal: Counter[int | None] = Counter()
        self._notes: list[tuple[StoredTransaction, str]] = []

    def verify(self, in_hand: Sequence[Json]) -> None:
        """Seals, seals in hand, every book with its documents, and what the seals count."""
        is_empty = not Transaction.objects.exists()
        self._verify_seals()
        last = Seal.objects.aggregate(last=Max("number"))["last"] or 0
        for seal in in_hand:
            row = Seal.objects.filter(number=seal["content"]["number"]).first()
            stored = seal_file(row) if row else None
            self._found.hold(verifier.check_seal_in_hand, seal, stored, last, is_empty=is_empty)
        if is_empty:
            self._found.hold(_check_nothing_is_sealed)
            return
        for book, lines, transactions in by_book(self._lines(), stored_transactions(self._ranges())):
            self._verify_book(book, lines, transactions)
        self._verify_documents()
        if not self._found.faults:
            self._verify_entry_totals()

    def _verify_seals(self) -> None:
        before: Json | None = None
        for row in Seal.objects.order_by("number").iterator():
            seal = seal_file(row)
            self._found.seals += 1
            holds = self._found.hold(verifier.check_seal, seal)
            holds = self._found.hold(verifier.check_succession, seal, before) and holds
            if holds and row.number > self._since:
                lines = (line.content() for line in row.ranges.order_by("book_id").iterator())
                self._found.hold(verifier.check_lines, seal, before, lines)
            before = seal

    def _verify_entry_totals(self) -> None:
        before: Json | None = None
        for row in Seal.objects.filter(number__gte=self._since).order_by("number").iterator():
            seal = seal_file(row)
            if row.number > self._since:
                self._found.hold(verifier.check_entry_total, seal, before, self._entries_of_seal[row.number])
            before = seal

    def _ranges(self) -> list[Range] | None:
        if not self._since:
            return None
        books = {str(pk) for pk in SealLine.objects.values_list("book_id", flat=True).distinct()} | self._names.keys()
        return [Range(UUID(book), self._start(book)[0] + 1, _NEVER) for book in books]

    def _start(self, book: str) -> tuple[int, bytes]:
        """Number and digest that the first transaction to be read follows."""
        return self._starts.get(book) or (0, first_digest(UUID(book)))

    def _lines(self) -> Iterator[SealedRange]:
        number = Subquery(Seal.objects.filter(pk=OuterRef("seal_id")).values("number")[:1])
        for line in SealLine.objects.annotate(number=number).order_by("book_id", "first").iterator():
            if line.number is None or line.number > self._since:
                yield SealedRange(str(line.book_id), line.number, line.content())

    def _verify_book(self, book: str, lines: list[SealedRange], transactions: Iterable[StoredTransaction]) -> None:
        """Reads the book to its end also past a fault, so that all of it is counted."""
        name, last = f"{self._names.get(book, 'without a name')} ({book})", self._start(book)[0]
        walk = _Walk(name, self._start(book), lines, self._entries_of_seal)
        sealed_until = lines[-1].content["last"] if lines else last
        if not self._found.hold(_check_lines_follow, name, lines, self._starts.get(book)):
            walk.leave_lines_out()
        holds = True
        self._found.books += 1
        for stored in transactions:
            last = stored.sequence
            self._found.transactions += 1
            self._found.entries += stored.entries
            self._found.unsealed += last > sealed_until
            if stored.evidence is not None:
                self._note(stored, name)
            holds = holds and self._found.hold(walk.take, stored)
        if last < sealed_until:
            self._found.hold(_say_cut_off, name, last, lines[-1])

    def _note(self, stored: StoredTransaction, book_name: str) -> None:
        self._notes.append((stored, book_name))
        if len(self._notes) == _DOCUMENTS_AT_ONCE:
            self._verify_documents()

    def _verify_documents(self) -> None:
        texts = documents([UUID(stored.command) for stored, _ in self._notes])
        for stored, book_name in self._notes:
            self._found.hold(_check_document, stored, book_name, texts.get(UUID(stored.command)))
        self._found.documents += len(texts)
        self._notes.clear()


class _Walk:
    """The walk through one book, transaction by transaction, with the lines of seals that cover it."""

    def __init__(
        self, name: str, start: tuple[int, bytes], lines: Sequence[SealedRange], entries_of_seal: Counter[int | None]
    ) -> None:
        self._name = name
        self._sequence, self._digest = start
        self._lines = iter(lines)
        self._entries_of_seal = entries_of_seal
        self._next_line()

    def leave_lines_out(self) -> None:
        """Hold the book to its own chain alone."""
        self._lines = iter(())
        self._next_line()

    def _next_line(self) -> None:
        self._line: SealedRange | None = next(self._lines, None)
        self._tree = MerkleTree()

    def take(self, stored: StoredTransaction) -> None:
        """The next transaction. Raises ``Fault`` when it does not follow, is not what was digested, or not what was sealed."""
        digest = sha256(stored.content).digest()
        follows = stored.sequence == self._sequence + 1 and stored.previous_digest == self._digest
        if not follows or stored.digest != digest:
            self._explain(stored)
        self._sequence, self._digest = stored.sequence, digest
        if self._line is None:
            return
        self._tree.add(digest)
        self._entries_of_seal[self._line.seal] += stored.entries
        if stored.sequence == self._line.content["last"]:
            root, seal = self._tree.root().hex(), self._line.seal or 0
            verifier.check_line_end(self._line.content, digest.hex(), root, self._name, seal)
            self._next_line()

    def _explain(self, stored: StoredTransaction) -> None:
        content = json.loads(stored.content)
        title = verifier.transaction_name(content, self._name)
        verifier.check_place(content, self._sequence + 1, self._digest.hex(), title)
        verifier.check_transaction(content, stored.digest.hex(), title)


def _sealed_until(since: int) -> dict[str, tuple[int, bytes]]:
    """Number and digest of the last transaction of each book that the seals up to this one cover."""
    lines = SealLine.objects.filter(seal__number__lte=since).order_by("book_id", "-first").distinct("book_id")
    return {str(line.book_id): (line.last, bytes(line.digest)) for line in lines.iterator()}


def by_book(
    lines: Iterator[SealedRange], transactions: Iterator[StoredTransaction]
) -> Iterator[tuple[str, list[SealedRange], Iterable[StoredTransaction]]]:
    """Both by their books, which both are ordered by, also books that only one of them has."""
    sealed = ((book, list(group)) for book, group in groupby(lines, key=attrgetter("book")))
    ahead = next(sealed, None)
    for book, stored in groupby(transactions, key=attrgetter("book")):
        while ahead is not None and ahead[0] < book:
            yield *ahead, ()
            ahead = next(sealed, None)
        mine: list[SealedRange] = []
        if ahead is not None and ahead[0] == book:
            mine, ahead = ahead[1], next(sealed, None)
        yield book, mine, stored
    while ahead is not None:
        yield *ahead, ()
        ahead = next(sealed, None)


def _check_lines_follow(name: str, lines: Sequence[SealedRange], start: tuple[int, bytes] | None) -> None:
    before = {"last": start[0], "digest": start[1].hex()} if start else None
    for line in lines:
        if line.seal is None:
            covers = f"transactions {line.content['first']} to {line.content['last']}"
            raise Fault(f"Book {name}: the seal that covers {covers} is gone, and its line is still there.")
        verifier.check_line_follows(name, line.content, line.seal, before)
        before = line.content


def _say_cut_off(name: str, last: int, line: SealedRange) -> None:
    what = f"ends with transaction {last}" if last else "is gone"
    seal = "a seal that is gone as well" if line.seal is None else f"seal {line.seal}"
    raise Fault(f"Book {name} {what}, and {seal} covers it up to {line.content['last']}.", Status.CUT_OFF)


def _check_document(stored: StoredTransaction, book_name: str, text: str | None) -> None:
    if text is not None and sha256(text.encode()).digest() == stored.evidence:
        return
    content = json.loads(stored.content)
    title = verifier.transaction_name(content, book_name)
    if text is None:
        raise Fault(f"{title}: command {stored.command}, which it vouches for, is gone, or a part of it is.")
    verifier.check_document(content, text, title)


def _check_nothing_is_sealed() -> None:
    sealed = sum(last - first + 1 for first, last in SealLine.objects.values_list("first", "last").iterator())
    if sealed:
        raise Fault(f"The ledger is empty, and its seals cover {sealed} transactions.", Status.EMPTIED)
