"""A report made by a worker, as the page makes it, and kept."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import Forbidden
from casino.staff.actor import Actor
from tables.audit.reports.csv import CONTENT_TYPE as CSV_TYPE
from tables.audit.reports.csv import lines_of
from tables.audit.reports.pdf import CONTENT_TYPE as PDF_TYPE
from tables.audit.reports.pdf import TEMPLATE, Figures, paper_data, set_in_type
from tables.audit.reports.words import file_name
from tables.audit.reports.xlsx import CONTENT_TYPE as XLSX_TYPE
from tables.audit.reports.xlsx import xlsx_file
from tables.models import ReportPrinting
from tables.selectors.jobs import ReportForm
from tables.selectors.reports import find_report, report_made
from tables.selectors.reports.asking import Asked, ask, asked_of
from tables.selectors.reports.report import Report, ReportData, Row
from tables.services.doing import Doing, check_size
from tables.services.report_printings import report_print

ROWS_BETWEEN_SIGNS = 100

_PAPERS = {ReportForm.LETTER: ReportPrinting.Paper.LETTER, ReportForm.A4: ReportPrinting.Paper.A4}


def report_make(doing: Doing) -> None:
    """Make the report that was asked for and keep it. Raises what ``ask`` refuses: roles may have changed meanwhile."""
    form = ReportForm(doing.asked["form"])
    report, asked = _asked(doing)
    name = f"{file_name(report, asked)}.{'pdf' if form in _PAPERS else form}"
    if doing.kept(name):
        return
    _MAKERS[form](doing, report, asked, name)


def _asked(doing: Doing) -> tuple[Report, Asked]:
    by = doing.job.asked_by
    if by is None or not by.is_active:
        raise Forbidden("not-allowed", _("Whoever asked for this does not work here any more. Ask for it yourself."))
    report = find_report(doing.asked["report"])
    filters: Mapping[str, str] = doing.asked["filters"]
    return report, replace(asked_of(ask(report, Actor.of(by), filters, timezone.now())), at_leisure=True)


@contextmanager
def _watched(doing: Doing, report: Report, asked: Asked) -> Iterator[ReportData]:
    """The report being made, which says how many rows it has read and stops when somebody asks for that."""
    doing.step(_("Reading"))
    with report_made(report, asked) as data:
        tell = _Counting(doing)
        yield replace(data, sections=[replace(each, rows=tell(each.rows)) for each in data.sections])


class _Counting:
    """Counts rows as they go by."""

    def __init__(self, doing: Doing) -> None:
        self._doing, self._rows = doing, 0

    def __call__(self, rows: Iterable[Row]) -> Iterator[Row]:
        for row in rows:
            self._rows += 1
            if self._rows % ROWS_BETWEEN_SIGNS == 0:
                self._doing.step(_("Reading rows"), self._rows)
            yield row


def _make_csv(doing: Doing, report: Report, asked: Asked, name: str) -> None:
    # Line by line to the disk, and whole only once: as it goes into the database.
    written = 0
    with tempfile.TemporaryFile() as file:
        with _watched(doing, report, asked) as data:
            for line in lines_of(data):
                check_size(written := written + file.write(line.encode()))
        doing.step(_("Keeping"))
        doing.keep(name, str(report.title), CSV_TYPE, file, report=report.slug)


def _make_xlsx(doing: Doing, report: Report, asked: Asked, name: str) -> None:
    with _watched(doing, report, asked) as data:
        file = xlsx_file(data)
    with file:
        doing.step(_("Keeping"))
        doing.keep(name, str(report.title), XLSX_TYPE, file, report=report.slug)


def _make_pdf(doing: Doing, report: Report, asked: Asked, name: str) -> None:
    """The paper's number is taken once, together with what stands on the paper, so that a run after a death sets the same."""
    form = ReportForm(doing.asked["form"])
    if "paper" not in doing.job.once:
        with _watched(doing, report, asked) as data:
            figures = Figures.of(data)
        doing.step(_("Taking a number"))
    paper = json.loads(doing.once("paper", lambda: numbered(figures, _PAPERS[form])))
    doing.step(_("Setting the pages"))
    content = pages_of(paper)
    doing.step(_("Keeping"))
    doing.keep(name, str(report.title), PDF_TYPE, content, report=report.slug)


def numbered(figures: Figures, paper: str) -> str:
    """Take the next number for a report on ``paper``: its printing, and what stands on the pages, to be settled once."""
    data = figures.data
    printing = report_print(report=data.report, asked=data.asked, data_sha256=figures.sha256, paper=paper)
    settled = {"printing": str(printing.pk), "made_at": data.made_at.isoformat(), "data": paper_data(figures, printing)}
    return json.dumps(settled)


def pages_of(paper: Mapping[str, Any]) -> bytes:
    """What was settled by ``numbered``, set in type: the same pages whoever sets them."""
    return set_in_type(TEMPLATE, paper["data"], datetime.fromisoformat(paper["made_at"]))


_MAKERS: Mapping[ReportForm, Callable[[Doing, Report, Asked, str], None]] = {
    ReportForm.CSV: _make_csv,
    ReportForm.XLSX: _make_xlsx,
    ReportForm.LETTER: _make_pdf,
    ReportForm.A4: _make_pdf,
}
