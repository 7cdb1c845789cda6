"""Reports in a browser: from the audit page to a figure, what it is made of, and the files beside it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Response, expect

from tests.browser.signing_in import sign_in_on_the_web
from tests.people import Cast
from tests.tables.reports.day import DAY, play_day

ASKED = f"?day={DAY}"


def _is_a_pdf(response: Response) -> bool:
    return response.headers.get("content-type") == "application/pdf" and response.ok


def test_an_auditor_goes_from_the_day_to_the_cent_and_takes_it_away(
    committed_cast: Cast,
    desk: BrowserContext,
    shoot: Callable[[Page, str], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    play_day(committed_cast, monkeypatch)
    page = desk.new_page()
    sign_in_on_the_web(page, "3001")
    page.goto("/audit/")
    page.get_by_role("link", name="Reports", exact=True).click()
    shoot(page, "reports/list")
    page.get_by_role("link", name="Gaming day", exact=True).first.click()
    page.get_by_label("Gaming day").fill(DAY.isoformat())
    page.get_by_role("button", name="Show").click()
    shoot(page, "reports/gaming-day")
    with page.expect_download() as downloading:
        page.get_by_role("link", name="XLSX").click()
    downloading.value.save_as(tmp_path / "day.xlsx")
    assert (tmp_path / "day.xlsx").read_bytes()[:2] == b"PK"
    page.get_by_role("row", name="Collections kept").get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Collections")
    expect(page.get_by_role("img", name="Most was kept in the hour from 07:00 PST: $9")).to_be_visible()
    shoot(page, "reports/collections")
    page.get_by_role("row", name="T7").get_by_role("link").first.click()
    expect(page.get_by_label("Table number")).to_have_value("7")
    page.goto(f"/audit/reports/buy-ins/{ASKED}")
    shoot(page, "reports/buy-ins")
    page.get_by_role("row", name="Omar (P3) buy-in taken back").get_by_role("link", name="−$300").click()
    expect(page.get_by_text("counted again").first).to_be_visible()
    page.goto("/audit/reports/patron-statement/")
    expect(page.get_by_text("Patron's card number is needed")).to_be_visible()
    page.get_by_label("Patron's card number").fill("P1")
    page.get_by_label("Gaming day").fill(DAY.isoformat())
    page.get_by_role("button", name="Show").click()
    shoot(page, "reports/patron-statement")
    page.goto(f"/audit/reports/banks/{ASKED}")
    shoot(page, "reports/banks")
    page.goto(f"/audit/reports/trial-balance/{ASKED}")
    shoot(page, "reports/trial-balance")
    page.get_by_label("Table number").fill("99")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("Room One has no table of this number.")).to_be_visible()
    shoot(page, "reports/nonsense")
    page.goto(f"/audit/reports/shift/{ASKED}&begins=08:00&ends=18:00")
    page.set_viewport_size({"width": 390, "height": 844})
    shoot(page, "reports/shift-phone")
    page.goto(f"/audit/reports/table-sessions/{ASKED}#occupancy")
    shoot(page, "reports/charts-phone")
    page.goto(f"/audit/reports/hand-history/{ASKED}")
    page.get_by_role("row", name="1: middle beats back").get_by_role("link", name="4", exact=True).click()
    with page.expect_popup() as opening, desk.expect_event("response", _is_a_pdf):
        page.get_by_role("button", name="Letter").click()
    opening.value.close()
    page.set_viewport_size({"width": 1280, "height": 800})
    shoot(page, "reports/hand-to-print")
