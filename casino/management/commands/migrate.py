"""`migrate`, as the database's owner: the application's role may not alter tables."""

from django.core.management.base import CommandParser
from django.core.management.commands.migrate import Command as Migrate


class Command(Migrate):
    """Django's own command with another default for ``--database``."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(database="owner")
