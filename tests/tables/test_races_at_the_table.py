"""Several people press at once, in threads of their own. Each control takes the lock away and shows what it is for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from threading import Barrier
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import IntegrityError
from django.test import Client

from casino.errors import Conflict, Refusal
from casino.staff.middleware import DEVICE_COOKIE
from ledger.kinds import TransactionKind
from ledger.models import Transaction
from ledger.services import account_freeze, account_release
from tables.models import BuyIn, Command, Hand, RuleSetVersion, Sitting, Table, TableSession
from tables.services import commands, hands, sessions, settling, sittings
from tables.services.books import house_book
from tables.services.hands import hand_start, hand_void
from tables.services.sessions import rule_set_version, session_open
from tables.services.settling import hand_settle
from tables.services.sittings import sitting_buy_in, sitting_cash_out
from tests.ledger.clean import assert_clean
from tests.ledger.house import NOON
from tests.ledger.together import PATIENCE_SECONDS, together
from tests.people import Cast, order
from tests.pin_sign_in import pin_sign_in
from tests.tables import play
from tests.tables.controls import table_unlocked
from tests.tables.test_commands_over_http import do

FULL_CENTS, SHORT_CENTS = 10_000, 5_000


def answers(results: list[Any]) -> list[dict[str, Any]]:
    """Those that were done."""
    return [result for result in results if isinstance(result, dict)]


def codes(results: list[Any]) -> list[str]:
    """What the others were told."""
    return [result.code for result in results if isinstance(result, Refusal)]


def both_past(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> None:
    """Let two go on from a function only when both have come out of it, as two may whom nothing holds."""
    barrier, real = Barrier(2), getattr(module, name)

    def meet(*args: Any, **kwargs: Any) -> Any:
        result = real(*args, **kwargs)
        barrier.wait(PATIENCE_SECONDS)
        return result

    monkeypatch.setattr(module, name, meet)


class TestOnePress:
    """The same press arrives twice at once."""

    def buy_in_twice(self, cast: Cast, lin: Sitting) -> list[Any]:
        press = order(cast.dealer)
        return together([partial(sitting_buy_in, press, sitting_id=lin.pk, amount_cents=FULL_CENTS)] * 2)

    def test_is_done_once_and_answered_twice(self, committed_cast: Cast) -> None:
        lin = play.sit(committed_cast, play.open_chinese(committed_cast), 1, "P1")
        first, second = self.buy_in_twice(committed_cast, lin)
        assert first == second == {"sitting": str(lin.pk), "stack_cents": FULL_CENTS, "short": False}

    def test_without_the_keys_lock_it_is_done_once_and_one_gets_no_answer(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lin = play.sit(committed_cast, play.open_chinese(committed_cast), 1, "P1")
        monkeypatch.setattr(commands, "lock_command_key", lambda *_: [])
        both_past(monkeypatch, commands, "_check_time")
        results = self.buy_in_twice(committed_cast, lin)
        assert len(answers(results)) == 1
        assert sum(isinstance(result, IntegrityError) for result in results) == 1
        assert play.stack_of(lin) == FULL_CENTS


class TestTheOneShortBuy:
    """After a full buy-in one short one is allowed (CP-60). Several are asked for at once."""

    @pytest.fixture
    def lin(self, committed_cast: Cast) -> Sitting:
        return play.sit(committed_cast, play.open_chinese(committed_cast), 1, "P1", FULL_CENTS)

    def buy_short(self, cast: Cast, lin: Sitting, times: int) -> list[Any]:
        return together(
            [lambda: sitting_buy_in(order(cast.dealer), sitting_id=lin.pk, amount_cents=SHORT_CENTS)] * times
        )

    def test_is_given_once(self, committed_cast: Cast, lin: Sitting) -> None:
        results = self.buy_short(committed_cast, lin, 8)
        assert len(answers(results)) == 1
        assert codes(results) == ["short-buy-not-allowed"] * 7
        assert play.stack_of(lin) == FULL_CENTS + SHORT_CENTS
        assert_clean()

    def test_without_the_tables_lock_it_is_given_twice(
        self, committed_cast: Cast, lin: Sitting, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table_unlocked(monkeypatch)
        both_past(monkeypatch, sittings, "_check_short_buy")
        assert len(answers(self.buy_short(committed_cast, lin, 2))) == 2
        assert BuyIn.objects.filter(sitting=lin, is_short=True).count() == 2


class TestOneHandOut:
    @pytest.fixture
    def session(self, committed_cast: Cast) -> TableSession:
        session = play.open_chinese(committed_cast)
        for seat in (1, 2):
            play.sit(committed_cast, session, seat, f"P{seat}", FULL_CENTS)
        return session

    def deal(self, cast: Cast, session: TableSession, times: int) -> list[Any]:
        return together([lambda: hand_start(order(cast.dealer), session_id=session.pk)] * times)

    def test_eight_deals_at_once_deal_one_hand_and_collect_once(
        self, committed_cast: Cast, session: TableSession
    ) -> None:
        results = self.deal(committed_cast, session, 8)
        assert len(answers(results)) == 1
        assert codes(results) == ["hand-out"] * 7
        assert Transaction.objects.filter(kind="collection").count() == 2
        assert_clean()

    def test_hands_dealt_by_many_have_numbers_without_gaps(self, committed_cast: Cast, session: TableSession) -> None:
        def deal_and_void() -> int:
            dealt = 0
            while dealt < 2:
                try:
                    hand = hand_start(order(committed_cast.floor), session_id=session.pk)["hand"]
                except Conflict:
                    continue
                hand_void(order(committed_cast.floor), hand_id=UUID(hand), reason="misdealt")
                dealt += 1
            return dealt

        assert together([deal_and_void] * 3) == [2, 2, 2]
        assert list(Hand.objects.order_by("number").values_list("number", flat=True)) == list(range(1, 7))
        assert_clean()

    def test_without_the_tables_lock_the_database_lets_one_through(
        self, committed_cast: Cast, session: TableSession, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table_unlocked(monkeypatch)
        both_past(monkeypatch, hands, "players_of")
        results = self.deal(committed_cast, session, 2)
        assert len(answers(results)) == 1
        assert sum(isinstance(result, IntegrityError) for result in results) == 1

    def test_without_lock_and_constraints_two_are_out_and_collected_for(
        self,
        committed_cast: Cast,
        session: TableSession,
        monkeypatch: pytest.MonkeyPatch,
        several_hands_out: None,
    ) -> None:
        table_unlocked(monkeypatch)
        both_past(monkeypatch, hands, "players_of")
        assert len(answers(self.deal(committed_cast, session, 2))) == 2
        assert list(Hand.objects.values_list("number", "status")) == [(1, "out"), (1, "out")]
        assert Transaction.objects.filter(kind="collection").count() == 4

    @pytest.fixture
    def several_hands_out(self, session: TableSession, superuser: psycopg.Connection) -> Iterator[None]:
        """What says in the database that a session has one hand out, and each number once, taken away."""
        superuser.execute("DROP INDEX hand_one_out_a_session")
        superuser.execute("ALTER TABLE tables_hand DROP CONSTRAINT hand_number_once_a_session")
        yield
        superuser.execute("DELETE FROM tables_hand")
        superuser.execute("CREATE UNIQUE INDEX hand_one_out_a_session ON tables_hand (session_id) WHERE status = 'out'")
        superuser.execute(
            "ALTER TABLE tables_hand ADD CONSTRAINT hand_number_once_a_session UNIQUE (session_id, number)"
        )


class TestSettleAndVoid:
    """Ben confirms what Ada takes back at the same time; that one of the two is done is in ``test_a_command_is_done_once``."""

    def test_without_lock_and_trigger_both_are_done(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch, superuser: psycopg.Connection
    ) -> None:
        _session, lin, park, hand_id = play.deal_chinese(committed_cast)
        play.record(committed_cast, hand_id, play.CHINESE_HANDS)
        table_unlocked(monkeypatch)
        barrier, lock_hand = Barrier(2), hands.lock_hand

        def both_find_it_out(*args: Any, **kwargs: Any) -> Hand:
            hand = lock_hand(*args, **kwargs)
            barrier.wait(PATIENCE_SECONDS)
            return hand

        monkeypatch.setattr(hands, "lock_hand", both_find_it_out)
        monkeypatch.setattr(settling, "lock_hand", both_find_it_out)
        superuser.execute("ALTER TABLE tables_hand DISABLE TRIGGER USER")
        try:
            results = together(
                [
                    lambda: hand_settle(order(committed_cast.dealer), hand_id=hand_id, revision=1),
                    lambda: hand_void(order(committed_cast.floor), hand_id=hand_id, reason="fouled deck"),
                ]
            )
        finally:
            superuser.execute("ALTER TABLE tables_hand ENABLE TRIGGER USER")
        assert len(answers(results)) == 2
        kinds = set(Transaction.objects.filter(reference=f"hand:{hand_id}").values_list("kind", flat=True))
        assert {"payment", "reversal"} <= kinds, "a hand that is void has been paid"
        assert (play.stack_of(lin), play.stack_of(park)) == (11_500, 10_500)


class TestOpening:
    def open(self, cast: Cast, table: Table) -> dict[str, Any]:
        stakes = (
            {"rules": "cardroom-mandarin", "point_value_cents": 500}
            if table == cast.chinese
            else {"rules": "capitol", "table_min_cents": 1000, "table_max_cents": 10_000}
        )
        return session_open(order(cast.floor), table_id=table.pk, **stakes)

    def test_one_table_at_once_opens_it_once(self, committed_cast: Cast) -> None:
        results = together([lambda: self.open(committed_cast, committed_cast.chinese)] * 6)
        assert len(answers(results)) == 1
        assert codes(results) == ["session-open"] * 5
        assert_clean()

    def open_unlocked(self, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
        """Two open a table that both have found closed."""
        rule_set_version("cardroom-mandarin")
        table_unlocked(monkeypatch)
        both_past(monkeypatch, sessions, "rule_set_version")
        return together([lambda: self.open(cast, cast.chinese)] * 2)

    def test_without_the_tables_lock_the_database_lets_one_through(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        results = self.open_unlocked(committed_cast, monkeypatch)
        assert len(answers(results)) == 1
        assert codes(results) == ["session-open"]

    def test_without_lock_and_constraint_it_is_open_twice(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch, superuser: psycopg.Connection
    ) -> None:
        superuser.execute("DROP INDEX tablesession_one_open_a_table")
        try:
            assert len(answers(self.open_unlocked(committed_cast, monkeypatch))) == 2
            assert TableSession.objects.filter(closed_at__isnull=True).count() == 2
        finally:
            superuser.execute("DELETE FROM tables_tablesession")
            superuser.execute(
                "CREATE UNIQUE INDEX tablesession_one_open_a_table ON tables_tablesession (table_id)"
                " WHERE closed_at IS NULL"
            )

    def test_two_tables_that_are_first_to_use_a_shipped_rule_set_both_open_under_one(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nobody can lock a row that is not there; the unique constraint lets one insert it and the other read it."""
        Table.objects.filter(pk=committed_cast.pai_gow.pk).update(game=committed_cast.chinese.game)
        committed_cast.pai_gow.refresh_from_db()
        both = (committed_cast.chinese, committed_cast.pai_gow)
        stakes = {"rules": "cardroom-mandarin", "point_value_cents": 500}
        results = together(
            [partial(session_open, order(committed_cast.floor), table_id=table.pk, **stakes) for table in both]
        )
        assert len(answers(results)) == 2
        assert RuleSetVersion.objects.filter(slug="cardroom-mandarin").count() == 1

    def test_the_house_book_is_begun_once_by_the_first_eight(self, committed_cast: Cast) -> None:
        assert len({book.pk for book in together([house_book] * 8)}) == 1


class TestOneStack:
    @pytest.fixture
    def lin(self, committed_cast: Cast) -> Sitting:
        return play.sit(committed_cast, play.open_pai_gow(committed_cast), 1, "P1")

    def test_twenty_buy_ins_at_once_are_all_in_it(self, committed_cast: Cast, lin: Sitting) -> None:
        buy = partial(sitting_buy_in, sitting_id=lin.pk, amount_cents=1_000)
        results = together([lambda: buy(order(committed_cast.pai_gow_dealer))] * 20)
        assert sorted(answer["stack_cents"] for answer in answers(results)) == list(range(1_000, 21_000, 1_000))
        assert play.stack_of(lin) == 20_000
        assert_clean()

    def test_is_paid_out_once(self, committed_cast: Cast, lin: Sitting) -> None:
        sitting_buy_in(order(committed_cast.pai_gow_dealer), sitting_id=lin.pk, amount_cents=1_000)
        leave = partial(sitting_cash_out, sitting_id=lin.pk)
        results = together([lambda: leave(order(committed_cast.pai_gow_dealer))] * 6)
        assert [answer["paid_cents"] for answer in answers(results)] == [1_000]
        assert codes(results) == ["sitting-ended"] * 5
        assert Transaction.objects.filter(kind=TransactionKind.CHIPS_OUT).count() == 1
        assert_clean()

    def test_without_the_tables_lock_the_ledger_has_to_refuse_the_second_pay_out(
        self, committed_cast: Cast, lin: Sitting, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What the ledger does without its own lock and guard is shown in ``tests/ledger/test_races.py``."""
        sitting_buy_in(order(committed_cast.pai_gow_dealer), sitting_id=lin.pk, amount_cents=1_000)
        table_unlocked(monkeypatch)
        both_past(monkeypatch, sittings, "stack_cents")
        leave = partial(sitting_cash_out, sitting_id=lin.pk)
        results = together([lambda: leave(order(committed_cast.pai_gow_dealer))] * 2)
        assert [answer["paid_cents"] for answer in answers(results)] == [1_000]
        assert codes(results) == ["insufficient-funds"]


def test_a_refusal_at_the_very_end_takes_everything_back_and_the_same_press_goes_through_later(
    committed_cast: Cast, client: Client
) -> None:
    """The drop box is frozen, which is found when the hand is there already and the collections are written."""
    session = play.open_chinese(committed_cast)
    for seat in (1, 2):
        play.sit(committed_cast, session, seat, f"P{seat}", FULL_CENTS)
    client.cookies[DEVICE_COOKIE] = committed_cast.tablet_token
    pin_sign_in(client)
    press = order(committed_cast.dealer)
    body = {"session_id": str(session.pk), "occurred_at": press.occurred_at.isoformat()}
    before = everything_there()
    account_freeze(account_id=session.drop_account_id, at=NOON)
    refused = do(client, "hand.start", body, str(press.key))
    assert (refused.status_code, refused.json()["code"]) == (422, "account-frozen")
    assert everything_there() == before
    account_release(account_id=session.drop_account_id)
    assert do(client, "hand.start", body, str(press.key)).json()["number"] == 1
    assert_clean()


def everything_there() -> list[Any]:
    """What a half-done command would have added to."""
    models: list[Callable[[], int]] = [model.objects.count for model in (Command, Hand, Transaction)]
    return [*(count() for count in models), *TableSession.objects.values_list("hands_dealt", "button_seat")]
