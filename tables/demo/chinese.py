"""Chinese Poker at a table of an invented day."""

from __future__ import annotations

from typing import Any

from ledger.rows import Composed
from tables.demo.cards import deal, set_thirteen
from tables.demo.table import HandInPlay, Player, TableInPlay
from tables.models import HandSeat, Payer
from tables.rules.chinese.record import HAND_SIZE
from tables.services.sittings import full_buy_in_cents

_DEALT_IN = Composed(lambda hand_id: HandSeat.objects.filter(hand=hand_id).order_by("number").values_list("number"))


class ChineseTable(TableInPlay):
    """Four seats, thirteen cards each."""

    full_house = 4
    payer = Payer.PLAYER

    @property
    def point_cents(self) -> int:
        """A point."""
        return self.session.point_value_cents or 0

    @property
    def full_cents(self) -> int:
        """A full buy-in (CP-60)."""
        return full_buy_in_cents(self.session) or 0

    def usual_buy_in(self) -> int:
        return self.full_cents * self.random.choice((1, 1, 2, 2, 5))

    def make_ready(self) -> None:
        # With less than five points nobody likes to play on.
        for player in [each for each in self.seated if each.stack_cents < 5 * self.point_cents + self.fee_cents]:
            self._buy_again(player)
        while len(self.present) < 2:
            self.sit_somewhere()

    def _buy_again(self, player: Player) -> None:
        """Full, or short where the last one was full (CP-60), or not at all."""
        how = self.random.random()
        if how < 0.3 and player.may_buy_short:
            self.buy_short(player)
        elif how < 0.8 or (not player.is_absent and len(self.present) <= 2):
            self.buy_in(player, self.full_cents)
        else:
            self.leave(player)

    def buy_short(self, player: Player) -> None:
        """Less than a full buy-in."""
        self.buy_in(player, self.full_cents * self.random.choice((1, 2, 3)) // 4)
        self.clerk.count("happened", "bought in short")

    def deal(self) -> HandInPlay:
        hand = self.start()
        hand.cards = deal(self.random, [seat for (seat,) in _DEALT_IN(hand.hand_id)], HAND_SIZE)
        hand.hands = [set_thirteen(seat, cards, self.rules) for seat, cards in hand.cards.items()]
        return hand

    def as_recorded(self, hand: HandInPlay, entry: dict[str, Any]) -> dict[str, Any]:
        # A pile is set for who left it, and the record has it set (CP-64).
        return set_thirteen(entry["seat"], hand.cards[entry["seat"]], self.rules) if "cards" in entry else entry
