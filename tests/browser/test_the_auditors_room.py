"""The auditor's room in a browser: from the morning's lights to a bundle, a hand settled again, a question and its answer."""

from collections.abc import Callable
from pathlib import Path

from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from ledger.models import SealKind
from ledger.seals import seal_make
from tables.models import Job
from tables.services.jobs import job_do
from tests.browser.signing_in import sign_in_on_the_web
from tests.people import Cast
from tests.tables import play


def test_a_morning_in_the_auditors_room(
    committed_cast: Cast, desk: BrowserContext, shoot: Callable[[Page, str], None], tmp_path: Path
) -> None:
    *_table, hand = play.deal_chinese(committed_cast)
    play.settle(committed_cast, hand, play.CHINESE_HANDS)
    seal_make(kind=SealKind.HOUR, label=f"{timezone.now():%Y-%m-%dT%H}")
    page = desk.new_page()
    sign_in_on_the_web(page, "3001")
    page.goto("/audit/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Auditor’s room")

    # A report is looked at, a hand asked about and settled again.
    page.get_by_role("link", name="Collections", exact=True).first.click()
    page.get_by_role("button", name="Looked at").click()
    expect(page.locator("#looked-at")).to_contain_text("Cleo")
    page.goto(f"/audit/hands/{hand}/")
    page.get_by_label("In words").fill("Why was the middle turned after the call?")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator("#looked-at")).to_contain_text("Why was the middle turned")
    page.get_by_role("button", name="Settle it again now and compare").click()
    expect(page.get_by_role("status").first).to_contain_text("as the rules make them")
    shoot(page, "reports/room-replay")

    # The day is signed off, and the room says so.
    page.goto("/audit/")
    room = page.locator("#room-one")
    room.get_by_text("Sign off, note or ask about this day").click()
    room.get_by_label("In words").fill("Nothing was played on it.")
    room.get_by_role("button", name="Sign off").click()
    expect(room.locator(".sign-off")).to_contain_text("by Cleo")
    shoot(page, "reports/room-home")
    page.set_viewport_size({"width": 390, "height": 844})
    shoot(page, "reports/room-home-phone")
    page.set_viewport_size({"width": 1280, "height": 800})

    # A seal, and from it a bundle that is saved with its verifier.
    page.goto("/audit/seals/1/")
    shoot(page, "reports/room-seal")
    page.get_by_role("link", name="Bundle of this seal").click()
    page.get_by_role("button", name="Make the bundle").click()
    job_do(job_id=Job.objects.get(kind="bundle").pk)
    page.reload()
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Save backline-seals-1-to-1.jsonl").click()
    downloading.value.save_as(tmp_path / "bundle.jsonl")
    assert (tmp_path / "bundle.jsonl").read_bytes().startswith(b'{"bundle":')
    expect(page.locator("#verify")).to_have_text("python3 verifier.py backline-seals-1-to-1.jsonl")
    shoot(page, "reports/room-bundle")

    # Everything that was said, and the question closed by who asked.
    page.goto("/audit/notes/")
    shoot(page, "reports/room-notes")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/audit/notes/?state=open")
    page.locator("tbody a").first.click()
    page.get_by_label("Answer").fill("The dealer did, and floor saw it.")
    page.get_by_role("button", name="Answer").click()
    page.get_by_role("button", name="Close the question").click()
    expect(page.get_by_text("closed", exact=True).first).to_be_visible()
    shoot(page, "reports/room-note-phone")
