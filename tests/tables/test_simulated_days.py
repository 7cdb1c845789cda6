"""Invented days: played through the services from end to end, the same for the same seed, and clean under every check."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from casino.staff.models import Role, User
from ledger.models import Transaction
from tables.demo.days import CHINESE, TERMS
from tables.demo.happenings import HAPPENINGS
from tables.models import Command, Hand, HandRecord, Room
from tables.models.erasures import in_clear
from tests.ledger.clean import assert_clean
from tests.tables.replaying import replay

pytestmark = pytest.mark.django_db(transaction=True)

_AN_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_AN_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:[+-]\d\d:\d\d|Z)?")


def simulate(*arguments: str) -> tuple[str, str]:
    """The command as it is typed; what it prints, and its progress."""
    out, progress = io.StringIO(), io.StringIO()
    call_command("simulate", *arguments, stdout=out, stderr=progress)
    return out.getvalue(), progress.getvalue()


def day_of(slug: str) -> list[list[Any]]:
    """A room's day without what no seed decides: ids become the order in which they appear, instants go."""
    return [_without_ids(table) for table in Room.objects.get(slug=slug).tables.order_by("number")]


def _without_ids(table: Any) -> list[Any]:
    commands = Command.objects.filter(table=table).order_by("recorded_at").select_related("actor", "approver")
    commands = commands.prefetch_related("personal_texts")
    records = HandRecord.objects.filter(hand__session__table=table).order_by("hand__started_at", "revision")
    moved = Transaction.objects.filter(book__in=table.sessions.values("book")).order_by("book__opened_at", "sequence")
    lines = [
        *(f"{each.verb} {each.actor} {each.approver} {in_clear(each, each.personal_texts.all())}" for each in commands),
        *(f"{each.text} {each.verdict.text}" for each in records.select_related("verdict")),
        *(f"{each.kind} {[line.amount_cents for line in each.entries.order_by('pk')]}" for each in moved),
    ]
    known: dict[str, str] = {}
    return [
        _AN_ID.sub(lambda found: known.setdefault(found[0], f"id {len(known)}"), _AN_INSTANT.sub("then", line))
        for line in lines
    ]


def assert_replays(slug: str) -> None:
    """Every hand of the room settles again to what is stored and posted."""
    room = Room.objects.get(slug=slug)
    started = Hand.objects.filter(session__table__room=room).values_list("started_at", flat=True)
    for day in {room.gaming_day(instant) for instant in started}:
        status, printed = replay("--day", str(day), "--room", slug, "--here")
        assert status == 0, printed


def test_the_same_seed_gives_the_same_clean_day_on_any_number_of_processes() -> None:
    of_this_size = ("--tables", "4", "--hands", "28")
    printed, progress = simulate("--room", "one-a", *of_this_size, "--workers", "2")
    simulate("--room", "one-b", *of_this_size, "--workers", "1")
    simulate("--room", "other", "--tables", "2", "--hands", "2", "--seed", "2")
    assert day_of("one-a") == day_of("one-b")
    assert day_of("one-a")[0][:30] != day_of("other")[0][:30]
    assert Hand.objects.filter(session__table__room__slug="one-a").count() == 28
    assert "28 hands in" in printed and "100 %" in progress
    assert_clean()
    assert_replays("one-a")


@pytest.mark.slow
def test_everything_that_can_happen_happens_in_a_long_day_and_the_books_are_clean() -> None:
    printed, _progress = simulate("--tables", "4", "--hands", "1600", "--seed", "3")
    happened = next(line for line in printed.splitlines() if line.startswith("Happened: "))
    assert [each.what for each in HAPPENINGS if f" {each.what} " not in happened.replace(",", " ")] == []
    assert_clean()
    assert_replays("demo")


def test_a_day_goes_on_in_the_demo_room_at_tables_of_its_own() -> None:
    call_command("demo_room", stdout=io.StringIO())
    simulate("--tables", "2", "--hands", "4")
    tables = Room.objects.get().tables.order_by("number")
    assert [table.number for table in tables] == [7, 8, 9, 10]
    assert [table.sessions.get().hands_dealt for table in tables] == [25, 25, 2, 2]
    assert_clean()


def test_invented_people_stay_out_of_a_database_with_real_staff() -> None:
    User.objects.create_user("1001", "Somebody Real", roles=[Role.FLOOR])
    with pytest.raises(CommandError, match="no invented person"):
        simulate("--tables", "1", "--hands", "1")
    assert not Room.objects.exists()


def test_a_refusal_that_no_ordinary_day_has_ends_the_run_with_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has a full buy-in here: the table's smallest chip is larger than any amount that people buy."""
    terms = {"rules": "cardroom", "point_value_cents": 500, "chip_denominations": [1_000_000]}
    monkeypatch.setitem(TERMS, CHINESE, [terms])
    with pytest.raises(CommandError, match="could not go on"):
        simulate("--tables", "1", "--hands", "1")
