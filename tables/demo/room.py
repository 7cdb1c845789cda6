"""The demo room: one floor supervisor, one dealer, one auditor, two tables, and the first hands of the day."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import time
from random import Random
from typing import Any
from uuid import UUID

from django.utils import timezone

from casino.staff.actor import Actor
from casino.staff.models import Role, User
from casino.staff.services import device_enrol
from tables.demo.cards import chinese_hands, pai_gow_hands
from tables.models import Patron, Room, RoomStaff, Table, TableSession
from tables.models.rooms import Game
from tables.selectors.rules import rule_set_of
from tables.selectors.table_state import Occupant, table_state
from tables.services.commands import Order
from tables.services.hands import hand_start
from tables.services.records import hand_record_enter
from tables.services.sessions import session_deal_in, session_open, table_add
from tables.services.settling import hand_settle
from tables.services.sittings import sitting_buy_in, sitting_start
from tables.services.wagers import hand_close_wagers

PASSWORD = "backline demo"  # noqa: S105  shown at the start of every demo, and to nobody else
PIN = "2580"
STAFF = (
    ("1001", "Ada Reyes", [Role.FLOOR]),
    ("2001", "Ben Tran", [Role.DEALER]),
    ("3001", "Cleo Martin", [Role.AUDITOR]),
    ("4001", "Max Oyelaran", [Role.MANAGER]),
    ("9001", "Ines Falk", [Role.ADMIN]),
)
PATRONS = ("Lin", "Park", "Omar", "Ruiz", "Chen", "Dana", "Felix", "Grace", "Hugo", "Iris")
SIGN_INS = (
    f'web: floor 1001, auditor 3001, manager 4001, admin 9001, password "{PASSWORD}"; '
    f"tablet: dealer 2001, PIN {PIN} (floor enrols the tablet from a table's page)"
)
HANDS_A_TABLE = 25
CHINESE_TERMS = {"rules": "cardroom-mandarin", "point_value_cents": 500, "collection_cents": 200}
PAI_GOW_TERMS = {
    "rules": "capitol",
    "table_min_cents": 1_000,
    "table_max_cents": 20_000,
    "collection_cents": 100,
    "bank_collection_cents": 300,
}

Progress = Callable[[int, int], None]


def load_demo_room(*, seed: int, progress: Progress) -> None:
    """Make the room and play both tables, each change a command as from a tablet. ``progress`` gets done and total."""
    random = Random(seed)
    room = Room.objects.create(slug="demo", name="Demo Room", time_zone="America/Los_Angeles", day_starts_at=time(6))
    staff = {
        badge: User.objects.create_user(badge, name, roles=list(roles), password=PASSWORD, pin=PIN)
        for badge, name, roles in STAFF
    }
    RoomStaff.objects.bulk_create(RoomStaff(room=room, user=user) for user in staff.values())
    Patron.objects.bulk_create(
        Patron(room=room, number=f"{100 + index}", name=name) for index, name in enumerate(PATRONS, 1)
    )
    tables = [
        (table_add(room_id=room.pk, number=7, game=Game.CHINESE_POKER), CHINESE_TERMS, range(4)),
        (table_add(room_id=room.pk, number=8, game=Game.PAI_GOW_POKER), PAI_GOW_TERMS, range(4, 9)),
    ]
    done = 0
    for table, terms, patrons in tables:
        night = _Night(table, Actor.of(staff["1001"]), staff["2001"], random, terms)
        night.seat([f"{101 + patron}" for patron in patrons])
        for _hand in range(HANDS_A_TABLE):
            night.play()
            done += 1
            progress(done, HANDS_A_TABLE * len(tables))


class _Night:
    """One table's night: opened by floor, dealt by a dealer on its tablet."""

    def __init__(self, table: Table, floor: Actor, dealer: User, random: Random, terms: Mapping[str, Any]) -> None:
        self.random = random
        device, _token = device_enrol(actor=floor, name=f"Tablet {table}", place=table.pk)
        answer = session_open(self._order(floor), table_id=table.pk, **terms)
        self.session = TableSession.objects.select_related("table", "rules").get(pk=answer["session"])
        self.dealer = Actor.of(dealer, device)
        session_deal_in(self._order(), session_id=self.session.pk)

    def seat(self, patron_numbers: Sequence[str]) -> None:
        """Sit patrons down from seat 1 on and buy them in."""
        for seat, number in enumerate(patron_numbers, 1):
            sitting = sitting_start(self._order(), session_id=self.session.pk, seat=seat, patron_number=number)
            sitting_buy_in(self._order(), sitting_id=UUID(sitting["sitting"]), amount_cents=100_000)

    def play(self) -> None:
        """One hand, from buying in again to settlement."""
        chinese = self.session.table.game == Game.CHINESE_POKER
        least_cents = 5_000 if chinese else 30_000
        for each in table_state(self.session.table).occupants:
            if each.stack_cents < least_cents:
                sitting_buy_in(self._order(), sitting_id=each.sitting.pk, amount_cents=50_000)
        hand_id, hands = self._chinese_hand() if chinese else self._pai_gow_hand()
        answer = hand_record_enter(self._order(), hand_id=hand_id, hands=hands)
        hand_settle(self._order(), hand_id=hand_id, revision=answer["revision"])

    def _order(self, actor: Actor | None = None) -> Order:
        key = UUID(int=self.random.getrandbits(128), version=4)
        return Order(key=key, actor=actor or self.dealer, occurred_at=timezone.now())

    def _seated(self) -> list[Occupant]:
        return [seat.occupant for seat in table_state(self.session.table).seats if seat.occupant]

    def _chinese_hand(self) -> tuple[UUID, list[dict[str, Any]]]:
        hand_id = UUID(hand_start(self._order(), session_id=self.session.pk)["hand"])
        seats = [each.seat for each in self._seated() if each.seat and each.in_hand]
        return hand_id, chinese_hands(self.random, seats, rule_set_of(self.session.rules))

    def _pai_gow_hand(self) -> tuple[UUID, list[dict[str, Any]]]:
        seated = self._seated()
        self.session.refresh_from_db(fields=["hands_dealt"])
        # Two hands in a row for a bank, then it goes on clockwise (PG-02).
        banker = seated[self.session.hands_dealt // 2 % len(seated)]
        hand = hand_start(self._order(), session_id=self.session.pk, button_seat=banker.seat)
        hand_close_wagers(
            self._order(),
            hand_id=UUID(hand["hand"]),
            wagers=[self._wager(each) for each in seated if each is not banker],
            bank=[{"sitting": str(banker.sitting.pk), "amount_cents": 20_000}],
            dice=[self.random.randint(1, 6) for _die in range(3)],
        )
        return UUID(hand["hand"]), pai_gow_hands(self.random, [each.seat for each in seated if each.seat])

    def _wager(self, bettor: Occupant) -> dict[str, Any]:
        amount_cents = self.random.randrange(10, 51, 5) * 100
        return {"position": bettor.seat, "sitting": str(bettor.sitting.pk), "amount_cents": amount_cents}
