"""Makes seals: signed statements of how far every book has come. ``docs/ledger.md`` says what is in them.

A book's postings are in a row, so what is committed of a book is always a beginning of it. A seal takes each book from
where its last seal ended to what is committed now; what is being written meanwhile is the first of the next seal. A
seal witnesses what is stored and judges nothing: that is for ``manage.py ledger_verify``.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from psycopg.errors import LockNotAvailable

from casino.errors import Busy, Conflict, Malformed
from ledger.brought_forward import bring_forward
from ledger.canonical import first_digest
from ledger.keys import key_make, key_of, keys_folder, public_bytes, write_durably
from ledger.lock_objects import lock_seals
from ledger.models import Seal, SealKind, SealLine, Transaction
from ledger.verifier import NO_DIGEST, MerkleTree, canonical, line_leaf, merkle_root, seal_digest

MAX_LABEL = 100
# How the seals of gaming days and hours are named: one that took such a name would be in the way of the real one.
_NAMED_BY_TIME = re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2})?\s*$")
_DIGEST_BYTES = 32
_LINES_AT_ONCE = 2000
_ONLY_WHEN_MOVED = (SealKind.HOUR, SealKind.REQUEST)

# One statement, so one instant for all books. OFFSET 0 has it go book by book through the index, whatever the planner
# thinks of it: what was sealed long ago is not read again. Digests come a few hundred to a row, which saves half the time.
_UNSEALED = """
    SELECT b.id, s.last, min(t.sequence), max(t.sequence), sum(t.entry_count)::bigint,
        string_agg(t.digest, ''::bytea ORDER BY t.sequence),
        (SELECT digest FROM ledger_transaction p WHERE p.book_id = b.id AND p.sequence = s.last)
    FROM ledger_book b
    CROSS JOIN LATERAL (SELECT coalesce(
        (SELECT last FROM ledger_sealline WHERE book_id = b.id ORDER BY first DESC LIMIT 1), 0) AS last OFFSET 0) s
    CROSS JOIN LATERAL (SELECT sequence, digest, entry_count FROM ledger_transaction
        WHERE book_id = b.id AND sequence > s.last OFFSET 0) t
    GROUP BY b.id, s.last, (t.sequence - s.last - 1) / 500
    ORDER BY b.id, min(t.sequence)
"""


class BookBroken(Conflict):
    """A book has lost transactions next to what is sealed of it."""

    def __init__(self, book: UUID, sequence: int) -> None:
        message = _(
            "Book %(book)s has no transaction %(sequence)s, and later ones are there. Run `manage.py ledger_verify`, which says "
            "what is missing. Nothing was sealed."
        )
        super().__init__("book-broken", message % {"book": book, "sequence": sequence})


class SealMissing(Conflict):
    """The last seal that was kept outside the database is not in it."""

    def __init__(self, number: int, path: Path) -> None:
        message = _(
            "Seal %(number)s, which is kept in %(path)s, is not in the ledger: its end was cut off, or this is another ledger. "
            "Run `manage.py ledger_verify`. Only when the cause is known, put that file away and seal again. "
            "Nothing was sealed."
        )
        super().__init__("seal-missing", message % {"number": number, "path": path})


class WitnessUnreadable(Conflict):
    """The file with the last seal is there and cannot be read."""

    def __init__(self, path: Path, why: Exception) -> None:
        message = _(
            "The last seal is kept in %(path)s, and that file cannot be read (%(why)s). Run this as the user who may, or bring "
            "the file back from the backup. Nothing was sealed."
        )
        super().__init__("seal-witness-unreadable", message % {"path": path, "why": why})


class LabelTaken(Conflict):
    """A seal of another kind has this label."""

    def __init__(self, seal: Seal) -> None:
        message = _("Seal %(number)s, %(kind)s, has the label %(label)s already. Choose another one.")
        values = {"number": seal.number, "kind": SealKind(seal.kind).label, "label": seal.label}
        super().__init__("seal-label-taken", message % values)


class LabelUnusable(Malformed):
    """No seal that somebody asks for can have this label."""

    def __init__(self) -> None:
        message = _(
            "A label is a line of up to %(most)d characters that ends in no date and no hour: those are the names of the seals "
            "that the timetable makes. Nothing was sealed."
        )
        super().__init__("seal-label-unusable", message % {"most": MAX_LABEL})


def seal_make(*, kind: SealKind, label: str = "", now: datetime | None = None) -> Seal:
    """Seal everything that was committed since the last seal, in a database transaction of its own.

    A label is used once: with one that is taken, the seal that has it is the answer. With nothing new, ``HOUR`` and
    ``REQUEST`` answer with the last seal. ``ROTATION`` makes a new key and names it as the next seal's. The
    first seal of all makes the first key. ``now`` is the time the seal tells, the clock's if ``None``.

    Raises ``Busy`` while somebody else is sealing, ``KeyMissing``, ``SealMissing``, ``WitnessUnreadable``, ``BookBroken``,
    ``LabelTaken`` or ``LabelUnusable``.
    """
    if kind == SealKind.REQUEST and not _is_usable(label):
        raise LabelUnusable
    made = _labelled(kind, label)
    if made is not None:
        return made
    try:
        with transaction.atomic(durable=True):
            lock_seals(settings.LOCK_TIMEOUT_MS)
            seal = _labelled(kind, label) or _next_seal(kind, label, now)
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            raise Busy("seal-busy", _("Somebody else is sealing the ledger. Try again in a minute.")) from error
        raise
    _keep(seal)
    return seal


def key_rotate(*, now: datetime | None = None) -> Seal:
    """Make a new key and a seal, signed with the old one, that hands over to it. Raises as ``seal_make``."""
    return seal_make(kind=SealKind.ROTATION, now=now)


def seal_file(seal: Seal) -> dict[str, Any]:
    """A seal as an auditor keeps it: content, digest and signature, checked by ``ledger.verifier`` on any machine."""
    return {"content": seal.content(), "digest": bytes(seal.digest).hex(), "signature": bytes(seal.signature).hex()}


def sealed_by(stored: Transaction) -> SealLine | None:
    """The line of the seal that covers a transaction; ``None`` while none does."""
    return (
        SealLine.objects.filter(book=stored.book_id, first__lte=stored.sequence, last__gte=stored.sequence)
        .select_related("seal")
        .first()
    )


def witness_path() -> Path:
    """Where the last seal is kept outside the database."""
    return Path(settings.LEDGER_KEYS) / "last-seal.json"


def _is_usable(label: str) -> bool:
    return len(label) <= MAX_LABEL and label.isprintable() and not _NAMED_BY_TIME.search(label)


def _labelled(kind: SealKind, label: str) -> Seal | None:
    seal = Seal.objects.filter(label=label).first() if label else None
    if seal is not None and seal.kind != kind:
        raise LabelTaken(seal)
    return seal


def _next_seal(kind: SealKind, label: str, now: datetime | None) -> Seal:
    last = Seal.objects.order_by("-number").first()
    _check_witness()
    key = key_make() if last is None else key_of(bytes(last.next_public_key))
    lines, entries = _unsealed_lines()
    if last is not None and not lines and kind in _ONLY_WHEN_MOVED:
        return last
    public_key = public_bytes(key)
    seal = Seal(
        number=last.number + 1 if last else 1,
        kind=SealKind(kind).value,
        label=label,
        made_at=now or timezone.now(),
        lines=len(lines),
        root=merkle_root(line_leaf(line.content()) for line in lines),
        books=(last.books if last else 0) + sum(line.first == 1 for line in lines),
        transactions=(last.transactions if last else 0) + sum(line.last - line.first + 1 for line in lines),
        entries=(last.entries if last else 0) + entries,
        previous=bytes(last.digest) if last else bytes.fromhex(NO_DIGEST),
        public_key=public_key,
        next_public_key=public_bytes(key_make()) if kind == SealKind.ROTATION else public_key,
    )
    seal.digest = seal_digest(seal.content())
    seal.signature = key.sign(seal.digest)
    seal.save(force_insert=True)
    for line in lines:
        line.seal = seal
    SealLine.objects.bulk_create(lines, batch_size=_LINES_AT_ONCE)
    if kind == SealKind.GAMING_DAY:
        bring_forward(seal)
    return seal


class _Stretch(NamedTuple):
    """Consecutive transactions of a book that are not sealed yet: a row of ``_UNSEALED``."""

    book: UUID
    sealed: int
    first: int
    last: int
    entries: int
    digests: bytes
    sealed_digest: bytes | None


def _unsealed_lines() -> tuple[list[SealLine], int]:
    """A line, still without its seal, for every book that has moved, and how many entries they cover."""
    lines, entries = [], 0
    with connection.chunked_cursor() as cursor:
        cursor.execute(_UNSEALED)
        for book, rows in groupby(map(_Stretch._make, cursor), key=attrgetter("book")):
            line, covered = _line(book, rows)
            lines.append(line)
            entries += covered
    return lines, entries


def _line(book: UUID, stretches: Iterator[_Stretch]) -> tuple[SealLine, int]:
    tree, entries, line = MerkleTree(), 0, SealLine(book_id=book)
    for stretch in stretches:
        if tree.size == 0:
            line.first = stretch.sealed + 1
            line.previous_digest = _digest_before(stretch)
        for start in range(0, len(stretch.digests), _DIGEST_BYTES):
            tree.add(stretch.digests[start : start + _DIGEST_BYTES])
        entries += stretch.entries
        line.last, line.digest = stretch.last, stretch.digests[-_DIGEST_BYTES:]
    line.root = tree.root()
    return line, entries


def _digest_before(stretch: _Stretch) -> bytes:
    if stretch.first != stretch.sealed + 1:
        raise BookBroken(stretch.book, stretch.sealed + 1)
    if stretch.sealed == 0:
        return first_digest(stretch.book)
    if stretch.sealed_digest is None:
        raise BookBroken(stretch.book, stretch.sealed)
    return stretch.sealed_digest


def _check_witness() -> None:
    """The seal kept outside is one of the ledger's, or nothing may follow: a new one would cover up what is missing."""
    kept = _kept()
    if kept is not None and not Seal.objects.filter(number=kept.number, digest=kept.digest).exists():
        raise SealMissing(kept.number, witness_path())


def _keep(seal: Seal) -> None:
    """Write the seal beside the keys unless a later one is there: two may come here in either order."""
    folder = os.open(keys_folder(), os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        kept = _kept()
        if kept is None or kept.number < seal.number:
            write_durably(witness_path(), canonical(seal_file(seal)).decode() + "\n")
    finally:
        os.close(folder)


class _Kept(NamedTuple):
    """Of the seal in the witness file, what tells it from others."""

    number: int
    digest: bytes


def _kept() -> _Kept | None:
    path = witness_path()
    try:
        seal = json.loads(path.read_bytes())
        return _Kept(int(seal["content"]["number"]), bytes.fromhex(seal["digest"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WitnessUnreadable(path, error) from error
