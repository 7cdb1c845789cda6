"""The demo room: one floor supervisor, one dealer, one auditor, two tables, and the first hands of the day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import time
from random import Random
from uuid import UUID

from django.utils import timezone

from casino.staff.actor import Actor
from casino.staff.models import Role, User
from tables.demo.cards import chinese_hands, pai_gow_hands
from tables.models import Patron, Room, RoomStaff, TableSession
from tables.models.rooms import Game
from tables.selectors.table_state import table_state
from tables.services.commands import Order
from tables.services.hands import hand_close_wagers, hand_start
from tables.services.records import hand_record_enter
from tables.services.sessions import rule_set_of, session_open, table_add
from tables.services.settling import hand_settle
from tables.services.sittings import sitting_buy_in, sitting_start

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
    floor, total = Actor.of(staff["1001"]), 2 * HANDS_A_TABLE
    chinese = table_add(room_id=room.pk, number=7, game=Game.CHINESE_POKER)
    pai_gow = table_add(room_id=room.pk, number=8, game=Game.PAI_GOW_POKER)
    terms = {"rules": "cardroom-mandarin", "point_value_cents": 500, "collection_cents": 200}
    _play(_open(random, floor, chinese.pk, terms), floor, random, lambda done: progress(done, total), patrons=range(4))
    limits = {"table_min_cents": 1_000, "table_max_cents": 20_000}
    terms = {"rules": "capitol", **limits, "collection_cents": 100, "bank_collection_cents": 300}
    _play(
        _open(random, floor, pai_gow.pk, terms),
        floor,
        random,
        lambda done: progress(HANDS_A_TABLE + done, total),
        patrons=range(4, 9),
    )


def _order(random: Random, actor: Actor) -> Order:
    return Order(key=UUID(int=random.getrandbits(128), version=4), actor=actor, occurred_at=timezone.now())


def _open(random: Random, floor: Actor, table_id: UUID, terms: dict[str, object]) -> TableSession:
    answer = session_open(_order(random, floor), table_id=table_id, **terms)  # type: ignore[arg-type]
    return TableSession.objects.select_related("table", "rules").get(pk=answer["session"])


def _play(
    session: TableSession, actor: Actor, random: Random, progress: Callable[[int], None], *, patrons: range
) -> None:
    for seat, patron in enumerate(patrons, 1):
        number = f"{101 + patron}"
        answer = sitting_start(_order(random, actor), session_id=session.pk, seat=seat, patron_number=number)
        sitting_buy_in(_order(random, actor), sitting_id=UUID(answer["sitting"]), amount_cents=100_000)
    one_hand = _chinese_hand if session.table.game == Game.CHINESE_POKER else _pai_gow_hand
    for done in range(1, HANDS_A_TABLE + 1):
        one_hand(session, actor, random)
        progress(done)


def _settle(random: Random, actor: Actor, hand_id: UUID, hands: list[dict[str, object]]) -> None:
    answer = hand_record_enter(_order(random, actor), hand_id=hand_id, hands=hands)
    hand_settle(_order(random, actor), hand_id=hand_id, revision=answer["revision"])


def _chinese_hand(session: TableSession, actor: Actor, random: Random) -> None:
    _buy_in_again(session, actor, random, least_cents=5_000)
    hand_id = UUID(hand_start(_order(random, actor), session_id=session.pk)["hand"])
    state = table_state(session.table)
    seats = list(state.hand.positions) if state.hand else []
    _settle(random, actor, hand_id, chinese_hands(random, seats, rule_set_of(session.rules)))


def _pai_gow_hand(session: TableSession, actor: Actor, random: Random) -> None:
    _buy_in_again(session, actor, random, least_cents=30_000)
    seated = [seat.occupant for seat in table_state(session.table).seats if seat.occupant]
    # Two hands in a row for a bank, then it goes on clockwise (PG-02).
    session.refresh_from_db()
    banker = seated[session.hands_dealt // 2 % len(seated)]
    hand = hand_start(_order(random, actor), session_id=session.pk, button_seat=banker.seat)
    players = [each for each in seated if each is not banker]
    hand_close_wagers(
        _order(random, actor),
        hand_id=UUID(hand["hand"]),
        wagers=[
            {"position": each.seat, "sitting": str(each.sitting.pk), "amount_cents": random.randrange(10, 51, 5) * 100}
            for each in players
        ],
        bank=[{"sitting": str(banker.sitting.pk), "amount_cents": 20_000}],
        dice=[random.randint(1, 6) for _die in range(3)],
    )
    positions = sorted(each.seat for each in seated if each.seat)
    _settle(random, actor, UUID(hand["hand"]), pai_gow_hands(random, positions))


def _buy_in_again(session: TableSession, actor: Actor, random: Random, *, least_cents: int) -> None:
    for each in table_state(session.table).occupants:
        if each.stack_cents < least_cents:
            sitting_buy_in(_order(random, actor), sitting_id=each.sitting.pk, amount_cents=50_000)
