"""The pages of the rules in a browser: from a table's panel to what the room changed in them."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tables.rules import get_rule_set
from tables.rules.rulesets import next_version
from tables.services.rules import rules_add
from tests.browser.signing_in import arrive_signed_in
from tests.people import Cast, order
from tests.tables import play


def test_floor_goes_from_a_table_to_its_rules_and_compares_them(
    committed_cast: Cast, tablet: BrowserContext, shoot: Callable[[Page, str], None]
) -> None:
    mandarin = get_rule_set("cardroom-mandarin")
    back = {**mandarin.parameters["bonuses"]["back"], "straight-flush": 6}
    changes = {"bonuses": {**mandarin.parameters["bonuses"], "back": back}, "bonus_cap": 20}
    own = next_version(mandarin, changes).to_data()
    rules_add(order(committed_cast.floor), rules=own, reason="the room pays more for a straight flush in back")
    play.open_chinese(committed_cast)
    page = tablet.new_page()
    arrive_signed_in(page, "1001")
    page.goto(f"/floor/tables/{committed_cast.chinese.pk}/")
    page.get_by_role("link", name="cardroom-mandarin@2").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("cardroom-mandarin@2")
    expect(page.get_by_text("back, straight flush: 5 → 6")).to_be_visible()
    shoot(page, "rules-version")
    page.get_by_label("Compare with").select_option("cardroom@1")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("back, straight flush: none → 6")).to_be_visible()
    page.get_by_role("link", name="All rules").click()
    expect(page.get_by_role("link", name="T7")).to_be_visible()
    shoot(page, "rules-list")
