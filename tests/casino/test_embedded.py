"""The embedded servers keep what was committed, however they or their parent end, and let in only who may."""

import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from casino import machine
from casino.embedded import EmbeddedServerError, Postgres, Server, Valkey, read_urls

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Makes folders for a server's ``var``; what was put there, or for its sake elsewhere, goes with the test."""
    made: list[Path] = []

    def make(name: str) -> Path:
        made.append(tmp_path / name)
        return made[-1]

    yield make
    for var in made:
        remove(var)


def remove(var: Path) -> None:
    for server in (Postgres(var), Valkey(var)):
        server.end_leftover()
        shutil.rmtree(server.home, ignore_errors=True)


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A PostgreSQL that runs, with every promise about crashes in force."""
    server = Postgres(tmp_path_factory.mktemp("postgres"))
    server.start()
    yield server
    server.stop()
    remove(server.var)


@pytest.fixture(scope="module")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    """A Valkey that runs."""
    server = Valkey(tmp_path_factory.mktemp("valkey"))
    server.start()
    yield server
    server.stop()
    remove(server.var)


def execute(url: str, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def kill(server: Server) -> None:
    assert server.process is not None
    server.process.kill()
    server.process.wait()


def test_postgres_checks_its_pages_and_sorts_by_code_point(postgres: Postgres) -> None:
    [row] = execute(
        postgres.url("app"),
        "SELECT current_setting('data_checksums'), current_setting('server_encoding'), current_setting('fsync'), "
        "'Z' < 'a', upper('é')",
    )
    assert row == ("on", "UTF8", "on", True, "É")


def test_the_application_makes_nothing_and_the_owner_does(postgres: Postgres) -> None:
    for statement in ("CREATE TABLE mine (x int)", "CREATE SCHEMA mine", "CREATE TEMP TABLE mine (x int)"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            execute(postgres.url("app"), statement)
    execute(postgres.url("owner"), "CREATE TABLE owned (x int)")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        execute(postgres.url("app"), "DROP TABLE owned")
    assert execute(
        postgres.url("owner"), "SELECT rolsuper, rolcreatedb FROM pg_roles WHERE rolname = current_user"
    ) == [(False, False)]


def test_a_further_database_is_made_once_and_is_the_owners(postgres: Postgres) -> None:
    for _ in range(2):
        postgres.ensure_database("further")
    execute(postgres.url("owner", "further"), "CREATE TABLE IF NOT EXISTS owned (x int)")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        execute(postgres.url("app", "further"), "CREATE TABLE mine (x int)")


@pytest.mark.parametrize("url", ["postgresql://postgres@{}/postgres", "postgresql://postgres:guess@{}/postgres"])
def test_postgres_lets_nobody_in_without_the_password(postgres: Postgres, url: str) -> None:
    place = postgres.url("superuser").partition("@")[2].partition("/")[0]
    with pytest.raises(psycopg.OperationalError, match="password"):
        execute(url.format(place), "SELECT 1")


def test_valkey_lets_nobody_in_without_the_password(valkey: Valkey) -> None:
    assert redis.Redis.from_url(valkey.url()).ping()
    with pytest.raises(redis.AuthenticationError):
        redis.Redis.from_url(valkey.url().replace("@", "x@")).ping()


def test_passwords_are_readable_by_their_owner_alone(postgres: Postgres, valkey: Valkey) -> None:
    for path in (postgres.var / "postgres.json", valkey.var / "valkey.json"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_other_commands_read_where_the_servers_are(postgres: Postgres, valkey: Valkey) -> None:
    database, broker = read_urls(postgres.var), read_urls(valkey.var)
    assert database is not None and broker is not None
    assert (database.database_url, database.owner_url) == (postgres.url("app"), postgres.url("owner"))
    assert (database.superuser_url, database.broker_url) == (postgres.url("superuser"), "")
    assert (broker.database_url, broker.broker_url) == ("", valkey.url())


def test_where_nothing_was_started_there_is_nothing_to_read(tmp_path: Path) -> None:
    assert read_urls(tmp_path) is None
    with pytest.raises(EmbeddedServerError, match="never been started"):
        Postgres(tmp_path).url("app")


@pytest.mark.parametrize("end", [Postgres.stop, kill])
def test_a_committed_row_outlives_the_end_of_postgres(postgres: Postgres, end: Callable[[Server], None]) -> None:
    before = postgres.url("owner")
    execute(before, "DROP TABLE IF EXISTS kept; CREATE TABLE kept (x int); INSERT INTO kept VALUES (7)")
    end(postgres)
    postgres.start()
    assert postgres.url("owner") == before
    assert execute(before, "SELECT x FROM kept") == [(7,)]


@pytest.mark.parametrize("end", [Valkey.stop, kill])
def test_a_queued_message_outlives_the_end_of_valkey(valkey: Valkey, end: Callable[[Server], None]) -> None:
    with redis.Redis.from_url(valkey.url()) as client:
        client.delete("queue")
        client.lpush("queue", "message")
        client.execute_command("WAITAOF", 1, 0, 5000)
    end(valkey)
    valkey.start()
    with redis.Redis.from_url(valkey.url()) as client:
        assert client.lrange("queue", 0, -1) == [b"message"]


@pytest.mark.parametrize("kind", [Postgres, Valkey])
def test_a_killed_parent_leaves_nothing_in_the_way(
    fresh: Callable[[str], Path], kind: type[Postgres] | type[Valkey]
) -> None:
    var = fresh("var")
    script = "import os, signal, sys, pathlib; from casino import embedded; "
    script += f"embedded.{kind.__name__}(pathlib.Path(sys.argv[1])).start(); os.kill(os.getpid(), signal.SIGKILL)"
    parent = subprocess.run([sys.executable, "-c", script, str(var)], cwd=ROOT, check=False, timeout=30)
    assert parent.returncode == -signal.SIGKILL
    server = kind(var)
    server.start()
    assert server.process is not None and server.process.poll() is None
    server.stop()


def test_a_start_killed_while_making_its_data_is_made_again(fresh: Callable[[str], Path]) -> None:
    server = Postgres(fresh("var"), fast=True)
    server.start()
    server.stop()
    (server.home / "data").rename(server.home / "data.new")
    (server.home / "data.new" / "global" / "pg_control").unlink()
    server.start()
    assert execute(server.url("app"), "SELECT 1") == [(1,)]
    server.stop()


def test_a_port_that_others_took_meanwhile_is_given_up(fresh: Callable[[str], Path]) -> None:
    server = Valkey(fresh("var"))
    server.start()
    before = server.url()
    server.stop()
    with socket.create_server(("127.0.0.1", int(before.rpartition(":")[2].partition("/")[0]))):
        again = Valkey(server.var)
        again.start()
        assert again.url() != before
        assert redis.Redis.from_url(again.url()).ping()
        again.stop()


def test_servers_start_where_nobody_else_may_look(
    fresh: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "reachable", lambda path: False)  # neither the data nor the installed programs
    var = fresh("closed")
    for server in (Postgres(var, fast=True), Valkey(var)):
        server.start()
        server.stop()


def test_a_lost_password_file_is_said_to_be_lost(fresh: Callable[[str], Path]) -> None:
    server = Postgres(fresh("var"), fast=True)
    server.start()
    server.stop()
    os.unlink(server.var / "postgres.json")
    again = Postgres(server.var, fast=True)
    with pytest.raises(EmbeddedServerError, match=r"postgres\.json does not hold the passwords"):
        again.start()
    again.stop()
