"""What several files of these tests need, and takes long to make."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from casino.staff.models import User
from tests.conftest import empty_tables
from tests.database import Server
from tests.people import make_cast
from tests.tables.over_http import on_the_web
from tests.tables.sealed_night import SealedNight, play_sealed_night


@pytest.fixture
def signed_in() -> Callable[[User], Client]:
    """A browser with somebody signed in on the web."""
    return on_the_web


@pytest.fixture(scope="module")
def sealed_night(
    django_db_setup: None, django_db_blocker: Any, server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SealedNight]:
    """A night under seals, played once for a file of tests. Whoever spoils it puts it back (``rows_kept``).

    The tests do not ask for pytest-django's own fixtures, which would empty the tables after the first of them.
    """
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        keys = tmp_path_factory.mktemp("keys")
        patch.setattr(settings, "LEDGER_KEYS", keys)
        yield play_sealed_night(make_cast(), tmp_path_factory.mktemp("auditor"), keys)
        empty_tables(server)
