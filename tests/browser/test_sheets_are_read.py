"""Posted sheets in a browser: from a table's panel to paper, and from its tablet and back."""

from collections.abc import Callable
from io import BytesIO

from playwright.sync_api import Browser, Page, expect
from pypdf import PdfReader

from tests.browser.at_the_tablet import app_of, look
from tests.browser.conftest import SCREENSHOTS
from tests.browser.signing_in import arrive_signed_in
from tests.people import Cast
from tests.tables import play


def test_floor_reads_a_tables_sheet_and_prints_it(
    committed_cast: Cast, chromium: Browser, site: str, shoot: Callable[[Page, str], None]
) -> None:
    """Every page of paper says which sheet it is of, and no page is empty."""
    play.open_chinese(committed_cast)
    play.open_pai_gow(committed_cast)
    context = chromium.new_context(base_url=site, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    arrive_signed_in(page, "1001")
    page.goto(f"/floor/tables/{committed_cast.pai_gow.pk}/")
    page.get_by_role("link", name="sheet S-0002").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pai Gow Poker")
    shoot(page, "floor/sheet-desktop")
    for paper in ("Letter", "A4"):
        sheets = PdfReader(BytesIO(page.pdf(format=paper))).pages
        assert 5 < len(sheets) < 13
        for sheet in sheets:
            text = sheet.extract_text()
            assert "S-0002" in text and "Room One" in text and len(text) > 200, text
            assert "Sign out" not in text and "All posted sheets" not in text
    page.set_viewport_size({"width": 390, "height": 844})
    page.screenshot(path=SCREENSHOTS / "floor" / "sheet-phone.png")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "the page scrolls sideways"
    page.get_by_role("link", name="All posted sheets").click()
    expect(page.get_by_role("row", name="S-0001 cardroom-mandarin@1")).to_contain_text("T7")
    shoot(page, "floor/sheet-list-phone")
    context.close()


def test_a_dealer_shows_the_sheet_of_the_table_and_comes_back_to_the_hand(
    committed_cast: Cast, chromium: Browser, site: str
) -> None:
    play.deal_chinese(committed_cast)
    for size in ("landscape", "phone"):
        with app_of(chromium, site, committed_cast.tablet_token, size) as app:
            look(app, f"sheet-number-{size}", ".strip")
            app.get_by_role("link", name="Sheet S-0001").click()
            expect(app.get_by_role("heading", name="Setting your hand")).to_be_visible()
            look(app, f"sheet-{size}", ".sheet-tablet")
            app.get_by_role("link", name="Back to the table").first.click()
            expect(app.locator(".strip-hand")).to_contain_text("Hand 1")
