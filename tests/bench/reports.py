"""The reports: beside the SQL they need, a hundred thousand rows as CSV, a shift on paper, and a day with ten years behind it.

REPORT_DAYS is how many days the long history has: 3,653, ten years of 824 hands a day, three million in all. It is built once.
"""

from __future__ import annotations

import io
import json
import os
import statistics
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from casino.staff.actor import Actor
from casino.staff.models import Role, User
from tables.models import Hand, ReportPrinting, Room
from tables.selectors.reports import find_report, report_made
from tables.selectors.reports.asking import Asked, ask, asked_of
from tests.bench.database import open_database
from tests.bench.history import LAST_DAY, History
from tests.bench.measuring import ROUNDS, Measurement, medians

ROOT = Path(__file__).resolve().parents[2]
LONG = History(days=int(os.environ.get("REPORT_DAYS", "3653")))
MONTH = History(days=30)
MOVEMENTS = History(days=31, tables=20, hands=1, buy_ins=40)
ROWS = 100_000
# So often is a report made first: by then PostgreSQL has chosen how a connection that stays open reads it.
PREPARED = 10
SHIFT_TABLES, SHIFT_HANDS = 20, 2_000
GOAL_OF_PDF_SECONDS = 2

# What drop boxes took and gave back by session, hour of the clock and dealer, as somebody would write it by hand.
DROPS = """
    SELECT s.id, date_trunc('hour', t.recorded_at, 'America/Los_Angeles'), d.dealer_id, t.kind, sum(e.amount_cents)
    FROM ledger_transaction t
    JOIN tables_tablesession s ON s.book_id = t.book_id
    JOIN tables_table place ON place.id = s.table_id
    JOIN ledger_entry e ON e.transaction_id = t.id AND e.account_id = s.drop_account_id
    LEFT JOIN tables_dealershift d
        ON d.session_id = s.id AND d.started_at <= t.recorded_at AND COALESCE(d.ended_at, 'infinity') > t.recorded_at
    WHERE t.recorded_at >= %s AND t.recorded_at < %s AND t.kind IN ('collection', 'waiver', 'collection-refund', 'reversal')
        AND t.kind <> 'note' AND place.room_id = %s
    GROUP BY 1, 2, 3, 4
"""

# Writes a report as CSV in a process of its own: the first day, which warms up, then all of it. Says how long the whole took, its
# lines and bytes, by how many kilobytes the most memory it held has grown over what it held after the first day, and the most.
CSV = """
import json, sys, time, django
django.setup()
from tables.audit.reports.csv import csv_of
from tables.selectors.reports import find_report, report_made
from tests.bench.reports import asked_for

def held(line):
    return next(int(each.split()[1]) for each in open("/proc/self/status") if each.startswith(line))

def write(days):
    slug, values = "buy-ins", {"day": sys.argv[1], "through": days}
    lines = size = 0
    with report_made(find_report(slug), asked_for(slug, values)) as data:
        response = csv_of(data)
    for chunk in response:
        lines += chunk.count(b"\\n")
        size += len(chunk)
    return lines, size

write(sys.argv[1])
open("/proc/self/clear_refs", "w").write("5")  # the most from here on
before, start = held("VmRSS"), time.perf_counter()
lines, size = write(sys.argv[2])
print(json.dumps([time.perf_counter() - start, lines, size, held("VmHWM") - before, held("VmHWM")]))
"""


def measure_reports() -> Iterator[Measurement]:
    """All four; the houses are built where there are none."""
    yield report_vs_sql()
    yield csv_100k()
    yield pdf_shift()
    yield day_vs_history()


def report_vs_sql() -> Measurement:
    """The collections of a month with every row of its five tables, against the one aggregate over the ledger behind them."""
    MONTH.opened()
    values = {"day": MONTH.first_day.isoformat(), "through": LAST_DAY.isoformat()}
    span = asked_for("collections", values).span
    room = Room.objects.get(slug="one")

    def aggregate() -> float:
        start = time.perf_counter()
        with connection.cursor() as cursor:
            cursor.execute(DROPS, [span.start, span.end, room.pk])
            deque(cursor.fetchall(), maxlen=0)
        return time.perf_counter() - start

    for _ in range(PREPARED):
        _made("collections", values)
    ours, theirs = medians(partial(_made, "collections", values), aggregate)
    return Measurement("report-vs-sql", "seconds", ours, theirs, 3, (("hands", MONTH.hands_in_all),))


def csv_100k() -> Measurement:
    """A month's buy-ins and cash-outs, more than a hundred thousand, streamed."""
    MOVEMENTS.opened()
    ran = subprocess.run(
        [sys.executable, "-c", CSV, MOVEMENTS.first_day.isoformat(), LAST_DAY.isoformat()],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    seconds, lines, size, grown_kilobytes, peak_kilobytes = json.loads(ran.stdout)
    if lines < ROWS:
        raise RuntimeError(f"only {lines} lines were written")
    figures = (
        ("lines", lines),
        ("megabytes written", size / 1e6),
        ("megabytes of memory grown", grown_kilobytes / 1024),
        ("most megabytes", peak_kilobytes / 1024),
    )
    return Measurement("csv-100k", "seconds", seconds, more=figures)


def pdf_shift() -> Measurement:
    """A simulated day's shift on paper, from asking for the page to its last byte; the first, which warms up, is told apart."""
    open_database("shift")
    if not Hand.objects.exists():
        call_command("simulate", room="shift", tables=SHIFT_TABLES, hands=SHIFT_HANDS)
    room = Room.objects.get(slug="shift")
    day = room.gaming_day(Hand.objects.order_by("started_at")[0].started_at)
    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.filter(roles__contains=[Role.MANAGER], rooms__room=room)[0])
    asked = urlencode({"room": room.slug, "day": day.isoformat()})
    address = f"{reverse('audit:report-pdf', args=['shift'])}?{asked}"

    def printed() -> tuple[float, bytes]:
        start = time.perf_counter()
        response = client.post(address, {"paper": ReportPrinting.Paper.LETTER})
        seconds = time.perf_counter() - start
        if response.status_code != 200 or not response.content.startswith(b"%PDF"):
            raise RuntimeError(f"No PDF, but status {response.status_code}")
        return seconds, response.content

    first, paper = printed()
    rounds = [printed() for _ in range(ROUNDS)]
    pages = len(PdfReader(io.BytesIO(paper)).pages)
    figures = (("the first", first), ("pages", pages), ("hands", Hand.objects.count()))
    unit = f"seconds (goal {GOAL_OF_PDF_SECONDS})"
    return Measurement("pdf-shift", unit, statistics.median(seconds for seconds, _ in rounds), more=figures)


def day_vs_history() -> Measurement:
    """The gaming-day report of the last day, with the long history behind it against a month, both read before."""

    def made(house: str) -> float:
        open_database(house)
        for _ in range(PREPARED):
            _made("gaming-day", values)
        return statistics.median(_made("gaming-day", values) for _ in range(ROUNDS))

    values = {"day": LAST_DAY.isoformat()}
    long, month = LONG.opened(), MONTH.opened()
    ours, theirs = medians(partial(made, long), partial(made, month))
    figures = (
        ("hands behind", LONG.hands_in_all),
        ("years", LONG.days / 365.25),
        ("hands of a month", MONTH.hands_in_all),
    )
    return Measurement("report-day-vs-history", "seconds", ours, theirs, 1.2, figures)


def asked_for(slug: str, values: Mapping[str, str]) -> Asked:
    """What Cleo asks a report of a house for."""
    cleo = Actor.of(User.objects.get(badge_number="3001"))
    return asked_of(ask(find_report(slug), cleo, values, timezone.now()))


def _made(slug: str, values: Mapping[str, str]) -> float:
    """Seconds to make a report, from its filters to its last row."""
    start = time.perf_counter()
    with report_made(find_report(slug), asked_for(slug, values)) as data:
        for section in data.sections:
            deque(section.rows, maxlen=0)
    return time.perf_counter() - start
