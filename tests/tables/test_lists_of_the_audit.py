"""The audit's lists of sessions, stacks and seals: filtered, sorted, page by page and saved; and a statement saved whole."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.staff.models import User
from ledger.models import Seal, SealKind
from ledger.seals import seal_make
from ledger.selectors import account_statement
from tables.models import Sitting, TableSession
from tests.people import Cast
from tests.tables.over_http import on_the_web
from tests.tables.small_day import SmallDay, small_day


@pytest.fixture
def day(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> SmallDay:
    """Two tables of Room One and one of Room Two were open."""
    return small_day(cast, monkeypatch)


def shown(user: User, name: str, **asked: Any) -> list[Any]:
    """The rows that somebody sees."""
    response = on_the_web(user).get(reverse(f"audit:{name}"), asked)
    assert response.status_code == 200
    return list(response.context["list"].rows)


def saved(user: User, name: str, *args: object, **asked: Any) -> list[dict[str, str]]:
    """The rows that somebody saves."""
    response = on_the_web(user).get(reverse(f"audit:{name}", args=args), asked)
    text = b"".join(response).decode().removeprefix("\ufeff")
    return list(csv.DictReader(io.StringIO(text)))


def check_queries(day: SmallDay) -> None:
    for name in ("sessions", "sittings", "seals"):
        counts = set()
        for asked in ({"sort": "-time"}, {"room": "one", "sort": "time"}):
            browser = on_the_web(day.cast.cleo)
            with CaptureQueriesContext(connection) as queries:
                browser.get(reverse(f"audit:{name}"), asked)
            counts.add(len(queries))
        assert len(counts) == 1, name


def test_sessions_are_found_by_room_day_and_table_and_sorted_with_as_many_queries_for_all(day: SmallDay) -> None:
    check_queries(day)
    cast = day.cast
    by_time = list(TableSession.objects.order_by("-opened_at"))
    assert shown(cast.cleo, "sessions") == by_time
    assert shown(cast.cleo, "sessions", sort="time") == by_time[::-1]
    assert [each.table.number for each in shown(cast.cleo, "sessions", sort="table")] == [7, 7, 8]
    assert shown(cast.cleo, "sessions", sort="-hands")[0] == day.session
    assert {each.table.room.slug for each in shown(cast.cleo, "sessions", room="two")} == {"two"}
    assert [each.table.number for each in shown(cast.ada, "sessions", table=8)] == [8]
    assert len(shown(cast.ada, "sessions")) == 2
    assert len(shown(cast.cleo, "sessions", day=day.day)) == 3
    assert shown(cast.cleo, "sessions", day=day.day + timedelta(days=1)) == []
    rows = saved(cast.cleo, "sessions-csv", table=7, sort="table", room="one")
    assert [(row["Table"], row["Hands"], row["Stakes"], row["Id"]) for row in rows] == [
        ("T7", str(TableSession.objects.get(pk=day.session.pk).hands_dealt), "$5 a point", str(day.session.pk))
    ]


def test_stacks_are_found_by_the_patron_too_and_a_statement_is_saved_whole(day: SmallDay) -> None:
    cleo = day.cast.cleo
    assert len(shown(cleo, "sittings")) == 6
    assert [each.patron.name for each in shown(cleo, "sittings", patron="omar")] == ["Omar"]
    names = [each.patron.name for each in shown(cleo, "sittings", sort="player", room="one")]
    assert names == ["Lin", "Omar", "Park", "Ruiz"]
    assert [row["Player"] for row in saved(cleo, "sittings-csv", sort="player", room="one")] == names
    (lin,) = saved(cleo, "sittings-csv", patron="lin")
    sitting = Sitting.objects.get(patron__name="Lin")
    assert (lin["Table"], lin["Seat"], lin["Left"], lin["Account"]) == ("T7", "1", "", str(sitting.stack_id))
    lines = list(account_statement(sitting.stack_id))
    rows = saved(day.cast.cleo, "account-csv", sitting.stack_id)
    assert [row["Digest"] for row in rows] == [line.digest for line in lines]
    assert [row["Balance"] for row in rows] == [f"{line.balance_cents / 100:.2f}" for line in lines]
    assert on_the_web(day.cast.dan).get(reverse("audit:account-csv", args=[sitting.stack_id])).status_code == 404


def test_seals_are_listed_by_why_they_were_made(committed_cast: Cast) -> None:
    cleo = committed_cast.cleo
    for label in ("one 2026-11-28", "one 2026-11-29"):
        seal_make(kind=SealKind.GAMING_DAY, label=label)
    seal_make(kind=SealKind.REQUEST)
    newest_first = list(Seal.objects.order_by("-number"))
    assert shown(cleo, "seals") == newest_first
    assert shown(cleo, "seals", sort="number") == newest_first[::-1]
    assert [seal.label for seal in shown(cleo, "seals", kind=SealKind.GAMING_DAY)] == [
        "one 2026-11-29",
        "one 2026-11-28",
    ]
    assert [row["Digest"] for row in saved(cleo, "seals-csv")] == [bytes(seal.digest).hex() for seal in newest_first]
