"""Floor at its desk and on its phone: a dispute from the first look to the ruling by keyboard alone, the inbox, the panel."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from casino.staff.actor import Actor
from tables.models import Command, HandEvent, Resettlement, Ruling, SeatHold, Sitting, Taking
from tables.services.exceptions import exception_decide
from tables.services.seats import seat_hold
from tests.browser.conftest import SCREENSHOTS
from tests.browser.signing_in import arrive_signed_in
from tests.people import Cast, order
from tests.tables import play
from tests.tables.calling import call
from tests.tables.disputed import dispute, exception, settle_paying

SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
TABS = 150
At = Callable[[str], Page]


@contextmanager
def floor_at(chromium: Browser, site: str, size: str, badge: str = "1001") -> Iterator[Page]:
    """Somebody of the floor signed in with a screen of this size; an error in a script fails the test."""
    width, height = SIZES[size]
    context = chromium.new_context(base_url=site, viewport={"width": width, "height": height})
    context.set_default_timeout(10_000)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    page = context.new_page()
    arrive_signed_in(page, badge)
    expect(page.locator("#board")).to_be_visible()
    yield page
    context.close()
    assert not errors, errors


def look(page: Page, name: str) -> None:
    """A picture of the whole page, which does not scroll sideways and in which axe finds nothing."""
    (SCREENSHOTS / "floor").mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / "floor" / f"{name}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "the page scrolls sideways"
    findings = Axe().run(page)
    assert findings.violations_count == 0, findings.generate_report()


def tab_to(page: Page, wanted: Locator) -> None:
    """Tab until it has the focus."""
    expect(wanted).to_have_count(1)
    for _press in range(TABS):
        page.keyboard.press("Tab")
        if wanted.evaluate("(element) => element === document.activeElement"):
            return
    raise AssertionError(f"{TABS} tabs do not lead to {wanted}")


def press_by_key(page: Page, wanted: Locator, key: str = "Enter") -> None:
    tab_to(page, wanted)
    page.keyboard.press(key)


def type_into(page: Page, wanted: Locator, text: str) -> None:
    tab_to(page, wanted)
    page.keyboard.press("Control+A")
    page.keyboard.type(text)


def test_the_whole_of_one_dispute_by_keyboard_alone(committed_cast: Cast, chromium: Browser, site: str) -> None:
    session, *_both, hand = play.deal_chinese(committed_cast)
    play.settle(committed_cast, hand, play.CHINESE_HANDS)
    told = dispute(committed_cast, hand, "front and middle of seat 1 were swapped")
    exception(committed_cast, session.pk, "a chip on the floor under seat 2")
    with floor_at(chromium, site, "desktop") as page:
        press_by_key(page, page.locator(f"a[href$='#dispute-{told}']"))
        item = page.locator(f"#dispute-{told}")
        expect(item).to_contain_text("front and middle of seat 1 were swapped")
        expect(item).to_contain_text("2 Park → 1 Lin")
        press_by_key(page, item.get_by_role("button", name="I look into it"))
        expect(item).to_contain_text("You have this")
        look(page, "inbox-taken-desktop")
        press_by_key(page, item.get_by_role("link", name="Settle again…"))
        expect(page.get_by_role("heading", name="Settle T7 hand 1 again")).to_be_visible()
        type_into(page, page.locator("[name=middle-1]"), "As Ks 6s 5s 3s")
        type_into(page, page.locator("[name=back-1]"), "Qh Qs 8c 3c 2h")
        press_by_key(page, page.get_by_role("button", name="Show the difference"))
        changes = page.locator("#difference")
        expect(changes).to_contain_text("1 Lin → 2 Park")
        expect(changes).to_contain_text("−$35")
        assert not Resettlement.objects.exists(), "the difference is shown before anything is posted"
        tab_to(page, page.get_by_label("Why"))
        page.keyboard.type("Cards")
        type_into(page, page.get_by_label("In words, for the record"), "swapped when they were entered")
        press_by_key(page, page.get_by_role("button", name="Confirm: settle again"))
        expect(page.locator("#standing")).to_contain_text("settled again")
        press_by_key(page, item.get_by_label("stands"), "ArrowDown")
        tab_to(page, item.get_by_label("nobody's"))
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        type_into(page, item.get_by_label("By rule"), "CP-30")
        type_into(page, item.get_by_label("Ruling, in words"), "the middle is the lower hand, it was entered wrong")
        look(page, "hand-ruling-desktop")
        page.keyboard.press("Enter")
        expect(page.locator("#rulings")).to_contain_text("the middle is the lower hand")
        look(page, "hand-desktop")
        page.goto("/floor/inbox/")
        expect(page.locator("#decided")).to_contain_text("the middle is the lower hand")
    ruling = Ruling.objects.get()
    assert (ruling.outcome, ruling.rule, ruling.error_by) == ("resettled", "CP-30", "dealer")
    assert Resettlement.objects.get().hand_id == hand
    taking = Taking.objects.get()
    assert (taking.dispute_id, taking.ended_by_id) == (told, ruling.command_id)


def everything_waits(cast: Cast) -> tuple[object, object]:
    """A payment that was wrong, a dispute, a report and a call, all at table 7."""
    session, *_both, hand = play.deal_chinese(cast)
    paid = settle_paying(cast, hand, play.CHINESE_HANDS, [{"payer": 2, "payee": 1, "paid_cents": 0}], "took it back")
    dispute(cast, hand, "the middle of seat 2")
    exception(cast, session.pk, "Buy-in of $200 for Omar was pressed twice; the second was refused")
    call(cast, session, "fill", note="a rack of fives")
    return session.pk, paid["exception"]


@pytest.mark.parametrize("size", SIZES)
def test_the_inbox_refreshes_and_leaves_alone_what_is_typed(
    committed_cast: Cast, chromium: Browser, site: str, size: str
) -> None:
    session_id, paid = everything_waits(committed_cast)
    with floor_at(chromium, site, size) as page:
        page.goto("/floor/inbox/")
        item = page.locator(f"#exception-{paid}")
        expect(page.locator("#waiting > li")).to_have_count(4)
        expect(item.locator(".figures")).to_contain_text("−$5")
        look(page, f"inbox-{size}")
        item.get_by_text("Decide…").click()
        item.get_by_label("Why").fill("seen by two")
        other = exception(committed_cast, session_id, "a card under the table")
        expect(page.locator(f"#exception-{other}")).to_contain_text("a card under the table")
        expect(item.get_by_label("Why")).to_have_value("seen by two")
        exception_decide(
            order(Actor.of(committed_cast.max)), exception_id=paid, outcome="accepted", reason="seen on camera"
        )
        expect(item.get_by_role("alert")).to_contain_text("Somebody else has decided on this meanwhile")
        expect(item.get_by_label("Why")).to_have_value("seen by two")
        expect(page.locator("#decided")).to_contain_text("seen on camera")
        look(page, f"inbox-decided-by-another-{size}")
        page.get_by_role("button", name="I am on my way").click()
        expect(page.locator("#waiting")).to_contain_text("Ada is on the way")


def test_the_panel_of_a_hand_that_is_out_on_the_desk(committed_cast: Cast, chromium: Browser, site: str) -> None:
    session, _lin, park, _hand = play.deal_chinese(committed_cast)
    seat_hold(order(committed_cast.dealer), session_id=session.pk, seat=3, minutes=20, patron_number="P3")
    with floor_at(chromium, site, "desktop") as page:
        page.goto(f"/floor/tables/{committed_cast.chinese.pk}/")
        acts = page.locator("#actions")
        expect(page.locator("#facts")).to_contain_text("held for Omar")
        look(page, "panel-desktop")
        acts.get_by_text("Call time…").click()
        acts.locator("details[open]").get_by_label("On seat").select_option(label="2 Park")
        acts.get_by_role("button", name="Call time: 60 s").click()
        expect(page.locator("#facts time.left")).to_contain_text("0:5")
        acts.get_by_text("Stop the clock…").click()
        look(page, "panel-clock-desktop")
        acts.get_by_role("button", name="Stop the clock of 2 Park").click()
        expect(page.locator("#facts time.left")).to_have_count(0)
        acts.get_by_text("Incident…").click()
        acts.locator("details[open]").get_by_label("What was seen").select_option(label="Hand shown")
        acts.locator("details[open]").get_by_label("What comes of it").select_option(label="Jackpot void")
        acts.get_by_role("checkbox", name="Park").check()
        acts.locator("details[open]").get_by_label("Note (optional)").fill("showed it to seat 1")
        acts.locator("details[open]").get_by_label("Badge number of the second person").fill("4001")
        acts.locator("details[open]").get_by_label("PIN of the second person").fill("0000")
        look(page, "panel-incident-desktop")
        acts.get_by_role("button", name="Note the incident").click()
        expect(acts.get_by_role("alert")).to_contain_text("Badge and PIN do not belong together")
        expect(acts.locator("details[open]").get_by_label("PIN of the second person")).to_have_value("")
        acts.locator("details[open]").get_by_label("PIN of the second person").fill("2580")
        acts.get_by_role("button", name="Note the incident").click()
        expect(acts.locator("details[open]")).to_have_count(0)
        assert "2580" not in page.evaluate("JSON.stringify(localStorage) + JSON.stringify(sessionStorage)")
        acts.get_by_text("Void…").click()
        acts.locator("details[open]").get_by_label("Why").fill("a card on the floor")
        acts.get_by_role("button", name="Void hand 1").click()
        expect(acts).to_contain_text("Void, misdeal and time: no hand is out.")
    incident = Command.objects.get(verb="incident.add")
    assert incident.request["sitting_ids"] == [str(park.pk)]
    assert incident.approver == committed_cast.max
    kinds = HandEvent.objects.order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["clock-called", "clock-stopped"]


def test_the_panel_between_hands_on_a_phone(committed_cast: Cast, chromium: Browser, site: str) -> None:
    session = play.open_chinese(committed_cast)
    lin = play.sit(committed_cast, session, 1, "P1", 11_000)
    pai_gow = play.open_pai_gow(committed_cast)
    with floor_at(chromium, site, "phone") as page:
        page.goto(f"/floor/tables/{committed_cast.chinese.pk}/")
        acts = page.locator("#actions")
        look(page, "panel-phone")
        acts.get_by_text("Hold a seat…").click()
        acts.locator("details[open]").get_by_label("or a description").fill("red cap")
        look(page, "panel-hold-phone")
        acts.get_by_role("button", name="Hold the seat").click()
        expect(page.locator("#facts")).to_contain_text("held for red cap")
        acts.get_by_text("Move…").click()
        look(page, "panel-move-phone")
        acts.get_by_role("button", name="Move to T8").click()
        expect(page.locator("#facts")).not_to_contain_text("Lin")
    assert SeatHold.objects.get().seat.number == 2
    moved = Sitting.objects.get(session=pai_gow)
    assert (moved.moved_from, moved.seat and moved.seat.number) == (lin, 1)
