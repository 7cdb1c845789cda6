"""The programs that `manage.py up` runs, watched over as one family.

They start together, a member that dies is named and started again, and they end together. Only one family runs on a
``var/`` at a time; one that was killed leaves nothing behind that stops the next.
"""

import fcntl
import os
import signal
import subprocess
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Protocol

from casino import processes
from casino.embedded import EmbeddedServerError, Server
from casino.processes import Pause

RESTARTS = 3
"""How often a member is started again within ``RESTART_WINDOW``; its next death ends the family."""
RESTART_WINDOW = 3600.0
"""Seconds after which a death no longer counts against its member."""
LOG_LIMIT_BYTES = 10_000_000


class FamilyError(Exception):
    """The family cannot start or go on; the message says why and what to do."""


class StopAsked(Exception):
    """SIGINT, SIGTERM or SIGHUP came: whatever was being waited for is given up."""


class Member(Protocol):
    """What the family asks of a program it runs, an embedded server or one of ours."""

    @property
    def name(self) -> str: ...
    @property
    def log(self) -> Path: ...
    @property
    def process(self) -> "subprocess.Popen[bytes] | None": ...
    @abstractmethod
    def start(self, pause: Pause) -> None: ...
    @abstractmethod
    def stop(self) -> None: ...


class Program:
    """A member that is a command of ours: ends at SIGTERM within ``patience`` seconds or by force."""

    patience = 4.0

    def __init__(
        self, name: str, command: Sequence[str | Path], *, var: Path, cwd: Path, env: Mapping[str, str]
    ) -> None:
        self.name = name
        self.process: subprocess.Popen[bytes] | None = None
        self.log = var / "log" / f"{name}.log"
        self._command, self._cwd, self._env = command, cwd, env
        self._mark = var / "run" / f"{name}.pid"
        self._steps = [(signal.SIGTERM, self.patience)]

    def start(self, pause: Pause) -> None:
        """Start it, once what is left of an earlier one under this name has ended."""
        processes.end_leftover(self._mark, self._steps, pause)
        self._spawn(self.log)

    def run(self, pause: Pause) -> int:
        """Run it to its end with its output on the screen. Its exit status."""
        process = self._spawn(None)
        try:
            while process.poll() is None:
                pause(0.05)
        finally:
            self.stop()
        return process.returncode

    def stop(self) -> None:
        """End it with its children; does nothing when it is not running."""
        if self.process is not None:
            processes.end(self.process, self._mark, self._steps)
            self.process = None

    def _spawn(self, log: Path | None) -> "subprocess.Popen[bytes]":
        self.process = processes.spawn(self._command, mark=self._mark, log=log, env=self._env, cwd=self._cwd)
        return self.process


class Family:
    """The members of one `up`. Every wait goes through ``pause``, which a signal cuts short with ``StopAsked``."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self._members: list[Member] = []
        self._deaths: dict[str, list[float]] = {}
        self._asked_to_stop = False

    @contextmanager
    def signals(self) -> Iterator[None]:
        """While inside, SIGINT, SIGTERM and SIGHUP ask the family to stop instead of ending this process."""
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = {number: signal.signal(number, self._ask_to_stop) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def pause(self, seconds: float) -> None:
        """Wait. Raises ``StopAsked`` once a signal has come."""
        if not self._asked_to_stop:
            time.sleep(seconds)
        if self._asked_to_stop:
            raise StopAsked

    def start(self, member: Member) -> None:
        """Start a member and take it into the family."""
        self.say(f"Starting {member.name}.")
        self._members.append(member)
        member.start(self.pause)

    def run(self, step: Program) -> None:
        """Run a program to its end before going on. Raises ``FamilyError`` when it fails."""
        status = step.run(self.pause)
        if status != 0:
            raise FamilyError(f"{step.name} failed ({_how(status)}); what it said is above. Nothing is left running.")

    def check(self) -> None:
        """Start again who has died. Raises ``FamilyError`` at a member's fourth death within the hour."""
        for member in self._members:
            if member.process is None or member.process.poll() is None:
                continue
            now = time.monotonic()
            deaths = [at for at in self._deaths.get(member.name, []) if now - at < RESTART_WINDOW] + [now]
            self._deaths[member.name] = deaths
            self.say(f"{member.name} died ({_how(member.process.returncode)}). The end of {member.log}:")
            self.say(processes.tail(member.log))
            if len(deaths) > RESTARTS:
                raise FamilyError(
                    f"{member.name} died again after {RESTARTS} new starts, so everything is stopped. "
                    f"{member.log} says why; run `up` again once that is mended."
                )
            self.say(f"Starting {member.name} again ({len(deaths)} of {RESTARTS}).")
            try:
                member.start(self.pause)
            except EmbeddedServerError as error:
                # It died while it was starting: one more death, counted at the next look.
                self.say(str(error))

    def wait_until(self, answers: Callable[[], bool], seconds: float, otherwise: str) -> None:
        """Watch until ``answers`` says yes. Raises ``FamilyError`` with ``otherwise`` when it has not by then."""
        until = time.monotonic() + seconds
        while not answers():
            if time.monotonic() > until:
                raise FamilyError(otherwise)
            self.check()
            self.pause(0.1)

    def watch(self) -> None:
        """Look after the family until ``StopAsked`` or ``FamilyError``."""
        while True:
            self.check()
            self.pause(0.2)

    def stop(self) -> None:
        """End all: first, together, the programs that use the servers; then, together, the servers."""
        ours = [member for member in self._members if isinstance(member, Program)]
        servers = [member for member in self._members if not isinstance(member, Program)]
        with ThreadPoolExecutor() as threads:
            for group in (ours, servers):
                list(threads.map(lambda member: member.stop(), group))
        self._members.clear()

    def _ask_to_stop(self, number: int, frame: FrameType | None) -> None:
        self._asked_to_stop = True


@contextmanager
def only_one(var: Path) -> Iterator[None]:
    """Hold ``var/up.lock``, which the kernel frees however we end. Raises ``FamilyError`` where another has it."""
    var.mkdir(parents=True, exist_ok=True)
    with (var / "up.lock").open("a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise FamilyError(
                f"Backline already runs on {var}, as process {lock.read().strip()}. Use that one, stop it with Ctrl-C "
                "or `kill`, or give this one a folder of its own with --var and a port of its own with --address."
            ) from None
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        yield


def end_leftovers(var: Path, servers: Iterable[Server], pause: Pause) -> None:
    """End what a killed family left running on this ``var/``: our programs first, then the servers they use."""
    servers = list(servers)
    for mark in sorted((var / "run").glob("*.pid")):
        if mark.stem not in [server.name for server in servers]:
            processes.end_leftover(mark, [(signal.SIGTERM, Program.patience)], pause)
    for server in servers:
        server.end_leftover(pause)


def turn_logs(var: Path) -> None:
    """Put logs that have grown large aside, as ``.1``, before anything writes to them."""
    for log in (var / "log").glob("*.log"):
        if log.stat().st_size > LOG_LIMIT_BYTES:
            log.replace(log.with_suffix(".log.1"))


def _how(status: int) -> str:
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
