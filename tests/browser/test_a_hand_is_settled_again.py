"""A hand that was entered wrong is put right on the floor: the difference first, then both for everybody to see."""

from collections.abc import Callable
from uuid import UUID

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ledger.models import Transaction
from tables.models import Command, Hand, Resettlement, Sitting
from tables.services.hands import hand_start, hand_void
from tables.services.sittings import sitting_cash_out
from tests.browser.signing_in import arrive_signed_in, sign_in_on_the_web
from tests.people import PIN, Cast, order
from tests.tables import play

Shoot = Callable[[Page, str], None]


@pytest.fixture
def page(tablet: BrowserContext, committed_cast: Cast) -> Page:
    """A browser on the floor with nobody signed in yet."""
    return tablet.new_page()


def difference(page: Page) -> None:
    page.get_by_role("button", name="Show the difference").click()


def confirm(page: Page, *, times: int = 1, name: str = "Confirm: settle again") -> None:
    """Give the reason and press the button, as often as an impatient hand does."""
    page.get_by_label("Why").select_option(label="Cards entered wrong")
    page.get_by_label("In words, for the record").fill("front and middle were swapped when entered")
    page.get_by_role("button", name=name).click(click_count=times)


def settled_chinese(cast: Cast) -> tuple[UUID, Sitting, Sitting]:
    _session, lin, park, hand = play.deal_chinese(cast)
    play.settle(cast, hand, play.CHINESE_HANDS)
    return hand, lin, park


def swap_front_and_middle_cards(page: Page) -> None:
    """What lay in the middle was the better hand of the two: now it fouls."""
    page.locator("[name=middle-1]").fill("As Ks 6s 5s 3s")
    page.locator("[name=back-1]").fill("Qh Qs 8c 3c 2h")


def test_ada_puts_a_chinese_hand_right_and_presses_twice(page: Page, committed_cast: Cast, shoot: Shoot) -> None:
    hand, lin, park = settled_chinese(committed_cast)
    arrive_signed_in(page, "1001")
    page.goto(f"/floor/hands/{hand}/resettle/")
    expect(page.locator("[name=front-1]")).to_have_value("Jd Js 9h")
    swap_front_and_middle_cards(page)
    difference(page)
    changes = page.locator("#difference")
    for words in ("2 Park → 1 Lin", "1 Lin → 2 Park", "takes back", "−$35", "+$35", "$76"):
        expect(changes).to_contain_text(words)
    assert not Command.objects.filter(verb="hand.resettle").exists()
    shoot(page, "resettle-difference")
    confirm(page, times=2)
    expect(page.locator("#corrections")).to_contain_text("front and middle were swapped when entered")
    expect(page.locator("#corrections")).to_contain_text("before the next hand began")
    expect(page.locator("body")).to_contain_text("taken back by")
    assert Resettlement.objects.get().hand_id == hand
    assert (play.stack_of(lin), play.stack_of(park)) == (7_600, 13_600)
    shoot(page, "resettle-audit-hand")


@pytest.mark.slow
def test_the_way_there_and_what_is_seen_afterwards(page: Page, committed_cast: Cast, shoot: Shoot) -> None:
    settled_chinese(committed_cast)
    arrive_signed_in(page, "1001")
    page.goto(f"/floor/tables/{committed_cast.chinese.pk}/")
    expect(page.locator("#facts")).to_contain_text("Floor can rule on it until the next hand begins. PG-45")
    shoot(page, "resettle-floor-table")
    page.locator("#facts").get_by_role("link", name="Settle again…").click()
    shoot(page, "resettle-cards")
    page.locator("[name=middle-1]").fill("As Ks 6s 5s Kd")
    page.keyboard.press("Enter")
    expect(page.locator("[name=middle-2]")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("alert")).to_contain_text("What is wrong stands beside them")
    shoot(page, "resettle-card-twice")
    swap_front_and_middle_cards(page)
    difference(page)
    confirm(page)
    expect(page.locator("#corrections")).to_be_visible()
    page.goto("/audit/")
    expect(page.get_by_role("link", name="settled again")).to_be_visible()
    shoot(page, "resettle-audit-home")
    page.goto(f"/floor/tables/{committed_cast.chinese.pk}/")
    expect(page.locator("#facts .last-hands")).to_contain_text("settled again")
    shoot(page, "resettle-floor-table-after")


@pytest.mark.slow
def test_a_pai_gow_hand_wager_by_wager(page: Page, committed_cast: Cast, shoot: Shoot) -> None:
    _session, lin, park, hand = play.deal_pai_gow(committed_cast)
    play.settle(committed_cast, hand, play.PAI_GOW_HANDS)
    arrive_signed_in(page, "1001")
    page.goto(f"/floor/hands/{hand}/resettle/")
    page.locator("[name=front-2]").fill("8c 7d")
    page.locator("[name=back-2]").fill("Kh Qs 5d 4h 3h")
    difference(page)
    for words in ("+$50", "−$50", "Settlement", "takes back"):
        expect(page.locator("#difference")).to_contain_text(words, ignore_case=True)
    shoot(page, "resettle-pai-gow-difference")
    confirm(page)
    expect(page.locator("#corrections")).to_contain_text("2 Park (w1)")
    assert (play.stack_of(lin), play.stack_of(park)) == (54_700, 14_900)
    shoot(page, "resettle-pai-gow-audit-hand")


@pytest.mark.slow
def test_after_the_window_a_manager_needs_the_second_persons_pin(
    page: Page, committed_cast: Cast, shoot: Shoot
) -> None:
    hand, *_both = settled_chinese(committed_cast)
    session = Hand.objects.get(pk=hand).session_id
    later = hand_start(order(committed_cast.dealer), session_id=session)["hand"]
    hand_void(order(committed_cast.floor), hand_id=later, reason="a card on the floor")
    arrive_signed_in(page, "1001")
    page.goto(f"/floor/hands/{hand}/resettle/")
    swap_front_and_middle_cards(page)
    difference(page)
    expect(page.get_by_role("alert")).to_contain_text("Hand 2 has begun: a manager can still correct it")
    expect(page.get_by_role("button", name="Confirm: settle again")).to_have_count(0)
    page.get_by_role("button", name="Sign out").click()
    sign_in_on_the_web(page, "4001")
    page.goto(f"/floor/hands/{hand}/resettle/")
    swap_front_and_middle_cards(page)
    difference(page)
    shoot(page, "resettle-second-person")
    for badge, pin, words in (
        ("4001", PIN, "The second person is somebody else"),
        ("1001", "0000", "Badge and PIN do not belong together"),
    ):
        page.get_by_label("Badge number of the second person").fill(badge)
        page.get_by_label("PIN of the second person").fill(pin)
        confirm(page)
        expect(page.get_by_role("alert")).to_contain_text(words)
        expect(page.get_by_label("In words, for the record")).to_have_value(
            "front and middle were swapped when entered"
        )
        expect(page.get_by_label("PIN of the second person")).to_have_value("")
    shoot(page, "resettle-wrong-pin")
    page.get_by_label("PIN of the second person").fill(PIN)
    confirm(page)
    expect(page.locator("#corrections")).to_contain_text("after the window")
    expect(page.locator("#corrections")).to_contain_text("Ada (1001)")
    assert Resettlement.objects.get().approver == committed_cast.ada


@pytest.mark.slow
def test_a_buy_in_is_taken_back_and_what_is_left_is_paid_out(page: Page, committed_cast: Cast, shoot: Shoot) -> None:
    hand, _lin, park = settled_chinese(committed_cast)
    session = Hand.objects.get(pk=hand).session
    omar = play.sit(committed_cast, session, 3, "P3", 12_000)
    sitting_cash_out(order(committed_cast.dealer), sitting_id=park.pk)
    arrive_signed_in(page, "1001")
    page.goto(f"/floor/hands/{hand}/resettle/")
    swap_front_and_middle_cards(page)
    difference(page)
    expect(page.locator("#difference")).to_contain_text("has left")
    confirm(page)
    page.goto(f"/floor/sessions/{session.pk}/")
    expect(page.get_by_text("A correction left $35 for Park.")).to_be_visible()
    shoot(page, "corrections-session")
    page.get_by_role("button", name="Pay out").click()
    expect(page.get_by_text("A correction left")).to_have_count(0)
    assert play.stack_of(park) == 0
    bought = Transaction.objects.get(kind="buy-in", reference=f"sitting:{omar.pk}")
    page.locator(f"a[href$='{bought.pk}/take-back/']").click()
    expect(page.get_by_role("heading", level=2)).to_contain_text("buy-in of Omar")
    shoot(page, "take-back")
    confirm(page, times=2, name="Confirm: take it back")
    expect(page.locator("tr", has_text="Omar")).to_contain_text("taken back")
    assert play.stack_of(omar) == 0
    shoot(page, "take-back-done")
