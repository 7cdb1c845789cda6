"""Invented days: a room's tables in pits, each played through the services from its first hand to its last.

Everything is decided by ``Random(f"{seed}/{pit}")``, the keys of the commands by one that knows the room too. A pit is played by
one process, table after table, and people move within their pit only. So the same seed gives the same day, on however many
processes: the same verbs, cards and amounts in the same order at each table. Only the instants, and the ids of rows, differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from tables.demo.chinese import ChineseTable
from tables.demo.clerk import Clerk, Tally
from tables.demo.happenings import happen
from tables.demo.pai_gow import PaiGowTable
from tables.demo.people import Staff, invite
from tables.demo.table import Pit, TableInPlay
from tables.models import Jackpot, Room
from tables.models.rooms import Game
from tables.selectors.schedules import find_schedule
from tables.services.jackpots import jackpot_open
from tables.services.schedules import schedule_add
from tables.services.sessions import table_add

CHINESE, PAI_GOW = Game.CHINESE_POKER, Game.PAI_GOW_POKER
TABLES_A_PIT = 2
"""Of one game, so that people can move. Few, so that pits can be shared out evenly between processes."""
GUESTS_A_TABLE = {CHINESE: 7, PAI_GOW: 11}
TERMS: Mapping[Game, Sequence[Mapping[str, Any]]] = {
    CHINESE: (
        {"rules": "cardroom-mandarin", "point_value_cents": 500, "collection_cents": 200},
        {"rules": "future-western", "point_value_cents": 200, "schedule": "by-players"},
        {
            "rules": "cardroom",
            "point_value_cents": 1_000,
            "collection_cents": 300,
            "chip_denominations": [100, 500, 2_500, 10_000],
        },
        {"rules": "future-eastern", "point_value_cents": 2_500, "schedule": "by-players"},
    ),
    PAI_GOW: (
        {
            "rules": "capitol",
            "table_min_cents": 1_000,
            "table_max_cents": 20_000,
            "collection_cents": 100,
            "bank_collection_cents": 300,
        },
        {
            "rules": "capitol-jokers-wild",
            "table_min_cents": 2_500,
            "table_max_cents": 50_000,
            "schedule": "by-wager",
        },
    ),
}
SCHEDULES: Sequence[Mapping[str, Any]] = (
    {
        "slug": "by-players",
        "title": "By players dealt in",
        "game": CHINESE,
        "rates": [
            {"payer": "player", "from": 1, "to": 2, "amount_cents": 100},
            {"payer": "player", "from": 3, "to": 3, "amount_cents": 200},
            {"payer": "player", "from": 4, "amount_cents": 300},
        ],
    },
    {
        "slug": "by-wager",
        "title": "By wager and bank",
        "game": PAI_GOW,
        "rates": [
            {"payer": "wager", "from": 1, "to": 10_000, "amount_cents": 100},
            {"payer": "wager", "from": 10_001, "amount_cents": 200},
            {"payer": "bank", "from": 1, "to": 100_000, "amount_cents": 300},
            {"payer": "bank", "from": 100_001, "amount_cents": 500},
        ],
    },
)
JACKPOTS: Mapping[Game, Mapping[str, Any]] = {
    CHINESE: {
        "slug": "four-in-the-back",
        "title": "Four in the back",
        "fee_cents": 100,
        "qualifying": [
            {"segment": "back", "category": "four-of-a-kind"},
            {"segment": "front", "category": "three-of-a-kind"},
        ],
    },
    PAI_GOW: {
        "slug": "full-house",
        "title": "Full house or better",
        "fee_cents": 100,
        "qualifying": [{"segment": "back", "category": "full-house"}],
    },
}
_KINDS: Mapping[Game, type[TableInPlay]] = {CHINESE: ChineseTable, PAI_GOW: PaiGowTable}

OnHand = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Place:
    """A table before it is opened: its number in the room, its game and its terms."""

    number: int
    game: Game
    terms: Mapping[str, Any]


def open_day(room: Room, staff: Staff, tables: int, seed: int) -> list[Pit]:
    """Add so many tables to a room and open them, in pits of Chinese Poker and of Pai Gow Poker by turns.

    The last pit of each game feeds a jackpot. In a room that has one, all do.
    """
    manager = Clerk(Random(f"{seed}/{room.slug}/{room.tables.count()}"))
    for schedule in SCHEDULES:
        if find_schedule(room.pk, schedule["slug"]) is None:
            values = {"room": room.slug, "version": 1, "reason": "The first rates of this room."}
            manager.do(staff.managing, schedule_add, **schedule, **values)
    pits = list(_in_pits(room, tables))
    opened = []
    for number, places in enumerate(pits):
        game = places[0].game
        is_last = number >= len(pits) - len(JACKPOTS)
        if is_last and not Jackpot.objects.filter(room=room, game=game, closed_at=None).exists():
            manager.do(staff.managing, jackpot_open, room=room.slug, game=game, **JACKPOTS[game])
        opened.append(open_pit(room, staff, number, places, seed))
    return opened


def _in_pits(room: Room, tables: int) -> Iterator[list[Place]]:
    first = max(room.tables.values_list("number", flat=True), default=0) + 1
    for number, begin in enumerate(range(0, tables, TABLES_A_PIT)):
        game = (CHINESE, PAI_GOW)[number % 2]
        terms = TERMS[game]
        yield [
            Place(first + begin + index, game, terms[(number // 2 * TABLES_A_PIT + index) % len(terms)])
            for index in range(min(TABLES_A_PIT, tables - begin))
        ]


def open_pit(room: Room, staff: Staff, number: int, places: Sequence[Place], seed: int) -> Pit:
    """Invite the guests of a pit and open its tables. Card numbers begin with 901 where the first table is T9."""
    clerk = Clerk(Random(f"{seed}/{number}/{room.slug}/{places[0].number}"))
    guests = invite(room, sum(GUESTS_A_TABLE[place.game] for place in places), 100 * places[0].number + 1)
    pit = Pit(room, staff, clerk, Random(f"{seed}/{number}"), happen, guests)
    for index, place in enumerate(places):
        table = table_add(room_id=room.pk, number=place.number, game=place.game)
        pit.tables.append(_KINDS[place.game](pit, table, place.terms, dealer=number * TABLES_A_PIT + index))
    return pit


def play_pit(pit: Pit, hands: Sequence[int], on_hand: OnHand) -> Tally:
    """Seat the guests and deal so many hands at each table, calling ``on_hand`` after each. Raises ``DayBroken``."""
    for table in pit.tables:
        for _seat in range(table.full_house):
            table.sit_somewhere()
    for turn in range(max(hands)):
        for table, most in zip(pit.tables, hands, strict=True):
            if turn < most:
                table.play()
                on_hand()
    pit.clerk.tally["people", "patrons"] = len(pit.seen)
    return pit.clerk.tally


def share_out(hands: int, pits: Sequence[Pit]) -> list[list[int]]:
    """The hands of a day for each table of each pit, as even as can be."""
    tables = sum(len(pit.tables) for pit in pits)
    each, rest = divmod(hands, tables)
    shares = iter([each + (table < rest) for table in range(tables)])
    return [[next(shares) for _table in pit.tables] for pit in pits]
