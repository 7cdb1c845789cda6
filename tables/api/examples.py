"""Examples of what is sent, for the API's document: by the name of a value, and for single verbs."""

from collections.abc import Mapping
from typing import Any

_CHINESE_HANDS = [
    {"seat": 1, "front": "Js Jd 9h", "middle": "Qh Qs 8c 3c 2h", "back": "As Ks 6s 5s 3s"},
    {"seat": 2, "front": "Th 9s 7s", "middle": "Kd 6d 5d 4d 3d", "back": "Kc Qc 6c 5c 4c"},
]
_LIN, _PARK = "2f7a3a36-6c3e-4d5e-9d0c-4f1a5b6c7d01", "4d1f0f0e-98d4-4e55-8f4f-0a1f3ddc8a02"
_BANK = [{"sitting": _LIN, "amount_cents": 20_000}]

BY_NAME: Mapping[str, Any] = {
    "about": "Seat 2 says that the middle was set as the back.",
    "amount_cents": 10_000,
    "code": "dealer-exposed",
    "error_by": "none",
    "fee_cents": 100,
    "game": "chinese-poker",
    "hands": _CHINESE_HANDS,
    "mark": "set",
    "minutes": 20,
    "natural": "six-pairs",
    "outcome": "stands",
    "patron_number": "P1",
    "position": 2,
    "reason": "The nine in seat 1 was read as a six.",
    "reason_code": "cards",
    "room": "demo",
    "rule": "CP-30",
    "rules": "cardroom-mandarin",
    "ruling": "It lies as it was set.",
    "seat": 2,
    "shares": _BANK,
    "slug": "evenings",
    "title": "Evenings",
    "wager": "w1",
    "what": "extra-shuffle",
    "words": "A chip of $25 lies under the table.",
}

OF_VERBS: Mapping[str, Mapping[str, Any]] = {
    "session.open": {"point_value_cents": 500, "collection_cents": 400},
    "sitting.start": {"seat": 1, "patron_number": "P1"},
    "sitting.buy_in": {"means": "cash"},
    "sitting.cash_out": {"means": "chips"},
    "hand.close_wagers": {
        "wagers": [{"position": 2, "sitting": _PARK, "amount_cents": 5_000}],
        "bank": _BANK,
    },
    "hand.void": {"reason": "A card was found on the floor."},
    "hand.misdeal": {"seat": 2, "cards": "9h 9c"},
    "incident.add": {"kind": "shown", "seat": 2, "cards": "Ah", "note": "Turned over while sorting."},
    "transaction.reverse": {"reason_code": "amount", "reason": "Two hundred were counted as three."},
    "exception.decide": {"outcome": "accepted", "reason": "It was found in seat 3's stack."},
    "patron.bar": {"kind": "barred", "reason": "Threw a chip.", "until_date": "2026-12-31"},
    "patron.lift_bar": {"reason": "Has apologised."},
    "schedule.add": {
        "rates": [
            {"payer": "player", "from": 1, "to": 2, "amount_cents": 300},
            {"payer": "player", "from": 3, "amount_cents": 400},
        ],
        "reason": "As posted at the door.",
    },
    "jackpot.open": {"qualifying": [{"segment": "back", "category": "straight-flush"}]},
}
