"""Floor called from the tablet, answering from its own page, and approving on the tablet by badge and PIN."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tables.models import CallClose, FloorCall
from tables.selectors.calls import open_calls
from tests.browser.at_the_tablet import all_sent, app_of, look
from tests.browser.conftest import SCREENSHOTS, TRIED_SIZES
from tests.browser.signing_in import arrive_signed_in
from tests.people import PIN, Cast
from tests.tables import play
from tests.tables.calling import answer, call


@pytest.fixture
def page(committed_cast: Cast, chromium: Browser, site: str) -> Iterator[Page]:
    """The app at table 7 with a hand out."""
    play.deal_chinese(committed_cast)
    with app_of(chromium, site, committed_cast.tablet_token) as opened:
        yield opened


@pytest.fixture
def floor(chromium: Browser, site: str) -> Iterator[Page]:
    """Ada's page of all tables."""
    context = chromium.new_context(base_url=site, viewport={"width": 1280, "height": 800})
    context.set_default_timeout(5_000)
    opened = context.new_page()
    arrive_signed_in(opened, "1001")
    expect(opened.locator("#board")).to_be_visible()
    yield opened
    context.close()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def called(page: Page, reason: str = "Decision", note: str = "") -> FloorCall:
    """Floor called with a note, as it is stored."""
    press(page, "Call floor")
    if note:
        page.get_by_label("Note (optional)").fill(note)
    press(page, reason)
    expect(page.locator(".foot-call")).to_contain_text("Floor called")
    return FloorCall.objects.get()


def approve(page: Page, badge: str, pin: str) -> None:
    page.get_by_label("Badge number").fill(badge)
    page.get_by_label("PIN", exact=True).fill(pin)
    press(page, "Approve")


def test_floor_answers_from_its_page_and_the_tablet_shows_who_comes_and_since_when(page: Page, floor: Page) -> None:
    told = called(page, "Dispute", "the middle of seat 2")
    assert (told.reason, told.note, told.hand is not None) == ("dispute", "the middle of seat 2", True)
    alert = floor.locator(".call")
    expect(alert).to_contain_text("Floor called: Dispute")
    expect(alert).to_contain_text("the middle of seat 2")
    expect(alert.locator("time")).to_have_text("0:04")
    floor.screenshot(path=SCREENSHOTS / "tablet" / "call-on-the-floor.png")
    assert Axe().run(floor).violations_count == 0
    press(floor, "I am on my way")
    expect(floor.locator(".call")).to_contain_text("Ada is on the way")
    expect(page.locator(".foot-call")).to_contain_text("Ada is on the way, 0:0")
    page.locator(".foot-call").click()
    expect(page.locator(".call.answered")).to_contain_text("Ada is on the way, 0:05", timeout=15_000)
    look(page, "call-answered", ".layer")
    press(page, "Done: close the call")
    expect(page.locator(".calls .call")).to_have_count(0)
    expect(floor.locator(".call")).to_have_count(0)


def test_the_tables_own_panel_answers_too(page: Page, floor: Page) -> None:
    called(page, "Fill")
    floor.locator(".tile", has_text="T7").click()
    expect(floor.locator("#facts .call")).to_contain_text("Fill")
    expect(floor.locator(".call")).to_have_count(1)
    press(floor, "I am on my way")
    expect(floor.locator("#facts .call")).to_contain_text("Ada is on the way")
    press(floor, "Done: close the call")
    expect(floor.locator(".call")).to_have_count(0)
    assert CallClose.objects.count() == 1


@pytest.mark.parametrize("size", TRIED_SIZES)
def test_the_layer_has_four_large_reasons_and_what_runs(
    committed_cast: Cast, chromium: Browser, site: str, size: str
) -> None:
    session, *_rest = play.deal_chinese(committed_cast)
    with app_of(chromium, site, committed_cast.tablet_token, size) as page:
        press(page, "Call floor")
        for reason in ("Decision", "Fill", "Dispute", "Service"):
            box = page.get_by_role("button", name=reason).bounding_box()
            assert box and box["height"] >= 96
        look(page, f"call-{size}", ".layer")
        answer(committed_cast, call(committed_cast, session, "fill"))
        call(committed_cast, session, "decision", note="two cards on the floor")
        expect(page.locator(".calls .call")).to_have_count(2)
        expect(page.get_by_role("button", name="Fill")).to_be_disabled()
        look(page, f"call-running-{size}", ".layer")


def test_a_supervisor_who_has_come_ends_the_call_by_badge_and_pin(page: Page) -> None:
    told = called(page)
    page.locator(".foot-call").click()
    press(page, "A supervisor is here")
    look(page, "call-approval", ".layer")
    approve(page, "1001", "9999")
    expect(page.locator(".approval").get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("PIN", exact=True)).to_have_value("")
    look(page, "call-approval-refused", ".layer")
    approve(page, "2001", PIN)
    expect(page.locator(".approval").get_by_role("alert")).to_contain_text("another badge and PIN than your own")
    assert open_calls(told.session)
    approve(page, "1001", PIN)
    expect(page.locator(".calls .call")).to_have_count(0)
    all_sent(page)
    closed = CallClose.objects.select_related("command").get()
    assert closed.call_id == told.pk
    assert closed.command.approver is not None
    assert closed.command.approver.name == "Ada"


def test_an_approval_is_not_given_without_a_network_and_its_pin_is_kept_nowhere(page: Page) -> None:
    called(page)
    page.locator(".foot-call").click()
    press(page, "A supervisor is here")
    page.get_by_label("Badge number").fill("1001")
    page.get_by_label("PIN", exact=True).fill(PIN)
    page.context.set_offline(True)
    expect(page.get_by_role("button", name="Approve")).to_be_disabled()
    expect(page.locator(".approval")).to_contain_text("There is no network")
    look(page, "call-approval-offline", ".layer")
    page.context.set_offline(False)
    expect(page.get_by_role("button", name="Approve")).to_be_enabled()
    press(page, "Approve")
    expect(page.locator(".calls .call")).to_have_count(0)
    kept = page.evaluate(
        """async () => {
            const found = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
            for (const { name } of await indexedDB.databases()) {
                const base = await new Promise((done) => {
                    const asked = indexedDB.open(name);
                    asked.onsuccess = () => done(asked.result);
                });
                for (const store of base.objectStoreNames) {
                    const rows = base.transaction(store).objectStore(store).getAll();
                    await new Promise((done) => { rows.onsuccess = done; });
                    found.push(JSON.stringify(rows.result));
                }
            }
            return found.join(" ");
        }"""
    )
    assert "approver_pin" not in kept
    assert f'"{PIN}"' not in kept


def test_a_call_without_a_network_waits_and_goes_out_once(page: Page) -> None:
    page.context.set_offline(True)
    press(page, "Call floor")
    press(page, "Service")
    expect(page.locator(".strip-sent")).to_contain_text("1 not sent")
    page.context.set_offline(False)
    expect(page.locator(".strip-sent")).to_contain_text("all sent")
    expect(page.locator(".foot-call")).to_contain_text("Floor called")
    assert FloorCall.objects.get().reason == "service"
