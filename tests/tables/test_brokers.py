"""Workers on several hosts behind one broker: each job is done once, whoever takes it, also after the broker was restarted."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from celery import Celery
from django.conf import settings

from casino import health, machine
from casino.celery import app
from casino.embedded import HOST, Valkey
from ledger.models import Seal
from ledger.tasks import seal_hour
from tests.casino.running import ROOT, wait_until
from tests.database import TEST_DATABASE, Server
from tests.people import Cast
from tests.tables import play

JOBS = 12


class Broker(ABC):
    """A broker of the test's own."""

    url: str

    @abstractmethod
    def start(self) -> None: ...

    @abstractmethod
    def stop(self) -> None: ...


class ValkeyBroker(Broker):
    """The embedded one."""

    def __init__(self, folder: Path) -> None:
        self._server = Valkey(folder)

    def start(self) -> None:
        self._server.start()
        self.url = self._server.url()

    def stop(self) -> None:
        self._server.stop()


class RabbitBroker(Broker):
    """The RabbitMQ that is installed on this machine, with data of its own, on ports of its own."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("rabbitmq-server", path=f"{os.environ['PATH']}:/usr/sbin")
        assert program, "Install RabbitMQ for this test: apt-get install --no-install-recommends rabbitmq-server"
        # The package's own wrapper changes to its system user and data; this is what it calls.
        beside = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
        self._program = str(beside if beside.exists() else program)
        port, distribution = machine.free_port(HOST), machine.free_port(HOST)
        self.url = f"amqp://guest:guest@{HOST}:{port}//"
        self._port, self._log = port, folder / "rabbit.log"
        self._env = os.environ | {
            "HOME": str(folder),
            "RABBITMQ_NODENAME": f"backline-{uuid4().hex[:8]}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": HOST,
            "RABBITMQ_NODE_PORT": str(port),
            "RABBITMQ_DIST_PORT": str(distribution),
            "RABBITMQ_MNESIA_BASE": str(folder / "data"),
            "RABBITMQ_LOG_BASE": str(folder / "log"),
            "RABBITMQ_PID_FILE": str(folder / "rabbit.pid"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
            "RABBITMQ_CONFIG_FILE": str(folder / "none"),
            "RABBITMQ_CONF_ENV_FILE": str(folder / "none-env"),
            "ERL_EPMD_ADDRESS": HOST,
            "ERL_EPMD_PORT": str(machine.free_port(HOST)),
        }

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [self._program], env=self._env, stdout=log, stderr=log, start_new_session=True
            )
        wait_until(lambda: self._process.poll() is not None or machine.obstacle(HOST, self._port) is not None)
        assert self._process.poll() is None, self._log.read_text()

    def stop(self) -> None:
        os.killpg(self._process.pid, signal.SIGTERM)
        self._process.wait(60)
        # The port mapper that it has started stays otherwise.
        wait_until(
            lambda: "Killed" in subprocess.run(["epmd", "-kill"], env=self._env, capture_output=True, text=True).stdout
        )


@pytest.fixture(params=[ValkeyBroker, RabbitBroker], ids=["valkey", "rabbitmq"])
def broker(request: pytest.FixtureRequest) -> Iterator[Broker]:
    """A broker that runs."""
    folder = Path(tempfile.mkdtemp(prefix="backline-broker-"))
    found: Broker = request.param(folder)
    found.start()
    yield found
    found.stop()
    shutil.rmtree(folder)


class Workers:
    """Two workers, as on two hosts: processes that share nothing but the broker, the database and the keys."""

    def __init__(self, broker: Broker, database_url: str, folder: Path) -> None:
        self._logs = [folder / f"worker-{host}.log" for host in ("a", "b")]
        env = os.environ | {
            "DATABASE_URL": database_url,
            "CELERY_BROKER_URL": broker.url,
            "BACKLINE_KEYS": str(settings.LEDGER_KEYS),
            "DJANGO_SETTINGS_MODULE": "tests.settings",
        }
        command = [
            sys.executable,
            "-m",
            "celery",
            "--app",
            "casino",
            "worker",
            "--loglevel",
            "INFO",
            "--concurrency",
            "1",
        ]
        self._processes = []
        for log in self._logs:
            with log.open("wb") as output:
                started = subprocess.Popen(
                    [*command, "--hostname", f"{log.stem}@%h"], cwd=ROOT, env=env, stdout=output, stderr=output
                )
            self._processes.append(started)
        wait_until(lambda: self.counted(" ready.") == [1, 1])

    def counted(self, words: str) -> list[int]:
        """How often each has said this."""
        return [log.read_text("utf-8").count(words) for log in self._logs]

    def done(self) -> list[str]:
        """The ids of all jobs that were done, as often as they were done."""
        words = "".join(log.read_text("utf-8") for log in self._logs)
        return re.findall(r"Task ledger\.tasks\.seal_hour\[([0-9a-f-]+)\] succeeded", words)

    def end(self) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.wait(30)


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
