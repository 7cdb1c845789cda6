"""Somebody found from anywhere by the key /, their page, and the waiting lists: at a desk, and on a phone."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from tables.models import Patron, Restriction, Sitting, WaitingEntry, WaitingEvent
from tables.services.commands import Order
from tables.services.incidents import incident_add
from tables.services.sessions import session_deal_in
from tables.services.sittings import sitting_buy_in, sitting_cash_out
from tables.services.waiting import waiting_add, waiting_call
from tests.browser.signing_in import arrive_signed_in
from tests.people import PIN, Cast, order
from tests.tables import play
from tests.tables.seating import open_another, seat_at
from tests.tables.waiting import FIVE_A_POINT, TEN_TO_A_HUNDRED

Shoot = Callable[[Page, str], None]


@pytest.fixture(params=[(1280, 800), (390, 844)], ids=["desktop", "phone"])
def page(request: pytest.FixtureRequest, evening: None, chromium: Browser, site: str) -> Iterator[Page]:
    """Ada's browser, signed in; an error in a page's script fails the test."""
    width, height = request.param
    context = chromium.new_context(base_url=site, viewport={"width": width, "height": height})
    context.set_default_timeout(15_000)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    opened = context.new_page()
    arrive_signed_in(opened, "1001")
    expect(opened.locator("#board")).to_be_visible()
    yield opened
    context.close()
    assert not errors, errors


@pytest.fixture
def evening(committed_cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tables of Chinese Poker, one of them dealt and with free seats; six people wait, one whose call has run out."""
    cast = committed_cast
    Patron.objects.create(room=cast.room, number="N-20", name="Nguyễn Thị Đào")
    Patron.objects.create(room=cast.room, number="N-21", name="Linda Peña")
    session, lin, _park, hand = play.deal_chinese(cast)
    play.settle(cast, hand, play.CHINESE_HANDS)
    session_deal_in(order(cast.dealer), session_id=session.pk)
    incident_add(
        order(cast.floor), session_id=session.pk, kind="shown", note="Showed the back hand", sitting_ids=[lin.pk]
    )
    sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=20_000, means="chips")
    sitting_cash_out(order(cast.dealer), sitting_id=lin.pk, means="cash")
    seat_at(cast, open_another(cast), 2, "P1", 15_000)
    open_another(cast, 10, point_value_cents=1_000)
    waited(cast, monkeypatch, 71, TEN_TO_A_HUNDRED, "P2")
    waited(cast, monkeypatch, 48, FIVE_A_POINT, "P3", called=9)
    waited(cast, monkeypatch, 31, FIVE_A_POINT, "N-20", called=2)
    waited(cast, monkeypatch, 12, FIVE_A_POINT, "Tall, red cap")
    waited(cast, monkeypatch, 3, FIVE_A_POINT, "P4")


def waited(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, minutes: int, stake: dict[str, Any], who: str, called: int = 0
) -> None:
    """Somebody added some minutes ago, and called perhaps, as it was pressed and recorded then."""

    def press(ago: int) -> Order:
        then = datetime.now(UTC) - timedelta(minutes=ago)
        patched.setattr(timezone, "now", lambda: then)
        return Order(key=uuid4(), actor=cast.floor, occurred_at=then)

    known = Patron.objects.filter(number=who).exists()
    with monkeypatch.context() as patched:
        named = {"patron_number": who} if known else {"description": who}
        entry = waiting_add(press(minutes), **stake, **named)["entry"]
        if called:
            waiting_call(press(called), entry_id=entry)


def button(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=name, exact=True)


def test_somebody_is_found_by_the_keyboard_alone_barred_and_let_play_again(page: Page, shoot: Shoot) -> None:
    field = page.get_by_role("searchbox", name="Search people")
    page.wait_for_load_state()
    page.keyboard.press("/")
    expect(field).to_be_focused()
    page.keyboard.type("lin")
    found = page.locator("#search-found a")
    expect(found).to_have_count(2)
    shoot(page, "floor/people-search")
    page.keyboard.press("Escape")
    expect(found).to_have_count(0)
    expect(field).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("T9/2")
    expect(found).to_have_text(["Lin P1 T9 seat 2"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Lin", exact=True)).to_be_visible()
    expect(page.locator(".way").first).to_contain_text("$260")
    shoot(page, "floor/people-patron")

    page.locator("summary", has_text="Let not play…").click()
    page.get_by_label("Who wants it").select_option("barred")
    page.get_by_label("Why", exact=True).fill("Shouted at the dealer/floor")
    button(page, "Let not play").click()
    expect(page.locator(".tag", has_text="barred, for good").first).to_be_visible()
    assert Restriction.objects.get().reason == "Shouted at the dealer/floor", "a / in a field is a / and no shortcut"
    page.get_by_role("link", name="Lift the bar, with a second person…").click()
    page.get_by_label("Why they may play again").fill("Apologised")
    page.get_by_label("Badge number of the second person").fill("4001")
    page.get_by_label("PIN of the second person").fill("0000")
    button(page, "Lift the bar").click()
    expect(page.locator(".refusal")).to_be_visible()
    expect(page.get_by_label("Why they may play again")).to_have_value("Apologised")
    shoot(page, "floor/people-lift")
    page.get_by_label("PIN of the second person").fill(PIN)
    button(page, "Lift the bar").click()
    expect(page.get_by_text("Nothing keeps them from playing.")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("n")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="people for “n”")).to_be_visible()
    shoot(page, "floor/people-results")


def test_who_waits_is_called_seated_put_last_and_removed(page: Page, shoot: Shoot) -> None:
    page.goto("/floor/lists/")
    five = page.locator(".list", has_text="$5 a point")
    expect(five).to_contain_text("while people wait")
    expect(five.locator(".line > li")).to_have_count(4)
    expect(five.locator(".expired")).to_contain_text("call ran out at")
    expect(five.locator("time.age").first).to_have_text("48 min")
    shoot(page, "floor/lists")

    five.get_by_role("button", name="Call Tall, red cap").click()
    expect(five.locator(".called")).to_have_count(2)
    five.get_by_role("link", name="Omar").click()
    panel = page.locator("aside")
    expect(panel).to_contain_text("Called until")
    shoot(page, "floor/lists-entry")
    panel.get_by_role("button", name="Put at the end").click()
    expect(five.locator(".who").last).to_contain_text("Omar")
    five.get_by_role("link", name="Nguyễn Thị Đào").click()
    panel.get_by_role("form", name="Seat at T7").get_by_label("T7 seat").select_option("3")
    button(page, "Seat at T7").click()
    expect(panel).to_contain_text("Off the list.")
    assert str(Sitting.objects.get(patron__number="N-20").seat) == "T7 seat 3"
    five.get_by_role("link", name="Ruiz").click()
    panel.locator("summary", has_text="Remove…").click()
    panel.get_by_label("Why").select_option("other")
    panel.get_by_label("In words").fill("Asked for another game")
    button(page, "Remove from the list").click()
    expect(panel).to_contain_text("Removed: Asked for another game")
    five.get_by_role("link", name="What happened today").click()
    expect(page.locator(".history > li").first).to_contain_text("Ruiz")
    shoot(page, "floor/lists-history")

    page.goto("/floor/lists/")
    page.get_by_role("link", name="Add to a new list…").click()
    page.get_by_label("A point, in dollars").fill("25")
    page.get_by_label("Card number").first.fill("P1")
    button(page, "Add to the list").first.click()
    dear = page.locator(".list", has_text="$25 a point")
    expect(dear).to_contain_text("Lin")
    shoot(page, "floor/lists-add")
    assert WaitingEntry.objects.filter(ended_at__isnull=True).count() == 4
    assert WaitingEvent.objects.latest("pk").kind == "added"
