"""What is said of a hand beside its cards on the tablet's app: marks, the clock, misdeals and incidents, and hands set wrong."""

from uuid import UUID

import pytest
from playwright.sync_api import Browser, Page, expect

from tables.models import Hand, HandEvent, HandRecord, Incident, TableSession, Wager
from tables.services.clock import clock_call
from tables.services.hands import hand_start
from tables.services.sessions import session_open
from tables.services.wagers import hand_wager
from tests.browser.at_the_tablet import all_sent, app_of, look
from tests.browser.conftest import TRIED_SIZES
from tests.browser.test_between_hands_on_the_tablet import next_step, press, seat, type_amount
from tests.browser.test_cards_are_entered import cards_of, tab, tap
from tests.people import Cast, order
from tests.tables import banking, play

DOUBLE_TAP_MS = 500
OLD_MARKS = ["surrendered", "withdrawn", "left", "clock-called", "set-by-clock"]


def deal_with_surrender(cast: Cast) -> UUID:
    """Table 7 under rules that have surrender, a hand out to Lin in 1 and Park in 2."""
    answer = session_open(
        order(cast.floor),
        table_id=cast.chinese.pk,
        rules="future-eastern",
        point_value_cents=500,
        collection_cents=400,
    )
    session = TableSession.objects.get(pk=answer["session"])
    for number in (1, 2):
        play.sit(cast, session, number, f"P{number}", 11_000)
    return UUID(hand_start(order(cast.dealer), session_id=session.pk)["hand"])


def went_wrong(page: Page, what: str) -> None:
    """Tap what was seen."""
    page.get_by_role("group", name="What was seen").get_by_role("button", name=what, exact=True).click()


def confirm(page: Page, words: str) -> None:
    """The next step, well after the tap before it."""
    page.wait_for_timeout(DOUBLE_TAP_MS)
    next_step(page, words)


def test_surrender_leaving_and_the_clock_are_marked_at_the_seat(
    committed_cast: Cast, chromium: Browser, site: str
) -> None:
    """CP-35; CP-64: the dealer sees the clock run, and only floor stops it; CP-03: all are marked as set, then entered."""
    hand = deal_with_surrender(committed_cast)
    with app_of(chromium, site, committed_cast.tablet_token, "portrait") as page:
        expect(page.get_by_role("button", name="Surrender", exact=True)).to_be_visible()
        seat(page, 1)
        press(page, "Surrenders …")
        press(page, "Yes, surrenders the hand")
        expect(page.locator(".seat-1")).to_contain_text("Surrendered")
        seat(page, 1)
        press(page, "Take it back")
        expect(page.locator(".seat-1")).not_to_contain_text("Surrendered")
        seat(page, 2)
        press(page, "Has left")
        expect(page.locator(".seat-2")).to_contain_text("Left the table")
        clock_call(order(committed_cast.floor), hand_id=hand, seat=2)
        expect(tab(page, 2)).to_contain_text("Time called 0:")
        seat(page, 2)
        expect(page.get_by_role("timer")).to_contain_text("Time called 0:")
        expect(page.get_by_role("button", name="Stop the clock")).to_have_count(0)
        look(page, "seat-clock-portrait", ".work-side")
        press(page, "Set it for the player")
        expect(page.locator(".seat-2")).to_contain_text("To be set for the player")
        tap(page, cards_of(play.CHINESE_HANDS[1]))
        tap(page, cards_of(play.CHINESE_HANDS[0]))
        confirm(page, "Everybody has set")
        expect(tab(page, 1)).to_contain_text("Set")
        confirm(page, "See who pays")
        expect(page.locator(".stage-verdict")).to_be_visible()
        all_sent(page)
    marked = HandEvent.objects.filter(hand=hand).order_by("pk").values_list("kind", flat=True)
    assert list(marked) == [*OLD_MARKS, "set"]


def test_a_deal_is_void_for_every_reason_of_chinese_poker(committed_cast: Cast, chromium: Browser, site: str) -> None:
    """CP-40, CP-42: by two taps and a confirm; what is no misdeal is noted, and the hand plays on."""
    session, _lin, _park, _hand = play.deal_chinese(committed_cast)
    with app_of(chromium, site, committed_cast.tablet_token) as page:
        press(page, "Misdeal")
        went_wrong(page, "Exposed by the dealer")
        for _ in range(3):
            press(page, "One card more")
        expect(page.locator(".seen")).to_contain_text("the hand plays on")
        confirm(page, "Note it")
        expect(page.locator(".picker")).to_be_visible()
        press(page, "Misdeal")
        went_wrong(page, "Exposed by the dealer")
        expect(page.locator(".seen")).to_contain_text("A misdeal: nothing is paid")
        expect(page.locator(".seen")).to_contain_text("(CP-40)")
        confirm(page, "Call the misdeal")
        expect(page.locator(".stage-between")).to_be_visible()
        hand_start(order(committed_cast.dealer), session_id=session.pk)
        expect(page.locator(".picker")).to_be_visible()
        seat(page, 1)
        press(page, "Something went wrong …")
        expect(page.locator(".foot .next")).to_be_disabled()
        went_wrong(page, "Hand shown")
        page.get_by_label("Note (optional)").fill("to seat 2")
        confirm(page, "Note it")
        seat(page, 1)
        press(page, "Something went wrong …")
        went_wrong(page, "To the wrong player")
        expect(page.locator(".seen")).to_contain_text("Noted of this hand: Hand shown 1")
        confirm(page, "Call the misdeal")
        expect(page.locator(".stage-between")).to_be_visible()
        seat(page, 2)
        press(page, "Something went wrong …")
        went_wrong(page, "Something else")
        expect(page.locator(".foot .next")).to_have_text("Write what it was")
        page.get_by_label("What it was").fill("a drink on the felt")
        confirm(page, "Note it")
        expect(page.locator(".between")).to_be_visible()
        all_sent(page)
    first, second = Hand.objects.order_by("number")
    assert (first.misdeal_code, first.misdeal_seat) == ("dealer-exposed", 2)
    assert (second.misdeal_code, second.misdeal_seat) == ("wrong-seat", 1)
    noted = Incident.objects.order_by("recorded_at").values_list("kind", "seat", "count", "note")
    assert list(noted) == [
        ("dealer-exposed", 2, 4, ""),
        ("dealer-exposed", 2, 1, ""),
        ("shown", 1, None, "to seat 2"),
        ("wrong-seat", 1, None, ""),
        ("other", 2, None, "a drink on the felt"),
    ]
    assert Incident.objects.get(kind="other").people.get().sitting.patron.name == "Park"


@pytest.mark.parametrize("size", TRIED_SIZES)
def test_cards_that_were_seen_are_tapped_and_two_are_a_misdeal(
    committed_cast: Cast, chromium: Browser, site: str, size: str
) -> None:
    """PG-41, PG-42."""
    play.deal_pai_gow(committed_cast)
    with app_of(chromium, site, committed_cast.pai_gow_token, size) as page:
        press(page, "Misdeal")
        went_wrong(page, "Card boxed")
        expect(page.locator(".foot .next")).to_have_text("Tap the cards")
        page.locator(".seen .key[data-card='9d']").click()
        expect(page.locator(".seen")).to_contain_text("the hand plays on")
        look(page, f"seen-{size}", ".seen", ".foot")
        confirm(page, "Note it")
        press(page, "Misdeal")
        went_wrong(page, "Card exposed")
        page.locator(".seen .key[data-card='Td']").click()
        expect(page.locator(".seen")).to_contain_text("(PG-42)")
        page.locator(".seen .key[data-card='Td']").click()
        page.locator(".seen .key[data-card='Jk']").click()
        expect(page.locator(".seen")).to_contain_text("(PG-41)")
        press(page, "Something else …")
        went_wrong(page, "Card boxed")
        confirm(page, "Call the misdeal")
        expect(page.locator(".stage-between")).to_be_visible()
        all_sent(page)
    assert Hand.objects.get().misdeal_code == "joker-or-ace-exposed"
    assert list(Incident.objects.order_by("recorded_at").values_list("kind", "cards")) == [
        ("boxed", "9d"),
        ("boxed", "Jk"),
    ]


def test_a_hand_that_was_set_in_wrong_numbers_is_entered_as_it_lies(
    committed_cast: Cast, chromium: Browser, site: str
) -> None:
    """CP-31."""
    play.deal_chinese(committed_cast)
    with app_of(chromium, site, committed_cast.tablet_token, "portrait") as page:
        press(page, "Wrong numbers")
        press(page, "One card more in the front")
        look(page, "picker-wrong-numbers", ".picker", ".foot")
        confirm(page, "Seat 2 set 4-5-4")
        tap(page, cards_of(play.CHINESE_HANDS[1]))
        expect(tab(page, 2)).to_contain_text("foul")
        tap(page, cards_of(play.CHINESE_HANDS[0]))
        confirm(page, "See who pays")
        expect(page.locator(".verdict-first")).to_contain_text("Front has 4 cards, not 3 CP-31")
        press(page, "Enter the cards again")
        tab(page, 2).click()
        expect(page.get_by_role("button", name="Set 4-5-4")).to_be_visible()
        all_sent(page)
    assert '"front":"Kd Th 9s 7s"' in HandRecord.objects.get().text


def test_a_wager_from_the_backline_is_added_to_and_taken_back(
    committed_cast: Cast, chromium: Browser, site: str
) -> None:
    """PG-06, PG-08: what this tablet has put down so far, and what lies there already."""
    table = banking.table_of(committed_cast, [1, 2])
    ruiz = play.sit(committed_cast, table.session, None, "P4", 20_000)
    hand = UUID(hand_start(order(committed_cast.pai_gow_dealer), session_id=table.session.pk, button_seat=1)["hand"])
    with app_of(chromium, site, committed_cast.pai_gow_token) as page:
        page.locator(".spot[data-position='2']").click()
        press(page, "Backline …")
        page.locator(".whose").get_by_role("button", name="Ruiz").click()
        page.locator(".bet .quick button", has_text="$20").click()
        page.locator(".spot[data-position='2']").click()
        page.locator(".whose").get_by_role("button", name="Ruiz").click()
        page.locator(".bet .quick button", has_text="minimum more").click()
        expect(page.locator(".spot[data-position='2']")).to_contain_text("$30")
        page.locator(".standing").get_by_role("button", name="Ruiz").click()
        expect(page.locator(".sheet")).to_contain_text("Spot 2: $30")
        look(page, "seat-backline-wager-landscape", ".work-side")
        press(page, "Take off")
        expect(page.locator(".sheet")).not_to_contain_text("Spot 2")
        hand_wager(
            order(committed_cast.pai_gow_dealer), hand_id=hand, position=2, sitting_id=ruiz.pk, amount_cents=2_000
        )
        expect(page.locator(".sheet")).to_contain_text("Spot 2: $20")
        press(page, "Change")
        type_amount(page, "45")
        press(page, "Put down $45")
        expect(page.locator(".spot[data-position='2']")).to_contain_text("$45")
        all_sent(page)
        assert not Wager.not_withdrawn.exists()
        page.locator(".standing").get_by_role("button", name="Ruiz").click()
        expect(page.locator(".sheet")).to_contain_text("Spot 2: $45")
