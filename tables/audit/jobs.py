"""The pages of jobs: the list, one job, and the files that came of it."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import get_template
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_GET, require_POST

from casino.staff.actor import Actor
from casino.staff.pages import page
from tables.listing import Column, Listing
from tables.models import Job
from tables.selectors.jobs import file_read, job_read, job_rows, jobs_read_by, may_decide, queue_trouble
from tables.selectors.reports import find_report
from tables.selectors.reports.asking import ask, asked_of
from tables.services.jobs import job_again, job_cancel
from tables.services.report_jobs import report_job_ask


def _job_list(asked: QueryDict, rows: QuerySet[Job]) -> Listing[Job]:
    columns = (
        Column("what", _("Job"), F("kind")),
        Column("state", _("State"), F("state")),
        Column("by", _("Asked by")),
        Column("time", _("Asked"), F("asked_at"), largest_first=True),
        Column("files", _("Files")),
    )
    return Listing(asked, rows, columns, instant="asked_at", unasked="-time")


def _found(request: HttpRequest, actor: Actor) -> Listing[Job]:
    jobs, state = jobs_read_by(actor), request.GET.get("state")
    return _job_list(request.GET, jobs.filter(state=state) if state in Job.State else jobs)


@require_GET
@page
def jobs(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Every job that the actor reads, the newest first."""
    context = {"states": Job.State.choices, "asked_state": request.GET.get("state", "")}
    return render(request, "audit/jobs/list.html", context | _now_of_list(_found(request, actor)))


@require_GET
@conditional_page
@page
def jobs_now(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The list alone, to be polled."""
    return _polled("audit/jobs/list_now.html", _now_of_list(_found(request, actor)))


def _now_of_list(listing: Listing[Job]) -> dict[str, object]:
    now = timezone.now()
    return {"list": listing, "jobs": job_rows(listing.rows, now), "trouble": queue_trouble(now)}


@require_GET
@page
def job(request: HttpRequest, actor: Actor, job_id: UUID) -> HttpResponse:
    """One job: how far it is, its files with their digests, and what may be done about it."""
    found = job_read(actor, job_id)
    context = {**_now_of_job(found, timezone.now()), "decides": may_decide(actor, found)}
    return render(request, "audit/jobs/job.html", context)


@require_GET
@conditional_page
@page
def job_now(request: HttpRequest, actor: Actor, job_id: UUID) -> HttpResponse:
    """What changes on that page, to be polled."""
    return _polled("audit/jobs/job_now.html", _now_of_job(job_read(actor, job_id), timezone.now()))


def _now_of_job(found: Job, now: datetime) -> dict[str, object]:
    (row,) = job_rows([found], now)
    return {"row": row, "job": found}


def _polled(template: str, context: dict[str, object]) -> HttpResponse:
    """For one browser alone and asked for again each time: 304 while its bytes are the same."""
    response = HttpResponse(get_template(template).render(context))
    response["Cache-Control"] = "private, no-cache"
    return response


@require_POST
@page
def ask_report(request: HttpRequest, actor: Actor, report_slug: str) -> HttpResponse:
    """Have a worker make the report of these filters in the ``form`` that was pressed: its job, new or the one there is."""
    report = find_report(report_slug)
    asked = asked_of(ask(report, actor, request.GET, timezone.now()))
    found = report_job_ask(report=report, asked=asked, form=request.POST.get("form", ""))
    return redirect("audit:job", job_id=found.pk)


@require_POST
@page
def cancel(request: HttpRequest, actor: Actor, job_id: UUID) -> HttpResponse:
    """Leave a job."""
    job_read(actor, job_id)
    job_cancel(job_id=job_id, actor=actor)
    return redirect("audit:job", job_id=job_id)


@require_POST
@page
def again(request: HttpRequest, actor: Actor, job_id: UUID) -> HttpResponse:
    """Begin a job anew that failed or was cancelled."""
    job_read(actor, job_id)
    job_again(job_id=job_id, actor=actor)
    return redirect("audit:job", job_id=job_id)


@require_GET
@page
def kept_file(request: HttpRequest, actor: Actor, file_id: UUID) -> HttpResponse:
    """A kept file as it was made, to be saved."""
    found = file_read(actor, file_id)
    response = HttpResponse(bytes(found.content), content_type=found.content_type)
    response["Content-Disposition"] = content_disposition_header(True, found.name)
    response["Cache-Control"] = "private, no-store"
    return response
