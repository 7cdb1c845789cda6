"""Hands are found, sorted and opened: at a desk, and on a phone, where each row is a card."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.signing_in import arrive_signed_in
from tests.people import Cast
from tests.tables.small_day import SmallDay, small_day

Shoot = Callable[[Page, str], None]


@pytest.fixture
def day(committed_cast: Cast, monkeypatch: pytest.MonkeyPatch) -> SmallDay:
    """The day that is asked about."""
    return small_day(committed_cast, monkeypatch)


@pytest.fixture(params=[(1280, 800), (390, 844)], ids=["desktop", "portrait-phone"])
def page(request: pytest.FixtureRequest, day: SmallDay, chromium: Browser, site: str) -> Iterator[Page]:
    """Ada's browser, signed in; an error in a page's script fails the test."""
    width, height = request.param
    context = chromium.new_context(base_url=site, viewport={"width": width, "height": height})
    context.set_default_timeout(15_000)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    opened = context.new_page()
    arrive_signed_in(opened, "1001")
    expect(opened.locator("#board")).to_be_visible()
    yield opened
    context.close()
    assert not errors, errors


def test_a_hand_is_found_by_its_cards_and_opened(page: Page, day: SmallDay, shoot: Shoot) -> None:
    page.get_by_role("navigation", name="Floor").get_by_role("link", name="Hands").click()
    expect(page.get_by_text("No hand of today’s gaming day.")).to_be_visible()
    page.get_by_role("link", name="The last hands: gaming day of").click()
    expect(page.get_by_role("heading", name="10 hands")).to_be_visible()
    shoot(page, "floor/hands-of-a-day")
    page.get_by_role("link", name="In all").click()
    page.get_by_role("link", name="In all").click()
    expect(page.get_by_role("columnheader", name="In all")).to_have_attribute("aria-sort", "ascending")
    page.get_by_text("Time, game, number, cards").click()
    page.get_by_label("Cards, such as As Kd").fill("As Zz")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("Zz is no card.")).to_be_visible()
    page.get_by_label("Cards, such as As Kd").fill("9c 9d")
    page.get_by_label("State").select_option("Settled")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("heading", name="1 hand")).to_be_visible()
    expect(page.get_by_role("link", name="Without: 9c 9d in one hand")).to_be_visible()
    shoot(page, "floor/hands-found-by-cards")
    page.get_by_role("link", name="Without: Settled").click()
    page.get_by_role("link", name="T8, hand 1").click()
    page.wait_for_url(f"**/floor/hands/{day.hands['bank']}/")
