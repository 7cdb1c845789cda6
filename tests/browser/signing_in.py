"""Signing the cast in, as they do it on the screen."""

from playwright.sync_api import Page

from tests.people import PASSWORD, PIN


def sign_in_on_the_web(page: Page, badge: str) -> None:
    """Badge and password."""
    page.goto("/sign-in/")
    page.get_by_label("Badge number").fill(badge)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def sign_in_on_the_tablet(page: Page, badge: str) -> None:
    """Badge and PIN, on the page that asks for them."""
    page.get_by_label("Badge number").fill(badge)
    page.get_by_label("PIN").fill(PIN)
    page.get_by_role("button", name="Sign in").click()
