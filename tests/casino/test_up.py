"""`manage.py up` runs everything as one family: real processes, on folders and ports of their own."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from casino import machine
from casino.embedded import Postgres, Valkey
from tests.casino.running import MEMBERS, Up, running, wait_until


class House:
    """A folder, a port, and the `up` that runs on them, started when asked for."""

    def __init__(self, var: Path) -> None:
        self.var, self.port = var, machine.free_port("127.0.0.1")
        self._up: Up | None = None

    def running(self) -> Up:
        if self._up is None or self._up.process.poll() is not None:
            self._up = Up(self.var, self.port)
            self._up.wait_for(f"Backline is at http://127.0.0.1:{self.port}")
        return self._up

    def close(self) -> None:
        if self._up is not None:
            self._up.end()
        for server in (Postgres(self.var), Valkey(self.var)):
            shutil.rmtree(server.home, ignore_errors=True)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Shared by the tests of this file: what one of them ends, the next starts again on the same data."""
    house = House(tmp_path_factory.mktemp("up") / "var")
    yield house
    house.close()


def left_of(family: set[tuple[int, str]]) -> set[tuple[int, str]]:
    return family & {(pid, fields[19]) for pid, fields in running().items()}


def test_it_says_where_it_is_and_answers_there(house: House) -> None:
    up = house.running()
    assert up.answers()
    assert f"http://127.0.0.1:{house.port}" in up.screen.splitlines()[-1]


def test_a_second_one_on_the_same_folder_is_refused(house: House) -> None:
    first = house.running()
    second = Up(house.var, machine.free_port("127.0.0.1"))
    assert second.process.wait(20) == 1
    assert f"already runs on {house.var}, as process {first.process.pid}" in second.screen
    assert first.answers()


def test_a_taken_port_is_refused_before_anything_starts(house: House, tmp_path: Path) -> None:
    house.running()
    other = Up(tmp_path / "var", house.port)
    assert other.process.wait(20) == 1
    assert f"cannot listen on 127.0.0.1:{house.port}" in other.screen
    assert "--address" in other.screen
    assert "Starting" not in other.screen


@pytest.mark.parametrize("member", MEMBERS)
def test_a_killed_member_is_named_and_started_again(house: House, member: str) -> None:
    up = house.running()
    killed = up.pid(member)
    os.kill(killed, signal.SIGKILL)
    up.wait_for(f"{member} died (signal SIGKILL)")
    up.wait_for(f"Starting {member} again (1 of 3)")
    assert up.pid(member, after=killed) != killed
    wait_until(up.answers)


def test_a_database_killed_again_while_it_starts_is_started_once_more(house: House) -> None:
    up = house.running()
    # Two deaths; with the one that the test above leaves on this `up`, all that it may start again.
    killed = up.pid("postgres")
    os.kill(killed, signal.SIGKILL)
    killed = up.pid("postgres", after=killed)
    os.kill(killed, signal.SIGKILL)
    assert up.pid("postgres", after=killed) != killed
    wait_until(up.answers)
    assert up.process.poll() is None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_it_alone_ends_all_within_ten_seconds(house: House, number: signal.Signals) -> None:
    up = house.running()
    family = up.family()
    assert len(family) > len(MEMBERS)
    up.process.send_signal(number)
    assert up.process.wait(10) == 0
    assert left_of(family) == set()


def test_a_killed_one_leaves_the_next_its_rows_and_nothing_in_its_way(house: House) -> None:
    up = house.running()
    family = up.family()
    database = Postgres(house.var).url("owner")
    with psycopg.connect(database) as connection:
        connection.execute("CREATE TABLE proof AS SELECT 7 AS x")
        connection.commit()
        up.process.kill()
        up.process.wait()
    again = house.running()
    assert again.answers()
    assert left_of(family) == set()
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT x FROM proof").fetchall() == [(7,)]


def test_a_fourth_death_stops_all_and_says_so(house: House) -> None:
    up = house.running()
    family: set[tuple[int, str]] = set()
    killed = 0
    for _ in range(4):
        killed = up.pid("beat", after=killed)
        family |= up.family()
        os.kill(killed, signal.SIGKILL)
    assert up.process.wait(15) == 1
    assert "Starting beat again (3 of 3)" in up.screen
    assert "beat died again after 3 new starts" in up.screen
    assert left_of(family) == set()
