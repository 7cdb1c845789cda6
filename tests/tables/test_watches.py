"""What the watchdogs see is raised once, told once, ends by itself, and its end is told once, whoever looks how often."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.gaming_day import ONE_DAY, gaming_day_bounds
from casino.staff.actor import Actor
from ledger.models import SealKind
from ledger.seals import seal_make
from tables import tasks
from tables.models import DayEnd, Job, Mail, ReplayPart, ReplayRun, TableSession, Watch
from tables.selectors.day_ends import seal_label
from tables.selectors.needed import needs_deciding
from tables.selectors.watches import _READERS, Seen, seen_now
from tables.services import watches
from tables.services.jobs import job_ask, job_cancel
from tables.services.looked_at import audit_note
from tables.services.sessions import session_close, session_deal_in
from tables.services.sittings import sitting_cash_out
from tables.services.watches import watches_look
from tests.ledger.together import together
from tests.people import Cast, order
from tests.tables import play
from tests.tables.disputed import decide, exception
from tests.tables.ending_days import ADDRESS

Kind = Watch.Kind
Connect = Callable[[str], psycopg.Connection]


def in_minutes(minutes: int) -> datetime:
    return timezone.now() + timedelta(minutes=minutes)


def look(kind: Kind, minutes: int = 0) -> list[str]:
    """What of a kind is raised after the timetable has looked twice, so many minutes from now."""
    for _again in range(2):
        watches_look(now=in_minutes(minutes))
    return list(Watch.objects.filter(kind=kind, ended_at=None).order_by("raised_at").values_list("words", flat=True))


def told(kind: Kind) -> list[str]:
    """Whether each mail about a kind tells that something was raised, or that it is over."""
    return list(Mail.objects.filter(watch__kind=kind).order_by("written_at", "-about").values_list("about", flat=True))


@pytest.fixture
def session(cast: Cast) -> TableSession:
    """Lin and Park sit at T7, Ben deals, and Room One is told by mail."""
    return at_the_table(cast)


def at_the_table(cast: Cast) -> TableSession:
    cast.room.mail_to = [ADDRESS]
    cast.room.save()
    session = play.open_chinese(cast)
    session_deal_in(order(cast.dealer), session_id=session.pk)
    for seat, patron in enumerate(("P1", "P2"), 1):
        play.sit(cast, session, seat, patron, 11_000)
    return session


def leave(cast: Cast, session: TableSession) -> None:
    for sitting in session.sittings.filter(ended_at=None):
        sitting_cash_out(order(cast.dealer), sitting_id=sitting.pk, means="cash")


class TestATable:
    SILENT = "T7 is in play, and nothing was pressed for 15 minutes"

    def test_in_play_without_a_press_is_silent_until_somebody_presses(self, cast: Cast, session: TableSession) -> None:
        assert look(Kind.TABLE_SILENT, 14) == []
        assert look(Kind.TABLE_SILENT, 16) == [self.SILENT]
        assert look(Kind.TABLE_SILENT, 20) == [self.SILENT]
        (row,) = [row for row in needs_deciding(cast.floor) if row.kind == Kind.TABLE_SILENT]
        assert str(row.table) == "T7" and row.raised_by == "" and str(cast.chinese.pk) in row.url
        assert needs_deciding(cast.stranger) == []
        exception(cast, session.pk)
        assert look(Kind.TABLE_SILENT, 14) == []
        assert told(Kind.TABLE_SILENT) == ["raised", "ended"]

    def test_is_silent_as_soon_as_its_room_says(self, cast: Cast, session: TableSession) -> None:
        cast.room.silent_minutes = 60
        cast.room.save()
        assert look(Kind.TABLE_SILENT, 59) == []
        assert len(look(Kind.TABLE_SILENT, 61)) == 1

    def test_that_nobody_plays_at_is_not_silent(self, cast: Cast, session: TableSession) -> None:
        leave(cast, session)
        assert look(Kind.TABLE_SILENT, 600) == []

    def test_that_is_closed_is_not_silent_any_more(self, cast: Cast, session: TableSession) -> None:
        assert look(Kind.TABLE_SILENT, 16) == [self.SILENT]
        leave(cast, session)
        session_close(order(cast.floor), session_id=session.pk)
        assert look(Kind.TABLE_SILENT, 600) == []

    def test_is_looked_at_together_with_all_others(self, cast: Cast, session: TableSession) -> None:
        def queries() -> int:
            with CaptureQueriesContext(connection) as asked:
                for kind in Kind:
                    seen_now(kind, in_minutes(60))
            return len(asked)

        before = queries()
        play.deal_pai_gow(cast)
        exception(cast, session.pk)
        assert queries() == before <= 12


def test_a_decision_that_waits_too_long_is_told_and_shown_once(cast: Cast, session: TableSession) -> None:
    """Floor's pages show what waits anyway: there it is said to be late, and not a second time."""
    waits = exception(cast, session.pk, "Lin dropped a rack")
    assert look(Kind.DECISION_LATE, 19) == []
    assert not any(row.is_late for row in needs_deciding(cast.floor))
    assert look(Kind.DECISION_LATE, 21) == ["T7: Something else"]
    cast.room.decision_minutes = 2
    cast.room.save()
    assert Kind.DECISION_LATE not in [row.kind for row in needs_deciding(cast.floor)]
    assert "Lin" not in "".join(Mail.objects.values_list("text", flat=True)), "names stay in the house"
    decide(cast, waits)
    assert look(Kind.DECISION_LATE, 600) == []
    assert told(Kind.DECISION_LATE) == ["raised", "ended"]


class TestASeal:
    def test_is_missing_when_what_was_recorded_is_an_hour_and_a_half_old(
        self, cast: Cast, session: TableSession
    ) -> None:
        assert look(Kind.SEAL_MISSING, 89) == []
        (words,) = look(Kind.SEAL_MISSING, 91)
        assert words.endswith("UTC is not sealed")
        seal_make(kind=SealKind.HOUR)
        assert look(Kind.SEAL_MISSING, 91) == []
        assert told(Kind.SEAL_MISSING) == ["raised", "ended"], "of no room, so every room is told"

    def test_of_a_gaming_day_is_missing_half_an_hour_after_its_end(self, cast: Cast, session: TableSession) -> None:
        assert seal_make(kind=SealKind.HOUR).transactions
        tomorrow = in_minutes(24 * 60)
        day = cast.room.gaming_day(tomorrow) - ONE_DAY
        words = f"the gaming day {day} has no seal"
        _start, end = gaming_day_bounds(day, time_zone=cast.room.zone, starts_at=cast.room.day_starts_at)
        watches_look(now=end + timedelta(minutes=29))
        assert told(Kind.SEAL_MISSING) == []
        assert look(Kind.SEAL_MISSING, 24 * 60) == [words]
        _start, end = gaming_day_bounds(day + ONE_DAY, time_zone=cast.room.zone, starts_at=cast.room.day_starts_at)
        for minutes in (5, 29, 31, 26 * 60):
            watches_look(now=end + timedelta(minutes=minutes))
            assert told(Kind.SEAL_MISSING) == ["raised"], "neither another day nor its first half hour ends it"
        seal_make(kind=SealKind.GAMING_DAY, label=seal_label(cast.room, day))
        assert look(Kind.SEAL_MISSING, 24 * 60) == []
        assert told(Kind.SEAL_MISSING) == ["raised", "ended"]

    def test_is_not_missing_for_what_was_recorded_while_it_was_made_and_is_for_what_came_too_late_for_it(
        self, cast: Cast, session: TableSession
    ) -> None:
        """The seal's time is when it was asked for; only its lines say what it covers."""
        seal_make(kind=SealKind.HOUR, now=in_minutes(-5))
        assert look(Kind.SEAL_MISSING, 91) == []
        play.sit(cast, session, 3, "P3", 11_000)
        seal_make(kind=SealKind.HOUR, now=in_minutes(1))
        play.sit(cast, session, 4, "P4", 11_000)
        assert len(look(Kind.SEAL_MISSING, 91)) == 1


def test_a_job_of_the_timetable_that_failed_is_told_until_somebody_asks_again(cast: Cast) -> None:
    job = job_ask(kind="day-end", key="x", asked={"day": "2026-11-29"}, room=cast.room)
    ended = {"state": Job.State.FAILED, "last_error": "the key is missing", "ended_at": timezone.now()}
    Job.objects.filter(pk=job.pk).update(**ended)
    (words,) = look(Kind.JOB_FAILED)
    assert words == "End of the gaming day · Room One · 2026-11-29: the key is missing"
    assert [row.words for row in needs_deciding(cast.floor)] == [words]
    Job.objects.filter(pk=job.pk).update(state=Job.State.WAITING, ended_at=None)
    assert look(Kind.JOB_FAILED) == []
    Job.objects.filter(pk=job.pk).update(**ended)
    assert look(Kind.JOB_FAILED) == [words]
    assert job_cancel(job_id=job.pk, actor=Actor.of(cast.max)).state == Job.State.CANCELLED
    assert look(Kind.JOB_FAILED) == [], "put aside"


def test_checks_that_failed_are_told_until_a_later_day_holds(cast: Cast) -> None:
    def ended(day: int, found: int, differences: int) -> DayEnd:
        job = job_ask(kind="day-end", key=str(day), asked={}, room=cast.room)
        checks = [{"name": "zero-sum", "claim": "it is nothing", "found": found, "first": ["a row"][:found]}]
        facts = {"room": cast.room, "gaming_date": f"2026-11-{day}", "job": job}
        return DayEnd.objects.create(**facts, checks=checks, checked_at=timezone.now(), differences=differences)

    cast.room.mail_to = [ADDRESS]
    cast.room.save()
    ended(20, 0, 0)
    assert look(Kind.CHECKS_FAILED) == []
    ended(21, 1, 0)
    assert look(Kind.CHECKS_FAILED) == ["2026-11-21, checks: 1 of 1 failed"]
    ended(22, 1, 0)
    assert look(Kind.CHECKS_FAILED) == ["2026-11-21, checks: 1 of 1 failed"]
    assert told(Kind.CHECKS_FAILED) == ["raised"], "the next morning it is the same, and not over"
    ended(23, 0, 0)
    assert look(Kind.CHECKS_FAILED) == []
    assert told(Kind.CHECKS_FAILED) == ["raised", "ended"]


class TestHandsThatDiffer:
    WORDS = "2026-11-21, hands settled again: 1 of 2 differ"

    @pytest.fixture
    def differs(self, cast: Cast) -> DayEnd:
        """A day on which a hand came out otherwise; the next one holds."""
        cast.room.mail_to = [ADDRESS]
        cast.room.save()
        day_end = self.ended(cast, 21, 1)
        self.ended(cast, 22, 0)
        assert look(Kind.CHECKS_FAILED) == [self.WORDS]
        return day_end

    def replayed(self, cast: Cast, day: int, differences: int) -> ReplayRun:
        at = timezone.now()
        asked = {"room": cast.room, "gaming_date": f"2026-11-{day}", "asked_by": "x", "asked_at": at, "finished_at": at}
        run = ReplayRun.objects.create(**asked, hands=2, parts=1, hands_out=0, hands_void=0, hands_of_another_game=0)
        found = [{"hand": "h", "name": "T7 hand 1", "lines": ["x"]}] * differences
        ReplayPart.objects.create(run=run, number=1, hand_ids=[], differences=found, totals={}, done_at=at)
        return run

    def ended(self, cast: Cast, day: int, differences: int) -> DayEnd:
        run = self.replayed(cast, day, differences)
        job = job_ask(kind="day-end", key=str(day), asked={}, room=cast.room)
        facts = {"room": cast.room, "gaming_date": f"2026-11-{day}", "job": job, "replay": run}
        return DayEnd.objects.create(**facts, checks=[], checked_at=timezone.now(), differences=differences)

    def test_are_told_until_the_day_is_signed_off(self, cast: Cast, differs: DayEnd) -> None:
        audit_note(order(Actor.of(cast.cleo)), kind="sign-off", about="day", key="one 2026-11-21")
        assert look(Kind.CHECKS_FAILED) == [] and told(Kind.CHECKS_FAILED) == ["raised", "ended"]

    def test_are_told_until_they_come_out_as_stored(self, cast: Cast, differs: DayEnd) -> None:
        self.replayed(cast, 22, 0)
        assert look(Kind.CHECKS_FAILED) == [self.WORDS], "of another day"
        self.replayed(cast, 21, 0)
        assert look(Kind.CHECKS_FAILED) == []


def test_what_cannot_be_read_ends_no_watch_and_silences_no_other(
    cast: Cast, session: TableSession, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    exception(cast, session.pk)
    assert look(Kind.TABLE_SILENT, 16) == [TestATable.SILENT]

    def broken(_now: datetime) -> Iterator[Seen]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")
        yield from ()

    monkeypatch.setitem(_READERS, Kind.TABLE_SILENT, broken)
    assert len(look(Kind.DECISION_LATE, 21)) == 1
    assert told(Kind.TABLE_SILENT) == ["raised"] and "division by zero" in caplog.text


def test_the_timetable_looks_and_sends(
    cast: Cast, session: TableSession, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = tmp_path / "mail"

    class Later:
        @staticmethod
        def now() -> datetime:
            return in_minutes(16)

    with monkeypatch.context() as later:
        later.setattr(tasks, "timezone", Later)
        tasks.look_out()
    Mail.objects.update(next_try_at=timezone.now())
    for _again in range(2):
        tasks.send_mails()
    (letter,) = (tmp_path / "mail").iterdir()
    assert "Subject: Room One: Table silent: T7 is in play" in letter.read_text("utf-8")


def test_of_two_who_look_at_once_one_looks(
    committed_cast: Cast, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_the_table(committed_cast)
    holder = connect("app")
    holder.execute("SELECT pg_advisory_xact_lock(hashtextextended('look out', 0))")
    assert look(Kind.TABLE_SILENT, 16) == []
    holder.rollback()
    assert look(Kind.TABLE_SILENT, 16) == [TestATable.SILENT]


class TestTwoWhoLookAtOnce:
    """Each has looked before either raises anything, as if nothing kept them from looking together."""

    @pytest.fixture(autouse=True)
    def without_the_lock(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(watches, "lock_looking_out", lambda: True)

    @pytest.fixture
    def silent(self, committed_cast: Cast) -> None:
        at_the_table(committed_cast)

    def both_look(self, minutes: int) -> list[object]:
        return together([partial(watches_look, now=in_minutes(minutes))] * 4)

    def test_raise_and_end_a_watch_once_and_tell_it_once(self, silent: None, committed_cast: Cast) -> None:
        assert self.both_look(16) == [None] * 4
        assert (Watch.objects.count(), told(Kind.TABLE_SILENT)) == (1, ["raised"])
        exception(committed_cast, TableSession.objects.get().pk)
        assert self.both_look(14) == [None] * 4
        assert told(Kind.TABLE_SILENT) == ["raised", "ended"]

    def test_would_both_raise_it_without_what_the_database_holds(
        self, silent: None, connect: Connect, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The control: no constraint, and everybody adds what they have seen."""

        def add(*, defaults: dict[str, object], **values: object) -> tuple[Watch, bool]:
            return Watch.objects.create(**values, **defaults), True

        with without_the_constraint(connect):
            monkeypatch.setattr(watches.Watch.objects, "get_or_create", add)
            monkeypatch.setattr(watches, "open_watches", Watch.objects.none)
            assert self.both_look(16) == [None] * 4
            assert len(told(Kind.TABLE_SILENT)) == 4


@contextmanager
def without_the_constraint(connect: Connect) -> Iterator[None]:
    """Meanwhile there may be several watches of a kind about one thing."""
    owner = connect("owner")
    owner.autocommit = True
    row = owner.execute("SELECT indexdef FROM pg_indexes WHERE indexname = 'watch_one_at_a_time'").fetchone()
    assert row
    owner.execute("DROP INDEX watch_one_at_a_time")
    try:
        yield
    finally:
        # What was raised twice goes first, past the triggers, so that the index can come back.
        owner.execute("ALTER TABLE tables_mail DISABLE TRIGGER USER")
        owner.execute("ALTER TABLE tables_watch DISABLE TRIGGER USER")
        owner.execute("DELETE FROM tables_mail")
        owner.execute("DELETE FROM tables_watch")
        owner.execute("ALTER TABLE tables_mail ENABLE TRIGGER USER")
        owner.execute("ALTER TABLE tables_watch ENABLE TRIGGER USER")
        owner.execute(row[0])
