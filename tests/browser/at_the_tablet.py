"""The tablet's app as its dealer opens it: on an enrolled device, signed in, in each of its sizes; and its targets measured."""

from collections.abc import Iterator
from contextlib import contextmanager

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from casino.staff.middleware import DEVICE_COOKIE
from tests.browser.conftest import SCREENSHOTS, SIZES
from tests.people import PIN

# What a thumb can press, in one part of the page: too small, or too near to another one.
TOO_SMALL_OR_NEAR = """
    (root) => {
        const found = [...document.querySelectorAll(`${root} :is(button, a[href], input, select, textarea, summary)`)]
            .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".visually-hidden"))
            .map((each) => ({
                words: each.textContent.trim() || each.getAttribute("aria-label") || each.name,
                box: each.getBoundingClientRect(),
            }));
        const complaints = found
            .filter(({ box }) => box.width < 47.5 || box.height < 47.5)
            .map(({ words, box }) => `${words} is ${box.width} x ${box.height}`);
        for (const [place, one] of found.entries())
            for (const other of found.slice(place + 1)) {
                const across = Math.max(one.box.left - other.box.right, other.box.left - one.box.right);
                const down = Math.max(one.box.top - other.box.bottom, other.box.top - one.box.bottom);
                const apart = Math.max(across, down);
                if (apart < 7.5) complaints.push(`${one.words} and ${other.words} are ${apart} apart`);
            }
        return complaints;
    }
"""


@contextmanager
def app_of(chromium: Browser, site: str, token: str, size: str = "landscape") -> Iterator[Page]:
    """The app in a fresh browser on the device with this token, Ben signed in; any error in a script fails the test."""
    width, height = SIZES[size]
    context = chromium.new_context(base_url=site, viewport={"width": width, "height": height}, has_touch=True)
    context.set_default_timeout(5_000)
    context.add_cookies([{"name": DEVICE_COOKIE, "value": token, "url": site}])
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    page = context.new_page()
    page.goto("/tablet/app/")
    sign_in(page)
    expect(page.locator(".seat").first).to_be_visible()
    try:
        yield page
    finally:
        context.close()
    assert not errors, errors


def sign_in(page: Page, badge: str = "2001") -> None:
    """Badge and PIN, typed into the app as a scanner and a keyboard do."""
    page.get_by_label("Badge number").fill(badge)
    page.get_by_label("PIN", exact=True).fill(PIN)
    page.get_by_label("PIN", exact=True).press("Enter")
    expect(page.locator("#layer")).to_be_hidden()


def all_sent(page: Page) -> None:
    """Wait until the server has answered everything that was pressed; the screen does not wait for it."""
    expect(page.locator(".strip-sent")).to_have_text("all sent", timeout=30_000)


def look(page: Page, name: str, *parts: str) -> None:
    """A screenshot, dark and light: nothing scrolls sideways, axe finds nothing, and every target is large and apart.

    Axe reads each theme in one size: the light one where the tablet stands upright, and nothing again on a phone.
    """
    for theme in ("dark", "light"):
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        page.screenshot(path=SCREENSHOTS / "tablet" / f"{name}-{theme}.png", full_page=True)
        if not name.endswith("phone") and (theme == "light") == name.endswith("portrait"):
            findings = Axe().run(page)
            assert findings.violations_count == 0, findings.generate_report()
    page.evaluate("() => { document.documentElement.dataset.theme = 'dark'; }")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "the page scrolls sideways"
    for part in parts:
        assert page.evaluate(TOO_SMALL_OR_NEAR, part) == [], part
