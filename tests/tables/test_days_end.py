"""The end of a gaming day: sealed, checked, settled again and archived, each once, whatever dies or is done twice."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from django.utils import timezone

from casino.staff.actor import Actor
from ledger.bundles import bundle_export
from ledger.models import Seal, Transaction
from ledger.verifier import check_file
from tables.audit.reports import pdf
from tables.jobs import reports as job_reports
from tables.models import DayEnd, DayEndPaper, Job, KeptFile, Mail, ReplayRun, ReportPrinting, Room
from tables.selectors.day_ends import chosen_reports, papers_of, sealed_light
from tables.selectors.reports import REPORTS
from tables.services.day_ends import MOST_AT_ONCE, day_end_check, day_end_replay, day_end_seal, day_ends_ask
from tables.services.doing import Doing, Superseded
from tables.services.jobs import job_again, job_ask, job_do
from tables.services.room_jobs import bundle_ask, bundle_scope
from tests.ledger.together import together
from tests.people import Cast
from tests.tables import play
from tests.tables.ending_days import ADDRESS, a_day_played, ask_tomorrow, one_day_end
from tests.tables.reports.day import at

CHOSEN = ["gaming-day", "trial-balance"]
SUMMED_UP = ["day-end", *CHOSEN]


def reports_of(day_end: DayEnd) -> list[str]:
    return [paper.report for paper in papers_of(day_end)]


def there_is_one_of_each(day_end: DayEnd) -> None:
    """Whatever happened on the way: one seal, one replay, one archive with one number a report, one mail."""
    day_end.refresh_from_db()
    assert Job.objects.get().state == Job.State.DONE
    assert list(Seal.objects.values_list("label", flat=True)) == [f"one {day_end.gaming_date}"]
    assert day_end.seal == Seal.objects.get()
    assert (ReplayRun.objects.get(), day_end.differences) == (day_end.replay, 0)
    assert day_end.checks and not any(check["found"] for check in day_end.checks)
    assert reports_of(day_end) == SUMMED_UP
    printed = ReportPrinting.objects.order_by("ordinal").values_list("number", "report")
    assert list(printed) == [("R-0001", "gaming-day"), ("R-0002", "trial-balance"), ("R-0003", "day-end")]
    assert KeptFile.objects.count() == len(SUMMED_UP)
    assert Mail.objects.get().day_end == day_end


class TestADayThatIsOver:
    def test_is_sealed_checked_settled_again_and_archived_once_though_the_worker_died_at_every_step(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Died(BaseException):
            """As from SIGKILL: nobody catches it."""

        step, deaths = Doing.step, Counter[str]()

        def dies_once(doing: Doing, text: str, *how_far: int) -> None:
            step(doing, text, *how_far)
            if not deaths[text]:
                deaths[text] += 1
                raise Died

        a_day_played(committed_cast, *CHOSEN)
        (asked,) = ask_tomorrow()
        monkeypatch.setattr(Doing, "step", dies_once)
        while not Job.objects.filter(state=Job.State.DONE).exists():
            if Job.objects.get().state == Job.State.FAILED:
                job_again(job_id=asked.job_id, actor=Actor.of(committed_cast.max))
            try:
                job_do(job_id=asked.job_id)
            except Died:
                assert Mail.objects.count() == 0
        assert sum(deaths.values()) == 4 + len(SUMMED_UP)
        there_is_one_of_each(asked)
        self.is_right(asked)

    def is_right(self, ended: DayEnd) -> None:
        """The figures of the two hands, what is sealed, and the files."""
        assert (ended.hands, ended.taken_cents, ended.waived_cents, ended.back_cents) == (2, 1_200, 0, 0)
        assert (ended.kept_cents, ended.open_exceptions, ended.open_disputes) == (1_200, 0, 0)
        assert ended.replay and ended.replay.hands == 2
        assert Seal.objects.get().transactions == Transaction.objects.count()
        assert not ReportPrinting.objects.exclude(printed_by=None).exists(), "the timetable's"
        for file in KeptFile.objects.all():
            content = bytes(file.content)
            assert content.startswith(b"%PDF") and hashlib.sha256(content).digest() == bytes(file.sha256)
        mail = Mail.objects.get()
        assert mail.to == [ADDRESS] and "Collections kept: $12" in mail.text
        assert "Lin" not in mail.text and "Park" not in mail.text, "nobody's name leaves the house by mail"

    def test_has_one_of_each_though_everything_is_done_at_once(self, committed_cast: Cast) -> None:
        a_day_played(committed_cast, *CHOSEN)
        asked = together([ask_tomorrow] * 3)
        (asked_for,) = {end for each in asked for end in each}
        assert together([lambda: job_do(job_id=asked_for.job_id)] * 3) == [None] * 3
        there_is_one_of_each(asked_for)
        job_do(job_id=asked_for.job_id)
        there_is_one_of_each(asked_for)

    def test_is_archived_with_what_a_check_found(self, committed_cast: Cast, superuser: psycopg.Connection) -> None:
        a_day_played(committed_cast)
        superuser.execute("UPDATE ledger_balance SET balance_cents = balance_cents + 1 WHERE balance_cents > 0")
        superuser.execute("UPDATE tables_hand SET number = number + 1")
        ended = one_day_end(committed_cast)
        failed = {check["name"]: check for check in ended.checks or [] if check["found"]}
        assert {"balances-equal-entries", "hands-numbered"} <= set(failed)
        assert "numbered 2" in failed["hands-numbered"]["first"][0]
        assert ended.ended_at is not None and reports_of(ended) == ["day-end"]
        assert f"{len(failed)} of {len(ended.checks or [])} failed" in Mail.objects.get().text

    def test_keeps_as_csv_without_a_number_what_is_too_long_for_paper(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        a_day_played(committed_cast, "gaming-day")
        monkeypatch.setattr(pdf, "MOST_ROWS", 20)
        (asked,) = ask_tomorrow()
        job_do(job_id=asked.job_id)
        paper = DayEndPaper.objects.get(report="gaming-day")
        assert paper.printing is None and paper.file.name.endswith(".csv")
        assert "Hands dealt" in bytes(paper.file.content).decode()

    def test_waits_for_no_number_while_its_pages_are_set_and_one_that_died_there_keeps_its_own(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch, connect: Callable[[str], psycopg.Connection]
    ) -> None:
        class Died(BaseException):
            """As from SIGKILL."""

        def sets_no_page(*_page: object) -> bytes:
            other = connect("app")
            other.execute("SELECT FROM tables_numberseries FOR NO KEY UPDATE NOWAIT")
            other.rollback()
            raise Died

        a_day_played(committed_cast)
        (asked,) = ask_tomorrow()
        with monkeypatch.context() as patch, pytest.raises(Died):
            patch.setattr(job_reports, "set_in_type", sets_no_page)
            job_do(job_id=asked.job_id)
        assert ReportPrinting.objects.get().number == "R-0001" and not DayEndPaper.objects.exists()
        job_do(job_id=asked.job_id)
        assert DayEndPaper.objects.get().printing == ReportPrinting.objects.get()

    def test_takes_the_checks_that_another_day_s_end_has_run_since_it_was_sealed(self, committed_cast: Cast) -> None:
        cast = committed_cast
        first, second, third = (self.a_day_end(cast, day) for day in (1, 2, 3))
        for each in (first, second, third):
            day_end_seal(day_end=each, now=datetime(2026, 3, 4, 15, tzinfo=UTC))
        said: list[int] = []
        for each in (first, second):
            day_end_check(day_end=each, say=lambda number, _all: said.append(number))
        assert said.count(0) == 1 and (first.checks, first.checked_at) == (second.checks, second.checked_at)
        third.seal.made_at = timezone.now() + timedelta(minutes=1)
        day_end_check(day_end=third, say=lambda number, _all: said.append(number))
        assert said.count(0) == 2, "what was begun before the seal says nothing of what it covers"

    def test_asks_for_no_second_replay_where_another_attempt_has_asked(self, cast: Cast) -> None:
        lagging = self.a_day_end(cast, 1)
        day_end_replay(day_end=DayEnd.objects.get(pk=lagging.pk), say=lambda _done, _all: None)
        with pytest.raises(Superseded):
            day_end_replay(day_end=lagging, say=lambda _done, _all: None)
        assert ReplayRun.objects.count() == 1

    def a_day_end(self, cast: Cast, day: int) -> DayEnd:
        job = job_ask(kind="day-end", key=str(day), asked={"day": f"2026-03-0{day}"}, room=cast.room)
        return DayEnd.objects.create(room=cast.room, gaming_date=date(2026, 3, day), job=job)

    def test_that_was_over_while_nothing_ran_is_closed_by_the_one_seal_made_then(
        self, committed_cast: Cast, tmp_path: Path
    ) -> None:
        """Whoever comes first, the timetable of the seals or a job for any of the days: every archive names what covers it."""
        cast, now = committed_cast, datetime(2026, 3, 4, 15, tzinfo=UTC)
        first, second, third = (self.a_day_end(cast, day) for day in (1, 2, 3))
        play.open_chinese(cast)
        for each, later in ((second, 0), (third, 0), (first, 1)):
            day_end_seal(day_end=each, now=now + timedelta(days=later))
        seal = Seal.objects.get()
        assert seal.label == "one 2026-03-03" and seal.lines
        assert [sealed_light(each).words for each in (first, second, third)] == [
            "Seal 1, of 2026-03-03",
            "Seal 1, of 2026-03-03",
            "Seal 1",
        ]
        job = bundle_ask(actor=Actor.of(cast.max), key=uuid4(), room=cast.room, day=date(2026, 3, 1))
        with (tmp_path / "day.jsonl").open("wb") as file:
            assert bundle_export(scope=bundle_scope(job), write=file.write)["lines"] == seal.lines
        assert "the gaming day one 2026-03-03" in check_file(tmp_path / "day.jsonl")


class TestWhatIsAskedFor:
    """Room One rolls over at six in Los Angeles."""

    @pytest.fixture
    def room(self, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Room:
        """It was first played in on the first of March."""
        with at(monkeypatch, datetime(2026, 3, 1, 20, tzinfo=UTC)):
            play.open_chinese(cast)
        return cast.room

    def asked_at(self, *instants: str) -> list[date]:
        """What every run of the job at these instants asked for."""
        return [end.gaming_date for each in instants for end in day_ends_ask(now=datetime.fromisoformat(each))]

    def test_is_each_day_once_when_it_is_over_by_the_room_s_clock(self, room: Room) -> None:
        """Also where the clock is changed in between: the short day and the long day end when the next begins."""
        assert self.asked_at("2026-03-07T13:59:00Z") == [date(2026, 3, 5)]
        assert self.asked_at("2026-03-07T14:00:00Z", "2026-03-07T14:05:00Z") == [date(2026, 3, 6)]
        assert self.asked_at("2026-03-08T12:59:00Z") == []
        assert self.asked_at("2026-03-08T13:00:00Z") == [date(2026, 3, 7)]
        assert self.asked_at("2026-03-09T13:00:00Z") == [date(2026, 3, 8)]

    def test_is_a_day_that_ends_in_an_hour_that_comes_twice_once(self, room: Room) -> None:
        Room.objects.update(day_starts_at=time(1, 30))
        half_hours = [f"2026-11-01T{hour:02}:{minute}:00Z" for hour in range(7, 12) for minute in ("00", "30")]
        assert self.asked_at(*half_hours) == [date(2026, 10, 30), date(2026, 10, 31)]

    def test_of_days_on_which_nothing_ran_is_each_later_the_oldest_first_and_not_all_at_once(self, room: Room) -> None:
        assert self.asked_at("2026-03-07T15:00:00Z") == [date(2026, 3, 6)]
        first = self.asked_at("2026-03-20T15:00:00Z")
        assert first == [date(2026, 3, 7) + timedelta(days=more) for more in range(MOST_AT_ONCE)]
        assert self.asked_at("2026-03-20T15:05:00Z", "2026-03-20T15:10:00Z") == [
            date(2026, 3, day) for day in range(14, 20)
        ]

    def test_is_nothing_in_a_room_that_was_not_played_in_yet(self, room: Room) -> None:
        Room.objects.create(slug="rome", name="Rome", time_zone="Europe/Rome", day_starts_at=time(6))
        assert self.asked_at("2026-03-02T13:59:00Z") == []
        assert self.asked_at("2026-03-02T14:00:00Z") == [date(2026, 3, 1)]

    def test_leaves_out_a_report_that_there_is_no_more(self, room: Room) -> None:
        room.day_end_reports = ["gone", "gaming-day", "patron-statement"]
        assert [report.slug for report in chosen_reports(room, REPORTS.values())] == ["gaming-day"]
