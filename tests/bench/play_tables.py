"""Tables at which four patrons play Chinese Poker, with chips for any number of hands."""

from dataclasses import dataclass, replace
from uuid import UUID

from casino.staff.actor import Actor
from casino.staff.services import device_enrol
from tables.models import TableSession
from tables.models.rooms import Game
from tables.services.hands import hand_start
from tables.services.records import hand_record_enter
from tables.services.sessions import table_add
from tables.services.settling import hand_settle
from tests.people import Cast, order
from tests.tables import play

RICH_CENTS = 10**9

# Four seats of which every pair has a winner: six payments, the most there are.
SIX_PAYMENTS = [
    {"seat": 1, "front": "2c 6h 7s", "middle": "Tc 5c 8h Js 4d", "back": "Qd 3h Kh Qh 3d"},
    {"seat": 2, "front": "7c 5d 6c", "middle": "Td Kc 3s 9d As", "back": "Jh Jc Jd 2d 2s"},
    {"seat": 3, "front": "8d 8c Ts", "middle": "4s Kd Ad 9s 9c", "back": "4h 5s 6d 3c 2h"},
    {"seat": 4, "front": "Ac 6s 8s", "middle": "Qs Ks 4c 7d Qc", "back": "9h Ah 5h 7h Th"},
]


@dataclass(frozen=True)
class PlayTable:
    """A table with four patrons and chips enough for any number of hands, and who deals there."""

    cast: Cast
    session: TableSession

    def deal(self) -> UUID:
        """Deal a hand and enter its cards; it waits for its settlement."""
        hand = UUID(hand_start(order(self.cast.dealer), session_id=self.session.pk)["hand"])
        hand_record_enter(order(self.cast.dealer), hand_id=hand, hands=SIX_PAYMENTS)
        return hand

    def settle(self, hand: UUID) -> None:
        """Confirm what the rules make of it."""
        hand_settle(order(self.cast.dealer), hand_id=hand, revision=1)


def play_tables(cast: Cast, count: int) -> list[PlayTable]:
    """So many tables in Room One beside those of the cast, each with its tablet, opened and full."""
    return [_play_table(cast, number) for number in range(101, 101 + count)]


def _play_table(cast: Cast, number: int) -> PlayTable:
    table = table_add(room_id=cast.room.pk, number=number, game=Game.CHINESE_POKER)
    tablet, token = device_enrol(actor=Actor.of(cast.ada), name=f"Tablet T{number}", place=table.pk)
    there = replace(cast, chinese=table, tablet=tablet, tablet_token=token)
    session = play.open_chinese(there, collection_cents=0)
    for seat in (1, 2, 3, 4):
        play.sit(there, session, seat, f"P{seat}", RICH_CENTS)
    return PlayTable(there, session)
