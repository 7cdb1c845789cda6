"""What an operator watches of the tables and their tablets. Rooms are not told apart: those who run the machines serve all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Min
from django.utils import timezone

from casino.metrics import Gauge, instant
from casino.staff.models import Device
from tables.models import Hand, Job, Table, TableException, TableSession
from tables.selectors.tile_alerts import DeviceReport, tablets_said


def watched() -> Iterator[Gauge]:
    """Sessions, hands, tablets, what waits for a decision, and what waits for a worker."""
    sessions = TableSession.objects.filter(closed_at__isnull=True).values_list("table_id", "opened_at")
    opened: dict[UUID | None, datetime] = dict(sessions)
    yield Gauge("sessions_open", "Table sessions that are open.", len(opened))
    yield Gauge("hands_out", "Hands that are out.", Hand.objects.filter(status=Hand.Status.OUT).count())
    yield from _of_the_tablets(opened)
    undecided = TableException.objects.filter(decision__isnull=True).order_by("raised_at")
    yield Gauge("exceptions_open", "Exceptions that nobody has decided on.", undecided.count())
    oldest = undecided.values_list("raised_at", flat=True).first()
    yield from instant("oldest_exception", "When the oldest exception was raised that nobody has decided on.", oldest)
    yield from _of_the_jobs()


def _of_the_jobs() -> Iterator[Gauge]:
    counted = dict(Job.objects.exclude(state=Job.State.DONE).values_list("state").annotate(number=Count("pk")))
    for state in (Job.State.WAITING, Job.State.RUNNING, Job.State.FAILED):
        yield Gauge("jobs", "Jobs by their state.", counted.get(state, 0), {"state": state})
    waiting = Job.objects.filter(state=Job.State.WAITING).aggregate(oldest=Min("asked_at"))
    yield from instant("oldest_waiting_job", "When the job was asked for that has waited longest.", waiting["oldest"])


def _of_the_tablets(opened: dict[UUID | None, datetime]) -> Iterator[Gauge]:
    """As the floor sees them, in numbers: silent is a table with a session on none of whose tablets anything moves."""
    enrolled = Device.objects.filter(retired_at__isnull=True, place__in=Table.objects.values("pk"))
    reports: dict[UUID | None, list[DeviceReport]] = defaultdict(list)
    for device in enrolled.only("place", "last_seen_at", "unsent_count", "oldest_unsent_at"):
        report = DeviceReport(device.last_seen_at, device.unsent_count, device.oldest_unsent_at)
        reports[device.place].append(report)
    now = timezone.now()
    silent = [place for place, said in reports.items() if tablets_said(said, opened.get(place), now).silent_since]
    tablets = [report for each in reports.values() for report in each]
    yield Gauge("tablets_enrolled", "Tablets of tables that are enrolled.", len(tablets))
    yield Gauge("tables_silent", "Tables with a session open from which no tablet is heard.", len(silent))
    yield Gauge(
        "presses_unsent", "Presses that tablets last said they hold unsent.", sum(each.unsent_count for each in tablets)
    )
    oldest = min((each.oldest_unsent_at for each in tablets if each.oldest_unsent_at), default=None)
    yield from instant("oldest_unsent_press", "When the oldest of them was pressed.", oldest)
