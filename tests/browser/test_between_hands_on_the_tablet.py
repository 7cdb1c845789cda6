"""Between two hands on the tablet's app: sitting, buying in, leaving, being away, the first button and the bank going round."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tables.models import BuyIn, Hand, Patron, SeatHold, Sitting
from tables.services.banking import bank_answer, bank_offer
from tables.services.sittings import sitting_buy_in
from tables.services.stages import Stage
from tests.browser.at_the_tablet import app_of, look
from tests.browser.conftest import TRIED_SIZES
from tests.people import Cast, order
from tests.tables import banking, play


def seat(page: Page, number: int) -> None:
    """Tap a seat."""
    page.locator(f".seat-{number}").click()


def press(page: Page, words: str) -> None:
    """Tap what says these words."""
    page.get_by_role("button", name=words, exact=True).click()


def type_amount(page: Page, keys: str) -> None:
    """Tap the keys of the keypad."""
    for key in keys:
        page.locator(f".pad-key[data-key='{key}']").click()


def stack(page: Page, number: int, dollars: str) -> None:
    """A seat shows this stack."""
    expect(page.locator(f".seat-{number} .seat-stack")).to_have_text(dollars)


def next_step(page: Page, words: str) -> None:
    """Tap the one next step."""
    page.locator(".foot .next", has_text=words).click()


def test_people_sit_down_buy_in_go_away_come_back_and_leave(committed_cast: Cast, chromium: Browser, site: str) -> None:
    """CP-60, CP-61: a full buy-in by two taps, a short one after it only, and the refusal of another where it was pressed."""
    play.open_chinese(committed_cast)
    with app_of(chromium, site, committed_cast.tablet_token) as page:
        expect(page.locator(".lacks")).to_contain_text("Tap a seat to sit somebody down")
        expect(page.locator(".foot .next")).to_be_disabled()
        seat(page, 1)
        page.get_by_label("Card number").fill("P1")
        press(page, "Sit down")
        expect(page.locator(".seat-1")).to_contain_text("Lin")
        seat(page, 2)
        press(page, "Description")
        page.get_by_label("What to know them by").fill("blue cap")
        press(page, "Sit down")
        expect(page.locator(".seat-2")).to_contain_text("blue cap")
        seat(page, 1)
        press(page, "Buy in $100")
        stack(page, 1, "$100")
        expect(page.locator(".lacks")).to_contain_text("Tap blue cap to buy in")
        seat(page, 2)
        type_amount(page, "50")
        expect(page.locator(".keypad-note")).to_contain_text("A full buy-in is $100 (CP-60)")
        expect(page.get_by_role("button", name="Buy in $50")).to_be_disabled()
        press(page, "$100 full")
        press(page, "Chips carried in")
        press(page, "Buy in $100")
        stack(page, 2, "$100")
        seat(page, 2)
        press(page, "$50 short")
        press(page, "Buy in $50")
        stack(page, 2, "$150")
        refuse_a_short_buy(page, committed_cast)
        press(page, "Is absent")
        expect(page.locator(".seat-1")).to_contain_text("absent")
        press(page, "Is back")
        expect(page.locator(".seat-1")).not_to_contain_text("absent")
        seat(page, 2)
        press(page, "Cash out $150")
        press(page, "Is paid $150 in cash")
        expect(page.locator(".seat-2")).to_contain_text("empty")
    assert list(BuyIn.objects.order_by("bought_at").values_list("amount_cents", "means", "is_short")) == [
        (10_000, "cash", False),
        (10_000, "chips", False),
        (5_000, "cash", True),
        (5_000, "cash", True),
    ]
    assert Sitting.objects.get(patron__name="blue cap").ended_at is not None


def refuse_a_short_buy(page: Page, cast: Cast) -> None:
    """What the device does not know yet, the server refuses: Lin bought short a moment ago, on another screen."""
    page.route("**/tablet/state/", lambda route: route.fulfill(status=304))
    seat(page, 1)
    press(page, "$50 short")
    sitting = Sitting.objects.get(patron__name="Lin")
    sitting_buy_in(order(cast.dealer), sitting_id=sitting.pk, amount_cents=5_000)
    press(page, "Buy in $50")
    expect(page.get_by_role("alert")).to_have_text(
        "Short buy refused: the last buy at this seat was short too. A full buy-in is $100. (CP-60)"
    )
    look(page, "seat-refused-landscape", ".work-side")
    page.unroute("**/tablet/state/")


def test_nothing_cannot_be_bought_and_no_more_than_seven_digits_fit(
    committed_cast: Cast, chromium: Browser, site: str
) -> None:
    play.sit(committed_cast, play.open_chinese(committed_cast), 1, "P1")
    with app_of(chromium, site, committed_cast.tablet_token) as page:
        seat(page, 1)
        type_amount(page, "0")
        confirm = page.get_by_role("button", name="Type an amount", exact=True)
        expect(confirm).to_have_attribute("aria-disabled", "true")
        confirm.click(force=True)
        type_amount(page, "9" * 14)
        expect(page.get_by_role("button", name="Buy in $999,999", exact=True)).to_be_visible()
        stack(page, 1, "$0")
    assert not BuyIn.objects.exists()


def test_a_seat_is_held_and_the_first_button_is_named(committed_cast: Cast, chromium: Browser, site: str) -> None:
    """CP-66: the dealer names the first button, and is not asked again. CP-20, CP-61: marks in a hand."""
    session = play.open_chinese(committed_cast)
    play.sit(committed_cast, session, 1, "P1", 11_000)
    play.sit(committed_cast, session, 2, "P2", 11_000)
    with app_of(chromium, site, committed_cast.tablet_token) as page:
        seat(page, 4)
        page.get_by_label("Card number").fill("P3")
        press(page, "20 min")
        expect(page.locator(".seat-4")).to_contain_text("held for Omar")
        seat(page, 4)
        press(page, "Omar sits down")
        expect(page.locator(".seat-4 .seat-stack")).to_have_text("$0")
        page.get_by_role("group", name="First button").get_by_role("button", name="2 Park").click()
        next_step(page, "Deal the next hand")
        expect(page.locator(".seat-2 .puck")).to_have_text("button")
        expect(page.locator(".seat-1")).to_contain_text("first hand")
        seat(page, 1)
        expect(page.locator(".sheet")).to_contain_text(
            "A hand is out: chips move on or off the table when it is over (CP-61)"
        )
        look(page, "seat-in-a-hand-landscape", ".table-side", ".work-side")
        press(page, "Declares …")
        press(page, "six pairs")
        expect(page.locator(".seat-1")).to_contain_text("six pairs")
        seat(page, 1)
        press(page, "Take it back")
        expect(page.locator(".seat-1")).not_to_contain_text("six pairs")
        next_step(page, "")
        play.settle(committed_cast, Hand.objects.get().pk, play.CHINESE_HANDS)
        expect(page.get_by_role("heading", name="Hand 1 is settled.")).to_be_visible()
        expect(page.get_by_role("group", name="First button")).to_have_count(0)
        press(page, "Ask floor to undo hand 1 …")
        press(page, "Paid wrong")
        expect(page.locator(".between")).to_contain_text("Floor is asked to undo hand 1.")
    assert SeatHold.objects.get().ended_at is not None
    assert Hand.objects.get().button_seat == 2


def test_the_bank_goes_round(committed_cast: Cast, chromium: Browser, site: str) -> None:
    """PG-02, PG-03: offered, declined, accepted and handed back in turn; who is passed by and why; nobody else begins."""
    table = banking.table_of(committed_cast, [1, 2, 4, 7], offers_required=True)
    table.answer(1, True)
    table.play(1, [2, 4])
    with app_of(chromium, site, committed_cast.pai_gow_token) as page:
        expect(page.locator(".bank-turn")).to_have_text("It is the turn of Lin in seat 1.")
        expect(page.locator(".foot .next")).to_be_disabled()
        expect(page.locator(".lacks")).to_have_text("The bank waits for the answer of Lin.")
        press(page, "Offer the bank")
        expect(page.locator(".bank-turn")).to_have_text("Offered to Lin in seat 1.")
        for name, number in (("Lin", 1), ("Park", 2), ("Omar", 4)):
            expect(page.locator(".bank-turn")).to_contain_text(f"{name} in seat {number}.")
            press(page, "Declines")
        expect(page.locator(".bank-turn")).to_contain_text("nobody accepted it in this round")
        press(page, "Offer it again")
        expect(page.locator(".bank-turn")).to_have_text("Offered to Lin in seat 1.")
        press(page, "Declines")
        expect(page.locator(".bank-turn")).to_have_text("It is the turn of Park in seat 2.")
        press(page, "Accepts")
        expect(page.locator(".bank-turn")).to_have_text("Park in seat 2 has accepted the bank.")
        press(page, "Hands it back")
        expect(page.locator(".bank-turn")).to_contain_text("Omar in seat 4.")
        press(page, "Accepts")
        expect(page.locator(".foot .next")).to_be_enabled()
        next_step(page, "Deal the next hand")
        expect(page.locator(".seat-4 .puck")).to_have_text("bank")
    hand = Hand.objects.get(number=2)
    assert (hand.button_seat, hand.stage) == (4, Stage.COLLECTED)


def test_the_minutes_of_a_timed_game_run_down_without_network(
    committed_cast: Cast, chromium: Browser, site: str
) -> None:
    """PG-02."""
    session = play.open_pai_gow(committed_cast, rotation_pack=True)
    play.sit(committed_cast, session, 1, "P1", 50_000)
    play.sit(committed_cast, session, 2, "P2", 20_000)
    bank_offer(order(committed_cast.pai_gow_dealer), session_id=session.pk)
    bank_answer(order(committed_cast.pai_gow_dealer), session_id=session.pk, seat=1, accepts=True)
    play.settle(committed_cast, play.deal_next_pai_gow(committed_cast, session), play.PAI_GOW_HANDS)
    with app_of(chromium, site, committed_cast.pai_gow_token) as page:
        expect(page.locator(".between")).to_contain_text(
            re.compile("Somebody else takes the bank within (40|39) minutes")
        )
        page.context.set_offline(True)
        page.clock.install()
        page.clock.fast_forward("31:00")
        expect(page.locator(".between")).to_contain_text(re.compile("Somebody else takes the bank within [98] minutes"))


@pytest.mark.parametrize("size", TRIED_SIZES)
def test_it_looks_right_between_hands(committed_cast: Cast, chromium: Browser, site: str, size: str) -> None:
    """Both games, an empty and a taken seat, in every size, dark and light: axe clean, nothing too small or too near."""
    Patron.objects.create(room=committed_cast.room, number="P5", name="Maximiliana Featherstonehaugh")
    session = play.open_chinese(committed_cast)
    play.sit(committed_cast, session, 1, "P1", 10_000)
    play.sit(committed_cast, session, 2, "P2", 31_000)
    play.sit(committed_cast, session, 4, "P5")
    with app_of(chromium, site, committed_cast.tablet_token, size) as page:
        look(page, f"between-chinese-{size}", ".table-side", ".work-side", ".foot")
        seat(page, 3)
        look(page, f"seat-free-{size}", ".table-side", ".work-side")
        press(page, "Close")
        seat(page, 4)
        look(page, f"seat-taken-{size}", ".table-side", ".work-side")
    table = banking.table_of(committed_cast, [1, 2, 4, 7], offers_required=True)
    table.answer(1, True)
    table.play(1, [2, 4])
    play.sit(committed_cast, table.session, None, "P5", 20_000)
    with app_of(chromium, site, committed_cast.pai_gow_token, size) as page:
        press(page, "Declines")
        expect(page.locator(".bank-turn")).to_contain_text("Park")
        look(page, f"between-pai-gow-{size}", ".table-side", ".work-side")
