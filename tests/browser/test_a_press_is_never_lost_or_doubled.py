"""What happens to a press when the network or the sign-in fails at the wrong moment (N1, N3, N5, N7, N9)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.models import Role
from casino.staff.services import device_enrol
from tables.models import Command, Hand, Sitting
from tests.browser.signing_in import sign_in_on_the_tablet
from tests.people import Cast, hire
from tests.tables import play


@pytest.fixture
def verdict_page(committed_cast: Cast, tablet: BrowserContext, site: str) -> Page:
    """Ben's tablet with a verdict on it, one press from being paid."""
    _session, _lin, _park, hand_id = play.deal_chinese(committed_cast)
    play.record(committed_cast, hand_id, play.CHINESE_HANDS)
    tablet.add_cookies([{"name": DEVICE_COOKIE, "value": committed_cast.tablet_token, "url": site}])
    page = tablet.new_page()
    page.goto("/tablet/")
    sign_in_on_the_tablet(page, "2001")
    expect(page.locator(".payments > li")).to_have_count(1)
    return page


def confirm(page: Page) -> None:
    page.get_by_role("button", name="Paid: confirm").click()


def paid_once(page: Page) -> None:
    """The screen goes on, and one command settled the hand."""
    expect(page.get_by_text("Hand 1 is settled.")).to_be_visible(timeout=15_000)
    assert Hand.objects.get().status == "settled"
    assert Command.objects.filter(verb="hand.settle").count() == 1
    expect(page.locator("#sent")).to_have_text("all sent")


def fail_first(page: Page, fail: Callable[[Route], None]) -> None:
    """Let the first confirm fail in some way, and the following ones through."""
    tries: list[str] = []

    def handle(route: Route) -> None:
        tries.append(route.request.headers["idempotency-key"])
        assert tries[0] == tries[-1], "a press keeps its key"
        if len(tries) == 1:
            fail(route)
        else:
            route.continue_()

    page.route("**/api/v1/do/hand.settle/", handle)


def test_the_network_cut_before_the_server_heard(verdict_page: Page) -> None:
    fail_first(verdict_page, lambda route: route.abort())
    confirm(verdict_page)
    expect(verdict_page.locator("#sent")).to_have_text("1 not sent")
    paid_once(verdict_page)


def test_the_answer_lost_after_the_server_committed(verdict_page: Page) -> None:
    def commit_and_lose(route: Route) -> None:
        assert route.fetch().ok
        route.abort()

    fail_first(verdict_page, commit_and_lose)
    confirm(verdict_page)
    paid_once(verdict_page)


def test_a_page_reloaded_while_the_network_is_gone_sends_after_all(verdict_page: Page, tablet: BrowserContext) -> None:
    fail_first(verdict_page, lambda route: route.abort())
    confirm(verdict_page)
    expect(verdict_page.locator("#sent")).to_have_text("1 not sent")
    verdict_page.unroute("**/api/v1/do/hand.settle/")
    verdict_page.reload()
    paid_once(verdict_page)


def test_what_is_refused_on_arrival_holds_up_nothing_behind_it(verdict_page: Page, committed_cast: Cast) -> None:
    """N5: the first of three queued presses cannot be; the other two arrive, and the first says why on the screen."""
    lin = Sitting.objects.get(patron__number="P1")
    confirm(verdict_page)
    paid_once(verdict_page)
    verdict_page.evaluate(
        """([sitting, actor, amounts]) => localStorage.setItem("backline.unsent", JSON.stringify(amounts.map((amount) => ({
            key: crypto.randomUUID(), verb: "sitting.buy_in", actor, name: "Ben",
            occurred_at: new Date().toISOString(), values: { sitting_id: sitting, amount_cents: amount },
        }))))""",
        [str(lin.pk), str(committed_cast.ben.pk), [-1, 11_000, 12_000]],
    )
    verdict_page.reload()
    expect(verdict_page.locator("#sent")).to_contain_text("more than nothing")
    assert sorted(lin.buy_ins.values_list("amount_cents", flat=True)) == [11_000, 11_000, 12_000]


def test_a_server_that_cannot_now_says_why_and_gets_the_press_again(verdict_page: Page) -> None:
    full = {"code": "storage-full", "message": "The storage of the database is full.", "rule": "", "fields": {}}
    fail_first(verdict_page, lambda route: route.fulfill(status=503, json=full))
    confirm(verdict_page)
    expect(verdict_page.locator("#sent")).to_have_text("1 not sent: The storage of the database is full.")
    paid_once(verdict_page)


def test_a_confirm_pressed_twice(verdict_page: Page) -> None:
    verdict_page.get_by_role("button", name="Paid: confirm").dblclick()
    paid_once(verdict_page)


def test_a_sign_in_that_ended_is_asked_for_and_the_press_sent_once(verdict_page: Page, tablet: BrowserContext) -> None:
    tablet.clear_cookies(name="sessionid")
    confirm(verdict_page)
    expect(verdict_page.get_by_label("PIN")).to_be_visible()
    assert not Command.objects.filter(verb="hand.settle").exists()
    sign_in_on_the_tablet(verdict_page, "2001")
    paid_once(verdict_page)


def test_a_press_of_another_dealer_waits_for_them(verdict_page: Page, committed_cast: Cast) -> None:
    """Who pressed is who is recorded, also when somebody else signs in before it could be sent."""
    hire("2002", "Eve", Role.DEALER, room=committed_cast.room)
    verdict_page.route("**/api/v1/do/hand.settle/", lambda route: route.abort())
    confirm(verdict_page)
    expect(verdict_page.locator("#sent")).to_have_text("1 not sent")
    verdict_page.unroute("**/api/v1/do/hand.settle/")
    verdict_page.goto("/tablet/table/screen/")
    verdict_page.get_by_role("button", name="sign out").click()
    sign_in_on_the_tablet(verdict_page, "2002")
    expect(verdict_page.locator("#sent")).to_have_text("1 not sent: Ben signs in here to send them")
    verdict_page.get_by_role("button", name="sign out").click()
    assert not Command.objects.filter(verb="hand.settle").exists()
    sign_in_on_the_tablet(verdict_page, "2001")
    paid_once(verdict_page)
    assert Command.objects.get(verb="hand.settle").actor == committed_cast.ben


def test_two_tablets_confirm_one_hand_and_one_is_told(
    verdict_page: Page, committed_cast: Cast, tablet: BrowserContext, site: str
) -> None:
    second = tablet.browser.new_context(base_url=site)
    _device, token = device_enrol(actor=committed_cast.floor, name="Spare T7", place=committed_cast.chinese.pk)
    second.add_cookies([{"name": DEVICE_COOKIE, "value": token, "url": site}])
    other = second.new_page()
    other.route("**/tablet/table/screen/", lambda route: route.abort())  # it does not hear of the first one's confirm
    other.goto("/tablet/")
    sign_in_on_the_tablet(other, "2001")
    expect(other.locator(".payments > li")).to_have_count(1)
    confirm(verdict_page)
    paid_once(verdict_page)
    confirm(other)
    expect(other.get_by_text("Hand 1 is over already: Settled")).to_be_visible()
    assert Command.objects.filter(verb="hand.settle").count() == 1
    second.close()


def test_see_who_pays_tapped_twice_enters_the_cards_once(verdict_page: Page) -> None:
    verdict_page.get_by_role("button", name="Enter the cards again").click()
    verdict_page.get_by_role("button", name="See who pays").dblclick()
    expect(verdict_page.locator("#verdict")).to_be_visible()
    verdict_page.wait_for_timeout(500)
    assert Command.objects.filter(verb="hand.record").count() == 2, "the one before, and this one"


def test_a_refused_press_says_why_and_leaves_what_was_typed(verdict_page: Page) -> None:
    confirm(verdict_page)
    paid_once(verdict_page)
    verdict_page.locator("button[data-dialog=seat-1]").click()
    dialog = verdict_page.locator("#seat-1")
    for typed, words in (
        ("-5", "more than nothing"),
        ("0", "more than nothing"),
        ("9e15", "too large"),
        ("many", "whole number"),
    ):
        dialog.get_by_label("Buy-in, dollars").fill(typed)
        dialog.get_by_role("button", name="Buy in", exact=True).click()
        expect(dialog.locator(".refusal")).to_contain_text(words)
        expect(dialog.get_by_label("Buy-in, dollars")).to_have_value(typed)
