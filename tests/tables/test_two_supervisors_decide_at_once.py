"""Two supervisors press at once, in threads of their own: one wins, the other is told. Each control takes the lock away."""

from __future__ import annotations

from functools import partial
from threading import Event
from typing import Any
from uuid import UUID

import pytest

from casino.errors import Conflict
from casino.staff.actor import Actor
from casino.staff.models import Role
from tables.models import ExceptionDecision, Ruling, Taking
from tables.services import disputes, exceptions, takings
from tables.services.disputes import dispute_take
from tables.services.exceptions import exception_take
from tests.ledger.clean import assert_clean
from tests.ledger.together import PATIENCE_SECONDS, together
from tests.people import Cast, hire, order
from tests.tables import play
from tests.tables.controls import table_unlocked
from tests.tables.disputed import decide, dispute, exception, rule
from tests.tables.test_ledger_check_sees_the_hands import check
from tests.tables.test_races_at_the_table import answers, both_past, codes


def eve_of(cast: Cast) -> Actor:
    """A second supervisor of Room One."""
    return Actor.of(hire("1003", "Eve", Role.FLOOR, room=cast.room))


def told(cast: Cast) -> UUID:
    """An exception that the dealer raised."""
    session, *_rest = play.deal_chinese(cast)
    return exception(cast, session.pk)


class TestBothTakeIt:
    def take_twice(self, cast: Cast, kind: str) -> list[Any]:
        session, *_both, hand = play.deal_chinese(cast)
        if kind == "dispute":
            take = partial(dispute_take, dispute_id=dispute(cast, hand))
        else:
            take = partial(exception_take, exception_id=exception(cast, session.pk))
        eve = eve_of(cast)
        return together([partial(take, order(cast.floor)), partial(take, order(eve))])

    @pytest.mark.parametrize("kind", ["exception", "dispute"])
    def test_and_one_has_it_and_the_other_is_told_who(self, committed_cast: Cast, kind: str) -> None:
        results = self.take_twice(committed_cast, kind)
        (answer,) = answers(results)
        assert codes(results) == ["taken"]
        (refused,) = [result for result in results if isinstance(result, Conflict)]
        assert f"{answer['taken_by']} has had this for 0:00" in refused.message
        assert Taking.objects.get().command.actor.name == answer["taken_by"]
        assert_clean()

    def test_and_without_the_tables_lock_both_find_it_free_and_the_database_lets_one_through(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table_unlocked(monkeypatch)
        both_past(monkeypatch, takings, "open_taking")
        results = self.take_twice(committed_cast, "exception")
        assert len(answers(results)) == 1
        (refused,) = [result for result in results if isinstance(result, Conflict)]
        assert refused.message == "Somebody else has taken this meanwhile.", "nobody can say who any more"


class TestOneTakesWhatTheOtherDecides:
    def test_and_it_is_either_taken_or_decided(self, committed_cast: Cast) -> None:
        exception_id, eve = told(committed_cast), eve_of(committed_cast)
        take = partial(exception_take, order(committed_cast.floor), exception_id=exception_id)
        results = together([take, partial(decide, committed_cast, exception_id, actor=eve)])
        assert len(answers(results)) == 1
        assert codes(results) in (["taken"], ["decided-already"])
        assert ExceptionDecision.objects.count() + Taking.objects.filter(ended_at__isnull=True).count() == 1
        assert_clean()

    def test_and_without_the_tables_lock_one_decides_on_what_the_other_was_told_to_have(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table_unlocked(monkeypatch)
        exception_id, eve = told(committed_cast), eve_of(committed_cast)
        began, found_free, taken = Event(), Event(), Event()
        real_take, real_check = exceptions.take, exceptions.check_free

        def take_late(*args: Any) -> None:
            began.set()
            found_free.wait(PATIENCE_SECONDS)
            real_take(*args)

        def check_early(*args: Any) -> None:
            real_check(*args)
            found_free.set()
            taken.wait(PATIENCE_SECONDS)

        def ada_takes() -> dict[str, Any]:
            answer = exception_take(order(committed_cast.floor), exception_id=exception_id)
            taken.set()
            return answer

        def eve_decides() -> dict[str, Any]:
            began.wait(PATIENCE_SECONDS)
            return decide(committed_cast, exception_id, actor=eve)

        monkeypatch.setattr(exceptions, "take", take_late)
        monkeypatch.setattr(exceptions, "check_free", check_early)
        assert len(answers(together([ada_takes, eve_decides]))) == 2, "neither is told"
        status, printed = check()
        assert status == 1
        assert f"exception {exception_id}: it was decided on while somebody else had it" in printed


class TestBothDecide:
    def test_and_one_decision_is_made_and_one_ruling(self, committed_cast: Cast) -> None:
        session, *_both, hand = play.deal_chinese(committed_cast)
        raised, disputed, eve = (
            exception(committed_cast, session.pk),
            dispute(committed_cast, hand),
            eve_of(committed_cast),
        )
        decided = together(
            [partial(decide, committed_cast, raised), partial(decide, committed_cast, raised, "refused", actor=eve)]
        )
        ruled = together([partial(rule, committed_cast, disputed), partial(rule, committed_cast, disputed, actor=eve)])
        for results, code in ((decided, "decided-already"), (ruled, "ruled-already")):
            assert len(answers(results)) == 1
            assert codes(results) == [code]
        assert (ExceptionDecision.objects.count(), Ruling.objects.count(), Taking.objects.count()) == (1, 1, 2)
        assert_clean()

    def test_and_without_the_tables_lock_the_second_ruling_fails_at_the_last_moment(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        *_table, hand = play.deal_chinese(committed_cast)
        disputed, eve = dispute(committed_cast, hand), eve_of(committed_cast)
        table_unlocked(monkeypatch)
        both_past(monkeypatch, disputes, "_check_not_ruled")
        results = together(
            [partial(rule, committed_cast, disputed), partial(rule, committed_cast, disputed, actor=eve)]
        )
        assert len(answers(results)) == 1
        assert codes(results) == [], "the other is told nothing that helps"
