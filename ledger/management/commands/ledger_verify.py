"""`manage.py ledger_verify`: recompute seals, books and documents."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ledger.verification import UnknownSeal, verify_books
from ledger.verifier import Fault, Status, read_seal


class Command(BaseCommand):
    """Says every fault in words. Exit status as ``ledger.verifier.Status`` has it."""

    help = (
        "Recompute every digest, seal and document of the ledger and say what does not hold. Exit status: 0 all holds, "
        "1 a fault, 2 wrong usage, 3 the end of a book or of the seals is cut off, 4 the ledger is empty and must not be."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--seal", type=Path, action="append", default=[], help="a seal kept since it was made; repeatable"
        )
        parser.add_argument(
            "--since", type=int, default=0, help="read only the transactions that no seal up to this number covers"
        )

    def handle(self, *args: Any, seal: list[Path], since: int, **options: Any) -> None:
        try:
            found = verify_books(since=since, in_hand=[read_seal(path) for path in seal])
        except (Fault, UnknownSeal) as error:
            raise CommandError(str(error), returncode=Status.UNREADABLE) from error
        for fault in found.faults:
            self.stdout.write(str(fault))
        self.stdout.write(
            f"{found.seals} seals, {found.books} books, {found.transactions} transactions and {found.entries} entries read, "
            f"{found.documents} documents; {found.unsealed} transactions not sealed yet; {len(found.faults)} faults"
        )
        if found.faults:
            sys.exit(found.status)
