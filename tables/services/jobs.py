"""Work for workers: asking for it, once however often it is asked; doing it, one at a time; leaving it; taking up what was lost.

The row is the job. A message to the broker only says that there is one, so it may come twice, late, or never.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError as BrokerError

from casino.celery import app, quick_broker
from casino.errors import Busy, Conflict, Forbidden, NotThere, Refusal
from casino.staff.actor import NOBODY, READS_ALL, Actor
from tables.access import check_web_access
from tables.lock_objects import hold_job, lock_job_nobody_does
from tables.models import Job, Room
from tables.models.jobs import LONGEST, TRIES
from tables.selectors.jobs import may_decide
from tables.services.doing import Cancelled, Doing, Superseded

Make = Callable[[Doing], None]
"""Does a job of some kind."""

KINDS = "tables.jobs.kinds.KINDS"
"""Who does which kind. The upper layer is named by string only, so that nothing here depends on it."""

DO_JOB = "tables.tasks.do_job"

AGAIN_AFTER = timedelta(seconds=10)
"""How long a job rests before it is tried again; the second time twice as long."""

TRIES_WHEN_BUSY = 6
"""How often one may find others at work on the same. That is nobody's fault, so these tries do not count among the others."""

LOST_AFTER = timedelta(seconds=60)
"""When a job that waits is told to the broker again; then after as long as it has waited until then."""

TOLD_EVERY = timedelta(minutes=10)
"""The longest that this may be, also for a job that was asked for long ago and is begun anew now."""

LONGEST_ERROR = 500

ONE_HOUR = timedelta(hours=1)

log = logging.getLogger("backline.jobs")


def job_ask(
    *, kind: str, key: str, asked: Mapping[str, Any], room: Room | None = None, asked_by: Actor | None = None
) -> Job:
    """The job of this kind and key: made and given to the workers when this transaction commits, or found as it is.

    ``asked_by`` is nobody for what the timetable asks for. Two who ask at once get the same one. One that failed or was
    cancelled is begun anew by ``job_again`` only.
    """
    made = Job(
        id=uuid4(),
        kind=kind,
        key=key,
        asked=dict(asked),
        room=room,
        asked_by_id=None if asked_by is None or asked_by.user_id == NOBODY else asked_by.user_id,
        asked_at=timezone.now(),
    )
    with transaction.atomic():
        Job.objects.bulk_create([made], ignore_conflicts=True)
        job = Job.objects.get(kind=kind, key=key)
        if job.pk == made.pk:
            _send_on_commit(job.pk)
    return job


def job_again(*, job_id: UUID, actor: Actor) -> Job:
    """Begin a job anew that failed or was cancelled; what it has kept stays. Raises ``Forbidden``, ``NotThere``, ``Conflict``."""
    job = _theirs(job_id, actor)
    with transaction.atomic():
        begun = Job.objects.filter(pk=job_id, state__in=(Job.State.FAILED, Job.State.CANCELLED)).update(
            state=Job.State.WAITING,
            # Attempts go on counting, so that one that lags behind is never taken for a later one.
            attempts_until=job.attempts + TRIES,
            busy_tries=0,
            step="",
            done_steps=0,
            all_steps=0,
            last_error="",
            sent_at=None,
            not_before=None,
            ended_at=None,
            cancel_asked_at=None,
            cancelled_by=None,
        )
        if not begun:
            raise Conflict(
                "job-goes-on", _("Only a job that failed or was cancelled is begun anew. Load the page again.")
            )
        _send_on_commit(job_id)
    return Job.objects.get(pk=job_id)


def job_cancel(*, job_id: UUID, actor: Actor) -> Job:
    """Leave a job: at once while nobody does it, else at its next step; one that failed is put aside, so that nobody is called to
    it any more. Raises ``Forbidden``, ``NotThere``, ``Conflict``.
    """
    _theirs(job_id, actor)
    now = timezone.now()
    with transaction.atomic():
        asked = {"cancel_asked_at": now, "cancelled_by_id": actor.user_id}
        ended = {"state": Job.State.CANCELLED, "ended_at": now, "once": {}} if lock_job_nobody_does(job_id) else {}
        going_on = Job.objects.filter(pk=job_id, state__in=(Job.State.WAITING, Job.State.RUNNING))
        failed = Job.objects.filter(pk=job_id, state=Job.State.FAILED)
        if not going_on.update(**asked, **ended) and not failed.update(**asked, state=Job.State.CANCELLED):
            raise Conflict("job-has-ended", _("This job has ended already. Load the page again."))
    return Job.objects.get(pk=job_id)


def _theirs(job_id: UUID, actor: Actor) -> Job:
    """A job for who may decide on it: whoever asked for it, and managers."""
    check_web_access(actor, READS_ALL)
    job = Job.objects.filter(pk=job_id).first()
    if job is None:
        raise NotThere("no-such-job", _("There is no such job."))
    if not may_decide(actor, job):
        raise Forbidden("not-allowed", _("Whoever asked for a job decides on it, or a manager."))
    return job


def job_do(*, job_id: UUID) -> None:
    """Do a job, for a worker. Nothing happens where it has ended, is done by somebody else, or rests before its next try.

    Not within a transaction: others have to see how far it is. What goes wrong is noted with the job, and tried again while
    that makes sense; only a database that is away is raised, and then the job is taken up later.
    """
    with hold_job(job_id, settings.LOCK_TIMEOUT_MS) as own:
        if own is None:
            return
        job = _begin(job_id)
        if job is None:
            return
        try:
            _make_of(job)(Doing(job, own))
        except Superseded:
            log.warning("job %s goes on elsewhere", job_id)
        except Cancelled:
            _end(job, Job.State.CANCELLED)
        except SoftTimeLimitExceeded:
            _took_too_long(job)
        except Exception as error:
            _failed(job, error)
        else:
            _end(job, Job.State.DONE)


def _begin(job_id: UUID) -> Job | None:
    """Count another attempt; ``None`` where there is nothing to do, or nothing any more."""
    job = Job.objects.select_related("room", "asked_by").filter(pk=job_id).first()
    now = timezone.now()
    if job is None or job.has_ended or (job.not_before and job.not_before > now):
        return None
    if job.cancel_asked_at is not None:
        _end(job, Job.State.CANCELLED)
        return None
    if job.state == Job.State.RUNNING and job.attempts >= job.attempts_until:
        words = _(
            "At attempt %(attempts)s the worker ended without a word: most often the host has stopped it for want of memory,"
            " or it answered to nothing for %(hours)s hours. Ask for fewer days or give the workers more, then ask again."
        )
        _end(job, Job.State.FAILED, words % {"attempts": job.attempts, "hours": LONGEST // ONE_HOUR})
        return None
    begun = Job.objects.filter(pk=job_id, state=job.state, attempts=job.attempts).update(
        state=Job.State.RUNNING,
        attempts=job.attempts + 1,
        step="",
        done_steps=0,
        all_steps=0,
        not_before=None,
        started_at=now,
        seen_at=now,
    )
    job.state, job.attempts = Job.State.RUNNING, job.attempts + 1
    return job if begun else None


def _make_of(job: Job) -> Make:
    kinds: Mapping[str, Make] = import_string(KINDS)
    make = kinds.get(job.kind)
    if make is None:
        words = _("This worker does no job of the kind %(kind)s. Bring all workers to the version of the web server.")
        raise Refusal("no-such-kind", words % {"kind": job.kind})
    return make


def _end(job: Job, state: Job.State, error: str = "") -> None:
    """What an attempt came to, unless a later one has begun. What attempts shared goes: it may say who patrons are."""
    now = timezone.now()
    said = {"last_error": error} if error else {}
    Job.objects.filter(pk=job.pk, state=job.state, attempts=job.attempts).update(
        state=state, ended_at=now, seen_at=now, once={}, **said
    )


def _took_too_long(job: Job) -> None:
    """Give it up where the worker has stopped it for its length: it would take as long again."""
    connection.close_if_unusable_or_obsolete()  # it may have been stopped in the middle of a statement
    words = _(
        "This took more than %(hours)s hours and was stopped. Ask for fewer days; if it is short, something hung: the page"
        " says at which step. Ask again once the cause is gone."
    )
    log.warning("job %s, attempt %s: stopped after %s", job.pk, job.attempts, LONGEST)
    is_left = Job.objects.filter(pk=job.pk, cancel_asked_at__isnull=False).exists()
    _end(job, Job.State.CANCELLED if is_left else Job.State.FAILED, words % {"hours": LONGEST // ONE_HOUR})


def _failed(job: Job, error: Exception) -> None:
    """Try again later, or give it up: at once where a refusal says that it will never be."""
    connection.close_if_unusable_or_obsolete()  # what went wrong may have been the connection
    if isinstance(error, Busy):
        job.busy_tries, job.attempts_until = job.busy_tries + 1, job.attempts_until + 1
        is_final = job.busy_tries >= TRIES_WHEN_BUSY
    else:
        is_final = isinstance(error, Refusal) or job.attempts >= job.attempts_until
    words = _words_of(error)
    log.warning(
        "job %s, attempt %s: %s", job.pk, job.attempts, words, exc_info=None if isinstance(error, Refusal) else error
    )
    if is_final:
        _end(job, Job.State.FAILED, words)
        return
    rest = AGAIN_AFTER * min(TRIES - (job.attempts_until - job.attempts) + job.busy_tries, TRIES)
    waiting = Job.objects.filter(pk=job.pk, state=job.state, attempts=job.attempts)
    if waiting.update(
        state=Job.State.WAITING,
        last_error=words,
        not_before=timezone.now() + rest,
        attempts_until=job.attempts_until,
        busy_tries=job.busy_tries,
    ):
        _send(job.pk, after=rest)


def _words_of(error: Exception) -> str:
    """For who reads the page: what happened, what to do."""
    if isinstance(error, Refusal):
        return error.message
    first = (str(error).strip().splitlines() or [""])[0]
    what = f"{type(error).__name__}: {first}" if first else type(error).__name__
    words = _("%(what)s. The worker's log has all of it under this job's id; ask again once the cause is gone.")
    return words % {"what": what[:LONGEST_ERROR].rstrip(".")}


def jobs_take_up() -> list[UUID]:
    """Give the broker again what it has lost or never had, and what a worker has left by ending; the jobs given."""
    now = timezone.now()
    going_on = Job.objects.filter(state__in=(Job.State.WAITING, Job.State.RUNNING))
    given = []
    for job in going_on.order_by("asked_at", "pk").only("state", "asked_at", "sent_at", "not_before"):
        if _is_lost(job, now) and _send(job.pk):
            given.append(job.pk)
    return given


def _is_lost(job: Job, now: datetime) -> bool:
    if job.state == Job.State.RUNNING:
        with transaction.atomic():
            return lock_job_nobody_does(job.pk)
    if job.not_before and job.not_before > now:
        return False
    # A queue may be long: what waits in it is told again seldom and more seldom, and done once all the same.
    return job.sent_at is None or now - job.sent_at >= max(LOST_AFTER, min(job.sent_at - job.asked_at, TOLD_EVERY))


def _send_on_commit(job_id: UUID) -> None:
    transaction.on_commit(partial(_send, job_id))


def _send(job_id: UUID, *, after: timedelta = timedelta(0)) -> bool:
    """Tell the broker that there is a job. Where it is silent, the timetable does it later: the job is there."""
    broker = quick_broker()
    try:
        with broker:
            broker.ensure_connection(max_retries=1, interval_start=0, interval_step=0)
            arguments = {"job_id": str(job_id)}
            app.send_task(DO_JOB, kwargs=arguments, countdown=after.total_seconds(), connection=broker, retry=False)
    except (BrokerError, *broker.connection_errors, *broker.channel_errors) as error:
        log.warning("the broker was not told of job %s: %s", job_id, error)
        return False
    Job.objects.filter(pk=job_id, state=Job.State.WAITING).update(sent_at=timezone.now())
    return True
