"""Playing at the tables of the cast, through the services, with the cards of two known hands."""

from typing import Any
from uuid import UUID

from ledger.models import Balance
from tables.models import Sitting, TableSession
from tables.services.hands import hand_start
from tables.services.records import hand_record_enter
from tables.services.sessions import session_open
from tables.services.settling import hand_settle
from tables.services.sittings import sitting_buy_in, sitting_start
from tables.services.wagers import hand_close_wagers
from tests.people import Cast, order

# Seat 1 sets two pair in front of nothing much; seat 2 wins middle and back.
CHINESE_HANDS = [
    {"seat": 1, "front": "Js Jd 9h", "middle": "Qh Qs 8c 3c 2h", "back": "As Ks 6s 5s 3s"},
    {"seat": 2, "front": "Th 9s 7s", "middle": "Kd 6d 5d 4d 3d", "back": "Kc Qc 6c 5c 4c"},
]
FOULED_HANDS = [
    {"seat": 1, "front": "Js Jd 9h", "middle": "As Ks 6s 5s 3s", "back": "Qh Qs 8c 3c 2h"},
    CHINESE_HANDS[1],
]
PAI_GOW_HANDS = [
    {"position": 1, "front": "Jc Td", "back": "9c 9d 6h 4s 2c"},
    {"position": 2, "front": "Ah Kd", "back": "Th Ts 8c 5d 3h"},
]


def open_chinese(cast: Cast, collection_cents: int = 400) -> TableSession:
    """Table 7 opened by Ada: Mandarin rules, $5 a point."""
    answer = session_open(
        order(cast.floor),
        table_id=cast.chinese.pk,
        rules="cardroom-mandarin",
        point_value_cents=500,
        collection_cents=collection_cents,
    )
    return TableSession.objects.get(pk=answer["session"])


def open_pai_gow(cast: Cast, **terms: Any) -> TableSession:
    """Table 8 opened by Ada: Capitol's rules, $10 to $100, collection $1 a wager and $3 the bank; ``terms`` beside or instead."""
    usual: dict[str, Any] = {
        "rules": "capitol",
        "table_min_cents": 1000,
        "table_max_cents": 10000,
        "collection_cents": 100,
        "bank_collection_cents": 300,
    }
    answer = session_open(order(cast.floor), table_id=cast.pai_gow.pk, **(usual | terms))
    return TableSession.objects.get(pk=answer["session"])


def sit(cast: Cast, session: TableSession, seat: int | None, patron: str, amount_cents: int = 0) -> Sitting:
    """Seat a patron by card number and buy them in."""
    actor = cast.dealer if session.table_id == cast.chinese.pk else cast.pai_gow_dealer
    answer = sitting_start(order(actor), session_id=session.pk, seat=seat, patron_number=patron)
    sitting = Sitting.objects.get(pk=answer["sitting"])
    if amount_cents:
        sitting_buy_in(order(actor), sitting_id=sitting.pk, amount_cents=amount_cents)
    return sitting


def stack_of(sitting: Sitting) -> int:
    """Chips of a sitting in cents, read anew."""
    return Balance.objects.get(account_id=sitting.stack_id).balance_cents


def deal_chinese(cast: Cast) -> tuple[TableSession, Sitting, Sitting, UUID]:
    """Table 7 with Lin in seat 1 and Park in seat 2, $110 each less the collection, and a hand out."""
    session = open_chinese(cast)
    lin, park = sit(cast, session, 1, "P1", 11_000), sit(cast, session, 2, "P2", 11_000)
    hand = hand_start(order(cast.dealer), session_id=session.pk)
    return session, lin, park, UUID(hand["hand"])


def deal_pai_gow(cast: Cast) -> tuple[TableSession, Sitting, Sitting, UUID]:
    """Table 8 with Lin as Player/Dealer in 1 and Park in 2 wagering $50 against a bank of $200, dice 1-2-6, wagers closed."""
    session = open_pai_gow(cast)
    lin, park = sit(cast, session, 1, "P1", 50_000), sit(cast, session, 2, "P2", 20_000)
    return session, lin, park, deal_next_pai_gow(cast, session)


def deal_next_pai_gow(cast: Cast, session: TableSession, *, bank: int = 1) -> UUID:
    """A hand at table 8 with the same stakes and dice, by whoever sits in 1 and 2; nobody has the bank three times (PG-02)."""
    sittings = session.sittings.filter(ended_at__isnull=True, seat__number__in=(1, 2)).select_related("seat")
    by_seat = {each.seat.number: each for each in sittings if each.seat}
    spot = 3 - bank
    hand = hand_start(order(cast.pai_gow_dealer), session_id=session.pk, button_seat=bank)
    hand_close_wagers(
        order(cast.pai_gow_dealer),
        hand_id=UUID(hand["hand"]),
        wagers=[{"position": spot, "sitting": str(by_seat[spot].pk), "amount_cents": 5_000}],
        bank=[{"sitting": str(by_seat[bank].pk), "amount_cents": 20_000}],
        dice=[1, 2, 6],
    )
    return UUID(hand["hand"])


def record(cast: Cast, hand_id: UUID, hands: list[dict[str, Any]]) -> dict[str, Any]:
    """Enter a hand as set, as Ben on the right tablet."""
    actor = cast.dealer if "seat" in hands[0] else cast.pai_gow_dealer
    return hand_record_enter(order(actor), hand_id=hand_id, hands=hands)


def settle(cast: Cast, hand_id: UUID, hands: list[dict[str, Any]]) -> dict[str, Any]:
    """Enter a hand and confirm its verdict."""
    answer = record(cast, hand_id, hands)
    actor = cast.dealer if "seat" in hands[0] else cast.pai_gow_dealer
    return hand_settle(order(actor), hand_id=hand_id, revision=answer["revision"])
