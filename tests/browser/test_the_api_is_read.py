"""The API's document in a browser: shown from this host alone, under its policy, and tried with a read."""

from playwright.sync_api import BrowserContext, expect

from tests.browser.signing_in import arrive_signed_in
from tests.people import Cast


def test_the_document_is_shown_and_a_read_is_tried(committed_cast: Cast, tablet: BrowserContext) -> None:
    page = tablet.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    arrive_signed_in(page, "1001")
    page.goto("/api/docs/")
    expect(page.get_by_text("/api/v1/do/hand.start/")).to_be_visible()
    page.get_by_text("/api/v1/rooms/").click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    expect(page.locator(".live-responses-table").get_by_text("Room One").first).to_be_visible()
    assert said == []
    assert len(hosts) == 1
