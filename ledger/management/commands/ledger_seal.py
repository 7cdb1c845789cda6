"""`manage.py ledger_seal`: seal the ledger up to now."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.errors import Refusal
from ledger.models import SealKind
from ledger.seals import key_rotate, seal_file, seal_make, witness_path
from ledger.verifier import canonical


class Command(BaseCommand):
    """Prints what the seal says, for an auditor to write down. With nothing new, that of the last seal."""

    help = "Seal everything committed so far, signed, and print the seal. An auditor keeps it outside this machine."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--label", default="", help="a name for the seal; used once")
        parser.add_argument(
            "--out", type=Path, metavar="FILE", help="also write the seal there, for an auditor to keep"
        )
        parser.add_argument("--rotate-key", action="store_true", help="hand over to a new key with this seal")

    def handle(self, *args: Any, label: str, out: Path | None, rotate_key: bool, **options: Any) -> None:
        if rotate_key and label:
            raise CommandError("A seal that changes the key has no label: use --label or --rotate-key.")
        try:
            seal = key_rotate() if rotate_key else seal_make(kind=SealKind.REQUEST, label=label)
        except Refusal as refusal:
            raise CommandError(refusal.message) from refusal
        content = seal.content()
        self.stdout.write(f"seal        {content['number']} ({content['kind']}) {content['label']}".rstrip())
        self.stdout.write(f"made at     {content['made_at']}")
        self.stdout.write(f"root        {content['root']}")
        self.stdout.write(f"digest      {bytes(seal.digest).hex()}")
        self.stdout.write(f"public key  {content['public_key']}")
        if rotate_key:
            self.stdout.write(f"next key    {content['next_public_key']}")
        self.stdout.write(
            f"sealed      {content['books']} books, {content['transactions']} transactions, {content['entries']} entries"
        )
        self.stdout.write(f"kept in     {witness_path()}")
        if out is not None:
            try:
                out.write_bytes(canonical(seal_file(seal)) + b"\n")
            except OSError as error:
                raise CommandError(f"The seal is made, and {out} could not be written: {error.strerror}.") from error
            self.stdout.write(f"written to  {out}")
