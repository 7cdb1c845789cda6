"""Tables with collection schedules and jackpots, for the tests about them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from tables.models import Jackpot, Sitting, TableSession
from tables.services.hands import hand_start
from tables.services.jackpots import jackpot_award, jackpot_open
from tables.services.records import hand_record_enter
from tables.services.schedules import schedule_add
from tables.services.sessions import session_open
from tables.services.settling import hand_settle
from tables.services.wagers import hand_close_wagers
from tables.services.waivers import collection_waive
from tests.people import Cast, order
from tests.tables import play
from tests.tables.corrected import BONUS_HAND, order_of_two
from tests.tables.seating import open_another, seat_at

CHINESE_RATES: list[dict[str, Any]] = [
    {"payer": "player", "from": 1, "to": 2, "amount_cents": 300},
    {"payer": "player", "from": 3, "amount_cents": 400},
]
PAI_GOW_RATES: list[dict[str, Any]] = [
    {"payer": "wager", "from": 1000, "to": 4999, "amount_cents": 100},
    {"payer": "wager", "from": 5000, "to": None, "amount_cents": 200},
    {"payer": "bank", "from": 1, "to": 9999, "amount_cents": 100},
    {"payer": "bank", "from": 10000, "amount_cents": 300},
]
# Seat 2 has a straight flush to the nine behind, seat 1 none.
FLUSH_HANDS = [{"seat": 1, "front": "2h 2s 3c", "middle": "Ah As 8c 3h 3s", "back": "Jc Jd Js 6h 6s"}, BONUS_HAND]
# A straight flush behind, or anything better, in either game.
STRAIGHT_FLUSH = [{"segment": "back", "category": "straight-flush"}]


def add_schedule(cast: Cast, game: str, rates: list[dict[str, Any]], **changed: Any) -> str:
    """Ada adds a schedule called ``day``; its name with the version."""
    values = {"room": "one", "slug": "day", "version": 1, "title": "By day", "reason": "as posted"} | changed
    return str(schedule_add(order(cast.floor), game=game, rates=rates, **values)["schedule"])


def open_chinese(cast: Cast, **terms: Any) -> TableSession:
    """Table 7 opened by Ada: Mandarin rules, $5 a point, with these collections."""
    answer = session_open(
        order(cast.floor), table_id=cast.chinese.pk, rules="cardroom-mandarin", point_value_cents=500, **terms
    )
    return TableSession.objects.get(pk=answer["session"])


def open_pai_gow(cast: Cast, **terms: Any) -> TableSession:
    """Table 8 opened by Ada: Capitol's rules unless told otherwise, $10 to $100, with these collections."""
    terms = {"rules": "capitol"} | terms
    answer = session_open(
        order(cast.floor), table_id=cast.pai_gow.pk, table_min_cents=1000, table_max_cents=10000, **terms
    )
    return TableSession.objects.get(pk=answer["session"])


def open_jackpot(cast: Cast, game: str, **changed: Any) -> Jackpot:
    """Ada opens a jackpot of $1 a player or wager for straight flushes."""
    values = {
        "room": "one",
        "slug": f"{game}-flush",
        "title": "Straight flush",
        "fee_cents": 100,
        "qualifying": STRAIGHT_FLUSH,
    } | changed
    return Jackpot.objects.get(pk=jackpot_open(order(cast.floor), game=game, **values)["jackpot"])


def deal(cast: Cast, session: TableSession) -> UUID:
    """The next hand, with Lin's seat as Player/Dealer in Pai Gow Poker."""
    if session.table_id == cast.chinese.pk:
        return UUID(hand_start(order(cast.dealer), session_id=session.pk)["hand"])
    return UUID(hand_start(order(cast.pai_gow_dealer), session_id=session.pk, button_seat=1)["hand"])


def wager(cast: Cast, hand: UUID, banker: Sitting, bank_cents: int, wagers: dict[Sitting, int]) -> None:
    """Wagers, each on its own position, bank and dice in one press."""
    seats = {sitting: sitting.seat.number for sitting in wagers if sitting.seat is not None}
    hand_close_wagers(
        order(cast.pai_gow_dealer),
        hand_id=hand,
        wagers=[
            {"position": seats[sitting], "sitting": str(sitting.pk), "amount_cents": cents}
            for sitting, cents in wagers.items()
        ],
        bank=[{"sitting": str(banker.pk), "amount_cents": bank_cents}],
        dice=[1, 2, 6],
    )


def seat_three(cast: Cast, session: TableSession, amount_cents: int = 50_000) -> tuple[Sitting, Sitting, Sitting]:
    """Lin in seat 1, Park in 2, Omar in 3."""
    lin, park, omar = (play.sit(cast, session, seat, f"P{seat}", amount_cents) for seat in (1, 2, 3))
    return lin, park, omar


def one_of_each_fee(cast: Cast) -> None:
    """At table 10 a schedule, a jackpot that was paid, and a collection that was waived."""
    add_schedule(cast, "chinese-poker", CHINESE_RATES)
    open_jackpot(cast, "chinese-poker")
    session = open_another(cast, 10, schedule="day")
    seat_at(cast, session, 1, "P1", 20_000)
    park = seat_at(cast, session, 2, "P2", 20_000)
    hand = UUID(hand_start(order(cast.floor), session_id=session.pk)["hand"])
    answer = hand_record_enter(order(cast.floor), hand_id=hand, hands=FLUSH_HANDS)
    hand_settle(order(cast.floor), hand_id=hand, revision=answer["revision"])
    jackpot_award(order_of_two(cast), hand_id=hand, place=2, amount_cents=100)
    collection_waive(order(cast.floor), hand_id=hand, sitting_id=park.pk, reason="a birthday")
