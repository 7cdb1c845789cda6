"""The set-up of a house in the admin: all its pages at a desk and on a phone, and what is added and changed in them."""

from collections.abc import Callable, Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from casino.staff.models import Role
from tables.models import CollectionSchedule, Jackpot, PostedSheet, Room, RuleSetVersion
from tests.browser.signing_in import sign_in_on_the_web
from tests.people import Cast, hire
from tests.tables import fees

Shoot = Callable[[Page, str], None]


@pytest.fixture
def house(committed_cast: Cast) -> None:
    """Room One with two schedules, one of them in force at a table whose sheet is posted, and Ona, an admin of it."""
    hire("9001", "Ona", Role.ADMIN, room=committed_cast.room)
    fees.add_schedule(committed_cast, "chinese-poker", fees.CHINESE_RATES)
    fees.add_schedule(committed_cast, "pai-gow-poker", fees.PAI_GOW_RATES, slug="pai-gow", title="Pai Gow by day")
    fees.open_chinese(committed_cast, schedule="day")


@pytest.fixture(params=[(1280, 800, "light"), (390, 844, "dark")], ids=["desktop", "portrait-phone"])
def page(request: pytest.FixtureRequest, house: None, chromium: Browser, site: str) -> Iterator[Page]:
    """Ona's browser, light at a desk and dark on a phone; an error in a page's script fails the test.

    Axe reads the lists at the desk, in the light, and the forms in the dark.
    """
    width, height, scheme = request.param
    context = chromium.new_context(
        base_url=site, viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
    )
    context.set_default_timeout(15_000)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    opened = context.new_page()
    sign_in_on_the_web(opened, "9001")
    expect(opened.get_by_role("heading", name="What still waits")).to_be_visible()
    yield opened
    context.close()
    assert not errors, errors


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def follow(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()


def said(page: Page, words: str) -> None:
    expect(page.get_by_text(words)).to_be_visible()


# Every page of the set-up by what its picture is called. Those that are added on are shot as they are filled in, below.
PAGES = {
    "rooms": reverse("admin:tables_room_changelist"),
    "rules": reverse("admin:tables_rulesetversion_changelist"),
    "charts": reverse("admin:tables_rulesetversion_charts"),
    "sheets": reverse("admin:tables_postedsheet_changelist"),
    "schedules": reverse("admin:tables_collectionschedule_changelist"),
    "jackpots": reverse("admin:tables_jackpot_changelist"),
    "staff": reverse("admin:staff_user_changelist"),
    "reviews": reverse("admin:staff_accessreview_changelist"),
    "changes": reverse("set-up-changes"),
}


def test_every_page_of_the_set_up_is_read_at_a_desk_and_on_a_phone(page: Page, shoot: Shoot) -> None:
    shoot(page, "floor/set-up-home")
    for name, address in PAGES.items():
        answer = page.goto(address)
        assert answer is not None
        assert answer.ok, address
        shoot(page, f"floor/set-up-{name}")


@pytest.mark.parametrize("page", [(1280, 800, "dark")], ids=["dark"], indirect=True)
def test_a_house_is_set_up(page: Page, shoot: Shoot) -> None:
    the_next_version_of_a_schedule_is_looked_at_and_added(page, shoot)
    a_jackpot_is_opened_and_closed(page, shoot)
    a_room_is_changed_with_a_reason(page, shoot)
    a_version_of_rules_is_looked_at_and_added(page, shoot)
    a_posted_sheet_is_read(page, shoot)


def the_next_version_of_a_schedule_is_looked_at_and_added(page: Page, shoot: Shoot) -> None:
    page.goto(PAGES["schedules"])
    follow(page, "pai-gow@1")
    follow(page, "Make the next version")
    page.get_by_label("Row 2: Dollars taken").fill("a share")
    page.get_by_label("Why").fill("Dearer from December on")
    press(page, "Add")
    said(page, "a flat amount, never a share")
    page.get_by_label("Row 2: Dollars taken").fill("2.50")
    press(page, "Look at it first")
    said(page, "A wager of $100 pays $2.50.")
    shoot(page, "floor/set-up-schedule-next")
    press(page, "Add")
    said(page, "pai-gow@2 is added.")
    assert CollectionSchedule.objects.get(slug="pai-gow", version=2).reason == "Dearer from December on"


def a_jackpot_is_opened_and_closed(page: Page, shoot: Shoot) -> None:
    page.goto(PAGES["jackpots"])
    follow(page, "Open a jackpot")
    page.get_by_label("Game").select_option("pai-gow-poker")
    page.get_by_label("Title").fill("Five aces")
    page.get_by_label("Short name").fill("five-aces")
    page.get_by_label("Fee in dollars").fill("1")
    page.get_by_label("Row 1: Segment").select_option("back")
    page.get_by_label("Row 1: Hand").select_option("five-of-a-kind")
    shoot(page, "floor/set-up-jackpot-open")
    press(page, "Open the jackpot")
    said(page, "The jackpot is open.")
    follow(page, "Five aces")
    follow(page, "Close this jackpot")
    said(page, "No open table feeds it.")
    shoot(page, "floor/set-up-jackpot-close")
    press(page, "Close the jackpot")
    said(page, "Five aces is closed.")
    assert Jackpot.objects.get().closed_at is not None


def a_room_is_changed_with_a_reason(page: Page, shoot: Shoot) -> None:
    page.goto(PAGES["rooms"])
    follow(page, "Room One")
    page.get_by_label("Name", exact=False).first.fill("Room One, upstairs")
    page.get_by_label("Why").fill("Moved upstairs")
    shoot(page, "floor/set-up-room")
    press(page, "Save")
    expect(page.locator("#result_list")).to_contain_text("Room One, upstairs")
    assert Room.objects.get(slug="one").name == "Room One, upstairs"
    page.goto(PAGES["changes"])
    expect(page.locator("main")).to_contain_text("Moved upstairs")


def a_version_of_rules_is_looked_at_and_added(page: Page, shoot: Shoot) -> None:
    page.goto(reverse("admin:tables_rulesetversion_next", args=["cardroom-mandarin", 1]))
    page.get_by_label("A surrender, to each opponent").fill("3")
    page.locator("#surrender_points").get_by_label("not offered").uncheck()
    shoot(page, "floor/set-up-rules-next")
    press(page, "Look at it first")
    page.get_by_label("Why").fill("Surrender is offered from December on")
    shoot(page, "floor/set-up-rules-look")
    press(page, "Add cardroom-mandarin@2")
    said(page, "cardroom-mandarin@2 is added.")
    assert RuleSetVersion.objects.get(slug="cardroom-mandarin", version=2).parameters["surrender_points"] == 3


def a_posted_sheet_is_read(page: Page, shoot: Shoot) -> None:
    sheet = PostedSheet.objects.get()
    page.goto(PAGES["sheets"])
    follow(page, sheet.number)
    follow(page, f"Read sheet {sheet.number}")
    expect(page.locator("main")).to_contain_text(sheet.number)
    shoot(page, "floor/set-up-sheet")
