"""``manage.py settle``: hand records in, verdicts out; the shell around :mod:`tables.rules.streaming`."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError

from tables.management.rule_files import faults_in_lines, read_rule_set
from tables.rules import Find, InvalidRecord
from tables.rules.streaming import read_lines, settle_lines

EXIT_INVALID = 1
EXIT_UNREADABLE = 2


class Command(BaseCommand):
    """Settle hand records of any game, one JSON object a line.

    Exit status 0 when every record was valid, 1 when any was not, 2 when the file could not be read. Needs no database.
    """

    help = "Settle hand records: one JSON object a line in, one verdict a line out. '-' reads standard input."
    requires_system_checks = []
    answers = staticmethod(settle_lines)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="file of hand records, or - for standard input")
        parser.add_argument(
            "--rules",
            action="append",
            default=[],
            metavar="FILE",
            help="JSON file of a rule set of the room's own, which goes before a shipped one; may be given several times",
        )

    def handle(self, *args: Any, file: str, rules: list[str], **options: Any) -> None:
        all_valid = True
        try:
            find = _found_in(rules)
            with _opened(file) as records:
                for answer in self.answers(read_lines(records), find):
                    self.stdout.write(answer.text)
                    all_valid = all_valid and answer.is_valid
            self.stdout.flush()
        except BrokenPipeError:
            # Whoever read the verdicts has seen enough; nothing may be written at exit either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except OSError as error:
            unreadable = error.filename or file
            raise CommandError(f"{unreadable} cannot be read: {error.strerror}.", returncode=EXIT_UNREADABLE) from error
        except InvalidRecord as invalid:
            faults = faults_in_lines(invalid.faults)
            raise CommandError(f"--rules cannot be used:\n{faults}", returncode=EXIT_UNREADABLE) from invalid
        if not all_valid:
            sys.exit(EXIT_INVALID)


def _found_in(files: list[str]) -> Find:
    """Finds each rule set of some files by its name, and the newest of each slug by the slug."""
    rule_sets = sorted(map(read_rule_set, files), key=lambda rule_set: rule_set.version)
    by_slug = {rule_set.slug: rule_set for rule_set in rule_sets}
    return {**by_slug, **{rule_set.name: rule_set for rule_set in rule_sets}}.get


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
    else:
        with open(file, "rb") as opened:
            yield opened
