"""Floor is called with a reason, answers once, and closes; the last hand is taken back by floor alone, asked in time."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import IntegrityError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from psycopg import errors

from casino.errors import Conflict, Forbidden, Malformed, NotThere, Refusal
from casino.staff.actor import Actor
from tables.models import CallAnswer, CallClose, FloorCall, TableException
from tables.selectors.calls import may_ask_undo, open_calls, open_calls_of
from tables.selectors.inbox import inbox
from tables.selectors.table_state import table_state
from tables.services import calls
from tables.services.calls import floor_call, floor_close
from tables.services.corrections import hand_resettle
from tables.services.hands import hand_start, hand_void
from tables.services.sessions import session_close
from tables.services.sittings import sitting_cash_out
from tests.ledger.clean import assert_clean
from tests.ledger.together import together
from tests.people import Cast, order
from tests.tables import play
from tests.tables.calling import answer, ask_undo, call, close
from tests.tables.controls import table_unlocked
from tests.tables.disputed import decide
from tests.tables.test_ledger_check_sees_the_hands import check
from tests.tables.test_races_at_the_table import answers, both_past, codes


def settled(cast: Cast) -> tuple[Any, UUID]:
    """A hand of table 7 that was settled, and its session."""
    session, _lin, _park, hand_id = play.deal_chinese(cast)
    play.settle(cast, hand_id, play.CHINESE_HANDS)
    return session, hand_id


class TestACall:
    def test_is_open_with_its_age_until_it_was_answered_and_closed(self, committed_cast: Cast) -> None:
        session, _lin, _park, hand_id = play.deal_chinese(committed_cast)
        told = call(committed_cast, session, "dispute", note=" the middle ", hand_id=hand_id)
        (waiting,) = open_calls(session)
        assert (waiting.id, waiting.reason, waiting.note) == (told, "dispute", "the middle")
        assert (waiting.called_by, waiting.answered_by, waiting.answered_at) == ("Ben", "", None)
        assert answer(committed_cast, told) == {"call": str(told), "answered_by": "Ada"}
        (coming,) = table_state(committed_cast.chinese).calls
        assert coming.answered_by == "Ada"
        assert coming.answered_at is not None
        assert timedelta() <= coming.answered_at - coming.called_at < timedelta(minutes=1)
        close(committed_cast, told, actor=committed_cast.dealer)
        assert open_calls(session) == []
        assert FloorCall.objects.get(pk=told).hand_id == hand_id
        assert_clean()

    def test_is_made_once_a_reason_until_it_is_closed(self, cast: Cast) -> None:
        session = play.open_chinese(cast)
        first = call(cast, session, "fill")
        with pytest.raises(Conflict, match="nobody has answered yet") as refused:
            call(cast, session, "fill")
        assert refused.value.code == "called-already"
        call(cast, session, "service")
        answer(cast, first)
        with pytest.raises(Conflict, match="Ada is on the way already"):
            call(cast, session, "fill")
        close(cast, first)
        call(cast, session, "fill")
        assert [each.reason for each in open_calls(session)] == ["service", "fill"]

    def test_has_one_of_four_reasons_a_short_note_and_a_hand_of_the_session(self, cast: Cast) -> None:
        session, *_rest = play.deal_chinese(cast)
        *_table, elsewhere = play.deal_pai_gow(cast)
        wrong: dict[str, Any] = {"reason": "thirst", "note": "x" * 301, "hand_id": elsewhere}
        for field, value in wrong.items():
            with pytest.raises(Malformed) as refused:
                floor_call(order(cast.dealer), session_id=session.pk, **{"reason": "fill", field: value})
            assert set(refused.value.fields) == {field}
        assert not FloorCall.objects.exists()

    def test_is_for_whoever_works_at_the_table_and_answered_by_its_floor(self, cast: Cast) -> None:
        session = play.open_chinese(cast)
        for actor in (cast.pai_gow_dealer, cast.stranger, Actor.of(cast.cleo), Actor.of(cast.ben)):
            with pytest.raises(Forbidden):
                floor_call(order(actor), session_id=session.pk, reason="decision")
        told = call(cast, session)
        for actor in (cast.dealer, cast.stranger, Actor.of(cast.cleo)):
            with pytest.raises(Forbidden):
                answer(cast, told, actor=actor)
        for actor in (cast.stranger, cast.pai_gow_dealer):
            with pytest.raises(Forbidden):
                close(cast, told, actor=actor)
        answer(cast, told, actor=Actor.of(cast.max))

    def test_is_not_closed_by_the_dealer_before_it_was_answered(self, cast: Cast) -> None:
        told = call(cast, play.open_chinese(cast))
        with pytest.raises(Refusal, match="Nobody has answered") as refused:
            close(cast, told, actor=cast.dealer)
        assert (refused.value.code, refused.value.status) == ("not-answered", 409)
        close(cast, told)

    def test_is_closed_unanswered_by_a_supervisor_who_has_come_and_gives_badge_and_pin(self, cast: Cast) -> None:
        told = call(cast, play.open_chinese(cast))
        for other in (cast.dealer, cast.stranger, Actor.of(cast.cleo)):
            with pytest.raises(Forbidden) as refused:
                floor_close(replace(order(cast.dealer), approver=other), call_id=told)
            assert refused.value.code == "second-person"
        floor_close(replace(order(cast.dealer), approver=cast.floor), call_id=told)
        closed = CallClose.objects.select_related("command").get(call=told)
        assert (closed.command.actor_id, closed.command.approver_id) == (cast.ben.pk, cast.ada.pk)

    def test_is_answered_once_and_not_after_it_was_closed(self, cast: Cast) -> None:
        told = call(cast, play.open_chinese(cast))
        answer(cast, told)
        with pytest.raises(Conflict, match="Ada has answered"):
            answer(cast, told, actor=Actor.of(cast.max))
        close(cast, told)
        for press in (answer, close):
            with pytest.raises(Conflict, match="Ada has closed"):
                press(cast, told, actor=Actor.of(cast.max))
            with pytest.raises(NotThere):
                press(cast, uuid4())

    def test_ends_with_the_table(self, cast: Cast) -> None:
        session = play.open_chinese(cast)
        told = call(cast, session)
        session_close(order(cast.floor), session_id=session.pk)
        with pytest.raises(Conflict):
            answer(cast, told)
        assert table_state(cast.chinese).calls == ()

    def test_is_read_for_many_tables_at_once(self, cast: Cast) -> None:
        chinese, pai_gow = play.open_chinese(cast), play.open_pai_gow(cast)
        told = [call(cast, chinese), call(cast, pai_gow, "fill")]
        with CaptureQueriesContext(connection) as queries:
            found = open_calls_of([chinese.pk, pai_gow.pk])
        assert len(queries) == 1
        assert [found[session.pk][0].id for session in (chinese, pai_gow)] == told


class TestTwoPressAtOnce:
    def answer_twice(self, cast: Cast) -> list[Any]:
        told = call(cast, play.open_chinese(cast))
        return together([partial(answer, cast, told), partial(answer, cast, told, actor=Actor.of(cast.max))])

    def test_and_one_is_on_the_way(self, committed_cast: Cast) -> None:
        results = self.answer_twice(committed_cast)
        assert len(answers(results)) == 1
        assert codes(results) == ["answered-already"]
        assert CallAnswer.objects.count() == 1
        assert_clean()

    def test_and_without_the_tables_lock_the_database_lets_one_through(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table_unlocked(monkeypatch)
        both_past(monkeypatch, calls, "_lock_call")
        results = self.answer_twice(committed_cast)
        assert len(answers(results)) == 1
        assert sum(isinstance(result, IntegrityError) for result in results) == 1

    def test_and_floor_is_called_once(self, committed_cast: Cast) -> None:
        session = play.open_chinese(committed_cast)
        press = partial(floor_call, session_id=session.pk, reason="decision")
        results = together([partial(press, order(actor)) for actor in (committed_cast.dealer, committed_cast.floor)])
        assert len(answers(results)) == 1
        assert codes(results) == ["called-already"]

    def test_and_the_last_hand_is_asked_about_once(self, committed_cast: Cast) -> None:
        _session, hand_id = settled(committed_cast)
        press = partial(ask_undo, committed_cast, hand_id)
        results = together([press, partial(press, actor=committed_cast.floor)])
        assert codes(results) == ["undo-asked"]
        assert TableException.objects.count() == 1


def test_a_second_open_call_for_a_reason_is_refused_by_the_database(
    committed_cast: Cast, connect: Callable[[str], psycopg.Connection]
) -> None:
    told = call(committed_cast, play.open_chinese(committed_cast))
    row = FloorCall.objects.get(pk=told)
    again = (
        "INSERT INTO tables_floorcall (id, session_id, reason, note, called_at, command_id) "
        "SELECT gen_random_uuid(), session_id, reason, note, called_at, command_id FROM tables_floorcall WHERE id = %s"
    )
    with pytest.raises(errors.RaiseException, match="called for this reason already"):
        connect("app").execute(again, [row.pk])


class TestTakingBackTheLastHand:
    def test_is_asked_by_the_dealer_and_decided_by_floor_who_puts_it_right(self, committed_cast: Cast) -> None:
        session, hand_id = settled(committed_cast)
        assert may_ask_undo(session.hands.get())
        told = ask_undo(committed_cast, hand_id)
        assert not may_ask_undo(session.hands.get())
        (waiting,) = inbox(committed_cast.floor).waiting
        assert (waiting.row.pk, waiting.row.kind, waiting.row.hand_id) == (told, "undo-asked", hand_id)
        assert waiting.row.words == "Hand 1 is to be taken back or put right: the middle was read wrong"
        again: dict[str, Any] = {"base_revision": 1, "hands": play.FOULED_HANDS}
        hand_resettle(order(committed_cast.floor), hand_id=hand_id, reason_code="cards", reason="misread", **again)
        decide(committed_cast, told)
        assert inbox(committed_cast.floor).waiting == []
        assert may_ask_undo(session.hands.get())
        assert_clean()

    def test_moves_nothing_by_itself(self, cast: Cast) -> None:
        session, hand_id = settled(cast)
        before = [play.stack_of(each) for each in session.sittings.order_by("seat__number")]
        ask_undo(cast, hand_id)
        assert [play.stack_of(each) for each in session.sittings.order_by("seat__number")] == before

    def test_is_too_late_once_the_next_hand_has_begun_pg_45(self, cast: Cast) -> None:
        session, hand_id = settled(cast)
        hand_start(order(cast.dealer), session_id=session.pk)
        with pytest.raises(Refusal, match=r"Hand 2 has begun.*Call floor") as refused:
            ask_undo(cast, hand_id)
        assert (refused.value.code, refused.value.rule, refused.value.status) == ("window-over", "PG-45", 409)

    def test_is_too_late_once_the_table_is_closed(self, cast: Cast) -> None:
        session, hand_id = settled(cast)
        for sitting in session.sittings.all():
            sitting_cash_out(order(cast.dealer), sitting_id=sitting.pk)
        session_close(order(cast.floor), session_id=session.pk)
        with pytest.raises(Refusal, match="The table is closed") as refused:
            ask_undo(cast, hand_id)
        assert refused.value.code == "window-over"

    def test_is_of_no_hand_that_is_out_or_was_voided(self, cast: Cast) -> None:
        *_table, hand_id = play.deal_chinese(cast)
        with pytest.raises(Conflict, match="still out"):
            ask_undo(cast, hand_id)
        hand_void(order(cast.floor), hand_id=hand_id, reason="dealt twice")
        with pytest.raises(Conflict, match="was voided"):
            ask_undo(cast, hand_id)

    def test_is_asked_once_and_with_a_reason_until_floor_has_decided(self, cast: Cast) -> None:
        _session, hand_id = settled(cast)
        with pytest.raises(Malformed) as refused:
            ask_undo(cast, hand_id, " ")
        assert set(refused.value.fields) == {"reason"}
        told = ask_undo(cast, hand_id)
        with pytest.raises(Conflict) as again:
            ask_undo(cast, hand_id)
        assert again.value.code == "undo-asked"
        decide(cast, told, "refused")
        ask_undo(cast, hand_id, "another mistake")

    def test_is_for_whoever_works_at_the_table(self, cast: Cast) -> None:
        _session, hand_id = settled(cast)
        for actor in (cast.pai_gow_dealer, cast.stranger, Actor.of(cast.cleo)):
            with pytest.raises(Forbidden):
                ask_undo(cast, hand_id, actor=actor)


class TestTheFloorsPages:
    def test_show_a_call_on_the_tile_and_on_the_tables_panel_with_one_press(self, cast: Cast, client: Client) -> None:
        session = play.open_chinese(cast)
        told = call(cast, session, "decision", note="two cards on the floor")
        client.force_login(cast.ada)
        pages = [reverse("floor:board"), reverse("floor:facts", args=[cast.chinese.pk])]
        for url in pages:
            text = client.get(url).content.decode()
            assert text.count('data-verb="floor.answer"') == 1
            assert "two cards on the floor" in text
            assert f'name="call_id" value="{told}"' in text
        answer(cast, told)
        for url in pages:
            text = client.get(url).content.decode()
            assert "Ada is on the way" in text
            assert text.count('data-verb="floor.close"') == 1
        close(cast, told)
        assert "two cards" not in client.get(pages[0]).content.decode()

    def test_show_it_once_where_the_tables_panel_stands_beside_its_tile(self, cast: Cast, client: Client) -> None:
        call(cast, play.open_chinese(cast))
        client.force_login(cast.ada)
        text = client.get(reverse("floor:table", args=[cast.chinese.pk])).content.decode()
        assert text.count('data-verb="floor.answer"') == 1


@pytest.mark.parametrize(
    ("table", "verb"),
    [
        ("tables_callclose", "floor.close"),
        ("tables_callanswer", "floor.answer"),
        ("tables_floorcall", "floor.call"),
        ("tables_tableexception", "hand.ask_undo"),
    ],
)
def test_the_check_names_the_command_whose_row_is_gone(
    committed_cast: Cast, superuser: psycopg.Connection, table: str, verb: str
) -> None:
    session, hand_id = settled(committed_cast)
    told = call(committed_cast, session)
    answer(committed_cast, told)
    close(committed_cast, told)
    ask_undo(committed_cast, hand_id)
    assert check()[0] == 0
    superuser.execute(f"DELETE FROM {table}")
    status, printed = check()
    assert status == 1
    assert f"nothing is stored for its {verb}" in printed
