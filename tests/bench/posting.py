"""What it costs to settle a hand: beside the same rows written by hand, and with sixteen clients at once.

Times are on the wall, each up to the commit that has reached the disk.
"""

import gc
import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import psycopg
from django.db import connection, connections, transaction

from tables.services.settling import hand_settle
from tables.services.sittings import sitting_buy_in
from tests.bench.database import open_database
from tests.bench.measuring import Measurement, medians
from tests.bench.play_tables import RICH_CENTS, PlayTable, play_tables
from tests.people import Cast, make_cast, order
from tests.tables import play

HANDS = 40
CLIENTS = 16
HANDS_EACH = 10
WARM_UP = 5
BUY_INS = 80
BUY_INS_EACH = 20

_PATIENCE_SECONDS = 60
_PROCESSES = multiprocessing.get_context("fork")


def measure_posting() -> Iterator[Measurement]:
    """Every measurement of posting, one by one, in a database made for them."""
    url = open_database("posting", afresh=True)
    cast = make_cast()
    tables = play_tables(cast, CLIENTS)
    yield post_vs_bare_psycopg(tables[0], url)
    yield post_scaling(tables)
    yield post_one_table(cast)


def post_vs_bare_psycopg(table: PlayTable, url: str) -> Measurement:
    """Settling a hand of four seats and six payments, against writing the very same rows by psycopg alone.

    Ours is the service ``hand_settle`` from the press to the answer. Theirs writes what the service would have written for
    that hand, found out by letting it and taking it back: the command, seven transactions, twelve entries and the changes of
    hand and session. That is a ready-made statement for each table, in one database transaction, on a connection that
    prepares its statements. It reads nothing, checks nothing and locks nothing. Every trigger and constraint is on for
    both, and both wait for the commit.
    """
    with psycopg.connect(url, autocommit=True) as bare:
        ours, theirs = medians(lambda: _by_service(table), lambda: _by_hand(table, bare))
    return Measurement("post-vs-bare-psycopg", "seconds a hand", ours / HANDS, theirs / HANDS, 3)


def _by_service(table: PlayTable) -> float:
    seconds = 0.0
    for _ in range(HANDS):
        hand, press = table.deal(), order(table.cast.dealer)
        start = time.perf_counter()
        hand_settle(press, hand_id=hand, revision=1)
        seconds += time.perf_counter() - start
    return seconds


def _by_hand(table: PlayTable, bare: psycopg.Connection) -> float:
    seconds = 0.0
    for _ in range(HANDS):
        statements = _settlement_of(table, table.deal())
        start = time.perf_counter()
        with bare.transaction():
            for statement, values in statements:
                bare.execute(statement, values)
        seconds += time.perf_counter() - start
    return seconds


Statement = tuple[bytes, list[Any]]


def _settlement_of(table: PlayTable, hand: UUID) -> list[Statement]:
    """The statements that write what ``hand_settle`` writes for this hand."""
    press = order(table.cast.dealer)
    with _taken_back():
        hand_settle(press, hand_id=hand, revision=1)
        return [
            _insert("tables_command", "key = %s", press.key, "key"),
            _insert("ledger_transaction", "command = %s", press.key, "sequence"),
            _insert(
                "ledger_entry",
                "transaction_id IN (SELECT id FROM ledger_transaction WHERE command = %s)",
                press.key,
                "id",
                without="id",
            ),
            _update("tables_hand", hand, ("status", "final_record_id", "ended_at")),
            _update("tables_tablesession", table.session.pk, ("button_seat",)),
        ]


@contextmanager
def _taken_back() -> Iterator[None]:
    """A database transaction in which services may run as in one of their own, and of which nothing stays."""
    block = transaction.atomic()
    block._from_testcase = True  # how Django's own TestCase lets durable transactions run inside its own
    with block:
        yield
        transaction.set_rollback(True)


def _rows(query: str, value: UUID) -> tuple[list[str], list[tuple[Any, ...]]]:
    with connection.cursor() as cursor:
        cursor.execute(query, [value])
        return [column.name for column in cursor.description], cursor.fetchall()


def _insert(table: str, where: str, value: UUID, by: str, without: str = "") -> Statement:
    columns, rows = _rows(f"SELECT * FROM {table} WHERE {where} ORDER BY {by}", value)
    kept = [place for place, column in enumerate(columns) if column != without]
    names = ", ".join(columns[place] for place in kept)
    places = "(" + ", ".join(["%s"] * len(kept)) + ")"
    statement = f"INSERT INTO {table} ({names}) VALUES {', '.join([places] * len(rows))}"
    return statement.encode(), [row[place] for row in rows for place in kept]


def _update(table: str, key: UUID, columns: tuple[str, ...]) -> Statement:
    _, (row,) = _rows(f"SELECT {', '.join(columns)} FROM {table} WHERE id = %s", key)
    settings = ", ".join(f"{column} = %s" for column in columns)
    return f"UPDATE {table} SET {settings} WHERE id = %s".encode(), [*row, key]


def post_scaling(tables: list[PlayTable]) -> Measurement:
    """A hand dealt, entered and settled by sixteen clients, each at a table of its own, against by one client alone.

    A client is a process with a connection; both figures are the time on the wall over the number of hands.
    """

    def play_hand(client: int) -> None:
        tables[client].settle(tables[client].deal())

    ours, theirs = medians(lambda: _each(CLIENTS, play_hand, HANDS_EACH), lambda: _each(1, play_hand, HANDS))
    return Measurement("post-scaling", "seconds a hand", ours, theirs, 0.65)


def post_one_table(cast: Cast) -> Measurement:
    """A buy-in by one of sixteen clients who all buy in at one table at once, against by one client alone.

    A table has one hand out at a time and its three commands follow each other, so hands cannot wait for each other. Buy-ins
    can, and go through the same lock, book and chain. The time is that on the wall over the number of buy-ins.
    """
    session = play.open_pai_gow(cast)
    sittings = [play.sit(cast, session, seat, f"P{seat}", RICH_CENTS) for seat in (1, 2, 3, 4)]

    def buy_in(client: int) -> None:
        sitting = sittings[client % len(sittings)]
        sitting_buy_in(order(cast.pai_gow_dealer), sitting_id=sitting.pk, amount_cents=10_000)

    ours, theirs = medians(lambda: _each(CLIENTS, buy_in, BUY_INS_EACH), lambda: _each(1, buy_in, BUY_INS))
    return Measurement("post-one-table", "seconds a buy-in", ours, theirs, 1.2)


def _each(clients: int, act: Callable[[int], None], times: int) -> float:
    """Seconds on the wall for each of the acts that so many processes do, each so many times, all starting together.

    Each acts a few times before, as a server does that has been up for a minute: a statement is prepared at its fourth
    time. Raises ``RuntimeError`` when one of them failed.
    """
    connections.close_all()
    gc.freeze()  # or the collector in each process would copy all that it shares with the others
    start = _PROCESSES.Barrier(clients, timeout=_PATIENCE_SECONDS)
    spans = _PROCESSES.SimpleQueue()

    def run(client: int) -> None:
        for _ in range(WARM_UP):
            act(client)
        start.wait()
        began = time.monotonic()
        for _ in range(times):
            act(client)
        spans.put((began, time.monotonic()))

    processes = [_PROCESSES.Process(target=run, args=(client,)) for client in range(clients)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    if any(process.exitcode for process in processes):
        raise RuntimeError("A client failed; it has said why above.")
    began, ended = zip(*(spans.get() for _ in processes), strict=True)
    return (max(ended) - min(began)) / (clients * times)
