"""Signing in by the tablet's own keys, changing dealers in the middle of a hand, and a screen that locks itself."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.models import Role
from tables.models import Command, TableSession
from tests.people import PIN, Cast, hire
from tests.tables import play

ENTERED = ["As", "Ks"]


@pytest.fixture
def page(committed_cast: Cast, tablet: BrowserContext, site: str) -> Page:
    """The tablet of table 7, where a hand is out; nobody is signed in on it."""
    hire("2002", "Eve", Role.DEALER, room=committed_cast.room)
    play.deal_chinese(committed_cast)
    tablet.add_cookies([{"name": DEVICE_COOKIE, "value": committed_cast.tablet_token, "url": site}])
    page = tablet.new_page()
    page.clock.install()
    page.goto("/tablet/app/")
    return page


def pad(page: Page) -> Locator:
    """The layer that asks for badge and PIN."""
    return page.locator(".sign-in-pad")


def tap(page: Page, digits: str) -> None:
    """Tap digits on the screen's own keys."""
    for digit in digits:
        pad(page).get_by_role("button", name=digit, exact=True).click()


def sign_in(page: Page, badge: str, pin: str = PIN) -> None:
    """Badge, on to the PIN, PIN."""
    tap(page, badge)
    pad(page).get_by_role("button", name="Go on to the PIN").click()
    tap(page, pin)
    pad(page).get_by_role("button", name="Sign in", exact=True).click()


def enter_two_cards(page: Page) -> None:
    """The first two cards of the first seat."""
    for card in ENTERED:
        page.locator(f'.work-side button[data-card="{card}"]').click()


def shows_the_two_cards(page: Page) -> None:
    """What was entered is on the screen, and on the device."""
    kept = page.evaluate(
        """() => new Promise((done) => {
            const opening = indexedDB.open("backline");
            opening.onsuccess = () => {
                const reading = opening.result.transaction("kept").objectStore("kept").getAll();
                reading.onsuccess = () => done(JSON.stringify(reading.result));
            };
        })"""
    )
    assert '["As","Ks",' in kept
    for card in ENTERED:
        expect(page.locator(f'.work-side button[data-card="{card}"]')).to_be_disabled()


def test_signing_in_takes_badge_pin_and_no_page_load(page: Page, shoot: Callable[[Page, str], None]) -> None:
    expect(pad(page)).to_contain_text("T7 · Chinese Poker · Room One")
    shoot(page, "tablet/sign-in")
    page.evaluate("window.isTheSamePage = true")
    sign_in(page, "2001")
    expect(page.locator(".strip-who")).to_have_text("Ben")
    expect(pad(page)).to_be_hidden()
    assert page.evaluate("window.isTheSamePage")
    expect(page.locator(".strip-hand")).to_contain_text("Hand 1")


def test_a_dealer_takes_over_a_hand_that_is_being_entered(page: Page, shoot: Callable[[Page, str], None]) -> None:
    sign_in(page, "2001")
    enter_two_cards(page)
    page.locator(".strip-who").click()
    expect(pad(page)).to_contain_text("Ben is signed in")
    shoot(page, "tablet/next-dealer")
    sign_in(page, "2002")
    expect(page.locator(".strip-who")).to_have_text("Eve")
    shows_the_two_cards(page)
    assert TableSession.objects.values_list("dealer__name", flat=True).get() == "Eve"
    assert Command.objects.filter(verb="session.deal_in").latest("recorded_at").actor.name == "Eve"


def test_a_dealer_who_was_here_before_needs_the_pin_alone(page: Page, shoot: Callable[[Page, str], None]) -> None:
    sign_in(page, "2001")
    page.locator(".strip-who").click()
    sign_in(page, "2002")
    expect(page.locator(".strip-who")).to_have_text("Eve")
    page.locator(".strip-who").click()
    pad(page).get_by_role("button", name="Ben", exact=True).click()
    shoot(page, "tablet/dealt-here-last")
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    shoot(page, "tablet/dealt-here-last-phone-light")
    tap(page, PIN)
    pad(page).get_by_role("button", name="Sign in", exact=True).click()
    expect(page.locator(".strip-who")).to_have_text("Ben")


def test_a_quiet_screen_locks_itself_and_keeps_the_hand(page: Page, shoot: Callable[[Page, str], None]) -> None:
    sign_in(page, "2001")
    enter_two_cards(page)
    page.clock.fast_forward("04:30")
    expect(pad(page)).to_be_hidden()
    page.clock.fast_forward("00:40")
    expect(pad(page)).to_contain_text("Locked")
    shoot(page, "tablet/locked")
    page.keyboard.press("Escape")
    expect(pad(page)).to_be_visible()
    page.reload()
    expect(pad(page)).to_be_visible()
    sign_in(page, "2001")
    expect(page.locator(".strip-who")).to_have_text("Ben")
    shows_the_two_cards(page)


def test_a_screen_without_the_network_does_not_lock(page: Page, tablet: BrowserContext) -> None:
    """Nobody could open it again: a PIN is checked by the server alone."""
    sign_in(page, "2001")
    expect(page.locator(".strip-who")).to_have_text("Ben")
    tablet.set_offline(True)
    page.clock.fast_forward("06:00")
    page.clock.run_for(10_000)
    expect(pad(page)).to_be_hidden()
    expect(page.locator(".strip-who")).to_have_text("Ben")


def test_three_wrong_pins_lock_the_badge_and_say_so(
    page: Page, committed_cast: Cast, shoot: Callable[[Page, str], None]
) -> None:
    sign_in(page, "2001", "1111")
    expect(pad(page).get_by_role("alert")).to_contain_text("Three wrong PINs in a row lock the badge.")
    shoot(page, "tablet/wrong-pin")
    for _ in range(2):
        tap(page, "1111")
        pad(page).get_by_role("button", name="Sign in", exact=True).click()
        expect(pad(page).get_by_label("PIN", exact=True)).to_have_value("")
    expect(pad(page).get_by_role("alert")).to_have_text(re.compile("locked after three wrong tries"))
    tap(page, PIN)
    pad(page).get_by_role("button", name="Sign in", exact=True).click()
    expect(pad(page).get_by_role("alert")).to_have_text(re.compile("locked after three wrong tries"))
    committed_cast.ben.refresh_from_db()
    assert committed_cast.ben.locked_at is not None


def test_a_keyboard_signs_in_too(page: Page) -> None:
    """A badge scanner types digits and Enter; so does who has a keyboard."""
    pad(page).get_by_label("Badge number").fill("2001")
    pad(page).get_by_label("PIN", exact=True).fill(PIN)
    page.keyboard.press("Enter")
    expect(page.locator(".strip-who")).to_have_text("Ben")


def test_every_key_is_large_enough_for_a_thumb(page: Page) -> None:
    expect(pad(page)).to_be_visible()
    boxes = [box for each in pad(page).get_by_role("button").all() if (box := each.bounding_box())]
    assert len(boxes) >= 13 and all(box["width"] >= 48 and box["height"] >= 48 for box in boxes)
