"""``manage.py api_token``: make, list and revoke the tokens of the HTTP API."""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.staff.models import ApiToken, Device, User
from casino.staff.selectors import devices_called
from casino.staff.services import api_token_make, api_token_revoke


class Command(BaseCommand):
    """The secret is printed once, alone on standard output, so that it can be piped to where it is kept."""

    help = "Make a token for a device or an integration, list the tokens, or revoke one."

    def add_arguments(self, parser: CommandParser) -> None:
        action = parser.add_mutually_exclusive_group(required=True)
        action.add_argument("--badge", help="badge number of the staff member that the token acts as")
        action.add_argument("--list", action="store_true", help="every token, without its secret")
        action.add_argument("--revoke", type=UUID, metavar="ID", help="end a token for good")
        parser.add_argument("--name", default="", help="what it is for, such as 'Cage display'; with --badge")
        parser.add_argument("--device", help="name or id of a tablet: the token acts at its table alone; with --badge")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["list"]:
            self._list()
        elif options["revoke"]:
            if not api_token_revoke(token_id=options["revoke"]):
                raise CommandError("No token in use has this id; --list shows them all.")
            self.stderr.write("Revoked.")
        else:
            self._make(**{name: options[name] for name in ("badge", "name", "device")})

    def _list(self) -> None:
        for token in ApiToken.objects.select_related("user", "device").order_by("created_at", "pk"):
            state = f"revoked {token.revoked_at:%Y-%m-%d %H:%M}" if token.revoked_at else "in use"
            self.stdout.write(f"{token.pk}  {token.name}  {token.user}  {token.device or 'no device'}  {state}")

    def _make(self, badge: str, name: str, device: str | None) -> None:
        user = User.objects.filter(badge_number=badge, is_active=True).first()
        if user is None:
            raise CommandError(f"Nobody who works here has the badge {badge}.")
        name = name.strip()
        if not 1 <= len(name) <= 80:
            raise CommandError("Say with --name, in up to 80 characters, what the token is for.")
        token, secret = api_token_make(user=user, name=name, device=self._device(device) if device else None)
        self.stderr.write(f"Token {token.pk} for {user}. Its secret is shown this once:")
        self.stdout.write(secret)

    def _device(self, name: str) -> Device:
        found = devices_called(name)
        if len(found) != 1:
            several = "".join(f"\n  {device.pk}  {device.name}" for device in found)
            raise CommandError(
                f"Several devices are called {name}; give the id of one:{several}"
                if found
                else f"No device in use is called {name}; the floor's page of its table enrols one."
            )
        return found[0]
