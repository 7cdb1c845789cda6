"""``manage.py rules``: look at rule sets, check and compare them, and add a room's own."""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError
from django.utils import timezone

from casino.errors import Refusal
from casino.staff.actor import Actor
from casino.staff.models import User
from tables.management.rule_files import faults_in_lines, read_rule_set
from tables.models import Room
from tables.models.rooms import Game
from tables.rule_words import difference_in_words, parameter_in_words, value_in_words
from tables.rules import InvalidRecord, RuleSet
from tables.rules.rulesets import copy_as, differences, next_version, parameters_of, shipped_rule_sets
from tables.selectors.rules import find_rule_set, version_rows
from tables.selectors.sheets import words_of
from tables.services.commands import Order
from tables.services.rules import rules_add

NAME = "a name such as cardroom or cardroom@1, or a .json file"


class Command(BaseCommand):
    """What is asked of the shipped rule sets by name and version, and of files, needs no database.

    Exit status 1 where anything is wrong, with every mistake named.
    """

    help = (
        "Show, check, compare and add rule sets. A bare slug means the newest version, the room's own or a shipped one."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        actions.add_parser("list", help="every version: since when, by whom, where it is played")
        show = actions.add_parser("show", help="every parameter in words, with its rule")
        show.add_argument("name", help=NAME)
        sheet = actions.add_parser("sheet", help="the rules in plain words, as a room posts them")
        sheet.add_argument("name", help=NAME)
        check = actions.add_parser("check", help="whether a file holds a rule set, and what is wrong with it")
        check.add_argument("file")
        differs = actions.add_parser("differs", help="what a rule set has otherwise than another")
        differs.add_argument("name", help=NAME)
        differs.add_argument("base", nargs="?", help=f"{NAME}; without it the shipped one of the same slug")
        draft = actions.add_parser("draft", help="write the next version with other values, to be kept in a file")
        draft.add_argument("name", help=NAME)
        draft.add_argument("changes", nargs="*", metavar="PARAMETER=VALUE", help="the value as JSON or as a plain word")
        draft.add_argument("--slug", help="the first version of a rule set of this name instead")
        add = actions.add_parser("add", help="add the rule set of a file as the next version of its slug")
        add.add_argument("file")
        add.add_argument(
            "--badge", required=True, help="badge number of the floor supervisor, manager or admin who adds it"
        )
        add.add_argument("--reason", required=True, help="why, as auditors will read it")

    def handle(self, *args: Any, action: str, **options: Any) -> None:
        try:
            getattr(self, f"_{action}")(options)
        except InvalidRecord as invalid:
            raise CommandError(faults_in_lines(invalid.faults)) from invalid
        except OSError as error:
            raise CommandError(f"{error.filename} cannot be read: {error.strerror}.") from error
        except Refusal as refusal:
            lines = [f"{path}: {message}" for path, message in refusal.fields.items()]
            raise CommandError("\n".join(lines or [refusal.message])) from refusal
        except OperationalError as error:
            raise CommandError(f"The database does not answer: {error}") from error

    def _list(self, options: dict[str, Any]) -> None:
        for row in version_rows(Room.objects.all()):
            tables = ", ".join(f"{session.table} {session.table.room}" for session in row.open_sessions)
            since = f"since {row.since:%Y-%m-%d %H:%M} UTC" if row.since else "not played yet"
            by = f"{row.added_by}: {row.stored.reason}" if row.added_by and row.stored else "comes with Backline"
            in_use = f"in use at {tables}" if tables else "no open table"
            self.stdout.write(f"{row.rule_set.name:<28} {row.game:<14} {since:<28} {in_use}; {by}")

    def _show(self, options: dict[str, Any]) -> None:
        rule_set = self._find(options["name"])
        self.stdout.write(f"{rule_set.name}, {Game(rule_set.game).label}")
        for parameter in parameters_of(rule_set.game):
            first, *rest = value_in_words(parameter.name, rule_set.parameters[parameter.name])
            self.stdout.write(f"{parameter.rule}  {parameter_in_words(parameter.name):<58} {first}")
            for line in rest:
                self.stdout.write(f"{'':<66}{line}")

    def _sheet(self, options: dict[str, Any]) -> None:
        content = words_of(self._find(options["name"]))
        self.stdout.write(f"{content['game']}, {content['rules']}")
        for section in content["sections"]:
            self.stdout.write(f"\n{section['title']}")
            for block in section["blocks"]:
                for line in block_in_lines(block):
                    self.stdout.write(f"  {line}")

    def _check(self, options: dict[str, Any]) -> None:
        rule_set = read_rule_set(options["file"])
        self.stdout.write(f"{options['file']} holds {rule_set.name}, and nothing is wrong with it.")
        base = shipped_rule_sets().get(rule_set.slug)
        if base is not None and base.game == rule_set.game:
            self._write_differences(rule_set, base)

    def _differs(self, options: dict[str, Any]) -> None:
        rule_set = self._find(options["name"])
        base = self._find(options["base"]) if options["base"] else shipped_rule_sets().get(rule_set.slug)
        if base is None:
            raise CommandError(f"No rules called {rule_set.slug} come with Backline. Name what to compare them with.")
        self._write_differences(rule_set, base)

    def _draft(self, options: dict[str, Any]) -> None:
        rule_set = self._find(options["name"])
        changes = dict(_change(text) for text in options["changes"])
        slug = options["slug"]
        drafted = copy_as(rule_set, slug, changes) if slug else next_version(rule_set, changes)
        self.stdout.write(json.dumps(drafted.to_data(), indent=2))

    def _add(self, options: dict[str, Any]) -> None:
        rule_set = read_rule_set(options["file"])
        user = User.objects.filter(badge_number=options["badge"], is_active=True, locked_at__isnull=True).first()
        if user is None:
            raise CommandError(f"Nobody who works here has badge {options['badge']}, or it is locked.")
        order = Order(key=uuid4(), actor=Actor.of(user), occurred_at=timezone.now())
        answer = rules_add(order, rules=rule_set.to_data(), reason=options["reason"])
        self.stdout.write(f"{answer['rules']} is added. Tables that are opened from now on can play it.")

    def _write_differences(self, rule_set: RuleSet, base: RuleSet) -> None:
        found = differences(rule_set, base)
        self.stdout.write(f"Against {base.name}:" if found else f"It plays as {base.name} does.")
        for difference in found:
            words = f"{parameter_in_words(difference.parameter)}: {difference_in_words(difference)}"
            self.stdout.write(f"{difference.rule}  {words}")

    def _find(self, name: str) -> RuleSet:
        if name.endswith(".json"):
            return read_rule_set(name)
        shipped = shipped_rule_sets().get(name)
        if shipped is not None and shipped.name == name:
            return shipped
        try:
            found = find_rule_set(name)
        except OperationalError as error:
            if shipped is None:
                raise CommandError(f"{name} does not come with Backline, and the database does not answer.") from error
            self.stderr.write(f"The database does not answer; {shipped.name} is what comes with Backline.")
            return shipped
        if found is None:
            raise CommandError(f"There are no rules called {name}. `manage.py rules list` names all.")
        return found


def block_in_lines(block: Mapping[str, Any]) -> Iterator[str]:
    """A sentence of a sheet with its rule, or a table of it, its columns under each other."""
    if "text" in block:
        yield f"{block['text']} ({block['rule']})"
        return
    rows = [[*row["cells"], row["rule"]] for row in block["rows"]]
    heads = [*block["columns"], ""]
    widths = [max(len(row[place]) for row in [heads, *rows]) for place in range(len(heads))]
    for row in [heads, *rows]:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _change(text: str) -> tuple[str, Any]:
    """``cap=none`` as a name and a value; what is no JSON is taken as a word."""
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"{text!r} is no change. Write PARAMETER=VALUE, such as sweep_points=7.")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
