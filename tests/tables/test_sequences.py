"""Sequences that broke other systems, turned to our tables. N1 and so on number them; each docstring says whose they were.

N5 and N7 are about what waits on a device and are in ``tests/browser``.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import date, datetime
from datetime import time as clock
from functools import partial
from html import unescape
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import psycopg
import pytest
from django.test import Client
from django.urls import reverse

from casino.errors import Refusal
from casino.staff.middleware import DEVICE_COOKIE
from ledger.models import Transaction
from ledger.selectors import balance_of
from tables.models import BuyIn, Command, Hand, Patron, Room, Sitting, TableSession
from tables.selectors.replays import hands_of_day
from tables.services import sessions, sittings
from tables.services.hands import hand_start
from tables.services.sessions import session_close
from tables.services.settling import hand_settle
from tables.services.sittings import sitting_buy_in, sitting_cash_out, sitting_start
from tests.ledger.clean import assert_clean
from tests.ledger.together import PATIENCE_SECONDS, together
from tests.people import Cast, order
from tests.pin_sign_in import pin_sign_in
from tests.tables import play
from tests.tables.corrected import take_back_last
from tests.tables.test_commands_over_http import do
from tests.tables.test_races_at_the_table import table_unlocked

Connect = Callable[[str], psycopg.Connection]


@pytest.fixture
def tablet(committed_cast: Cast, client: Client) -> Client:
    """Ben, signed in on table 7's tablet."""
    client.cookies[DEVICE_COOKIE] = committed_cast.tablet_token
    pin_sign_in(client)
    return client


def another(client: Client) -> Client:
    """The same browser in another thread: the same cookies, a connection of its own."""
    copy = Client()
    copy.cookies = client.cookies
    return copy


def read(cast: Cast, name: str, *which: Any) -> str:
    """The words of an audit page, as Cleo reads them."""
    client = Client()
    client.force_login(cast.cleo)
    page = client.get(reverse(f"audit:{name}", args=which))
    assert page.status_code == 200
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.content.decode())))


def test_n1_the_automatic_and_the_manual_send_settle_one_hand(committed_cast: Cast) -> None:
    """N1, POSNext#50: both sends of a press that waited fire; a second press by hand is told that it is over."""
    _session, lin, park, hand_id = play.deal_chinese(committed_cast)
    play.record(committed_cast, hand_id, play.CHINESE_HANDS)
    waited, pressed_again = order(committed_cast.dealer), order(committed_cast.dealer)
    settle = partial(hand_settle, hand_id=hand_id, revision=1)
    automatic, manual = together([partial(settle, waited), partial(settle, waited)])
    assert automatic == manual
    with pytest.raises(Refusal) as told:
        settle(pressed_again)
    assert told.value.code == "hand-over"
    assert Transaction.objects.filter(reference=f"hand:{hand_id}", kind="payment").count() == 1
    assert (play.stack_of(lin), play.stack_of(park)) == (11_100, 10_100)


def test_n3_what_was_committed_and_not_answered_is_answered_later(committed_cast: Cast, tablet: Client) -> None:
    """N3, odoo 40600 and 85527: cut between commit and answer, then retried: the same answer and ids, nothing new.

    A real cut is in ``tests/browser`` (the answer lost after the server committed) and in ``tests/faults``.
    """
    session, key = play.open_chinese(committed_cast), str(uuid4())
    body = {"session_id": str(session.pk), "seat": 1, "patron_number": "P1", "occurred_at": "2026-11-29T20:00:00Z"}
    lost = do(tablet, "sitting.start", body, key).json()
    before = (Command.objects.count(), Transaction.objects.count(), Sitting.objects.count())
    assert do(tablet, "sitting.start", body, key).json() == lost
    assert (Command.objects.count(), Transaction.objects.count(), Sitting.objects.count()) == before


def test_n9_the_same_buy_in_580_ms_later_while_the_first_is_still_at_it(
    committed_cast: Cast, tablet: Client, connect: Connect
) -> None:
    """N9, cht-core#2439, strichliste-web#46, nomie5#22: one record. The guard is on the server, not on the button."""
    lin = play.sit(committed_cast, play.open_chinese(committed_cast), 1, "P1")
    key, body = str(uuid4()), {"sitting_id": str(lin.pk), "amount_cents": 10_000}
    body["occurred_at"] = order(committed_cast.dealer).occurred_at.isoformat()
    elsewhere = connect("app")
    elsewhere.execute("SELECT 1 FROM tables_table WHERE id = %s FOR NO KEY UPDATE", [committed_cast.chinese.pk])

    def post(after_seconds: float) -> Any:
        time.sleep(after_seconds)
        return do(another(tablet), "sitting.buy_in", body, key).json()

    def let_go() -> None:
        time.sleep(0.7)
        elsewhere.rollback()

    first, second, _ = together([partial(post, 0), partial(post, 0.58), let_go])
    assert first == second and first["stack_cents"] == 10_000
    assert (BuyIn.objects.count(), play.stack_of(lin)) == (1, 10_000)


def test_n11_fifty_parallel_posts_of_one_hand_settle_it_once(committed_cast: Cast, tablet: Client) -> None:
    """N11, fincore-engine#44: one hand, and 49 answers equal to the first."""
    _session, lin, park, hand_id = play.deal_chinese(committed_cast)
    play.record(committed_cast, hand_id, play.CHINESE_HANDS)
    press = order(committed_cast.dealer)
    body = {"hand_id": str(hand_id), "revision": 1, "occurred_at": press.occurred_at.isoformat()}

    def post() -> tuple[int, Any]:
        answer = do(another(tablet), "hand.settle", body, str(press.key))
        return answer.status_code, answer.json()

    answers = together([post] * 50)
    assert answers == [(200, answers[0][1])] * 50
    assert Command.objects.filter(verb="hand.settle").count() == 1
    assert Transaction.objects.filter(reference=f"hand:{hand_id}", kind="payment").count() == 1
    assert (play.stack_of(lin), play.stack_of(park)) == (11_100, 10_100)
    assert_clean()


def dealt_at(cast: Cast, superuser: psycopg.Connection, room_times: list[str]) -> list[Hand]:
    """Hands of one session that were dealt at these times by the room's clock."""
    session = play.open_chinese(cast)
    for seat in (1, 2):
        play.sit(cast, session, seat, f"P{seat}", 20_000)
    hands = []
    zone = Room.objects.get(pk=cast.room.pk).zone
    for text in room_times:
        hand = Hand.objects.get(pk=hand_start(order(cast.dealer), session_id=session.pk)["hand"])
        play.settle(cast, hand.pk, play.CHINESE_HANDS)
        instant = datetime.fromisoformat(text).replace(tzinfo=zone)
        superuser.execute("UPDATE tables_hand SET started_at = %s WHERE id = %s", [instant, hand.pk])
        hands.append(hand)
    return hands


def test_n13_the_last_microsecond_before_the_cut_off_and_the_cut_off_are_two_gaming_days(
    committed_cast: Cast, superuser: psycopg.Connection
) -> None:
    """N13, FloCafe 695 and 772: with a cut-off of 06:00, collections at 05:59 and 06:00; a form opened at 02:00."""
    times = ["2026-11-29T02:00:00", "2026-11-29T05:59:59.999999", "2026-11-29T06:00:00", "2026-11-30T05:59:59.999999"]
    hands = dealt_at(committed_cast, superuser, times)
    days = ["2026-11-28", "2026-11-28", "2026-11-29", "2026-11-29"]
    for hand, day in zip(hands, days, strict=True):
        assert f"Gaming day {day}" in read(committed_cast, "hand", hand.pk)
    chosen = [{hand.pk for hand in hands_of_day(committed_cast.room, date(2026, 11, day))} for day in (27, 28, 29, 30)]
    first, second = ({hand.pk for hand in part} for part in (hands[:2], hands[2:]))
    assert chosen == [set(), first, second, set()], "only the day that was chosen"


def test_n15_an_entry_of_the_small_hours_in_utc_is_of_the_evening_before_in_the_room(
    committed_cast: Cast, superuser: psycopg.Connection
) -> None:
    """N15, initialrelease#5: 2026-09-08 02:23 UTC in a room at UTC-5 whose day is from 7 to 7."""
    Room.objects.filter(pk=committed_cast.room.pk).update(time_zone="America/Bogota", day_starts_at=clock(7))
    (hand,) = dealt_at(committed_cast, superuser, ["2026-09-07T21:23:00"])
    hand.refresh_from_db()
    assert hand.started_at == datetime(2026, 9, 8, 2, 23, tzinfo=ZoneInfo("UTC"))
    words = read(committed_cast, "hand", hand.pk)
    assert "Gaming day 2026-09-07" in words and "2026-09-07 21:23" in words
    room = Room.objects.get(pk=committed_cast.room.pk)
    assert [found.pk for found in hands_of_day(room, date(2026, 9, 7))] == [hand.pk]
    assert not hands_of_day(room, date(2026, 9, 8)).exists()


def test_n17_a_card_number_keeps_its_zeros_and_a_name_is_no_formula(cast: Cast) -> None:
    """N17, tableExport#103, #230 and #296: what there is today are pages; ``=1+1`` and ``0030610`` are read as written."""
    Patron.objects.create(room=cast.room, number="0030610", name="=1+1")
    session = play.open_chinese(cast)
    sitting = play.sit(cast, session, 1, "0030610", 10_000)
    assert "=1+1" in read(cast, "account", sitting.stack_id)
    assert sitting.patron.number == "0030610"
    with pytest.raises(Refusal):
        play.sit(cast, session, 2, "30610")


def test_n23_a_buy_in_of_400_from_500_with_100_back_leaves_400_to_be_expected(cast: Cast) -> None:
    """N23, erpnext#23125: change is given at the table and is no movement; the drawer expects 400 more."""
    session = play.open_pai_gow(cast)
    play.sit(cast, session, 1, "P1", 40_000)
    assert balance_of(session.cash_account_id) == -40_000
    assert "\u2212$400 \u2212$400" in read(cast, "account", session.cash_account_id)


def test_n25_a_posting_and_its_reversal_are_both_on_the_statement_with_the_balance_after_each(
    cast: Cast,
) -> None:
    """N25, community-app#1839, money-manager-ex#478, LedgerSMB#2280: post 100, reverse it, print the ledger."""
    lin = play.sit(cast, play.open_pai_gow(cast), 1, "P1", 10_000)
    take_back_last(cast, "buy-in")
    words = read(cast, "account", lin.stack_id)
    lines = ["buy-in PG-05 taken back by 5", "+$100 $100", "reversal PG-45 takes back 3 counted again", "\u2212$100 $0"]
    places = [words.index(line) for line in lines]
    assert places == sorted(places), "both rows, each marked with the other's number and with the balance after it"
    assert balance_of(lin.stack_id) == balance_of(lin.session.cash_account_id) == 0


class TestN27:
    """N27, woocommerce-pos 1961: a buy-in while the table is being closed, on two connections."""

    def close_and_buy_in(self, cast: Cast, session: TableSession, lin: Sitting) -> list[Any]:
        def close() -> dict[str, Any]:
            sitting_cash_out(order(cast.pai_gow_dealer), sitting_id=lin.pk)
            return session_close(order(cast.floor), session_id=session.pk)

        def buy_in() -> dict[str, Any]:
            sat = sitting_start(order(cast.pai_gow_dealer), session_id=session.pk, seat=2, patron_number="P2")
            return sitting_buy_in(order(cast.pai_gow_dealer), sitting_id=UUID(sat["sitting"]), amount_cents=1_000)

        return together([close, buy_in])

    def test_it_is_before_the_close_or_refused_and_never_after(self, committed_cast: Cast) -> None:
        for _round in range(4):
            session = play.open_pai_gow(committed_cast)
            lin = play.sit(committed_cast, session, 1, "P1", 1_000)
            closed, bought = self.close_and_buy_in(committed_cast, session, lin)
            refused = [result.code for result in (closed, bought) if isinstance(result, Refusal)]
            assert refused in (["not-cashed-out"], ["session-closed"], ["sitting-ended"])
            session.refresh_from_db()
            if session.is_open:
                park = session.sittings.get(patron__number="P2")
                assert play.stack_of(park) == 1_000
                sitting_cash_out(order(committed_cast.pai_gow_dealer), sitting_id=park.pk)
                session_close(order(committed_cast.floor), session_id=session.pk)
            assert_all_has_left(session)
        assert_clean()

    def test_without_the_tables_lock_it_comes_after_the_close(
        self, committed_cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Both have looked before either writes: the buy-in at a table that is open, the close at one where nobody sits."""
        session = play.open_pai_gow(committed_cast)
        table_unlocked(monkeypatch)
        barrier, real = Barrier(2), sessions.lock_session

        def both_find_it_open(*args: Any, **kwargs: Any) -> TableSession:
            found = real(*args, **kwargs)
            barrier.wait(PATIENCE_SECONDS)
            return found

        for module in (sessions, sittings):
            monkeypatch.setattr(module, "lock_session", both_find_it_open)
        sit = partial(sitting_start, session_id=session.pk, seat=2, patron_number="P2")
        results = together(
            [
                lambda: session_close(order(committed_cast.floor), session_id=session.pk),
                lambda: sit(order(committed_cast.pai_gow_dealer)),
            ]
        )
        assert [type(result) for result in results] == [dict, dict]
        session.refresh_from_db()
        assert not session.is_open and session.sittings.filter(ended_at__isnull=True).count() == 1


def assert_all_has_left(session: TableSession) -> None:
    """Nothing is left on any stack, and what came in as cash or chips went out."""
    assert [play.stack_of(sitting) for sitting in session.sittings.all()] == [0] * session.sittings.count()
    held = [balance_of(account) for account in (session.cash_account_id, session.chips_account_id)]
    assert sum(held) + balance_of(session.drop_account_id) == 0


def test_n29_everybody_is_paid_and_the_table_closed_with_nothing_left(committed_cast: Cast) -> None:
    """N29, hmis#10911: hand over 3,000 and close: 0 left, 3,000 moved."""
    session, lin, park, hand_id = play.deal_pai_gow(committed_cast)
    play.settle(committed_cast, hand_id, play.PAI_GOW_HANDS)
    paid = [
        sitting_cash_out(order(committed_cast.pai_gow_dealer), sitting_id=sitting.pk)["paid_cents"]
        for sitting in (lin, park)
    ]
    session_close(order(committed_cast.floor), session_id=session.pk)
    assert sum(paid) + balance_of(session.drop_account_id) == 70_000, "all that was bought in"
    assert balance_of(session.chips_account_id) == sum(paid)
    assert_all_has_left(session)
    assert_clean()
