"""Servers killed in the middle of the night: every answered hand is there once, none twice, and the books are clean."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from casino import machine
from casino.embedded import Postgres, Valkey, read_urls
from tests.casino.running import ROOT, Up, outside_settings_removed
from tests.faults.client import Tablet
from tests.people import PIN
from tests.tables.play import CHINESE_HANDS

# `up` starts a member again three times; two deaths each leave it one.
DEATHS = ("web", "postgres", "worker", "postgres", "web", "worker")


@pytest.fixture
def up(tmp_path: Path) -> Iterator[Up]:
    """A whole family on a folder and a port of its own."""
    tmp_path.chmod(0o755)
    family = Up(tmp_path / "var", machine.free_port("127.0.0.1"))
    family.wait_for("Backline is at")
    yield family
    family.end()
    for server in (Postgres(family.var), Valkey(family.var)):
        shutil.rmtree(server.home, ignore_errors=True)


def manage(up: Up, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python against the family's database, as somebody in another terminal does."""
    environment = outside_settings_removed() | {"BACKLINE_VAR": str(up.var)}
    return subprocess.run([sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True)


def kill_members(up: Up, stop: threading.Event, every_seconds: float, killed: list[str]) -> None:
    """SIGKILL one member after the other at moments nobody chose."""
    moments = random.Random(5)
    for member in DEATHS:
        if stop.wait(every_seconds * moments.uniform(0.5, 1.5)):
            return
        os.kill(up.pid(member), signal.SIGKILL)
        killed.append(member)


@pytest.mark.parametrize("hands", [60, pytest.param(500, marks=pytest.mark.slow)])
def test_every_answered_hand_is_there_once_whoever_was_killed(up: Up, hands: int) -> None:
    made = manage(up, "-m", "tests.faults.prepare")
    assert made.returncode == 0, made.stderr
    table = json.loads(made.stdout.splitlines()[-1])
    tablet = Tablet(up.address, table["token"])
    tablet.sign_in("2001", PIN)
    stop, killed = threading.Event(), list[str]()
    # Spread over the run, which takes longer the more hands there are.
    killer = threading.Thread(target=kill_members, args=(up, stop, max(2.0, hands / 60), killed))
    killer.start()
    answered: list[int] = []
    while len(answered) < hands or (killer.is_alive() and len(answered) < 20 * hands):
        dealt = tablet.do("hand.start", session_id=table["session"])
        entered = tablet.do("hand.record", hand_id=dealt["hand"], hands=CHINESE_HANDS)
        settled = tablet.do("hand.settle", hand_id=dealt["hand"], revision=entered["revision"])
        answered.append(settled["number"])
    stop.set()
    killer.join()
    assert tuple(killed) == DEATHS and tablet.retries > 0, "the run was disturbed as planned"

    urls = read_urls(up.var)
    assert urls is not None
    with psycopg.connect(urls.superuser_url) as connection:
        numbers = connection.execute(
            "SELECT number FROM tables_hand WHERE status = 'settled' ORDER BY number"
        ).fetchall()
        payments = connection.execute("SELECT count(*) FROM ledger_transaction WHERE kind = 'payment'").fetchone()
        verbs = connection.execute("SELECT count(*) FROM tables_command WHERE verb LIKE 'hand.%%'").fetchone()
    assert [number for (number,) in numbers] == answered == list(range(1, len(answered) + 1))
    assert payments == (len(answered),)
    assert verbs == (3 * len(answered),)
    for command in ("ledger_check", "ledger_verify"):
        checked = manage(up, "manage.py", command)
        assert checked.returncode == 0, checked.stdout + checked.stderr
    print(f"{len(answered)} hands, killed {killed}, {tablet.retries} presses sent again, {time.process_time():.1f} s")
