"""The list of hands: every filter finds what it is about and nothing else, pages put together are the list, and who reads it."""

import csv
import io
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.http import QueryDict, StreamingHttpResponse
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.staff.models import Role, User
from tables.audit.hands import NEWEST_FIRST, columns
from tables.listing import Listing
from tables.models import Hand, Room
from tables.selectors.hand_search import HandQuery, hands_found
from tests.people import Cast, hire
from tests.tables import play
from tests.tables.over_http import on_the_web
from tests.tables.small_day import DEALT, SmallDay, small_day

LIST, CSV = reverse("hands:list"), reverse("hands:csv")
EVERY = list(reversed(DEALT))
JUDGED_PLAIN = ["held", "ruled", "paid", "plain"]


@pytest.fixture
def day(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> SmallDay:
    """The day that is asked about."""
    return small_day(cast, monkeypatch)


def ask(small: SmallDay, user: User, **asked: Any) -> Any:
    """What the page was made from, for somebody who asks for the small day."""
    response = on_the_web(user).get(LIST, {"day": str(small.day), **asked})
    assert response.status_code == 200
    return response.context


def found(small: SmallDay, user: User, **asked: Any) -> list[str]:
    """The hands that somebody finds, by name, newest first."""
    context = ask(small, user, **asked)
    assert not context["form"].errors, context["form"].errors
    return small.names(context["list"].rows)


FILTERS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, EVERY),
    ({"room": "two"}, ["elsewhere"]),
    ({"room": "one", "table": 7, "game": "chinese-poker", "number": 1}, ["plain"]),
    ({"table": 8}, ["bank"]),
    ({"game": "pai-gow-poker"}, ["bank"]),
    ({"number": 1}, ["elsewhere", "bank", "plain"]),
    ({"state": "settled"}, ["held", "ruled", "paid", "corrected", "bank", "fouled", "plain"]),
    ({"state": "void"}, ["elsewhere", "void"]),
    ({"state": "misdeal"}, ["called", "misdealt"]),
    ({"state": "out"}, []),
    ({"state": "held"}, ["held"]),
    ({"state": "corrected"}, ["corrected"]),
    ({"ruling": "ruled"}, ["ruled"]),
    ({"ruling": "paid-differently"}, ["paid"]),
    ({"foul": "any"}, ["corrected", "fouled"]),
    ({"foul": "middle-beats-back"}, ["corrected", "fouled"]),
    ({"foul": "front-beats-middle"}, []),
    ({"misdeal": "wrong-count"}, ["misdealt"]),
    ({"misdeal": "dealer-exposed"}, ["called"]),
    ({"since": "22:00"}, ["corrected", "elsewhere", "bank"]),
    ({"until": "18:59"}, ["held", "ruled", "paid", "plain"]),
    ({"since": "18:00", "until": "20:29"}, ["void", "fouled", "plain"]),
    ({"since": "23:30", "until": "00:30"}, ["paid", "corrected"]),
    ({"since": "20:00", "until": "20:00"}, ["void"]),
    ({"patron": "omar"}, ["bank"]),
    ({"patron": "P4"}, ["bank"]),
    ({"patron": "stranger"}, ["elsewhere"]),
    ({"patron": "P1", "room": "two"}, ["elsewhere"]),
    ({"patron": "nobody at all"}, []),
    ({"cards": "As Ks"}, ["held", "ruled", "paid", "corrected", "misdealt", "fouled", "plain"]),
    ({"cards": "as, KS"}, ["held", "ruled", "paid", "corrected", "misdealt", "fouled", "plain"]),
    ({"cards": "As Kd"}, []),
    ({"cards": "As Kd", "held_by": "hand"}, ["held", "ruled", "paid", "corrected", "misdealt", "fouled", "plain"]),
    ({"cards": "9c 9d"}, ["bank"]),
    ({"cards": "9c Ah"}, []),
    ({"cards": "9c Ah", "held_by": "hand"}, ["bank"]),
    ({"cards": "Jk"}, []),
    ({"from": "30"}, ["corrected", "bank", "fouled"]),
    ({"from": "$5.00", "to": "29.99"}, JUDGED_PLAIN),
    ({"to": "0"}, []),
    ({"amount": "largest", "from": "30.01"}, ["bank"]),
    ({"state": "settled", "patron": "lin", "since": "18:30", "until": "23:59", "from": "1"}, ["corrected", "fouled"]),
]


def test_each_filter_finds_what_it_is_about(day: SmallDay) -> None:
    wrong = {}
    for asked, expected in FILTERS:
        names = found(day, day.cast.cleo, **asked)
        if names != expected:
            wrong[str(asked)] = names
    assert not wrong


def test_floor_finds_the_hands_of_its_own_rooms_and_opens_them_where_it_rules(day: SmallDay) -> None:
    cast = day.cast
    assert found(day, cast.dan) == ["elsewhere"]
    assert found(day, cast.ada) == [name for name in EVERY if name != "elsewhere"]
    assert found(day, cast.ada, room="two") == [name for name in EVERY if name != "elsewhere"]
    assert found(day, cast.ada, patron="stranger") == []
    for user, name, address in (
        (cast.ada, "plain", "floor:hand"),
        (cast.max, "plain", "floor:hand"),
        (cast.max, "elsewhere", "audit:hand"),
        (cast.cleo, "plain", "audit:hand"),
    ):
        html = on_the_web(user).get(LIST, {"day": str(day.day)}).content.decode()
        assert f'href="{reverse(address, args=[day.hands[name]])}"' in html, (user, name)


def test_days_are_gaming_days_and_a_session_is_found_on_whatever_day_it_was(day: SmallDay) -> None:
    check_days(day)
    response = on_the_web(day.cast.cleo).get(LIST, {"session": str(day.session.pk)})
    assert day.names(response.context["list"].rows) == [name for name in EVERY if name not in ("bank", "elsewhere")]
    assert "T7, session of" in response.context["chips"][0].words
    page = on_the_web(day.cast.cleo).get(reverse("audit:session", args=[day.session.pk]))
    assert f"{LIST}?session={day.session.pk}" in page.content.decode()


def check_days(day: SmallDay) -> None:
    cleo, before, after = day.cast.cleo, day.day - timedelta(days=1), day.day + timedelta(days=1)
    assert found(day, cleo, day=before) == []
    assert found(day, cleo, day=after) == []
    assert found(day, cleo, day=before, through=day.day) == EVERY
    assert found(day, cleo, through=after, cards="9c 9d") == ["bank"]
    response = on_the_web(cleo).get(LIST)
    assert "of today’s gaming day" in response.content.decode()
    assert response.context["list"].rows == []
    assert response.context["last_day"] == day.day


WRONG = [
    ("day", {"day": "2026-02-30"}),
    ("day", {"day": "0001-01-01"}),
    ("through", {"day": "", "through": "2026-11-30"}),
    ("through", {"day": "2026-11-30", "through": "2026-11-29"}),
    ("through", {"day": "2025-01-01", "through": "2026-11-29"}),
    ("through", {"day": "2026-01-01", "through": "2026-02-01", "foul": "any"}),
    ("through", {"day": "2026-01-01", "through": "2026-02-01", "sort": "total"}),
    ("table", {"table": "seven"}),
    ("number", {"number": "9" * 5_000}),
    ("cards", {"cards": "As Zz"}),
    ("cards", {"cards": "As As"}),
    ("from", {"from": "a lot"}),
    ("from", {"from": "1e400"}),
    ("to", {"from": "20", "to": "10"}),
    ("since", {"since": "25:00"}),
    ("state", {"state": "lost"}),
]


def test_what_is_wrong_is_said_beside_its_field_and_the_rest_counts(cast: Cast) -> None:
    browser = on_the_web(cast.cleo)
    for name, asked in WRONG:
        response = browser.get(LIST, asked)
        assert response.status_code == 200
        assert list(response.context["form"].errors) == [name]
        html = response.content.decode()
        assert f'id="list-{name}_error"' in html
        assert re.search(rf'<(input|select)[^>]*name="{name}"[^>]*aria-invalid="true"', html)
        assert browser.get(CSV, asked).status_code == 200


def test_every_filter_stands_in_words_with_the_address_without_it(day: SmallDay) -> None:
    asked = {
        "room": "one", "table": 7, "patron": "P1", "state": "settled", "since": "18:00", "until": "19:00",
        "game": "chinese-poker", "number": 2, "cards": "As Ks", "foul": "middle-beats-back", "from": "10", "sort": "total",
    }  # fmt: skip
    context = ask(day, day.cast.cleo, **asked)
    assert day.names(context["list"].rows) == ["fouled"]
    words = [chip.words for chip in context["chips"]]
    assert words == [
        "Room One",
        f"Gaming day {day.day:%b} {day.day.day}, {day.day.year}",
        "Table 7",
        "Lin (P1)",
        "Settled",
        "Dealt 18:00 – 19:00",
        "Chinese Poker",
        "Hand 2",
        "As Ks in one hand",
        "Foul: middle beats back",
        "In all from $10",
    ]
    without = QueryDict(context["chips"][5].without.removeprefix("?"))
    assert set(without) == {"day", *asked} - {"since", "until"}


def test_the_csv_is_what_is_shown_all_pages_of_it_and_runs_no_formula(day: SmallDay) -> None:
    asked = {"day": str(day.day), "state": "settled", "sort": "-total"}
    response = on_the_web(day.cast.cleo).get(CSV, asked)
    assert isinstance(response, StreamingHttpResponse)
    text = b"".join(response).decode().removeprefix("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text)))
    shown = on_the_web(day.cast.cleo).get(LIST, asked).context["list"].rows
    assert [UUID(row["Id"]) for row in rows] == [hand.pk for hand in shown]
    first, corrected = rows[0], next(row for row in rows if row["Settled again"])
    assert (first["Table"], first["In all"], first["Largest payment"], first["Rules"]) == (
        "T8", "50.00", "50.00", "capitol@1",
    )  # fmt: skip
    assert (corrected["Hand"], corrected["Foul"], corrected["In all"], corrected["Times entered"]) == (
        "6", "yes", "30.00", "2",
    )  # fmt: skip
    assert corrected["Dealt"].startswith(f"{day.day} 23:30")
    assert ",a shoe on the table," in sent(day, state="void")
    Room.objects.filter(slug="two").update(name="=cmd")
    assert "'=cmd,T7" in sent(day, state="void")


def sent(day: SmallDay, **asked: Any) -> str:
    response = on_the_web(day.cast.cleo).get(CSV, {"day": str(day.day), **asked})
    return b"".join(response).decode()


SORTS = [f"{sign}{column.name}" for column in columns() if column.by is not None for sign in ("", "-")]


def pages(rows: Any, sort: str, most: int, *, way: str) -> Iterator[list[Hand]]:
    """The pages of a list one after the other, the last first where the way is ``previous``."""
    asked = f"sort={sort}"
    while True:
        listing = Listing(QueryDict(asked), rows, columns(), instant="started_at", unasked=NEWEST_FIRST, most=most)
        yield listing.rows
        address = getattr(listing, way)
        if not address:
            return
        asked = address.removeprefix("?")


def test_pages_put_together_are_the_list_in_order_both_ways_also_while_hands_are_dealt(day: SmallDay) -> None:
    check_a_hand_dealt_meanwhile(day)
    alike = Hand.objects.get(pk=day.hands["void"])
    same = {"session": alike.session, "rules": alike.rules, "button_seat": 1, "status": "void"}
    instants = {"started_at": alike.started_at, "ended_at": alike.ended_at}
    Hand.objects.bulk_create(Hand(number=number, **same, **instants) for number in range(100, 109))
    rows = hands_found(HandQuery(list(Room.objects.all()), days=(day.day, day.day)))
    for sort in SORTS:
        check_pages(rows, sort)


def check_a_hand_dealt_meanwhile(day: SmallDay) -> None:
    rows = hands_found(HandQuery([day.cast.room], days=(day.day, day.day)))
    first, *_ = pages(rows, NEWEST_FIRST, 4, way="next")
    walk = pages(rows, NEWEST_FIRST, 4, way="next")
    assert next(walk) == first
    held = Hand.objects.get(pk=day.hands["held"])
    newer = held.started_at + timedelta(minutes=5)
    Hand.objects.create(
        session=held.session,
        rules=held.rules,
        number=99,
        button_seat=1,
        status="void",
        started_at=newer,
        ended_at=newer,
    )
    assert [day.names(page) for page in walk] == [["bank", "called", "misdealt", "void"], ["fouled", "plain"]]


def check_pages(rows: Any, sort: str) -> None:
    whole = Listing(QueryDict(f"sort={sort}"), rows, columns(), instant="started_at", unasked=NEWEST_FIRST)
    every = [hand.pk for hand in whole.all]
    assert len(every) == len(set(every)) == 21
    places = [(hand.sort_key, hand.started_at, hand.pk) for hand in whole.all]
    assert places == sorted(places, reverse=sort.startswith("-"))
    for most in (3, 21):
        forward = list(pages(rows, sort, most, way="next"))
        assert [hand.pk for page in forward for hand in page] == every
        assert all(len(page) == most for page, _ in pairwise(forward))
    last = Listing(QueryDict(f"sort={sort}"), rows, columns(), instant="started_at", unasked=NEWEST_FIRST, most=20)
    end = QueryDict(last.next.removeprefix("?"))
    back = [list(page) for page in _back(rows, end)]
    assert [hand.pk for page in reversed(back) for hand in page] == every


def _back(rows: Any, asked: QueryDict) -> Iterator[list[Hand]]:
    while True:
        listing = Listing(asked, rows, columns(), instant="started_at", unasked=NEWEST_FIRST, most=4)
        yield listing.rows
        if not listing.previous:
            return
        asked = QueryDict(listing.previous.removeprefix("?"))


NONSENSE = (
    "",
    "x",
    "[]",
    "[1,2,3]",
    '["a","b","c"]',
    '["1","2026-01-01","x"]',
    "%00",
    "[" * 9_000,
    f'["{"9" * 5000}","1","x"]',
)


def test_nonsense_in_the_address_is_the_first_page(day: SmallDay) -> None:
    browser = on_the_web(day.cast.cleo)
    for said in NONSENSE:
        for name, sort in (("after", "total"), ("before", "-length"), ("after", NEWEST_FIRST), ("session", "sort")):
            context = browser.get(LIST, {"day": str(day.day), "sort": sort, name: said}).context
            assert len(context["list"].rows) == len(EVERY), (name, said)
            assert not context["form"].errors
    for instant in ("2026-01-01 00:00", "0001-01-01T00:00:00+14:00"):
        place = json.dumps(["0", instant, str(uuid4())])
        assert browser.get(LIST, {"sort": "total", "after": place}).status_code == 200


def test_the_list_opens_for_floor_and_who_reads_all(cast: Cast) -> None:
    cora = hire("5001", "Cora", Role.COMPLIANCE, room=cast.room)
    for user, status in ((cast.ada, 200), (cast.max, 200), (cast.cleo, 200), (cora, 200), (cast.ben, 403)):
        for address in (LIST, CSV):
            assert on_the_web(user).get(address).status_code == status, (user, address)


def test_it_is_linked_from_the_floor_the_audit_and_a_table(cast: Cast) -> None:
    play.deal_chinese(cast)
    assert f'href="{LIST}"' in on_the_web(cast.ada).get(reverse("floor:tables")).content.decode()
    assert f'href="{LIST}"' in on_the_web(cast.cleo).get(reverse("audit:home")).content.decode()
    panel = on_the_web(cast.ada).get(reverse("floor:table", args=[cast.chinese.pk])).content.decode()
    assert f'href="{LIST}?room=one&amp;table=7"' in panel


def test_the_number_of_queries_does_not_grow_with_the_hands(day: SmallDay) -> None:
    def queries(user: User, **asked: Any) -> int:
        browser = on_the_web(user)
        with CaptureQueriesContext(connection) as captured:
            browser.get(LIST, {"day": str(day.day), **asked})
        return len(captured)

    for user in (day.cast.ada, day.cast.cleo):
        assert queries(user) == queries(user, table=8) == queries(user, sort="-total", cards="As Ks", foul="any")
