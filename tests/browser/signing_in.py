"""Signing the cast in, as they do it on the screen."""

from django.conf import settings
from playwright.sync_api import Page, expect

from casino.staff.models import User
from tests.people import PASSWORD, PIN, code_of
from tests.tables.over_http import on_the_web


def sign_in_on_the_web(page: Page, badge: str) -> None:
    """Badge and password, then the code from the phone."""
    page.goto("/sign-in/")
    page.get_by_label("Badge number").fill(badge)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Six digits").fill(code_of(badge))
    page.get_by_role("button", name="Sign in").click()


def arrive_signed_in(page: Page, badge: str) -> None:
    """Where signing in leads, without its two forms: for tests of what comes after."""
    cookie = on_the_web(User.objects.get(badge_number=badge)).cookies[settings.SESSION_COOKIE_NAME]
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "domain": "127.0.0.1", "path": "/"}])
    page.goto("/")


def sign_in_on_the_tablet(page: Page, badge: str) -> None:
    """Badge and PIN, on the keys of the screen that asks for them."""
    pad = page.locator(".sign-in-pad")
    for digits, on in ((badge, "Go on to the PIN"), (PIN, "Sign in")):
        for digit in digits:
            pad.get_by_role("button", name=digit, exact=True).click()
        pad.get_by_role("button", name=on, exact=True).click()
    expect(pad).to_be_hidden()
