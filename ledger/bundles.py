"""Bundles: what leaves the building, for ``ledger.verifier`` to check without this program or its database.

JSON Lines, streamed: a header, every seal, the lines of the seals, the transactions that they cover with the documents behind
notes, and a closing line, signed. ``docs/ledger.md`` describes it for whoever receives one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Max, Min, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import NotThere
from ledger.canonical import canonical_instant
from ledger.keys import key_of
from ledger.kinds import FLOWS
from ledger.models import Seal, SealKind, SealLine
from ledger.seals import seal_file, seal_make
from ledger.selectors import seal_of_day
from ledger.stored import Range, StoredTransaction, stored_transactions
from ledger.verifier import BUNDLE_FORMAT, Json, canonical
from ledger.witnesses import documents

_NOTES_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Scope:
    """What a bundle holds, always whole lines of seals: everything, the books named, a gaming day by its seal's label, or what
    the ``seals`` from a first to a last number cover.

    A day holds what was sealed after the seal of the same room's day before; one without a seal of its own, what the next day's
    covers. ``title`` is for people.
    """

    title: str
    books: Sequence[UUID] | None = None
    label: str = ""
    seals: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if (self.books is not None) + bool(self.label) + (self.seals is not None) > 1:
            raise ValueError("A bundle is of books, of a day or of seals.")

    @property
    def is_up_to_now(self) -> bool:
        """Whether it holds everything up to now, for which there has to be a seal."""
        return not self.label and self.seals is None


def bundle_export(*, scope: Scope, write: Callable[[bytes], object]) -> Mapping[str, int]:
    """Write a bundle and say how much is in it. Seals first where it is up to now, so that nothing is left out.

    Keeps some hundred transactions in memory, however many there are. Must not run inside a database transaction. Raises
    ``NotThere`` for a day that has no seal and for seals that are not there, and what ``seal_make`` raises.
    """
    if scope.is_up_to_now:
        seal_make(kind=SealKind.REQUEST)
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        bundle = _Bundle(write)
        bundle.write_all(scope)
    return bundle.counts


def _seals_of(scope: Scope, last: int) -> tuple[int, int]:
    """The first and the last seal whose lines are in the bundle."""
    if scope.is_up_to_now:
        return 1, last
    if scope.seals is not None:
        if not 1 <= scope.seals[0] <= scope.seals[1] <= last:
            raise NotThere(
                "no-such-seals", _("The seals go from 1 to %(last)s. Ask for some of these.") % {"last": last}
            )
        return scope.seals
    closing = seal_of_day(scope.label)
    if closing is None:
        raise NotThere(
            "day-not-sealed", _("%(day)s has no seal: it has not ended yet, or it never was.") % {"day": scope.label}
        )
    room = scope.label.rpartition(" ")[0]
    days = Seal.objects.filter(kind=SealKind.GAMING_DAY, label__startswith=f"{room} ", number__lt=closing.number)
    return (days.aggregate(before=Max("number"))["before"] or 0) + 1, closing.number


class _Bundle:
    """A bundle being written: every byte goes through the digest that the closing line signs."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._hash = sha256()
        self.counts: Counter[str] = Counter(lines=0, transactions=0, entries=0, documents=0)

    def write_all(self, scope: Scope) -> None:
        """The whole bundle, from one instant of the database."""
        last = Seal.objects.latest("number")
        seals = _seals_of(scope, last.number)
        said: Json = {"kind": "all", "title": scope.title}
        lines = SealLine.objects.filter(seal__number__range=seals)
        in_scope = lines
        if scope.label:
            # A day without a seal of its own is in the bundle of the next one that has, which says whose it is.
            said |= {"kind": "day", "label": Seal.objects.get(number=seals[1]).label, "seals": list(seals)}
        elif scope.seals is not None:
            said |= {"kind": "seals", "seals": list(seals)}
        elif scope.books is not None:
            said |= {"kind": "books", "books": [str(book) for book in scope.books]}
            in_scope = lines.filter(book__in=scope.books)
        flows = {
            kind.value: {side: sorted(kinds) for side, kinds in flow._asdict().items()} for kind, flow in FLOWS.items()
        }
        header = {"format": BUNDLE_FORMAT, "scope": said, "seal": last.number, "flows": flows}
        self._record({"bundle": {**header, "made_at": canonical_instant(timezone.now())}})
        for seal in Seal.objects.order_by("number").iterator():
            self._record({"seal": seal_file(seal)})
        self._write_lines(lines)
        self._write_transactions(in_scope)
        self._write_end(bytes(last.next_public_key))

    def _record(self, record: Json) -> None:
        self._put(canonical(record) + b"\n")

    def _put(self, line: bytes) -> None:
        self._hash.update(line)
        self._write(line)

    def _write_lines(self, lines: QuerySet[SealLine]) -> None:
        named = lines.annotate(number=F("seal__number"), name=F("book__name")).order_by("number", "book_id")
        for line in named.iterator():
            self._record({"line": line.content(), "seal": line.number, "name": line.name})
            self.counts["lines"] += 1

    def _write_transactions(self, lines: QuerySet[SealLine]) -> None:
        """The lines of a book follow each other, so a book's transactions are one range."""
        books = lines.values("book_id").annotate(start=Min("first"), end=Max("last")).order_by()
        ranges = [Range(*row) for row in books.values_list("book_id", "start", "end")]
        batch: list[StoredTransaction] = []
        for stored in stored_transactions(ranges):
            batch.append(stored)
            if len(batch) == _NOTES_AT_ONCE:
                self._write_batch(batch)
                batch.clear()
        self._write_batch(batch)

    def _write_batch(self, batch: Sequence[StoredTransaction]) -> None:
        texts = documents([UUID(stored.command) for stored in batch if stored.evidence is not None])
        for stored in batch:
            self._put(b'{"digest":"%b","transaction":%b}\n' % (stored.digest.hex().encode(), stored.content))
            self.counts.update(transactions=1, entries=stored.entries)
            text = texts.get(UUID(stored.command)) if stored.evidence is not None else None
            if text is not None:
                self._record({"document": {"command": stored.command, "text": text}})
                self.counts["documents"] += 1

    def _write_end(self, public_key: bytes) -> None:
        digest = self._hash.digest()
        signature = key_of(public_key).sign(digest)
        end = {"sha256": digest.hex(), "public_key": public_key.hex(), "signature": signature.hex(), **self.counts}
        self._record({"end": end})
