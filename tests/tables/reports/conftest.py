"""The day that is known, played once for a file of tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings

from tests.conftest import empty_tables
from tests.database import Server
from tests.people import make_cast
from tests.tables.reports.day import Day, play_day


@pytest.fixture(scope="module")
def played_day(
    django_db_setup: None, django_db_blocker: Any, server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Day]:
    """The day of ``tests.tables.reports.day``, an ordinary one, committed. No test of such a file has a cast of its own."""
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "LEDGER_KEYS", tmp_path_factory.mktemp("keys"))
        yield play_day(make_cast(), patch)
        empty_tables(server)


@pytest.fixture
def day(played_day: Day, db: None, monkeypatch: pytest.MonkeyPatch) -> Day:
    """The same, in a transaction of the test: what the test does to it is gone afterwards."""
    return replace(played_day, patch=monkeypatch)
