"""`manage.py ledger_prove`: show that one transaction is under a seal, without showing the others."""

from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from casino.errors import Refusal
from ledger.models import SealKind
from ledger.proofs import transaction_prove
from ledger.seals import seal_make
from ledger.verifier import canonical


class Command(BaseCommand):
    """Writes the proof for ``ledger/verifier.py``, to ``--out`` or to standard output."""

    help = "Write a proof that a transaction is under a seal. ledger/verifier.py checks it on any machine."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("transaction", type=UUID, help="the transaction's id")
        parser.add_argument("--out", type=Path, metavar="FILE", help="where to write it")
        parser.add_argument(
            "--seal-now", action="store_true", help="seal first, for a transaction that no seal covers yet"
        )

    def handle(self, *args: Any, out: Path | None, seal_now: bool, **options: Any) -> None:
        try:
            if seal_now:
                seal_make(kind=SealKind.REQUEST)
            with transaction.atomic():
                proof = canonical(transaction_prove(transaction_id=options["transaction"]))
        except Refusal as refusal:
            raise CommandError(refusal.message) from refusal
        if out is None:
            self.stdout.write(proof.decode())
            return
        try:
            out.write_bytes(proof + b"\n")
        except OSError as error:
            raise CommandError(f"{out} could not be written: {error.strerror}.") from error
