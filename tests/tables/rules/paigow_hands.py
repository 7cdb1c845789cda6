"""Records of Pai Gow Poker for the tests: one table, whose six hands are known to win, lose or push."""

import random
from typing import Any

from tables.rules import settle
from tables.rules.cards import CARD_TEXTS, DECK_WITH_JOKER

DEALER_HAND = {"front": "Jc Td", "back": "9c 9d 6h 4s 2c"}
RESULTS = {2: "lose", 3: "win", 4: "win", 5: "lose", 6: "win", 7: "push"}
"""What each position gets against the Player/Dealer at position 1."""

PLAYER_HANDS = {
    2: {"front": "4c 3d", "back": "7h 7s 6c 5s 2d"},
    3: {"front": "Ah Kd", "back": "Th Ts 8c 5d 3h"},
    4: {"front": "As Qh", "back": "Qs Qd 7c 5c 3c"},
    5: {"front": "4h 2s", "back": "6d 6s Tc 9h Jd"},
    6: {"front": "Ac Kc", "back": "8h 8d 8s 5h 3s"},
    7: {"front": "7d 4d", "back": "Js Jh Ks Qc 9s"},
}
DICE_TO_POSITION_2 = [1, 2, 6]
"""Dice that send the first hand to position 2, so that action runs 2, 3, 4, 5, 6, 7."""


def wager(name: str, position: int, amount: int, *, seated: bool = True) -> dict[str, Any]:
    """A wager placed by a patron of the same name."""
    return {"id": name, "position": position, "patron": f"patron {name}", "amount": amount, "seated": seated}


def record(**changes: Any) -> dict[str, Any]:
    """A full table with a wager of 50.00 on position 3 and 10,000.00 in the bank, changed as said."""
    base: dict[str, Any] = {
        "game": "pai-gow-poker",
        "rules": "capitol",
        "table_min": 1000,
        "table_max": 20000,
        "player_dealer": 1,
        "dice": DICE_TO_POSITION_2,
        "bank": [{"patron": "banker", "amount": 1_000_000}],
        "hands": hands(),
        "wagers": [wager("w1", 3, 5000)],
    }
    return base | changes


def hands(**changes: dict[str, Any]) -> list[dict[str, Any]]:
    """All seven hands; ``p3={…}`` puts other cards at position 3."""
    table = {1: DEALER_HAND} | PLAYER_HANDS
    return [{"position": place} | changes.get(f"p{place}", cards) for place, cards in table.items()]


def dealt(seed: int, **changes: Any) -> dict[str, Any]:
    """A random deal to all seven positions, every hand in one pile, a wager on each but the Player/Dealer's."""
    deck = list(DECK_WITH_JOKER)
    random.Random(seed).shuffle(deck)
    piles = [" ".join(CARD_TEXTS[card] for card in deck[start : start + 7]) for start in range(0, 49, 7)]
    return record(
        hands=[{"position": place, "cards": pile} for place, pile in enumerate(piles, start=1)],
        wagers=[wager(f"w{place}", place, 5000) for place in range(2, 8)],
        **changes,
    )


def settled(**changes: Any) -> dict[str, Any]:
    """The verdict on :func:`record` changed as said."""
    return settle(record(**changes))


def hand_at(verdict: dict[str, Any], position: int) -> dict[str, Any]:
    """The entry of a position's hand."""
    entry: dict[str, Any] = next(hand for hand in verdict["hands"] if hand["position"] == position)
    return entry
