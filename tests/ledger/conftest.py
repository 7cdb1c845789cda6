"""The house, committed: what the ledger promises is promised at commit."""

from collections.abc import Callable

import psycopg
import pytest

from ledger import checks
from tests.ledger.house import House, make_house


@pytest.fixture(autouse=True)
def _the_ledgers_own_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ledger is tested alone: the floors above expect of it what only they bring about."""
    own = {name: each for name, each in checks._validators.items() if each.check.__module__ == checks.__name__}
    monkeypatch.setattr(checks, "_validators", own)


@pytest.fixture
def house(transactional_db: None) -> House:
    """Lin and Park, bought in."""
    return make_house()


@pytest.fixture
def app(connect: Callable[[str], psycopg.Connection]) -> psycopg.Connection:
    """A raw connection with the application's role."""
    return connect("app")


@pytest.fixture
def owner(connect: Callable[[str], psycopg.Connection]) -> psycopg.Connection:
    """A raw connection with the owner's role."""
    return connect("owner")
