"""The end of a gaming day, done by a worker: seal, checks, replay, figures, the room's reports on paper, and the summary.

Every step keeps what it came to before the next begins, so a run after a death goes on where that one was.
"""

from __future__ import annotations

import json
from dataclasses import replace

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import Refusal
from tables.audit.reports.csv import CONTENT_TYPE as CSV_TYPE
from tables.audit.reports.csv import lines_of
from tables.audit.reports.pdf import CONTENT_TYPE as PDF_TYPE
from tables.audit.reports.pdf import TOO_LONG, Figures
from tables.audit.reports.words import file_name
from tables.jobs.reports import numbered, pages_of
from tables.models import DayEnd, ReportPrinting
from tables.selectors.day_ends import SUMMARY, chosen_reports, has_paper
from tables.selectors.reports import REPORTS, report_made
from tables.selectors.reports.asking import Asked
from tables.selectors.reports.day_end import asked_for_day
from tables.selectors.reports.report import Report
from tables.services.day_ends import (
    day_end_check,
    day_end_count,
    day_end_file,
    day_end_finish,
    day_end_of,
    day_end_replay,
    day_end_seal,
)
from tables.services.doing import Doing


def day_end_make(doing: Doing) -> None:
    """Do what is not done yet of the end of a gaming day."""
    day_end = day_end_of(doing.job)
    doing.step(_("Sealing"))
    day_end_seal(day_end=day_end, now=timezone.now())
    day_end_check(day_end=day_end, say=lambda done, all: doing.step(_("Checking the ledger"), done, all))
    day_end_replay(day_end=day_end, say=lambda done, all: doing.step(_("Settling the hands again"), done, all))
    doing.step(_("Counting"))
    day_end_count(day_end=day_end, now=timezone.now())
    # The summary comes last, so that it can list the others.
    reports = [*chosen_reports(day_end.room, REPORTS.values()), REPORTS[SUMMARY]]
    for number, report in enumerate(reports):
        doing.step(_("Printing %(report)s") % {"report": report.title}, number, len(reports))
        _put_on_paper(doing, day_end, report)
    day_end_finish(day_end=day_end, now=timezone.now())


def _put_on_paper(doing: Doing, day_end: DayEnd, report: Report) -> None:
    """Print a report into the archive unless it is there; its number, its file and its place are written together."""
    if has_paper(day_end, report.slug):
        return
    asked = replace(asked_for_day(report, day_end.room, day_end.gaming_date, timezone.now()), at_leisure=True)
    title, name = str(report.title), file_name(report, asked)
    if (once := f"paper {report.slug}") not in doing.job.once:
        try:
            with report_made(report, asked, up_to_date=True) as data:
                figures = Figures.of(data)
        except Refusal as refusal:
            if refusal.code != TOO_LONG:
                raise
            _keep_as_csv(doing, day_end, report, asked)
            return
    # The number is taken with what stands on the paper; the pages are set while nobody waits for the next number.
    paper = json.loads(doing.once(once, lambda: numbered(figures, day_end.room.day_end_paper)))
    content = pages_of(paper)
    printing = ReportPrinting.objects.get(pk=paper["printing"])
    with transaction.atomic():
        file = doing.keep(f"{name}.pdf", title, PDF_TYPE, content, report=report.slug)
        day_end_file(day_end=day_end, report=report.slug, printing=printing, file=file)


def _keep_as_csv(doing: Doing, day_end: DayEnd, report: Report, asked: Asked) -> None:
    """What is too long for paper: the same rows as CSV, which has no number."""
    with report_made(report, asked, up_to_date=True) as data:
        lines = "".join(lines_of(data)).encode()
    with transaction.atomic():
        file = doing.keep(f"{file_name(report, asked)}.csv", str(report.title), CSV_TYPE, lines, report=report.slug)
        day_end_file(day_end=day_end, report=report.slug, printing=None, file=file)
