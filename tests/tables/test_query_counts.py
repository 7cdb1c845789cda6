"""How often a command at a table asks the database: a fixed number, whatever has been played there before.

Two of each number begin and end the database transaction: here, inside the test's own, by a savepoint. Whoever needs a
statement more changes a number here, and says in the review what for.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.models import Hand, Sitting, TableSession
from tables.services.commands import Order
from tables.services.hands import hand_start
from tables.services.records import hand_record_enter
from tables.services.settling import hand_settle
from tables.services.sittings import sitting_buy_in
from tests.people import Cast, order
from tests.tables import play

RICH_CENTS = 1_000_000


def queries_of(act: Callable[[], Any]) -> int:
    """How many statements the database was sent."""
    with CaptureQueriesContext(connection) as queries:
        act()
    return len(queries)


@dataclass(frozen=True)
class OpenTable:
    """Table 7, open, with Lin and Park seated and rich."""

    cast: Cast
    session: TableSession
    lin: Sitting

    def deal(self) -> UUID:
        """Deal a hand."""
        return UUID(hand_start(order(self.cast.dealer), session_id=self.session.pk)["hand"])

    def buy_in(self, press: Order) -> None:
        """Lin buys in."""
        sitting_buy_in(press, sitting_id=self.lin.pk, amount_cents=RICH_CENTS)


@pytest.fixture
def table(cast: Cast) -> OpenTable:
    """The table of these tests."""
    session = play.open_chinese(cast)
    lin, _park = (play.sit(cast, session, seat, f"P{seat}", RICH_CENTS) for seat in (1, 2))
    return OpenTable(cast, session, lin)


@pytest.fixture(params=[0, 4], ids=["at a new table", "after four hands"], autouse=True)
def hands_before(request: pytest.FixtureRequest, cast: Cast, table: OpenTable) -> None:
    """Hands that were played and settled at the table before, each with a buy-in after it."""
    for _ in range(request.param):
        play.settle(cast, table.deal(), play.CHINESE_HANDS)
        table.buy_in(order(cast.dealer))
    assert Hand.objects.count() == request.param


def test_entering_a_hand_asks_thirteen_times(cast: Cast, table: OpenTable) -> None:
    hand, press = table.deal(), order(cast.dealer)
    assert queries_of(lambda: hand_record_enter(press, hand_id=hand, hands=play.CHINESE_HANDS)) == 13


def test_settling_a_hand_asks_fourteen_times(cast: Cast, table: OpenTable) -> None:
    hand = table.deal()
    play.record(cast, hand, play.CHINESE_HANDS)
    press = order(cast.dealer)
    assert queries_of(lambda: hand_settle(press, hand_id=hand, revision=1)) == 14


def test_buying_in_asks_thirteen_times(cast: Cast, table: OpenTable) -> None:
    press = order(cast.dealer)
    assert queries_of(lambda: table.buy_in(press)) == 13


def test_the_same_press_again_asks_three_times(cast: Cast, table: OpenTable) -> None:
    press = order(cast.dealer)
    table.buy_in(press)
    assert queries_of(lambda: table.buy_in(press)) == 3
