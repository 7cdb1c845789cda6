"""`manage.py ledger_verify`: recompute the chain of digests of every book."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from ledger.verification import verify_books


class Command(BaseCommand):
    """Names the first bad transaction of each book. Exit status 0 when every chain holds, 1 otherwise."""

    help = "Recompute every digest of every book and name the first bad transaction of each. Exit status 1 with any."

    def handle(self, *args: Any, **options: Any) -> None:
        verification = verify_books()
        for fault in verification.faults:
            self.stdout.write(f"book {fault.book}: transaction {fault.sequence}, {fault.transaction}:")
            for difference in fault.differences:
                self.stdout.write(f"    {difference}")
        self.stdout.write(
            f"{verification.books} books, {verification.transactions} transactions and {verification.entries} entries "
            f"read; {len(verification.faults)} books with a fault"
        )
        if verification.faults:
            sys.exit(1)
