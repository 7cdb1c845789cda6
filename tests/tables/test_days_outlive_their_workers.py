"""The end of a gaming day with a real worker behind a real broker, killed at each place where it waits for somebody."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from casino.celery import app
from casino.staff.actor import Actor
from ledger.models import Seal
from tables.models import DayEnd, DayEndPaper, Job, KeptFile, Mail, NumberSeries, ReplayPart, ReplayRun, ReportPrinting
from tables.selectors.jobs import jobs_held
from tables.services.jobs import job_again, jobs_take_up
from tests.casino.running import wait_until
from tests.database import TEST_DATABASE, Server
from tests.people import Cast
from tests.tables.brokers import ValkeyBroker, Workers
from tests.tables.ending_days import a_day_played, ask_tomorrow

Connect = Callable[[str], psycopg.Connection]

pytestmark = pytest.mark.slow  # it starts a broker and workers of its own

_WAITS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database() AND state = 'active'
"""


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[ValkeyBroker]:
    """A broker that runs, and is told of what is asked for here."""
    folder = Path(tempfile.mkdtemp(prefix="backline-broker-"))
    found = ValkeyBroker(folder)
    found.start()
    monkeypatch.setattr(app.conf, "broker_url", found.url)
    monkeypatch.setattr(app.conf, "broker_write_url", None)
    yield found
    found.stop()
    shutil.rmtree(folder)


def wait_for_a_lock(connect: Connect) -> None:
    """Until a worker waits for somebody."""
    watcher = connect("superuser")
    watcher.autocommit = True
    wait_until(lambda: watcher.execute(_WAITS).fetchone() != (0,), 60)


def test_a_worker_killed_half_way_again_and_again_leaves_one_of_each(
    committed_cast: Cast, broker: ValkeyBroker, server: Server, connect: Connect, tmp_path: Path
) -> None:
    """The third death ends the job: somebody has to look, and asks for it again."""
    a_day_played(committed_cast, "gaming-day")
    NumberSeries.objects.create(room=committed_cast.room, kind=NumberSeries.Kind.REPORT, prefix="R-")
    (asked,) = ask_tomorrow()
    for number, lock in enumerate(
        (
            "SELECT pg_advisory_xact_lock(x'7365616C73'::bigint)",  # it is sealing
            "LOCK TABLE tables_replaypart IN SHARE ROW EXCLUSIVE MODE",  # it has checked, and begins to settle
            "SELECT FROM tables_numberseries FOR NO KEY UPDATE",  # it prints
        )
    ):
        (folder := tmp_path / str(number)).mkdir()
        # Held from before the worker begins, so that it comes no further.
        holder = connect("owner")
        holder.execute(lock)
        workers = Workers(broker, server.url("app", TEST_DATABASE), folder, hosts=["a"])
        jobs_take_up()
        wait_for_a_lock(connect)
        os.killpg(workers.processes[0].pid, signal.SIGKILL)
        workers.processes[0].wait(30)
        holder.rollback()
        wait_until(lambda: jobs_held() == set(), 30)
    workers = Workers(broker, server.url("app", TEST_DATABASE), tmp_path, hosts=["b"])
    jobs_take_up()
    wait_until(lambda: Job.objects.get().state == Job.State.FAILED, 60)
    job_again(job_id=asked.job_id, actor=Actor.of(committed_cast.max))
    wait_until(lambda: DayEnd.objects.get().ended_at is not None and Job.objects.get().state == Job.State.DONE, 60)
    workers.end()
    assert Seal.objects.get() == DayEnd.objects.get(pk=asked.pk).seal
    assert (ReplayRun.objects.count(), ReplayPart.objects.count()) == (1, 1)
    printed = list(ReportPrinting.objects.order_by("ordinal").values_list("number", "report"))
    assert printed == [("R-0001", "gaming-day"), ("R-0002", "day-end")]
    assert (DayEndPaper.objects.count(), KeptFile.objects.count(), Mail.objects.count()) == (2, 2, 1)
