"""A night of play on two tablets, with every verb that people use, from numbers that are drawn the same each time."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import Any

from tests.faults.client import Refused, Tablet
from tests.tables.play import PAI_GOW_HANDS

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
FULL_CENTS = 10_000


class Play(ABC):
    """One table: round after round, whatever becomes of each."""

    def __init__(self, tablet: Tablet, table: dict[str, Any], seed: int) -> None:
        self.tablet, self.session, self.table = tablet, table["session"], table
        self.chance = random.Random(seed)

    @abstractmethod
    def round(self) -> None:
        """A hand from dealing to its end, and what people do around it."""

    def judge(self, hand: str, hands: list[dict[str, Any]], again: list[dict[str, Any]]) -> bool:
        """Enter and settle a hand, or void it; now and then it turns out to have been another one. Whether it was settled."""
        entered = self.tablet.do("hand.record", hand_id=hand, hands=hands)
        if self.chance.random() < 0.15:
            self.tablet.do("hand.void", hand_id=hand, reason="fouled deck")
            return False
        settled = self.tablet.do("hand.settle", hand_id=hand, revision=entered["revision"])
        if self.chance.random() < 0.25:
            why = {"reason_code": "cards", "reason": "read wrong"}
            try:
                self.tablet.do("hand.resettle", hand_id=hand, base_revision=settled["revision"], hands=again, **why)
            except Refused as refused:  # beyond what floor may do alone, or the chips are gone: both happen
                assert refused.status in (403, 409, 422), refused
        return True


class Chinese(Play):
    """Two who stay; others sit down for a hand, buy in, and cash out."""

    def round(self) -> None:
        guests = [self.sit(seat) for seat in (3, 4) if self.chance.random() < 0.25]
        dealt = self.tablet.do("hand.start", session_id=self.session)
        seats = [1, 2, *(seat for seat, _sitting in guests)]
        self.judge(dealt["hand"], self.cards(seats), self.cards(seats))
        for _seat, sitting in guests:
            self.tablet.do("sitting.cash_out", sitting_id=sitting, means=self.chance.choice(["cash", "chips"]))

    def sit(self, seat: int) -> tuple[int, str]:
        """Somebody who is only described, with a full buy-in."""
        sitting = self.tablet.do("sitting.start", session_id=self.session, seat=seat, description="red cap")["sitting"]
        self.tablet.do("sitting.buy_in", sitting_id=sitting, amount_cents=FULL_CENTS)
        return seat, sitting

    def cards(self, seats: list[int]) -> list[dict[str, Any]]:
        """Thirteen cards for each, set as they fall: some of them foul."""
        deck = self.chance.sample(DECK, 13 * len(seats))
        dealt = [deck[13 * place : 13 * place + 13] for place in range(len(seats))]
        parts = {"front": slice(0, 3), "middle": slice(3, 8), "back": slice(8, 13)}
        return [
            {"seat": seat, **{name: " ".join(cards[part]) for name, part in parts.items()}}
            for seat, cards in zip(seats, dealt, strict=True)
        ]


class PaiGow(Play):
    """Seats 1 and 2 take the bank in turn, the other wagers; the two have each other's cards now and then."""

    banker, punter = 1, 2

    def round(self) -> None:
        sittings = dict(enumerate(self.table["sittings"], 1))
        dealt = self.tablet.do("hand.start", session_id=self.session, button_seat=self.banker)
        amount = 100 * self.chance.randint(10, 100)
        self.tablet.do(
            "hand.close_wagers",
            hand_id=dealt["hand"],
            wagers=[{"position": self.punter, "sitting": sittings[self.punter], "amount_cents": amount}],
            bank=[{"sitting": sittings[self.banker], "amount_cents": 2 * amount}],
            dice=[self.chance.randint(1, 6) for _ in range(3)],
        )
        swapped = [
            {**one, "position": other["position"]}
            for one, other in zip(PAI_GOW_HANDS, reversed(PAI_GOW_HANDS), strict=True)
        ]
        if self.judge(dealt["hand"], *self.chance.sample([PAI_GOW_HANDS, swapped], 2)):
            self.banker, self.punter = self.punter, self.banker
