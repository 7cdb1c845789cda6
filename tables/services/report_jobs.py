"""Asking for a report that a worker makes."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import Malformed
from ledger.selectors import newest_seals
from tables.models import Job
from tables.rules import canonical_json
from tables.selectors.jobs import REPORT, ReportForm
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.report import Report
from tables.services.jobs import job_ask

SAME_FOR = timedelta(minutes=1)
"""How long a report of a time that is not over counts as the one that is asked for again."""


def report_job_ask(*, report: Report, asked: Asked, form: str) -> Job:
    """The job that makes a report as ``form`` for who asks; ``ask`` has checked the rights. Raises ``Malformed``.

    However often it is pressed, it is one job: of the same report, filters, form and person, on the same newest seal where the
    time asked for is over, since what is corrected later is sealed later. While that time is not over its figures change, so a
    request is another one a minute after the last was made.
    """
    if form not in ReportForm.values:
        message = _("Choose how to make it: csv, xlsx, pdf-letter or pdf-a4.")
        raise Malformed("out-of-range", message, fields={"form": message})
    request = {"report": report.slug, "filters": dict(asked.given), "form": form}
    digest = hashlib.sha256(canonical_json(request | {"for": str(asked.actor.user_id)}).encode()).hexdigest()
    stands_on = _seal() if asked.span.end <= asked.now else _made_before(digest)
    return job_ask(kind=REPORT, key=f"{digest} {stands_on}", asked=request, room=asked.room, asked_by=asked.actor)


def _seal() -> str:
    newest = newest_seals(1).first()
    return f"seal {newest.number if newest else 0}"


def _made_before(digest: str) -> str:
    """How many there are of it that are over: the same for all who ask at once, so that they get one job."""
    over = Job.objects.filter(kind=REPORT, key__startswith=f"{digest} so far ", ended_at__lt=timezone.now() - SAME_FOR)
    return f"so far {over.count()}"
