"""A real browser against a real server on the tests' database."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.database import TEST_DATABASE, Server

ROOT = Path(__file__).resolve().parent.parent.parent
SCREENSHOTS = ROOT / "var" / "screenshots"
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")

# Playwright's own event loop runs in this thread; the tests' few reads of the database do not disturb it.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def site(server: Server, django_db_setup: None) -> Iterator[str]:
    """The address of a gunicorn that serves the tests' database, as `manage.py up` starts it."""
    port = free_port()
    environment = os.environ | {
        "DATABASE_URL": server.url("app", TEST_DATABASE),
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
        wait_for(f"{address}/healthz")
        yield address
    finally:
        process.terminate()
        process.wait(10)


def wait_for(address: str, seconds: float = 30) -> None:
    """Wait until an address answers. Raises ``TimeoutError``."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"{address} does not answer")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's Chromium, headless."""
    program = next((found for name in CHROMIUM_NAMES if (found := shutil.which(name))), None)
    assert program, "No Chromium found: install Debian's package chromium, as `make test` does."
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()


@pytest.fixture(params=[(1280, 800), (768, 1024)], ids=["landscape", "portrait"])
def tablet(request: pytest.FixtureRequest, chromium: Browser, site: str) -> Iterator[BrowserContext]:
    """A browser of a tablet's size with touch, in both positions; any error in a page's script fails the test."""
    width, height = request.param
    context = chromium.new_context(base_url=site, viewport={"width": width, "height": height}, has_touch=True)
    context.set_default_timeout(10_000)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield context
    context.close()
    assert not errors, errors


@pytest.fixture
def shoot(request: pytest.FixtureRequest) -> Callable[[Page, str], None]:
    """Take a screenshot under var/screenshots; the page must not scroll sideways, and axe must find nothing."""
    size = re.search(r"\[(.*)\]", request.node.name)

    def take(page: Page, name: str) -> None:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        suffix = f"-{size[1]}" if size else ""
        page.screenshot(path=SCREENSHOTS / f"{name}{suffix}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "the page scrolls sideways"
        findings = Axe().run(page)
        assert findings.violations_count == 0, findings.generate_report()

    return take
