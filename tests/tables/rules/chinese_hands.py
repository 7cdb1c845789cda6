"""Hands of Chinese Poker for the tests, and records made of them.

A set hand is written ``front | middle | back``; thirteen cards without bars are a hand that was not set.
"""

from typing import Any

from tables.rules import settle

# The first sweeps the second, and neither holds a bonus hand.
SWEEPER = "Kh Kd 4c | Ah Ad 8c 7d 3s | Qs Qd Jc Js 9h"
SWEPT = "Th 9d 5h | Jh Jd 6c 5s 2h | Tc Td 7h 7c 2s"

# The first wins front and back and loses the middle; both hold four of a kind in back.
KINGS_IN_BACK = "Jh Jd 3c | Ac Ad 7h 6s 2d | Ks Kh Kd Kc 5s"
NINES_IN_BACK = "Th 8c 4d | Qs Qh Qc 5d 4s | 9s 9h 9d 9c 3d"

# Three deuces in front, a full house behind; it sweeps the plain hand and owes or earns bonuses.
TRIPS_IN_FRONT = "2c 2d 2h | 8c 8d 8h Qc Qd | Ts Th Td Tc 4d"
PLAIN = "Ah 7d 5c | 9h 9d Jc 6c 3c | Kc Kd 4s 4h 3d"

# Kings in front of ace high.
FOULED = "Ks Kc 5d | As Jd 9s 6d 3h | 8s 8d 8h 4d 2c"
# A legal hand without a bonus that shares no card with the two around it.
MODEST = "Th 9d 5h | Js Jc 6c 4s 2h | Tc Td 7d 7c 2s"

# Four hands of one deal; the first beats the others in every segment without a bonus.
SUPER = "Kh 2h 2s | Jh Ts 8d 6c 6d | 9c 5c 5s 4h 4s"
BEATEN = (
    "Jc 9d 5d | Ad Kd Qd 6s 4d | Kc Tc Td 7d 2d",
    "Qh 6h 3d | Ah Qc 9h 8h 2c | As Qs Th 7c 7h",
    "Ks 5h 3c | Ac Js 9s 7s 3s | Jd 8c 8s 4c 3h",
)
# The third hand of the deal above with a pair in front of ace high.
BEATEN_FOULED = "8c 8s 3c | Ac Js 9s 7s 3s | Jd Ks 5h 4c 3h"

# The first sweeps the other two without a bonus; of the rest of the deck twelve cards are black.
SWEEPS_TWO = (
    "6h 5c 5h | Jd Th 9s 8d 7d | Kc Kh Ks Qd Qh",
    "8s 5d 4d | Qs Jc Jh 9c 9d | Ad Ah Tc Td Ts",
    "7h 6d 4h | Ac Kd Qc Js 9h | 3d 3h 2c 2d 2h",
)
TWELVE_BLACK = "As 8c 8h 7c 7s 6c 6s 5s 4c 4s 3c 3s 2s"

DRAGON = "2s 3h 4c 5d 6s 7h 8c 9d Ts Jh Qc Kd As"
OTHER_DRAGON = "2h 3c 4d 5s 6h 7c 8d 9s Th Jc Qd Ks Ah"
SIX_PAIRS = "2c 2d 3s 3d 4h 4s 5c 5h 6c 6d 7d 7s Ac"
NO_NATURAL = "9c 9h Tc Td Jd Js Qh Qs Kc Kh Ad 8h 2s"
SET_AGAINST_DRAGON = "9c 8h Tc | Jd Js Qh Td 9h | Kc Kh 8s Qs Ad"
THREE_FLUSHES = "2c 3c 5c 6c 7c 2d 3d 6d 7d Td 8h 9h Th"


def swap_front_and_back(hand: str) -> str:
    """The same cards with front and back exchanged, which is a foul."""
    front, middle, back = hand.split("|")
    return f"{back} | {middle} | {front}"


def seat(number: int, hand: str, **keys: Any) -> dict[str, Any]:
    """A seat of a record with its hand, no cap, and whatever other keys."""
    if "|" not in hand:
        return {"seat": number, "stack": None, "cards": hand, **keys}
    front, middle, back = (segment.strip() for segment in hand.split("|"))
    return {"seat": number, "stack": None, "front": front, "middle": middle, "back": back, **keys}


def record(rules: str, *seats: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """A record with the button on seat 1 and 5.00 a point."""
    return {"game": "chinese-poker", "rules": rules, "point_value": 500, "button": 1, "seats": list(seats), **keys}


def hands(rules: str, *texts: str, **keys: Any) -> dict[str, Any]:
    """A record of seats 1, 2, … with these hands."""
    return record(rules, *(seat(number, text) for number, text in enumerate(texts, start=1)), **keys)


def settled(rules: str, *texts: str, **keys: Any) -> dict[str, Any]:
    """The verdict on seats 1, 2, … with these hands."""
    return settle(hands(rules, *texts, **keys))


def points(verdict: dict[str, Any]) -> list[int]:
    """The seats' points, in seat order."""
    return [entry["points"] for entry in verdict["seats"]]


def lines(verdict: dict[str, Any], low: int = 1, high: int = 2) -> list[tuple[str, int, str | None, int, str]]:
    """The lines of a pair as kind, seat, segment, points and rule."""
    pair = next(pair for pair in verdict["pairs"] if pair["seats"] == [low, high])
    return [(line["kind"], line["seat"], line["segment"], line["points"], line["rule"]) for line in pair["lines"]]
