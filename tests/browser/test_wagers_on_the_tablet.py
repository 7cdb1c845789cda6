"""Wagers, bank and dice of Pai Gow Poker on the tablet's app: tapped spot by spot, repeated, and sent in one press."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tables.models import Hand, Patron, Wager
from tables.services.wagers import hand_bank, hand_wager
from tests.browser.at_the_tablet import app_of, look
from tests.browser.conftest import TRIED_SIZES
from tests.browser.test_between_hands_on_the_tablet import next_step, press, type_amount
from tests.people import Cast, order
from tests.tables import banking, play

TAPS = "() => { window.taps = 0; document.addEventListener('click', () => { window.taps += 1; }, true); }"

# Whether the device keeps something that holds these words, as a reload would find it.
IS_KEPT = """
    (words) => new Promise((done) => {
        const opening = indexedDB.open("backline");
        opening.onsuccess = () => {
            const database = opening.result;
            const asking = database.transaction("kept").objectStore("kept").getAll();
            asking.onsuccess = () => {
                database.close();
                done(JSON.stringify(asking.result).includes(words));
            };
        };
    })
"""


def spot(page: Page, position: int) -> None:
    """Tap a spot."""
    page.locator(f".spot[data-position='{position}']").click()


def amount(page: Page, dollars: str) -> None:
    """Tap one of the quick amounts."""
    page.locator(".bet .quick button", has=page.get_by_text(dollars, exact=True)).click()


def asked_for(page: Page, words: str) -> None:
    """Whose amount is asked for now."""
    expect(page.locator(".bet h3")).to_have_text(words)


def throw(page: Page, *faces: int) -> None:
    """Tap the faces of the dice."""
    for face in faces:
        page.get_by_role("button", name=f"A die shows {face}", exact=True).click()


def stakes_of(hand: Hand) -> tuple[list[tuple[int, str, int, bool]], list[tuple[str, int]]]:
    """The wagers and the bank of a hand, as they are stored."""
    wagers = hand.wagers.order_by("ordinal").select_related("sitting__patron")
    shares = hand.bank_shares.order_by("ordinal").select_related("sitting__patron")
    return (
        [(each.position, each.sitting.patron.name, each.amount_cents, each.put_down_by_dealer) for each in wagers],
        [(each.sitting.patron.name, each.amount_cents) for each in shares],
    )


def test_wagers_bank_and_dice_are_tapped(committed_cast: Cast, chromium: Browser, site: str) -> None:
    """PG-05, PG-06, PG-07, PG-10: every player in turn, the backline, over the maximum, a partner of the bank, and the dice."""
    table = banking.table_of(committed_cast, [1, 2, 5])
    play.sit(committed_cast, table.session, None, "P4", 20_000)
    with app_of(chromium, site, committed_cast.pai_gow_token) as page:
        page.get_by_role("group", name="Player/Dealer").get_by_role("button", name="1 Lin").click()
        next_step(page, "Deal the next hand")
        asked_for(page, "Spot 2 · Park")
        expect(page.locator(".foot .next")).to_have_text("Put down a wager")
        amount(page, "$50")
        asked_for(page, "Spot 5 · Omar")
        press(page, "Other …")
        type_amount(page, "5")
        expect(page.locator(".keypad-note")).to_have_text("The table minimum is $10 (PG-05)")
        expect(page.get_by_role("button", name="Put down $5")).to_be_disabled()
        type_amount(page, "00")
        expect(page.locator(".keypad-note")).to_have_text(
            "$400 over the maximum of $100 has no action and goes back (PG-05)"
        )
        for _ in range(3):
            page.get_by_role("button", name="Delete").click()
        type_amount(page, "120")
        press(page, "Put down $120")
        asked_for(page, "Bank · Lin")
        spot(page, 5)
        press(page, "Backline …")
        page.locator(".whose").get_by_role("button", name="Ruiz").click()
        asked_for(page, "Spot 5 · Ruiz")
        expect(page.locator(".bet-note")).to_have_text("The dealer puts this wager down (PG-06)")
        amount(page, "$20")
        spot(page, 3)
        page.locator(".whose").get_by_role("button", name="Park").click()
        expect(page.locator(".bet-note")).to_have_text("")
        amount(page, "$10")
        amount(page, "$180")
        asked_for(page, "All wagers are down")
        spot(page, 1)
        press(page, "Kum-Kum partner …")
        page.locator(".whose").get_by_role("button", name="Ruiz").click()
        press(page, "Other …")
        type_amount(page, "60")
        press(page, "Put down $60")
        page.wait_for_function(IS_KEPT, arg='"amount_cents":6000')
        page.reload()
        expect(page.locator(".wagers-head")).to_contain_text("4 down, $200")
        throw(page, 1, 2, 6)
        expect(page.locator(".dice-words")).to_have_text("9: first hand to 2, action from 2")
        expect(page.locator(".seat-2 .pucks")).to_have_text("first, action")
        press(page, "Die 3 shows 6: clear")
        throw(page, 5)
        expect(page.locator(".dice-words")).to_have_text("8: first hand to 1, action from 2")
        next_step(page, "No more bets")
        expect(page.locator(".wagers")).to_have_count(0)
        expect(page.locator(".seat-1 .pucks")).to_have_text("bank first hand")
        expect(page.locator(".seat-2 .pucks")).to_have_text("action")
    wagers, bank = stakes_of(Hand.objects.get())
    assert wagers == [
        (2, "Park", 5_000, False),
        (5, "Omar", 12_000, False),
        (5, "Ruiz", 2_000, True),
        (3, "Park", 1_000, False),
    ]
    assert bank == [("Lin", 18_000), ("Ruiz", 6_000)]
    assert Hand.objects.get().dice == [1, 2, 5]


def test_the_last_wagers_are_repeated_by_one_tap(committed_cast: Cast, chromium: Browser, site: str) -> None:
    """A hand with its wagers as last time: one tap, the dice by three, and the next step."""
    table = banking.table_of(committed_cast, [1, 2, 4, 7])
    table.play(1, [2, 4, 7])
    with app_of(chromium, site, committed_cast.pai_gow_token) as page:
        page.evaluate(TAPS)
        next_step(page, "Deal the next hand")
        press(page, "Repeat last wagers: 3, $30")
        asked_for(page, "All wagers are down")
        throw(page, 4, 4, 4)
        next_step(page, "No more bets")
        expect(page.locator(".wagers")).to_have_count(0)
        assert page.evaluate("window.taps") == 6
    hand = Hand.objects.get(number=2)
    assert stakes_of(hand) == (
        [(2, "Park", 1_000, False), (4, "Omar", 1_000, False), (7, "Ruiz", 1_000, False)],
        [("Lin", 5_000)],
    )


def test_what_was_put_down_before_is_added_to_or_taken_back(committed_cast: Cast, chromium: Browser, site: str) -> None:
    """PG-08: a wager placed one by one is shown, taken back by a tap, and the rest goes the same way."""
    table = banking.table_of(committed_cast, [1, 2, 4])
    hand_id = table.deal(1)
    dealer = committed_cast.pai_gow_dealer
    for seat in (2, 4):
        hand_wager(
            order(dealer), hand_id=hand_id, position=seat, sitting_id=table.sittings[seat].pk, amount_cents=2_000
        )
    hand_bank(order(dealer), hand_id=hand_id, shares=[{"sitting": str(table.sittings[1].pk), "amount_cents": 9_000}])
    with app_of(chromium, site, committed_cast.pai_gow_token) as page:
        expect(page.locator(".wagers-head")).to_contain_text("2 down, $40")
        spot(page, 4)
        press(page, "Take it back")
        expect(page.locator(".wagers-head")).to_contain_text("1 down, $20")
        amount(page, "$100")
        throw(page, 1, 1, 1)
        next_step(page, "No more bets")
        expect(page.locator(".wagers")).to_have_count(0)
    wagers, bank = stakes_of(Hand.objects.get())
    assert [each[:3] for each in wagers] == [(2, "Park", 2_000), (4, "Omar", 10_000)]
    assert bank == [("Lin", 9_000)]
    assert Wager.objects.count() == 3


@pytest.mark.parametrize("size", TRIED_SIZES)
def test_it_looks_right_while_people_wager(committed_cast: Cast, chromium: Browser, site: str, size: str) -> None:
    """In every size, dark and light: axe clean, nothing too small or too near."""
    for place in (5, 6, 7):
        name = "Maximiliana Featherstonehaugh" if place == 7 else f"Player {place}"
        Patron.objects.create(room=committed_cast.room, number=f"P{place}", name=name)
    table = banking.table_of(committed_cast, [1, 2, 3, 4])
    for seat in (5, 6):
        play.sit(committed_cast, table.session, seat, f"P{seat}", 30_000)
    play.sit(committed_cast, table.session, None, "P7", 30_000)
    with app_of(chromium, site, committed_cast.pai_gow_token, size) as page:
        next_step(page, "Deal the next hand")
        for _ in range(3):
            amount(page, "$50")
        spot(page, 7)
        look(page, f"wagers-backline-{size}", ".table-side", ".work-side", ".foot")
        page.locator(".whose").get_by_role("button", name="Maximiliana").click()
        press(page, "Other …")
        type_amount(page, "25")
        look(page, f"wagers-keypad-{size}", ".work-side")
        press(page, "Put down $25")
        for _ in range(2):
            amount(page, "$100")
        amount(page, "$375")
        throw(page, 3, 5, 6)
        look(page, f"wagers-dice-{size}", ".table-side", ".work-side", ".foot")
