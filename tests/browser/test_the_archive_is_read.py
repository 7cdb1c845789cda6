"""The archive in a browser: from the list of gaming days to a day, its paper, and what the watchdogs say on the floor."""

import hashlib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from casino.gaming_day import ONE_DAY
from tables.services.day_ends import day_ends_ask
from tables.services.jobs import job_do
from tables.services.watches import watches_look
from tests.browser.signing_in import sign_in_on_the_web
from tests.people import Cast
from tests.tables.reports.day import DAY, play_day


def test_a_manager_opens_the_archive_of_a_day_and_sees_what_the_watchdogs_saw(
    committed_cast: Cast,
    desk: BrowserContext,
    shoot: Callable[[Page, str], None],
    superuser: psycopg.Connection,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    committed_cast.room.day_end_reports = ["gaming-day", "trial-balance"]
    committed_cast.room.save()
    played = play_day(committed_cast, monkeypatch)
    superuser.execute("UPDATE tables_hand SET number = number + 1 WHERE number = 6")
    for days in (0, 1):
        (ended,) = day_ends_ask(now=played.end + timedelta(days=days, hours=1))
        job_do(job_id=ended.job_id)
    watches_look(now=played.end + timedelta(days=1, hours=2))
    page = desk.new_page()
    sign_in_on_the_web(page, "4001")
    page.goto("/audit/days/")
    expect(page.get_by_role("row", name=f"{DAY}")).to_contain_text("3 files")
    expect(page.get_by_role("row", name=f"{DAY + ONE_DAY}")).to_contain_text("failed")
    shoot(page, "reports/archive-list")
    page.get_by_role("link", name=f"{DAY + ONE_DAY}").click()
    expect(page.locator("#findings")).to_contain_text("hands-numbered")
    page.goto(f"/audit/days/one/{DAY}/")
    shoot(page, "reports/archive-day")
    with page.expect_download() as downloading:
        page.get_by_role("link", name=f"Save day-end-one-{DAY}.pdf").click()
    content = Path(downloading.value.path()).read_bytes()
    expect(page.locator(".papers li").first).to_contain_text(hashlib.sha256(content).hexdigest())
    page.set_viewport_size({"width": 390, "height": 844})
    shoot(page, "reports/archive-day-phone")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/floor/")
    expect(page.get_by_text("Checks of a gaming day failed")).to_be_visible()
    shoot(page, "reports/archive-floor")
