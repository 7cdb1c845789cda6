"""Settling again on demand: one hand at once, a gaming day by a worker, and the page that says what came of it."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import get_template
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_GET, require_POST

from casino.errors import Malformed
from casino.staff.actor import READS_ALL, Actor
from casino.staff.pages import page
from tables.access import check_web_access
from tables.asked import day_in
from tables.audit.looked_at import key_of
from tables.models import Job
from tables.selectors.hands import rooms_read_by
from tables.selectors.replays import outcome_of, progress_of, replay_run
from tables.services.room_jobs import REPLAY, day_replay_ask, hand_replay

DIFFERENCES_SHOWN = 200


@require_POST
@page
def ask_hand(request: HttpRequest, actor: Actor, hand_id: UUID) -> HttpResponse:
    """Settle a hand again now, and go to what came of it."""
    check_web_access(actor, READS_ALL)
    return redirect("audit:replay", run_id=hand_replay(actor=actor, key=key_of(request), hand_id=hand_id).pk)


@require_POST
@page
def ask_day(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Have a worker settle a gaming day again, and go to how far it is."""
    check_web_access(actor, READS_ALL)
    room = rooms_read_by(actor).filter(slug=request.POST.get("room", "")).first()
    day = day_in(request.POST)
    if room is None or day is None or day > room.gaming_day(timezone.now()):
        raise Malformed("out-of-range", _("Choose a room and a gaming day that has begun."))
    return redirect("audit:replay", run_id=day_replay_ask(actor=actor, key=key_of(request), room=room, day=day).pk)


@require_GET
@page
def replay(request: HttpRequest, actor: Actor, run_id: UUID) -> HttpResponse:
    """One replay: what was settled again, how far it is, and every difference in words."""
    check_web_access(actor, READS_ALL)
    return render(request, "audit/room/replay.html", _now(run_id))


@require_GET
@conditional_page
@page
def replay_now(request: HttpRequest, actor: Actor, run_id: UUID) -> HttpResponse:
    """What changes on that page, to be polled."""
    check_web_access(actor, READS_ALL)
    response = HttpResponse(get_template("audit/room/replay_now.html").render(_now(run_id)))
    response["Cache-Control"] = "private, no-cache"
    return response


def _now(run_id: UUID) -> dict[str, object]:
    run = replay_run(run_id)
    outcome = outcome_of(run) if run.finished_at else None
    return {
        "run": run,
        "room": run.room,
        "progress": progress_of(run),
        "job": Job.objects.filter(kind=REPLAY, key=str(run.pk)).first(),
        "differing": len(outcome.differences) if outcome else 0,
        "differences": outcome.differences[:DIFFERENCES_SHOWN] if outcome else (),
        "totals": outcome.totals if outcome and run.rules else (),
    }
