"""The database of the tests: a real PostgreSQL, migrated by the owner's role, used through the application's."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.test import TransactionTestCase
from psycopg import sql

from casino import environment
from tests.database import TEST_DATABASE, Server, start_test_server
from tests.people import Cast, make_cast

# Filled by migrations, not by tests.
KEPT_TABLES = ("django_migrations", "django_content_type", "auth_permission", "ledger_kindrule")
# How large all tables together may grow by what is deleted in them.
FULL_BYTES = 8 * 1024 * 1024


def pytest_configure() -> None:
    """Let static files be looked up when they are asked for; else each test client looks at all of them, to begin with."""
    settings.WHITENOISE_AUTOREFRESH = True


@pytest.fixture(scope="session")
def server() -> Server:
    """The PostgreSQL of this run."""
    return start_test_server()


@pytest.fixture(scope="session")
def django_db_setup(server: Server, django_db_blocker: Any) -> Iterator[None]:
    """A fresh database, made and migrated by the owner. pytest-django's own way would make the application the owner."""
    for alias, role in (("default", "app"), ("owner", "owner")):
        database = environment.postgres(role, server.url(role, TEST_DATABASE))
        connections[alias].close()
        for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT"):
            connections[alias].settings_dict[name] = database[name]
        connections[alias].settings_dict["CONN_MAX_AGE"] = 0
    settings.DATABASE_APP_ROLE = connections["default"].settings_dict["USER"]
    with django_db_blocker.unblock():
        call_command("migrate", verbosity=0)
        TransactionTestCase._fixture_teardown = lambda self: empty_tables(server)
        yield
        connections.close_all()


def empty_tables(server: Server) -> None:
    """Remove all rows after a test that committed: as the superuser, since the application may not and triggers refuse.

    Taking out the few rows of a test costs a seventh of TRUNCATE, which makes every table and index anew; that is done
    when what was deleted begins to fill the tables. Either waits until nobody writes any more.
    """
    with psycopg.connect(server.url("superuser", TEST_DATABASE)) as connection:
        connection.execute("SET session_replication_role = replica")
        found = connection.execute(
            "SELECT relname, pg_relation_size(oid) FROM pg_class"
            " WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> ALL (%s) ORDER BY relname",
            [list(KEPT_TABLES)],
        ).fetchall()
        tables = [sql.Identifier(name) for name, _size in found]
        if sum(size for _name, size in found) > FULL_BYTES:
            connection.execute(sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(tables)))
            return
        connection.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(sql.SQL(", ").join(tables)))
        connection.execute(sql.SQL("; ").join(sql.SQL("DELETE FROM {}").format(table) for table in tables))


@pytest.fixture(autouse=True)
def keys(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the keys that sign seals go in this test, and the last seal: a folder of its own, made with the first key."""
    folder = tmp_path_factory.getbasetemp() / "keys" / uuid4().hex
    monkeypatch.setattr(settings, "LEDGER_KEYS", folder)
    return folder


@pytest.fixture
def superuser(server: Server) -> Iterator[psycopg.Connection]:
    """A connection that may do anything and for which no trigger fires: the hand of somebody who tampers."""
    with psycopg.connect(server.url("superuser", TEST_DATABASE), autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        yield connection


@pytest.fixture
def connect(server: Server) -> Iterator[Callable[[str], psycopg.Connection]]:
    """Raw connections to the tests' database: ``connect("app")``, ``connect("owner")``."""
    opened: list[psycopg.Connection] = []

    def connect_as(role: str) -> psycopg.Connection:
        connection = psycopg.connect(server.url(role, TEST_DATABASE))  # type: ignore[arg-type]
        opened.append(connection)
        return connection

    yield connect_as
    for connection in opened:
        connection.close()


@pytest.fixture
def cast(db: None) -> Cast:
    """The people and tables of Room One, in the test's own transaction."""
    return make_cast()


@pytest.fixture
def committed_cast(transactional_db: None) -> Cast:
    """The same, committed, for tests with threads, servers or raw connections."""
    return make_cast()
