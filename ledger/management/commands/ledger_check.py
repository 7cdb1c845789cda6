"""`manage.py ledger_check`: run every registered check of the ledger."""

import sys
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction

from ledger.checks import validators


class Command(BaseCommand):
    """Prints each check with its findings. Exit status 0 when nothing was found, 1 otherwise."""

    help = "Check the ledger's rows against each other; every finding names its row. Exit status 1 with findings."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--limit", type=int, default=100, help="findings printed a check (default 100); all are counted"
        )

    def handle(self, *args: Any, limit: int, **options: Any) -> None:
        if limit < 0:
            raise CommandError("--limit is a number of findings, 0 or more.")
        total = 0
        with transaction.atomic(durable=True):
            # All checks see the same instant, also while hands are being settled.
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            for validator in validators():
                findings = validator.findings()
                printed = 0
                for finding in islice(findings, limit):
                    printed += 1
                    self.stdout.write(f"{validator.name}: {finding.row}: {finding.message}")
                found = printed + sum(1 for _ in findings)
                verdict = "ok" if found == 0 else f"{found} found"
                self.stdout.write(f"{validator.name}: {verdict} ({validator.claim})")
                total += found
        self.stdout.write(f"{len(validators())} checks run, {total} findings")
        if total:
            sys.exit(1)
