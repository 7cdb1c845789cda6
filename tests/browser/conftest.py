"""A real browser against a real server on the tests' database."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.serving import ROOT, open_chromium, serve
from tests.database import TEST_DATABASE, Server

SCREENSHOTS = ROOT / "var" / "screenshots"
SIZES = {"landscape": (1280, 800), "portrait": (768, 1024), "phone": (390, 844)}
TRIED_SIZES = ["landscape", pytest.param("portrait", marks=pytest.mark.slow), "phone"]
"""The widest and the narrowest; what is between them is for the slow run."""
UPRIGHT_TOO = pytest.mark.parametrize("tablet", ["landscape", "portrait"], indirect=True)


@pytest.fixture(scope="session")
def site(server: Server, django_db_setup: None) -> Iterator[str]:
    """The address of a gunicorn that serves the tests' database."""
    with serve(server.url("app", TEST_DATABASE)) as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's Chromium."""
    with open_chromium() as browser:
        yield browser


@pytest.fixture(params=["landscape", pytest.param("portrait", marks=pytest.mark.slow)])
def tablet(request: pytest.FixtureRequest, chromium: Browser, site: str) -> Iterator[BrowserContext]:
    """A browser of a tablet's size with touch; any error in a page's script fails the test.

    Upright too where a test asks for both by ``UPRIGHT_TOO``, else among the slow tests.
    """
    width, height = SIZES[request.param]
    context = chromium.new_context(base_url=site, viewport={"width": width, "height": height}, has_touch=True)
    context.set_default_timeout(10_000)
    with _without_errors(context):
        yield context


@pytest.fixture
def desk(chromium: Browser, site: str) -> Iterator[BrowserContext]:
    """A browser at a desk, which saves files; any error in a page's script fails the test."""
    context = chromium.new_context(base_url=site, viewport={"width": 1280, "height": 800}, accept_downloads=True)
    context.set_default_timeout(20_000)
    with _without_errors(context):
        yield context


@contextmanager
def _without_errors(context: BrowserContext) -> Iterator[None]:
    """Close it at the end, and fail for what a script has stumbled over."""
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield
    context.close()
    assert not errors, errors


@pytest.fixture
def shoot(request: pytest.FixtureRequest) -> Callable[[Page, str], None]:
    """Take a screenshot under var/screenshots; the page must not scroll sideways, and axe, once a page, must find nothing."""
    size = re.search(r"\[(.*)\]", request.node.name)

    def take(page: Page, name: str) -> None:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        suffix = f"-{size[1]}" if size else ""
        page.screenshot(path=SCREENSHOTS / f"{name}{suffix}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "the page scrolls sideways"
        if not size or not size[1].startswith("portrait"):
            findings = Axe().run(page)
            assert findings.violations_count == 0, findings.generate_report()

    return take
