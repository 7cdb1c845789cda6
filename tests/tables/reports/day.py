"""A gaming day built by hand at tables 7 and 8 of Room One, with figures that are known: what every report is held against.

Hours are counted from the roll-over, at 06:00. The words beside each hour are the whole of what happens:

* 0:15 a schedule ($3 a player of two, $4 of three) and a jackpot of $1 a player. 0:30 T7 opens with both, Ben deals.
* 0:32 Lin and Park buy in for $500 cash each. 0:40 hand 1: $6 collected, $2 for the jackpot; settled.
* 1:10 hand 2: $6 and $2; voided, both given back.
* 1:20 hand 3: $6 and $2; settled, Park's straight flush gets $1 of the jackpot, Park's $3 are waived, a dispute is ruled on.
* 1:40 hand 4: $6 and $2; settled, and settled again by Ada before the next one: Lin had fouled.
* 2:00 Ben leaves, Eve deals. 2:10 hand 5: $6 and $2; a misdeal, both given back.
* 2:30 Omar buys in for $300 cash; 2:35 Ada takes it back; 2:36 he brings $300 in chips. 3:30 he carries them out.
* 4:00 Lin and Park are paid out in cash, $1,000 less what was kept and given: $980. 4:10 T7 closes.
* 6:00 T8 opens at $1 a wager and $3 the bank, Ben deals. Lin buys in for $500, Park for $200.
* 6:10 hand 1: $4. 6:40 hand 2: $4; paid differently, which Ada accepts. 7:00 somebody's card is exposed.
* 19:30 hand 3: $4. 20:30 hand 4: $4. Where clocks go back that is half past one, twice.
* Three minutes before the roll-over hand 5: $4; settled three minutes after it. Ten minutes after it hand 6, of the next day.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

import ledger.services
from casino.gaming_day import gaming_day_bounds
from casino.staff.actor import Actor
from casino.staff.models import Role, User
from ledger.lock_objects import Held
from tables.models import Sitting, TableSession
from tables.services import commands
from tables.services.hands import hand_start, hand_void
from tables.services.incidents import incident_add
from tables.services.jackpots import jackpot_award
from tables.services.sessions import session_close, session_deal_in, session_deal_out
from tables.services.sittings import sitting_buy_in, sitting_cash_out
from tables.services.waivers import collection_waive
from tests.people import Cast, hire, order
from tests.tables import disputed, fees, play
from tests.tables.corrected import SHORT_HANDS, again, order_of_two, take_back_last

DAY = date(2026, 11, 20)
LONG_DAY = date(2026, 10, 31)
"""Its night has one hour more: clocks go back at two in the morning."""
SHORT_DAY = date(2026, 3, 7)


@contextmanager
def at(patch: pytest.MonkeyPatch, instant: datetime) -> Iterator[None]:
    """What is done meanwhile was done and recorded at this instant, by the server's clock and by the database's."""

    class Then:
        @staticmethod
        def now() -> datetime:
            return instant

    def hold(*values: Any, **named: Any) -> Held:
        return replace(held(*values, **named), recorded_at=instant)

    held: Callable[..., Held] = ledger.services.lock_for_posting
    with patch.context() as then:
        then.setattr(commands, "timezone", Then)
        then.setattr(commands, "CLOCK_TOLERANCE", timedelta(days=3650))
        then.setattr(ledger.services, "lock_for_posting", hold)
        yield


@dataclass
class Day:
    """The day being played: the cast, the other dealer, and what was made on the way."""

    cast: Cast
    patch: pytest.MonkeyPatch
    day: date
    eve: User
    start: datetime
    end: datetime
    sessions: dict[str, TableSession] = field(default_factory=dict)
    sittings: dict[str, Sitting] = field(default_factory=dict)

    @contextmanager
    def at(self, hours: int, minutes: int = 0) -> Iterator[None]:
        """So long after the roll-over."""
        with at(self.patch, self.start + timedelta(hours=hours, minutes=minutes)):
            yield

    @property
    def chinese(self) -> TableSession:
        """What was played at T7."""
        return self.sessions["chinese"]

    @property
    def pai_gow(self) -> TableSession:
        """What is played at T8."""
        return self.sessions["pai-gow"]

    @property
    def dealer(self) -> Actor:
        """Eve, at the tablet of table 7."""
        return Actor.of(self.eve, self.cast.tablet)


def play_day(cast: Cast, patch: pytest.MonkeyPatch, day: date = DAY) -> Day:
    """Play it."""
    room = cast.room
    start, end = gaming_day_bounds(day, time_zone=room.zone, starts_at=room.day_starts_at)
    played = Day(
        cast, patch, day, hire("2002", "Eve", Role.DEALER, room=room), start.astimezone(UTC), end.astimezone(UTC)
    )
    _chinese_morning(played)
    _chinese_ends(played)
    _pai_gow(played)
    return played


def _chinese_morning(day: Day) -> None:
    cast = day.cast
    with day.at(0, 15):
        fees.add_schedule(cast, "chinese-poker", fees.CHINESE_RATES)
        fees.open_jackpot(cast, "chinese-poker")
    with day.at(0, 30):
        day.sessions["chinese"] = fees.open_chinese(cast, schedule="day")
        session_deal_in(order(cast.dealer), session_id=day.chinese.pk)
    with day.at(0, 32):
        day.sittings["lin"] = play.sit(cast, day.chinese, 1, "P1", 50_000)
        day.sittings["park"] = play.sit(cast, day.chinese, 2, "P2", 50_000)
    with day.at(0, 40):
        play.settle(cast, _hand(day), play.CHINESE_HANDS)
    with day.at(1, 10):
        hand_void(order(cast.floor), hand_id=_hand(day), reason="the deck was short")
    with day.at(1, 20):
        hand = _hand(day)
        play.settle(cast, hand, fees.FLUSH_HANDS)
        jackpot_award(order_of_two(cast), hand_id=hand, place=2, amount_cents=100)
        collection_waive(order(cast.floor), hand_id=hand, sitting_id=day.sittings["park"].pk, reason="=a birthday")
        disputed.rule(cast, disputed.dispute(cast, hand))
    with day.at(1, 40):
        hand = _hand(day)
        play.settle(cast, hand, play.CHINESE_HANDS)
    with day.at(1, 45):
        again(cast, hand, play.FOULED_HANDS)


def _chinese_ends(day: Day) -> None:
    cast = day.cast
    with day.at(2):
        session_deal_out(order(cast.dealer), session_id=day.chinese.pk)
        session_deal_in(order(day.dealer), session_id=day.chinese.pk)
    with day.at(2, 10):
        play.settle(cast, _hand(day), SHORT_HANDS)
    with day.at(2, 30):
        omar = play.sit(cast, day.chinese, 3, "P3", 30_000)
    with day.at(2, 35):
        take_back_last(cast, "buy-in")
    with day.at(2, 36):
        sitting_buy_in(order(cast.dealer), sitting_id=omar.pk, amount_cents=30_000, means="chips")
    with day.at(3, 30):
        sitting_cash_out(order(cast.dealer), sitting_id=omar.pk, means="chips")
    with day.at(4):
        for name in ("lin", "park"):
            sitting_cash_out(order(cast.dealer), sitting_id=day.sittings[name].pk, means="cash")
    with day.at(4, 10):
        session_close(order(cast.floor), session_id=day.chinese.pk)


def _pai_gow(day: Day) -> None:
    cast = day.cast
    with day.at(6):
        day.sessions["pai-gow"] = play.open_pai_gow(cast)
        session_deal_in(order(cast.pai_gow_dealer), session_id=day.pai_gow.pk)
        play.sit(cast, day.pai_gow, 1, "P1", 50_000)
        play.sit(cast, day.pai_gow, 2, "P2", 20_000)
    with day.at(6, 10):
        play.settle(cast, play.deal_next_pai_gow(cast, day.pai_gow), play.PAI_GOW_HANDS)
    with day.at(6, 40):
        hand = play.deal_next_pai_gow(cast, day.pai_gow, bank=2)
        told = disputed.settle_paying(cast, hand, play.PAI_GOW_HANDS, [{"wager": "w1", "net_cents": 100}])
    with day.at(6, 45):
        disputed.decide(cast, told["exception"])
    with day.at(7):
        incident_add(order(cast.pai_gow_dealer), session_id=day.pai_gow.pk, kind="exposed", cards="As")
    for number, (hours, minutes) in enumerate(((19, 30), (20, 30)), 1):
        with day.at(hours, minutes):
            hand = play.deal_next_pai_gow(cast, day.pai_gow, bank=number)
            play.settle(cast, hand, play.PAI_GOW_HANDS)
    with at(day.patch, day.end - timedelta(minutes=3)):
        hand = play.deal_next_pai_gow(cast, day.pai_gow)
    with at(day.patch, day.end + timedelta(minutes=3)):
        play.settle(cast, hand, play.PAI_GOW_HANDS)
    with at(day.patch, day.end + timedelta(minutes=10)):
        play.settle(cast, play.deal_next_pai_gow(cast, day.pai_gow, bank=2), play.PAI_GOW_HANDS)


def _hand(day: Day) -> UUID:
    return UUID(hand_start(order(day.cast.dealer), session_id=day.chinese.pk)["hand"])
