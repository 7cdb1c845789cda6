"""``manage.py second_factor``: for whoever runs the server, when nobody is left who could reset a phone on the web."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.staff.models import User
from casino.staff.second_factor import is_enrolled, second_factor_reset_on_server


class Command(BaseCommand):
    """Forgets a person's phone. The next sign-in with the password sets up another."""

    help = "Reset the second factor of a staff member who has lost the phone."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--reset", required=True, metavar="BADGE", help="badge number of the staff member")

    def handle(self, *args: Any, reset: str, **options: Any) -> None:
        user = User.objects.filter(badge_number=reset).first()
        if user is None or not is_enrolled(user):
            raise CommandError(f"Nobody with the badge {reset} has set up a phone.")
        second_factor_reset_on_server(user_id=user.pk)
        self.stdout.write(f"{user} sets up a phone at the next sign-in.")
