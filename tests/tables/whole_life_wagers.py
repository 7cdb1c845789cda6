"""The bank and the wagers of a Pai Gow table, up to the dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from hypothesis import strategies as st
from hypothesis.stateful import invariant

from tests.tables.whole_life_bank import BankLife
from tests.tables.whole_life_machine import WholeLife
from tests.tables.whole_life_pieces import BEFORE_THE_DICE, TABLE_MAX, TABLE_MIN, Deal, Stake
from tests.tables.whole_life_pressing import action, always, has_dealt, is_out

WAGERS = (TABLE_MIN, TABLE_MIN, 2_500, TABLE_MAX, 15_000, 500)
BANKS = (2_000, 10_000, 20_000)

positions = st.integers(1, 7)
dice = st.lists(st.integers(1, 6), min_size=3, max_size=3)


class Wagering(WholeLife):
    """The bank going round, and wagers of all on all spots."""

    life: BankLife

    # The bank.

    @action(always, often=3)
    def the_bank_is_offered(self) -> None:
        refused = {"hand-out"} if self.life.deal else set()
        refused |= {"bank-offered"} if self.life.offer_stands(self.barred) else set()
        may = self.life.may_bank(self.barred)
        if answer := self.ask("bank.offer", self.dealer, refused, session_id=self.life.session):
            if answer["seat"] is not None or answer["passed_by"]:
                self.life.offers_for = len(self.life.deals) + 1
            assert answer["seat"] in may if may else answer["seat"] is None and answer["waits_because"]
            self.offered(answer)

    def offered(self, answer: dict[str, Any], *, asked: bool = True) -> None:
        """Take in who was offered the bank, or has accepted it."""
        person = self.life.in_seat(answer["seat"])
        is_asked = person is not None and (asked or answer["has_accepted"])
        self.life.offered = (answer["seat"], person, answer["has_accepted"]) if person and is_asked else None

    @action(always, data=st.data(), accepts=st.booleans(), in_turn=st.booleans(), often=3)
    def somebody_answers(self, data: st.DataObject, accepts: bool, in_turn: bool) -> None:
        stands = in_turn and self.life.offer_stands(self.barred)
        seat = self.life.offered[0] if stands and self.life.offered else self.choose(data, range(1, 8), "seat")
        self.answer_offer(seat, accepts)

    def answer_offer(self, seat: int, accepts: bool) -> None:
        """A seat takes the bank or leaves it; the model does not say whose turn it is before anybody was asked."""
        life, refused = self.life, None
        if life.deal:
            refused = {"hand-out"}
        elif life.offered and life.offer_stands(self.barred):
            asked, _person, has_accepted = life.offered
            right = seat == asked and not (has_accepted and accepts)
            refused = set() if right else {"bank-taken" if has_accepted else "out-of-turn"}
        may = life.may_bank(self.barred)
        values = {"session_id": life.session, "seat": seat, "accepts": accepts}
        if answer := self.ask("bank.answer", self.dealer, refused, **values):
            assert seat in may
            assert answer["has_accepted"] is accepts
            life.offers_for = len(life.deals) + 1
            self.offered(answer, asked=False)

    @action(always, by_floor=st.booleans(), named=st.sampled_from([None, None, 1, 2, 3, 4]), often=3)
    def a_hand_is_dealt(self, by_floor: bool, named: int | None) -> None:
        self.start(by_floor, named)

    def start(self, by_floor: bool, named: int | None) -> None:
        """Deal, if the model lets it."""
        life = self.life
        disputed = [dispute for dispute, (_deal, is_open) in life.disputes.items() if is_open]
        refused = life.refuses_bank(named, self.barred)
        refused |= {"dispute-open"} if disputed and not by_floor else set()
        players, seat = life.players(self.barred), life.bank_seat(named, self.barred)
        actor = self.floor if by_floor else self.dealer
        answer = self.ask("hand.start", actor, refused, session_id=life.session, button_seat=named)
        if answer is None:
            return
        assert answer["button"] == seat
        life.begin(UUID(answer["hand"]), answer["number"], answer["button"], players)
        self.left_without_ruling(disputed)

    @invariant()
    def nobody_has_the_bank_three_times(self) -> None:
        # A correction may turn the misdeal between two hands of the bank into a third hand; nobody was dealt in wrongly then.
        if not any(deal.was_resettled for deal in self.life.deals):
            assert self.life.hands_in_a_row() <= 2

    # Wagers and bank, up to the dice.

    def drawn_wagers(self, data: st.DataObject, most: int) -> list[Stake]:
        """Wagers of those who are there, on any spot."""
        spots = st.tuples(positions, st.sampled_from(range(len(self.life.there))), st.sampled_from(WAGERS))
        drawn = data.draw(st.lists(spots, min_size=1, max_size=most), label="wagers")
        return [Stake(position, self.life.there[who], cents) for position, who, cents in drawn]

    def drawn_bank(self, data: st.DataObject, deal: Deal) -> list[Stake]:
        """A share of the Player/Dealer, or now and then of another first; and sometimes a partner's."""
        holder = self.life.in_seat(deal.button)
        first = holder if holder and data.draw(st.integers(0, 5), label="own") else self.life.there[0]
        bank = [Stake(0, first, data.draw(st.sampled_from(BANKS), label="bank"))]
        if data.draw(st.integers(0, 3), label="partner") == 3:
            bank.append(Stake(0, self.life.there[-1], 1_000))
        return bank

    @action(is_out, data=st.data(), often=3)
    def a_wager_is_placed(self, data: st.DataObject) -> None:
        self.wager(self.life.deals[-1], self.drawn_wagers(data, 1)[0])

    def wager(self, deal: Deal, stake: Stake) -> None:
        """One wager."""
        refused = self.life.refuses_stakes(deal, [stake], [], self.barred)
        values = {"position": stake.position, "sitting_id": stake.person.sitting, "amount_cents": stake.cents}
        if answer := self.ask("hand.wager", self.dealer, refused, hand_id=deal.id, **values):
            self.life.put_down(deal, [stake], [])
            assert answer["wagers"] == [f"w{deal.wagers_placed}"]
            self.check_excess(answer, [stake])

    @staticmethod
    def check_excess(answer: dict[str, Any], stakes: Sequence[Stake]) -> None:
        """What is over the maximum is named, as it has no action (PG-05)."""
        over = [max(stake.cents - TABLE_MAX, 0) for stake in stakes]
        assert [answer["no_action_cents"].get(name, 0) for name in answer["wagers"]] == over

    @action(is_out, data=st.data(), often=3)
    def the_bank_is_put_up(self, data: st.DataObject) -> None:
        deal = self.life.deals[-1]
        bank = self.drawn_bank(data, deal)
        refused = self.life.refuses_stakes(deal, [], bank, self.barred)
        self.ask_bank(deal, bank, refused)

    def ask_bank(self, deal: Deal, bank: list[Stake], refused: set[str]) -> None:
        """The bank by itself."""
        if self.ask("hand.bank", self.dealer, refused, hand_id=deal.id, shares=shares_of(bank)):
            self.life.put_down(deal, [], bank)

    @action(is_out, data=st.data(), often=3)
    def something_is_taken_back(self, data: st.DataObject) -> None:
        deal = self.life.deals[-1]
        refused = set() if deal.stage in BEFORE_THE_DICE else {"wagers-closed"}
        name = self.choose(data, ["bank", "w99", *deal.wagers], "what")
        if name == "bank":
            refused |= set() if deal.bank else {"no-bank"}
            if self.ask("hand.take_back_bank", self.dealer, refused, hand_id=deal.id):
                self.life.take_back(deal, deal.bank, "bank")
                deal.bank = []
                deal.stage = "wagered"
            return
        refused |= set() if name in deal.wagers else {"no-such-wager"}
        if self.ask("hand.take_back_wager", self.dealer, refused, hand_id=deal.id, wager=name):
            self.life.take_back(deal, [deal.wagers.pop(name)], "wager")

    @action(is_out, faces=dice, often=3)
    def the_dice_are_opened(self, faces: list[int]) -> None:
        deal = self.life.deals[-1]
        refused = set() if deal.stage in BEFORE_THE_DICE else {"wagers-closed"}
        refused |= set() if deal.bank else {"no-bank"}
        refused |= set() if deal.wagers else {"no-wager"}
        if self.ask("hand.open_dice", self.dealer, refused, hand_id=deal.id, dice=faces):
            self.life.open_dice(deal)

    @action(is_out, data=st.data(), faces=dice, often=3)
    def everything_is_put_down_at_once(self, data: st.DataObject, faces: list[int]) -> None:
        deal = self.life.deals[-1]
        self.close_wagers(deal, self.drawn_wagers(data, 3), self.drawn_bank(data, deal), faces)

    def close_wagers(self, deal: Deal, wagers: list[Stake], bank: list[Stake], faces: list[int]) -> None:
        """Wagers, bank and dice in one press."""
        refused = self.life.refuses_stakes(deal, wagers, bank, self.barred)
        asked = [
            {"position": stake.position, "sitting": str(stake.person.sitting), "amount_cents": stake.cents}
            for stake in wagers
        ]
        values = {"wagers": asked, "bank": shares_of(bank), "dice": faces}
        if answer := self.ask("hand.close_wagers", self.dealer, refused, hand_id=deal.id, **values):
            self.life.put_down(deal, wagers, bank)
            self.check_excess(answer, wagers)
            self.life.open_dice(deal)

    @action(has_dealt, data=st.data(), what=st.sampled_from(["extra-shuffle", "deck-change"]), often=3)
    def the_deck_is_asked_about(self, data: st.DataObject, what: str) -> None:
        deal, person = self.life.deals[-1], self.person(data)
        if self.life.deal is None:
            return
        refused = set() if deal.stage in BEFORE_THE_DICE else {"deck-in-play"}
        refused |= {"not-player-dealer"} if person.seat != deal.button or person.has_left else set()
        values = {"session_id": self.life.session, "sitting_id": person.sitting, "what": what}
        self.ask("deck.request", self.dealer, refused, **values)


def shares_of(bank: Sequence[Stake]) -> list[dict[str, Any]]:
    """A bank as it is sent."""
    return [{"sitting": str(stake.person.sitting), "amount_cents": stake.cents} for stake in bank]
