"""The floor's inbox: what waits, taken by one person at a time; nothing in it expires and nobody decides on their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from casino.errors import Conflict, Forbidden
from casino.staff.actor import Actor
from casino.staff.models import Role
from tables.models import Command, ExceptionDecision, Hand, Ruling, TableException, TableSession, Taking
from tables.selectors.inbox import inbox
from tables.selectors.needed import needs_deciding
from tables.selectors.panel import offers, panel
from tables.services.disputes import dispute_give_back, dispute_raise, dispute_rule, dispute_take
from tables.services.exceptions import (
    exception_decide,
    exception_give_back,
    exception_raise,
    exception_take,
)
from tables.services.hands import hand_start, hand_void
from tables.services.sessions import session_close
from tables.services.sittings import sitting_cash_out
from tests.ledger.clean import assert_clean
from tests.people import Cast, hire, order
from tests.tables import play
from tests.tables.calling import ask_undo, call, close
from tests.tables.disputed import decide, dispute, exception, rule, settle_paying
from tests.tables.over_http import on_the_web
from tests.tables.test_commands_over_http import do
from tests.tables.test_ledger_check_sees_the_hands import check

INBOX = reverse("floor:inbox")
ITEMS = reverse("floor:inbox-items")


@dataclass(frozen=True)
class Waiting:
    """What waits at table 7, in the order in which it was raised."""

    session: TableSession
    hand: UUID
    paid: UUID
    disputed: UUID
    undo: UUID
    report: UUID
    called: UUID


def let_wait(cast: Cast) -> Waiting:
    """A hand of table 7 that was paid $3 short, disputed and asked to be taken back, a report, and a call."""
    session, *_both, hand = play.deal_chinese(cast)
    paid = settle_paying(cast, hand, play.CHINESE_HANDS, [{"payer": 2, "payee": 1, "paid_cents": 200}], "took it back")
    return Waiting(
        session,
        hand,
        UUID(paid["exception"]),
        dispute(cast, hand),
        ask_undo(cast, hand),
        exception(cast, session.pk),
        call(cast, session, "fill", note="a rack of fives"),
    )


def hired_eve(cast: Cast) -> Actor:
    """A second supervisor of Room One."""
    return Actor.of(hire("1003", "Eve", Role.FLOOR, room=cast.room))


@pytest.fixture
def eve(cast: Cast) -> Actor:
    return hired_eve(cast)


def text_of(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200, response.content[:300]
    return response.content.decode()


class TestWhatWaits:
    def test_is_in_one_list_the_oldest_first_with_what_is_asked_and_by_whom(self, cast: Cast) -> None:
        waits = let_wait(cast)
        shown = inbox(cast.floor)
        kinds = ["paid-differently", "dispute", "undo-asked", "other", "call"]
        assert [item.kind for item in shown.waiting] == kinds
        assert [item.row.pk for item in shown.waiting] == [
            waits.paid,
            waits.disputed,
            waits.undo,
            waits.report,
            waits.called,
        ]
        assert {item.raised_by.name for item in shown.waiting} == {"Ben"}
        assert [item.hand and item.hand.number for item in shown.waiting] == [1, 1, 1, None, None]
        assert (shown.ended, shown.decided) == ([], [])
        rows = needs_deciding(cast.floor)
        assert [(row.kind, str(row.table)) for row in rows] == [(kind, "T7") for kind in kinds]
        assert rows[0].url == f"{INBOX}#exception-{waits.paid}"
        assert [row.raised_at for row in rows] == sorted(row.raised_at for row in rows)

    def test_says_what_was_due_what_was_paid_and_the_difference(self, cast: Cast) -> None:
        waits = let_wait(cast)
        paid, disputed, *_rest = inbox(cast.floor).waiting
        for item in (paid, disputed):
            (line,) = item.lines
            assert (line.who, line.to) == ("2 Park", "1 Lin")
            assert (line.before_cents, line.after_cents, line.change_cents) == (500, 200, -300)
        text = text_of(on_the_web(cast.ada), INBOX)
        assert all(words in text for words in ("2 Park → 1 Lin", "−$3", "a rack of fives", "took it back"))
        assert reverse("floor:hand", args=[waits.hand]) in text
        assert "Floor can rule on it until the next hand begins." in text

    def test_is_that_of_ones_own_rooms(self, cast: Cast) -> None:
        let_wait(cast)
        assert needs_deciding(cast.stranger) == []
        assert ">T7<" not in text_of(on_the_web(cast.dan), INBOX)

    def test_costs_the_same_however_much_it_is(self, cast: Cast) -> None:
        waits = let_wait(cast)
        pai_gow, *_people, first = play.deal_pai_gow(cast)
        settle_paying(cast, first, play.PAI_GOW_HANDS, [{"wager": "w1", "net_cents": 100}])
        exception_take(order(cast.floor), exception_id=waits.paid)
        decide(cast, waits.report)
        ada = on_the_web(cast.ada)
        asked = [self.queries(reading) for reading in self.reads(cast, ada)]
        for number in range(3):
            told = exception(cast, waits.session.pk, f"report {number}")
            exception_take(order(cast.floor), exception_id=told)
            exception(cast, waits.session.pk, f"another {number}")
            decide(cast, exception(cast, waits.session.pk, f"decided {number}"))
            dispute(cast, waits.hand, f"dispute {number}")
        hand_start(order(cast.floor), session_id=waits.session.pk)
        second = play.deal_next_pai_gow(cast, pai_gow)
        settle_paying(cast, second, play.PAI_GOW_HANDS, [{"wager": "w1", "net_cents": 100}])
        assert [self.queries(reading) for reading in self.reads(cast, ada)] == asked
        assert max(asked) <= 30

    def reads(self, cast: Cast, ada: Client) -> list[Callable[[], object]]:
        return [partial(needs_deciding, cast.floor), partial(inbox, cast.floor), partial(text_of, ada, ITEMS)]

    def queries(self, reading: Callable[[], object]) -> int:
        with CaptureQueriesContext(connection) as asked:
            reading()
        return len(asked)

    def test_is_polled_and_not_sent_again_until_something_changes(self, cast: Cast) -> None:
        waits = let_wait(cast)
        ada = on_the_web(cast.ada)
        first = ada.get(ITEMS)
        again = ada.get(ITEMS, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        exception_take(order(Actor.of(cast.max)), exception_id=waits.report)
        changed = ada.get(ITEMS, headers={"If-None-Match": first["ETag"]})
        assert changed.status_code == 200
        assert b"Max has this" in changed.content


class TestTaking:
    """One person at a time has what waits."""

    def test_shows_who_has_it_and_nobody_else_takes_it_or_decides(self, committed_cast: Cast) -> None:
        eve, waits = hired_eve(committed_cast), let_wait(committed_cast)
        for item, take, settle in (
            (
                waits.report,
                partial(exception_take, exception_id=waits.report),
                partial(decide, committed_cast, waits.report),
            ),
            (
                waits.disputed,
                partial(dispute_take, dispute_id=waits.disputed),
                partial(rule, committed_cast, waits.disputed),
            ),
        ):
            take(order(committed_cast.floor))
            for refused_to in (partial(take, order(eve)), partial(settle, actor=eve)):
                with pytest.raises(Conflict) as refused:
                    refused_to()
                assert refused.value.code == "taken"
                assert "Ada has had this for 0:0" in refused.value.message
            row = next(row for row in needs_deciding(eve) if row.url.endswith(str(item)))
            assert row.taken_by == "Ada"
            settle()
        ended = Taking.objects.order_by("pk").values_list("command__verb", "ended_by__verb")
        assert list(ended) == [("exception.take", "exception.decide"), ("dispute.take", "dispute.rule")]
        assert_clean()

    def test_a_manager_takes_over_and_the_first_is_told(self, committed_cast: Cast) -> None:
        waits = let_wait(committed_cast)
        manager = Actor.of(committed_cast.max)
        exception_take(order(committed_cast.floor), exception_id=waits.report)
        with pytest.raises(Conflict):
            decide(committed_cast, waits.report, actor=manager)
        exception_take(order(manager), exception_id=waits.report)
        with pytest.raises(Conflict) as refused:
            decide(committed_cast, waits.report)
        assert "Max has had this" in refused.value.message
        decide(committed_cast, waits.report, actor=manager)
        assert list(Taking.objects.order_by("pk").values_list("command__actor__name", "ended_by__actor__name")) == [
            ("Ada", "Max"),
            ("Max", "Max"),
        ]
        assert_clean()

    def test_ends_when_it_is_given_back_by_who_has_it(self, cast: Cast, eve: Actor) -> None:
        waits = let_wait(cast)
        for give_back in (
            partial(exception_give_back, exception_id=waits.report),
            partial(dispute_give_back, dispute_id=waits.disputed),
        ):
            with pytest.raises(Conflict) as nobody_has_it:
                give_back(order(cast.floor))
            assert nobody_has_it.value.code == "not-taken"
        exception_take(order(cast.floor), exception_id=waits.report)
        for actor, told in ((cast.floor, "taken-already"), (eve, "taken")):
            with pytest.raises(Conflict) as refused:
                exception_take(order(actor), exception_id=waits.report)
            assert refused.value.code == told
        with pytest.raises(Conflict):
            exception_give_back(order(eve), exception_id=waits.report)
        exception_give_back(order(cast.floor), exception_id=waits.report)
        exception_take(order(eve), exception_id=waits.report)

    def test_who_decides_without_it_had_it_for_that_instant(self, cast: Cast) -> None:
        waits = let_wait(cast)
        decide(cast, waits.report)
        rule(cast, waits.disputed)
        for taking in Taking.objects.select_related("command"):
            assert taking.taken_at == taking.ended_at == taking.command.recorded_at
            assert taking.command_id == taking.ended_by_id

    def test_ends_with_the_time_for_a_ruling(self, committed_cast: Cast) -> None:
        waits = let_wait(committed_cast)
        dispute_take(order(committed_cast.floor), dispute_id=waits.disputed)
        hand_start(order(Actor.of(committed_cast.max)), session_id=waits.session.pk)
        assert Taking.objects.get().ended_by.verb == "hand.start"  # type: ignore[union-attr]
        assert_clean()

    def test_the_page_offers_what_the_reader_may_do(self, cast: Cast) -> None:
        waits = let_wait(cast)
        exception_take(order(cast.floor), exception_id=waits.report)
        ada, manager = text_of(on_the_web(cast.ada), INBOX), text_of(on_the_web(cast.max), INBOX)
        assert "You have this" in ada and "Give it back" in ada
        assert "Ada has this" in manager and "Take it over" in manager
        assert ada.count('data-verb="exception.decide"') == 3
        assert manager.count('data-verb="exception.decide"') == 2, "nobody decides on what another has"


class TestOnesOwn:
    def test_is_decided_on_by_somebody_else(self, cast: Cast) -> None:
        session, *_rest = play.deal_chinese(cast)
        own = UUID(
            exception_raise(order(cast.floor), session_id=session.pk, words="two chips nobody bought")["exception"]
        )
        for press in (partial(decide, cast, own), partial(exception_take, order(cast.floor), exception_id=own)):
            with pytest.raises(Forbidden) as refused:
                press()
            assert refused.value.code == "own-exception"
        text = text_of(on_the_web(cast.ada), INBOX)
        assert "You raised this yourself; somebody else decides on it." in text
        assert 'data-verb="exception' not in text
        decide(cast, own, actor=Actor.of(cast.max))

    def test_dispute_that_a_supervisor_put_down_for_a_patron_may_be_ruled_on_by_them(self, cast: Cast) -> None:
        *_table, hand = play.deal_chinese(cast)
        told = UUID(dispute_raise(order(cast.floor), hand_id=hand, about="the middle")["dispute"])
        rule(cast, told)
        assert Ruling.objects.get().dispute_id == told


class TestWhatEndedByItself:
    def test_stays_until_somebody_else_has_noted_it(self, cast: Cast) -> None:
        waits = let_wait(cast)
        hand_start(order(cast.floor), session_id=waits.session.pk)
        shown = inbox(cast.floor)
        assert {item.kind for item in shown.ended} == {"undo-asked", "dispute-not-ruled"}
        assert {item.kind for item in shown.waiting} == {"paid-differently", "other", "call"}
        assert len(needs_deciding(cast.floor)) == 5
        assert "Ended without a decision" in text_of(on_the_web(cast.ada), INBOX)
        late = TableException.objects.get(kind="dispute-not-ruled")
        with pytest.raises(Forbidden):
            decide(cast, late.pk)
        decide(cast, late.pk, actor=Actor.of(cast.max))
        decide(cast, waits.undo, "refused")
        after = inbox(cast.floor)
        assert after.ended == []
        assert [(each.kind_words, each.decided_by.name) for each in after.decided] == [
            ("Asked to take back a hand", "Ada"),
            ("Dispute not ruled in time", "Max"),
        ]

    def test_a_call_that_the_table_was_closed_over_is_noted_too(self, cast: Cast) -> None:
        session = play.open_chinese(cast)
        told = call(cast, session)
        session_close(order(cast.floor), session_id=session.pk)
        (ended,) = inbox(cast.floor).ended
        assert (ended.row.pk, ended.taken_by) == (told, None)
        close(cast, told)
        assert inbox(cast.floor).ended == []


def test_what_was_decided_stays_for_the_gaming_day_with_who_and_why(cast: Cast) -> None:
    waits = let_wait(cast)
    decide(cast, waits.paid, "refused")
    rule(cast, waits.disputed, ruling="it was set as it lies")
    shown = [(each.outcome, each.reason, each.rule, each.decided_by.name) for each in inbox(cast.floor).decided]
    assert shown == [("stands", "it was set as it lies", "CP-30", "Ada"), ("refused", "seen on camera", "", "Ada")]
    assert inbox(cast.stranger).decided == []
    cast.room.day_starts_at = timezone.now().astimezone(cast.room.zone).time()
    cast.room.save()
    assert inbox(cast.floor).decided == [], "another gaming day has begun"


def pages_of(waits: Waiting) -> list[str]:
    hand = [reverse(f"floor:{name}", args=[waits.hand]) for name in ("hand", "hand-standing")]
    table = [reverse(f"floor:{name}", args=[waits.session.table_id]) for name in ("table", "facts")]
    return [INBOX, ITEMS, *hand, *table]


WHO = {"ada": 200, "max": 200, "ben": 403, "cleo": 403}


@pytest.mark.parametrize("who", WHO)
def test_the_pages_are_for_who_runs_the_floor_of_the_room(cast: Cast, who: str) -> None:
    waits = let_wait(cast)
    client = on_the_web(getattr(cast, who))
    answers = [client.get(url) for url in pages_of(waits)]
    assert [answer.status_code for answer in answers] == [WHO[who]] * len(answers)
    if WHO[who] == 403:
        assert all(b"a rack of fives" not in answer.content for answer in answers)


def test_the_pages_are_not_for_floor_of_another_room_nor_for_nobody(cast: Cast, client: Client) -> None:
    waits = let_wait(cast)
    dan = on_the_web(cast.dan)
    assert [dan.get(url).status_code for url in pages_of(waits)] == [200, 200, 404, 404, 403, 403]
    assert [client.get(url).status_code for url in pages_of(waits)] == [302] * 6


def presses(waits: Waiting) -> dict[str, dict[str, Any]]:
    report, told = {"exception_id": waits.report}, {"dispute_id": waits.disputed}
    ruling = {"rule": "CP-30", "ruling": "as it lies", "error_by": "none", "outcome": "stands"}
    return {
        "exception.take": report,
        "exception.give_back": report,
        "exception.decide": {**report, "outcome": "accepted", "reason": "seen"},
        "dispute.take": told,
        "dispute.give_back": told,
        "dispute.rule": {**told, **ruling},
    }


SERVICES: dict[str, Callable[..., dict[str, Any]]] = {
    "exception.take": exception_take,
    "exception.give_back": exception_give_back,
    "exception.decide": exception_decide,
    "dispute.take": dispute_take,
    "dispute.give_back": dispute_give_back,
    "dispute.rule": dispute_rule,
}


def test_dealers_auditors_and_floor_of_another_room_take_and_decide_nothing(cast: Cast) -> None:
    waits = let_wait(cast)
    known = Command.objects.count()
    for verb, values in presses(waits).items():
        for actor in (cast.dealer, cast.pai_gow_dealer, cast.stranger, Actor.of(cast.cleo)):
            with pytest.raises(Forbidden):
                SERVICES[verb](order(actor), **values)
    assert Command.objects.count() == known
    assert not (Taking.objects.exists() or ExceptionDecision.objects.exists() or Ruling.objects.exists())


def test_nobody_signed_in_takes_and_decides_nothing(cast: Cast, client: Client) -> None:
    waits = let_wait(cast)
    for verb, values in presses(waits).items():
        sent = {name: str(value) for name, value in values.items()}
        assert do(client, verb, sent).status_code == 401
    assert not Taking.objects.exists()


def test_the_hand_page_has_everything_and_the_time_left_to_rule(cast: Cast) -> None:
    waits = let_wait(cast)
    ada = on_the_web(cast.ada)
    hand, standing = (reverse(f"floor:{name}", args=[waits.hand]) for name in ("hand", "hand-standing"))
    text = text_of(ada, hand)
    for words in (
        "Payments in paying order",
        "hand.settle",
        "Tablet T7",
        "Ledger",
        "the middle was set wrong",
        "Raise a dispute…",
        reverse("floor:resettle", args=[waits.hand]),
        reverse("audit:hand", args=[waits.hand]),
    ):
        assert words in text, words
    assert "<form" in text_of(ada, standing), "the forms of what waits are put in item by item"
    assert "Floor can rule on it until the next hand begins." in text_of(ada, standing)
    second = hand_start(order(cast.floor), session_id=waits.session.pk)["hand"]
    late = text_of(ada, standing)
    assert "Hand 2 has begun" in late and "It began at" in late
    assert 'data-verb="dispute.raise"' not in text_of(ada, hand)
    hand_void(order(cast.floor), hand_id=second, reason="a card on the floor")
    assert "Settle again…" not in text_of(ada, reverse("floor:hand", args=[second]))
    assert Hand.objects.get(pk=second).status == "void"


def test_a_panel_and_a_hand_page_ask_no_more_of_the_database_for_more_people_and_requests(cast: Cast) -> None:
    waits = let_wait(cast)
    rule(cast, waits.disputed)
    play.open_pai_gow(cast)
    ada, standing = on_the_web(cast.ada), reverse("floor:hand-standing", args=[waits.hand])

    def asked() -> list[int]:
        counts = []
        for reading in (lambda: offers(panel(cast.floor, cast.chinese)), lambda: text_of(ada, standing)):
            with CaptureQueriesContext(connection) as queries:
                reading()
            counts.append(len(queries))
        return counts

    second = UUID(hand_start(order(cast.dealer), session_id=waits.session.pk)["hand"])
    few = asked()
    hand_void(order(cast.floor), hand_id=second, reason="to seat a third")
    play.sit(cast, waits.session, 3, "P3", 11_000)
    for number in range(3):
        exception(cast, waits.session.pk, f"report {number}")
    hand_start(order(cast.dealer), session_id=waits.session.pk)
    assert asked() == few


TAMPERED = {
    "left taken": (
        "UPDATE tables_taking SET ended_at = NULL, ended_by_id = NULL",
        "is still taken, and over",
    ),
    "taken by another": (
        "UPDATE tables_taking SET ended_at = ended_at + interval '1 second'",
        "did not end as its command says",
    ),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_the_check_names_a_taking_that_was_tampered_with(
    committed_cast: Cast, superuser: psycopg.Connection, name: str
) -> None:
    session, *_rest = play.deal_chinese(committed_cast)
    told = exception(committed_cast, session.pk)
    exception_take(order(committed_cast.floor), exception_id=told)
    decide(committed_cast, told)
    assert check()[0] == 0
    statement, words = TAMPERED[name]
    assert superuser.execute(statement).rowcount == 1
    status, printed = check()
    assert status == 1
    assert f"exception {told}: it {words}" in printed


def test_a_table_is_closed_when_everything_was_decided(cast: Cast) -> None:
    session, lin, park, hand = play.deal_chinese(cast)
    play.settle(cast, hand, play.CHINESE_HANDS)
    told = exception(cast, session.pk)
    for sitting in (lin, park):
        sitting_cash_out(order(cast.dealer), sitting_id=sitting.pk)
    with pytest.raises(Conflict) as refused:
        session_close(order(cast.floor), session_id=session.pk)
    assert refused.value.code == "exception-open"
    decide(cast, told)
    session_close(order(cast.floor), session_id=session.pk)
