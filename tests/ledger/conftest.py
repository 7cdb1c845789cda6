"""The house, committed: what the ledger promises is promised at commit."""

from collections.abc import Callable, Iterator
from uuid import UUID

import psycopg
import pytest

from ledger import checks, witnesses
from tests.database import TEST_DATABASE, Server
from tests.ledger.house import House, make_house


@pytest.fixture(autouse=True)
def _the_ledgers_own_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ledger is tested alone: the floors above expect of it what only they bring about."""
    own = {name: each for name, each in checks._validators.items() if each.check.__module__ == checks.__name__}
    monkeypatch.setattr(checks, "_validators", own)


@pytest.fixture(autouse=True, scope="package")
def _collections_for_no_hand(server: Server, django_db_setup: None) -> Iterator[None]:
    """The ledger alone knows no hands, so the floor above's trigger on collections rests while it is tested."""
    with psycopg.connect(server.url("owner", TEST_DATABASE), autocommit=True) as connection:
        connection.execute("ALTER TABLE ledger_transaction DISABLE TRIGGER tables_flat_collection")
        yield
        connection.execute("ALTER TABLE ledger_transaction ENABLE TRIGGER tables_flat_collection")


@pytest.fixture
def committed_house(transactional_db: None) -> House:
    """Lin and Park, bought in."""
    return make_house()


@pytest.fixture
def house(committed_house: House) -> House:
    """The same. Tests for which it need not be committed have one of their own under this name."""
    return committed_house


@pytest.fixture
def app(connect: Callable[[str], psycopg.Connection]) -> psycopg.Connection:
    """A raw connection with the application's role."""
    return connect("app")


@pytest.fixture
def owner(connect: Callable[[str], psycopg.Connection]) -> psycopg.Connection:
    """A raw connection with the owner's role."""
    return connect("owner")


@pytest.fixture
def archive(monkeypatch: pytest.MonkeyPatch) -> dict[UUID, str]:
    """Where the documents behind notes are kept here, by command."""
    kept: dict[UUID, str] = {}
    monkeypatch.setattr(witnesses, "_witnesses", [lambda commands: {key: kept[key] for key in commands if key in kept}])
    return kept
