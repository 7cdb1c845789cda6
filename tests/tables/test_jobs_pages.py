"""The pages of jobs: what is said of each, who reads which, what may be done, and the files as they are taken away."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.staff.actor import Actor
from casino.staff.models import Role
from tables.models import Job, KeptFile
from tables.selectors.jobs import job_rows
from tables.selectors.metrics import watched
from tables.selectors.reports import REPORTS
from tables.services.jobs import job_ask, job_do
from tests.people import Cast
from tests.tables.jobbing import ask_for, one_kept_file
from tests.tables.over_http import on_the_web
from tests.tables.reports.reading import text_of_pdf
from tests.tables.seating import bar

State = Job.State
LIST = reverse("audit:jobs")


def text_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.content[:300]
    return response.content.decode()


def trouble_of(job: Job) -> str:
    (row,) = job_rows([Job.objects.get(pk=job.pk)], timezone.now())
    return row.trouble.text if row.trouble else ""


def test_a_report_is_pressed_in_the_background_and_taken_away(committed_cast: Cast) -> None:
    client = on_the_web(committed_cast.cleo)
    page = text_of(client, f"{reverse('audit:report', args=['gaming-day'])}?day=2026-02-03&files=only")
    asks = reverse("audit:report-job", args=["gaming-day"])
    assert f'action="{asks}?room=one&amp;day=2026-02-03"' in page and "Stands on" not in page
    pressed = [client.post(f"{asks}?day=2026-02-03", {"form": "xlsx"}).headers["Location"] for _press in range(3)]
    assert len(set(pressed)) == 1
    assert "Gaming day" in text_of(client, pressed[0]) and "Cancel this job" in text_of(client, pressed[0])
    job_do(job_id=Job.objects.get().pk)
    kept = KeptFile.objects.get()
    page = text_of(client, pressed[0])
    address = reverse("audit:kept-file", args=[kept.pk])
    assert bytes(kept.sha256).hex() in page.replace("\u200b", "").replace(" ", "") and address in page
    answer = client.get(address)
    assert hashlib.sha256(answer.content).digest() == bytes(kept.sha256) and answer.content[:2] == b"PK"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="gaming-day-one-2026-02-03.xlsx"'
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert address in text_of(client, f"{LIST}?state=done") and address not in text_of(client, f"{LIST}?state=failed")
    wrong = client.post(f"{asks}?day=2026-02-03", {"form": "docx"})
    assert wrong.status_code == 400 and b"csv, xlsx, pdf-letter or pdf-a4" in wrong.content


def test_the_list_is_asked_again_cheaply_and_says_what_would_be_in_it(cast: Cast) -> None:
    client = on_the_web(cast.cleo)
    assert "A long report becomes one" in text_of(client, LIST)
    one_kept_file(cast)
    now = reverse("audit:jobs-now")
    first = client.get(now)
    assert first.headers["Cache-Control"] == "private, no-cache" and b"figures.csv" in first.content
    assert client.get(now, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


def test_a_page_of_jobs_takes_as_many_queries_as_one_job(cast: Cast, django_assert_num_queries: Any) -> None:
    client = on_the_web(cast.cleo)
    for number in (1, 5):
        for _job in range(number):
            one_kept_file(cast)
        client.get(reverse("audit:jobs-now"))
        with django_assert_num_queries(7):
            client.get(reverse("audit:jobs-now"))


def test_what_is_in_a_job_is_hidden_from_who_may_not_read_the_report(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = one_kept_file(cast)
    monkeypatch.setitem(REPORTS, "gaming-day", replace(REPORTS["gaming-day"], roles=(Role.COMPLIANCE, Role.AUDITOR)))
    addresses = (
        reverse("audit:job", args=[kept.job_id]),
        reverse("audit:job-now", args=[kept.job_id]),
        reverse("audit:kept-file", args=[kept.pk]),
    )
    auditor, manager = on_the_web(cast.cleo), on_the_web(cast.max)
    assert [auditor.get(address).status_code for address in addresses] == [200] * 3
    assert [manager.get(address).status_code for address in addresses] == [404] * 3
    assert "figures.csv" in text_of(auditor, LIST) and "figures.csv" not in text_of(manager, LIST)
    assert manager.post(reverse("audit:job-cancel", args=[kept.job_id])).status_code == 404


def test_a_kept_statement_does_not_say_why_somebody_may_not_play(committed_cast: Cast) -> None:
    """Every auditor reads the file, whoever asked for it; on the page those who may know see it."""
    bar(committed_cast, "P1")
    client, asked = on_the_web(committed_cast.max), f"?patron=P1&day={committed_cast.room.gaming_day(timezone.now())}"
    assert "Shouted at the dealer" in text_of(client, reverse("audit:report", args=["patron-statement"]) + asked)
    for form in ("csv", "pdf-a4"):
        client.post(reverse("audit:report-job", args=["patron-statement"]) + asked, {"form": form})
        job_do(job_id=Job.objects.latest("asked_at").pk)
    kept = {file.content_type: bytes(file.content) for file in KeptFile.objects.all()}
    said = kept["text/csv; charset=utf-8"].decode() + text_of_pdf(kept["application/pdf"])[1]
    assert "Lin" in said and "Shouted" not in said and "Restriction" not in said


def test_what_a_bank_can_expect_is_a_job_of_those_who_read_statistics(cast: Cast) -> None:
    job = job_ask(kind="expectation", key="x", asked={"rules": "cardroom-pai-gow@1"}, asked_by=Actor.of(cast.cleo))
    page, cancel = reverse("audit:job", args=[job.pk]), reverse("audit:job-cancel", args=[job.pk])
    auditor, manager = on_the_web(cast.cleo), on_the_web(cast.max)
    assert "cardroom-pai-gow@1" in text_of(auditor, page) and "cardroom-pai-gow@1" in text_of(auditor, LIST)
    assert [manager.get(page).status_code, manager.post(cancel).status_code] == [404, 404]
    assert "cardroom-pai-gow@1" not in text_of(manager, LIST)
    assert auditor.post(cancel).status_code == 302


def test_who_asked_cancels_and_asks_again_and_a_manager_may_too(cast: Cast) -> None:
    job = ask_for(cast.max)
    cancel, again = (reverse(f"audit:job-{act}", args=[job.pk]) for act in ("cancel", "again"))
    auditor, manager = on_the_web(cast.cleo), on_the_web(cast.max)
    page = reverse("audit:job", args=[job.pk])
    assert "Cancel this job" not in text_of(auditor, page) and auditor.post(cancel).status_code == 403
    assert manager.post(cancel).status_code == 302 and manager.post(cancel).status_code == 409
    assert "Ask again" in text_of(manager, page) and "Max" in text_of(manager, page)
    assert auditor.post(again).status_code == 403 and manager.post(again).status_code == 302
    assert Job.objects.get().state == State.WAITING and manager.post(again).status_code == 409
    assert "Put aside" not in text_of(manager, page)
    Job.objects.update(state=State.FAILED, ended_at=timezone.now(), last_error="Ask for fewer days.")
    assert "Put aside" in text_of(manager, page) and "Put aside" not in text_of(auditor, page)
    assert auditor.post(cancel).status_code == 403 and manager.post(cancel).status_code == 302
    assert Job.objects.get().state == State.CANCELLED and "Ask for fewer days." in text_of(manager, page)


def test_the_page_says_when_nobody_takes_a_job_up_and_what_to_do(cast: Cast) -> None:
    job = ask_for(cast.cleo)
    client, long_ago = on_the_web(cast.cleo), timezone.now() - timedelta(minutes=3)
    assert trouble_of(job) == "" and 'role="alert"' not in text_of(client, LIST)
    # Facts of a job stay, so it is another one that was asked long ago.
    old = Job.objects.create(kind="report", key="old", asked={"report": "gaming-day"}, asked_at=long_ago)
    assert "The broker does not answer" in trouble_of(old) and "broker" in text_of(client, LIST)
    Job.objects.filter(pk=old.pk).update(sent_at=long_ago)
    assert "No worker has taken this up" in trouble_of(old) and 'role="alert"' in text_of(client, LIST)
    Job.objects.filter(pk=old.pk).update(state=State.RUNNING, seen_at=timezone.now())
    assert "gives it to another" in trouble_of(old)
    Job.objects.filter(pk=old.pk).update(seen_at=long_ago)
    assert "See that the timetable (beat) and a worker run" in trouble_of(old)
    Job.objects.filter(pk=old.pk).update(state=State.FAILED, ended_at=timezone.now(), last_error="Ask for fewer days.")
    assert "Ask for fewer days." in text_of(client, LIST)


def test_a_monitor_sees_how_many_wait_and_since_when(cast: Cast) -> None:
    job = ask_for(cast.cleo)
    gauges = {(gauge.name, gauge.labels.get("state")): gauge.value for gauge in watched()}
    assert gauges["jobs", "waiting"] == 1 and gauges["jobs", "running"] == gauges["jobs", "failed"] == 0
    assert gauges["oldest_waiting_job_timestamp_seconds", None] == pytest.approx(job.asked_at.timestamp())
