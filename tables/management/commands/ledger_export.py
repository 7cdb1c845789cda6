"""`manage.py ledger_export`: a signed bundle of a day, a table or everything, for an auditor to take away."""

import os
import sys
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.errors import Refusal
from ledger.bundles import Scope, bundle_export
from tables.management.days import a_day
from tables.models import Room, Table, TableSession


class Command(BaseCommand):
    """Writes JSON Lines for ``ledger/verifier.py``, to ``--out`` or to standard output."""

    help = (
        "Write a signed bundle of the ledger. ledger/verifier.py checks it on any machine. Without a day or table: all."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--day", type=a_day, metavar="YYYY-MM-DD", help="a gaming day that has ended")
        what.add_argument("--table", type=int, metavar="NUMBER", help="every session of a table up to now")
        parser.add_argument("--room", metavar="SLUG", help="the room, where there are several")
        parser.add_argument("--out", type=Path, metavar="FILE", help="where to write it")

    def handle(
        self, *args: Any, day: date | None, table: int | None, room: str | None, out: Path | None, **options: Any
    ) -> None:
        scope = _scope(day, table, room)
        try:
            if out is None:
                sys.stdout.flush()
                bundle_export(scope=scope, write=sys.stdout.buffer.write)
                return
            # Under its own name only when it is whole.
            part = out.with_name(f"{out.name}.part")
            try:
                with part.open("wb") as file:
                    counts = bundle_export(scope=scope, write=file.write)
                os.replace(part, out)
            finally:
                part.unlink(missing_ok=True)
        except Refusal as refusal:
            raise CommandError(refusal.message) from refusal
        except OSError as error:
            raise CommandError(f"The bundle could not be written: {error}.") from error
        written = ", ".join(f"{count} {what}" for what, count in counts.items())
        self.stdout.write(f"{scope.title}: {written}, written to {out}")


def _scope(day: date | None, table: int | None, slug: str | None) -> Scope:
    if day is not None:
        room = _room(slug)
        return Scope(title=f"{room.name}, gaming day {day}", label=f"{room.slug} {day}")
    if table is not None:
        room = _room(slug)
        if not Table.objects.filter(room=room, number=table).exists():
            raise CommandError(f"{room.name} has no table {table}.")
        sessions = TableSession.objects.filter(table__room=room, table__number=table).order_by("book_id")
        return Scope(title=f"{room.name}, table {table}", books=list(sessions.values_list("book_id", flat=True)))
    if slug is not None:
        raise CommandError("A room goes with a day or a table: all is of all rooms.")
    return Scope(title="Everything")


def _room(slug: str | None) -> Room:
    rooms = Room.objects.all() if slug is None else Room.objects.filter(slug=slug)
    try:
        return rooms.get()
    except Room.DoesNotExist:
        raise CommandError("There is no such room.") from None
    except Room.MultipleObjectsReturned:
        slugs = ", ".join(rooms.order_by("slug").values_list("slug", flat=True))
        raise CommandError(f"There are several rooms; say which with --room: {slugs}.") from None
