"""A `manage.py up` under test: its screen, its address, its processes, seen from outside."""

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = (
    "DATABASE_URL",
    "DATABASE_OWNER_URL",
    "CELERY_BROKER_URL",
    "BACKLINE_VAR",
    "DJANGO_SECRET_KEY",
    "DJANGO_SETTINGS_MODULE",
)
MEMBERS = ("postgres", "valkey", "web", "worker", "beat")


def outside_settings_removed() -> dict[str, str]:
    """This environment without what would name real servers or another folder."""
    return {name: value for name, value in os.environ.items() if name not in OUTSIDE}


class Up:
    """One `manage.py up`, seen from outside: its screen, its address, its processes."""

    def __init__(self, var: Path, port: int, under: Sequence[str] = ()) -> None:
        """Start it; ``under`` is a program that starts it in its turn, with arguments."""
        self.var, self.port, self.address = var, port, f"http://127.0.0.1:{port}"
        self._screen = var.with_name(f"{var.name}-{time.monotonic_ns()}.txt")
        command = [sys.executable, "manage.py", "up", "--no-demo", "--var", str(var), "--address", f"127.0.0.1:{port}"]
        env = outside_settings_removed()
        with self._screen.open("wb") as screen:
            self.process = subprocess.Popen(
                [*under, *command], cwd=ROOT, env=env, stdout=screen, stderr=subprocess.STDOUT
            )

    @property
    def screen(self) -> str:
        return self._screen.read_text("utf-8")

    def wait_for(self, text: str) -> None:
        wait_until(lambda: text in self.screen or self.process.poll() is not None)
        assert text in self.screen

    def pid(self, member: str, *, after: int = 0) -> int:
        """The member's process, once it runs and is another than ``after``."""
        mark, found = self.var / "run" / f"{member}.pid", 0

        def runs() -> bool:
            nonlocal found
            found = int(mark.read_text("utf-8").split()[0]) if mark.exists() else 0
            return found != after and found in running()

        wait_until(runs)
        return found

    def answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def family(self) -> set[tuple[int, str]]:
        """Every process descended from this one, with its start time so that the number cannot mean another later."""
        parents = {pid: fields[1] for pid, fields in running().items()}
        found = {self.process.pid}
        while more := {pid for pid, parent in parents.items() if int(parent) in found} - found:
            found |= more
        return {(pid, fields[19]) for pid, fields in running().items() if pid in found}

    def end(self) -> int:
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(15)


def running() -> dict[int, list[str]]:
    """The fields of /proc/PID/stat after the name, of every process that has not ended."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text("utf-8", "replace").rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if fields[0] not in "ZX":
            found[int(path.parent.name)] = fields
    return found


def wait_until(condition: Callable[[], bool], seconds: float = 90) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.05)
