"""The pages of the archive: a light for every step of every ended day, and one day with its files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tables.models import DayEnd, DayEndPaper, Job, Room
from tables.services.jobs import job_ask
from tests.conftest import empty_tables
from tests.database import Server
from tests.people import Cast, make_cast
from tests.tables.ending_days import a_day_played, one_day_end
from tests.tables.over_http import on_the_web

LIST = reverse("audit:days")


@pytest.fixture(scope="module")
def archived(
    django_db_setup: None, django_db_blocker: Any, server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Cast, DayEnd]]:
    """A day of two hands with the trial balance in its archive, made once for the file."""
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "LEDGER_KEYS", tmp_path_factory.mktemp("keys"))
        cast = make_cast()
        a_day_played(cast, "trial-balance")
        yield cast, one_day_end(cast)
        empty_tables(server)


@pytest.fixture
def day_end(archived: tuple[Cast, DayEnd], db: None) -> DayEnd:
    """The day that has ended."""
    return archived[1]


@pytest.fixture
def auditor(archived: tuple[Cast, DayEnd], db: None) -> Client:
    """Cleo's browser."""
    return on_the_web(archived[0].cleo)


def text_of(browser: Client, address: str) -> str:
    """What a page says."""
    answer = browser.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def page_of(day_end: DayEnd) -> str:
    return reverse("audit:day", args=[day_end.room.slug, day_end.gaming_date.isoformat()])


def test_the_list_has_a_light_for_each_step_and_opens_the_day(auditor: Client, day_end: DayEnd) -> None:
    text = text_of(auditor, LIST)
    assert all(words in text for words in ("Seal 1", "2 hands, as stored", "2 files", "$12")) and "hold" in text
    assert page_of(day_end) in text
    assert "No gaming day is like this" in text_of(auditor, f"{LIST}?day=2001-01-01")
    assert "Seal 1" not in text_of(auditor, f"{LIST}?room=two")


def test_a_day_shows_its_files_with_their_digests_and_opens_its_job_seal_and_reports(
    auditor: Client, day_end: DayEnd
) -> None:
    text = text_of(auditor, page_of(day_end))
    for paper in DayEndPaper.objects.select_related("file", "printing"):
        assert paper.printing and paper.printing.number in text
        assert bytes(paper.file.sha256).hex() in text.replace("<wbr>", "")
        address = reverse("audit:kept-file", args=[paper.file_id])
        assert address in text
        answer = auditor.get(address)
        assert b"".join(answer) == bytes(paper.file.content)
    for address in (reverse("audit:job", args=[day_end.job_id]), reverse("audit:report", args=["collections"])):
        assert address in text
    assert text.index("End of the gaming day") < text.index("Trial balance"), "the summary comes first"


@pytest.mark.parametrize("day", ["2001-01-01", "today", "2026-13-45", "%00"])
def test_a_day_without_an_archive_says_so(auditor: Client, day_end: DayEnd, day: str) -> None:
    for room in ("one", "nowhere"):
        assert auditor.get(f"{LIST}{room}/{day}/").status_code == 404


def test_a_day_whose_job_was_left_says_so(auditor: Client, day_end: DayEnd) -> None:
    room = Room.objects.get(slug="two")
    job = job_ask(kind="day-end", key="x", asked={}, room=room)
    left = DayEnd.objects.create(room=room, gaming_date="2026-11-01", job=job)
    assert "not yet" in text_of(auditor, page_of(DayEnd.objects.get(pk=left.pk)))
    Job.objects.filter(pk=job.pk).update(state=Job.State.FAILED, last_error="x", ended_at=day_end.ended_at)
    assert "not done, the job failed" in text_of(auditor, LIST)


def test_the_list_costs_the_same_however_long_it_is(auditor: Client, day_end: DayEnd) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            text_of(auditor, LIST)
        return len(asked)

    before = queries()
    for day in range(1, 6):
        job = job_ask(kind="day-end", key=str(day), asked={}, room=day_end.room)
        DayEnd.objects.create(room=day_end.room, gaming_date=f"2026-10-0{day}", job=job, seal=day_end.seal)
    assert queries() == before
