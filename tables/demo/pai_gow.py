"""Pai Gow Poker at a table of an invented day."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from tables.demo.cards import HAND, deal, pile, set_seven
from tables.demo.table import HandInPlay, Player, TableInPlay, When
from tables.models import Payer
from tables.models.rooms import SEATS
from tables.selectors.banking import bank_limit
from tables.selectors.rotation import Candidate, Held, barred_seats
from tables.services.players import clockwise
from tables.services.wagers import (
    hand_bank,
    hand_close_wagers,
    hand_open_dice,
    hand_take_back_bank,
    hand_take_back_wager,
    hand_wager,
)

OWN_SETTING = 0.7
"""Of the hands, those that are set by their players; the others are left in one pile (PG-22)."""
CHANGES_THEIR_MIND = 0.1
"""How often a wager or a bank that is entered by itself is taken back and placed again."""
KEEPS_THE_BANK = 0.7
"""How often a Player/Dealer who may go on does."""


class PaiGowTable(TableInPlay):
    """Seven positions, seven cards each, and one of them against the rest."""

    full_house = 5
    payer = Payer.WAGER

    def open(self) -> None:
        self.accepted: Player | None = None
        self.is_one_by_one = False
        super().open()

    @property
    def least_cents(self) -> int:
        """What somebody needs for the smallest wager and its collection."""
        return (self.session.table_min_cents or 0) + self.fee_cents

    @property
    def least_bank_cents(self) -> int:
        """With less than this nobody takes the bank."""
        return 4 * self.least_cents + self.most_due_cents(Payer.BANK)

    def usual_buy_in(self) -> int:
        return (self.session.table_min_cents or 0) * self.random.choice((20, 30, 50, 100))

    def make_ready(self) -> None:
        for player in [each for each in self.players if each.stack_cents < self.least_cents]:
            if self.random.random() < 0.6:
                self.buy_in(player, self.usual_buy_in())
            else:
                self.leave(player)
        while len(self.present) < 3:
            self.sit_somewhere()

    def deal(self) -> HandInPlay:
        self.happen(When.BANK, self, None)
        banker = self.accepted or self._next_banker()
        hand = self.start(button_seat=None if self.accepted else banker.seat)
        self.accepted = None
        hand.bank.append(self.share(banker, banker.stack_cents - self.most_due_cents(Payer.BANK)))
        hand.wagers += [self.wager(each, each.seat or 0) for each in self.present if each is not banker]
        self.happen(When.WAGERING, self, hand)
        self._open_dice(hand)
        places = sorted({hand.button, *(wager["position"] for wager in hand.wagers)})
        hand.cards = deal(self.random, places, HAND, joker=True)
        hand.hands = [
            set_seven(place, cards, self.rules) if self.random.random() < OWN_SETTING else pile(place, cards)
            for place, cards in hand.cards.items()
        ]
        return hand

    def _open_dice(self, hand: HandInPlay) -> None:
        """No more bets (PG-08), all of them in one press or one by one."""
        dice = [self.random.randint(1, 6) for _die in range(3)]
        if not self.is_one_by_one:
            values = {"hand_id": hand.hand_id, "wagers": hand.wagers, "bank": hand.bank, "dice": dice}
            self.clerk.do(self.dealer, hand_close_wagers, **values)
            return
        self.is_one_by_one = False
        self._put_up_bank(hand)
        for wager in hand.wagers:
            self._put_down(hand, wager)
        self.clerk.do(self.dealer, hand_open_dice, hand_id=hand.hand_id, dice=dice)

    def _put_up_bank(self, hand: HandInPlay) -> None:
        """The bank is put up; now and then it is taken back first, and put up again."""
        self.clerk.do(self.dealer, hand_bank, hand_id=hand.hand_id, shares=hand.bank)
        if self.random.random() < CHANGES_THEIR_MIND:
            self.clerk.do(self.dealer, hand_take_back_bank, hand_id=hand.hand_id)
            self.clerk.do(self.dealer, hand_bank, hand_id=hand.hand_id, shares=hand.bank)
            self.clerk.count("happened", "bank taken back")

    def _put_down(self, hand: HandInPlay, wager: dict[str, Any]) -> None:
        """One wager is placed; now and then it is taken back first, and placed again."""
        values = {
            "hand_id": hand.hand_id,
            "position": wager["position"],
            "sitting_id": UUID(wager["sitting"]),
            "amount_cents": wager["amount_cents"],
        }
        answer = self.clerk.do(self.dealer, hand_wager, **values)
        if self.random.random() < CHANGES_THEIR_MIND:
            (name,) = answer["wagers"]
            self.clerk.do(self.dealer, hand_take_back_wager, hand_id=hand.hand_id, wager=name)
            self.clerk.do(self.dealer, hand_wager, **values)
            self.clerk.count("happened", "wager taken back")

    def wager(self, player: Player, position: int) -> dict[str, Any]:
        """What somebody puts on a position: up to a fifth of the stack, within the limits (PG-05)."""
        low, high = self.session.table_min_cents or 0, self.session.table_max_cents or 0
        most = max(low, min(high, player.stack_cents // 5))
        amount_cents = min(self.random.randrange(low, most + 1, 500), player.stack_cents - self.fee_cents)
        player.stack_cents -= amount_cents + self.fee_cents
        return {"position": position, "sitting": str(player.sitting), "amount_cents": amount_cents}

    def share(self, player: Player, at_most_cents: int) -> dict[str, Any]:
        """What somebody puts in the bank: some of what they have, in whole tens of dollars."""
        amount_cents = max(at_most_cents * self.random.choice((4, 6, 8)) // 10 // 1000 * 1000, 1000)
        player.stack_cents -= amount_cents
        return {"sitting": str(player.sitting), "amount_cents": amount_cents}

    def _next_banker(self) -> Player:
        """The Player/Dealer without offers: who has the bank and may keep it, or the next clockwise who may take it."""
        candidates = [
            Candidate(each.seat or 0, each.sitting, is_absent=each.is_absent, has_chips=each.stack_cents > 0)
            for each in self.seated
        ]
        settled = [each for each in reversed(self.past) if each.status == "settled"]
        held = [
            Held(each.button, "", frozenset({each.button, *(wager["position"] for wager in each.wagers)}))
            for each in settled[: bank_limit(self.session)]
        ]
        barred = barred_seats(candidates, held, limit=bank_limit(self.session), is_timed=False)
        able = {each.seat: each for each in self.seated if each.seat not in barred}
        last = self.past[-1].button if self.past else 1
        in_turn = [able[seat] for seat in clockwise(last, SEATS[self.table.game]) if seat in able]
        if last in able and self.random.random() < KEEPS_THE_BANK:
            in_turn.insert(0, able[last])
        return self.with_chips(next((each for each in in_turn if self.can_bank(each)), in_turn[0]))

    def can_bank(self, player: Player) -> bool:
        """Whether somebody has the chips that a bank takes here."""
        return player.stack_cents >= self.least_bank_cents

    def with_chips(self, player: Player) -> Player:
        """Somebody, after they bought in as often as it takes to hold a bank."""
        while not self.can_bank(player):
            self.buy_in(player, self.usual_buy_in())
        return player
