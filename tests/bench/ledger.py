"""Verifying a ledger of a million entries and sealing a day of a hundred thousand transactions, beside plain hashing.

Theirs reads rows with a server-side cursor of psycopg, column by column as psycopg gives them to Python, and takes the
SHA-256 of each row's text; it checks nothing.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from psycopg import sql

from ledger.models import SealKind
from ledger.seals import seal_make
from tables.models import Command
from tests.bench import big_ledger
from tests.bench.big_ledger import ENTRIES_OF_A_HAND, TRANSACTIONS_OF_A_HAND, VERB, build_ledger
from tests.bench.database import VAR, databases, drop_database, open_database, start_server
from tests.bench.measuring import Measurement, medians

ROOT = Path(__file__).resolve().parents[2]
ENTRIES = 1_000_000
TRANSACTIONS_OF_A_DAY = 100_000
ROWS_AT_ONCE = 2_000
ROUNDS_OF_A_MILLION = 3

# Verifies the whole ledger in a process of its own and says how long it took, what it found, and the most memory, in
# kilobytes, that the process has held.
VERIFY = """
import json, time, django
django.setup()
from ledger.verification import verify_books
start = time.perf_counter()
found = verify_books()
seconds = time.perf_counter() - start
(peak,) = (line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps([seconds, found.entries, [str(fault) for fault in found.faults[:3]], int(peak)]))
"""


def measure_ledger() -> Iterator[Measurement]:
    """Both measurements; the ledgers are built where there are none."""
    yield verify_vs_hashing()
    yield seal_day()


def verify_vs_hashing() -> Measurement:
    """Everything that `manage.py ledger_verify` checks of a million entries, against hashing the rows that it reads.

    One reading takes so long that chance evens out in it: medians of three, without a first one to warm up.
    """
    hands = -(-ENTRIES // ENTRIES_OF_A_HAND)
    url = start_server().url("app", _built("million", hands, sealed=True))
    peaks = []

    def verify() -> float:
        ran = subprocess.run([sys.executable, "-c", VERIFY], cwd=ROOT, check=True, capture_output=True, text=True)
        seconds, entries, faults, peak_kilobytes = json.loads(ran.stdout)
        if faults or entries < ENTRIES:
            raise RuntimeError(f"{entries} entries, and faults: {faults}")
        peaks.append(peak_kilobytes / 1024)
        return float(seconds)

    tables = ("ledger_transaction", "ledger_entry", "tables_command", "ledger_seal", "ledger_sealline")
    ours, theirs = medians(verify, lambda: _hash_rows(url, *tables), rounds=ROUNDS_OF_A_MILLION, warm_up=False)
    figures = (
        ("most megabytes", max(peaks)),
        ("seconds to hash rows that the server made texts of", _hash_texts(url, *tables)),
    )
    return Measurement("verify-vs-hashing", "seconds", ours, theirs, 3, figures)


def seal_day() -> Measurement:
    """Sealing a day's transactions, key and signature and file included, against hashing their rows twice."""
    hands = -(-TRANSACTIONS_OF_A_DAY // TRANSACTIONS_OF_A_HAND)
    name = _built("day", hands, sealed=False)
    url = start_server().url("app", name)

    def seal() -> float:
        with tempfile.TemporaryDirectory(dir=VAR) as keys:
            settings.LEDGER_KEYS = Path(keys)
            start = time.perf_counter()
            made = seal_make(kind=SealKind.GAMING_DAY, label="2026-11-29")
            seconds = time.perf_counter() - start
        if made.transactions < TRANSACTIONS_OF_A_DAY:
            raise RuntimeError(f"only {made.transactions} transactions were sealed")
        _take_back_seals(name)
        return seconds

    ours, theirs = medians(seal, lambda: _hash_rows(url, *["ledger_transaction"] * 2))
    return Measurement("seal-day", "seconds", ours, theirs, 1)


def _hash_rows(url: str, *tables: str) -> float:
    """Seconds to read the tables from end to end and hash the text of each row."""
    start = time.perf_counter()
    for row in _read(url, sql.SQL("SELECT * FROM {}"), tables):
        hashlib.sha256(str(row).encode()).digest()
    return time.perf_counter() - start


def _hash_texts(url: str, *tables: str) -> float:
    """The same where the server makes one text of each row and Python sees no column: for comparison, it is no goal."""
    start = time.perf_counter()
    for (text,) in _read(url, sql.SQL("SELECT each::text FROM {} each"), tables):
        hashlib.sha256(text.encode()).digest()
    return time.perf_counter() - start


def _read(url: str, query: sql.SQL, tables: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    with psycopg.connect(url) as connection:
        for table in tables:
            with connection.cursor(name="rows") as cursor:
                cursor.itersize = ROWS_AT_ONCE
                cursor.execute(query.format(sql.Identifier(table)))
                yield from cursor


def _take_back_seals(name: str) -> None:
    """Remove all seals, as only the superuser can, so that the same day can be sealed again."""
    with psycopg.connect(start_server().url("superuser", name)) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("TRUNCATE ledger_seal, ledger_sealline")


def _built(kind: str, hands: int, *, sealed: bool) -> str:
    """The name of the database with that many hands, opened; built where it is missing, half-built, or built otherwise."""
    sources = (ROOT / "ledger" / "canonical.py", ROOT / "tables" / "models" / "commands.py", Path(big_ledger.__file__))
    stamp = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]
    name = f"{kind}_{hands}_{stamp}"
    others = [other for other in databases() if other.startswith(f"{kind}_") and other != name]
    for other in others:
        drop_database(other)
    open_database(name)
    if Command.objects.filter(verb=VERB).count() != hands:
        build_ledger(name, hands, sealed=sealed)
    return name
