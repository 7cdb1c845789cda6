"""``manage.py settle``: hand records in, verdicts out; the shell around :mod:`tables.rules.streaming`."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError

from tables.rules.streaming import read_lines, settle_lines

EXIT_INVALID = 1
EXIT_UNREADABLE = 2


class Command(BaseCommand):
    """Settle hand records of any game, one JSON object a line.

    Exit status 0 when every record was valid, 1 when any was not, 2 when the file could not be read. Needs no database.
    """

    help = "Settle hand records: one JSON object a line in, one verdict a line out. '-' reads standard input."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="file of hand records, or - for standard input")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        all_valid = True
        try:
            with _opened(file) as records:
                for answer in settle_lines(read_lines(records)):
                    self.stdout.write(answer.text)
                    all_valid = all_valid and answer.is_valid
            self.stdout.flush()
        except BrokenPipeError:
            # Whoever read the verdicts has seen enough; nothing may be written at exit either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.", returncode=EXIT_UNREADABLE) from error
        if not all_valid:
            sys.exit(EXIT_INVALID)


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
    else:
        with open(file, "rb") as opened:
            yield opened
