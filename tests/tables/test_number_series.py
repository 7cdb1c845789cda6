"""Numbers of a room's papers: without gaps and without doubles, whoever asks at once, and given back with what was undone."""

from __future__ import annotations

from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from casino.errors import Conflict, Malformed
from casino.staff.models import Role
from tables.models import NumberSeries, PostedSheet, Room, Table
from tables.rules import get_rule_set
from tables.rules.rulesets import copy_as
from tables.services import numbers
from tables.services.numbers import next_number
from tables.services.rules import rules_add
from tables.services.sessions import session_open, table_add
from tables.services.sheets import sheet_post
from tests.ledger.together import PATIENCE_SECONDS, together
from tests.people import Cast, hire, order
from tests.tables.over_http import on_the_web

SHEETS = NumberSeries.Kind.POSTED_SHEET


def taken(room: Room) -> int:
    """A number, taken in a transaction of its own."""
    with transaction.atomic():
        return next_number(room, SHEETS).ordinal


def test_numbers_count_up_from_one_in_every_room(cast: Cast) -> None:
    assert [next_number(cast.room, SHEETS).text for _each in range(3)] == ["S-0001", "S-0002", "S-0003"]
    assert next_number(cast.other_room, SHEETS) == (1, "S-0001")


def test_a_number_is_given_back_with_what_was_undone(cast: Cast) -> None:
    assert next_number(cast.room, SHEETS).ordinal == 1
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        assert next_number(cast.room, SHEETS).ordinal == 2
        raise ZeroDivisionError
    assert next_number(cast.room, SHEETS).ordinal == 2


def test_two_who_take_numbers_at_once_leave_no_gap_and_no_double(committed_cast: Cast) -> None:
    room = committed_cast.room
    found = together([lambda: [taken(room) for _each in range(10)]] * 2)
    assert sorted(found[0] + found[1]) == list(range(1, 21)), "the first of them, too, when there was no series yet"


def test_without_the_lock_two_take_the_same_number(committed_cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: both read the series before either has written it."""
    room = committed_cast.room
    taken(room)
    barrier = Barrier(2)

    def unlocked(room_id: Any, kind: str) -> NumberSeries:
        series = NumberSeries.objects.get(room=room_id, kind=kind)
        barrier.wait(PATIENCE_SECONDS)
        return series

    monkeypatch.setattr(numbers, "lock_number_series", unlocked)
    found = together([lambda: taken(room)] * 2)
    assert found == [2, 2]


def test_two_tables_opened_at_once_post_one_sheet(committed_cast: Cast) -> None:
    cast = committed_cast
    tables = [table_add(room_id=cast.room.pk, number=number, game="chinese-poker") for number in (31, 32)]

    def opened(table: Table) -> dict[str, Any]:
        return session_open(order(cast.floor), table_id=table.pk, rules="cardroom", point_value_cents=100)

    found = together([partial(opened, table) for table in tables])
    assert [answer["sheet"] for answer in found] == ["S-0001", "S-0001"]
    assert PostedSheet.objects.count() == 1


def test_two_sheets_posted_at_once_have_two_numbers(committed_cast: Cast) -> None:
    cast = committed_cast
    names = ["cardroom", "capitol", "future-western", "future-eastern"]
    found = together([partial(sheet_post, order(cast.floor), room="one", rules=name, reason="new") for name in names])
    assert sorted(answer["sheet"] for answer in found) == ["S-0001", "S-0002", "S-0003", "S-0004"]


def test_a_refused_command_leaves_no_gap(cast: Cast) -> None:
    with pytest.raises(Malformed, match="clock"):
        session_open(
            order(cast.floor), table_id=cast.chinese.pk, rules="cardroom", point_value_cents=100, clock_seconds=9999
        )
    assert not PostedSheet.objects.exists()
    assert sheet_post(order(cast.floor), room="one", rules="cardroom", reason="new")["sheet"] == "S-0001"
    with pytest.raises(Conflict):
        sheet_post(order(cast.floor), room="one", rules="cardroom", reason="again")
    own = copy_as(get_rule_set("cardroom"), "house", {"foul_points": 4}).to_data()
    rules_add(order(cast.floor), rules=own, reason="our own")
    assert sheet_post(order(cast.floor), room="one", rules="house", reason="new")["sheet"] == "S-0002"


@pytest.mark.parametrize(
    "changes",
    [
        "next_number = next_number + 2",
        "next_number = 1",
        "kind = 'other'",
        "room_id = (SELECT id FROM tables_room WHERE slug = 'two')",
    ],
)
def test_the_database_counts_by_one_and_moves_no_series(cast: Cast, changes: str) -> None:
    next_number(cast.room, SHEETS)
    series = NumberSeries.objects.get(room=cast.room)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE tables_numberseries SET {changes} WHERE id = %s", [series.pk])
    with pytest.raises(DatabaseError), transaction.atomic():
        series.delete()


def test_an_admin_chooses_the_prefix_and_never_the_number(cast: Cast) -> None:
    next_number(cast.room, SHEETS)
    series = NumberSeries.objects.get(room=cast.room)
    address = f"/admin/tables/numberseries/{series.pk}/change/"
    admin = on_the_web(hire("9001", "Ona", Role.ADMIN, room=cast.room))
    typed = {"prefix": "SHEET-", "next_number": "40", "room": str(cast.other_room.pk), "reason": "as at the door"}
    assert admin.post(address, typed).status_code == 302
    assert next_number(cast.room, SHEETS) == (2, "SHEET-0002")
    for wrong in ("", "S", "s-", "S 1-", "SEVENSS-"):
        assert admin.post(address, {**typed, "prefix": wrong}).status_code == 200
    assert on_the_web(cast.max).post(address, typed).status_code == 403
    assert next_number(cast.room, SHEETS) == (3, "SHEET-0003")
