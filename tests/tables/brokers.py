"""Brokers of the tests' own, and workers behind them, as on several hosts."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from uuid import uuid4

from django.conf import settings

from casino import machine
from casino.embedded import HOST, Valkey
from tests.casino.running import ROOT, wait_until


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


class Workers:
    """A worker a host: processes that share nothing but the broker, the database and the keys.

    ``app`` names what they work for: the product, or what a test adds to it.
    """

    def __init__(
        self, broker: Broker, database_url: str, folder: Path, app: str = "casino", hosts: Sequence[str] = ("a", "b")
    ) -> None:
        self._logs = [folder / f"worker-{host}.log" for host in hosts]
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
            "--skip-checks",
            "--app",
            app,
            "worker",
            "--loglevel",
            "INFO",
            "--concurrency",
            "1",
        ]
        self.processes = []
        for log in self._logs:
            with log.open("wb") as output:
                started = subprocess.Popen(
                    [*command, "--hostname", f"{log.stem}@%h"],
                    cwd=ROOT,
                    env=env,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                )
            self.processes.append(started)
        wait_until(lambda: all(self.counted(" ready.")) or any(each.poll() is not None for each in self.processes))
        assert all(self.counted(" ready.")), self.said

    def counted(self, words: str) -> list[int]:
        """How often each has said this."""
        return [log.read_text("utf-8").count(words) for log in self._logs]

    @property
    def said(self) -> str:
        """All that they have said."""
        return "".join(log.read_text("utf-8") for log in self._logs)

    def done(self) -> list[str]:
        """The ids of all jobs that were done, as often as they were done."""
        return re.findall(r"Task ledger\.tasks\.seal_hour\[([0-9a-f-]+)\] succeeded", self.said)

    def end(self) -> None:
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:  # a test has failed and left it waiting
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(30)
