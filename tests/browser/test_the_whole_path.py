"""From a closed table to a hand in the ledger, as its people do it: floor opens, a dealer deals, an auditor reads."""

from collections.abc import Callable

from django.core.management import call_command
from playwright.sync_api import BrowserContext, Page, expect

from ledger.models import Transaction
from tables.models import Hand
from tests.browser.conftest import UPRIGHT_TOO
from tests.browser.signing_in import sign_in_on_the_tablet, sign_in_on_the_web
from tests.people import Cast

Shoot = Callable[[Page, str], None]


def seat(page: Page, number: int, card_number: str, dollars: str) -> None:
    """Tap a seat, sit a patron down, tap again, buy in."""
    page.locator(f".seat-{number}").click()
    page.get_by_label("Card number").fill(card_number)
    page.get_by_role("button", name="Sit down", exact=True).click()
    expect(page.locator(f".seat-{number} .seat-stack")).to_have_text("$0")
    page.locator(f".seat-{number}").click()
    for key in dollars:
        page.locator(f".pad-key[data-key='{key}']").click()
    page.get_by_role("button", name=f"Buy in ${dollars}", exact=True).click()
    expect(page.locator(f".seat-{number} .seat-stack")).to_have_text(f"${dollars}")


def bet(page: Page, dollars: str) -> None:
    """Type the amount that is asked for, and put it down."""
    page.get_by_role("button", name="Other …", exact=True).click()
    for key in dollars:
        page.locator(f".pad-key[data-key='{key}']").click()
    page.get_by_role("button", name=f"Put down ${dollars}", exact=True).click()


def leave(page: Page) -> None:
    """Ben locks the screen."""
    page.locator(".strip-who").click()
    page.get_by_role("button", name="Lock the screen").click()
    expect(page.locator(".sign-in-pad")).to_contain_text("Room One")


def tap_cards(page: Page, text: str) -> None:
    for card in text.split():
        page.locator(f".picker .key[data-card='{card}']").click()


def read_as_auditor(page: Page, shoot: Shoot, hand: Hand, name: str) -> None:
    """Cleo opens the hand and an account behind it, and the ledger verifies."""
    sign_in_on_the_web(page, "3001")
    page.goto(f"/audit/hands/{hand.pk}/")
    expect(page.get_by_role("heading", level=1)).to_contain_text(str(hand.number))
    expect(page.locator("body")).to_contain_text(
        bytes(Transaction.objects.filter(reference__startswith="hand:").latest("recorded_at", "sequence").digest).hex()[
            :16
        ]
    )
    shoot(page, f"{name}-audit-hand")
    page.locator("a[href^='/audit/accounts/']").first.click()
    expect(page.locator("table").first).to_be_visible()
    shoot(page, f"{name}-audit-account")
    call_command("ledger_check")
    call_command("ledger_verify")


@UPRIGHT_TOO
def test_a_chinese_hand_from_a_closed_table_to_the_audit(
    committed_cast: Cast, tablet: BrowserContext, shoot: Shoot
) -> None:
    page = tablet.new_page()
    shoot_sign_in(page, shoot)
    open_table_and_enrol(
        page, shoot, committed_cast.chinese.pk, {"point_value_cents": "5", "collection_cents": "4"}, "cardroom-mandarin"
    )
    shoot(page, "tablet-sign-in")
    sign_in_on_the_tablet(page, "2001")
    seat(page, 1, "P1", "110")
    seat(page, 2, "P2", "110")
    shoot(page, "chinese-between")
    page.get_by_role("button", name="Deal the next hand").click()
    expect(page.locator(".seat-tab[aria-pressed=true]")).to_contain_text("2 Park")
    tap_cards(page, "Th 9s 7s Kd 6d 5d 4d 3d Kc Qc 6c 5c 4c Js Jd 9h Qh Qs")
    shoot(page, "chinese-picker")
    page.reload()
    tap_cards(page, "8c 3c 2h As Ks 6s 5s 3s")
    page.get_by_role("button", name="See who pays").click()
    payment = page.locator(".payment")
    expect(payment).to_have_count(1)
    expect(payment.locator(".who")).to_have_text("2 Park → 1 Lin")
    expect(payment.locator(".amount")).to_have_text("$5")
    payment.locator("summary").click()
    expect(payment).to_contain_text("Seat 1 wins front from seat 2, pair of jacks against high card: ten: +1 CP-10")
    shoot(page, "chinese-verdict")
    pay_and_confirm(page)
    expect(page.locator(".seat-1 .seat-stack")).to_have_text("$111")
    expect(page.locator(".seat-2 .seat-stack")).to_have_text("$101")
    leave(page)
    read_as_auditor(page, shoot, Hand.objects.get(), "chinese")


def pay_and_confirm(page: Page) -> None:
    """Tick every payment off and confirm."""
    for box in page.get_by_role("checkbox").all():
        box.click()
    page.get_by_role("button", name="Paid: confirm").click()
    expect(page.get_by_text("Hand 1 is settled.")).to_be_visible()


@UPRIGHT_TOO
def test_a_pai_gow_hand_from_a_closed_table_to_the_audit(
    committed_cast: Cast, tablet: BrowserContext, shoot: Shoot
) -> None:
    page = tablet.new_page()
    stakes = {"table_min_cents": "10", "table_max_cents": "100", "collection_cents": "1", "bank_collection_cents": "3"}
    open_table_and_enrol(page, shoot, committed_cast.pai_gow.pk, stakes, "capitol")
    sign_in_on_the_tablet(page, "2001")
    seat(page, 1, "P1", "500")
    seat(page, 2, "P2", "200")
    seat(page, 5, "P3", "200")
    page.get_by_role("group", name="Player/Dealer").get_by_role("button", name="1 Lin").click()
    page.get_by_role("button", name="Deal the next hand").click()
    bet(page, "50")
    bet(page, "25")
    bet(page, "150")
    page.locator(".spot[data-position='1']").click()
    page.get_by_role("button", name="Kum-Kum partner …").click()
    page.locator(".whose").get_by_role("button", name="Omar").click()
    bet(page, "50")
    for face in (1, 2, 6):
        page.get_by_role("button", name=f"A die shows {face}", exact=True).click()
    shoot(page, "pai-gow-wagers")
    page.get_by_role("button", name="No more bets").click()
    expect(page.locator(".seat-tab[aria-pressed=true]")).to_contain_text("2 Park")
    tap_cards(page, "Ah Kd Th Ts 8c 5d 3h")
    page.get_by_role("button", name="House way").click()
    page.locator(".foot .next").click()
    tap_cards(page, "Jk Kc 8d 7h 5s 3d 2c")
    tap_cards(page, "Jc Td 9c 9d 6h 4s 2d")
    shoot(page, "pai-gow-picker")
    page.get_by_role("button", name="See who pays").click()
    expect(page.locator(".payment")).to_have_count(2)
    page.locator(".payment summary").first.click()
    expect(page.locator(".payment").first).to_contain_text("Position 2 wins with both parts PG-30")
    page.locator(".verdict summary", has_text="Bank").click()
    expect(page.locator(".verdict")).to_contain_text("The bank is settled as one wager: −$50 PG-50")
    shoot(page, "pai-gow-verdict")
    pay_and_confirm(page)
    leave(page)
    read_as_auditor(page, shoot, Hand.objects.get(), "pai-gow")


def shoot_sign_in(page: Page, shoot: Shoot) -> None:
    page.goto("/")
    shoot(page, "sign-in")


def open_table_and_enrol(page: Page, shoot: Shoot, table_id: object, amounts: dict[str, str], rules: str) -> None:
    """Ada opens the table from the floor page and makes this browser its tablet."""
    sign_in_on_the_web(page, "1001")
    expect(page).to_have_url(page.url.split("/floor")[0] + "/floor/")
    shoot(page, f"floor-{rules}")
    page.goto(f"/floor/tables/{table_id}/")
    form = page.locator("form[data-verb='session.open']")
    form.locator("[name=rules]").select_option(f"{rules}@1")
    for name, dollars in amounts.items():
        form.locator(f"[name={name}]").fill(dollars)
    shoot(page, f"floor-table-{rules}")
    form.get_by_role("button").click()
    expect(page.locator("form[data-verb='session.close']")).to_be_attached()
    page.get_by_text("1 tablet…").click()
    page.locator(f"form[action='/floor/tables/{table_id}/enrol/'] button").click()
    expect(page.locator(".sign-in-pad")).to_be_visible()
