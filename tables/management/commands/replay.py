"""``manage.py replay``: settle the hands of a gaming day again and say what differs."""

from __future__ import annotations

import getpass
import sys
import time
from argparse import ArgumentTypeError
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser
from kombu.exceptions import OperationalError as BrokerError

from casino.celery import app
from casino.errors import NotThere
from tables.management.days import a_day
from tables.models import ReplayRun, Room
from tables.rules.sentences import dollars, signed_dollars
from tables.selectors.replays import Outcome, Progress, Total, outcome_of, parts_to_do, progress_of, replay_run
from tables.services.replay_here import replay_parts_here
from tables.services.replays import HANDS_A_PART, replay_ask, replay_resume
from tables.tasks import replay_part

PATIENCE_SECONDS = 10.0
LOOK_EVERY_SECONDS = 0.2
LINE_WIDTH = 70
EXIT_DIFFERENCES = 1
EXIT_UNUSABLE = 2
EXIT_STOPPED = 130


class Command(BaseCommand):
    """Exit status 0 when all is as the rules make it, 1 with differences, 2 when it could not be done, 130 after Ctrl-C."""

    help = (
        "Settle every hand of a gaming day again from its stored record and compare verdict, record and ledger. With "
        "--rules, say instead what the day would have paid under another rule set."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--day", type=a_day, help="the gaming day, such as 2026-11-29")
        what.add_argument("--resume", type=UUID, metavar="RUN", help="go on with a replay that was left")
        parser.add_argument("--room", default="", help="slug of the room; without it every room, one after the other")
        parser.add_argument("--rules", default="", metavar="NAME", help="another rule set, such as cardroom-mandarin@2")
        parser.add_argument("--here", action="store_true", help="use the cores of this machine and no worker")
        parser.add_argument(
            "--parts-of", type=_count, default=HANDS_A_PART, metavar="N", help=f"hands a part (default {HANDS_A_PART})"
        )

    def handle(self, *args: Any, resume: UUID | None, here: bool, **options: Any) -> None:
        try:
            runs = self._resumed(resume, here) if resume else self._asked(here, options)
            differs = [self._see_through(run, here) for run in runs]
        except NotThere as error:
            raise CommandError(error.message, returncode=EXIT_UNUSABLE) from error
        if any(differs):
            sys.exit(EXIT_DIFFERENCES)

    def _asked(self, here: bool, options: dict[str, Any]) -> Iterator[ReplayRun]:
        """A new run for each room, begun when the one before is through."""
        words = [f"--{name} {options[name]}" for name in ("day", "room", "rules") if options[name]]
        for room in _rooms(options["room"]):
            queued: list[int] = []
            run = replay_ask(
                room=room,
                day=options["day"],
                asked_by=f"{getpass.getuser()}: replay {' '.join(words)}",
                rules=options["rules"],
                hands_a_part=options["parts_of"],
                enqueue=None if here else queued.append,
            )
            self._say_what(run)
            _send(run, queued)
            yield run

    def _resumed(self, run_id: UUID, here: bool) -> Iterator[ReplayRun]:
        run = replay_run(run_id)
        self._say_what(run)
        queued: list[int] = []
        replay_resume(run=run, enqueue=None if here else queued.append)
        _send(run, queued)
        yield run

    def _say_what(self, run: ReplayRun) -> None:
        under = f" under {run.rules}" if run.rules else ""
        left_out = [
            f"{_counted(number, 'hand')} {why}"
            for number, why in (
                (run.hands_out, "still out"),
                (run.hands_void, "void"),
                (run.hands_of_another_game, "of another game"),
            )
            if number
        ]
        not_settled = f" Not settled: {', '.join(left_out)}." if left_out else ""
        what = f"{_counted(run.hands, 'hand')} to settle again{under}, in {_counted(run.parts, 'part')}"
        self.stdout.write(f"{run.room}, {run.gaming_date}: {what}.{not_settled} Replay {run.pk}")

    def _see_through(self, run: ReplayRun, here: bool) -> bool:
        """Wait until the run is done and write what came of it. Says whether there were differences."""
        try:
            self._do_here(run) if here else self._wait(run)
        except KeyboardInterrupt:
            self.stderr.write(f"\nStopped. `manage.py replay --resume {run.pk}` goes on where it was.")
            sys.exit(EXIT_STOPPED)
        outcome = outcome_of(run)
        for found in outcome.differences:
            for line in found["lines"]:
                self.stdout.write(f"{found['name']} ({found['hand']}): {line}")
        self._say_otherwise(run, outcome) if run.rules else self._say_same(run, outcome)
        return bool(outcome.differences) and not run.rules

    def _do_here(self, run: ReplayRun) -> None:
        pace = _Pace(self, run)
        for _part_id in replay_parts_here(parts_to_do(run)):
            pace.show()
        pace.end()

    def _wait(self, run: ReplayRun) -> None:
        """Show the progress; where nothing happens for long, say once what may be wrong."""
        pace = _Pace(self, run)
        since, sign, said = time.monotonic(), None, False
        while (progress := pace.show()).parts_done < run.parts:
            if progress.last_sign != sign:
                since, sign, said = time.monotonic(), progress.last_sign, False
            elif not said and time.monotonic() - since > PATIENCE_SECONDS:
                said = True
                if progress.being_done:
                    self.stderr.write(
                        "\nA worker has taken a part and does not finish it. Its log says why; once that is mended, stop "
                        f"this with Ctrl-C and run `manage.py replay --resume {run.pk}`."
                    )
                else:
                    self.stderr.write(
                        "\nNo worker is running. Start one with `make run`, or stop this with Ctrl-C and run "
                        f"`manage.py replay --resume {run.pk} --here`."
                    )
            time.sleep(LOOK_EVERY_SECONDS)
        pace.end()

    def _say_same(self, run: ReplayRun, outcome: Outcome) -> None:
        hands = _counted(run.hands, "hand")
        if outcome.differences:
            self.stdout.write(f"{hands} settled again, {len(outcome.differences)} of them with differences.")
        else:
            self.stdout.write(f"{hands} settled again: records, verdicts and ledger are as the rules make them.")

    def _say_otherwise(self, run: ReplayRun, outcome: Outcome) -> None:
        for total in outcome.totals:
            self.stdout.write(f"{total.name}: {_came_to(total)}")
        paid = sum(max(total.paid_cents, 0) for total in outcome.totals)
        would = sum(max(total.would_cents, 0) for total in outcome.totals)
        self.stdout.write(
            f"{_counted(run.hands, 'hand')} settled under {run.rules}, {len(outcome.differences)} of them otherwise. "
            f"The day's winners won {dollars(paid)} and would have won {dollars(would)}."
        )


class _Pace:
    """How far a run is and how fast: a line that keeps changing on a terminal, and anywhere a last one."""

    def __init__(self, command: BaseCommand, run: ReplayRun) -> None:
        self._screen, self._run, self._began = command.stdout, run, time.monotonic()
        self._hands_before = progress_of(run).hands_done

    def show(self) -> Progress:
        progress = progress_of(self._run)
        if self._screen.isatty():
            self._screen.write(f"\r{self._line(progress):<{LINE_WIDTH}}", ending="")
            self._screen.flush()
        return progress

    def end(self) -> None:
        self._screen.write(("\r" if self._screen.isatty() else "") + self._line(progress_of(self._run)))

    def _line(self, progress: Progress) -> str:
        seconds = time.monotonic() - self._began
        pace = (progress.hands_done - self._hands_before) / seconds
        return f"{progress.parts_done} of {_counted(self._run.parts, 'part')} done, {pace:,.0f} hands a second"


def _send(run: ReplayRun, parts: Sequence[int]) -> None:
    """Send parts to the workers. Where the broker is silent, say so at once: the run is there to be resumed."""
    if not parts:
        return
    try:
        with app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=1, interval_start=0, interval_step=0)
            for part_id in parts:
                app.send_task(replay_part.name, kwargs={"part_id": part_id}, connection=connection, retry=False)
    except BrokerError as error:
        raise CommandError(
            f"The broker does not answer: {error}\nStart it with `make run`, then `manage.py replay --resume {run.pk}`; "
            "with --here no broker is needed.",
            returncode=EXIT_UNUSABLE,
        ) from error


def _rooms(slug: str) -> Sequence[Room]:
    rooms = list(Room.objects.filter(slug=slug) if slug else Room.objects.order_by("slug"))
    if slug and not rooms:
        slugs = ", ".join(Room.objects.order_by("slug").values_list("slug", flat=True)) or "none"
        raise CommandError(f"There is no room {slug}. The rooms are: {slugs}.", returncode=EXIT_UNUSABLE)
    return rooms


def _came_to(total: Total) -> str:
    came_to = signed_dollars(total.paid_cents)
    if total.paid_cents == total.would_cents:
        return f"{came_to}, the same"
    change = signed_dollars(total.would_cents - total.paid_cents)
    return f"{came_to}, would be {signed_dollars(total.would_cents)} ({change})"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 100_000:
        raise ArgumentTypeError(f"{text!r} is no number of hands from 1 to 100000.")
    return int(text)
