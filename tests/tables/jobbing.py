"""Jobs for tests: a kept file without a worker, kinds of work that a test decides on, and asking as a person does."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Thread
from unittest.mock import patch
from uuid import uuid4

from django.db import connection
from django.utils import timezone

from casino.staff.actor import Actor
from casino.staff.models import User
from tables.jobs.kinds import KINDS
from tables.models import Job, KeptFile
from tables.selectors.reports import find_report
from tables.selectors.reports.asking import ask, asked_of
from tables.services.doing import Doing
from tables.services.jobs import job_ask, job_do
from tables.services.report_jobs import report_job_ask
from tests.people import Cast


def one_kept_file(cast: Cast) -> KeptFile:
    """A file of a job, as a worker would have left it."""
    job = job_ask(kind="report", key=uuid4().hex, asked={"report": "gaming-day"}, room=cast.room)
    content = b"figures"
    return KeptFile.objects.create(
        job=job,
        name="figures.csv",
        title="Figures",
        content_type="text/csv",
        report="gaming-day",
        sha256=hashlib.sha256(content).digest(),
        size=len(content),
        content=content,
        made_at=timezone.now(),
    )


@contextmanager
def kind(name: str, make: Callable[[Doing], None]) -> Iterator[None]:
    """For the block there is another kind of job."""
    with patch.dict(KINDS, {name: make}):
        yield


def ask_for(user: User, report: str = "gaming-day", form: str = "csv", **filters: str) -> Job:
    """The job of a report, asked for as somebody would on its page."""
    found = find_report(report)
    asked = asked_of(ask(found, Actor.of(user), filters, datetime.now(UTC)))
    return report_job_ask(report=found, asked=asked, form=form)


class Worker(Thread):
    """Somebody who does a job, in a thread with connections of its own."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self._job_id = job.pk
        self.start()

    def run(self) -> None:
        job_do(job_id=self._job_id)
        connection.close()
