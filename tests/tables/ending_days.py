"""Ended gaming days for tests: a day that was played, asked for when it is over, and worked off as a worker does it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from tables.models import DayEnd, DayEndPaper, KeptFile, Mail, Watch
from tables.services.day_ends import day_ends_ask
from tables.services.jobs import job_do
from tests.people import Cast
from tests.tables import play

ADDRESS = "floor@one.example"


def a_day_played(cast: Cast, *reports: str) -> None:
    """One hand at each table of Room One, which wants these reports in its archive and is told by mail."""
    cast.room.mail_to = [ADDRESS]
    cast.room.day_end_reports = list(reports)
    cast.room.save()
    _session, _lin, _park, hand = play.deal_chinese(cast)
    play.settle(cast, hand, play.CHINESE_HANDS)
    *_rest, hand = play.deal_pai_gow(cast)
    play.settle(cast, hand, play.PAI_GOW_HANDS)


def ask_tomorrow() -> Sequence[DayEnd]:
    """What is asked for a day from now, when today is over."""
    return day_ends_ask(now=timezone.now() + timedelta(days=1))


def one_day_end(cast: Cast) -> DayEnd:
    """Today, ended: the summary alone is in its archive, unless the room has chosen more."""
    (asked,) = ask_tomorrow()
    job_do(job_id=asked.job_id)
    return DayEnd.objects.get(pk=asked.pk)


def one_archived_day(file: KeptFile) -> DayEnd:
    """A day's end with one paper, the file of a job, and the mail of a watch, as they would have been left."""
    job, now = file.job, timezone.now()
    day_end = DayEnd.objects.create(room=job.room, gaming_date="2026-11-01", job=job)
    DayEndPaper.objects.create(day_end=day_end, report="gaming-day", file=file)
    seen = {"kind": Watch.Kind.SEAL_MISSING, "subject": "hour", "words": "it is missing"}
    watch = Watch.objects.create(**seen, since=now, raised_at=now)
    told = {"about": Mail.About.RAISED, "to": [ADDRESS], "subject": "a seal", "text": "it is missing"}
    Mail.objects.create(**told, watch=watch, written_at=now, next_try_at=now)
    return day_end
