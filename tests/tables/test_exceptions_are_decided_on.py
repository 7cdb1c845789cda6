"""Exceptions: raised at the table, decided on once, and by somebody else than who raised them."""

from functools import partial
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import IntegrityError

from casino.errors import Conflict, Forbidden, Malformed, NotThere
from casino.staff.actor import Actor
from tables.models import ExceptionDecision, TableException
from tables.selectors.inbox import inbox
from tables.services import exceptions
from tables.services.exceptions import exception_decide, exception_raise
from tests.ledger.clean import assert_clean
from tests.ledger.together import together
from tests.people import Cast, order
from tests.tables import play
from tests.tables.disputed import decide, exception
from tests.tables.test_ledger_check_sees_the_hands import check
from tests.tables.test_races_at_the_table import answers, both_past, codes, table_unlocked


def test_somebody_else_decides_once_and_with_a_reason(committed_cast: Cast) -> None:
    session, _lin, _park, hand_id = play.deal_chinese(committed_cast)
    told = exception(committed_cast, session.pk)
    own = exception_raise(
        order(committed_cast.floor),
        session_id=session.pk,
        hand_id=hand_id,
        kind="contradiction",
        words="two chips nobody bought",
    )
    with pytest.raises(Forbidden) as refused:
        decide(committed_cast, own["exception"])
    assert refused.value.code == "own-exception"
    assert decide(committed_cast, told, "refused") == {"exception": str(told), "outcome": "refused"}
    decide(committed_cast, own["exception"], actor=Actor.of(committed_cast.max))
    with pytest.raises(Conflict) as again:
        decide(committed_cast, told)
    assert again.value.code == "decided-already"
    assert ExceptionDecision.objects.get(exception=told).reason == "seen on camera"
    assert_clean()


def test_what_is_said_has_words_a_kind_and_a_hand_of_the_session(cast: Cast) -> None:
    session, _lin, _park, _hand_id = play.deal_chinese(cast)
    *_rest, elsewhere = play.deal_pai_gow(cast)
    wrong: dict[str, dict[str, Any]] = {
        "words": {"words": "  "},
        "kind": {"kind": "paid-differently"},
        "hand_id": {"hand_id": elsewhere},
    }
    for field, values in wrong.items():
        given = {"session_id": session.pk, "words": "something", **values}
        with pytest.raises(Malformed) as refused:
            exception_raise(order(cast.dealer), **given)
        assert set(refused.value.fields) == {field}
    told = exception(cast, session.pk)
    for field, values in {"outcome": {"outcome": "perhaps"}, "reason": {"reason": " "}}.items():
        given = {"exception_id": told, "outcome": "accepted", "reason": "fine", **values}
        with pytest.raises(Malformed) as refused:
            exception_decide(order(cast.floor), **given)
        assert set(refused.value.fields) == {field}
    with pytest.raises(NotThere):
        decide(cast, uuid4())
    assert TableException.objects.count() == 1


def test_dealers_raise_and_do_not_decide_nor_does_floor_of_another_room(cast: Cast) -> None:
    session, *_rest = play.deal_chinese(cast)
    told = exception(cast, session.pk)
    for actor in (cast.dealer, cast.stranger, Actor.of(cast.cleo)):
        with pytest.raises(Forbidden):
            decide(cast, told, actor=actor)
    for actor in (cast.pai_gow_dealer, cast.stranger):
        with pytest.raises(Forbidden):
            exception_raise(order(actor), session_id=session.pk, words="not theirs")
    assert not ExceptionDecision.objects.exists()


def test_what_waits_is_listed_the_oldest_first_for_the_rooms_floor(cast: Cast) -> None:
    session, *_rest = play.deal_chinese(cast)
    first = exception(cast, session.pk, "first")
    second = UUID(exception_raise(order(cast.floor), session_id=session.pk, words="second")["exception"])
    assert [(each.row.pk, each.is_own) for each in inbox(cast.floor).waiting] == [(first, False), (second, True)]
    decide(cast, first)
    assert [each.row.pk for each in inbox(Actor.of(cast.max)).waiting] == [second]
    assert inbox(cast.stranger).waiting == []
    with pytest.raises(Forbidden):
        inbox(cast.dealer)


class TestTwoDecideAtOnce:
    def decide_twice(self, cast: Cast) -> list[Any]:
        session, *_rest = play.deal_chinese(cast)
        told = exception(cast, session.pk)
        manager = Actor.of(cast.max)
        return together([partial(decide, cast, told), partial(decide, cast, told, "refused", actor=manager)])

    def test_and_one_decision_is_made(self, committed_cast: Cast) -> None:
        results = self.decide_twice(committed_cast)
        assert len(answers(results)) == 1
        assert codes(results) == ["decided-already"]
        assert_clean()

    def test_and_without_the_tables_lock_the_database_lets_one_through(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table_unlocked(monkeypatch)
        both_past(monkeypatch, exceptions, "_check_may_decide")
        results = self.decide_twice(committed_cast)
        assert len(answers(results)) == 1
        assert sum(isinstance(result, IntegrityError) for result in results) == 1


TAMPERED = {
    "decided by who raised it": (
        "UPDATE tables_tableexception SET command_id = (SELECT command_id FROM tables_exceptiondecision)",
        "was decided on by who raised it",
    ),
    "another outcome": (
        "UPDATE tables_exceptiondecision SET outcome = 'refused'",
        "was not decided on as its command says",
    ),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_the_check_names_a_decision_that_was_tampered_with(
    committed_cast: Cast, superuser: psycopg.Connection, name: str
) -> None:
    session, *_rest = play.deal_chinese(committed_cast)
    told = exception(committed_cast, session.pk)
    decide(committed_cast, told)
    assert check()[0] == 0
    statement, words = TAMPERED[name]
    assert superuser.execute(statement).rowcount == 1
    status, printed = check()
    assert status == 1
    assert f"exception {told}: it {words}" in printed


@pytest.mark.parametrize("table", ["tables_tableexception", "tables_exceptiondecision"])
def test_the_check_names_the_command_whose_row_is_gone(
    committed_cast: Cast, superuser: psycopg.Connection, table: str
) -> None:
    session, *_rest = play.deal_chinese(committed_cast)
    decide(committed_cast, exception(committed_cast, session.pk))
    superuser.execute(f"DELETE FROM {table}")
    status, printed = check()
    assert status == 1
    assert f"nothing is stored for its exception.{'raise' if table == 'tables_tableexception' else 'decide'}" in printed
