"""``ledger_export``: a day, a table or everything, checked by the verifier alone on a machine that has nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.core.management import CommandError, call_command

from ledger import verifier
from ledger.models import Seal, Transaction
from ledger.verifier import Fault, Status, check_file, read_seal
from tests.tables.sealed_night import DAY, SealedNight, rows_kept

VERIFIER = Path(verifier.__file__)


@pytest.fixture(autouse=True)
def _keys(sealed_night: SealedNight, monkeypatch: pytest.MonkeyPatch, keys: Path) -> None:
    """The house has its keys here."""
    monkeypatch.setattr(settings, "LEDGER_KEYS", sealed_night.keys)


def export(path: Path, **options: Any) -> list[dict[str, Any]]:
    """Export to a file and read its records."""
    call_command("ledger_export", out=path, stdout=StringIO(), **options)
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def books_of(records: list[dict[str, Any]]) -> set[str]:
    """The books whose transactions are in a bundle."""
    return {record["transaction"]["book"] for record in records if "transaction" in record}


def alone(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the verifier's one file, copied away, in a Python that sees nothing of this project."""
    copied = shutil.copy(VERIFIER, folder / "verifier.py")
    command = [sys.executable, "-I", str(copied), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env={}, check=False)


def test_everything(sealed_night: SealedNight, tmp_path: Path) -> None:
    records = export(tmp_path / "all.jsonl")
    assert len(books_of(records)) == 2
    assert sum("transaction" in record for record in records) == Transaction.objects.count()
    assert sum("document" in record for record in records) == Transaction.objects.filter(kind="note").count()
    report = check_file(tmp_path / "all.jsonl", [read_seal(sealed_night.kept)])
    assert report.startswith(
        f"All holds. The bundle has all that was sealed: 3 lines of seals, {Transaction.objects.count()} transactions"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["all.jsonl"]


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="The bundle could not be written"):
        export(tmp_path / "none" / "all.jsonl")


def test_to_standard_output(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    export(tmp_path / "all.jsonl")
    call_command("ledger_export")
    sys.stdout.flush()
    (tmp_path / "printed.jsonl").write_bytes(capfdbinary.readouterr().out)
    assert check_file(tmp_path / "printed.jsonl") == check_file(tmp_path / "all.jsonl")


def test_a_table_is_all_books_of_its_sessions_and_shows_that_none_is_left_out(
    sealed_night: SealedNight, tmp_path: Path
) -> None:
    assert books_of(export(tmp_path / "8.jsonl", table=8, room="one")) == {str(sealed_night.names["pai_gow_book"])}
    records = export(tmp_path / "table.jsonl", table=7, room="one")
    assert books_of(records) == {str(sealed_night.names["book"])}
    assert sum("line" in record for record in records) == 3
    assert "all that was sealed of 1 books: 3 lines" in check_file(
        tmp_path / "table.jsonl", [read_seal(sealed_night.kept)]
    )


def test_a_day_is_what_its_seal_closed(sealed_night: SealedNight, tmp_path: Path) -> None:
    seals = Seal.objects.count()
    records = export(tmp_path / "day.jsonl", day=date.fromisoformat(DAY), room="one")
    assert {record["seal"] for record in records if "line" in record} == {1, 2}
    assert max(r["transaction"]["sequence"] for r in records if "transaction" in r) < sealed_night.names["last"]
    report = check_file(tmp_path / "day.jsonl", [read_seal(sealed_night.kept)])
    assert f"the gaming day one {DAY}, seals 1 to 2: 2 lines" in report
    assert Seal.objects.count() == seals


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"day": date(2026, 11, 30), "room": "one"}, "one 2026-11-30 has no seal"),
        ({"day": date(2026, 11, 29)}, "several rooms; say which with --room: one, two"),
        ({"table": 9, "room": "one"}, "Room One has no table 9"),
        ({"room": "one"}, "A room goes with a day or a table"),
        ({"table": 7, "room": "three"}, "no such room"),
    ],
)
def test_what_cannot_be_exported_is_said(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        export(tmp_path / "none.jsonl", **options)
    assert not list(tmp_path.iterdir())


class TestOnAnotherMachine:
    """The verifier's file alone, in a bare Python."""

    def test_a_good_bundle(self, sealed_night: SealedNight, tmp_path: Path) -> None:
        export(tmp_path / "all.jsonl")
        ended = alone(tmp_path, "all.jsonl", "--seal", sealed_night.kept)
        assert (ended.returncode, ended.stderr) == (0, "")
        assert "all that was sealed: 3 lines of seals" in ended.stdout

    def test_an_altered_one_is_explained(self, sealed_night: SealedNight, tmp_path: Path) -> None:
        records = export(tmp_path / "all.jsonl")
        (payment,) = [
            record["transaction"]
            for record in records
            if record.get("transaction", {}).get("id") == str(sealed_night.names["payment"])
        ]
        payment["entries"][1]["amount_cents"] = 13_000
        (tmp_path / "all.jsonl").write_bytes(b"".join(verifier.canonical(record) + b"\n" for record in records))
        ended = alone(tmp_path, "all.jsonl")
        assert ended.returncode == 1
        book = sealed_night.names["book_name"]
        assert f"Transaction {payment['sequence']} of book {book} (payment, {payment['reference']}" in ended.stdout
        assert "line 2 moves $130.00, but the digest written with it is for other content" in ended.stdout

    def test_a_seal_and_a_proof(self, sealed_night: SealedNight, tmp_path: Path) -> None:
        proof = tmp_path / "proof.json"
        call_command("ledger_prove", str(sealed_night.names["note"]), out=proof)
        assert alone(tmp_path, proof).stdout.count("is under this seal") == 1
        key = read_seal(sealed_night.kept)["content"]["public_key"]
        good = alone(tmp_path, sealed_night.kept, "--key", key)
        assert (good.returncode, "Seal 2 (gaming-day one" in good.stdout) == (0, True)
        other = Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex()
        for file in (sealed_night.kept, proof):
            wrong = alone(tmp_path, file, "--key", other)
            assert (wrong.returncode, f"and not by {other}" in wrong.stdout) == (1, True)

    @pytest.mark.parametrize("content", [b"", b"{", b"[]", b"7", b'{"a": 1}', b"\xff\xfe", b"[" * 100_000])
    def test_a_file_that_is_none_of_these(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "file").write_bytes(content)
        with pytest.raises(Fault, match="no bundle, no proof and no seal") as refused:
            check_file(tmp_path / "file")
        assert refused.value.status == Status.UNREADABLE

    def test_wrong_usage(self, tmp_path: Path, sealed_night: SealedNight) -> None:
        assert alone(tmp_path).returncode == 2
        assert alone(tmp_path, "none.jsonl").returncode == 2
        assert alone(tmp_path, sealed_night.kept, "--seal", VERIFIER).returncode == 2


def test_a_bundle_of_an_emptied_ledger(
    sealed_night: SealedNight, superuser: psycopg.Connection, tmp_path: Path
) -> None:
    with rows_kept(superuser):
        superuser.execute("DELETE FROM ledger_transaction")
        export(tmp_path / "all.jsonl")
    with pytest.raises(Fault, match="there is no transaction at all") as found:
        check_file(tmp_path / "all.jsonl")
    assert found.value.status == Status.EMPTIED
