"""Verifies a part of the ledger: the stretches of books that a report is about, and the seals that cover them.

The judgement is that of ``ledger.verification``. What is outside the part is not read, so that it costs no more when more
was written before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Max

from ledger import verifier
from ledger.models import Book, Seal, SealLine, Transaction
from ledger.seals import seal_file, witness_path
from ledger.stored import Range, stored_transactions
from ledger.verification import Reading, SealedRange, Verification, by_book
from ledger.verifier import Fault, Json

_JUST_MADE = timedelta(minutes=5)


@dataclass(slots=True)
class PartVerification(Verification):
    """What was found in a part of the ledger: the seals that were looked at, and the books and seals that do not hold."""

    numbers: set[int] = field(default_factory=set)
    broken_books: set[UUID] = field(default_factory=set)
    broken_seals: set[int] = field(default_factory=set)


def verify_part(stretches: Sequence[Range], seals: Collection[int]) -> PartVerification:
    """Check stretches of books, one a book, and these seals and those that cover a stretch, with all their lines.

    Inside a database transaction. A stretch is read from where the seal before it ends to where the last one that covers it
    does, so that what it costs depends on the part alone and not on what was ever written.
    """
    verification = PartVerification()
    _PartReading(verification, stretches).verify_seals_and_books(seals)
    return verification


def verify_kept_seal(now: datetime) -> tuple[Json | None, Fault | None]:
    """The seal that is kept outside the database, if there is one, and what is wrong with the seals beside it.

    One made within minutes of ``now`` is not looked for: what is read may be of the instant before it.
    """
    if not witness_path().exists():
        return None, None
    try:
        kept = verifier.read_seal(witness_path())
        content = kept["content"]
        if datetime.fromisoformat(content["made_at"]) < now - _JUST_MADE:
            row = Seal.objects.filter(number=content["number"]).first()
            last = Seal.objects.aggregate(last=Max("number"))["last"] or 0
            is_empty = not Transaction.objects.exists()
            verifier.check_seal_in_hand(kept, seal_file(row) if row else None, last, is_empty=is_empty)
    except Fault as fault:
        return None, fault
    return kept, None


class _PartReading(Reading):
    """A reading of some stretches of books and of some seals."""

    _found: PartVerification

    def __init__(self, verification: PartVerification, stretches: Sequence[Range]) -> None:
        self._found = verification
        self._stretches = stretches
        books = [stretch.book for stretch in stretches]
        self._names = {str(pk): name for pk, name in Book.objects.filter(pk__in=books).values_list("pk", "name")}
        self._starts = {}
        self._entries_of_seal = Counter()
        self._notes = []

    def verify_seals_and_books(self, seals: Collection[int]) -> None:
        """These seals, then every stretch with its documents."""
        lines, ranges = self._lines_and_ranges()
        self._found.numbers = {*seals, *(line.seal for line in lines if line.seal is not None)}
        self._verify_some_seals(self._found.numbers)
        for book, mine, transactions in by_book(iter(lines), stored_transactions(ranges)):
            before = len(self._found.faults)
            self._verify_book(book, mine, transactions)
            if len(self._found.faults) > before:
                self._found.broken_books.add(UUID(book))
        self._verify_documents()

    def _verify_some_seals(self, numbers: Collection[int]) -> None:
        wanted = {*numbers, *(number - 1 for number in numbers)}
        rows = {row.number: row for row in Seal.objects.filter(number__in=wanted)}
        lines: dict[int, list[Json]] = {}
        for line in SealLine.objects.filter(seal__number__in=numbers).select_related("seal").order_by("book_id"):
            lines.setdefault(line.seal.number, []).append(line.content())
        for number in sorted(numbers):
            before = seal_file(rows[number - 1]) if number - 1 in rows else None
            holds = self._found.hold(_check_is_there, number, rows) and self._found.hold(
                _check_some_seal, seal_file(rows[number]), before, lines.get(number, [])
            )
            self._found.seals += number in rows
            if not holds:
                self._found.broken_seals.add(number)

    def _lines_and_ranges(self) -> tuple[list[SealedRange], list[Range]]:
        """The lines of seals that cover the stretches, by book, and what is to be read: each from the end of a line on."""
        stretches = {str(stretch.book): stretch for stretch in self._stretches}
        lines: dict[str, list[SealedRange]] = {book: [] for book in stretches}
        for book, number, first, last, previous_digest, digest, root in _lines_around(self._stretches):
            content = {"book": book, "first": first, "last": last, "root": root.hex()}
            content |= {"previous_digest": previous_digest.hex(), "digest": digest.hex()}
            if last < stretches[book].first:
                self._starts[book] = (last, digest)
            else:
                lines[book].append(SealedRange(book, number, content))
        ranges = [
            Range(
                stretch.book,
                self._start(book)[0] + 1,
                max([stretch.last, *(line.content["last"] for line in lines[book])]),
            )
            for book, stretch in stretches.items()
        ]
        return [line for book in sorted(lines) for line in lines[book]], ranges


# Of each book the last line before its stretch and those that touch it, in order.
_LINES_AROUND = """
    SELECT r.book::text, s.number, l.first, l.last, l.previous_digest, l.digest, l.root
    FROM unnest(%s::uuid[], %s::bigint[], %s::bigint[]) r (book, first, last)
    JOIN ledger_sealline l ON l.book_id = r.book AND l.first <= r.last AND l.first >= coalesce(
        (SELECT max(b.first) FROM ledger_sealline b WHERE b.book_id = r.book AND b.last < r.first), 0)
    LEFT JOIN ledger_seal s ON s.id = l.seal_id
    ORDER BY r.book, l.first
"""


def _lines_around(stretches: Sequence[Range]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(_LINES_AROUND, [[stretch[place] for stretch in stretches] for place in range(3)])
        return list(cursor.fetchall())


def _check_is_there(number: int, rows: Mapping[int, Seal]) -> None:
    for wanted in (number, number - 1):
        if wanted and wanted not in rows:
            raise Fault(f"Seal {wanted} is missing: it was removed, or its number was changed.")


def _check_some_seal(seal: Json, before: Json | None, lines: Sequence[Json]) -> None:
    verifier.check_seal(seal)
    verifier.check_succession(seal, before)
    verifier.check_lines(seal, before, lines)
