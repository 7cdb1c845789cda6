"""Jobs with real workers behind a real broker: killed, told twice, cancelled, and with the broker gone for a while."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from celery import Celery

from casino.celery import app
from casino.staff.actor import Actor
from tables.models import Job, KeptFile
from tables.services.jobs import DO_JOB, job_ask, job_cancel, jobs_take_up
from tests.casino.running import wait_until
from tests.database import TEST_DATABASE, Server
from tests.people import Cast
from tests.tables.brokers import Broker, RabbitBroker, ValkeyBroker, Workers
from tests.tables.jobbing import ask_for

State = Job.State
SLOW = pytest.mark.slow  # they start brokers and workers of their own


@pytest.fixture(params=[ValkeyBroker, pytest.param(RabbitBroker, marks=SLOW)], ids=["valkey", "rabbitmq"])
def broker(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Broker]:
    """A broker that runs, and is told of what is asked for here."""
    folder = Path(tempfile.mkdtemp(prefix="backline-broker-"))
    found: Broker = request.param(folder)
    found.start()
    monkeypatch.setattr(app.conf, "broker_url", found.url)
    yield found
    found.stop()
    shutil.rmtree(folder)


Start = Callable[..., Workers]


@pytest.fixture
def start(committed_cast: Cast, broker: Broker, server: Server, tmp_path: Path) -> Iterator[Start]:
    """Starts workers, each of a host of its own, and ends them with the test."""
    started: list[Workers] = []

    def begin(*hosts: str) -> Workers:
        url = server.url("app", TEST_DATABASE)
        started.append(Workers(broker, url, tmp_path, app="tests.tables.working", hosts=hosts))
        return started[-1]

    yield begin
    for workers in started:
        workers.end()


def ask(folder: Path) -> Job:
    return job_ask(kind="trial", key=uuid4().hex, asked={"folder": str(folder)})


def tell_again(*jobs: Job) -> None:
    """The same message once more, as a broker may that has lost its memory of the first."""
    with Celery("sender", broker=app.conf.broker_url) as sender:
        for job in jobs:
            sender.send_task(DO_JOB, kwargs={"job_id": str(job.pk)})


def begun(folder: Path, attempt: int) -> int:
    """The process that does it, once the attempt has begun."""
    mark = folder / f"begun-{attempt}"
    wait_until(lambda: mark.exists() and mark.read_text("utf-8") != "", 30)
    return int(mark.read_text("utf-8"))


def wait_for(job: Job, state: State) -> Job:
    wait_until(lambda: Job.objects.get(pk=job.pk).state == state, 30)
    return Job.objects.get(pk=job.pk)


def files(job: Job) -> dict[str, bytes]:
    return {file.name: bytes(file.content) for file in KeptFile.objects.filter(job=job)}


def kill_host_of(workers: Workers, pid: int) -> None:
    """End a worker with all its processes at once, as when its host loses power."""
    (host,) = {process for process in workers.processes if os.getpgid(pid) == process.pid}
    os.killpg(host.pid, signal.SIGKILL)
    host.wait(30)


def test_a_job_whose_process_is_killed_half_way_runs_again_and_there_is_one_result(
    start: Start, tmp_path: Path
) -> None:
    worker = start("a")
    job = ask(tmp_path)
    os.kill(begun(tmp_path, 1), signal.SIGKILL)
    begun(tmp_path, 2)
    tell_again(job)
    (tmp_path / "go-on").touch()
    wait_until(lambda: worker.counted("succeeded") == [2], 30)
    assert wait_for(job, State.DONE).attempts == 2
    assert files(job) == {"part.txt": b"made by attempt 1", "whole.txt": b"figures"}


@SLOW
def test_a_host_that_dies_leaves_its_job_to_another(start: Start, tmp_path: Path) -> None:
    """RabbitMQ gives the message to another at once, Redis after an hour; the timetable looks at the lock."""
    workers = start("a", "b")
    job = ask(tmp_path)
    pid = begun(tmp_path, 1)
    assert jobs_take_up() == [], "somebody does it"
    kill_host_of(workers, pid)
    wait_until(lambda: jobs_take_up() == [job.pk] or Job.objects.get().attempts == 2, 30)
    begun(tmp_path, 2)
    (tmp_path / "go-on").touch()
    assert wait_for(job, State.DONE).attempts == 2
    assert files(job) == {"part.txt": b"made by attempt 1", "whole.txt": b"figures"}


@SLOW
def test_two_workers_share_out_jobs_that_are_told_twice_and_each_is_done_once(start: Start, tmp_path: Path) -> None:
    workers = start("a", "b")
    (tmp_path / "go-on").touch()
    jobs = [ask(tmp_path) for _job in range(6)]
    tell_again(*jobs)
    wait_until(lambda: sum(workers.counted("succeeded")) == 12, 30)
    assert all(workers.counted("succeeded")), "one of the two did nothing"
    assert [Job.objects.get(pk=job.pk).attempts for job in jobs] == [1] * 6
    assert KeptFile.objects.count() == 12


@SLOW
def test_what_kills_every_process_is_given_up_and_says_so(start: Start, tmp_path: Path) -> None:
    start("a")
    (tmp_path / "deadly").touch()
    job = wait_for(ask(tmp_path), State.FAILED)
    assert job.attempts == 3 and "memory" in job.last_error and list(files(job)) == ["part.txt"]


@SLOW
def test_cancelled_while_a_worker_does_it(committed_cast: Cast, start: Start, tmp_path: Path) -> None:
    start("a")
    job = ask(tmp_path)
    begun(tmp_path, 1)
    assert job_cancel(job_id=job.pk, actor=Actor.of(committed_cast.max)).state == State.RUNNING
    assert list(files(wait_for(job, State.CANCELLED))) == ["part.txt"]


@SLOW
def test_a_broker_that_was_away_loses_no_job(
    committed_cast: Cast, broker: Broker, start: Start, tmp_path: Path
) -> None:
    """One job runs while the broker goes, one is asked for while it is away; both are done after it is back."""
    start("a", "b")
    runs = ask(tmp_path)
    begun(tmp_path, 1)
    broker.stop()
    asked = ask_for(committed_cast.cleo, day="2026-02-03")
    assert asked.state == State.WAITING and Job.objects.get(pk=asked.pk).sent_at is None
    broker.start()
    assert jobs_take_up() == [asked.pk]
    (tmp_path / "go-on").touch()
    wait_for(runs, State.DONE)
    wait_for(asked, State.DONE)
    assert list(files(asked)) == ["gaming-day-one-2026-02-03.csv"]
    assert [Job.objects.get(pk=job.pk).attempts for job in (runs, asked)] == [1, 1]
