"""`manage.py demo_room`: fill an empty database with the demo room."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from casino.staff.models import User
from tables.demo.people import SIGN_INS
from tables.demo.room import load_demo_room
from tables.models import Room


class Command(BaseCommand):
    """Does nothing where there is a room or a staff member already."""

    help = "Fill an empty database with the demo room; a database with a room or staff in it is left alone."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seed", type=int, default=1, help="the same seed deals the same cards (default 1)")

    def handle(self, *args: Any, seed: int, **options: Any) -> None:
        if Room.objects.exists() or User.objects.exists():
            return
        # First, so that a run that is stopped half-way leaves people who can sign in.
        sign_ins = Path(settings.VAR_DIR) / "demo-sign-ins.txt"
        sign_ins.parent.mkdir(parents=True, exist_ok=True)
        sign_ins.write_text(SIGN_INS + "\n", encoding="utf-8")
        load_demo_room(seed=seed, progress=self._progress)
        self.stdout.write("\nThe demo room is there.")

    def _progress(self, done: int, total: int) -> None:
        self.stdout.write(f"\rDemo room: hand {done} of {total}", ending="")
        self.stdout.flush()
