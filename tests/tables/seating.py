"""People at several tables: more Chinese tables than the cast has, hands for any seats, and one of each row about people."""

from typing import Any
from uuid import UUID

from casino.staff.actor import Actor
from casino.staff.models import Role
from ledger.checks import validators
from tables.models import Sitting, TableSession
from tables.models.rooms import Game
from tables.services.behind import sitting_colour_up
from tables.services.hands import hand_start
from tables.services.line_up import staff_break_start, staff_come_on
from tables.services.restrictions import patron_bar, patron_lift_bar
from tables.services.seats import seat_hold
from tables.services.sessions import session_deal_in, session_open, table_add
from tables.services.sittings import sitting_buy_in, sitting_start
from tables.services.waiting import waiting_add
from tests.people import Cast, hire, order
from tests.tables import play
from tests.tables.corrected import order_of_two

LEGAL_CARDS = [
    *[{name: text for name, text in hand.items() if name != "seat"} for hand in play.CHINESE_HANDS],
    {"front": "Td 7c 2c", "middle": "8h 8d 7h 4h Ac", "back": "9c 9d Ah Tc 5h"},
]


def chinese_hands(*seats: int) -> list[dict[str, Any]]:
    """Legal cards for up to three seats."""
    return [{"seat": seat, **cards} for seat, cards in zip(seats, LEGAL_CARDS, strict=False)]


def open_another(
    cast: Cast, number: int = 9, *, game: str = Game.CHINESE_POKER, room_id: UUID | None = None, **terms: Any
) -> TableSession:
    """A further table of Room One, opened by Ada: $5 a point, or $10 to $100."""
    table = table_add(room_id=room_id or cast.room.pk, number=number, game=game)
    chinese = game == Game.CHINESE_POKER
    stakes = {"point_value_cents": 500} if chinese else {"table_min_cents": 1_000, "table_max_cents": 10_000}
    rules = "cardroom-mandarin" if chinese else "capitol"
    answer = session_open(order(cast.floor), table_id=table.pk, rules=rules, **{**stakes, **terms})
    return TableSession.objects.get(pk=answer["session"])


def seat_at(cast: Cast, session: TableSession, seat: int | None, patron: str, amount_cents: int = 0) -> Sitting:
    """Seat a patron at any table, as Ada, and buy them in."""
    answer = sitting_start(order(cast.floor), session_id=session.pk, seat=seat, patron_number=patron)
    sitting = Sitting.objects.get(pk=answer["sitting"])
    if amount_cents:
        sitting_buy_in(order(cast.floor), sitting_id=sitting.pk, amount_cents=amount_cents)
    return sitting


def deal(cast: Cast, session: TableSession) -> UUID:
    """Deal at table 7."""
    return UUID(hand_start(order(cast.dealer), session_id=session.pk)["hand"])


def play_a_hand(cast: Cast, session: TableSession, *seats: int) -> None:
    """Deal and settle a hand at table 7."""
    play.settle(cast, deal(cast, session), chinese_hands(*seats))


def bar(cast: Cast, patron: str, kind: str = "barred", until_date: str = "", actor: Actor | None = None) -> None:
    """Ada bars a patron."""
    press = order(actor or cast.floor)
    patron_bar(press, patron_number=patron, kind=kind, reason="Shouted at the dealer", until_date=until_date)


def one_of_each(cast: Cast) -> None:
    """At table 9 a dealer, a held seat and money behind; a patron barred, and let in again; one who waits for a
    seat; a dealer on a break.
    """
    session = open_another(cast)
    session_deal_in(order(cast.floor), session_id=session.pk)
    lin = seat_at(cast, session, 1, "P1", 11_000)
    sitting_colour_up(order(cast.floor), sitting_id=lin.pk, amount_cents=1_000, reason="Asked for it")
    seat_hold(order(cast.floor), session_id=session.pk, seat=2, minutes=10, patron_number="P2")
    bar(cast, "P4")
    patron_lift_bar(order_of_two(cast), patron_number="P4", reason="Apologised")
    waiting_add(order(cast.floor), room="one", game="chinese-poker", point_value_cents=500, patron_number="P3")
    hire("2099", "Gil", Role.DEALER, room=cast.room)
    duty_id = UUID(staff_come_on(order(cast.floor), room="one", badge="2099")["duty"])
    staff_break_start(order(cast.floor), duty_id=duty_id)


def assert_explained() -> None:
    """Everything that moved follows from what was done."""
    assert {each.name: list(each.check()) for each in validators()} == {each.name: [] for each in validators()}
