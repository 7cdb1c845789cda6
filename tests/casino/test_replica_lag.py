"""How far a replica is behind, as `/metrics` tells it, of a real one."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from casino import replica as replicas
from casino.embedded import Postgres
from tests.casino.replica import Replica, replica_of
from tests.casino.running import wait_until


@pytest.fixture
def primary() -> Iterator[Postgres]:
    """A server of the test's own."""
    folder = Path(tempfile.mkdtemp(prefix="backline-primary-"))
    folder.chmod(0o755)
    server = Postgres(folder, fast=True)
    server.start()
    yield server
    server.stop()
    if server.home.exists():
        shutil.rmtree(server.home)
    shutil.rmtree(folder)


def change(primary: Postgres) -> None:
    """Anything at all."""
    with psycopg.connect(primary.url("superuser"), autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS changes (at timestamptz DEFAULT now())")
        connection.execute("INSERT INTO changes DEFAULT VALUES")


def lag(replica: Replica | Postgres) -> float:
    """As the application's role finds it."""
    with psycopg.connect(replica.url("app")) as connection:
        row = connection.execute(replicas._LAG).fetchone()
    assert row is not None
    return float(row[0])


@pytest.mark.slow  # it makes two servers
def test_a_replica_is_behind_while_it_does_not_play_back_and_while_nobody_sends(primary: Postgres) -> None:
    assert lag(primary) == 0
    with replica_of(primary) as replica:
        change(primary)
        wait_until(lambda: lag(replica) == 0)
        with psycopg.connect(replica.url("superuser"), autocommit=True) as connection:
            connection.execute("SELECT pg_wal_replay_pause()")
            change(primary)
            wait_until(lambda: lag(replica) > 0)
            time.sleep(1)
            assert lag(replica) >= 1, "it grows while the replica stands still"
            connection.execute("SELECT pg_wal_replay_resume()")
            wait_until(lambda: lag(replica) == 0)
        primary.stop()
        wait_until(lambda: lag(replica) > 1)
