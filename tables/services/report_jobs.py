"""Asking for a report that a worker makes."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import Malformed
from tables.models import Job
from tables.rules import canonical_json
from tables.selectors.jobs import REPORT, ReportForm
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.report import Report
from tables.services.jobs import job_ask

SAME_FOR = timedelta(minutes=1)
"""How long a report that was made counts as the one that is asked for again."""


def report_job_ask(*, report: Report, asked: Asked, form: str) -> Job:
    """The job that makes a report as ``form`` for who asks; ``ask`` has checked the rights. Raises ``Malformed``.

    However often it is pressed, it is one job of the same report, filters, form and person: while it is being made, and for a
    minute after. Then it is another one, since what is asked for may have been corrected, also where its time is over.
    """
    if form not in ReportForm.values:
        message = _("Choose how to make it: csv, xlsx, pdf-letter or pdf-a4.")
        raise Malformed("out-of-range", message, fields={"form": message})
    request = {"report": report.slug, "filters": dict(asked.given), "form": form}
    digest = hashlib.sha256(canonical_json(request | {"for": str(asked.actor.user_id)}).encode()).hexdigest()
    key = f"{digest} {_number(digest)}"
    return job_ask(kind=REPORT, key=key, asked=request, room=asked.room, asked_by=asked.actor)


def _number(digest: str) -> int:
    """The number of the newest job of it, or the next where that one is over: the same for all who ask at once."""
    made = dict(Job.objects.filter(kind=REPORT, key__startswith=f"{digest} ").values_list("key", "ended_at"))
    newest = max(made, key=_number_of, default=None)
    if newest is None:
        return 1
    ended_at = made[newest]
    is_over = ended_at is not None and ended_at < timezone.now() - SAME_FOR
    return _number_of(newest) + is_over


def _number_of(key: str) -> int:
    return int(key.rpartition(" ")[2])
