"""`manage.py backup_check`: restore a dump where it disturbs nobody, and verify the ledger there."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino import backups, environment
from casino.embedded import EmbeddedServerError, Postgres
from ledger.verifier import Status


class Command(BaseCommand):
    """Without ``--into`` the dump goes to an embedded PostgreSQL of its own, which is removed afterwards."""

    help = (
        "Restore a dump and run `ledger_verify` and `ledger_check` on what came back. Touches no database in use. "
        "Exit status as of `ledger_verify`; 1 also where `ledger_check` has findings, 2 where the dump cannot be restored."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "dump",
            type=Path,
            help="what `backup` wrote, with .sha256 and .seal.json beside it; of a folder, the newest",
        )
        parser.add_argument(
            "--seal", type=Path, action="append", default=[], help="a seal that was kept elsewhere; repeatable"
        )
        parser.add_argument("--into", metavar="URL", help="an empty database to restore into, as its owner; it stays")
        parser.add_argument(
            "--scratch",
            type=Path,
            default=Path(tempfile.gettempdir()),
            help="where there is room for the restored data",
        )

    def handle(self, *args: Any, dump: Path, seal: list[Path], into: str | None, scratch: Path, **options: Any) -> None:
        if dump.is_dir():
            dump = _newest(dump)
        beside = dump.with_suffix(".seal.json")
        seals = [*seal, *([beside] if beside.exists() else [])]
        if not seals:
            raise _unusable(f"Nothing to hold {dump} against: give a seal kept elsewhere by --seal.")
        try:
            _check_digest(dump)
            with _database(into, scratch) as url, tempfile.TemporaryDirectory() as no_keys:
                backups.restore(environment.postgres("--into", url), dump)
                self.stdout.write(f"{dump} is restored.")
                # The last seal that this machine keeps may be later than the dump.
                env = os.environ | {"DATABASE_URL": url, "DATABASE_OWNER_URL": url, "BACKLINE_KEYS": no_keys}
                held_against = [word for path in seals for word in ("--seal", str(path.resolve()))]
                status = self._manage(["ledger_verify", *held_against], env) or self._manage(["ledger_check"], env)
        except OSError as error:
            raise _unusable(f"{error.filename}: {error.strerror}.") from error
        except (backups.BackupError, EmbeddedServerError) as error:
            raise _unusable(f"{dump} cannot be restored. {error}") from error
        if status:
            raise CommandError(f"{dump} was restored, and its ledger does not hold.", returncode=status)
        self.stdout.write("The restored ledger holds.")

    def _manage(self, command: Sequence[str], env: dict[str, str]) -> int:
        """Run a command on the restored database, and say what it says."""
        done = backups.manage(command, env)
        self.stdout.write(done.stdout, ending="")
        self.stderr.write(done.stderr, ending="")
        return done.returncode


def _newest(folder: Path) -> Path:
    """The dump that was finished last: the digest is written last, and the names are in the order of time."""
    finished = sorted(folder.glob("backline-*.sha256"))
    if not finished:
        raise _unusable(f"There is no finished dump in {folder}.")
    return finished[-1].with_suffix(".dump")


def _check_digest(dump: Path) -> None:
    """That the file is the one that was written. Raises ``BackupError``, and ``OSError`` where one of the two is missing."""
    written = dump.with_suffix(".sha256").read_text("utf-8").split()[0]
    if written != backups.sha256(dump):
        raise backups.BackupError(f"It is not the file that was written: its SHA-256 is another than {written}.")


@contextmanager
def _database(into: str | None, scratch: Path) -> Iterator[str]:
    """Where to restore: what was given, or the database of a server that lives until the end of this."""
    if into is not None:
        yield into
        return
    folder = Path(tempfile.mkdtemp(prefix="backline-restore-", dir=scratch))
    folder.chmod(0o755)  # PostgreSQL runs as another user where we are root
    server = Postgres(folder, fast=True)
    try:
        server.start()
        yield server.url("owner")
    finally:
        server.stop()
        if server.home.exists():
            shutil.rmtree(server.home)
        shutil.rmtree(folder)


def _unusable(words: str) -> CommandError:
    return CommandError(words, returncode=Status.UNREADABLE)
