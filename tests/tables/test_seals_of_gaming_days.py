"""The timetable's seals: every hour, and every gaming day when it has ended."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import Any

import pytest
from celery.schedules import crontab
from django.conf import settings

from casino.celery import app
from ledger import tasks as ledger_tasks
from ledger.models import Seal, Transaction
from ledger.tasks import seal_hour
from tables import tasks as tables_tasks
from tables.models import Room
from tables.tasks import seal_ended_gaming_days
from tests.ledger.together import together
from tests.people import Cast
from tests.tables.play import open_chinese, sit


def labels() -> list[str]:
    return list(Seal.objects.order_by("number").values_list("label", flat=True))


class Clock:
    """What the jobs take for now."""

    def __init__(self) -> None:
        self.instant = datetime(2026, 11, 30, 13, 0, tzinfo=UTC)

    def now(self, zone: Any = UTC) -> datetime:
        return self.instant.astimezone(zone)

    def set(self, text: str) -> None:
        self.instant = datetime.fromisoformat(text)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(tables_tasks, "timezone", clock)
    monkeypatch.setattr(ledger_tasks, "datetime", clock)
    return clock


class TestGamingDays:
    """Room One rolls over at six in Los Angeles. Room Two is closed for good."""

    @pytest.fixture
    def one_room(self, cast: Cast) -> None:
        Room.objects.exclude(pk=cast.room.pk).delete()
        sit(cast, open_chinese(cast), 1, "P1", 11_000)

    def seal_at(self, clock: Clock, *instants: str) -> list[str]:
        """The labels of all seals after the job has run at these instants."""
        for instant in instants:
            clock.set(instant)
            seal_ended_gaming_days()
        return labels()

    def test_is_sealed_when_the_next_one_begins(self, one_room: None, clock: Clock) -> None:
        # Six in the morning in Los Angeles is two in the afternoon in UTC, in winter.
        assert self.seal_at(clock, "2026-11-30T13:55:00Z") == ["one 2026-11-28"]
        assert self.seal_at(clock, "2026-11-30T14:00:00Z") == ["one 2026-11-28", "one 2026-11-29"]
        assert Seal.objects.get(number=1).transactions == Transaction.objects.count()
        assert {row.kind for row in Seal.objects.all()} == {"gaming-day"}

    def test_moves_with_the_clock_change(self, one_room: None, clock: Clock) -> None:
        assert self.seal_at(clock, "2026-10-31T13:00:00Z", "2026-11-01T13:55:00Z") == ["one 2026-10-30"]
        assert self.seal_at(clock, "2026-11-01T14:00:00Z")[-1] == "one 2026-10-31"
        assert self.seal_at(clock, "2027-03-13T14:00:00Z", "2027-03-14T12:55:00Z")[-1] == "one 2027-03-12"
        assert self.seal_at(clock, "2027-03-14T13:00:00Z")[-1] == "one 2027-03-13"

    def test_that_rolls_over_in_an_hour_that_comes_twice_is_sealed_once(self, one_room: None, clock: Clock) -> None:
        Room.objects.update(day_starts_at=time(1, 30))
        half_hours = [f"2026-11-01T{hour:02}:{minute}:00Z" for hour in range(7, 12) for minute in ("00", "30")]
        assert self.seal_at(clock, *half_hours) == ["one 2026-10-30", "one 2026-10-31"]

    def test_only_the_last_one_is_caught_up(self, one_room: None, clock: Clock) -> None:
        assert self.seal_at(clock, "2026-11-20T15:00:00Z", "2026-11-30T15:00:00Z") == [
            "one 2026-11-19",
            "one 2026-11-29",
        ]

    def test_of_every_room_is_sealed(self, one_room: None, clock: Clock) -> None:
        Room.objects.create(slug="rome", name="Rome", time_zone="Europe/Rome", day_starts_at=time(6))
        assert sorted(self.seal_at(clock, "2026-11-30T06:00:00Z")) == ["one 2026-11-28", "rome 2026-11-29"]

    def test_is_sealed_once_however_often_the_job_runs(self, committed_cast: Cast, clock: Clock) -> None:
        assert together([seal_ended_gaming_days] * 4) == [None] * 4
        made = self.seal_at(clock, "2026-11-30T13:01:00Z", "2026-11-30T13:06:00Z")
        assert sorted(made) == ["one 2026-11-28", "two 2026-11-28"]


class TestHours:
    def test_each_is_sealed_once_under_its_name_in_utc(self, committed_cast: Cast, clock: Clock) -> None:
        session = open_chinese(committed_cast)
        for seat, instant in enumerate(("2026-11-30T05:00:02Z", "2026-11-30T06:00:01Z"), 1):
            clock.set(instant)
            sit(committed_cast, session, seat, f"P{seat}")
            assert together([seal_hour] * 4) == [None] * 4
            sit(committed_cast, session, seat + 2, f"P{seat + 2}")
            seal_hour()
        assert labels() == ["hour 2026-11-30T05", "hour 2026-11-30T06"]

    def test_one_without_news_has_no_seal(self, cast: Cast, clock: Clock) -> None:
        open_chinese(cast)
        for instant in ("2026-11-30T05:00:00Z", "2026-11-30T06:00:00Z"):
            clock.set(instant)
            seal_hour()
        assert labels() == ["hour 2026-11-30T05"]


def test_the_timetable_names_jobs_that_there_are() -> None:
    app.loader.import_default_modules()
    entries = settings.CELERY_BEAT_SCHEDULE.values()
    assert {entry["task"] for entry in entries} <= set(app.tasks)
    times = {entry["task"]: entry["schedule"] for entry in entries}
    assert times["ledger.tasks.seal_hour"] == crontab(minute="0")
    assert times["tables.tasks.seal_ended_gaming_days"] == crontab(minute="*/5")
