"""Reports and replays come from a real replica, where ``REPORTS_DATABASE_URL`` names one, and say how far it is behind."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from casino import environment
from casino.embedded import Postgres
from casino.errors import Busy
from casino.replica import REPORTS, lag_seconds, replica_read
from tables.models import ReplayPart, ReplayRun, ReportPrinting, Sitting
from tables.services.replays import replay_ask, replay_part_do
from tests.casino.replica import Replica, replica_of
from tests.casino.running import wait_until
from tests.database import TEST_DATABASE, Server
from tests.tables import play
from tests.tables.over_http import on_the_web
from tests.tables.reports.day import Day, at
from tests.tables.reports.reading import get, text_of_pdf

pytestmark = pytest.mark.slow  # a server of its own that follows the one of the tests


@pytest.fixture(scope="module")
def followed(played_day: Day, server: Server) -> Iterator[Replica]:
    """The replica of the server of the tests."""
    assert isinstance(server, Postgres), (
        "run these tests without DATABASE_OWNER_URL: they need a server they may follow"
    )
    with replica_of(server) as replica:
        yield replica


@pytest.fixture
def replica(followed: Replica, django_db_blocker: Any) -> Iterator[Replica]:
    """The same, named as the place that reports are read from. What a test writes stays until the file's end."""
    found = environment.postgres("REPORTS_DATABASE_URL", followed.url("app", TEST_DATABASE))
    connections.settings[REPORTS] = connections.settings["default"] | found
    with django_db_blocker.unblock():
        wait_until(lambda: lag_seconds(REPORTS) == 0)
        yield followed
        connections[REPORTS].close()
    del connections[REPORTS], connections.settings[REPORTS]


def superuser(replica: Replica, statement: str) -> None:
    with psycopg.connect(replica.url("superuser"), autocommit=True) as following:
        following.execute(statement)


def test_a_report_read_from_a_replica_says_how_far_it_is_behind_and_has_what_the_replica_has(
    played_day: Day, replica: Replica
) -> None:
    client, asked = on_the_web(played_day.cast.cleo), {"day": (played_day.day + timedelta(days=1)).isoformat()}
    assert "a replica that is not behind" in get(client, "buy-ins", "csv", **asked).decode()
    superuser(replica, "SELECT pg_wal_replay_pause()")
    try:
        with at(played_day.patch, played_day.end + timedelta(hours=2)):
            play.sit(played_day.cast, played_day.pai_gow, 3, "P3", 21_300)
        time.sleep(1.1)
        behind = get(client, "buy-ins", "csv", **asked).decode()
        with replica_read(up_to_date=True) as seconds:
            assert seconds is None and Sitting.objects.filter(buy_ins__amount_cents=21_300).exists()
        assert "213.00" not in behind
        assert "a replica that is 0:00:" in behind and "what was recorded since then is not in it" in behind
    finally:
        superuser(replica, "SELECT pg_wal_replay_resume()")
    wait_until(lambda: Sitting.objects.using(REPORTS).filter(buy_ins__amount_cents=21_300).exists())
    assert "213.00" in get(client, "buy-ins", "csv", **asked).decode()
    with replica_read(up_to_date=True) as seconds:
        assert seconds == 0


def test_what_a_printing_notes_is_written_where_everything_is_written(played_day: Day, replica: Replica) -> None:
    before = ReportPrinting.objects.count()
    paper = text_of_pdf(get(on_the_web(played_day.cast.cleo), "shift", "pdf", day=played_day.day.isoformat()))[1]
    assert "a replica that is not behind" in paper and f"R-{before + 1:04}" in paper
    assert connection.alias == "default" and ReportPrinting.objects.count() == before + 1


def test_a_replay_settles_what_the_replica_has_and_reads_the_primary_for_what_it_has_not_yet(
    played_day: Day, replica: Replica
) -> None:
    run = asked_replay(played_day)
    wait_until(lambda: ReplayPart.objects.using(REPORTS).filter(run=run).exists())
    assert "tables_hand h" in statements_of(run)
    superuser(replica, "SELECT pg_wal_replay_pause()")
    try:
        later = asked_replay(played_day)
        assert "tables_hand h" not in statements_of(later)
    finally:
        superuser(replica, "SELECT pg_wal_replay_resume()")
    for each in (run, later):
        part = each.run_parts.get()
        assert each.hands > 0 and part.differences == []


def asked_replay(day: Day) -> ReplayRun:
    return replay_ask(room=day.cast.room, day=day.day, asked_by="a test")


def statements_of(run: ReplayRun) -> str:
    """What was asked of the replica while the run's one part was done."""
    with CaptureQueriesContext(connections[REPORTS]) as captured:
        assert replay_part_do(part_id=run.run_parts.get().pk)
    return "\n".join(query["sql"] for query in captured)


def test_a_replica_that_is_away_is_said_and_what_is_no_report_goes_on(played_day: Day, replica: Replica) -> None:
    client = on_the_web(played_day.cast.cleo)
    away = connections.settings[REPORTS] | {"PORT": "1"}
    connections[REPORTS].close()
    connections.settings[REPORTS], kept = away, connections.settings[REPORTS]
    del connections[REPORTS]
    refused = client.get("/audit/reports/shift/")
    assert refused.status_code == 503
    assert "does not answer. Try again; tell whoever runs the servers if it stays away." in refused.content.decode()
    assert client.get("/audit/reports/").status_code == 200
    with replica_read(up_to_date=True) as seconds:
        assert seconds is None, "a day's papers do not wait for it"
    del connections[REPORTS]
    connections.settings[REPORTS] = kept
    assert client.get("/audit/reports/shift/").status_code == 200


def test_reading_that_the_replica_gives_up_is_said(played_day: Day, replica: Replica) -> None:
    """A replica ends a reading that keeps it from following, as PostgreSQL calls it: a conflict with recovery."""
    with pytest.raises(Busy, match="had to catch up and gave this one up"), replica_read() as behind:
        assert behind is not None
        with connection.cursor() as cursor:
            cursor.execute("DO $$ BEGIN RAISE EXCEPTION 'conflict with recovery' USING ERRCODE = '40001'; END $$")
    assert connection.alias == "default"
