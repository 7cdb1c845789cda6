"""A web server and a browser as they are where Backline runs: for the browser tests, and for what is measured in a browser."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def serve(database_url: str) -> Iterator[str]:
    """The address of a gunicorn on that database, as `manage.py up` starts it."""
    port = _free_port()
    environment = os.environ | {
        "DATABASE_URL": database_url,
        "CELERY_BROKER_URL": "redis://127.0.0.1:1/0",
        "DJANGO_SECRET_KEY": "a key for the browser tests",
    }
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "casino.wsgi:application",
        "--bind",
        f"127.0.0.1:{port}",
        "--threads",
        "4",
    ]
    process = subprocess.Popen([*command, "--log-level", "warning"], cwd=ROOT, env=environment)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{address}/healthz")
        yield address
    finally:
        process.terminate()
        process.wait(10)


def _free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(address: str, seconds: float = 30) -> None:
    """Wait until an address answers. Raises ``TimeoutError``."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(address, timeout=2):
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
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()
