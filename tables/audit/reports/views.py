"""The pages of reports: the list, one on screen, and the same as CSV, XLSX and PDF. They read, and note what was printed."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from casino.staff.actor import READS_ALL, Actor
from casino.staff.pages import page
from tables.access import check_web_access
from tables.audit.reports.csv import csv_of, csv_of_section
from tables.audit.reports.pdf import Figures, pdf_of
from tables.audit.reports.printing import paper_asked, pdf_response
from tables.audit.reports.screen import screen_of
from tables.audit.reports.words import file_name
from tables.audit.reports.xlsx import xlsx_of
from tables.models import ReportPrinting
from tables.selectors.jobs import ReportForm
from tables.selectors.looked_at import report_thing
from tables.selectors.reports import find_report, report_made, reports_read_by
from tables.selectors.reports.asking import Asked, ask, asked_of
from tables.selectors.reports.report import Report
from tables.services.report_printings import report_print


@require_GET
@page
def reports(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Every report with what it is about."""
    check_web_access(actor, READS_ALL)
    return render(request, "audit/reports/list.html", {"reports": reports_read_by(actor)})


@require_GET
@page
def report(request: HttpRequest, actor: Actor, report_slug: str) -> HttpResponse:
    """One report on screen, below its filters; where a filter makes no sense, the filters alone with a word beside it.

    ``files`` asks for no tables: a long report is better not made twice.
    """
    found = find_report(report_slug)
    form = ask(found, actor, request.GET, timezone.now())
    context: dict[str, object] = {"report": found, "form": form, "reports": reports_read_by(actor)}
    if form.asked is None:
        return render(request, "audit/reports/report.html", context, status=400 if form.has_errors else 200)
    query = urlencode(form.asked.given)
    context |= {"query": query, "papers": ReportPrinting.Paper, "job_forms": ReportForm}
    context["thing"] = report_thing(found, form.asked)
    if "files" not in request.GET:
        with report_made(found, form.asked) as data:
            context["screen"] = screen_of(data)
    return render(request, "audit/reports/report.html", context)


@require_GET
@page
def report_csv(request: HttpRequest, actor: Actor, report_slug: str) -> FileResponse:
    """The report as CSV; ``section`` asks for one of its tables alone."""
    found, asked = _asked(request, actor, report_slug)
    section = request.GET.get("section", "")
    with report_made(found, asked) as data:
        return csv_of_section(data, section) if section else csv_of(data)


@require_GET
@page
def report_xlsx(request: HttpRequest, actor: Actor, report_slug: str) -> FileResponse:
    """The report as a workbook."""
    found, asked = _asked(request, actor, report_slug)
    with report_made(found, asked) as data:
        return xlsx_of(data)


@require_POST
@page
def report_pdf(request: HttpRequest, actor: Actor, report_slug: str) -> HttpResponse:
    """The report on the ``paper`` of the form, ``letter`` or ``a4``: a printing with a number of its own."""
    found, asked = _asked(request, actor, report_slug)
    paper = paper_asked(request)
    with report_made(found, asked) as data:
        figures = Figures.of(data)
    printing = report_print(report=found, asked=asked, data_sha256=figures.sha256, paper=paper)
    return pdf_response(pdf_of(figures, printing), file_name(found, asked))


def _asked(request: HttpRequest, actor: Actor, report_slug: str) -> tuple[Report, Asked]:
    found = find_report(report_slug)
    return found, asked_of(ask(found, actor, request.GET, timezone.now()))
