"""Whether the ledger holds: the books that moved in the span, the seals over them, checks, replays and numbers without gaps.

What moved in the span is verified while the report is made, digest by digest, as ``manage.py ledger_verify`` does it. The
checks of all rows against each other, and replays, are told as they last ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger.models import Seal
from ledger.stored import Range
from ledger.verification_of_parts import PartVerification, verify_kept_seal, verify_part
from ledger.verifier import Fault, Json
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.integrity_rows import (
    CHECKS,
    DIGITS_SHOWN,
    REPLAYS,
    SEALS,
    SERIES,
    check_rows,
    holds,
    replay_rows,
    seal_rows,
    series_rows,
)
from tables.selectors.reports.money import read
from tables.selectors.reports.report import Cell, Column, Kind, Link, Report, Row, Section, Sections, with_totals

MOST_VERIFIED = 200_000
"""How many transactions are verified while a report is made; of more it says how they are verified."""

_SUMMARY = (
    Column("what", gettext_lazy("What")),
    Column("number", gettext_lazy("Number"), Kind.COUNT),
    Column("says", gettext_lazy("Says")),
)
_FAULTS = (Column("number", gettext_lazy("No."), Kind.COUNT), Column("what", gettext_lazy("What does not hold")))
_BOOKS = (
    Column("table", gettext_lazy("Table")),
    Column("book", gettext_lazy("Book")),
    Column("first", gettext_lazy("First number"), Kind.COUNT),
    Column("last", gettext_lazy("Last number"), Kind.COUNT),
    Column("transactions", gettext_lazy("Transactions"), Kind.COUNT, totals=True),
    Column("missing", gettext_lazy("Missing"), Kind.COUNT, totals=True),
    Column("entries", gettext_lazy("Entries"), Kind.COUNT, totals=True),
    Column("head", gettext_lazy("Digest of the last")),
    Column("sealed", gettext_lazy("Sealed up to"), Kind.COUNT),
    Column("result", gettext_lazy("Result")),
)
# The books in which something moved are found by the index by time; those of open tables may have notes alone, and of those that
# the seals of the span cover everything may be gone.
_OF_THE_SPAN = """
    WITH session AS (
        SELECT DISTINCT session.id, session.book_id, session.table_id
        FROM ledger_transaction moved JOIN tables_tablesession session ON session.book_id = moved.book_id
        WHERE moved.kind <> 'note' AND moved.recorded_at >= %(start)s AND moved.recorded_at < %(end)s
            AND session.table_id = ANY(%(tables)s)
        UNION
        SELECT id, book_id, table_id FROM tables_tablesession
        WHERE table_id = ANY(%(tables)s)
            AND tstzrange(opened_at, closed_at, '[]') && tstzrange(%(start)s, %(end)s)
        UNION
        SELECT session.id, session.book_id, session.table_id
        FROM ledger_seal seal JOIN ledger_sealline line ON line.seal_id = seal.id
        JOIN tables_tablesession session ON session.book_id = line.book_id
        WHERE seal.made_at >= %(start)s AND seal.made_at < %(end)s AND session.table_id = ANY(%(tables)s)
    )
    SELECT session.id, session.book_id, t.number, book.name, written.first, written.last, written.count,
        written.entries, head.digest, (SELECT max(line.last) FROM ledger_sealline line WHERE line.book_id = session.book_id),
        covered.first, covered.last
    FROM session
    JOIN tables_table t ON t.id = session.table_id
    LEFT JOIN ledger_book book ON book.id = session.book_id
    CROSS JOIN LATERAL (
        SELECT min(sequence) AS first, max(sequence) AS last, count(*), coalesce(sum(entry_count), 0)::bigint AS entries
        FROM ledger_transaction
        WHERE book_id = session.book_id AND recorded_at >= %(start)s AND recorded_at < %(end)s
    ) written
    CROSS JOIN LATERAL (
        SELECT min(line.first) AS first, max(line.last) AS last
        FROM ledger_sealline line JOIN ledger_seal seal ON seal.id = line.seal_id
        WHERE line.book_id = session.book_id AND seal.made_at >= %(start)s AND seal.made_at < %(end)s
    ) covered
    LEFT JOIN ledger_transaction head ON head.book_id = session.book_id AND head.sequence = written.last
    WHERE written.count > 0 OR covered.last IS NOT NULL
    ORDER BY t.number, book.opened_at, session.id
"""


@dataclass(frozen=True, slots=True)
class _Book:
    """What was written into a session's book in the span, and what the seals made in it cover of the book.

    ``sealed_until`` is the last number that any seal covers.
    """

    session_id: UUID
    book_id: UUID
    table_number: int
    name: str | None
    first: int | None
    last: int | None
    transactions: int
    entries: int
    head: bytes | None
    sealed_until: int | None
    covered_first: int | None
    covered_last: int | None

    @property
    def missing(self) -> int:
        if self.first is None or self.last is None:
            return 0
        return self.last - self.first + 1 - self.transactions

    @property
    def stretch(self) -> Range:
        """What is verified of it."""
        numbers = [number for number in (self.first, self.last, self.covered_first, self.covered_last) if number]
        return Range(self.book_id, min(numbers), max(numbers))


@dataclass(frozen=True, slots=True)
class _Facts:
    """The books of the span, what verifying them found, and every fault, the gravest first. What is too long is not verified."""

    books: Sequence[_Book]
    found: PartVerification | None
    kept: Json | None
    faults: Sequence[Fault]

    @classmethod
    def of(cls, asked: Asked) -> _Facts:
        books = [_Book(*row) for row in read(_OF_THE_SPAN, asked)]
        in_span = Seal.objects.filter(made_at__gte=asked.span.start, made_at__lt=asked.span.end)
        numbers = list(in_span.values_list("number", flat=True))
        found = None
        if sum(book.stretch.last - book.stretch.first for book in books) <= MOST_VERIFIED:
            found = verify_part([book.stretch for book in books], numbers)
        kept, fault = verify_kept_seal(asked.now)
        faults = [*([fault] if fault else ()), *(found.faults if found else ())]
        return cls(books, found, kept, sorted(faults, key=lambda each: -each.status))


def _integrity(asked: Asked) -> Sections:
    facts = _Facts.of(asked)
    series = list(series_rows(asked))
    checks, replays = list(check_rows(asked)), list(replay_rows(asked))
    yield Section(
        "summary",
        gettext_lazy("What holds"),
        _SUMMARY,
        list(_summary_rows(facts, series, checks, replays)),
        gettext_lazy("Nothing was looked at."),
    )
    yield Section(
        "faults",
        gettext_lazy("What does not hold"),
        _FAULTS,
        [(number, str(fault)) for number, fault in enumerate(facts.faults, 1)],
        gettext_lazy(
            "No fault was found. Each would be here in words, the first bad entry of every book and every seal."
        ),
        gettext_lazy(
            "As the verifier says it, which is the same program outside the house. Of a book's chain the first fault."
        ),
    )
    yield from _chains(asked, facts)
    yield Section(
        "checks",
        gettext_lazy("Checks of all rows"),
        CHECKS,
        checks,
        gettext_lazy(
            "No gaming day of this time was ended, so that no checks are kept. `manage.py ledger_check` runs them now."
        ),
        gettext_lazy(
            "As they ended at the end of the last gaming day that has them, and what was found on days before."
        ),
    )
    yield Section(
        "replays",
        gettext_lazy("Replays"),
        REPLAYS,
        replays,
        gettext_lazy("No day of this time was settled again. Each replay would be here, with how many hands differ."),
    )
    yield Section(
        "series",
        gettext_lazy("Numbers without gaps"),
        SERIES,
        series,
        gettext_lazy(
            "Nothing was numbered. Hands, posted sheets and printed reports would be here, and what is missing."
        ),
    )


def _chains(asked: Asked, facts: _Facts) -> Sections:
    yield Section(
        "books",
        gettext_lazy("Books"),
        _BOOKS,
        list(with_totals(_BOOKS, _book_rows(facts))),
        gettext_lazy("Nothing was written. The books of the tables would be here, from which number to which."),
        gettext_lazy(
            "What was recorded in this time, movements and notes. Digests are shown by their first 16 digits."
        ),
    )
    yield Section(
        "seals",
        gettext_lazy("Seals"),
        SEALS,
        list(seal_rows(asked, facts.found)),
        gettext_lazy("No seal was made, and none covers what was written. Each would be here, with whether it holds."),
        gettext_lazy("Those made in this time, of the whole house, and those that cover the books above."),
    )


def _summary_rows(facts: _Facts, series: Sequence[Row], checks: Sequence[Row], replays: Sequence[Row]) -> Iterator[Row]:
    books, found = facts.books, facts.found
    missing = sum(book.missing for book in books) + sum(_missing_of(row) for row in series)
    faults = Cell(len(facts.faults), Link("section", "faults"))
    yield _("Faults found while this was made"), faults, _verdict(facts)
    written = sum(1 for book in books if book.transactions)
    yield _("Books in which something was written"), Cell(written, Link("section", "books")), None
    yield _("Transactions in them, notes among them"), sum(book.transactions for book in books), None
    yield _("Entries in them"), sum(book.entries for book in books), None
    if found is not None:
        yield _("Transactions verified, to the ends of their seals"), found.transactions, None
        yield (
            _("Of these under no seal so far"),
            found.unsealed,
            _("the next seal covers them") if found.unsealed else None,
        )
        yield _("Documents of commands compared"), found.documents, None
        yield _("Seals verified"), Cell(found.seals, Link("section", "seals")), None
    yield _("Numbers missing"), Cell(missing, Link("section", "series")), holds(not missing)
    yield (
        _("Seal kept outside the database"),
        facts.kept["content"]["number"] if facts.kept else None,
        _kept_words(facts),
    )
    for words, section, rows in (
        (_("Checks of all rows that found something"), "checks", checks),
        (_("Replays in which hands differ"), "replays", replays),
    ):
        bad = sum(1 for row in rows if str(row[-1]).startswith(holds(False)))
        if rows:
            yield words, Cell(bad, Link("section", section)), holds(not bad)
        else:
            yield words, None, _("not run for this time")


def _missing_of(row: Row) -> int:
    missing = row[4]
    return missing if isinstance(missing, int) else 0


def _verdict(facts: _Facts) -> str:
    if facts.faults:
        return _("DOES NOT HOLD: see what does not hold")
    if facts.found is None:
        return _("NOT VERIFIED HERE, there is too much of it: run `manage.py ledger_verify`, or ask for fewer days")
    if not facts.books and not facts.found.seals:
        return _("nothing was written in this time")
    return _("all that was verified holds")


def _kept_words(facts: _Facts) -> str:
    if facts.kept is not None:
        return _("is among the seals here")
    if facts.faults and not (facts.found and len(facts.found.faults) == len(facts.faults)):
        return _("DOES NOT HOLD")
    return _("none is kept on this machine")


def _book_rows(facts: _Facts) -> Iterator[Row]:
    for book in facts.books:
        is_right = not book.missing and not (facts.found and book.book_id in facts.found.broken_books)
        if is_right and not book.transactions:
            continue
        yield (
            Cell(_("T%(number)s") % {"number": book.table_number}, Link("session", book.session_id)),
            book.name or _("gone"),
            book.first,
            book.last,
            book.transactions,
            book.missing,
            book.entries,
            bytes(book.head).hex()[:DIGITS_SHOWN] if book.head else None,
            book.sealed_until,
            holds(is_right) if facts.found or not is_right else _("not verified here"),
        )


INTEGRITY = Report(
    "integrity",
    gettext_lazy("Ledger integrity"),
    gettext_lazy(
        "Whether what was written holds: books and their digests, seals, checks, replays, and numbers without gaps."
    ),
    ("day", "through", "begins", "ends"),
    _integrity,
)
