"""A web server and a browser as they are where Backline runs: for the browser tests, and for what is measured in a browser."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from playwright.sync_api import Browser, sync_playwright

from tests.settings import SECRET_KEY

ROOT = Path(__file__).resolve().parent.parent.parent
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")

# What Playwright turns off in Chromium, of which only the last list counts; and what costs a new window as much as the page
# shown in it: renderers for the list under the address bar, in which nobody types, and for a page that might come next.
FEATURES_OFF = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "SpareRendererForSitePerProcess",
)


class Site:
    """A gunicorn on a database, as `manage.py up` starts it, at one port; in a ``with`` it is there, until it is killed."""

    def __init__(self, database_url: str, port: int) -> None:
        self._database_url, self._port = database_url, port
        self._process: subprocess.Popen[bytes] | None = None
        self.address = f"http://127.0.0.1:{port}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        environment = os.environ | {
            "DATABASE_URL": self._database_url,
            "CELERY_BROKER_URL": "redis://127.0.0.1:1/0",
            "DJANGO_SECRET_KEY": SECRET_KEY,
        }
        command = [sys.executable, "-m", "gunicorn", "casino.wsgi:application", "--bind", f"127.0.0.1:{self._port}"]
        command += ["--threads", "4", "--log-level", "warning"]
        self._process = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True)
        _wait_for(f"{self.address}/healthz")

    def kill(self) -> None:
        """End it and its workers at once, as a power cut does."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            os.killpg(self._process.pid, how)
            self._process.wait(10)
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end(signal.SIGTERM)


@contextmanager
def serve(database_url: str) -> Iterator[str]:
    """The address of a site on that database."""
    with Site(database_url, free_port()) as site:
        yield site.address


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(address: str, seconds: float = 90) -> None:
    """Wait until an address answers. Raises ``TimeoutError``."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(address, timeout=20):
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"{address} does not answer")


@contextmanager
def open_chromium() -> Iterator[Browser]:
    """The system's Chromium, headless."""
    # Playwright's own event loop runs in this thread; the few reads of the database do not disturb it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    program = next((found for name in CHROMIUM_NAMES if (found := shutil.which(name))), None)
    assert program, "No Chromium found: install Debian's package chromium, as `make test` does."
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    arguments.append("--disable-features=" + ",".join(FEATURES_OFF))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()
