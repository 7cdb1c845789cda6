"""What a seal says, that it is true, and that nobody can make it say something else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from psycopg import sql
from psycopg.errors import (
    CheckViolation,
    FeatureNotSupported,
    InsufficientPrivilege,
    RaiseException,
    UniqueViolation,
)

from ledger.models import Seal, SealKind, SealLine, Transaction
from ledger.seals import BookBroken, LabelTaken, LabelUnusable, seal_file, seal_make, sealed_by
from ledger.services import book_open, note
from tests.ledger.house import NOON, House, make_house, pay, post_now
from tests.ledger.raw import insert

EMPTY = sha256(b"").hexdigest()


@pytest.fixture
def house(db: None) -> House:
    """The house, in the test's own transaction: what is told apart here does not wait for a commit."""
    return make_house()


@pytest.fixture
def raw(db: None) -> psycopg.Connection:
    """The test's own connection, for plain SQL with the application's role."""
    connection.ensure_connection()
    own: psycopg.Connection = connection.connection
    return own


def seal(kind: SealKind = SealKind.REQUEST, label: str = "") -> Seal:
    """Seal now, and read it back as it is stored."""
    return Seal.objects.get(pk=seal_make(kind=kind, label=label).pk)


def merkle(leaves: list[bytes]) -> bytes:
    """RFC 6962, 2.1, word by word."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return sha256(b"\x01" + merkle(leaves[:split]) + merkle(leaves[split:])).digest()


def canonical(content: dict[str, Any]) -> bytes:
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


class TestWhatItSays:
    def test_each_root_is_the_merkle_root_of_what_the_line_covers(self, house: House, raw: psycopg.Connection) -> None:
        many = book_open(name="Many", opened_at=NOON)
        post_now(many, *[note(f"n{number}", str(number)) for number in range(1203)])
        book_open(name="Never used", opened_at=NOON)
        first = seal()
        post_now(
            house.book, pay(house.lin, house.park, 1), pay(house.lin, house.park, 2), pay(house.lin, house.park, 3)
        )
        second = seal()
        for made in (first, second):
            leaves = []
            for line in made.ranges.order_by("book_id"):
                digests = raw.execute(
                    "SELECT digest FROM ledger_transaction WHERE book_id = %s AND sequence BETWEEN %s AND %s "
                    "ORDER BY sequence",
                    [line.book_id, line.first, line.last],
                ).fetchall()
                assert bytes(line.root) == merkle([digest for (digest,) in digests])
                assert bytes(line.digest) == digests[-1][0]
                leaves.append(canonical(line.content()))
            assert bytes(made.root) == merkle(leaves)
        assert {(line.book_id, line.first, line.last) for line in first.ranges.all()} == {
            (house.book.pk, 1, 2),
            (many.pk, 1, 1203),
        }
        assert [(line.book_id, line.first, line.last) for line in second.ranges.all()] == [(house.book.pk, 3, 5)]

    def test_a_line_begins_with_the_digest_that_the_last_one_ended_with(self, house: House) -> None:
        seal()
        post_now(house.book, pay(house.lin, house.park, 1))
        seal()
        one, other = SealLine.objects.filter(book=house.book).order_by("first")
        assert bytes(one.previous_digest) == sha256(house.book.pk.bytes).digest()
        assert bytes(other.previous_digest) == bytes(one.digest)

    def test_it_counts_everything_sealed_so_far(self, house: House) -> None:
        first = seal()
        post_now(book_open(name="Cage", opened_at=NOON), pay(house.lin, house.park, 1), note("x", "x"))
        second = seal()
        assert (first.books, first.transactions, first.entries, first.lines) == (1, 2, 4, 1)
        assert (second.books, second.transactions, second.entries, second.lines) == (2, 4, 6, 1)

    def test_its_digest_covers_its_content_and_its_key_has_signed_it(self, house: House) -> None:
        file = seal_file(seal(label="Año nuevo"))
        content, digest = file["content"], bytes.fromhex(file["digest"])
        assert digest == sha256(canonical(content)).digest()
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(content["public_key"])).verify(
            bytes.fromhex(file["signature"]), digest
        )
        assert set(content) == {
            *("number", "kind", "label", "made_at", "lines", "root", "books", "transactions", "entries"),
            *("previous", "public_key", "next_public_key"),
        }

    def test_each_names_the_one_before(self, house: House) -> None:
        first = seal()
        second = seal(SealKind.GAMING_DAY, "one 2026-11-29")
        assert [first.number, second.number] == [1, 2]
        assert bytes(first.previous) == bytes(32)
        assert bytes(second.previous) == bytes(first.digest)

    def test_an_empty_ledger_can_be_sealed(self, db: None) -> None:
        made = seal()
        assert (made.number, made.lines, bytes(made.root).hex()) == (1, 0, EMPTY)

    def test_a_transaction_is_told_the_line_that_covers_it(self, house: House) -> None:
        made = seal()
        late = post_now(house.book, pay(house.lin, house.park, 1))[0]
        line = sealed_by(Transaction.objects.get(book=house.book, sequence=2))
        assert line is not None and line.seal == made
        assert sealed_by(late) is None


class TestWhenOneIsMade:
    @pytest.mark.parametrize("kind", [SealKind.HOUR, SealKind.REQUEST])
    def test_with_nothing_new_the_last_one_is_the_answer(self, house: House, kind: SealKind) -> None:
        assert seal(kind, "a name") == seal(kind, "another name")
        post_now(house.book, pay(house.lin, house.park, 1))
        assert seal(kind, "a third name").number == 2

    @pytest.mark.parametrize("kind", [SealKind.GAMING_DAY, SealKind.ROTATION])
    def test_a_gaming_day_and_a_new_key_are_sealed_with_nothing_new(self, house: House, kind: SealKind) -> None:
        seal()
        made = seal(kind, "one 2026-11-29")
        assert (made.number, made.lines, bytes(made.root).hex(), made.transactions) == (2, 0, EMPTY, 2)

    def test_a_label_is_used_once(self, house: House) -> None:
        made = seal(SealKind.GAMING_DAY, "one 2026-11-29")
        post_now(house.book, pay(house.lin, house.park, 1))
        assert seal(SealKind.GAMING_DAY, "one 2026-11-29") == made
        assert Seal.objects.count() == 1

    def test_a_label_of_another_kind_of_seal_is_refused(self, house: House) -> None:
        seal(SealKind.GAMING_DAY, "one 2026-11-29")
        with pytest.raises(LabelTaken, match="Seal 1, end of a gaming day, has the label one 2026-11-29"):
            seal(SealKind.HOUR, "one 2026-11-29")

    @pytest.mark.parametrize("label", ["one 2026-11-29", "hour 2026-11-29T05", "x" * 101, "two\nlines", "nul\0"])
    def test_a_label_that_the_timetable_needs_or_nobody_can_read_is_refused(self, house: House, label: str) -> None:
        with pytest.raises(LabelUnusable, match="Nothing was sealed"):
            seal(SealKind.REQUEST, label)
        assert not Seal.objects.exists()
        assert seal(SealKind.REQUEST, "x" * 100).label == "x" * 100

    def test_it_tells_the_time_it_is_given(self, house: House) -> None:
        later = NOON + timedelta(hours=1)
        assert seal_make(kind=SealKind.HOUR, now=later).content()["made_at"] == "2026-11-29T21:00:00.123456Z"

    @pytest.mark.parametrize("gone", [2, 3])
    def test_a_book_with_a_hole_where_its_seal_ends_is_named(
        self, committed_house: House, superuser: psycopg.Connection, gone: int
    ) -> None:
        seal()
        book, payment = committed_house.book, pay(committed_house.lin, committed_house.park, 1)
        post_now(book, payment, payment)
        superuser.execute("DELETE FROM ledger_transaction WHERE sequence = %s", [gone])
        with pytest.raises(BookBroken, match=f"{book.pk} has no transaction {gone}"):
            seal()
        assert Seal.objects.count() == 1


class TestTheCommand:
    def run(self, *words: str) -> str:
        out = StringIO()
        call_command("ledger_seal", *words, stdout=out)
        return out.getvalue()

    def test_it_prints_the_seal_and_writes_it_for_the_auditor(self, house: House, keys: Path, tmp_path: Path) -> None:
        text = self.run("--label", "audit of May", "--out", str(tmp_path / "seal.json"))
        made = Seal.objects.get()
        for part in (
            "1 (request) audit of May",
            bytes(made.root).hex(),
            bytes(made.digest).hex(),
            "1 books, 2 transactions, 4 entries",
            str(keys / "last-seal.json"),
        ):
            assert part in text
        written = (tmp_path / "seal.json").read_bytes()
        assert json.loads(written) == seal_file(made)
        assert written == (keys / "last-seal.json").read_bytes()

    def test_it_hands_over_to_a_new_key(self, house: House) -> None:
        text = self.run("--rotate-key")
        made = Seal.objects.get()
        assert made.kind == SealKind.ROTATION
        assert f"next key    {bytes(made.next_public_key).hex()}" in text

    def test_it_says_what_is_wrong(self, house: House, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match=r"The seal is made, and .* could not be written: Is a directory"):
            self.run("--out", str(tmp_path))
        with pytest.raises(CommandError, match="use --label or --rotate-key"):
            self.run("--rotate-key", "--label", "x")
        seal(SealKind.GAMING_DAY, "one 2026-11-29")
        with pytest.raises(CommandError, match="ends in no date"):
            self.run("--label", "one 2026-11-29")


class TestHistoryStays:
    def test_nobody_changes_or_removes_a_seal(
        self, committed_house: House, app: psycopg.Connection, owner: psycopg.Connection
    ) -> None:
        made = seal()
        for table, statement in product(
            ("ledger_seal", "ledger_sealline"),
            ("UPDATE {} SET root = root", "DELETE FROM {}", "TRUNCATE {}", "TRUNCATE {} CASCADE"),
        ):
            query = sql.SQL(statement).format(sql.Identifier(table))
            with pytest.raises(InsufficientPrivilege), app.transaction():
                app.execute(query)
            with pytest.raises((RaiseException, FeatureNotSupported)), owner.transaction():
                owner.execute(query)
        app.rollback()
        owner.rollback()
        assert Seal.objects.get() == made and SealLine.objects.count() == 1


class TestForgedSeals:
    """The next seal, written by SQL with the application's role: right but for what a test changes."""

    @pytest.fixture
    def following(self, house: House) -> dict[str, Any]:
        last = seal()
        return {
            "number": 2,
            "kind": "request",
            "label": "",
            "made_at": NOON,
            "lines": 0,
            "root": bytes(32),
            "books": 1,
            "transactions": 2,
            "entries": 4,
            "previous": bytes(last.digest),
            "public_key": bytes(last.public_key),
            "next_public_key": bytes(last.public_key),
            "digest": bytes(32),
            "signature": bytes(64),
        }

    def test_what_follows_the_last_one_can_be_written(self, raw: psycopg.Connection, following: dict[str, Any]) -> None:
        insert(raw, "ledger_seal", following)
        raw.execute("SET CONSTRAINTS ALL IMMEDIATE")
        assert Seal.objects.count() == 2

    @pytest.mark.parametrize(
        ("forgery", "words"),
        [
            ({"number": 1}, "does not follow seal 1"),
            ({"number": 3}, "does not follow seal 1"),
            ({"previous": bytes(32)}, "does not chain"),
            ({"public_key": b"x" * 32, "next_public_key": b"x" * 32}, "not made with the key"),
            ({"next_public_key": b"x" * 32}, "ledger_seal_key_changes_by_rotation"),
            ({"kind": "whim"}, "ledger_seal_kind"),
            ({"kind": "gaming-day"}, "ledger_seal_gaming_day_is_named"),
            ({"entries": -1}, "ledger_seal_counts"),
            ({"root": bytes(31)}, "ledger_seal_lengths"),
            ({"digest": bytes(33)}, "ledger_seal_lengths"),
            ({"signature": bytes(63)}, "ledger_seal_lengths"),
        ],
    )
    def test_a_forged_one_is_refused(
        self, raw: psycopg.Connection, following: dict[str, Any], forgery: dict[str, Any], words: str
    ) -> None:
        with pytest.raises(CheckViolation, match=words), transaction.atomic():
            insert(raw, "ledger_seal", following | forgery)

    def test_a_label_is_not_used_again(self, raw: psycopg.Connection, following: dict[str, Any]) -> None:
        insert(raw, "ledger_seal", following | {"label": "May"})
        following |= {"number": 3, "previous": bytes(32), "label": "May"}
        with pytest.raises(UniqueViolation, match="ledger_seal_label"), transaction.atomic():
            insert(raw, "ledger_seal", following)

    def test_one_with_fewer_lines_than_it_says_fails_at_commit(
        self, raw: psycopg.Connection, following: dict[str, Any]
    ) -> None:
        with pytest.raises(CheckViolation, match="says 1 lines and has 0"), transaction.atomic():
            insert(raw, "ledger_seal", following | {"lines": 1})
            raw.execute("SET CONSTRAINTS ALL IMMEDIATE")


class TestForgedLines:
    """Transactions 3 and 4 of the book are not sealed; seal 2 is being written and has place for one line."""

    @pytest.fixture
    def line(self, house: House, raw: psycopg.Connection) -> Iterator[dict[str, Any]]:
        last = seal()
        before, head = post_now(house.book, pay(house.lin, house.park, 1), pay(house.lin, house.park, 2))
        with transaction.atomic():
            written = raw.execute(
                "INSERT INTO ledger_seal (number, kind, label, made_at, lines, root, books, transactions, entries, "
                "previous, public_key, next_public_key, digest, signature) SELECT 2, kind, '', made_at, 1, root, books, "
                "transactions + 1, entries + 2, digest, public_key, public_key, digest, signature FROM ledger_seal "
                "WHERE id = %s RETURNING id",
                [last.pk],
            ).fetchone()
            assert written is not None
            yield {
                "seal_id": written[0],
                "book_id": house.book.pk,
                "first": 3,
                "last": 4,
                "previous_digest": bytes(before.previous_digest),
                "digest": bytes(head.digest),
                "root": bytes(32),
            }
            transaction.set_rollback(True)

    def test_what_follows_the_last_one_can_be_written(self, raw: psycopg.Connection, line: dict[str, Any]) -> None:
        insert(raw, "ledger_sealline", line)
        raw.execute("SET CONSTRAINTS ALL IMMEDIATE")
        assert SealLine.objects.count() == 2

    @pytest.mark.parametrize(
        ("forgery", "words"),
        [
            ({"first": 1}, "do not follow 2"),
            ({"first": 2}, "do not follow 2"),
            ({"first": 4}, "do not follow 2"),
            ({"last": 2}, "do not follow 2"),
            ({"last": 3}, "has other digests"),
            ({"last": 5}, "has other digests"),
            ({"digest": bytes(32)}, "has other digests"),
            ({"previous_digest": bytes(32)}, "has other digests"),
            ({"root": bytes(31)}, "ledger_sealline_lengths"),
        ],
    )
    def test_a_forged_one_is_refused(
        self, raw: psycopg.Connection, line: dict[str, Any], forgery: dict[str, Any], words: str
    ) -> None:
        with pytest.raises(CheckViolation, match=words), transaction.atomic():
            insert(raw, "ledger_sealline", line | forgery)

    def test_none_is_added_to_a_seal_that_has_all_its_lines(
        self, house: House, raw: psycopg.Connection, line: dict[str, Any]
    ) -> None:
        cage = post_now(book_open(name="Cage", opened_at=NOON), pay(house.lin, house.park, 1))[0]
        line |= {"seal_id": Seal.objects.get(number=1).pk, "book_id": cage.book_id, "first": 1, "last": 1}
        line |= {"previous_digest": bytes(cage.previous_digest), "digest": bytes(cage.digest)}
        with pytest.raises(CheckViolation, match="seal 1 has all its lines already"), transaction.atomic():
            insert(raw, "ledger_sealline", line)


def test_even_with_triggers_off_no_book_is_sealed_twice_from_one_place(
    committed_house: House, superuser: psycopg.Connection
) -> None:
    seal()
    with pytest.raises(UniqueViolation, match="ledger_sealline_first"):
        superuser.execute(
            "INSERT INTO ledger_sealline (seal_id, book_id, first, last, previous_digest, digest, root) "
            "SELECT seal_id + 1, book_id, first, last, previous_digest, digest, root FROM ledger_sealline"
        )
