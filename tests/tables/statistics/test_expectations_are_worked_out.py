"""What a bank can expect is worked out by a worker, once, and two who do it at once keep one figure."""

from __future__ import annotations

import pytest

from casino.staff.actor import Actor
from tables.models import Expectation, Job
from tables.selectors.reports.report import Kind
from tables.services import expectations, jobs
from tables.services.expectations import expectation_ask, expectation_make
from tests.ledger.together import together
from tests.people import Cast
from tests.tables import play
from tests.tables.reports.reading import made


def test_a_worker_deals_and_keeps_what_was_counted(committed_cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked twice, done twice, and done by two at once: one job, one figure, which the report then stands on."""
    monkeypatch.setattr(expectations, "DEALS", 40)
    monkeypatch.setattr(jobs, "_send_on_commit", lambda job_id: None)
    play.deal_pai_gow(committed_cast)
    asked = [expectation_ask(actor=Actor.of(committed_cast.cleo), rules="capitol@1").pk for _time in range(2)]
    assert len({*asked}) == 1

    def make() -> Expectation:
        return expectation_make(rules="capitol@1", deals=40, progress=lambda done, all_deals: None)

    first, second = together([make, make])
    assert first == second
    for _time in range(2):
        jobs.job_do(job_id=asked[0])
    job = Job.objects.get()
    assert (job.kind, job.state, job.attempts, job.key.split()[0]) == ("expectation", Job.State.DONE, 1, "capitol@1")
    kept = Expectation.objects.get()
    assert (kept.deals, sum(kept.outcomes)) == (40, 40)
    report = made(committed_cast.cleo, "bank-results")
    assert {column.kind for column in report.sections["tables"][0].columns} >= {Kind.RATIO, Kind.CENTS}
