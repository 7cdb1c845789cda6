"""Workers on several hosts behind one broker: each job is done once, whoever takes it, also after the broker was restarted."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import Celery

from casino import health
from casino.celery import app
from ledger.models import Seal
from ledger.tasks import seal_hour
from tests.casino.running import wait_until
from tests.database import TEST_DATABASE, Server
from tests.people import Cast
from tests.tables import play
from tests.tables.brokers import Broker, RabbitBroker, ValkeyBroker, Workers

JOBS = 12


@pytest.fixture(params=[ValkeyBroker, RabbitBroker], ids=["valkey", "rabbitmq"])
def broker(request: pytest.FixtureRequest) -> Iterator[Broker]:
    """A broker that runs."""
    folder = Path(tempfile.mkdtemp(prefix="backline-broker-"))
    found: Broker = request.param(folder)
    found.start()
    yield found
    found.stop()
    shutil.rmtree(folder)


@pytest.fixture
def workers(broker: Broker, server: Server, tmp_path: Path) -> Iterator[Workers]:
    """Two of them, ready."""
    found = Workers(broker, server.url("app", TEST_DATABASE), tmp_path)
    yield found
    found.end()


def send(broker: Broker) -> list[str]:
    """Many at once; the ids."""
    with Celery("sender", broker=broker.url) as sender:
        return sorted(sender.send_task(seal_hour.name).id for _ in range(JOBS))


@pytest.mark.slow  # it starts a broker and two workers, and ends the broker
def test_two_workers_share_out_the_jobs_and_each_is_done_once(
    committed_cast: Cast, broker: Broker, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    play.deal_chinese(committed_cast)
    sent = send(broker)
    wait_until(lambda: len(workers.done()) >= JOBS)
    assert sorted(workers.done()) == sent
    assert all(workers.counted("succeeded")), "one of the two did nothing"
    assert Seal.objects.count() == 1, f"{JOBS} jobs of the same hour made as many seals"

    broker.stop()
    broker.start()
    again = send(broker)
    wait_until(lambda: len(workers.done()) >= 2 * JOBS)
    assert sorted(workers.done()) == sorted(sent + again)
    assert Seal.objects.count() <= 2, "at most the hour has changed"

    monkeypatch.setattr(app.conf, "broker_url", broker.url)
    told = {gauge.name: gauge.value for gauge in health._of_the_broker()}
    assert told == {"broker_up": 1, "queue_length": 0}
