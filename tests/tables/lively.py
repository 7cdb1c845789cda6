"""A floor with something going on at every table: hands, calls, a clock, a dispute, a bank nobody takes, a silent tablet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from casino.staff.actor import Actor
from casino.staff.models import Device
from casino.staff.services import device_enrol
from tables.models import Table, TableSession
from tables.models.rooms import Game
from tables.services import commands
from tables.services.banking import bank_answer
from tables.services.clock import clock_call
from tables.services.floor_map import Place, room_map_arrange
from tables.services.hands import hand_start
from tables.services.seats import seat_hold
from tables.services.sessions import session_deal_in, table_add
from tables.services.sittings import sitting_absent
from tests.people import Cast, order
from tests.tables import play
from tests.tables.calling import answer, ask_undo, call
from tests.tables.disputed import dispute


@contextmanager
def minutes_ago(patch: pytest.MonkeyPatch, minutes: float) -> Iterator[None]:
    """What is done meanwhile was done so many minutes ago."""

    class Then:
        @staticmethod
        def now() -> datetime:
            return timezone.now() - timedelta(minutes=minutes)

    with patch.context() as then:
        then.setattr(commands, "timezone", Then)
        then.setattr(commands, "CLOCK_TOLERANCE", timedelta(days=1))
        yield


@dataclass(frozen=True)
class Floor:
    """The cast of each table by the table's number, with whom ``play`` plays there."""

    casts: dict[int, Cast]
    patch: pytest.MonkeyPatch

    def table(self, number: int) -> Table:
        """The table of this number."""
        there = self.casts[number]
        return there.chinese if number % 2 else there.pai_gow

    def chinese(self, number: int, minutes: float, *patrons: str) -> TableSession:
        """Opened so long ago, Ben dealing, these patrons in the first seats."""
        with minutes_ago(self.patch, minutes):
            session = play.open_chinese(self.casts[number])
            session_deal_in(order(self.casts[number].dealer), session_id=session.pk)
            for seat, patron in enumerate(patrons, 1):
                play.sit(self.casts[number], session, seat, patron, 50_000)
        return session

    def deal(self, number: int, session: TableSession, minutes: float) -> UUID:
        """A hand of Chinese Poker that has been out for so long."""
        with minutes_ago(self.patch, minutes):
            return UUID(hand_start(order(self.casts[number].dealer), session_id=session.pk)["hand"])

    def seen(self, number: int, seconds: float, unsent: int = 0) -> None:
        """When the table's tablet was last seen, and what it had not sent."""
        at = timezone.now() - timedelta(seconds=seconds)
        Device.objects.filter(place=self.table(number).pk).update(
            last_seen_at=at, unsent_count=unsent, oldest_unsent_at=at - timedelta(minutes=1) if unsent else None
        )


def floor_of(cast: Cast, patch: pytest.MonkeyPatch, numbers: range) -> Floor:
    """So many tables of Room One beside those of the cast, odd ones for Chinese Poker, all closed, each with its tablet."""
    casts = {7: cast, 8: cast}
    for number in numbers:
        if number in casts:
            continue
        game = Game.CHINESE_POKER if number % 2 else Game.PAI_GOW_POKER
        table = table_add(room_id=cast.room.pk, number=number, game=game)
        tablet, token = device_enrol(actor=Actor.of(cast.ada), name=f"Tablet T{number}", place=table.pk)
        if number % 2:
            casts[number] = replace(cast, chinese=table, tablet=tablet, tablet_token=token)
        else:
            casts[number] = replace(cast, pai_gow=table, pai_gow_tablet=tablet, pai_gow_token=token)
    return Floor(casts, patch)


def lively_floor(cast: Cast, patch: pytest.MonkeyPatch) -> Floor:
    """Fourteen tables on the map, each in another state; every tablet but that of T9 has just been seen."""
    floor = floor_of(cast, patch, range(1, 15))
    _hands_out(floor)
    _held_and_waiting(floor)
    _called(floor)
    for number in floor.casts:
        floor.seen(number, 5)
    floor.seen(9, 250, unsent=3)
    places = {floor.table(number).pk: Place(*place) for number, place in _PLACES.items()}
    room_map_arrange(actor=cast.floor, room_id=cast.room.pk, places=places)
    return floor


# An aisle in the middle, and the last table in a corner.
_PLACES = {
    **{number: (number, 1) for number in (1, 2)},
    **{number: (number + 1, 1) for number in (3, 4)},
    **{number: (number - 4, 2) for number in (5, 6)},
    **{number: (number - 3, 2) for number in (7, 8)},
    **{number: (number - 8, 4) for number in (9, 10)},
    **{number: (number - 7, 4) for number in (11, 12)},
    13: (5, 5),
}


def _hands_out(floor: Floor) -> None:
    """T1 and T2 in the middle of a hand, T3 between two with somebody away, a seat held, somebody new; T4 closed."""
    floor.deal(1, floor.chinese(1, 42, "P1", "P2", "P3"), 1.4)
    with minutes_ago(floor.patch, 71):
        play.deal_pai_gow(floor.casts[2])
    session = floor.chinese(3, 25, "P1", "P2")
    play.settle(floor.casts[3], floor.deal(3, session, 9), play.CHINESE_HANDS)
    omar = play.sit(floor.casts[3], session, 3, "P3", 20_000)
    sitting_absent(order(floor.casts[3].dealer), sitting_id=session.sittings.get(seat__number=2).pk)
    seat_hold(order(floor.casts[3].floor), session_id=session.pk, seat=4, patron_number="P4", minutes=10)
    assert omar.is_new


def _held_and_waiting(floor: Floor) -> None:
    """T5 held for a ruling, T6 waiting for a bank, T9 silent with presses not sent, T10 open and empty, T11 time called."""
    session = floor.chinese(5, 130, "P1", "P2")
    hand = floor.deal(5, session, 5)
    play.settle(floor.casts[5], hand, play.CHINESE_HANDS)
    with minutes_ago(floor.patch, 4):
        dispute(floor.casts[5], hand)
        ask_undo(floor.casts[5], hand)
    there = floor.casts[6]
    pai_gow = play.open_pai_gow(there, offers_required=True)
    for seat in (1, 2):
        play.sit(there, pai_gow, seat, f"P{seat}", 50_000)
    for seat in (1, 2):
        bank_answer(order(there.pai_gow_dealer), session_id=pai_gow.pk, seat=seat, accepts=False)
    floor.deal(9, floor.chinese(9, 30, "P1", "P2", "P3", "P4"), 7)
    play.open_pai_gow(floor.casts[10])
    timed = floor.deal(11, floor.chinese(11, 18, "P1", "P2"), 2)
    clock_call(order(floor.casts[11].floor), hand_id=timed, seat=2)


def _called(floor: Floor) -> None:
    """T7 calls floor twice, T13 was answered."""
    session = floor.chinese(7, 55, "P1", "P2")
    floor.deal(7, session, 3.5)
    with minutes_ago(floor.patch, 3):
        call(floor.casts[7], session, "decision", note="the middle of seat 2")
    call(floor.casts[7], session, "fill")
    told = call(floor.casts[13], floor.chinese(13, 12, "P1", "P2"), "service")
    answer(floor.casts[13], told)
