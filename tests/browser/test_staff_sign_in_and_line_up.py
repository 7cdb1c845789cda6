"""A supervisor's evening: the phone set up, the line-up kept, a tablet enrolled by a code, a PIN set anew; large and small."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from casino.staff.models import Role, SecondFactor, SignInEvent, User, What
from tables.services.line_up import staff_come_on
from tables.services.sessions import session_deal_in
from tests.people import PASSWORD, Cast, code_of, hire, order, phone_shows
from tests.tables import play

Shoot = Callable[[Page, str], None]
SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
ASKED_EVERY_MS = 5_000


@pytest.fixture
def browser_of(chromium: Browser, site: str) -> Iterator[Callable[[str], BrowserContext]]:
    """A fresh browser of a size; any error in a page's script fails the test."""
    opened: list[BrowserContext] = []
    errors: list[str] = []

    def open_one(size: str) -> BrowserContext:
        width, height = SIZES[size]
        context = chromium.new_context(base_url=site, viewport={"width": width, "height": height})
        context.set_default_timeout(15_000)
        context.on("weberror", lambda error: errors.append(str(error.error)))
        opened.append(context)
        return context

    yield open_one
    for context in opened:
        context.close()
    assert not errors, errors


def test_a_phone_is_set_up_and_the_line_up_kept(
    committed_cast: Cast, browser_of: Callable[[str], BrowserContext], shoot: Shoot
) -> None:
    cast = committed_cast
    SecondFactor.objects.filter(pk=cast.max.pk).delete()
    for badge, name in (("2002", "Eve Tran"), ("2003", "Fay Okafor"), ("2004", "Gil Reyes"), ("2005", "Hoa Pham")):
        hire(badge, name, Role.DEALER, room=cast.room)
    page = browser_of("desktop").new_page()
    set_up_a_phone(page, shoot)
    keep_the_line_up(cast, page)
    shoot(page, "floor/staff-line-up-desktop")
    a_new_pin(cast, page, shoot)
    a_tablet_by_code(page, browser_of("phone").new_page(), shoot)

    small = browser_of("phone").new_page()
    small.goto("/sign-in/")
    small.get_by_label("Badge number").fill("1001")
    small.get_by_label("Password").fill(PASSWORD)
    small.keyboard.press("Enter")
    expect(small.get_by_label("Six digits")).to_be_focused()
    shoot(small, "floor/second-factor-code-phone")
    small.get_by_label("Six digits").fill(code_of("1001"))
    small.get_by_role("button", name="Sign in").dblclick()
    expect(small.get_by_role("heading", name="Room One")).to_be_visible()
    wrong = SignInEvent.objects.filter(user=cast.ada).exclude(what=What.SIGNED_IN)
    assert not wrong.exists(), "a code tapped twice is sent once"
    small.goto("/floor/staff/")
    expect(small.get_by_role("heading", name="Staff of Room One")).to_be_visible()
    shoot(small, "floor/staff-line-up-phone")


def set_up_a_phone(page: Page, shoot: Shoot) -> None:
    """Max signs in for the first time, with the keyboard alone."""
    page.goto("/floor/staff/")
    expect(page.get_by_label("Badge number")).to_be_focused()
    page.keyboard.type("4001")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Set up your phone")).to_be_visible()
    shoot(page, "floor/second-factor-enrol-desktop")
    page.get_by_text("No camera?").click()
    secret = page.locator("#secret").inner_text().replace(" ", "")
    page.get_by_label("Six digits").fill(phone_shows(secret))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Staff of Room One")).to_be_visible()


def keep_the_line_up(cast: Cast, page: Page) -> None:
    """Ben deals, Eve is on a break, Fay is next in. What others do shows by itself, but not while somebody chooses."""
    page.clock.install()
    session = play.open_chinese(cast)
    staff_come_on(order(cast.floor), room="one", badge="2001")
    session_deal_in(order(cast.dealer), session_id=session.pk)
    line_up = page.get_by_role("region", name="Line-up")
    for name in ("Eve Tran · 2002", "Fay Okafor · 2003"):
        page.get_by_label("Comes on").select_option(label=name)
        page.get_by_role("button", name="Put on the line-up").click()
        expect(line_up.get_by_role("link", name=name.split(" ·")[0])).to_be_visible()
    line_up.get_by_label("Minutes of the break of Eve Tran").fill("15")
    line_up.get_by_role("button", name="min break Eve Tran").click()
    expect(line_up.get_by_role("button", name="Back Eve Tran")).to_be_visible()
    expect(line_up.get_by_text("not in the line-up")).to_have_count(0)
    page.get_by_label("Comes on").select_option(label="Gil Reyes · 2004")
    staff_come_on(order(cast.floor), room="one", badge="2005")
    page.clock.fast_forward(ASKED_EVERY_MS)
    page.wait_for_timeout(500)
    expect(page.get_by_label("Comes on")).to_have_value("2004")
    expect(line_up.get_by_role("link", name="Hoa Pham")).to_have_count(0)
    page.get_by_label("Comes on").select_option(index=0)
    page.get_by_label("Comes on").blur()
    page.clock.fast_forward(ASKED_EVERY_MS)
    expect(line_up.get_by_role("link", name="Hoa Pham")).to_be_visible()


def a_new_pin(cast: Cast, page: Page, shoot: Shoot) -> None:
    """Ben has forgotten the PIN: refused while the two differ, then set."""
    page.get_by_role("region", name="People").get_by_role("link", name="Ben").click()
    for again in ("97532", "97531"):
        page.get_by_label("New PIN").fill("97531")
        page.get_by_label("Once more").fill(again)
        page.get_by_role("button", name="Set the new PIN").click()
        if again == "97532":
            expect(page.get_by_role("alert")).to_have_text("The two PINs differ. Type the same one twice.")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert User.objects.get(pk=cast.ben.pk).check_pin("97531")
    shoot(page, "floor/staff-person-desktop")
    page.get_by_role("link", name="Back to staff").click()


def a_tablet_by_code(page: Page, tablet: Page, shoot: Shoot) -> None:
    """Max makes a code, and it is typed on another browser, wrongly first."""
    page.get_by_text("A code for a new tablet").click()
    page.get_by_role("button", name="Code for T8").click()
    code = page.locator("#digits").inner_text()
    shoot(page, "floor/staff-code-desktop")
    tablet.goto("/tablet/enrol/")
    for digits in ("0000 0000", code):
        tablet.get_by_label("Eight digits").fill(digits)
        tablet.keyboard.press("Enter")
        if digits != code:
            expect(tablet.get_by_role("alert")).to_contain_text("This code is wrong")
            shoot(tablet, "floor/staff-tablet-enrol-phone")
    expect(tablet.get_by_text("T8")).to_be_visible()
