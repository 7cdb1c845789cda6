"""A night of play under three seals, played once for many tests that spoil it, each for itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql

from ledger.models import SealKind, Transaction
from ledger.seals import seal_file, seal_make
from ledger.verifier import canonical
from tables.models import Hand
from tables.services.hands import hand_start, hand_void
from tests.people import Cast, order
from tests.tables import play

DAY = "2026-11-29"


@dataclass(frozen=True)
class SealedNight:
    """Table 7: a settled hand and a void one under seal 1, table 8: a settled hand under seal 2, which closes the day and is
    the one that the auditor keeps; table 7 again under seal 3.
    """

    names: dict[str, Any]
    kept: Path
    keys: Path


def play_sealed_night(cast: Cast, folder: Path, keys: Path) -> SealedNight:
    """Play it and seal it. ``kept`` is the seal of the day, as a file; ``keys`` is where the house keeps its own."""
    session, _lin, _park, chinese = play.deal_chinese(cast)
    play.settle(cast, chinese, play.CHINESE_HANDS)
    _void(cast, session.pk)
    seal_make(kind=SealKind.REQUEST, label="in between")
    pai_gow_session, _lin, _park, pai_gow = play.deal_pai_gow(cast)
    play.settle(cast, pai_gow, play.PAI_GOW_HANDS)
    day = seal_make(kind=SealKind.GAMING_DAY, label=f"one {DAY}")
    _void(cast, session.pk)
    seal_make(kind=SealKind.HOUR)
    kept = folder / "day.json"
    kept.write_bytes(canonical(seal_file(day)))

    book = Transaction.objects.filter(book=session.book)
    payment = book.get(kind="payment")
    settled = book.get(kind="note", reference="hand.settle")
    stack = payment.entries.get(line=1).account_id
    reversal = book.filter(kind="reversal").earliest("sequence")
    record = Hand.objects.get(pk=chinese).records.get()
    return SealedNight(
        names={
            "book": session.book_id,
            "book_name": session.book.name,
            "pai_gow_book": pai_gow_session.book_id,
            "last": book.latest("sequence").sequence,
            "first": book.get(sequence=1).pk,
            "second": book.get(sequence=2).pk,
            "payment": payment.pk,
            "number": payment.sequence,
            "next_number": payment.sequence + 1,
            "before": book.get(sequence=payment.sequence - 1).pk,
            "after": book.get(sequence=payment.sequence + 1).pk,
            "note": settled.pk,
            "after_note": book.get(sequence=settled.sequence + 1).pk,
            "note_number": settled.sequence,
            "settled": settled.command,
            "entered": record.command_id,
            "record": record.pk,
            "reversal": reversal.pk,
            "stack": stack,
            "stack_first": book.filter(entries__account=stack).earliest("sequence").pk,
            "other_stack": payment.entries.get(line=2).account_id,
            "dan": cast.dan.pk,
        },
        kept=kept,
        keys=keys,
    )


def _void(cast: Cast, session_id: UUID) -> None:
    hand = hand_start(order(cast.dealer), session_id=session_id)
    hand_void(order(cast.floor), hand_id=UUID(hand["hand"]), reason="dealt from a wrong deck")


@contextmanager
def rows_kept(superuser: psycopg.Connection) -> Iterator[None]:
    """Put all rows back as they are now."""
    names = [name for (name,) in superuser.execute(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename ~ '^(ledger|tables)_'"
    ).fetchall()]  # fmt: skip
    columns = {name: _written_columns(superuser, name) for name in names}
    for name in names:
        kept, table = _kept(name)
        superuser.execute(sql.SQL("CREATE TEMPORARY TABLE {} AS SELECT {} FROM {}").format(kept, columns[name], table))
    try:
        yield
    finally:
        for name in names:
            kept, table = _kept(name)
            superuser.execute(sql.SQL("DELETE FROM {}").format(table))
            back = sql.SQL("INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE SELECT * FROM {}")
            superuser.execute(back.format(table, columns[name], kept))
            superuser.execute(sql.SQL("DROP TABLE {}").format(kept))


def _written_columns(superuser: psycopg.Connection, name: str) -> sql.Composed:
    """The columns of a table but for those that the database works out."""
    found = superuser.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped"
        " AND attgenerated = '' ORDER BY attnum",
        [f"public.{name}"],
    ).fetchall()
    return sql.SQL(", ").join(sql.Identifier(column) for (column,) in found)


def _kept(name: str) -> tuple[sql.Identifier, sql.Identifier]:
    return sql.Identifier(f"kept_{name}"), sql.Identifier("public", name)
