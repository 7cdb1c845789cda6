"""A job is one row: asked for once, done by one at a time, taken up when it was left, and left when somebody asks for that."""

from __future__ import annotations

import hashlib
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from threading import Event
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core.exceptions import MultipleObjectsReturned
from django.db import DatabaseError, transaction
from django.utils import timezone

from casino.errors import Busy, Conflict, Forbidden, Refusal
from casino.staff.actor import Actor
from casino.staff.models import Role, User
from tables.jobs import bundles as job_bundles
from tables.jobs import reports as job_reports
from tables.models import Job, KeptFile, ReportPrinting
from tables.selectors.jobs import jobs_held
from tables.selectors.reports import REPORTS
from tables.selectors.reports.report import Column, Section
from tables.services import doing, jobs
from tables.services.doing import Doing
from tables.services.jobs import job_again, job_ask, job_cancel, job_do, jobs_take_up
from tables.services.room_jobs import bundle_ask
from tables.tasks import do_job
from tests.ledger.together import together
from tests.people import Cast
from tests.tables.jobbing import Worker, ask_for, kind
from tests.tables.reports.reading import text_of_pdf
from tests.tables.reports.test_long_reports import FLAT_BYTES, long_report

State = Job.State


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The jobs that the broker was told of, in a run without a broker."""
    found: list[Any] = []

    def send(job_id: Any, **_after: Any) -> bool:
        found.append(job_id)
        Job.objects.filter(pk=job_id, state=State.WAITING).update(sent_at=timezone.now())
        return True

    monkeypatch.setattr(jobs, "_send", send)
    return found


def a_job(make: str = "trial", **asked: Any) -> Job:
    return job_ask(kind=make, key=uuid4().hex, asked=asked)


def again_now(job: Job) -> Job:
    """The job after it rested and was done again."""
    Job.objects.filter(pk=job.pk).update(not_before=None)
    job_do(job_id=job.pk)
    job.refresh_from_db()
    return job


def test_the_same_request_ten_times_is_one_job_and_one_file(committed_cast: Cast, told: list[Any]) -> None:
    asked = {ask_for(committed_cast.cleo, day="2026-02-03").pk for _press in range(10)}
    (job_id,) = asked
    assert told == [job_id], "the broker is told once, when what asked for it is committed"
    job_do(job_id=job_id)
    job_do(job_id=job_id)
    job, kept = Job.objects.get(), KeptFile.objects.get()
    assert (job.state, job.attempts, kept.name) == (State.DONE, 1, "gaming-day-one-2026-02-03.csv")
    content = bytes(kept.content)
    assert content.startswith("\ufeff".encode()) and b"Room One" in content
    assert bytes(kept.sha256) == hashlib.sha256(content).digest() and kept.size == len(content)
    assert ask_for(committed_cast.cleo, day="2026-02-03").pk == job_id, "also in the minute after it is done"
    others = {
        ask_for(committed_cast.max, day="2026-02-03").pk,
        ask_for(committed_cast.cleo, day="2026-02-04").pk,
        ask_for(committed_cast.cleo, day="2026-02-03", form="xlsx").pk,
    }
    assert len(others | asked) == 4


@pytest.mark.parametrize("filters", [{}, {"day": "2026-02-03"}], ids=["a day that still runs", "a day that is over"])
def test_a_report_is_another_request_a_minute_after_it_was_made(
    committed_cast: Cast, told: list[Any], superuser: psycopg.Connection, filters: dict[str, str]
) -> None:
    """Also of a day that is over: it may have been corrected since, and no seal been made yet."""
    first = ask_for(committed_cast.cleo, **filters)
    assert ask_for(committed_cast.cleo, **filters).pk == first.pk
    job_do(job_id=first.pk)
    assert ask_for(committed_cast.cleo, **filters).pk == first.pk, "the same breath"

    def a_minute_later() -> None:
        superuser.execute("UPDATE tables_job SET ended_at = ended_at - interval '61 seconds'")

    a_minute_later()
    second = ask_for(committed_cast.cleo, **filters)
    assert second.pk != first.pk and ask_for(committed_cast.cleo, **filters).pk == second.pk
    job_cancel(job_id=second.pk, actor=Actor.of(committed_cast.cleo))
    a_minute_later()
    third = ask_for(committed_cast.cleo, **filters)
    job_do(job_id=third.pk)
    a_minute_later()
    job_again(job_id=second.pk, actor=Actor.of(committed_cast.cleo))
    fourth = ask_for(committed_cast.cleo, **filters)
    assert len({first.pk, second.pk, third.pk, fourth.pk}) == 4, "one begun anew brings back no older one"


@pytest.fixture(params=[True, False], ids=["guarded", "without the constraint"])
def guarded(request: pytest.FixtureRequest, committed_cast: Cast, superuser: psycopg.Connection) -> Iterator[bool]:
    """Whether the database holds that a request is one job; the control takes that away for a while."""
    if not request.param:
        superuser.execute("ALTER TABLE tables_job DROP CONSTRAINT job_once")
    yield request.param
    if not request.param:
        superuser.execute("DELETE FROM tables_job")
        superuser.execute("ALTER TABLE tables_job ADD CONSTRAINT job_once UNIQUE (kind, key)")


def test_of_two_presses_at_once_there_is_one_job(committed_cast: Cast, told: list[Any], guarded: bool) -> None:
    """The control: without the constraint both presses make one, which the second may see and fall over."""
    found = together([lambda: ask_for(committed_cast.cleo, day="2026-02-03")] * 2)
    if guarded:
        assert [job.pk for job in found] == [Job.objects.get().pk] * 2 and told == [found[0].pk]
    else:
        assert Job.objects.count() == 2 or any(isinstance(each, MultipleObjectsReturned) for each in found)


class Slow:
    """A kind of work that waits at its second step until the test lets it go on."""

    def __init__(self) -> None:
        self.runs, self.reached, self.go_on = 0, Event(), Event()

    def __call__(self, doing: Doing) -> None:
        self.runs += 1
        doing.step("first", 1, 3)
        self.reached.set()
        assert self.go_on.wait(20)
        doing.step("second", 2, 3)
        doing.keep("out.txt", "Out", "text/plain", b"figures")


@pytest.fixture
def slow() -> Iterator[Slow]:
    """Work that lasts until the test says so."""
    work = Slow()
    with kind("trial", work):
        yield work
    work.go_on.set()


def test_two_workers_at_once_do_it_once_and_everybody_sees_how_far_it_is(
    committed_cast: Cast, told: list[Any], slow: Slow
) -> None:
    job = a_job()
    first = Worker(job)
    assert slow.reached.wait(20)
    job_do(job_id=job.pk)  # the message came twice
    assert jobs_held() == {job.pk} and jobs_take_up() == []
    job.refresh_from_db()
    assert (job.state, job.step, job.done_steps, job.all_steps) == (State.RUNNING, "first", 1, 3)
    slow.go_on.set()
    first.join()
    job.refresh_from_db()
    assert (job.state, job.attempts, slow.runs, KeptFile.objects.count()) == (State.DONE, 1, 1, 1)
    assert jobs_held() == set()


def test_cancelled_while_it_runs_it_stops_at_its_next_step(committed_cast: Cast, told: list[Any], slow: Slow) -> None:
    job = a_job()
    worker = Worker(job)
    assert slow.reached.wait(20)
    with pytest.raises(Forbidden):
        job_cancel(job_id=job.pk, actor=Actor.of(committed_cast.cleo))
    assert job_cancel(job_id=job.pk, actor=Actor.of(committed_cast.max)).state == State.RUNNING
    slow.go_on.set()
    worker.join()
    job.refresh_from_db()
    assert (job.state, job.cancelled_by, KeptFile.objects.count()) == (State.CANCELLED, committed_cast.max, 0)
    with pytest.raises(Conflict):
        job_cancel(job_id=job.pk, actor=Actor.of(committed_cast.max))
    assert job_again(job_id=job.pk, actor=Actor.of(committed_cast.max)).state == State.WAITING
    job_do(job_id=job.pk)
    assert Job.objects.get().state == State.DONE and told == [job.pk, job.pk]


def test_what_waits_is_cancelled_at_once_and_by_who_asked(committed_cast: Cast, told: list[Any]) -> None:
    job = ask_for(committed_cast.cleo)
    assert job_cancel(job_id=job.pk, actor=Actor.of(committed_cast.cleo)).state == State.CANCELLED
    job_do(job_id=job.pk)
    assert Job.objects.get().attempts == 0


def test_a_long_report_is_left_while_it_is_read(
    committed_cast: Cast, told: list[Any], monkeypatch: pytest.MonkeyPatch, superuser: psycopg.Connection
) -> None:
    """Cancelled between two rows, it reads no further; progress shows while the transaction of the report is open."""
    seen: list[str] = []
    job = ask_for(committed_cast.cleo, report="collections", day="2026-02-03")

    def endless(_asked: Any) -> Iterator[Section]:
        yield Section("rows", "Rows", [Column("number", "Number")], rows(), "none")

    def rows() -> Iterator[tuple[int]]:
        for number in range(10**9):
            if number == 250:
                seen.extend(superuser.execute("SELECT step FROM tables_job").fetchone() or ())
                superuser.execute("UPDATE tables_job SET cancel_asked_at = now()")
            yield (number,)

    monkeypatch.setattr(doing, "WRITES_EVERY_S", 0)
    monkeypatch.setitem(REPORTS, "collections", replace(REPORTS["collections"], sections=endless))
    job_do(job_id=job.pk)
    assert Job.objects.get().state == State.CANCELLED and not KeptFile.objects.exists()
    assert seen == ["Reading rows"] and Job.objects.get().done_steps in (200, 300)


def test_what_is_too_long_to_be_kept_is_left_as_soon_as_that_shows(
    committed_cast: Cast, told: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody fills a disk with what is thrown away afterwards; a bundle may be written to one all the same."""
    monkeypatch.setattr(doing, "LONGEST_BYTES", 1024**2)
    read: list[int] = []

    def endless(_asked: Any) -> Iterator[Section]:
        rows = ((read.append(number) or "x" * 1000,) for number in range(10_000))
        yield Section("rows", "Rows", [Column("text", "Text")], rows, "none")

    monkeypatch.setitem(REPORTS, "collections", replace(REPORTS["collections"], sections=endless))
    job = again_now(ask_for(committed_cast.cleo, report="collections", day="2026-02-03"))
    assert job.state == State.FAILED and "more than 1 megabytes" in job.last_error and len(read) < 1_100
    written: list[bytes] = []

    def endless_bundle(*, scope: Any, write: Any) -> None:
        for _line in range(10_000):
            write(b"x" * 1000)
            written.append(b"")

    monkeypatch.setattr(job_bundles, "bundle_export", endless_bundle)
    bundle = bundle_ask(actor=Actor.of(committed_cast.max), key=uuid4())
    assert again_now(bundle).state == State.FAILED
    assert "manage.py ledger_export" in Job.objects.get(pk=bundle.pk).last_error and len(written) < 1_100


def test_what_fails_is_tried_three_times_and_then_says_what_to_do(
    committed_cast: Cast, told: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    def breaks(_doing: Doing) -> None:
        raise RuntimeError("the disk is full\nDETAIL: Lin, 12 Elm Street")

    with kind("trial", breaks):
        job = a_job()
        job_do(job_id=job.pk)
        job.refresh_from_db()
        assert (job.state, job.attempts) == (State.WAITING, 1) and job.not_before and job.not_before > timezone.now()
        job_do(job_id=job.pk)
        assert Job.objects.get().attempts == 1, "it rests"
        assert again_now(job).state == State.WAITING and again_now(job).state == State.FAILED
        assert job.attempts == 3 and "the disk is full" in job.last_error and "ask again" in job.last_error
        assert "Elm Street" not in job.last_error and "Elm Street" in caplog.text
        job_again(job_id=job.pk, actor=Actor.of(committed_cast.max))
        assert [again_now(job).state for _try in range(3)] == [State.WAITING, State.WAITING, State.FAILED]


@pytest.mark.parametrize(("error", "attempts"), [(Busy("busy", "Others are at it."), 6), (Refusal("no", "Never."), 1)])
def test_who_is_busy_is_asked_longer_and_a_refusal_is_final(
    committed_cast: Cast, told: list[Any], error: Refusal, attempts: int
) -> None:
    def refuses(_doing: Doing) -> None:
        raise error

    with kind("trial", refuses):
        job = a_job()
        states = [again_now(job).state for _try in range(attempts)]
    assert states == [State.WAITING] * (attempts - 1) + [State.FAILED]
    assert job.last_error == error.message


def test_tries_that_found_others_at_work_leave_those_for_a_dying_worker(
    committed_cast: Cast, told: list[Any], superuser: psycopg.Connection
) -> None:
    def refuses(_doing: Doing) -> None:
        raise Busy("busy", "Others are at it.")

    with kind("trial", refuses):
        job = a_job()
        assert [again_now(job).state for _try in range(5)] == [State.WAITING] * 5
        superuser.execute("UPDATE tables_job SET state = 'running', attempts = 6, not_before = NULL")
        assert again_now(job).state == State.FAILED and job.last_error == "Others are at it.", (
            "and not for want of memory"
        )
        job_again(job_id=job.pk, actor=Actor.of(committed_cast.max))
        assert again_now(job).state == State.WAITING, "it begins to count anew"


def test_what_hangs_is_stopped_after_two_hours_and_says_so(committed_cast: Cast, told: list[Any]) -> None:
    def hangs(doing: Doing) -> None:
        doing.step("Dealing")
        raise SoftTimeLimitExceeded

    assert do_job.soft_time_limit == 2 * 60 * 60 < do_job.time_limit
    with kind("trial", hangs):
        job = again_now(a_job())
        assert job.state == State.FAILED and job.attempts == 1 and "more than 2 hours" in job.last_error
        job_again(job_id=job.pk, actor=Actor.of(committed_cast.max))
        Job.objects.update(state=State.WAITING, not_before=None)

        def hangs_left(_doing: Doing) -> None:
            Job.objects.update(cancel_asked_at=timezone.now())
            raise SoftTimeLimitExceeded

    with kind("trial", hangs_left):
        assert again_now(job).state == State.CANCELLED, "somebody had asked for that"


def test_what_kills_its_worker_again_and_again_is_given_up(
    committed_cast: Cast, told: list[Any], superuser: psycopg.Connection
) -> None:
    job = a_job()
    for attempt in (1, 2, 3):
        superuser.execute("UPDATE tables_job SET state = 'running', attempts = %s", [attempt])
        assert jobs_take_up() == [job.pk], "nobody holds its lock"
    job_do(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == State.FAILED and "attempt 3" in job.last_error and "memory" in job.last_error


def test_a_worker_that_lost_its_lock_writes_nothing_more(
    committed_cast: Cast, told: list[Any], slow: Slow, superuser: psycopg.Connection
) -> None:
    """A network that broke, or a host that slept: the database has let go of the lock and somebody else has taken the job."""
    job = a_job()
    lagging = Worker(job)
    assert slow.reached.wait(20)
    superuser.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database = "
        "(SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    while jobs_held():
        pass
    slow.reached.clear()
    other = Worker(job)
    assert slow.reached.wait(20)
    slow.go_on.set()
    lagging.join()
    other.join()
    job.refresh_from_db()
    assert (job.state, job.attempts, KeptFile.objects.count()) == (State.DONE, 2, 1)


def test_a_broker_that_is_down_loses_nothing_and_refuses_no_press(
    committed_cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    job = ask_for(committed_cast.cleo)
    assert job.state == State.WAITING and "broker was not told" in caplog.text
    assert jobs_take_up() == [], "it is down still"
    told: list[Any] = []
    monkeypatch.setattr(jobs, "_send", lambda job_id, **_after: told.append(job_id) or True)
    assert jobs_take_up() == told == [job.pk]


def test_what_the_broker_has_lost_is_told_again_ever_more_seldom(
    committed_cast: Cast, told: list[Any], superuser: psycopg.Connection
) -> None:
    job = a_job()
    for asked, sent, is_told in (
        (30, 30, False),
        (70, 70, True),
        (300, 100, False),
        (300, 160, True),
        (604_800, 599, False),
        (604_800, 601, True),
    ):
        superuser.execute(
            "UPDATE tables_job SET asked_at = now() - make_interval(secs => %s), sent_at = now() - make_interval(secs => %s)",
            [asked, sent],
        )
        assert jobs_take_up() == ([job.pk] if is_told else []), (asked, sent)


class Killed(BaseException):
    """The end of a worker, for whom nothing more is written."""


def die_at_the_paper(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do the job as far as its number."""

    def dies(*_args: Any) -> bytes:
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(job_reports, "set_in_type", dies)
        job_do(job_id=job.pk)
    job.refresh_from_db()
    assert "Room One" in job.once["paper"]


def test_a_paper_that_died_half_way_keeps_its_number(
    committed_cast: Cast, told: list[Any], monkeypatch: pytest.MonkeyPatch, superuser: psycopg.Connection
) -> None:
    """The number is taken with what stands on the paper, so that the second run sets the same paper."""
    job = ask_for(committed_cast.cleo, form="pdf-a4", day="2026-02-03")
    die_at_the_paper(job, monkeypatch)
    assert job.state == State.RUNNING and jobs_take_up() == [job.pk] and ReportPrinting.objects.count() == 1
    job_do(job_id=job.pk)
    printing, kept = ReportPrinting.objects.get(), KeptFile.objects.get()
    text = text_of_pdf(bytes(kept.content))[1]
    assert (printing.paper, printing.printed_by) == ("a4", committed_cast.cleo)
    assert printing.number in text and "REPRINT" not in text
    assert ask_for(committed_cast.cleo, form="pdf-a4", day="2026-02-03").pk == job.pk
    assert Job.objects.get().once == {}, "what stands on the paper is kept in the file alone"


@pytest.mark.parametrize("end", ["cancelled at its step", "cancelled while nobody does it", "failed"])
def test_a_paper_that_is_given_up_leaves_no_figures_and_has_a_new_number_when_asked_again(
    committed_cast: Cast, told: list[Any], monkeypatch: pytest.MonkeyPatch, superuser: psycopg.Connection, end: str
) -> None:
    actor = Actor.of(committed_cast.cleo)
    job = ask_for(committed_cast.cleo, form="pdf-a4", day="2026-02-03")
    die_at_the_paper(job, monkeypatch)
    if end == "failed":
        superuser.execute("UPDATE tables_job SET attempts = attempts_until")
    elif end == "cancelled at its step":
        superuser.execute("UPDATE tables_job SET cancel_asked_at = now()")
    else:
        job_cancel(job_id=job.pk, actor=actor)
    job_do(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.once) == (end.split()[0], {}) and not KeptFile.objects.exists()
    job_again(job_id=job.pk, actor=actor)
    job_do(job_id=job.pk)
    first, again = ReportPrinting.objects.order_by("ordinal")
    text = text_of_pdf(bytes(KeptFile.objects.get().content))[1]
    assert again.again == first and f"REPRINT of {first.number}" in text and again.number in text


def test_what_a_person_may_no_longer_read_is_not_made_for_them(committed_cast: Cast, told: list[Any]) -> None:
    job = ask_for(committed_cast.cleo)
    User.objects.filter(pk=committed_cast.cleo.pk).update(roles=[Role.DEALER])
    job_do(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == State.FAILED and "read reports" in job.last_error and not KeptFile.objects.exists()


def test_facts_of_a_job_stay_and_no_job_goes(committed_cast: Cast, told: list[Any], connect: Any) -> None:
    job = ask_for(committed_cast.cleo)
    job_do(job_id=job.pk)
    owner = connect("owner")
    for statement in (
        "DELETE FROM tables_job",
        "UPDATE tables_job SET key = 'another'",
        "UPDATE tables_job SET state = 'waiting', ended_at = NULL",
    ):
        with pytest.raises(psycopg.errors.RaiseException):
            owner.execute(statement)
        owner.rollback()
    with pytest.raises(DatabaseError), transaction.atomic():
        KeptFile.objects.create(
            job=job,
            name="x",
            title="x",
            content_type="text/plain",
            sha256=b"0" * 32,
            size=1,
            content=b"x",
            made_at=job.asked_at,
        )


@pytest.mark.slow  # counting every byte takes several times as long as what is counted
def test_a_hundred_thousand_rows_take_the_memory_of_the_file_they_become(
    committed_cast: Cast, told: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows go to the disk as they are read. The file is whole in memory once as it is, and once more on its way out."""
    monkeypatch.setitem(REPORTS, "long", long_report(100_000))
    job = ask_for(committed_cast.cleo, report="long", day="2026-02-03")
    tracemalloc.start()
    try:
        job_do(job_id=job.pk)
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    kept = KeptFile.objects.get()
    assert kept.size > 4_000_000 and peak < 2 * kept.size + FLAT_BYTES, (kept.size, peak)
