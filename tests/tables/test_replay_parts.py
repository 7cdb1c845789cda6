"""A replay in parts: each done once whoever does it how often, resumable, by workers or here."""

import _thread
import io
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import Error

from casino.celery import app
from casino.embedded import Valkey
from casino.errors import Conflict
from casino.staff.actor import Actor
from tables.management.commands import replay as replay_command
from tables.models import Job, ReplayPart, ReplayRun
from tables.selectors.replays import parts_to_do, progress_of
from tables.services import replays
from tables.services.replays import replay_ask, replay_part_do, replay_resume
from tables.services.room_jobs import day_replay_ask, hand_replay
from tables.tasks import replay_part
from tests.casino.running import ROOT, wait_until
from tests.database import TEST_DATABASE, Server
from tests.ledger.together import together
from tests.people import Cast
from tests.tables.replaying import day_of, play_three_hands, replay


@pytest.fixture
def night(committed_cast: Cast) -> list[UUID]:
    """Three hands, in the order of the deal."""
    return play_three_hands(committed_cast)


@pytest.fixture
def run(committed_cast: Cast, night: list[UUID]) -> ReplayRun:
    """A replay of the night in parts of two hands and of one, neither done."""
    day = day_of(night[0])
    return replay_ask(room=committed_cast.room, day=day, asked_by="a test", hands_a_part=2)


def is_finished(run: ReplayRun) -> bool:
    run.refresh_from_db()
    return run.finished_at is not None


def test_two_presses_at_once_are_one_run_and_a_key_is_of_one_thing(committed_cast: Cast, night: list[UUID]) -> None:
    actor, key, day = Actor.of(committed_cast.cleo), uuid4(), day_of(night[0])
    runs = together([partial(hand_replay, actor=actor, key=key, hand_id=night[0])] * 2)
    assert [getattr(run, "pk", run) for run in runs] == [key] * 2 and ReplayRun.objects.get().finished_at
    with pytest.raises(Conflict, match="used for another action"):
        hand_replay(actor=actor, key=key, hand_id=night[1])
    with pytest.raises(Conflict, match="used for another action"):
        day_replay_ask(actor=actor, key=key, room=committed_cast.room, day=day)
    assert not Job.objects.exists()
    days = together([partial(day_replay_ask, actor=actor, key=uuid4(), room=committed_cast.room, day=day)] * 2)
    assert days[0] == days[1] and Job.objects.count() == 1


def test_parts_hold_every_hand_once_in_the_order_of_table_and_deal(run: ReplayRun, night: list[UUID]) -> None:
    parts = [part.hand_ids for part in run.run_parts.order_by("number")]
    assert parts == [night[:2], night[2:]]
    assert (run.hands, run.parts) == (3, 2)


def test_parts_are_enqueued_once_they_are_committed(committed_cast: Cast, night: list[UUID]) -> None:
    """Whoever is handed a part finds it."""
    found: list[bool] = []
    replay_ask(
        room=committed_cast.room,
        day=day_of(night[0]),
        asked_by="a test",
        hands_a_part=2,
        enqueue=lambda part_id: found.append(replay_part_do(part_id=part_id)),
    )
    assert found == [True, True]


def test_a_day_without_hands_is_finished_at_once(committed_cast: Cast, night: list[UUID]) -> None:
    status, printed = replay("--day", "2001-01-01", "--room", "one", "--here")
    assert (status, is_finished(ReplayRun.objects.get())) == (0, True)
    assert "0 hands settled again" in printed


def test_a_task_that_comes_twice_leaves_one_result(run: ReplayRun, superuser: psycopg.Connection) -> None:
    first, *_ = parts_to_do(run)
    replay_part(part_id=first, added_later="by a newer sender")
    before = ReplayPart.objects.values().get(pk=first)
    superuser.execute("UPDATE tables_verdict SET text = '{}'")
    assert replay_part_do(part_id=first) is False
    assert ReplayPart.objects.values().get(pk=first) == before
    assert before["done_at"] is not None and before["differences"] == []


def settle_and_meet(barrier: Barrier, settle: Any, part: ReplayPart) -> Any:
    result = settle(part)
    barrier.wait(10)
    return result


def test_two_who_do_a_part_at_once_leave_one_result(run: ReplayRun, monkeypatch: pytest.MonkeyPatch) -> None:
    first, *_ = parts_to_do(run)
    monkeypatch.setattr(replays, "_settle", partial(settle_and_meet, Barrier(2), replays._settle))
    assert sorted(together([partial(replay_part_do, part_id=first)] * 2)) == [False, True]
    assert progress_of(run).parts_done == 1


def test_without_the_comparison_the_database_refuses_the_second(
    run: ReplayRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: both write, and the trigger is what is left."""
    first, *_ = parts_to_do(run)
    monkeypatch.setattr(replays, "_settle", partial(settle_and_meet, Barrier(2), replays._settle))

    def keep_always(part_id: int, result: replays.Result) -> bool:
        return bool(ReplayPart.objects.filter(pk=part_id).update(done_at=replays.Now(), **result._asdict()))

    monkeypatch.setattr(replays, "_keep", keep_always)
    answers = together([partial(replay_part_do, part_id=first)] * 2)
    assert [type(answer) for answer in answers if answer is True] == [bool]
    (refused,) = [answer for answer in answers if answer is not True]
    assert isinstance(refused, Error) and "Cannot update rows" in str(refused)


def test_the_application_may_not_change_what_a_part_holds(run: ReplayRun, connect: Any) -> None:
    for statement in ("UPDATE tables_replaypart SET hand_ids = '{}'", "DELETE FROM tables_replaypart"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connect("app").execute(statement)


def test_a_run_is_finished_with_its_last_part_whoever_does_which(run: ReplayRun) -> None:
    parts = parts_to_do(run)
    together([partial(replay_part_do, part_id=part) for part in parts[1:]])
    assert not is_finished(run)
    replay_part_do(part_id=parts[0])
    assert is_finished(run)


def test_a_run_left_after_its_last_part_was_written_is_finished_by_whoever_comes_again(
    run: ReplayRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(replays, "_finish", lambda run_id: None)
        for part in parts_to_do(run):
            replay_part_do(part_id=part)
    assert not is_finished(run)
    assert replay_part_do(part_id=run.run_parts.all()[0].pk) is False
    assert is_finished(run)


def test_a_hand_that_vanished_since_is_named(run: ReplayRun, night: list[UUID], superuser: psycopg.Connection) -> None:
    superuser.execute("DELETE FROM tables_hand WHERE id = %s", [night[2]])
    status, printed = replay("--resume", run.pk, "--here")
    assert status == 1
    assert f"A hand ({night[2]}): it is not stored any more\n" in printed


def test_resuming_does_what_is_left_and_nothing_again(run: ReplayRun) -> None:
    first, *rest = parts_to_do(run)
    replay_part_do(part_id=first)
    done_at = ReplayPart.objects.get(pk=first).done_at
    enqueued: list[int] = []
    assert replay_resume(run=run, enqueue=enqueued.append) == enqueued == rest
    status, printed = replay("--resume", run.pk, "--here")
    assert status == 0
    assert "2 of 2 parts done" in printed and "3 hands settled again: " in printed
    assert ReplayPart.objects.get(pk=first).done_at == done_at
    assert is_finished(run)


def test_ctrl_c_leaves_a_run_to_be_resumed(night: list[UUID], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(parts: list[int]) -> Iterator[int]:
        replay_part_do(part_id=parts[0])
        yield parts[0]
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(replay_command, "replay_parts_here", interrupted)
        status, printed = replay("--day", day_of(night[0]), "--room", "one", "--here", "--parts-of", "2")
    run = ReplayRun.objects.get()
    assert status == 130 and f"replay --resume {run.pk}" in printed
    assert len(parts_to_do(run)) == 1
    assert replay("--resume", run.pk, "--here")[0] == 0


def test_a_broker_that_does_not_answer_is_said_and_the_run_is_there(
    night: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.conf, "broker_url", "redis://127.0.0.1:1/0")
    with pytest.raises(CommandError, match="The broker does not answer"):
        replay("--day", day_of(night[0]), "--room", "one")
    assert replay("--resume", ReplayRun.objects.get().pk, "--here")[0] == 0


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Valkey]:
    """A Valkey of this test's own."""
    tmp_path.chmod(0o755)
    valkey = Valkey(tmp_path / "var")
    valkey.start()
    yield valkey
    valkey.stop()
    shutil.rmtree(valkey.home, ignore_errors=True)


def test_a_worker_does_the_parts_and_before_it_comes_that_is_said(
    night: list[UUID], broker: Valkey, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over a real broker. The worker is a process of its own and starts once it is missed."""
    monkeypatch.setattr(app.conf, "broker_url", broker.url())
    monkeypatch.setattr(replay_command, "PATIENCE_SECONDS", 0.3)
    out = io.StringIO()
    workers: list[subprocess.Popen[bytes]] = []

    def start_worker_once_missed() -> None:
        wait_until(lambda: "No worker is running. Start one with `make run`" in out.getvalue())
        workers.append(start_worker(server.url("app", TEST_DATABASE), broker.url()))

    starting = threading.Thread(target=start_worker_once_missed)
    starting.start()
    # A worker that does nothing must end the test, not hang it.
    giving_up = threading.Timer(40, _thread.interrupt_main)
    giving_up.start()
    try:
        call_command(
            "replay", "--day", str(day_of(night[0])), "--room", "one", "--parts-of", "1", stdout=out, stderr=out
        )
    finally:
        giving_up.cancel()
        starting.join()
        for worker in workers:
            worker.terminate()
            worker.wait(15)
    assert "3 of 3 parts done" in out.getvalue() and "3 hands settled again: records" in out.getvalue()


def start_worker(database_url: str, broker_url: str) -> "subprocess.Popen[bytes]":
    """A Celery worker that greets nobody, since it is alone."""
    command = [sys.executable, "-m", "celery", "--app", "casino", "worker", "--pool", "solo", "--loglevel", "ERROR"]
    command += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    environment = os.environ | {"DATABASE_URL": database_url, "CELERY_BROKER_URL": broker_url}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
