"""`manage.py simulate`: play invented days, each change a command as from a tablet."""

from __future__ import annotations

import os
import time
from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_slug

from tables.demo.clerk import DayBroken, Tally
from tables.demo.days import open_day
from tables.demo.people import NotADemoRoom, check_is_invented, hire
from tables.demo.room import demo_room
from tables.demo.workers import play_day

LINE_WIDTH = 70
EXIT_STOPPED = 130
MOST_TABLES, MOST_HANDS = 400, 10_000_000


class Command(BaseCommand):
    """Exit status 0 when the day was played to its end, 130 after Ctrl-C.

    1 when something was refused that an ordinary day may ask for, and where real people work.
    """

    help = (
        "Play plausible hands at new tables of a demo room, through the same services as a tablet, and say what happened. "
        "The same seed gives the same day. Only for a database without real staff."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--room", type=_slug, default="demo", help="slug of the room, made where there is none (default demo)"
        )
        parser.add_argument("--tables", type=_up_to(MOST_TABLES), default=20, help="tables to add (default 20)")
        parser.add_argument("--hands", type=_up_to(MOST_HANDS), default=5_000, help="hands in all (default 5000)")
        parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same day (default 1)")
        parser.add_argument(
            "--workers",
            type=_up_to(64),
            default=len(os.sched_getaffinity(0)),
            help="processes that play at once (default: one a core); the day is the same with any number",
        )

    def handle(self, *args: Any, room: str, tables: int, hands: int, seed: int, workers: int, **options: Any) -> None:
        pace = _Pace(self.stderr, hands)
        try:
            check_is_invented()
            place = demo_room(room)
            staff = hire(place, dealers=tables)
            pace.begin()
            pits = open_day(place, staff, tables, seed)
            tally = play_day(pits, hands, workers=workers, progress=pace.show)
        except NotADemoRoom as error:
            raise CommandError(str(error)) from error
        except DayBroken as error:
            pace.end()
            raise CommandError(f"The day could not go on. {error}") from error
        except KeyboardInterrupt:
            pace.end()
            raise CommandError(f"Stopped after {pace}. What was played stays.", returncode=EXIT_STOPPED) from None
        pace.end()
        self._say(tally, pace)

    def _say(self, tally: Tally, pace: _Pace) -> None:
        numbers = {what: dict(sorted(_of(tally, what).items())) for what in ("hands", "happened", "refused")}
        self.stdout.write(f"Hands: {_listed(numbers['hands'])}")
        self.stdout.write(f"Happened: {_listed(numbers['happened'])}")
        self.stdout.write(f"Refused, as it should be: {_listed(numbers['refused'])}")
        self.stdout.write(f"{tally['people', 'patrons']:,} patrons, {tally['people', 'commands']:,} commands, {pace}")


class _Pace:
    """How far a day is and how fast: a line that keeps changing on a terminal, and elsewhere one every tenth."""

    def __init__(self, screen: Any, hands: int) -> None:
        self._screen, self._hands = screen, hands
        self._began, self._done, self._tenths = time.monotonic(), 0, 0

    def __str__(self) -> str:
        seconds = time.monotonic() - self._began
        return f"{self._done:,} hands in {seconds:,.1f} s, {self._done / seconds:,.1f} hands a second"

    def begin(self) -> None:
        self._began = time.monotonic()

    def show(self, done: int) -> None:
        self._done = done
        tenths = done * 10 // self._hands
        line = f"{done * 100 // self._hands:3} % {self}"
        if self._screen.isatty():
            bar = "#" * (done * 20 // self._hands)
            self._screen.write(f"\r[{bar:<20}] {line:<{LINE_WIDTH}}", str, "")
            self._screen.flush()
        elif tenths > self._tenths:
            self._screen.write(line, str)
        self._tenths = tenths

    def end(self) -> None:
        if self._screen.isatty():
            self._screen.write("", str)


def _slug(text: str) -> str:
    try:
        validate_slug(text)
    except ValidationError:
        raise ArgumentTypeError(f"{text!r} is no short name; use letters, digits, hyphens and underscores.") from None
    return text


def _of(tally: Tally, what: str) -> dict[str, int]:
    return {name: number for (kind, name), number in tally.items() if kind == what}


def _listed(numbers: dict[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in numbers.items()) or "nothing"


def _up_to(most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= most:
            raise ArgumentTypeError(f"{text!r} is no number from 1 to {most:,}.")
        return int(text)

    return number
