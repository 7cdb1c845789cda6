"""What happens with the cards while they are out: how hands are set, and what is announced and marked."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from tables.demo.cards import fouled_seven, pile
from tables.demo.chinese import ChineseTable
from tables.demo.pai_gow import PaiGowTable
from tables.demo.table import HandInPlay, TableInPlay, place_of
from tables.models.rooms import Game
from tables.rules.cards import cards_text
from tables.rules.chinese.naturals import bears, best_automatic_win
from tables.services.clock import clock_call, clock_stop, hand_set_by_clock
from tables.services.marks import (
    hand_ask_house_way,
    hand_declare,
    hand_deliver,
    hand_mark_left,
    hand_mark_set,
    hand_open,
    hand_surrender,
    hand_withdraw_mark,
)

DECLARES = 0.8
"""Of the automatic wins, those that their players see and declare."""


def to_set(hand: HandInPlay) -> list[int]:
    """The seats or positions that set a hand before the others are opened; the Player/Dealer's is not among them (PG-23)."""
    own = hand.button if hand.wagers else None
    return [place for place in hand.cards if place != own]


def is_delivered(table: TableInPlay, hand: HandInPlay) -> bool:
    """The dealer says when the cards are out, and which pile went first (PG-11)."""
    pile_first = table.random.randint(1, 7) if hand.wagers else None
    table.clerk.do(table.dealer, hand_deliver, hand_id=hand.hand_id, pile=pile_first)
    return True


def declares(table: ChineseTable, hand: HandInPlay) -> bool:
    """Whoever bears an automatic win declares it, if they see it (CP-20)."""
    declared = False
    for index in hand.free:
        natural = best_automatic_win(hand.cards[hand.hands[index]["seat"]], table.rules)
        if natural is not None and table.random.random() < DECLARES:
            _declare(table, hand, index, natural)
            declared = True
    return declared


def declares_falsely(table: ChineseTable, hand: HandInPlay) -> bool:
    """A declaration that the cards do not bear (CP-27); sometimes it is noticed and taken back in time."""
    index = table.random.choice(range(len(hand.hands)))
    seat = hand.hands[index]["seat"]
    if index not in hand.free or bears("six-pairs", hand.cards[seat]):
        return False
    _declare(table, hand, index, "six-pairs")
    if table.random.random() < 0.5:
        table.clerk.do(table.dealer, hand_withdraw_mark, hand_id=hand.hand_id, seat=seat, mark="declared")
        del hand.hands[index]["declares"]
        hand.kept.remove(seat)
    return True


def _declare(table: ChineseTable, hand: HandInPlay, index: int, natural: str) -> None:
    seat = hand.hands[index]["seat"]
    table.clerk.do(table.dealer, hand_declare, hand_id=hand.hand_id, seat=seat, natural=natural)
    hand.hands[index]["declares"] = natural
    hand.kept.add(seat)


def surrenders(table: ChineseTable, hand: HandInPlay) -> bool:
    """A hand is given up, where the rules offer it (CP-35)."""
    if table.rules.parameters["surrender_points"] is None or not hand.free:
        return False
    entry = hand.hands[table.random.choice(hand.free)]
    table.clerk.do(table.dealer, hand_surrender, hand_id=hand.hand_id, seat=entry["seat"])
    entry["surrenders"] = True
    hand.kept.add(entry["seat"])
    return True


def asks_for_the_house_way(table: PaiGowTable, hand: HandInPlay) -> bool:
    """A player leaves the setting to the house (PG-22)."""
    place = table.random.choice(to_set(hand))
    table.clerk.do(table.dealer, hand_ask_house_way, hand_id=hand.hand_id, seat=place)
    _lies_in_a_pile(hand, place)
    return True


def _lies_in_a_pile(hand: HandInPlay, place: int) -> None:
    for index, entry in enumerate(hand.hands):
        if place_of(entry) == place:
            cards = hand.cards[place]
            hand.hands[index] = pile(place, cards) if hand.wagers else {"seat": place, "cards": cards_text(cards)}
    hand.kept.add(place)


def fouls(table: TableInPlay, hand: HandInPlay) -> bool:
    """A hand is set out of order (CP-31, PG-21)."""
    if not hand.free:
        return False
    index = table.random.choice(hand.free)
    entry = hand.hands[index]
    if table.table.game == Game.CHINESE_POKER:
        entry["middle"], entry["back"] = entry["back"], entry["middle"]
    else:
        hand.hands[index] = fouled_seven(entry["position"], hand.cards[entry["position"]], table.rules)
    return True


def clock_is_called(table: TableInPlay, hand: HandInPlay) -> bool:
    """Floor calls time on somebody who thinks too long, and stops it when they have set (CP-64)."""
    at = {"hand_id": hand.hand_id, "seat": table.random.choice(to_set(hand))}
    table.clerk.do(table.staff.on_the_floor, clock_call, **at)
    table.clerk.do(table.staff.on_the_floor, clock_stop, **at)
    return True


def leaves_the_cards(table: TableInPlay, hand: HandInPlay) -> bool:
    """Somebody walks away from their cards: they are set for them, and then all have to be marked as set (CP-64)."""
    places = [place for place in to_set(hand) if place not in hand.kept]
    if not places or hand.marked:
        return False
    seat = table.random.choice(places)
    table.clerk.do(table.dealer, hand_mark_left, hand_id=hand.hand_id, seat=seat)
    table.clerk.do(table.dealer, hand_set_by_clock, hand_id=hand.hand_id, seat=seat)
    _lies_in_a_pile(hand, seat)
    hand.marked.add(seat)
    return are_marked(table, hand)


def are_marked(table: TableInPlay, hand: HandInPlay) -> bool:
    """The dealer marks every hand as it is set, and then opens them (CP-03, PG-23)."""
    places = [place for place in to_set(hand) if place not in hand.marked]
    if not places:
        return False
    for place in places:
        values: dict[str, Any] = {"hand_id": hand.hand_id, "seat": place}
        own = next((each for each in hand.wagers if _is_own(table, each, place)), None)
        if own is not None:
            values["sitting_id"] = UUID(own["sitting"])
        table.clerk.do(table.dealer, hand_mark_set, **values)
    hand.marked |= set(places)
    table.clerk.do(table.dealer, hand_open, hand_id=hand.hand_id)
    return True


def _is_own(table: TableInPlay, wager: dict[str, Any], place: int) -> bool:
    return bool(wager["position"] == place == table.who(wager["sitting"]).seat)
