"""The floor's map: what each tile says, what the tablets tell it, what it costs, and who may arrange it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.models import Device, User
from tables.floor.board import forget_boards
from tables.models import Room, Table
from tables.selectors.banking import rotation_due
from tables.selectors.waiting_banks import rotations_due, waiting_for_bank
from tables.services.floor_map import Place, room_map_arrange
from tables.services.hands import hand_void
from tables.services.sessions import table_add
from tests.people import Cast, order
from tests.pin_sign_in import pin_sign_in
from tests.tables import play
from tests.tables.banking import PaiGowTable, table_of
from tests.tables.calling import call, close
from tests.tables.disputed import decide, exception
from tests.tables.lively import floor_of, lively_floor, minutes_ago

FLOOR, BOARD, WALL = (reverse(f"floor:{name}") for name in ("tables", "board", "wall"))
SignedIn = Callable[[User], Client]


@pytest.fixture
def tablet(cast: Cast) -> Client:
    """The tablet of table 7, Ben signed in."""
    client = Client()
    client.cookies[DEVICE_COOKIE] = cast.tablet_token
    pin_sign_in(client)
    return client


def words_of(html: str) -> str:
    """What somebody hears of a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def tiles_in(client: Client, url: str = BOARD) -> dict[str, str]:
    """The words of each tile of the board, by the table's name."""
    html = client.get(url).content.decode()
    found = [words_of(tile) for tile in re.findall(r'<a class="tile.*?</a>', html, re.DOTALL)]
    return {words.split()[0]: words for words in found}


def strip_of(client: Client, url: str = BOARD) -> str:
    """The words of the strip."""
    html = client.get(url).content.decode()
    return words_of(html[: html.index('<div class="rooms">')])


def map_of(room: Room) -> str:
    return reverse("floor:map", args=[room.pk])


def places_of(room: Room) -> dict[int, tuple[int | None, int | None]]:
    return {number: (column, row) for number, column, row in room.tables.values_list("number", "map_column", "map_row")}


def test_every_tile_says_its_state_in_words_and_what_needs_a_person(
    cast: Cast, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    lively_floor(cast, monkeypatch)
    tiles = tiles_in(signed_in(cast.ada))
    expected = {
        "T1": "Hand out|Chinese · $5 a point|3 players, button at seat 1|Hand 1|Ben",
        "T2": "Hand out|Pai Gow · $10–$100|2 players, bank at seat 1|no dealer|Older than usual",
        "T3": "Going|3 players, 1 absent, 1 new, 1 held, button at seat 2",
        "T4": "Closed",
        "T5": "Held for ruling|Dispute, hand 1|Window closing",
        "T6": "Waiting for a bank|2 players",
        "T7": "Hand out|Called: Decision|Called: Fill|+1 more",
        "T9": "Hand out|4 players|Older than usual|Tablet silent|+1 more",
        "T10": "Open|0 players",
        "T11": "Clock running|Time called, seat 2",
        "T13": "Open|2 players|Ada is coming",
    }
    for name, words in expected.items():
        for part in words.split("|"):
            assert part in tiles[name], (name, part, tiles[name])
    assert "Tablet silent" not in tiles["T1"]
    assert "more" not in tiles["T5"]


def test_the_strip_has_what_needs_a_person_the_oldest_first(cast: Cast, signed_in: SignedIn) -> None:
    ada = signed_in(cast.ada)
    assert "Nothing. Calls, disputes and exceptions from the tables come here" in strip_of(ada)
    session, *_rest = play.deal_chinese(cast)
    raised = exception(cast, session.pk, "a chip on the floor")
    told = call(cast, session, "fill")
    words = strip_of(ada)
    assert words.index("a chip on the floor") < words.index("T7 · Floor called: Fill")
    assert f"{reverse('floor:inbox')}#exception-{raised}" in ada.get(BOARD).content.decode()
    beside = strip_of(ada, f"{BOARD}?open={cast.chinese.pk}")
    assert "a chip on the floor" in beside
    assert "Floor called" not in beside, "the open table's own calls are in its panel"
    decide(cast, raised)
    close(cast, told)
    assert "Nothing." in strip_of(ada)
    assert "Needs deciding" not in words_of(ada.get(WALL).content.decode())


def test_a_hand_is_slow_by_what_is_usual_at_its_table(
    cast: Cast, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half as long again as the one in the middle of the last hands; fixed times until there are five of them."""
    floor = floor_of(cast, monkeypatch, range(7, 9))
    session = floor.chinese(7, 90, "P1", "P2")
    limits = []
    for minutes in (80, 70, 60, 50, 40):
        hand = floor.deal(7, session, minutes)
        limits.append(_limits(signed_in(cast.ada)))
        with minutes_ago(monkeypatch, minutes - 4):
            play.settle(cast, hand, play.CHINESE_HANDS)
    floor.deal(7, session, 5)
    assert set(limits) == {("180", "360")}
    slow, stuck = map(int, _limits(signed_in(cast.ada)))
    assert 360 <= slow < 380, "and the seconds that this test takes"
    assert 720 <= stuck < 760
    assert "Older than usual" not in tiles_in(signed_in(cast.ada))["T7"], (
        "five minutes are nothing where four are usual"
    )


def _limits(client: Client) -> tuple[str, ...]:
    found = re.search(r'data-slow="(\d+)" data-stuck="(\d+)"', client.get(BOARD).content.decode())
    assert found is not None
    return found.groups()


def test_the_collection_is_this_hours_less_what_was_given_back(
    cast: Cast, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CP-65: what came into the drop box since the hour began."""
    ada = signed_in(cast.ada)
    floor = floor_of(cast, monkeypatch, range(7, 9))
    session = floor.chinese(7, 90, "P1", "P2")
    hand = floor.deal(7, session, 61)
    play.settle(cast, hand, play.CHINESE_HANDS)
    assert "$0 collected this hour" in tiles_in(ada)["T7"]
    hand = floor.deal(7, session, 0)
    assert "$8 collected this hour" in tiles_in(ada)["T7"]
    hand_void(order(cast.floor), hand_id=hand, reason="a card on the floor")
    assert "$0 collected this hour" in tiles_in(ada)["T7"]


class TestTheTablet:
    @pytest.mark.parametrize(
        ("header", "count"), [("2;2026-11-30T12:00:00Z", 2), ("0", 0), ("", 5), ("-1", 5), ("2;soon", 5), ("2", 5)]
    )
    def test_tells_what_it_has_not_sent_and_nonsense_is_not_kept(
        self, cast: Cast, tablet: Client, header: str, count: int
    ) -> None:
        Device.objects.filter(pk=cast.tablet.pk).update(unsent_count=5, last_seen_at=None)
        assert tablet.get(reverse("tablet:state"), headers={"X-Unsent": header}).status_code == 200
        device = Device.objects.get(pk=cast.tablet.pk)
        assert device.unsent_count == count
        assert device.last_seen_at is not None

    def test_is_written_down_when_the_number_changes_and_else_once_in_ten_seconds(
        self, cast: Cast, tablet: Client
    ) -> None:
        def writes(unsent: str) -> int:
            with CaptureQueriesContext(connection) as asked:
                tablet.get(reverse("tablet:state"), headers={"X-Unsent": unsent})
            return sum(each["sql"].startswith('UPDATE "staff_device"') for each in asked)

        assert [writes("0"), writes("0"), writes("1;2026-11-30T12:00:00Z"), writes("0")] == [1, 0, 1, 1]
        Device.objects.filter(pk=cast.tablet.pk).update(last_seen_at=timezone.now() - timedelta(seconds=11))
        assert writes("0") == 1

    def test_is_silent_after_a_minute_while_the_table_is_open(
        self, cast: Cast, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ada = signed_in(cast.ada)
        floor = floor_of(cast, monkeypatch, range(7, 9))
        floor.seen(7, 70)
        floor.seen(8, 70)
        floor.chinese(7, 2)
        tiles = tiles_in(ada)
        assert ["Tablet silent" in tiles[name] for name in ("T7", "T8")] == [True, False]

    def test_is_not_silent_where_another_one_of_the_table_speaks_or_the_table_has_just_opened(
        self, cast: Cast, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        floor = floor_of(cast, monkeypatch, range(7, 10))
        floor.chinese(7, 0)
        floor.chinese(9, 5)
        floor.seen(7, 70)
        floor.seen(9, 70)
        Device.objects.create(
            name="another",
            token_sha256=uuid4().bytes * 2,
            place=floor.table(9).pk,
            enrolled_by=cast.ada,
            last_seen_at=timezone.now(),
        )
        tiles = tiles_in(signed_in(cast.ada))
        assert ["Tablet silent" in tiles[name] for name in ("T7", "T9")] == [False, False]

    def test_shows_what_waits_on_it_at_once(self, cast: Cast, tablet: Client, signed_in: SignedIn) -> None:
        ada = signed_in(cast.ada)
        play.open_chinese(cast)
        before = ada.get(BOARD)["ETag"]
        tablet.get(reverse("tablet:state"), headers={"X-Unsent": "3;2026-11-30T12:00:00Z"})
        answer = ada.get(BOARD, headers={"If-None-Match": before})
        assert answer.status_code == 200
        assert "3 presses not sent" in words_of(answer.content.decode())


def test_ten_tables_ask_no_more_of_the_database_than_two(
    cast: Cast, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = signed_in(cast.ada)
    floor = floor_of(cast, monkeypatch, range(7, 16))

    def open_up(number: int) -> None:
        session = floor.chinese(number, 10, "P1", "P2", "P3")
        floor.deal(number, session, 5)
        call(floor.casts[number], session)
        exception(floor.casts[number], session.pk)

    open_up(7)
    open_up(9)
    play.deal_pai_gow(cast)
    forget_boards()
    with CaptureQueriesContext(connection) as few:
        assert "Called: Decision" in tiles_in(ada)["T9"]
    for number in (11, 13, 15):
        open_up(number)
    for number in (10, 12, 14):
        play.deal_pai_gow(floor.casts[number])
    forget_boards()
    with CaptureQueriesContext(connection) as many:
        tiles = tiles_in(ada)
    assert len(tiles) == 9
    assert len(many) == len(few)
    with CaptureQueriesContext(connection) as unchanged:
        tiles_in(ada)
    assert len(unchanged) == 4, "the sign-in, who that is, the tables, the tablets"


def test_a_whole_floors_banks_stand_as_each_table_alone_has_them(cast: Cast) -> None:
    """PG-02: with everybody declining, accepting, away, at the limit; and nobody waits where no bank is offered."""
    table = table_of(cast, (1, 2, 4), offers_required=True)

    def agrees(waits: bool) -> None:
        turn = table.turn()
        assert (turn.in_use and turn.seat is None) is waits
        assert (table.session.pk in waiting_for_bank([_fresh(table)], timezone.now())) is waits

    agrees(False)
    for seat in (1, 2):
        table.answer(seat, accepts=False)
        agrees(False)
    table.answer(4, accepts=False)
    agrees(True)
    table.offer()
    agrees(False)
    table.answer(1, accepts=True)
    agrees(False)
    table.play(1, (2, 4))
    agrees(False)


def test_the_rotation_of_a_whole_floor_is_due_as_each_table_alone_has_it(
    cast: Cast, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PG-02: forty minutes, and the tile says so from ten before."""
    with minutes_ago(monkeypatch, 35):
        table = table_of(cast, (1, 2, 4), rotation_pack=True)
        table.offer()
        table.answer(1, accepts=True)
        table.play(1, (2, 4))
    session = _fresh(table)
    due = rotation_due(session)
    assert due is not None
    assert rotations_due([session]) == {session.pk: due}
    local = f"{due.astimezone(cast.room.zone):%H:%M}"
    assert f"Rotation due by {local}" in tiles_in(signed_in(cast.ada))["T8"]


def _fresh(table: PaiGowTable) -> Any:
    return type(table.session).objects.select_related("table__room", "rules").get(pk=table.session.pk)


class TestTheMap:
    def test_is_arranged_by_floor_and_managers_and_the_rest_follows_it(self, cast: Cast, signed_in: SignedIn) -> None:
        table_add(room_id=cast.room.pk, number=3, game="chinese-poker")
        for user, places in ((cast.ada, {7: "2 1", 8: "1 2"}), (cast.max, {7: "1 2", 8: "2 1"})):
            answer = self.save(signed_in(user), cast.room, places)
            assert (answer.status_code, answer["Location"]) == (302, FLOOR)
        assert places_of(cast.room) == {3: (None, None), 7: (1, 2), 8: (2, 1)}
        board = signed_in(cast.ada).get(BOARD).content.decode()
        assert list(tiles_in(signed_in(cast.ada))) == ["T8", "T7", "T3"]
        assert '<li class="c2 r1">' in board
        page = signed_in(cast.ada).get(map_of(cast.room)).content.decode()
        assert f'name="place-{cast.chinese.pk}" value="1 2"' in page

    @pytest.mark.parametrize(
        ("places", "status", "words"),
        [
            ({7: "3 3", 8: "3 3"}, 409, "T7 and T8 cannot both stand in column 3, row 3."),
            ({8: "1 1"}, 409, "T7 and T8 cannot both stand in column 1, row 1."),
            ({7: "13 1"}, 400, "T7 would stand outside the map"),
            ({7: "1 0"}, 400, "T7 would stand outside the map"),
            ({7: "here", 8: "2 2"}, 400, "Say where T7 stands by column and row"),
            ({7: "²  1"}, 400, "Say where T7 stands by column and row"),
        ],
    )
    def test_that_cannot_be_is_refused_whole_and_keeps_what_was_put(
        self, cast: Cast, signed_in: SignedIn, places: dict[int, str], status: int, words: str
    ) -> None:
        ada = signed_in(cast.ada)
        self.save(ada, cast.room, {7: "1 1", 8: ""})
        answer = self.save(ada, cast.room, places)
        assert answer.status_code == status
        assert words in answer.content.decode()
        assert places_of(cast.room) == {7: (1, 1), 8: (None, None)}
        if status == 409 and 7 in places:
            assert f'name="place-{cast.chinese.pk}" value="3 3"' in answer.content.decode()

    def test_is_closed_to_everybody_else(self, cast: Cast, signed_in: SignedIn, tablet: Client) -> None:
        for client, status in (
            (signed_in(cast.dan), 403),
            (signed_in(cast.ben), 403),
            (signed_in(cast.cleo), 403),
            (tablet, 403),
            (Client(), 302),
        ):
            assert client.get(map_of(cast.room)).status_code == status
            assert self.save(client, cast.room, {7: "1 1"}).status_code == status
        assert signed_in(cast.ada).get(reverse("floor:map", args=[uuid4()])).status_code == 404
        assert places_of(cast.room) == {7: (None, None), 8: (None, None)}

    def test_takes_no_table_of_another_room(self, cast: Cast, signed_in: SignedIn) -> None:
        there = table_add(room_id=cast.other_room.pk, number=1, game="chinese-poker")
        signed_in(cast.ada).post(map_of(cast.room), {f"place-{there.pk}": "1 1"})
        assert places_of(cast.other_room) == {1: (None, None)}

    def test_takes_a_post_with_this_sites_token(self, cast: Cast) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(cast.ada)
        assert self.save(client, cast.room, {7: "1 1"}).status_code == 403

    def test_holds_one_table_a_place_by_the_databases_own_word(self, cast: Cast) -> None:
        room_map_arrange(actor=cast.floor, room_id=cast.room.pk, places={cast.chinese.pk: Place(4, 4)})
        for values in ({"map_column": 4, "map_row": 4}, {"map_column": 4}, {"map_column": 13, "map_row": 1}):
            with pytest.raises(IntegrityError), transaction.atomic():
                Table.objects.filter(pk=cast.pai_gow.pk).update(**values)
                connection.check_constraints()

    @staticmethod
    def save(client: Client, room: Room, places: dict[int, str]) -> Any:
        ids: dict[int, UUID] = dict(room.tables.values_list("number", "pk"))
        return client.post(map_of(room), {f"place-{ids[number]}": place for number, place in places.items()})


def test_a_wall_screen_shows_the_tiles_and_nothing_to_press(
    cast: Cast, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = signed_in(cast.ada)
    session, *_rest = play.deal_chinese(cast)
    call(cast, session)
    page = ada.get(f"{FLOOR}?wall").content.decode()
    main = page[page.index("<main") :]
    assert f'hx-get="{WALL}"' in main
    assert "<form" not in main
    assert "Called: Decision" in tiles_in(ada, WALL)["T7"]
    assert all(client.get(WALL).status_code in (302, 403) for client in (Client(), signed_in(cast.cleo)))
    assert tiles_in(signed_in(cast.dan), WALL) == {}
