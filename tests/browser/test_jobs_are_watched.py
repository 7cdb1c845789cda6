"""Jobs in a browser: a report asked for in the background, watched, cancelled, asked for again, taken away; and what is wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from tables.jobs.kinds import KINDS
from tables.models import Job
from tables.services.doing import Doing
from tests.browser.signing_in import sign_in_on_the_web
from tests.people import Cast
from tests.tables.jobbing import Worker, ask_for, kind, one_kept_file


def jobs_of_other_days(cast: Cast) -> None:
    """One of each kind of trouble, and one that is done."""
    kept, now = one_kept_file(cast), timezone.now()
    Job.objects.filter(pk=kept.job_id).update(state=Job.State.DONE, ended_at=now)
    asked = {"report": "collections", "filters": {"room": "one", "day": "2026-02-03"}, "form": "pdf-letter"}
    common = {"kind": "report", "asked": asked, "room": cast.room, "asked_by": cast.max}
    Job.objects.create(key="old", asked_at=now - timedelta(minutes=7), **common)
    why = "This is more than 5,000 rows, too long for paper. Take it as XLSX or CSV, or ask for fewer days."
    failed = {"state": Job.State.FAILED, "ended_at": now, "attempts": 1, "last_error": why}
    Job.objects.create(key="failed", asked_at=now - timedelta(hours=3), **common, **failed)


def test_a_report_is_asked_for_watched_cancelled_asked_again_and_taken_away(
    committed_cast: Cast, desk: BrowserContext, shoot: Callable[[Page, str], None], tmp_path: Path
) -> None:
    page = desk.new_page()
    sign_in_on_the_web(page, "3001")
    page.goto("/audit/reports/collections/?day=2026-02-03")
    page.get_by_role("button", name="Only files").click()
    page.locator("form", has_text="In the background").get_by_role("button", name="CSV").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Collections")
    job, go_on = Job.objects.get(), Event()

    def slowly(doing: Doing) -> None:
        for number in range(10**6):
            doing.step("Reading rows", 12_400 + number, 48_000)
            if go_on.wait(0.05):
                return

    with kind("report", slowly):
        worker = Worker(job)
        expect(page.get_by_text("Reading rows")).to_be_visible()
        shoot(page, "reports/jobs-running")
        page.get_by_role("button", name="Cancel this job").click()
        expect(page.locator(".state")).to_have_text("Cancelled")
        worker.join()
    page.get_by_role("button", name="Ask again").click()
    expect(page.locator(".state")).to_have_text("Waiting")
    assert KINDS["report"] is not slowly
    Worker(job).join()
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Save").click()
    downloading.value.save_as(tmp_path / "report.csv")
    digest = hashlib.sha256((tmp_path / "report.csv").read_bytes()).hexdigest()
    assert digest in "".join(page.locator("main").inner_text().split())
    shoot(page, "reports/jobs-done")

    jobs_of_other_days(committed_cast)
    runs = ask_for(committed_cast.max, form="pdf-a4", day=f"{datetime.now(UTC):%Y}-01-02")
    go_on.clear()
    with kind("report", slowly):
        worker = Worker(runs)
        page.goto("/audit/jobs/")
        expect(page.get_by_text("Reading rows")).to_be_visible()
        expect(page.get_by_role("alert")).to_contain_text("broker")
        shoot(page, "reports/jobs-list")
        page.set_viewport_size({"width": 390, "height": 844})
        shoot(page, "reports/jobs-list-phone")
        go_on.set()
        worker.join()
    page.get_by_role("link", name="Failed").click()
    expect(page.get_by_text("too long for paper")).to_be_visible()
    expect(page.get_by_role("row")).to_have_count(2)
