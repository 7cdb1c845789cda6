"""The house of the fault tests: `manage.py up` on a folder of its own, and a killer who walks through it."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import psycopg

from casino import machine
from casino.embedded import Postgres, Valkey, read_urls
from tests.casino.running import ROOT, Up, outside_settings_removed, wait_until

# `up` starts a member again three times; the next death of one would end them all.
MOST_DEATHS = 3
SECONDS_TO_SETTLE = 1.0
MEMBERS = ("web", "postgres", "worker")


class House:
    """Everything that runs, and how to end parts of it."""

    def __init__(self, var: Path, under: Sequence[str] = ()) -> None:
        self.var, self.port, self._under = var, machine.free_port("127.0.0.1"), under
        self.killed: Counter[str] = Counter()
        self.up = self._start()
        self._sealer: subprocess.Popen[bytes] | None = None

    def _start(self) -> Up:
        return Up(self.var, self.port, self._under)

    def wait(self) -> None:
        """Until it is open."""
        self.up.wait_for("Backline is at")

    @property
    def environment(self) -> dict[str, str]:
        """What points a program at this house."""
        return outside_settings_removed() | {"BACKLINE_VAR": str(self.var)}

    def manage(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run Python against the house's database, as somebody in another terminal does."""
        command = [sys.executable, *words]
        return subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False)

    def start_sealing(self) -> None:
        """Let somebody seal the ledger again and again."""
        with (self.var.parent / "sealing.txt").open("ab") as output:
            self._sealer = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.sealing"],
                cwd=ROOT,
                env=self.environment,
                stdout=output,
                stderr=output,
            )

    def _end_sealing(self) -> None:
        if self._sealer is not None:
            assert self._sealer.poll() is None, "the sealer ended by itself"
            self._sealer.kill()
            self._sealer.wait()
            self._sealer = None

    def database(self) -> psycopg.Connection[Any]:
        """The house's database, as one who may see everything."""
        urls = read_urls(self.var)
        assert urls is not None
        return psycopg.connect(urls.superuser_url, autocommit=True)

    def answers(self) -> dict[str, Any]:
        """Every command there is, and how it was answered, names that are kept apart among it."""
        with self.database() as connection:
            stored = connection.execute(
                """
                SELECT key, answer || coalesce((
                    SELECT jsonb_object_agg(substr(place, 8), text) FROM tables_personaltext
                    WHERE command_id = key AND place LIKE 'answer/%'
                ), '{}') FROM tables_command
                """
            )
            return {str(key): answer for key, answer in stored}

    def assert_clean(self) -> None:
        """The books add up and the chains hold."""
        for command in ("ledger_check", "ledger_verify"):
            checked = self.manage("manage.py", command)
            assert checked.returncode == 0, checked.stdout + checked.stderr

    def prepare(self) -> dict[str, Any]:
        """Put the cast and both tables in, and say where they are."""
        made = self.manage("-m", "tests.faults.prepare")
        assert made.returncode == 0, made.stderr
        return dict(json.loads(made.stdout.splitlines()[-1]))

    def kill(self, member: str) -> None:
        """SIGKILL: one member, the sealer, or `up` itself, which is then started again on what it left."""
        if member == "up":
            self.up.process.kill()
            self.up.process.wait()
            self.up = self._start()
            self.wait()
        elif member == "sealer":
            self._end_sealing()
            self.start_sealing()
        else:
            if member == "postgres":  # `up` gives up on a server that dies while it is being started
                wait_until(self._answers)
                time.sleep(SECONDS_TO_SETTLE)
            os.kill(self.up.pid(member), signal.SIGKILL)
        self.killed[member] += 1

    def _answers(self) -> bool:
        try:
            self.database().close()
        except psycopg.OperationalError:
            return False
        return True

    def close(self) -> None:
        """End all of it, and remove what is not under the folder."""
        try:
            self._end_sealing()
        finally:
            self.up.end()
            for server in (Postgres(self.var), Valkey(self.var)):
                shutil.rmtree(server.home, ignore_errors=True)


@contextmanager
def house(var: Path, under: Sequence[str] = ()) -> Iterator[House]:
    """A house that is closed at the end, whatever happened in it; ``under`` is what starts it."""
    opened = House(var, under)
    try:
        opened.wait()
        yield opened
    finally:
        opened.close()


def deaths(families: int, each: int, seed: int) -> list[str]:
    """Who dies when: every member ``each`` times in a family, the sealer too, and `up` between two families."""
    assert each <= MOST_DEATHS
    chance, order = random.Random(seed), list[str]()
    for family in range(families):
        within = [*MEMBERS, "sealer"] * each
        chance.shuffle(within)
        order += (["up"] if family else []) + within
    return order


def kill_one_after_the_other(house: House, order: list[str], stop: Event, every_seconds: float) -> None:
    """SIGKILL each at a moment that nobody chose."""
    moments = random.Random(5)
    for member in order:
        if stop.wait(every_seconds * moments.uniform(0.2, 1.8)):
            return
        house.kill(member)
