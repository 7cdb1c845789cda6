"""Waiting lists: in order, called and waited for, seated in one act; of two who do something at once one is told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from threading import Barrier
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from psycopg import errors

from casino.errors import Conflict, Forbidden, Malformed, NotThere, Refusal
from casino.staff.actor import Actor
from casino.staff.models import Role
from ledger.checks import validators
from tables.models import (
    Patron,
    RoomStaff,
    SeatHold,
    Sitting,
    TableSession,
    WaitingEntry,
    WaitingEvent,
    WaitingList,
)
from tables.models.rooms import Game
from tables.selectors.waiting import ListState, list_states, waiting_read
from tables.services import waiting as services
from tables.services.seats import seat_hold
from tables.services.sessions import session_deal_in
from tables.services.waiting import waiting_add, waiting_call, waiting_put_last, waiting_remove, waiting_seat
from tests.ledger.together import PATIENCE_SECONDS, together
from tests.people import Cast, hire, order
from tests.tables import play
from tests.tables.over_http import on_a_tablet, on_the_web
from tests.tables.seating import assert_explained, bar, open_another
from tests.tables.waiting import FIVE_A_POINT, TEN_TO_A_HUNDRED, add, call, put_last, remove, seat

Connect = Callable[[str], psycopg.Connection]
LISTS = reverse("floor:lists")
NOW = reverse("floor:lists-now")


def only(actor: Actor, **values: Any) -> ListState:
    """The one list there is."""
    (state,) = list_states(actor, **values)
    return state


def names(state: ListState) -> list[str]:
    return [row.entry.patron.name for row in state.waiting]


def happened(entry: WaitingEntry) -> list[str]:
    return list(entry.events.order_by("number").values_list("kind", flat=True))


def refused(act: Callable[[], Any], code: str, kind: type[Refusal] = Conflict) -> str:
    with pytest.raises(kind) as told:
        act()
    assert told.value.code == code
    return told.value.message


class TestTheList:
    """Who is on it and in what order."""

    def test_whoever_was_added_first_is_first(self, cast: Cast) -> None:
        for patron in ("P2", "P1", "P3"):
            add(cast, patron)
        state = only(cast.floor)
        assert names(state) == ["Park", "Lin", "Omar"]
        assert [row.added_by for row in state.waiting] == ["Ada"] * 3

    def test_a_list_is_for_one_game_and_stake_of_one_room(self, cast: Cast) -> None:
        first = add(cast, "P1")
        assert add(cast, "P2").waiting_list == first.waiting_list
        others = [
            add(cast, "P1", point_value_cents=1_000),
            add(cast, **{**TEN_TO_A_HUNDRED, "patron_number": "P1", "point_value_cents": None}),
        ]
        assert len({first.waiting_list_id, *(each.waiting_list_id for each in others)}) == 3
        assert WaitingList.objects.count() == 3

    def test_who_is_only_described_waits_under_their_description(self, cast: Cast) -> None:
        entry = add(cast, description="  Tall, red cap ")
        assert (entry.patron.name, entry.patron.number) == ("Tall, red cap", "")
        message = refused(lambda: add(cast, description="tall, RED cap"), "waiting-already")
        assert "Say what tells them apart" in message
        assert Patron.objects.filter(number="").count() == 1
        remove(cast, entry)
        add(cast, description="tall, RED cap")

    def test_nobody_is_on_one_list_twice_and_may_be_on_two(self, cast: Cast) -> None:
        entry = add(cast)
        assert "Lin is on this list already." in refused(lambda: add(cast), "waiting-already")
        add(cast, point_value_cents=1_000)
        remove(cast, entry)
        assert add(cast).pk != entry.pk

    def test_who_is_barred_or_self_restricted_is_not_added_called_or_seated(self, cast: Cast) -> None:
        session = play.open_chinese(cast)
        for kind, patron in (("barred", "P1"), ("self-restricted", "P2")):
            entry = add(cast, patron)
            bar(cast, patron, kind)
            for act in (
                lambda entry=entry: call(cast, entry),
                lambda entry=entry: seat(cast, entry, session.pk, 1),
                lambda patron=patron: add(cast, patron, point_value_cents=1_000),
            ):
                assert "keep it between you" in refused(act, "patron-restricted", Forbidden)
            assert happened(entry) == ["added"]
        assert [row.restriction is not None for row in only(cast.floor).waiting] == [True, True]

    @pytest.mark.parametrize(
        "values",
        [
            {"game": "baccarat"},
            {"point_value_cents": None},
            {"point_value_cents": 0},
            {"table_min_cents": 1_000, "table_max_cents": 2_000},
            {"game": "pai-gow-poker"},
            {**TEN_TO_A_HUNDRED, "point_value_cents": None, "table_max_cents": 500},
            {"patron_number": "", "description": ""},
            {"description": "x" * 121, "patron_number": ""},
        ],
    )
    def test_what_is_no_list_or_nobody_is_refused(self, cast: Cast, values: dict[str, Any]) -> None:
        with pytest.raises(Malformed):
            waiting_add(order(cast.floor), **{**FIVE_A_POINT, "patron_number": "P1", **values})
        with pytest.raises(NotThere):
            add(cast, "nobody's")
        assert not WaitingList.objects.exists()

    def test_only_floor_of_the_room_keeps_it_on_the_web(self, cast: Cast) -> None:
        entry, session = add(cast, "P2"), play.open_chinese(cast)
        stranger = hire("1009", "Una", Role.FLOOR, Role.MANAGER, room=cast.other_room)
        acts: list[Callable[[Actor], Any]] = [
            lambda who: waiting_add(order(who), **FIVE_A_POINT, patron_number="P1"),
            lambda who: waiting_call(order(who), entry_id=entry.pk),
            lambda who: waiting_call(order(who), entry_id=entry.pk, session_id=session.pk, seat=1),
            lambda who: waiting_seat(order(who), entry_id=entry.pk, session_id=session.pk, seat=1),
            lambda who: waiting_put_last(order(who), entry_id=entry.pk),
            lambda who: waiting_remove(order(who), entry_id=entry.pk, why="gave-up"),
        ]
        for act in acts:
            for who in (cast.dealer, Actor.of(cast.ben), Actor.of(cast.cleo), Actor.of(stranger)):
                with pytest.raises((Forbidden, NotThere)):
                    act(who)
        assert happened(entry) == ["added"]
        acts[0](Actor.of(cast.max))


class TestCalls:
    """Somebody is called, waited for, and what comes of it."""

    def test_a_call_waits_as_long_as_the_room_says_or_as_floor_chose(self, cast: Cast) -> None:
        lin, park = add(cast, "P1"), add(cast, "P2")
        call(cast, lin)
        call(cast, park, minutes=15)
        waits = [event.until - event.happened_at for event in WaitingEvent.objects.filter(kind="called").order_by("pk")]
        assert waits == [timedelta(minutes=5), timedelta(minutes=15)]
        cast.room.waiting_hold_minutes = 7
        cast.room.save()
        omar = add(cast, "P3")
        call(cast, omar)
        event = omar.events.get(kind="called")
        assert event.until - event.happened_at == timedelta(minutes=7)
        ruiz = add(cast, "P4")
        for minutes in (0, 121, -5):
            refused(lambda minutes=minutes: call(cast, ruiz, minutes=minutes), "out-of-range", Malformed)

    def test_a_call_past_its_time_is_shown_as_run_out_until_floor_decides(self, cast: Cast) -> None:
        entry = add(cast)
        call(cast, entry)
        later = timezone.now() + timedelta(minutes=6)
        (now,), (then,) = only(cast.floor).waiting, only(cast.floor, now=later).waiting
        assert (now.is_expired, then.is_expired) == (False, True)
        assert then.entry.ended_at is None and happened(entry) == ["added", "called"]

    def test_who_is_waited_for_is_not_called_again_before_the_time_is_over(
        self, cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        entry = add(cast)
        call(cast, entry)
        message = refused(lambda: call(cast, entry, Actor.of(cast.max)), "called-already")
        assert message.startswith("Ada called Lin at ") and "waits until" in message
        later = timezone.now() + timedelta(minutes=5, seconds=1)
        monkeypatch.setattr(services.timezone, "now", lambda: later)
        call(cast, entry, Actor.of(cast.max))
        (row,) = only(cast.floor, now=later).waiting
        assert [event.command.actor.name for event in row.calls] == ["Ada", "Max"] and not row.is_expired

    def test_who_is_put_at_the_end_waits_behind_the_others_and_can_be_called_at_once(self, cast: Cast) -> None:
        lin, _park = add(cast, "P1"), add(cast, "P2")
        call(cast, lin)
        put_last(cast, lin)
        state = only(cast.floor)
        assert names(state) == ["Park", "Lin"]
        assert state.waiting[1].call is None and state.waiting[1].entry.added_at < state.waiting[0].entry.added_at
        call(cast, lin)
        assert happened(lin) == ["added", "called", "put-last", "called"]

    @pytest.mark.parametrize(
        ("why", "words", "is_fine"),
        [
            ("gave-up", "", True),
            ("did-not-come", "called twice", True),
            ("other", "Wants another game", True),
            ("other", "  ", False),
            ("barred", "x", False),
            ("gave-up", "x" * 301, False),
        ],
    )
    def test_who_leaves_without_a_seat_leaves_for_a_reason(
        self, cast: Cast, why: str, words: str, is_fine: bool
    ) -> None:
        entry = add(cast)
        if is_fine:
            remove(cast, entry, why, words)
            event = entry.events.get(kind="removed")
            assert (event.why, event.words) == (why, words)
            assert names(only(cast.floor)) == []
        else:
            with pytest.raises(Malformed):
                remove(cast, entry, why, words)
            assert names(only(cast.floor)) == ["Lin"]

    def test_a_seat_is_held_with_the_call_for_nobody_else(self, cast: Cast) -> None:
        session, entry = play.open_chinese(cast), add(cast)
        call(cast, entry, session_id=session.pk, seat=3, minutes=10)
        hold = SeatHold.objects.get()
        assert (hold.patron, hold.until) == (entry.patron, entry.events.get(kind="called").until)
        with pytest.raises(Conflict):
            play.sit(cast, session, 3, "P2")
        seat(cast, entry, session.pk, 3)
        assert SeatHold.objects.get().ended_at is not None
        assert_explained()

    def test_no_seat_is_held_that_is_taken_held_or_of_another_stake(self, cast: Cast) -> None:
        session, entry = play.open_chinese(cast), add(cast)
        play.sit(cast, session, 1, "P2")
        seat_hold(order(cast.dealer), session_id=session.pk, seat=2, minutes=5, patron_number="P3")
        dear = open_another(cast, point_value_cents=1_000)
        for at, number, code in ((session, 1, "seat-taken"), (session, 2, "seat-held"), (dear, 1, "another-stake")):
            refused(lambda at=at, number=number: call(cast, entry, session_id=at.pk, seat=number), code)
        refused(lambda: call(cast, entry, seat=3), "missing", Malformed)
        assert happened(entry) == ["added"] and SeatHold.objects.count() == 1


class TestSeating:
    """Off the list and at the table, in one act."""

    def test_who_is_seated_is_off_the_list_and_sits(self, cast: Cast) -> None:
        session, lin, _park = play.open_chinese(cast), add(cast, "P1"), add(cast, "P2")
        answer = seat(cast, lin, session.pk, 4)
        sitting = Sitting.objects.get()
        assert (str(sitting.pk), sitting.patron_id, sitting.seat.number) == (answer["sitting"], lin.patron_id, 4)
        lin.refresh_from_db()
        assert lin.ended_at == sitting.started_at
        assert names(only(cast.floor)) == ["Park"]
        assert str(lin.events.get(kind="seated").seat) == "T7 seat 4"
        assert_explained()

    def test_who_is_only_described_sits_as_the_same_person(self, cast: Cast) -> None:
        session, entry = play.open_chinese(cast), add(cast, description="Red cap")
        seat(cast, entry, session.pk, 1)
        assert Sitting.objects.get().patron == entry.patron and Patron.objects.filter(number="").count() == 1

    def test_a_refused_seat_leaves_them_on_the_list(self, cast: Cast) -> None:
        session, entry = play.open_chinese(cast), add(cast)
        play.sit(cast, session, 1, "P2")
        dear, pai_gow = open_another(cast, point_value_cents=1_000), play.open_pai_gow(cast)
        RoomStaff.objects.create(room=cast.other_room, user=cast.ada)
        abroad = open_another(cast, 31, room_id=cast.other_room.pk)
        for at, number, code in (
            (session, 1, "seat-taken"),
            (dear, 1, "another-stake"),
            (pai_gow, 1, "another-stake"),
            (abroad, 1, "another-stake"),
        ):
            refused(lambda at=at, number=number: seat(cast, entry, at.pk, number), code)
        with pytest.raises(NotThere):
            seat(cast, entry, session.pk, 9)
        play.sit(cast, session, 2, "P1")
        refused(lambda: seat(cast, entry, session.pk, 3), "patron-seated")
        assert happened(entry) == ["added"]

    def test_who_is_off_the_list_is_neither_called_nor_seated_nor_removed(self, cast: Cast) -> None:
        session, lin, park = play.open_chinese(cast), add(cast, "P1"), add(cast, "P2")
        seat(cast, lin, session.pk, 1)
        remove(cast, park)
        for entry, words in ((lin, "Ada has seated Lin already."), (park, "Ada has taken Park off this list already.")):
            for act in (call, put_last, remove, lambda cast, entry: seat(cast, entry, session.pk, 2)):
                assert refused(lambda act=act, entry=entry: act(cast, entry), "off-the-list") == words


class TestOpenSeats:
    """The tables of a list's game and stake, beside it."""

    def test_a_dealt_table_with_a_free_seat_stands_out_while_somebody_waits(self, cast: Cast) -> None:
        session = play.open_chinese(cast)
        play.sit(cast, session, 1, "P2")
        seat_hold(order(cast.dealer), session_id=session.pk, seat=2, minutes=5, patron_number="P3")
        (table,) = only(cast.floor).tables
        assert (table.free, table.open_seats, table.is_staffed) == ([2, 3, 4], [3, 4], False)
        entry = add(cast)
        assert not only(cast.floor).stands_out, "nobody deals there"
        session_deal_in(order(cast.dealer), session_id=session.pk)
        assert only(cast.floor).stands_out
        call(cast, entry, session_id=session.pk, seat=4)
        waiting, tables = waiting_read(cast.floor, entry.pk)
        assert tables[0].seats_for(waiting.entry.patron_id) == [4, 3]
        seat(cast, entry, session.pk, 4)
        assert not only(cast.floor).stands_out, "nobody waits"

    def test_a_table_belongs_to_the_list_of_its_own_stake(self, cast: Cast) -> None:
        play.open_chinese(cast)
        open_another(cast, point_value_cents=1_000)
        open_another(cast, 10, game=Game.PAI_GOW_POKER)
        add(cast, point_value_cents=2_500)
        states = list_states(cast.floor)
        tables = [[str(table.session.table) for table in state.tables] for state in states]
        assert tables == [["T7"], ["T9"], [], ["T10"]]
        assert [len(state.waiting) for state in states] == [0, 0, 1, 0]

    def test_the_number_of_queries_does_not_grow(self, cast: Cast) -> None:
        def queries() -> int:
            with CaptureQueriesContext(connection) as asked:
                list_states(cast.floor)
            return len(asked)

        session, entry = play.open_chinese(cast), add(cast)
        few = queries()
        call(cast, entry, session_id=session.pk, seat=1)
        for number in range(10):
            Patron.objects.create(room=cast.room, number=f"W{number}", name=f"Wen {number}")
            call(cast, add(cast, f"W{number}"))
        for number in (9, 10, 11):
            play_at = open_another(cast, number)
            seat_hold(order(cast.floor), session_id=play_at.pk, seat=1, minutes=5, patron_number="P2")
        assert queries() == few
        bar(cast, "W1")
        assert queries() == few + 1, "what is in force"


class TestHistory:
    """Nothing of it is forgotten or made up."""

    def test_whatever_was_done_is_explained_by_its_command(self, cast: Cast) -> None:
        session, lin, park = play.open_chinese(cast), add(cast, "P1"), add(cast, "P2")
        call(cast, lin, session_id=session.pk, seat=2)
        seat(cast, lin, session.pk, 2)
        call(cast, park)
        put_last(cast, park)
        remove(cast, park, "other", " Wants tea first ")
        assert_explained()

    @pytest.mark.parametrize(
        ("statement", "named"),
        [
            ("UPDATE tables_waitingentry SET in_line_at = in_line_at + interval '1 hour'", "waiting-in-order"),
            ("UPDATE tables_waitingentry SET ended_at = now() + interval '1 day'", "waiting-in-order"),
            ("UPDATE tables_waitingevent SET until = until + interval '1 hour' WHERE kind = 'called'", "waiting-noted"),
            ("UPDATE tables_waitingevent SET happened_at = happened_at - interval '1 hour'", "waiting-noted"),
            ("DELETE FROM tables_waitingevent WHERE kind = 'called'", "waiting-noted"),
        ],
    )
    def test_a_row_that_was_tampered_with_is_named(
        self, committed_cast: Cast, superuser: psycopg.Connection, statement: str, named: str
    ) -> None:
        entry = add(committed_cast)
        call(committed_cast, entry)
        check = next(each for each in validators() if each.name == named)
        assert list(check.check()) == []
        superuser.execute("SET session_replication_role = replica")
        superuser.execute(statement)
        assert list(check.check()) != []

    def test_the_database_lets_nobody_rewrite_it(self, committed_cast: Cast, connect: Connect) -> None:
        session, entry = play.open_chinese(committed_cast), add(committed_cast)
        seat(committed_cast, entry, session.pk, 1)
        for role in ("app", "owner"):
            for statement in (
                "UPDATE tables_waitingentry SET ended_at = NULL",
                "UPDATE tables_waitingentry SET added_at = now()",
                "DELETE FROM tables_waitingentry",
                "UPDATE tables_waitinglist SET game = 'pai-gow-poker'",
                "DELETE FROM tables_waitinglist",
                "UPDATE tables_waitingevent SET kind = 'removed'",
            ):
                with connect(role) as link, pytest.raises((errors.RaiseException, errors.InsufficientPrivilege)):
                    link.execute(statement)


class TestPages:
    """The floor's pages of the lists."""

    @pytest.fixture
    def entry(self, cast: Cast) -> WaitingEntry:
        """Lin waits, at a table that Ben deals."""
        session_deal_in(order(cast.dealer), session_id=play.open_chinese(cast).pk)
        return add(cast)

    def pages(self, entry: WaitingEntry) -> list[str]:
        of_list = [reverse(f"floor:{name}", args=[entry.waiting_list_id]) for name in ("list-history", "list-csv")]
        return [LISTS, NOW, reverse("floor:list-add"), reverse("floor:list-entry", args=[entry.pk]), *of_list]

    def text(self, cast: Cast, url: str, **query: str) -> str:
        response = on_the_web(cast.ada).get(url, query)
        assert response.status_code == 200, response.content[:300]
        return " ".join(response.content.decode().split())

    def test_they_are_for_the_floor_of_the_room_on_the_web(self, cast: Cast, entry: WaitingEntry) -> None:
        iris = hire("5001", "Iris", Role.COMPLIANCE, room=cast.room)
        ona = hire("9001", "Ona", Role.ADMIN, room=cast.room)
        refused_to = [on_the_web(user) for user in (cast.ben, cast.cleo, iris, ona)]
        refused_to.append(on_a_tablet(cast.ada, cast.tablet, cast.tablet_token))
        for url in self.pages(entry):
            assert on_the_web(cast.max).get(url).status_code == 200, url
            for client in refused_to:
                answer = client.get(url)
                assert answer.status_code == 403 and b"Lin" not in answer.content, url
            assert Client().get(url).status_code == 302
        dan = on_the_web(cast.dan)
        assert [dan.get(url).status_code for url in self.pages(entry)] == [200, 200, 200, 404, 404, 404]
        assert b"Lin" not in dan.get(LISTS).content

    def test_a_list_says_who_waits_what_is_open_and_what_stands_out(self, cast: Cast, entry: WaitingEntry) -> None:
        html = self.text(cast, LISTS)
        for words in (
            "Chinese Poker, $5 a point",
            "1 waiting",
            "4 open seats: 1, 2, 3, 4",
            "while people wait",
            "Ben deals",
        ):
            assert words in html, words
        assert 'data-verb="waiting.call"' in html and "stands-out" in html
        call(cast, entry)
        html = self.text(cast, LISTS)
        assert "called, waited for until" in html and 'data-verb="waiting.call"' not in html

    def test_a_list_that_polls_is_sent_again_only_when_something_happened(
        self, cast: Cast, entry: WaitingEntry
    ) -> None:
        ada = on_the_web(cast.ada)
        etag = ada.get(NOW)["ETag"]
        assert ada.get(NOW, headers={"If-None-Match": etag}).status_code == 304
        call(cast, entry)
        assert ada.get(NOW, headers={"If-None-Match": etag}).status_code == 200

    def test_a_barred_person_has_no_button_but_to_be_removed(self, cast: Cast, entry: WaitingEntry) -> None:
        bar(cast, "P1")
        html = self.text(cast, LISTS)
        assert "barred, for good" in html and 'data-verb="waiting.call"' not in html and "Remove…" in html
        panel = self.text(cast, reverse("floor:list-entry", args=[entry.pk]))
        assert 'data-verb="waiting.seat"' not in panel and 'data-verb="waiting.remove"' in panel
        assert "Shouted" not in panel

    def test_the_form_is_filled_for_the_list_it_was_opened_at(self, cast: Cast, entry: WaitingEntry) -> None:
        of_list = self.text(
            cast, reverse("floor:list-add"), **{name: str(value) for name, value in FIVE_A_POINT.items()}
        )
        assert of_list.count('data-verb="waiting.add"') == 1 and 'data-kind="number" value="500"' in of_list
        for query in ({}, {"room": "two", "game": "x"}, {**FIVE_A_POINT, "point_value_cents": "x" * 9}):
            assert self.text(cast, reverse("floor:list-add"), **query).count('data-verb="waiting.add"') == 2

    def test_the_history_of_a_day_is_paged_and_kept_as_csv(
        self, cast: Cast, entry: WaitingEntry, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for _each in range(30):
            put_last(cast, entry)
        remove(cast, entry, "other", "=HYPERLINK(1)")
        park = add(cast, "P2")
        seat(cast, park, play_at(cast).pk, 1)
        url, as_csv = self.pages(entry)[4:]
        monkeypatch.setattr("tables.selectors.waiting.EVENTS_A_PAGE", 20)
        first = self.text(cast, url)
        oldest = WaitingEvent.objects.order_by("-happened_at", "-pk")[19]
        second = self.text(cast, url, before=str(oldest.pk))
        assert (first.count("Put at the end"), second.count("Put at the end")) == (17, 13)
        assert "Removed: =HYPERLINK(1)" in first and "Seated, T7 seat 1" in first and "Added" in second
        lines = b"".join(on_the_web(cast.ada).get(as_csv)).decode("utf-8-sig").splitlines()
        assert len(lines) == 1 + WaitingEvent.objects.count() == 35
        assert lines[1].endswith(",Lin,P1,Added,,,,,Ada,1001") and "Removed,,,Other,'=HYPERLINK(1),Ada" in lines[32]
        yesterday = cast.room.gaming_day(timezone.now()) - timedelta(days=1)
        assert "Nothing happened on this list" in self.text(cast, url, day=str(yesterday))


def play_at(cast: Cast) -> TableSession:
    return TableSession.objects.get(table=cast.chinese)


def both_past(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let two go on from a function of the service only when both have come out of it."""
    barrier, real = Barrier(2), getattr(services, name)

    def meet(*args: Any, **kwargs: Any) -> Any:
        result = real(*args, **kwargs)
        barrier.wait(PATIENCE_SECONDS)
        return result

    monkeypatch.setattr(services, name, meet)


def unlocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: nobody waits for who does something to the same person on a list."""
    rows = WaitingEntry.objects.select_related("waiting_list__room", "patron")
    monkeypatch.setattr(services, "lock_waiting_entry", lambda entry_id: rows.get(pk=entry_id))
    monkeypatch.setattr(services, "lock_waiting_list", lambda _list_id: None)


class TestTwoAtOnce:
    """Ada and Max press at the same instant."""

    def pressed(self, *acts: Callable[[], Any]) -> tuple[list[Any], list[Refusal]]:
        results = together(acts)
        done = [each for each in results if isinstance(each, dict)]
        told = [each for each in results if isinstance(each, Refusal)]
        assert len(done) + len(told) == len(results), results
        return done, told

    def call_at_once(self, cast: Cast) -> tuple[WaitingEntry, list[Any], list[Refusal]]:
        entry = add(cast)
        return entry, *self.pressed(partial(call, cast, entry), partial(call, cast, entry, Actor.of(cast.max)))

    def test_one_calls_and_the_other_is_told_who_did(self, committed_cast: Cast) -> None:
        entry, done, told = self.call_at_once(committed_cast)
        assert (len(done), [each.code for each in told]) == (1, ["called-already"])
        assert happened(entry) == ["added", "called"]
        assert "called Lin at" in told[0].message

    def test_without_the_lock_the_number_of_the_event_tells_one(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        unlocked(monkeypatch)
        both_past(monkeypatch, "running_call")
        entry, done, told = self.call_at_once(committed_cast)
        assert (len(done), [each.code for each in told]) == (1, ["waiting-changed"])
        assert happened(entry) == ["added", "called"]

    def seat_at_once(self, cast: Cast) -> tuple[WaitingEntry, list[Any], list[Refusal]]:
        entry, first, second = add(cast), play.open_chinese(cast), open_another(cast)
        return entry, *self.pressed(
            partial(seat, cast, entry, first.pk, 1), partial(seat, cast, entry, second.pk, 1, Actor.of(cast.max))
        )

    def test_one_seats_and_the_other_is_told_at_whatever_table(self, committed_cast: Cast) -> None:
        entry, done, told = self.seat_at_once(committed_cast)
        assert (len(done), [each.code for each in told]) == (1, ["off-the-list"])
        assert "has seated Lin already" in told[0].message
        assert Sitting.objects.count() == 1 and happened(entry) == ["added", "seated"]

    def test_without_the_lock_one_of_the_two_seats_is_taken_back(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        unlocked(monkeypatch)
        both_past(monkeypatch, "sit_down")
        entry, done, told = self.seat_at_once(committed_cast)
        assert (len(done), len(told)) == (1, 1)
        assert Sitting.objects.count() == 1 and happened(entry) == ["added", "seated"]

    def test_one_seats_and_one_removes_and_one_is_told(self, committed_cast: Cast) -> None:
        entry, session = add(committed_cast), play.open_chinese(committed_cast)
        done, told = self.pressed(
            partial(seat, committed_cast, entry, session.pk, 1), partial(remove, committed_cast, entry)
        )
        assert (len(done), [each.code for each in told]) == (1, ["off-the-list"])

    @pytest.mark.parametrize("who", [{}, {"description": "Red cap"}], ids=["with a card", "only described"])
    def test_two_who_add_the_same_person_add_them_once(self, committed_cast: Cast, who: dict[str, str]) -> None:
        add(committed_cast, "P4")
        done, told = self.added_twice(committed_cast, who)
        assert (len(done), [each.code for each in told]) == (1, ["waiting-already"])
        assert WaitingEntry.objects.count() == 2

    def added_twice(self, cast: Cast, who: dict[str, str]) -> tuple[list[Any], list[Refusal]]:
        values = {**FIVE_A_POINT, **(who or {"patron_number": "P1"})}
        return self.pressed(*[partial(press_add, Actor.of(user), values) for user in (cast.ada, cast.max)])

    def test_without_the_lists_lock_a_constraint_tells_one(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        add(committed_cast, "P4")
        unlocked(monkeypatch)
        both_past(monkeypatch, "_check_may_wait")
        done, told = self.added_twice(committed_cast, {})
        assert (len(done), [each.code for each in told]) == (1, ["waiting-already"])


def press_add(actor: Actor, values: dict[str, Any]) -> dict[str, Any]:
    return waiting_add(order(actor), **values)
