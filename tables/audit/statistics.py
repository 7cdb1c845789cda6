"""The page of questions: what the statistics of a time ask, and having worked out what a bank can expect."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from casino.staff.actor import Actor
from casino.staff.pages import page
from tables.audit.reports.screen import href_of
from tables.audit.reports.words import days_text
from tables.selectors.reports import one_instant, reports_read_by
from tables.selectors.reports.asking import Asked, ask
from tables.selectors.reports.questions import QUESTIONS, Question, questions_of
from tables.selectors.reports.settled_hands import too_long, too_long_in_words
from tables.selectors.statistics.expectations import rules_played
from tables.selectors.statistics.rights import READS_STATISTICS
from tables.services.expectations import expectation_ask


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """A question with the address of its figures."""

    question: Question
    href: str


@require_GET
@page
def statistics(request: HttpRequest, actor: Actor) -> HttpResponse:
    """The questions of some gaming days, the reports they come from, and the expected results there are."""
    form = ask(QUESTIONS, actor, request.GET, timezone.now())
    reports = [each for each in reports_read_by(actor) if each.roles == READS_STATISTICS and each != QUESTIONS]
    context: dict[str, object] = {"form": form, "reports": reports, "report": QUESTIONS, "rules": rules_played()}
    if form.asked is None:
        return render(request, "audit/statistics.html", context, status=400)
    with one_instant():
        context |= {"days": days_text(form.asked), "query": urlencode(form.asked.given), **_found(form.asked)}
    return render(request, "audit/statistics.html", context)


def _found(asked: Asked) -> dict[str, object]:
    if too_long(asked):
        return {"too_long": too_long_in_words(QUESTIONS)}
    return {"questions": [ShownQuestion(each, href_of(each.opens, asked.given)) for each in questions_of(asked)]}


@require_POST
@page
def expectation(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Have worked out what a bank can expect under ``rules``: opens the job."""
    job = expectation_ask(actor=actor, rules=request.POST.get("rules", ""))
    return redirect("audit:job", job.pk)
