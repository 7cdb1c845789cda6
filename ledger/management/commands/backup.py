"""`manage.py backup`: a dump of the database, and the newest seal to hold it against."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from casino import backups
from ledger.keys import write_durably
from ledger.seals import seal_file
from ledger.selectors import newest_seals
from ledger.verifier import canonical


class Command(BaseCommand):
    """Writes ``backline-<instant>.dump``, ``.seal.json`` and, last, ``.sha256``: a dump without that one is not whole."""

    help = "Dump the database into a folder, with its SHA-256 and the newest seal. The keys of the seals are not in it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="where the dump goes")

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        dump = folder / f"backline-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.dump"
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            # Before the dump: what is dumped has this seal in it.
            seal = newest_seals(1).first()
            if seal is not None:
                write_durably(dump.with_suffix(".seal.json"), canonical(seal_file(seal)).decode() + "\n")
            dump.touch(mode=0o600, exist_ok=False)
            backups.dump(connections["owner"].settings_dict, dump)
            write_durably(dump.with_suffix(".sha256"), f"{backups.sha256(dump)}  {dump.name}\n")
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}. There is no back-up of this hour.") from error
        except backups.BackupError as error:
            raise CommandError(f"There is no back-up of this hour. {error}") from error
        under = f"seal {seal.number} of {seal.made_at:%Y-%m-%d %H:%M} UTC" if seal else "no seal yet"
        self.stdout.write(f"{dump}: {dump.stat().st_size:,} bytes, {under}")
