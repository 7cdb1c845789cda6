"""Jobs as they are read: who reads which, how far each is, and what stands in its way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from uuid import UUID

from django.db import connection, models
from django.db.models import Prefetch, Q, QuerySet
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from casino.errors import NotThere
from casino.staff.actor import READS_ALL, Actor
from casino.staff.models import Role
from tables.access import check_web_access
from tables.models import Job, KeptFile
from tables.models.jobs import LONGEST
from tables.selectors.reports import REPORTS, reports_read_by
from tables.selectors.statistics.rights import READS_STATISTICS

REPORT = "report"
"""The kind of a job that makes one report."""

EXPECTATION = "expectation"
"""The kind of a job that works out what a bank can expect."""

WAITS_TOO_LONG = timedelta(minutes=2)
"""How long a job may wait before somebody should look at the workers."""

SILENT_TOO_LONG = timedelta(minutes=2)
"""How long nobody may take up a job that was left before somebody should look at the timetable."""


class ReportForm(models.TextChoices):
    """What a report is made as."""

    CSV = "csv", "CSV"
    XLSX = "xlsx", "XLSX"
    LETTER = "pdf-letter", _lazy("PDF, Letter")
    A4 = "pdf-a4", _lazy("PDF, A4")


# The lock says who lives: a worker that has ended holds none, whatever the row says.
_HELD = """
    SELECT j.id FROM tables_job j JOIN pg_locks l
        ON l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND ((l.classid::bigint << 32) | l.objid::bigint) = hashtextextended('job ' || j.id::text, 0)
    WHERE j.state = 'running'
"""


def jobs_read_by(actor: Actor) -> QuerySet[Job]:
    """The jobs that somebody reads, with their files: none of a report or a statistic that they may not read.

    Raises ``Forbidden``.
    """
    check_web_access(actor, READS_ALL)
    jobs = Job.objects.defer("once").select_related("room", "asked_by", "cancelled_by")
    mine = jobs.filter(~Q(kind=REPORT) | Q(asked__report__in=_reports_read_by(actor)))
    if not actor.has_role(*READS_STATISTICS):
        mine = mine.exclude(kind=EXPECTATION)
    return mine.prefetch_related(Prefetch("files", _files_read_by(actor)))


def job_read(actor: Actor, job_id: UUID) -> Job:
    """One of them. Raises ``Forbidden`` and ``NotThere``."""
    job = jobs_read_by(actor).filter(pk=job_id).first()
    if job is None:
        raise NotThere("no-such-job", _("There is no such job, or its report is not yours to read."))
    return job


def may_decide(actor: Actor, job: Job) -> bool:
    """Whether somebody may leave a job or begin it anew: whoever asked for it, and managers."""
    return job.asked_by_id == actor.user_id or actor.has_role(Role.MANAGER)


def _files_read_by(actor: Actor) -> QuerySet[KeptFile]:
    files = KeptFile.objects.defer("content").order_by("made_at", "name")
    return files.filter(Q(report="") | Q(report__in=_reports_read_by(actor)))


def file_read(actor: Actor, file_id: UUID) -> KeptFile:
    """A file of one of them; its content is read when it is looked at. Raises ``Forbidden`` and ``NotThere``."""
    found = _files_read_by(actor).filter(pk=file_id, job__in=jobs_read_by(actor).values("pk")).first()
    if found is None:
        raise NotThere("no-such-file", _("There is no such file, or its report is not yours to read."))
    return found


def _reports_read_by(actor: Actor) -> list[str]:
    return [report.slug for report in reports_read_by(actor)]


def jobs_held() -> set[UUID]:
    """The jobs that a worker does at this instant."""
    with connection.cursor() as cursor:
        cursor.execute(_HELD)
        return {job_id for (job_id,) in cursor}


@dataclass(frozen=True, slots=True)
class Trouble:
    """What stands in a job's way: what is the case, and what to do. ``is_bad`` where somebody has to come."""

    text: str
    is_bad: bool


@dataclass(frozen=True, slots=True)
class JobRow:
    """A job as it is shown. ``about`` says of what, ``progress`` how far it is, ``percent`` where that can be said."""

    job: Job
    title: str
    about: str
    progress: str
    percent: int | None
    trouble: Trouble | None

    @property
    def zone(self) -> tzinfo:
        """The clock that its times are shown by."""
        return self.job.room.zone if self.job.room else UTC

    @property
    def may_be_cancelled(self) -> bool:
        """Whether there is something to leave that nobody has asked to leave yet."""
        return not self.job.has_ended and self.job.cancel_asked_at is None

    @property
    def may_be_put_aside(self) -> bool:
        """Whether it failed, so that somebody may say that nobody has to come for it."""
        return self.job.state == Job.State.FAILED

    @property
    def may_be_asked_again(self) -> bool:
        """Whether it can be begun anew."""
        return self.job.state in (Job.State.FAILED, Job.State.CANCELLED)


def job_rows(jobs: Iterable[Job], now: datetime) -> list[JobRow]:
    """These jobs as they are shown, with one look at who does what."""
    found = list(jobs)
    held = jobs_held() if any(not job.has_ended for job in found) else set()
    return [_row(job, held, now) for job in found]


def _row(job: Job, held: Collection[UUID], now: datetime) -> JobRow:
    title, about = in_words(job)
    return JobRow(job, title, about, _progress(job), _percent(job), _trouble(job, held, now))


def in_words(job: Job) -> tuple[str, str]:
    """What a job makes, and of what."""
    said = _WORDS.get(job.kind)
    return said(job) if said else (capfirst(job.kind.replace("-", " ")), _of_room(job))


def _report_in_words(job: Job) -> tuple[str, str]:
    asked: Mapping[str, str] = job.asked
    report = REPORTS.get(asked["report"])
    filters: Mapping[str, str] = job.asked.get("filters", {})
    said = [value for name, value in filters.items() if name != "room"]
    about = [_of_room(job), *said, _form_in_words(asked.get("form", ""))]
    return str(report.title) if report else asked["report"], " · ".join(filter(None, about))


def _day_end_in_words(job: Job) -> tuple[str, str]:
    return _("End of the gaming day"), f"{_of_room(job)} · {job.asked['day']}"


def _bundle_in_words(job: Job) -> tuple[str, str]:
    if job.asked["seals"]:
        first, last = job.asked["seals"]
        return _("Bundle to verify"), _("seals %(first)s to %(last)s") % {"first": first, "last": last}
    if job.room is None:
        return _("Bundle to verify"), _("everything")
    return _("Bundle to verify"), f"{job.room.name} · {job.asked['day'] or _('all sessions')}"


def _replay_in_words(job: Job) -> tuple[str, str]:
    return _("Replay of a gaming day"), _of_room(job)


def _expectation_in_words(job: Job) -> tuple[str, str]:
    return _("What a bank can expect"), job.asked["rules"]


def _form_in_words(form: str) -> str:
    return str(ReportForm(form).label) if form in ReportForm.values else form


def _of_room(job: Job) -> str:
    return job.room.name if job.room else ""


_WORDS: Mapping[str, Callable[[Job], tuple[str, str]]] = {
    REPORT: _report_in_words,
    "day-end": _day_end_in_words,
    "bundle": _bundle_in_words,
    "replay": _replay_in_words,
    EXPECTATION: _expectation_in_words,
}


def _progress(job: Job) -> str:
    if job.state != Job.State.RUNNING:
        return ""
    if job.all_steps:
        counted = _("%(done)s of %(all)s") % {"done": f"{job.done_steps:,}", "all": f"{job.all_steps:,}"}
    else:
        counted = f"{job.done_steps:,}" if job.done_steps else ""
    return ": ".join(filter(None, (job.step or _("Beginning"), counted)))


def _percent(job: Job) -> int | None:
    is_known = job.state == Job.State.RUNNING and job.all_steps
    return min(100, 100 * job.done_steps // job.all_steps) if is_known else None


def _trouble(job: Job, held: Collection[UUID], now: datetime) -> Trouble | None:
    if job.state == Job.State.WAITING:
        return _why_it_waits(job, held, now)
    if job.state != Job.State.RUNNING:
        return None
    if job.pk not in held:
        if now - (job.seen_at or job.asked_at) < SILENT_TOO_LONG:
            return Trouble(_("Its worker has ended. The timetable gives it to another within half a minute."), False)
        words = _("Its worker has ended and nobody has taken it up. See that the timetable (beat) and a worker run.")
        return Trouble(words, True)
    if job.cancel_asked_at is not None:
        words = _("It is left at its next step, at the latest %(hours)s hours after it was begun.")
        return Trouble(words % {"hours": LONGEST // timedelta(hours=1)}, False)
    return None


def _why_it_waits(job: Job, held: Collection[UUID], now: datetime) -> Trouble | None:
    if job.not_before and job.not_before > now:
        words = _("Attempt %(attempts)s did not succeed: %(why)s It is tried again soon.")
        return Trouble(words % {"attempts": job.attempts, "why": job.last_error}, False)
    if now - max(job.asked_at, job.not_before or job.asked_at) < WAITS_TOO_LONG:
        return None
    if job.sent_at is None:
        words = _(
            "The broker does not answer, so no worker has been told. Start it (Valkey, Redis or RabbitMQ): within a"
            " minute the timetable then hands over what waits, and nothing is lost."
        )
        return Trouble(words, True)
    if held:
        words = _("The workers are busy with other jobs. Wait, or start more workers.")
        return Trouble(words, False)
    words = _("No worker has taken this up. See that at least one runs and has the broker’s address; nothing is lost.")
    return Trouble(words, True)


def queue_trouble(now: datetime) -> Trouble | None:
    """What keeps the job that has waited longest, of all there are; nothing while nobody has to come."""
    waiting = Job.objects.filter(Q(not_before=None) | Q(not_before__lte=now), state=Job.State.WAITING)
    oldest = waiting.defer("once").order_by("asked_at").first()
    trouble = oldest and _why_it_waits(oldest, jobs_held(), now)
    return trouble if trouble and trouble.is_bad else None
