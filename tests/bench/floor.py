"""How long the floor's page waits for its board, with fifty tables: ten pages and fifty tablets ask for it while people play.

A real server, asked by a process of its own for FLOOR_SECONDS (60), beside play at FLOOR_HANDS hands a second: 1, about twice
what fifty tables deal, or as many as one process plays with 0. Every other pit plays; at the rest a hand is out all the time.
"""

from __future__ import annotations

import http.client
import itertools
import multiprocessing
import os
import statistics
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connections
from django.test import Client, override_settings

from casino.staff.middleware import DEVICE_COOKIE, sign_in
from casino.staff.models import Device
from casino.staff.services import device_enrol
from tables.demo.days import open_day
from tables.demo.people import hire
from tables.demo.room import demo_room
from tables.demo.table import Pit, TableInPlay
from tables.services.floor_map import Place, room_map_arrange
from tests.bench.database import open_database
from tests.bench.measuring import Measurement
from tests.browser.serving import SECRET_KEY, serve

SECONDS = int(os.environ.get("FLOOR_SECONDS", "60"))
HANDS_A_SECOND = float(os.environ.get("FLOOR_HANDS", "1"))
TABLES, PAGES = 50, 10
MAP_WIDTH = 10
WORKERS = 2  # of gunicorn, as `manage.py up` has them
PAGE_EVERY_S, TABLET_EVERY_S = 2.0, 2.5  # floor.js's board, and app.js's state
WARM_UP_HANDS = 3
GOAL_MS = 100


@dataclass(frozen=True)
class Visitor:
    """A page or a tablet: what it asks for, how often, and the cookies it is signed in with."""

    kind: str
    path: str
    every_s: float
    cookies: str


@dataclass(frozen=True)
class Asked:
    """One request: of whom, its milliseconds, and the status; 0 where there was no answer."""

    kind: str
    milliseconds: float
    status: int


def measure_floor() -> Iterator[Measurement]:
    """What a floor's page and a tablet wait for, at the median and for all but one in twenty; and what went wrong."""
    url = open_database("floor", afresh=True)
    room = demo_room("floor")
    staff = hire(room, dealers=TABLES)
    pits = open_day(room, staff, TABLES, seed=1)
    _fill(pits)
    tables = [table for pit in pits for table in pit.tables]
    places = {each.table.pk: Place(n % MAP_WIDTH + 1, n // MAP_WIDTH + 1) for n, each in enumerate(tables)}
    room_map_arrange(actor=staff.on_the_floor, room_id=room.pk, places=places)
    with override_settings(SECRET_KEY=SECRET_KEY):
        visitors = [Visitor("page", "/floor/board/", PAGE_EVERY_S, _web(staff.floor))] * PAGES
        visitors += [Visitor("tablet", "/tablet/state/", TABLET_EVERY_S, _tablet(each)) for each in tables]
    os.environ["WEB_CONCURRENCY"] = str(WORKERS)
    with serve(url) as site:
        asked, hands = _ask_beside_play(site, visitors, [table for pit in pits[::2] for table in pit.tables])
    errors = sum(each.status not in (200, 304) for each in asked)
    for kind in ("page", "tablet"):
        waits = [each.milliseconds for each in asked if each.kind == kind]
        unchanged = sum(each.status == 304 for each in asked if each.kind == kind)
        more = {
            "median ms": statistics.median(waits),
            "longest ms": max(waits),
            "requests": len(waits),
            "unchanged": unchanged,
            "errors of all": errors,
            "hands a second": hands / SECONDS,
        }
        yield Measurement(f"floor-{kind}", f"milliseconds, p95 (goal {GOAL_MS})", _p95(waits), more=tuple(more.items()))
    if errors:
        statuses = sorted(Counter(each.status for each in asked).items())
        raise RuntimeError(f"{errors} of {len(asked)} requests were not answered with 200 or 304: {statuses}")


def _p95(waits: Sequence[float]) -> float:
    return statistics.quantiles(waits, n=20)[-1]


def _fill(pits: Sequence[Pit]) -> None:
    """Everybody sits down and has played for a while; at every other pit the next hand is dealt."""
    for number, pit in enumerate(pits):
        for table in pit.tables:
            for _seat in range(table.full_house):
                table.sit_somewhere()
        for table in pit.tables:
            for _hand in range(WARM_UP_HANDS):
                table.play()
        if number % 2:
            for table in pit.tables:
                table.make_ready()
                table.deal()


def _web(user: object) -> str:
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)  # type: ignore[arg-type]
    return f"{settings.SESSION_COOKIE_NAME}={client.session.session_key}"


def _tablet(table: TableInPlay) -> str:
    """A tablet of the table with its dealer signed in, beside the one that plays."""
    device, token = device_enrol(actor=table.staff.on_the_floor, name=f"Tablet {table.table}", place=table.table.pk)
    client = Client(SERVER_NAME="localhost")
    client.cookies[DEVICE_COOKIE] = token
    dealers = table.staff.dealers
    request = client.get("/healthz").wsgi_request
    request.session = client.session
    sign_in(request, dealers[table.dealer_number % len(dealers)], Device.objects.get(pk=device.pk))
    request.session.save()
    return f"{settings.SESSION_COOKIE_NAME}={request.session.session_key}; {DEVICE_COOKIE}={token}"


def _ask_beside_play(site: str, visitors: Sequence[Visitor], tables: Sequence[TableInPlay]) -> tuple[list[Asked], int]:
    """Play until the visitors, in a process of their own, have done; what they were answered, and the hands played."""
    connections.close_all()
    here, there = multiprocessing.Pipe(duplex=False)
    asking = multiprocessing.get_context("fork").Process(target=_ask_all, args=(site, visitors, there))
    asking.start()
    hands, begun = 0, time.monotonic()
    for table in itertools.cycle(tables):
        next_at = begun + hands / HANDS_A_SECOND if HANDS_A_SECOND else begun
        if here.poll(max(0, next_at - time.monotonic())):
            break
        table.play()
        hands += 1
    asked: list[Asked] = here.recv()
    asking.join()
    return asked, hands


def _ask_all(site: str, visitors: Sequence[Visitor], done: Connection) -> None:
    until = time.monotonic() + SECONDS
    asked: list[Asked] = []
    threads = [
        threading.Thread(target=_ask, args=(site, visitor, number / len(visitors), until, asked))
        for number, visitor in enumerate(visitors)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done.send(asked)


def _ask(site: str, visitor: Visitor, offset: float, until: float, asked: list[Asked]) -> None:
    """Ask again and again as a page does: the next time so long after the last was asked, with the tag of the last answer."""
    address = urlsplit(site).netloc
    tag = ""
    next_at = time.monotonic() + offset * visitor.every_s
    while next_at < until:
        time.sleep(max(0, next_at - time.monotonic()))
        next_at += visitor.every_s
        headers = {"Cookie": visitor.cookies, "X-Unsent": "0", "Accept-Encoding": "gzip"}
        if tag:
            headers["If-None-Match"] = tag
        begun = time.perf_counter()
        connection = http.client.HTTPConnection(address, timeout=30)
        try:
            connection.request("GET", visitor.path, headers=headers)
            response = connection.getresponse()
            response.read()
            status, tag = response.status, response.headers.get("ETag", "")
        except OSError:
            status = 0
        asked.append(Asked(visitor.kind, (time.perf_counter() - begun) * 1000, status))
        connection.close()
