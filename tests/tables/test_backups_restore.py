"""What ``backup`` writes, ``backup_check`` restores and verifies; tampering is named, and what is no back-up is refused."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command
from psycopg import sql

from casino.backups import sha256
from ledger.verifier import Status
from tests.database import Server
from tests.tables.sealed_night import SealedNight, rows_kept


@pytest.fixture
def database_of_the_night(sealed_night: SealedNight, django_db_blocker: object) -> Iterator[None]:
    """The database of the night, which no fixture of pytest-django's may empty."""
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        yield


@pytest.fixture
def empty_database(server: Server) -> Iterator[str]:
    """An empty database of the tests' server, as its owner, to restore into."""
    server.ensure_database("test_restored")
    yield server.url("owner", "test_restored")
    with psycopg.connect(server.url("superuser", "postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier("test_restored")))


def back_up(folder: Path) -> Path:
    """What ``backup`` wrote, the dump."""
    said = io.StringIO()
    call_command("backup", folder, stdout=said)
    (dump,) = folder.glob("*.dump")
    assert said.getvalue().startswith(f"{dump}: ")
    return dump


def check(dump: Path, *options: object) -> tuple[int, str]:
    """Exit status of ``backup_check`` and all it said."""
    said = io.StringIO()
    try:
        call_command("backup_check", dump, *options, stdout=said, stderr=said)
    except CommandError as error:
        return error.returncode, f"{said.getvalue()}{error}"
    return 0, said.getvalue()


pytestmark = pytest.mark.usefixtures("database_of_the_night")


def test_a_back_up_is_private_and_says_what_it_is(sealed_night: SealedNight, tmp_path: Path) -> None:
    dump = back_up(tmp_path / "backups")
    written = sorted(path.name.removeprefix(dump.stem) for path in dump.parent.iterdir())
    assert written == [".dump", ".seal.json", ".sha256"]
    assert all(path.stat().st_mode & 0o077 == 0 for path in dump.parent.iterdir())
    assert dump.with_suffix(".sha256").read_text() == f"{sha256(dump)}  {dump.name}\n"
    assert json.loads(dump.with_suffix(".seal.json").read_bytes())["content"]["number"] == 3


@pytest.mark.slow  # it starts a PostgreSQL and two programs
def test_a_night_comes_back_whole_and_holds(sealed_night: SealedNight, tmp_path: Path) -> None:
    dump = back_up(tmp_path / "backups")
    status, said = check(dump, "--seal", sealed_night.kept, "--scratch", tmp_path)
    assert status == 0, said
    assert "3 seals, 2 books" in said
    assert "; 0 faults" in said
    assert "checks run, 0 findings" in said
    assert said.endswith("The restored ledger holds.\n")
    assert not list(tmp_path.glob("backline-restore-*")), "the server it was restored into is gone"


@pytest.mark.slow  # it starts two programs
def test_what_was_tampered_with_before_is_named(
    sealed_night: SealedNight, tmp_path: Path, superuser: psycopg.Connection, empty_database: str
) -> None:
    with rows_kept(superuser):
        superuser.execute("UPDATE ledger_transaction SET actor = '2002' WHERE id = %(payment)s", sealed_night.names)
        dump = back_up(tmp_path / "backups")
    status, said = check(dump, "--seal", sealed_night.kept, "--into", empty_database)
    assert status == Status.FAULT
    assert f"id {sealed_night.names['payment']}" in said
    assert said.endswith("its ledger does not hold.")


@pytest.mark.slow  # it starts a program
def test_a_back_up_that_lacks_the_end_is_held_against_a_seal_kept_elsewhere(
    sealed_night: SealedNight, tmp_path: Path, superuser: psycopg.Connection, empty_database: str
) -> None:
    later = tmp_path / "seal-3.json"
    later.write_bytes((sealed_night.keys / "last-seal.json").read_bytes())
    with rows_kept(superuser):
        superuser.execute("DELETE FROM ledger_sealline WHERE seal_id = (SELECT id FROM ledger_seal WHERE number = 3)")
        superuser.execute("DELETE FROM ledger_seal WHERE number = 3")
        dump = back_up(tmp_path / "backups")
    status, said = check(dump, "--seal", later, "--into", empty_database)
    assert status == Status.CUT_OFF, said


def test_another_file_than_was_written_is_not_restored(sealed_night: SealedNight, tmp_path: Path) -> None:
    dump = back_up(tmp_path / "backups")
    whole = dump.read_bytes()
    dump.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    dump.with_name("backline-29991231T000000Z.dump").touch()  # one that was not finished
    status, said = check(dump.parent)
    assert status == Status.UNREADABLE
    assert f"{dump} cannot be restored" in said
    assert "It is not the file that was written" in said


def test_a_file_that_is_no_dump_and_one_without_a_seal_are_refused_in_words(
    sealed_night: SealedNight, tmp_path: Path, empty_database: str
) -> None:
    dump = tmp_path / "night.dump"
    dump.write_text("nothing of the kind")
    assert check(tmp_path) == (Status.UNREADABLE, f"There is no finished dump in {tmp_path}.")
    assert check(dump) == (Status.UNREADABLE, f"Nothing to hold {dump} against: give a seal kept elsewhere by --seal.")
    status, said = check(dump, "--seal", sealed_night.kept)
    assert status == Status.UNREADABLE and "night.sha256: No such file" in said
    dump.with_suffix(".sha256").write_text(sha256(dump))
    status, said = check(dump, "--seal", sealed_night.kept, "--into", empty_database)
    assert status == Status.UNREADABLE and "pg_restore ended with status 1" in said


def test_where_there_is_no_room_nothing_passes_for_a_back_up(sealed_night: SealedNight, tmp_path: Path) -> None:
    (tmp_path / "backups").write_text("a file where the folder should be")
    with pytest.raises(CommandError, match="There is no back-up"):
        call_command("backup", tmp_path / "backups")
