"""A board is kept while nothing has changed: never longer, never for somebody with other rights, and cheaply."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from casino.kept import Kept
from casino.staff.models import Device, Role, User
from tables.floor import board as boards
from tables.floor.board import board_of, forget_boards, wall_of, wall_of_room
from tables.models import RoomStaff
from tables.selectors import floor_tables
from tables.selectors.floor_tables import FloorTable
from tables.selectors.floor_tiles import Tile, tiles_of
from tables.services.clock import clock_call
from tables.services.exceptions import exception_take
from tables.services.hands import hand_start
from tables.services.restrictions import patron_bar
from tables.services.seats import seat_hold
from tables.services.sessions import session_open, table_add
from tables.services.sittings import sitting_absent
from tests.ledger.together import together
from tests.people import Cast, hire, order
from tests.tables import play
from tests.tables.banking import table_of
from tests.tables.calling import answer, call
from tests.tables.disputed import exception
from tests.tables.lively import floor_of

BOARD = reverse("floor:board")
SignedIn = Callable[[User], Client]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Puts the clock of the boards so many seconds ahead of what it was at first."""
    begun = timezone.now()

    def put(seconds: float) -> None:
        class Later:
            @staticmethod
            def now() -> datetime:
                return begun + timedelta(seconds=seconds)

        for module in (boards, floor_tables):
            monkeypatch.setattr(module, "timezone", Later)

    put(0)
    return put


class Page:
    """A page that asks for the board again and again, with the tag of what it has."""

    def __init__(self, client: Client, url: str = BOARD) -> None:
        self._client, self._url, self._tag, self.html = client, url, "", ""

    def ask(self) -> bool:
        """Whether there was something new."""
        response = self._client.get(self._url, headers={"If-None-Match": self._tag} if self._tag else {})
        assert response.status_code in (200, 304)
        if response.status_code == 304:
            assert (response.content, response["ETag"]) == (b"", self._tag)
            return False
        self._tag, self.html = response["ETag"], response.content.decode()
        return True


def queries_of(ask: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as asked:
        ask()
    return len(asked)


class TestWhatSomebodyElseDoes:
    def test_is_seen_at_the_next_question_once_it_is_committed(self, committed_cast: Cast, signed_in: SignedIn) -> None:
        cast = committed_cast
        session, *_both, _hand = play.deal_chinese(cast)
        page = Page(signed_in(cast.ada))
        assert page.ask()
        assert not page.ask()
        for act, words in (
            (partial(call, cast, session, "fill"), "Called: Fill"),
            (partial(exception, cast, session.pk), "1 exception to decide"),
            (
                partial(
                    Device.objects.filter(pk=cast.tablet.pk).update, unsent_count=3, oldest_unsent_at=_minute_ago()
                ),
                "3 presses not sent",
            ),
        ):
            together([act])
            assert page.ask(), words
            assert words in page.html
            assert not page.ask()

    def test_is_not_lost_when_it_happens_while_a_board_is_made(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert "Called: Fill" in self.called_meanwhile(committed_cast, monkeypatch)

    def test_and_the_control_which_reads_the_tables_once_loses_it(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        read = floor_tables.floor_tables(committed_cast.floor)
        monkeypatch.setattr(boards, "floor_tables", lambda actor: read)
        assert "Called: Fill" not in self.called_meanwhile(committed_cast, monkeypatch)

    @staticmethod
    def called_meanwhile(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> str:
        """What is asked for after a call that came when the tiles had been made, and what they are of had been read."""
        session, *_rest = play.deal_chinese(cast)

        def tiles_then_call(*args: Any) -> Any:
            tiles = tiles_of(*args)
            together([partial(call, cast, session, "fill")])
            return tiles

        with monkeypatch.context() as once:
            once.setattr(boards, "tiles_of", tiles_then_call)
            assert "Called: Fill" not in board_of(cast.floor).html
        return board_of(cast.floor).html

    def test_shows_the_same_to_pages_that_ask_while_it_goes_on(self, committed_cast: Cast, signed_in: SignedIn) -> None:
        """Six pages and two dealers at once; in the end every page has what a board made anew says."""
        cast = committed_cast
        session, lin, park, _hand = play.deal_chinese(cast)
        pages = [Page(signed_in(user)) for user in (cast.ada, cast.max) * 3]

        def ask(page: Page) -> None:
            for _time in range(8):
                page.ask()

        results = together(
            [
                *(partial(ask, page) for page in pages),
                lambda: [answer(cast, call(cast, session, reason)) for reason in ("fill", "service")],
                lambda: [sitting_absent(order(cast.floor), sitting_id=each.pk) for each in (lin, park)],
            ]
        )
        assert not [result for result in results if isinstance(result, Exception)]
        for page in pages:
            page.ask()
        forget_boards()
        assert {page.html for page in pages} == {str(board_of(cast.floor).html)}


def _minute_ago() -> datetime:
    return timezone.now() - timedelta(minutes=1)


class TestSomebodyElsesRights:
    def test_are_nobody_elses_board(self, cast: Cast, signed_in: SignedIn) -> None:
        table_add(room_id=cast.other_room.pk, number=31, game="chinese-poker")
        both = hire("1003", "Eve", Role.FLOOR, room=cast.room)
        works = RoomStaff.objects.create(room=cast.other_room, user=both)
        pages = {user.name: Page(signed_in(user)) for user in (cast.ada, cast.dan, both, cast.max)}

        def seen() -> dict[str, list[str]]:
            for page in pages.values():
                page.ask()
            return {name: re.findall(r'class="name">(T\d+)<', page.html) for name, page in pages.items()}

        assert seen() == {"Ada": ["T7", "T8"], "Dan": ["T31"], "Eve": ["T7", "T8", "T31"], "Max": ["T7", "T8"]}
        works.room = cast.room
        RoomStaff.objects.filter(user=both, room=cast.room).delete()
        assert seen()["Eve"] == ["T31"], "from the next question on"

    def test_to_the_same_rooms_share_what_was_made(self, cast: Cast, signed_in: SignedIn) -> None:
        ada, manager = Page(signed_in(cast.ada)), Page(signed_in(cast.max))
        play.deal_chinese(cast)
        made, shared = queries_of(ada.ask), queries_of(manager.ask)
        assert shared == 4 < made, "the sign-in, who that is, the tables, the tablets"
        assert manager.html == ada.html

    def test_and_the_open_table_the_wall_and_the_language_are_boards_of_their_own(self, cast: Cast) -> None:
        table_add(room_id=cast.other_room.pk, number=31, game="chinese-poker")
        session, *_rest = play.deal_chinese(cast)
        call(cast, session)
        plain, opened = board_of(cast.floor), board_of(cast.floor, open_id=str(cast.chinese.pk))
        wall, screen = wall_of(cast.floor), wall_of_room(cast.room.pk)
        with translation.override("en-gb"):
            assert board_of(cast.floor) is not plain
        assert len({each.etag for each in (plain, opened, wall)}) == 3
        assert wall.html == screen.html and ">T31<" not in screen.html
        assert ["aria-current" in each.html for each in (plain, opened, wall)] == [False, True, False]
        assert ["floor.answer" in each.html for each in (plain, opened, wall)] == [True, False, False]
        assert board_of(cast.floor, open_id="nowhere") == plain


class TestTimeAlone:
    def test_makes_a_hand_slow_at_the_very_question(
        self, cast: Cast, signed_in: SignedIn, later: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        play.deal_chinese(cast)
        page = Page(signed_in(cast.ada))
        page.ask()
        for seconds, is_new, words in (
            (50, False, ""),
            (179, False, ""),
            (182, True, "alert warn"),
            (362, True, "alert stop"),
        ):
            later(seconds)
            assert page.ask() is is_new, seconds
            assert ("Older than usual" in page.html) is bool(words), seconds
            assert words in page.html

    def test_ends_a_clock_and_a_held_seat(
        self, cast: Cast, signed_in: SignedIn, later: Callable[[float], None]
    ) -> None:
        session, *_both, hand = play.deal_chinese(cast)
        seat_hold(order(cast.dealer), session_id=session.pk, seat=3, minutes=2, patron_number="P3")
        clock_call(order(cast.floor), hand_id=hand, seat=2)
        page = Page(signed_in(cast.ada))
        page.ask()
        assert "Time called, seat 2" in page.html and "1 held" in page.html
        later(session.clock_seconds + 1)
        page.ask()
        assert "Time is up, seat 2" in page.html
        later(122)
        page.ask()
        assert "1 held" not in page.html

    def test_makes_a_tablet_silent_and_its_next_word_ends_that_at_once(
        self, cast: Cast, signed_in: SignedIn, later: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        floor = floor_of(cast, monkeypatch, range(7, 9))
        floor.chinese(7, 5)
        floor.seen(7, 0)
        page = Page(signed_in(cast.ada))
        page.ask()
        later(58)
        page.ask()
        assert "Tablet silent" not in page.html
        later(61)
        assert page.ask() and "Tablet silent" in page.html
        floor.seen(7, -60)
        assert page.ask() and "Tablet silent" not in page.html

    def test_and_what_is_done_at_no_table_shows_within_a_minute(
        self, cast: Cast, signed_in: SignedIn, later: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        floor_of(cast, monkeypatch, range(7, 9)).chinese(7, 0)
        page = Page(signed_in(cast.ada))
        page.ask()
        User.objects.filter(pk=cast.ben.pk).update(name="Benedict")
        assert not page.ask()
        later(61)
        assert page.ask() and "Benedict" in page.html


def test_a_patron_who_is_barred_elsewhere_leaves_no_bank_at_the_next_question(cast: Cast, signed_in: SignedIn) -> None:
    """PG-02: barring is done at no table, and decides at one who can be offered the bank."""
    table = table_of(cast, (1, 2), offers_required=True)
    page = Page(signed_in(cast.ada))
    table.answer(1, accepts=False)
    page.ask()
    assert "Waiting for a bank" not in page.html
    patron_bar(order(cast.floor), patron_number="P2", kind="barred", reason="took chips of somebody else's")
    assert page.ask()
    assert "Waiting for a bank" in page.html


def test_one_table_that_changed_costs_the_same_beside_two_and_beside_twelve(
    cast: Cast, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Page(signed_in(cast.ada))
    _session, lin, park, _hand = play.deal_chinese(cast)
    page.ask()
    sitting_absent(order(cast.floor), sitting_id=lin.pk)
    beside_one = queries_of(page.ask)
    for number in range(9, 19):
        added = table_add(room_id=cast.room.pk, number=number, game="chinese-poker")
        session_open(order(cast.floor), table_id=added.pk, rules="cardroom", point_value_cents=100)
    page.ask()
    sitting_absent(order(cast.floor), sitting_id=park.pk)
    assert queries_of(page.ask) == beside_one
    assert queries_of(page.ask) == 4


def test_only_the_tile_that_changed_is_made_anew(
    cast: Cast, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Page(signed_in(cast.ada))
    session, *_both, hand = play.deal_chinese(cast)
    play.settle(cast, hand, play.CHINESE_HANDS)
    page.ask()
    made: list[str] = []

    def noted(tables: Sequence[FloorTable], now: datetime) -> list[Tile]:
        made.extend(str(table) for table in tables)
        return tiles_of(tables, now)

    monkeypatch.setattr(boards, "tiles_of", noted)
    hand_start(order(cast.dealer), session_id=session.pk)
    page.ask()
    page.ask()
    assert made == ["T7"]


def test_so_many_are_kept_and_the_oldest_goes_first() -> None:
    kept: Kept[str, int] = Kept(2)
    kept.put("one", 1)
    kept.put("two", 2)
    kept.put("one", 11)
    kept.put("three", 3)
    assert [kept.get(name) for name in ("one", "two", "three")] == [11, None, 3]
    kept.clear()
    assert kept.get("one") is None


class TestTheInbox:
    ITEMS = reverse("floor:inbox-items")

    def test_is_made_anew_when_something_has_happened_and_for_each_reader(
        self, cast: Cast, signed_in: SignedIn
    ) -> None:
        session, *_rest = play.deal_chinese(cast)
        own = exception(cast, session.pk, "a chip on the floor")
        ada, manager = (Page(signed_in(user), self.ITEMS) for user in (cast.ada, cast.max))
        assert ada.ask() and manager.ask()
        assert queries_of(ada.ask) == 4, "the sign-in, who that is, the tables, the tablets"
        exception_take(order(cast.floor), exception_id=own)
        assert ada.ask() and manager.ask()
        assert ["You have this" in page.html for page in (ada, manager)] == [True, False]
        assert ["Take it over" in page.html for page in (ada, manager)] == [False, True]
        assert not (ada.ask() or manager.ask())
        other = Page(signed_in(cast.dan), self.ITEMS)
        assert other.ask() and "a chip on the floor" not in other.html
