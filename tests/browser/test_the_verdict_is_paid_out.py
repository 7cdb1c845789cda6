"""The verdict on the tablet: fouls first, payments ticked off in paying order, and confirmed as they were paid."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tables.models import Hand, PaidDifferently, TableException
from tables.services.hands import hand_start
from tables.services.records import hand_record_enter
from tests.browser.at_the_tablet import app_of, look
from tests.browser.conftest import TRIED_SIZES
from tests.browser.signing_in import arrive_signed_in
from tests.ledger.clean import assert_clean
from tests.people import Cast, order
from tests.tables import fees, play
from tests.tables.corrected import PUSHED_HANDS
from tests.tables.replaying import THIRD_FOULS
from tests.tables.test_a_hand_is_marked import DECLARED_HANDS
from tests.tables.test_an_uncovered_wager_is_refunded import LIN, OMAR_WINS, PARK

# Seats 3 and 4 foul; in the second hand their chips do not reach.
FOUR_HANDS = [
    *THIRD_FOULS,
    {"seat": 4, "front": "Ac 7c 4s", "middle": "Kh Tc 9d 3h 2c", "back": "Qd Td 7h 6h 5h"},
]
# Park pushes, Omar wins, Ruiz loses.
OF_FOUR_POSITIONS = [*PUSHED_HANDS, OMAR_WINS, {"position": 4, "front": "7h 2d", "back": "Ad Js 8h 5s 4d"}]


@pytest.fixture(params=TRIED_SIZES)
def size(request: pytest.FixtureRequest) -> str:
    """In which position, or on which device."""
    return str(request.param)


@pytest.fixture
def capped(committed_cast: Cast) -> UUID:
    """The second hand of four at table 7, entered, of whom two cannot pay all they owe."""
    session = play.open_chinese(committed_cast)
    for seat in range(1, 5):
        play.sit(committed_cast, session, seat, f"P{seat}", 11_000)
    play.settle(committed_cast, deal(committed_cast, session.pk), FOUR_HANDS)
    hand = deal(committed_cast, session.pk)
    play.record(committed_cast, hand, FOUR_HANDS)
    return hand


@pytest.fixture
def chinese(committed_cast: Cast, chromium: Browser, site: str) -> Iterator[Page]:
    """The app at table 7 with a hand of two that waits to be confirmed: $5 each way."""
    *_table, hand = play.deal_chinese(committed_cast)
    play.record(committed_cast, hand, play.CHINESE_HANDS)
    with app_of(chromium, site, committed_cast.tablet_token) as page:
        yield page


def deal(cast: Cast, session_id: UUID) -> UUID:
    return UUID(hand_start(order(cast.dealer), session_id=session_id)["hand"])


def lines(page: Page) -> Locator:
    """The payments, each a box to tick."""
    return page.get_by_role("checkbox")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def is_settled(page: Page) -> Hand:
    """The hand that was confirmed, once the next can be dealt."""
    expect(page.locator(".stage-between")).to_be_visible()
    return Hand.objects.latest("ended_at")


class TestChinesePoker:
    def test_fouls_come_first_and_payments_are_ticked_off_in_paying_order(
        self, committed_cast: Cast, capped: UUID, chromium: Browser, site: str, size: str
    ) -> None:
        """CP-30, CP-31, CP-52: the whole of a verdict, in every size."""
        with app_of(chromium, site, committed_cast.tablet_token, size) as page:
            verdict = page.locator(".verdict")
            expect(verdict.locator(".verdict-first > .foul")).to_have_count(2)
            expect(verdict.locator(".verdict-first")).to_contain_text("Seat 3 fouls")
            expect(verdict.locator(".verdict-first")).to_contain_text("CP-31")
            expect(lines(page)).to_have_count(5)
            expect(lines(page).nth(1)).to_contain_text("of $30 owed: the stacks cap it")
            expect(lines(page).nth(1)).to_contain_text("$12")
            assert verdict.locator(".amount").first.evaluate("(each) => getComputedStyle(each).fontSize") == "28px"
            look(page, f"verdict-chinese-{size}", ".work-side", ".foot")

            expect(page.locator(".payment.turn")).to_contain_text("Omar")
            lines(page).nth(0).click()
            expect(lines(page).nth(0)).to_have_attribute("aria-checked", "true")
            expect(page.locator(".payment").nth(1)).to_have_attribute("aria-current", "step")
            page.locator(".why > summary").nth(2).click()
            expect(page.locator(".payment").nth(2)).to_contain_text("Seat 4 is fouled and pays seat 1: +6 CP-30")
            lines(page).nth(1).locator(".who").click()
            expect(page.locator(".foot")).to_contain_text("3 not ticked")
            look(page, f"verdict-chinese-ticked-{size}", ".work-side", ".foot")

            press(page, "Paid: confirm")
            expect(page.get_by_role("alert")).to_contain_text("3 not ticked: 4 → 1, 4 → 2, 2 → 1")
            look(page, f"verdict-chinese-not-ticked-{size}", ".foot")
            press(page, "Go on ticking")
            for number in range(2, 5):
                lines(page).nth(number).click()
            expect(page.locator(".foot")).not_to_contain_text("not ticked")
            press(page, "Paid: confirm")
            hand = is_settled(page)
        assert (hand.pk, hand.status) == (capped, Hand.Status.SETTLED)
        assert_clean()

    def test_ticks_outlive_a_reload_and_end_when_the_cards_are_entered_again(
        self, committed_cast: Cast, chinese: Page
    ) -> None:
        lines(chinese).first.click()
        expect(lines(chinese).first).to_have_attribute("aria-checked", "true")
        chinese.reload()
        expect(lines(chinese).first).to_have_attribute("aria-checked", "true")
        hand = Hand.objects.get()
        play.record(committed_cast, hand.pk, play.FOULED_HANDS)
        expect(chinese.locator(".verdict-first > .foul")).to_be_visible()
        expect(lines(chinese).first).to_have_attribute("aria-checked", "false")

    def test_what_is_not_ticked_is_confirmed_by_a_second_press(self, chinese: Page) -> None:
        press(chinese, "Paid: confirm")
        assert Hand.objects.get().is_out
        chinese.wait_for_timeout(450)
        press(chinese, "All paid: confirm")
        assert is_settled(chinese).status == Hand.Status.SETTLED

    def test_what_was_paid_differently_is_posted_as_it_was_and_floor_hears_of_it(
        self, committed_cast: Cast, chinese: Page
    ) -> None:
        due = PaidDifferently(payer=2, payee=1, due_cents=500)
        press(chinese, "Paid differently")
        expect(chinese.get_by_role("button", name="Nothing differs yet")).to_be_disabled()
        chinese.locator(".payment").first.get_by_role("button").first.click()
        look(chinese, "verdict-paid-differently", ".work-side", ".foot")
        for key in ("1", "5"):
            chinese.locator(".pad-key").get_by_text(key, exact=True).click()
        press(chinese, "$15 moved")
        chinese.get_by_label("Note for floor").fill("pushed from the wrong stack")
        expect(chinese.locator(".payment.changed")).to_contain_text("$15")
        look(chinese, "verdict-paid-differently-changed", ".work-side", ".foot")
        press(chinese, "Record 1 paid differently")
        is_settled(chinese)
        row = PaidDifferently.objects.get()
        assert (row.payer, row.payee, row.due_cents, row.paid_cents) == (due.payer, due.payee, due.due_cents, 1500)
        told = TableException.objects.get(kind="paid-differently")
        assert told.words.endswith("pushed from the wrong stack")
        assert_clean()

    def test_a_payment_that_went_the_other_way_is_two_lines(self, chinese: Page) -> None:
        press(chinese, "Paid differently")
        chinese.locator(".payment").first.get_by_role("button").first.click()
        press(chinese, "1 paid 2")
        press(chinese, "$5 moved")
        expect(chinese.locator(".payment.changed")).to_contain_text("$5, 1 → 2")
        press(chinese, "Record 1 paid differently")
        is_settled(chinese)
        paid = set(PaidDifferently.objects.values_list("payer", "payee", "due_cents", "paid_cents"))
        assert paid == {(2, 1, 500, 0), (1, 2, 0, 500)}
        assert_clean()

    def test_an_automatic_win_is_laid_out(self, committed_cast: Cast, chromium: Browser, site: str) -> None:
        """CP-24."""
        *_table, hand = play.deal_chinese(committed_cast)
        play.record(committed_cast, hand, DECLARED_HANDS)
        with app_of(chromium, site, committed_cast.tablet_token) as page:
            expect(page.locator(".verdict-first > .announced")).to_contain_text("CP-24")
            laid_out = page.locator(".declared")
            expect(laid_out).to_contain_text("six pairs")
            expect(laid_out.get_by_role("img")).to_have_count(3)
            expect(laid_out.locator(".card")).to_have_count(13)
            look(page, "verdict-automatic-win", ".work-side", ".foot")

    def test_a_misdeal_says_why_and_that_everything_goes_back(
        self, committed_cast: Cast, chromium: Browser, site: str, size: str
    ) -> None:
        """CP-40, CP-43."""
        *_table, hand = play.deal_chinese(committed_cast)
        exposed = [{"kind": "dealer-exposed", "seat": 1, "cards": 5}]
        hand_record_enter(order(committed_cast.dealer), hand_id=hand, hands=play.CHINESE_HANDS, incidents=exposed)
        with app_of(chromium, site, committed_cast.tablet_token, size) as page:
            expect(page.locator(".misdeal")).to_contain_text("CP-40")
            expect(page.locator(".misdeal")).to_contain_text("The collection goes back: $4 each")
            expect(lines(page)).to_have_count(0)
            look(page, f"verdict-misdeal-{size}", ".work-side", ".foot")
            press(page, "Confirm the misdeal")
            assert is_settled(page).status == Hand.Status.MISDEAL

    def test_a_refusal_is_shown_where_it_was_pressed_and_the_new_verdict_in_its_place(
        self, committed_cast: Cast, chinese: Page
    ) -> None:
        """Somebody enters the cards again on another screen while this one confirms."""
        lines(chinese).first.click()
        chinese.route("**/tablet/state/", lambda route: route.abort())
        play.record(committed_cast, Hand.objects.get().pk, play.FOULED_HANDS)
        press(chinese, "Paid: confirm")
        expect(chinese.get_by_role("alert")).to_be_visible()
        assert Hand.objects.get().is_out


class TestPaiGowPoker:
    def test_wagers_are_paid_from_the_action_with_the_banks_net(
        self, committed_cast: Cast, chromium: Browser, site: str, size: str
    ) -> None:
        """PG-30, PG-50: a push, a win, a loss."""
        self.enter(committed_cast, 20_000, OF_FOUR_POSITIONS)
        with app_of(chromium, site, committed_cast.pai_gow_token, size) as page:
            expect(page.locator(".verdict-head")).to_contain_text("Action begins at 2")
            expect(lines(page)).to_have_text(["2 Park push", "1 Lin → 3 Omar wins $10", "4 Ruiz → 1 Lin loses $20"])
            expect(page.locator(".bank-net")).to_contain_text("Bank +$10")
            look(page, f"verdict-pai-gow-{size}", ".work-side", ".foot")
            for number in range(3):
                lines(page).nth(number).click()
            press(page, "Paid: confirm")
            assert is_settled(page).status == Hand.Status.SETTLED
        assert_clean()

    def test_what_had_no_action_goes_back(self, committed_cast: Cast, chromium: Browser, site: str) -> None:
        """PG-50: a bank of $20 is used up by the first wager."""
        self.enter(committed_cast, 2_000, [LIN, PARK, OMAR_WINS])
        with app_of(chromium, site, committed_cast.pai_gow_token) as page:
            expect(lines(page).nth(0)).to_contain_text("$30 goes back without action")
            expect(lines(page).nth(1)).to_contain_text("$10 goes back without action")
            look(page, "verdict-no-action", ".work-side", ".foot")

    def test_what_a_wager_was_really_paid_is_posted(self, committed_cast: Cast, chromium: Browser, site: str) -> None:
        """PG-52: what a wager did not win the bank did not lose."""
        self.enter(committed_cast, 20_000, OF_FOUR_POSITIONS)
        with app_of(chromium, site, committed_cast.pai_gow_token) as page:
            press(page, "Paid differently")
            page.locator(".payment").nth(1).get_by_role("button").first.click()
            press(page, "Nothing moved")
            page.locator(".payment").nth(2).get_by_role("button").first.click()
            press(page, "1 paid 4")
            press(page, "$20 moved")
            look(page, "verdict-pai-gow-paid-differently", ".work-side", ".foot")
            press(page, "Record 2 paid differently")
            is_settled(page)
        paid = PaidDifferently.objects.filter(wager__isnull=False).order_by("wager__ordinal")
        assert list(paid.values_list("due_cents", "paid_cents")) == [(1_000, 0), (-2_000, 2_000)]
        assert_clean()

    def test_a_misdeal_gives_every_wager_and_the_bank_back(
        self, committed_cast: Cast, chromium: Browser, site: str
    ) -> None:
        """PG-41."""
        *_table, hand = play.deal_pai_gow(committed_cast)
        exposed = [{"kind": "exposed", "cards": ["As"]}]
        hand_record_enter(
            order(committed_cast.pai_gow_dealer), hand_id=hand, hands=play.PAI_GOW_HANDS, incidents=exposed
        )
        with app_of(chromium, site, committed_cast.pai_gow_token) as page:
            expect(page.locator(".misdeal")).to_contain_text("2 Park takes back $50")
            expect(page.locator(".misdeal")).to_contain_text("Lin takes back $200")
            look(page, "verdict-pai-gow-misdeal", ".work-side", ".foot")

    def enter(self, cast: Cast, bank_cents: int, hands: list[dict[str, Any]]) -> UUID:
        """Lin banks against Park's $50, Omar's $10 and, where there is a fourth hand, Ruiz's $20."""
        session = fees.open_pai_gow(cast, collection_cents=100, bank_collection_cents=300)
        lin, park, omar = fees.seat_three(cast, session)
        wagers = {park: 5_000, omar: 1_000}
        if len(hands) > 3:
            wagers[play.sit(cast, session, 4, "P4", 50_000)] = 2_000
        hand = fees.deal(cast, session)
        fees.wager(cast, hand, lin, bank_cents, wagers)
        play.record(cast, hand, hands)
        return hand


class TestWithoutANetwork:
    def test_the_hand_is_entered_paid_by_its_cards_and_settled_once_when_the_network_is_back(
        self, committed_cast: Cast, chromium: Browser, site: str, size: str
    ) -> None:
        *_table, hand = play.deal_chinese(committed_cast)
        with app_of(chromium, site, committed_cast.tablet_token, size) as page:
            page.context.set_offline(True)
            for entered in play.CHINESE_HANDS[::-1]:
                page.keyboard.type(" ".join(entered[part] for part in ("front", "middle", "back")))
            press(page, "See who pays")
            waits = page.locator(".verdict.waits")
            expect(waits).to_contain_text("2 hands are entered and kept on this tablet.")
            expect(waits).to_contain_text("There is no network. Who pays whom is worked out when it is back")
            look(page, f"verdict-waits-{size}", ".work-side", ".foot")
            page.wait_for_timeout(450)
            press(page, "Go on without the verdict")
            expect(page.locator(".stage-between")).to_be_visible()
            assert Hand.objects.get().is_out
            page.context.set_offline(False)
            expect(page.locator(".strip-sent")).to_contain_text("1 hand to compare")
        settled = Hand.objects.get()
        assert (settled.pk, settled.status, settled.records.count()) == (hand, Hand.Status.SETTLED, 1)
        assert_clean()

    def test_the_verdict_takes_its_place_where_the_dealer_has_waited(
        self, committed_cast: Cast, chromium: Browser, site: str
    ) -> None:
        play.deal_chinese(committed_cast)
        with app_of(chromium, site, committed_cast.tablet_token) as page:
            page.context.set_offline(True)
            for entered in play.CHINESE_HANDS[::-1]:
                page.keyboard.type(" ".join(entered[part] for part in ("front", "middle", "back")))
            press(page, "See who pays")
            expect(page.locator(".verdict.waits")).to_be_visible()
            page.context.set_offline(False)
            expect(lines(page)).to_have_text(["2 Park → 1 Lin $5"])


class TestTheLastHand:
    def test_is_asked_back_from_floor_who_decides(
        self, committed_cast: Cast, chinese: Page, chromium: Browser, site: str
    ) -> None:
        """PG-45: until the next hand begins."""
        press(chinese, "Paid: confirm")
        chinese.wait_for_timeout(450)
        press(chinese, "All paid: confirm")
        hand = is_settled(chinese)
        press(chinese, "Ask floor to undo hand 1")
        look(chinese, "verdict-undo", ".work-side")
        press(chinese, "Paid wrong")
        expect(chinese.locator(".between")).to_contain_text("Floor is asked")
        look(chinese, "verdict-undo-asked", ".work-side")
        told = TableException.objects.get(kind="undo-asked")
        assert told.hand_id == hand.pk
        floor = chromium.new_context(base_url=site).new_page()
        arrive_signed_in(floor, "1001")
        needed = floor.get_by_role("region", name="Needs deciding")
        expect(needed).to_contain_text("Hand 1 is to be taken back or put right: Paid wrong")
        floor.context.close()
