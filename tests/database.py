"""The PostgreSQL that the tests use: an embedded one of this test run's own, or the one DATABASE_OWNER_URL names.

An embedded server has a folder of its own under var/test/, so that test runs side by side do not meet, and
goes with the run. What a killed run left there is cleared by the next.
"""

import atexit
import fcntl
import os
import shutil
import tempfile
from pathlib import Path
from typing import IO, Protocol
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from casino.embedded import DATABASE, Postgres, Role

# Processes that share out a run have a database each.
TEST_DATABASE = "_".join(filter(None, ("test_backline", os.environ.get("PYTEST_XDIST_WORKER"))))
VAR = Path(__file__).resolve().parent.parent / "var" / "test"


class Server(Protocol):
    """What tests ask of their server, whoever started it."""

    def url(self, role: Role, database: str = ...) -> str: ...

    def ensure_database(self, name: str) -> None: ...


class ExternalServer:
    """A server that the environment names: DATABASE_OWNER_URL may create databases, DATABASE_URL is the application's.

    DATABASE_SUPERUSER_URL is for the tests that tamper as the superuser does; the owner's stands in for it.
    """

    def __init__(self) -> None:
        owner = os.environ["DATABASE_OWNER_URL"]
        self._urls: dict[Role, str] = {
            "owner": owner,
            "app": os.environ.get("DATABASE_URL", owner),
            "superuser": os.environ.get("DATABASE_SUPERUSER_URL", owner),
        }

    def url(self, role: Role, database: str = DATABASE) -> str:
        """Where ``role`` finds ``database``."""
        return urlsplit(self._urls[role])._replace(path=f"/{database}").geturl()

    def ensure_database(self, name: str) -> None:
        """Make the database ``name`` unless it is there; the application's role may connect."""
        with psycopg.connect(self._urls["owner"], autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))


_server: Server | None = None


def start_test_server() -> Server:
    """The run's server with a fresh, empty ``TEST_DATABASE``, owned by the owner's role. Starts it once."""
    global _server
    if _server is None:
        _server = ExternalServer() if "DATABASE_OWNER_URL" in os.environ else _start_embedded()
        with psycopg.connect(_server.url("superuser", "postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(TEST_DATABASE)))
        _server.ensure_database(TEST_DATABASE)
    return _server


def _start_embedded() -> Postgres:
    VAR.mkdir(parents=True, exist_ok=True)
    with (VAR / "lock").open("ab") as sweeping:
        fcntl.flock(sweeping, fcntl.LOCK_EX)
        for folder in VAR.glob("run-*"):
            if lock := _lock(folder):
                leftover = Postgres(folder, fast=True)
                leftover.end_leftover()
                _remove(leftover, lock)
        folder = Path(tempfile.mkdtemp(prefix="run-", dir=VAR))
        folder.chmod(0o755)
        lock = _lock(folder)
    assert lock is not None, "a folder just made is nobody else's"
    server = Postgres(folder, fast=True)
    atexit.register(_remove, server, lock)
    atexit.register(server.stop)
    server.start()
    with psycopg.connect(server.url("superuser", "postgres"), autocommit=True) as connection:
        # What tests delete stays where it was, so that rows lie in the order in which they came, run after run.
        connection.execute("ALTER SYSTEM SET autovacuum = off")
        connection.execute("SELECT pg_reload_conf()")
    return server


def _lock(folder: Path) -> IO[bytes] | None:
    """Take a run's folder, or None while its run goes on. The kernel frees it when the run ends, however it ends."""
    lock = (folder / "lock").open("ab")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    return lock


def _remove(server: Postgres, lock: IO[bytes]) -> None:
    if server.home.exists():
        shutil.rmtree(server.home)
    shutil.rmtree(server.var)
    lock.close()
