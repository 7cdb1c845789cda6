"""The PostgreSQL of the measurements: an embedded one of their own, as durable as the one that `make run` starts.

Its data stay in var/bench/, so that what takes minutes to build is built once.
"""

import atexit
import fcntl
import os
import shutil
from pathlib import Path

import django
import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from psycopg import sql

from casino.embedded import DATABASE, Postgres

VAR = Path(__file__).resolve().parents[2] / "var" / "bench"

_server: Postgres | None = None


def start_server() -> Postgres:
    """The server of the measurements, started once; Django is set up for it."""
    global _server
    if _server is None:
        VAR.mkdir(parents=True, exist_ok=True)
        lock = (VAR / "lock").open("ab")
        fcntl.flock(lock, fcntl.LOCK_EX)  # one run at a time, or they would end each other's server
        atexit.register(lock.close)
        _server = Postgres(VAR)
        atexit.register(_server.stop)
        _server.start()
        os.environ["DATABASE_URL"] = _server.url("app")
        os.environ["DATABASE_OWNER_URL"] = _server.url("owner")
        os.environ["DJANGO_SETTINGS_MODULE"] = "casino.settings"
        django.setup()
    return _server


def open_database(name: str = DATABASE, *, afresh: bool = False) -> str:
    """Let Django use the database ``name`` as the application's role, made where there is none, migrated.

    ``afresh`` empties it first. Seals are signed with keys of its own. Returns its URL for the application's role.
    """
    server = start_server()
    connections.close_all()
    if afresh:
        drop_database(name)
    server.ensure_database(name)
    settings.LEDGER_KEYS = _keys(name)
    os.environ["BACKLINE_KEYS"] = str(settings.LEDGER_KEYS)
    for alias in ("default", "owner"):
        connections[alias].settings_dict["NAME"] = name
    os.environ["DATABASE_URL"], os.environ["DATABASE_OWNER_URL"] = server.url("app", name), server.url("owner", name)
    call_command("migrate", verbosity=0)
    return server.url("app", name)


def drop_database(name: str) -> None:
    """Remove a database and the keys of its seals, if they are there."""
    shutil.rmtree(_keys(name), ignore_errors=True)
    with psycopg.connect(start_server().url("superuser", "postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _keys(name: str) -> Path:
    return VAR / "keys" / name


def databases() -> list[str]:
    """The names of all databases there."""
    with psycopg.connect(start_server().url("superuser", "postgres")) as connection:
        return [name for (name,) in connection.execute("SELECT datname FROM pg_database")]
