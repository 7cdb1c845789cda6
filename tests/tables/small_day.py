"""A gaming day of eleven hands, each different in one thing, for the lists that find them: tomorrow's, by a clock set ahead."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from casino.staff.actor import Actor
from tables.models import Hand, Patron, TableSession
from tables.models.rooms import Game
from tables.services.hands import hand_start, hand_void
from tables.services.misdeals import hand_misdeal
from tables.services.sessions import session_open, table_add
from tables.services.sittings import sitting_buy_in, sitting_start
from tests.people import Cast, order
from tests.tables import play
from tests.tables.clocks import Clock
from tests.tables.corrected import SHORT_HANDS, again
from tests.tables.disputed import dispute, rule, settle_paying

# What each is called in the tests, and when it is dealt on the room's clock.
DEALT = {
    "plain": time(18),
    "fouled": time(19),
    "void": time(20),
    "misdealt": time(20, 30),
    "called": time(21),
    "bank": time(22),
    "elsewhere": time(23),
    "corrected": time(23, 30),
    "paid": time(0, 30),
    "ruled": time(1, 30),
    "held": time(2),
}


@dataclass(frozen=True)
class SmallDay:
    """The day, its hands by name, and the session at table 7."""

    cast: Cast
    day: date
    hands: dict[str, UUID]
    session: TableSession

    def names(self, hands: list[Hand]) -> list[str]:
        """What these hands are called."""
        by_id = {pk: name for name, pk in self.hands.items()}
        return [by_id[hand.pk] for hand in hands]


def small_day(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> SmallDay:
    """Play it: Lin and Park at table 7, Omar with the bank and Ruiz at table 8, two others in Room Two."""
    day = cast.room.gaming_day(timezone.now()) + timedelta(days=1)
    clock = Clock().set(monkeypatch)

    def at(name: str) -> None:
        local = DEALT[name]
        on = day + timedelta(days=local < cast.room.day_starts_at)
        instant = datetime.combine(on, local, tzinfo=cast.room.zone)
        clock.seconds = (instant - timezone.now()).total_seconds() + 5

    def deal(name: str) -> UUID:
        at(name)
        hands[name] = UUID(hand_start(order(cast.dealer), session_id=session.pk)["hand"])
        return hands[name]

    hands: dict[str, UUID] = {}
    at("plain")
    session = play.open_chinese(cast, collection_cents=0)
    for seat in (1, 2):
        play.sit(cast, session, seat, f"P{seat}", 50_000)
    play.settle(cast, deal("plain"), play.CHINESE_HANDS)
    play.settle(cast, deal("fouled"), play.FOULED_HANDS)
    hand_void(order(cast.floor), hand_id=deal("void"), reason="a card on the floor")
    play.settle(cast, deal("misdealt"), SHORT_HANDS)
    hand_misdeal(order(cast.dealer), hand_id=deal("called"), code="dealer-exposed", seat=1, count=5)
    at("bank")
    pai_gow = play.open_pai_gow(cast)
    play.sit(cast, pai_gow, 1, "P3", 50_000)
    play.sit(cast, pai_gow, 2, "P4", 20_000)
    hands["bank"] = play.deal_next_pai_gow(cast, pai_gow)
    play.settle(cast, hands["bank"], play.PAI_GOW_HANDS)
    at("elsewhere")
    hands["elsewhere"] = _elsewhere(cast)
    play.settle(cast, deal("corrected"), play.CHINESE_HANDS)
    again(cast, hands["corrected"], play.FOULED_HANDS)
    settle_paying(cast, deal("paid"), play.CHINESE_HANDS, [{"payer": 2, "payee": 1, "paid_cents": 800}], "a miscount")
    play.settle(cast, deal("ruled"), play.CHINESE_HANDS)
    rule(cast, dispute(cast, hands["ruled"]))
    play.settle(cast, deal("held"), play.CHINESE_HANDS)
    dispute(cast, hands["held"])
    return SmallDay(cast, day, hands, session)


def _elsewhere(cast: Cast) -> UUID:
    """A void hand that Dan deals at table 7 of Room Two."""
    dan = Actor.of(cast.dan)
    table = table_add(room_id=cast.other_room.pk, number=7, game=Game.CHINESE_POKER)
    terms: dict[str, Any] = {"rules": "cardroom-mandarin", "point_value_cents": 500, "collection_cents": 0}
    session = UUID(session_open(order(dan), table_id=table.pk, **terms)["session"])
    for seat in (1, 2):
        Patron.objects.create(room=cast.other_room, number=f"P{seat}", name=f"Stranger {seat}")
        sitting = sitting_start(order(dan), session_id=session, seat=seat, patron_number=f"P{seat}")["sitting"]
        sitting_buy_in(order(dan), sitting_id=UUID(sitting), amount_cents=50_000)
    hand = UUID(hand_start(order(dan), session_id=session)["hand"])
    hand_void(order(dan), hand_id=hand, reason="a shoe on the table")
    return hand
