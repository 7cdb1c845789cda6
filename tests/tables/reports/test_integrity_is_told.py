"""The integrity report says that the ledger holds where it does, and plainly that it does not where the superuser altered it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

import psycopg
import pytest
from django.conf import settings
from django.utils import timezone

from casino.staff.models import User
from ledger.models import Seal, Transaction
from tables.models import DayEnd, Job, ReplayPart, ReplayRun, Room
from tests.tables.reports.reading import Made, Plain, made
from tests.tables.sealed_night import SealedNight, rows_kept
from tests.tables.test_tampering import CASES

HOLDS, NOT = "holds", "DOES NOT HOLD"


@pytest.fixture(autouse=True)
def _house_keeps_its_seal(sealed_night: SealedNight, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside its keys, outside the database."""
    monkeypatch.setattr(settings, "LEDGER_KEYS", sealed_night.keys)


@pytest.fixture
def spoiled(sealed_night: SealedNight, superuser: psycopg.Connection) -> Iterator[psycopg.Connection]:
    """The superuser's connection; what was done by it is undone after."""
    with rows_kept(superuser):
        yield superuser


def integrity() -> Made:
    """The report of the night's gaming day, made some minutes later by Cleo."""
    room = Room.objects.get(slug="one")
    cleo = User.objects.get(badge_number="3001")
    written = (
        Transaction.objects.order_by("recorded_at").values_list("recorded_at", flat=True).first() or timezone.now()
    )
    now = timezone.now() + timedelta(minutes=10)
    return made(cleo, "integrity", now=now, day=room.gaming_day(written).isoformat())


def summary(report: Made) -> dict[Plain, tuple[Plain, Plain]]:
    return {what: (number, says) for what, number, says in report.tables()["summary"]}


def test_a_sealed_night_holds(sealed_night: SealedNight) -> None:
    report = integrity()
    figures, tables = summary(report), report.tables()
    assert figures["Faults found while this was made"] == (0, "all that was verified holds")
    assert figures["Of these under no seal so far"] == (0, None)
    assert figures["Seals verified"][0] == 3
    assert figures["Numbers missing"] == (0, HOLDS)
    assert figures["Seal kept outside the database"] == (3, "is among the seals here")
    assert tables["faults"] == []
    last = Transaction.objects.filter(book=sealed_night.names["book"]).latest("sequence")
    table, name, first, number, count, missing, _entries, head, sealed, result = tables["books"][0]
    assert (table, name, first, number, count) == (
        "T7",
        sealed_night.names["book_name"],
        1,
        last.sequence,
        last.sequence,
    )
    assert (missing, head, sealed, result) == (0, last.digest.hex()[:16], last.sequence, HOLDS)
    assert report.total("books")["transactions"] == Transaction.objects.count()
    assert [row[:3] for row in tables["seals"]] == [
        (1, "asked for", "in between"),
        (2, "end of a gaming day", "one 2026-11-29"),
        (3, "every hour", None),
    ]
    day = Seal.objects.get(number=2)
    assert tables["seals"][1][7:] == (bytes(day.root).hex()[:16], bytes(day.public_key).hex()[:16], HOLDS)
    assert [row[1:] for row in tables["series"] if row[0] == "Hands of T7"] == [(1, 3, 3, 0, HOLDS)]


# Of what test_tampering.py does to the night one of each kind, and whether a book or a seal is said not to hold.
SPOILED = {
    "amount": "books",
    "recorded time": "books",
    "removed from the middle": "books",
    "moved to another book": "books",
    "tail of one book": "books",
    "book with everything but the seals": "books",
    "all transactions": "books",
    "sealed book rewritten": "books",
    "root of a line": "seals",
    "signature of a seal": "seals",
    "middle seal removed": "seals",
    "hand record": "",
    "seals rewritten with another key": "",
    "tail with its seals": "",
}


@pytest.mark.parametrize("name", SPOILED)
def test_what_does_not_hold_is_said_plainly(sealed_night: SealedNight, spoiled: psycopg.Connection, name: str) -> None:
    does: str | Callable[[psycopg.Connection, SealedNight], None] = CASES[name].does
    if isinstance(does, str):
        for statement in does.split(";"):
            assert spoiled.execute(statement, sealed_night.names).rowcount > 0, statement
    else:
        does(spoiled, sealed_night)
    report = integrity()
    number, says = summary(report)["Faults found while this was made"]
    assert isinstance(number, int) and number > 0 and str(says).startswith(NOT), report.tables()["summary"]
    assert len(report.tables()["faults"]) == number
    if section := SPOILED[name]:
        assert NOT in [row[-1] for row in report.tables(without_totals=True)[section]], report.tables()[section]


@pytest.mark.parametrize(
    ("does", "what", "numbers"),
    [
        ("UPDATE tables_tablesession SET hands_dealt = hands_dealt + 1", "Hands of T7", (1, 4, 3, 1, NOT)),
        ("UPDATE tables_hand SET number = number + 10", "Hands of T7", (1, 13, 3, 10, NOT)),
        ("UPDATE tables_numberseries SET next_number = next_number + 2", "Posted sheets", (1, 4, 2, 2, NOT)),
    ],
)
def test_numbers_that_are_missing_at_either_end_are_seen(
    sealed_night: SealedNight, spoiled: psycopg.Connection, does: str, what: str, numbers: tuple[Plain, ...]
) -> None:
    assert spoiled.execute(does).rowcount > 0
    report = integrity()
    series = report.tables()["series"]
    assert [row[1:] for row in series if row[0] == what] == [numbers]
    assert summary(report)["Numbers missing"] == (sum(int(str(row[4])) for row in series), NOT)


def test_checks_and_replays_are_told_as_they_last_ended(sealed_night: SealedNight, spoiled: psycopg.Connection) -> None:
    room, now = Room.objects.get(slug="one"), timezone.now()
    day = room.gaming_day(now)
    run = ReplayRun.objects.create(
        room=room,
        gaming_date=day,
        asked_by="night",
        hands=2,
        hands_out=0,
        hands_void=1,
        hands_of_another_game=0,
        parts=1,
    )
    differs = [{"hand": "1", "name": "T7 hand 1", "lines": ["otherwise"]}]
    ReplayPart.objects.create(run=run, number=1, hand_ids=[], done_at=now, differences=differs, totals={})
    checks = [
        {"name": "zero-sum", "claim": "entries sum to zero", "found": 0, "first": ""},
        {"name": "kind-rules", "claim": "entries are allowed", "found": 2, "first": "entry 9: not allowed"},
    ]
    job = Job.objects.create(kind="day-end", key="one", asked={}, asked_at=now)
    DayEnd.objects.create(room=room, gaming_date=day, job=job, checks=checks, checked_at=now)
    report = integrity()
    tables = report.tables()
    assert summary(report)["Checks of all rows that found something"] == (1, NOT)
    assert summary(report)["Replays in which hands differ"] == (1, NOT)
    assert [row[2:] for row in tables["checks"]] == [
        ("zero-sum", "entries sum to zero", 0, HOLDS),
        ("kind-rules", "entries are allowed", 2, f"{NOT}: entry 9: not allowed"),
    ]
    ((gaming_day, what, _asked, by, rules, hands, left_out, _ended, differ, result),) = tables["replays"]
    assert (gaming_day, what, by, rules) == (day, "the day", "night", "their own rules")
    assert (hands, left_out, differ, result) == (2, 1, 1, NOT)
