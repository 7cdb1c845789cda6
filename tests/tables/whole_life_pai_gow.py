"""The whole life of a Pai Gow table: what only happens there."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any
from uuid import UUID

from hypothesis import strategies as st
from hypothesis.stateful import invariant

from tables.demo.cards import deal as deal_cards
from tables.demo.cards import fouled_seven, pile, set_seven
from tables.models import TableSession
from tables.selectors.rules import rule_set_of
from tests.tables.fees import STRAIGHT_FLUSH
from tests.tables.whole_life import BEFORE_THE_DICE, DELIVERED, TABLE_MAX, TABLE_MIN, Deal, Life, Payment, Stake, Terms
from tests.tables.whole_life_bank import BankLife
from tests.tables.whole_life_machine import WholeLife
from tests.tables.whole_life_pressing import action, always, has_dealt, is_out, seeds

FEE = 50
CARDS = 7
READY = ("dice-open", "dealt", "all-set", "opened")
KINDS = st.sampled_from(["set", "set", "set", "pile", "foul", "short"])
WAGERS = (TABLE_MIN, TABLE_MIN, 2_500, TABLE_MAX, 15_000, 500)
BANKS = (2_000, 10_000, 20_000)

positions = st.integers(1, 7)
dice = st.lists(st.integers(1, 6), min_size=3, max_size=3)


def has_lone_bank(machine: PaiGowLife) -> bool:
    """Whether a hand is judged, against a bank of one share: what the bank comes to is then the rest."""
    deal = machine.life.deal
    return bool(deal and deal.verdict.get("wagers") and len(deal.bank) == 1)


class PaiGowLife(WholeLife):
    """Seven positions, the bank going round, wagers of all on all spots."""

    is_chinese = False
    life: BankLife

    def open_jackpot(self, data: st.DataObject) -> None:
        self.fee = FEE if data.draw(st.booleans(), label="jackpot") else 0
        if self.fee:
            values = {"slug": "flush", "title": "Straight flush", "fee_cents": FEE, "qualifying": STRAIGHT_FLUSH}
            self.must("jackpot.open", self.floor, room="one", game="pai-gow-poker", **values)

    def open_table(self, data: st.DataObject) -> Life:
        chips = data.draw(st.sampled_from([[], [50, 500]]), label="chips")
        wager, bank = data.draw(st.sampled_from([(0, 0), (100, 300), (100, 0)]), label="collections")
        offers_required = data.draw(st.sampled_from([False, False, True]), label="offers required")
        answer = self.must(
            "session.open",
            self.floor,
            table_id=self.cast.pai_gow.pk,
            rules=data.draw(st.sampled_from(["capitol", "capitol-jokers-wild"]), label="rules"),
            table_min_cents=TABLE_MIN,
            table_max_cents=TABLE_MAX,
            collection_cents=wager,
            bank_collection_cents=bank,
            chip_denominations=chips,
            offers_required=offers_required,
        )
        session = TableSession.objects.select_related("rules", "jackpot").get(pk=answer["session"])
        self.rules = rule_set_of(session.rules)
        self.jackpot_account = session.jackpot.account_id if session.jackpot else None
        return BankLife(session.pk, Terms(wager, bank, self.fee, min(chips, default=0), offers_required))

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

    # The hands, and what they pay.

    @action(is_out, named=st.sampled_from([None, 1, 7]), often=3)
    def the_hands_are_delivered(self, named: int | None) -> None:
        deal = self.life.deals[-1]
        refused = set() if deal.stage == "dice-open" else {"not-to-be-delivered"}
        if self.ask("hand.deliver", self.dealer, refused, hand_id=deal.id, pile=named):
            deal.stage = "dealt"

    @action(is_out, data=st.data(), position=positions, says_who=st.booleans(), often=3)
    def a_position_has_set(self, data: st.DataObject, position: int, says_who: bool) -> None:
        deal = self.life.deals[-1]
        person = self.person(data) if says_who else None
        refused = set() if deal.stage in DELIVERED else {"not-to-be-set"}
        refused |= {"set-already"} if deal.mark(position).set_as else set()
        refused |= {"not-in-hand", "own-hand"} if position not in self.life.to_set(deal) else set()
        if person is not None:
            wagers = [stake for stake in deal.wagers.values() if stake.person is person]
            refused |= set() if any(stake.position == position for stake in wagers) else {"no-wager-there"}
            others = [each for each, mark in deal.marks.items() if each != position and mark.set_by is person]
            refused |= {"one-hand-each"} if others else set()
        values = {"seat": position, "sitting_id": person.sitting if person else None}
        if self.ask("hand.mark_set", self.dealer, refused, hand_id=deal.id, **values):
            self.is_set(deal, position, "set", person)

    @action(is_out, often=3)
    def all_positions_have_set(self) -> None:
        deal = self.life.deals[-1]
        if deal.stage in DELIVERED:
            for position in self.life.to_set(deal):
                if not deal.mark(position).set_as:
                    self.must("hand.mark_set", self.dealer, hand_id=deal.id, seat=position)
                    self.is_set(deal, position, "set")

    @action(is_out, position=positions, often=3)
    def the_house_way_is_asked_for(self, position: int) -> None:
        deal = self.life.deals[-1]
        refused = set() if deal.stage in (*DELIVERED, "all-set") else {"not-to-be-set"}
        refused |= {"not-in-hand", "own-hand"} if position not in self.life.to_set(deal) else set()
        if self.ask("hand.ask_house_way", self.dealer, refused, hand_id=deal.id, seat=position):
            deal.mark(position).announced = "house-way"

    def entered(self, deal: Deal, seed: int, kind: str) -> list[dict[str, Any]]:
        needed = {deal.button, *self.life.to_set(deal), *deal.fouls}
        hands = []
        for position, cards in deal_cards(Random(seed), sorted(needed), CARDS, joker=True).items():
            mark = deal.mark(position)
            house_way = mark.announced == "house-way" or mark.set_as == "set-by-clock"
            if kind in ("pile", "short") or (house_way and deal.status == "out"):
                hands.append(pile(position, cards))
            elif kind == "foul" and position == min(needed):
                hands.append(fouled_seven(position, cards, self.rules))
            else:
                hands.append(set_seven(position, cards, self.rules))
        if kind == "short":
            hands[0]["cards"] = hands[0]["cards"].rpartition(" ")[0]
        return hands

    @action(has_dealt, seed=seeds, kind=KINDS, often=3)
    def the_cards_are_entered(self, seed: int, kind: str) -> None:
        self.record(self.life.deals[-1], seed, kind, READY)

    @action(is_out, seed=seeds, kind=KINDS, often=3)
    def the_hand_goes_to_its_end(self, seed: int, kind: str) -> None:
        deal = self.life.deals[-1]
        self.record(deal, seed, kind, READY)
        self.settle(deal)

    @action(always, seed=seeds, data=st.data(), named=st.sampled_from([None, 1, 2, 3]), kind=KINDS, often=3)
    def a_whole_hand_is_played(self, seed: int, data: st.DataObject, named: int | None, kind: str) -> None:
        if self.life.deal is None:
            if self.life.goes_by_offers() and not self.life.offer_stands(self.barred):
                self.the_bank_is_offered()
            if self.life.offer_stands(self.barred) and self.life.offered and not self.life.offered[2]:
                self.answer_offer(self.life.offered[0], True)
            self.start(True, None if self.life.goes_by_offers() else named)
        deal = self.life.deal
        if deal is None or deal.stage != "collected":
            return
        others = [person for person in self.life.there if person.seat not in (None, deal.button)]
        holder = self.life.in_seat(deal.button)
        wagers = [Stake(person.seat or 0, person, TABLE_MIN) for person in others]
        if holder and wagers:
            self.close_wagers(deal, wagers, [Stake(0, holder, self.choose(data, BANKS, "bank"))], [1, 2, 6])
            self.the_hand_goes_to_its_end(seed, kind)

    def payments_of(self, deal: Deal, verdict: dict[str, Any]) -> list[Payment]:
        shares = {str(stake.person.sitting): stake for stake in deal.bank}
        memos = verdict["bank"]["shares"]
        assert sum(line["net"] for line in [*verdict["wagers"], *memos]) == 0
        assert {line["id"] for line in verdict["wagers"]} == deal.wagers.keys()
        won = [(deal.wagers[line["id"]], line["net"]) for line in verdict["wagers"]]
        won += [(shares[memo["patron"]], memo["net"]) for memo in memos]
        return [(None, stake.person, stake.cents + net) for stake, net in won]

    def paid_verdict(self, deal: Deal, paid: dict[str, Any]) -> dict[str, Any]:
        really = {line["wager"]: line["net_cents"] for line in paid.get("paid", [])}
        wagers = [{**line, "net": really.get(line["id"], line["net"])} for line in deal.verdict["wagers"]]
        if not really:
            return deal.verdict
        (share,) = deal.verdict["bank"]["shares"]
        bank = {"shares": [{**share, "net": -sum(line["net"] for line in wagers)}]}
        return deal.verdict | {"wagers": wagers, "bank": bank}

    @action(has_lone_bank, data=st.data(), cents=st.sampled_from([0, -500, 1_000, 30_000]), often=3)
    def a_wager_is_paid_otherwise(self, data: st.DataObject, cents: int) -> None:
        deal = self.life.deals[-1]
        line = self.choose(data, deal.verdict["wagers"], "wager")
        values = {"paid": [{"wager": line["id"], "net_cents": cents}], "note": "counted wrong"}
        really = self.paid_verdict(deal, values)
        if really["bank"]["shares"][0]["net"] < -deal.bank[0].cents:
            refused = {"chips-not-there"}
            self.ask("hand.settle", self.dealer, refused, hand_id=deal.id, revision=deal.revision, **values)
        elif cents != line["net"]:
            self.settle(deal, **values)

    # What goes wrong.

    @action(is_out, data=st.data(), count=st.sampled_from([6, 7, 8]), often=3)
    def a_misdeal_is_called(self, data: st.DataObject, count: int) -> None:
        deal = self.life.deals[-1]
        position = self.choose(data, [deal.button, *self.life.to_set(deal)], "position")
        saved = position != deal.button and bool(deal.mark(position).set_as)
        refused = {"no-misdeal"} if count == CARDS or saved else set()
        values = {"code": "wrong-count", "seat": position, "count": count}
        if self.ask("hand.misdeal", self.dealer, refused, hand_id=deal.id, **values):
            deal.was_called = True
            self.life.end(deal, "misdeal")

    @action(is_out, data=st.data(), kind=st.sampled_from(["exposed", "switched", "bet-removed"]), often=3)
    def something_is_noted(self, data: st.DataObject, kind: str) -> None:
        deal = self.life.deals[-1]
        values: dict[str, Any] = {"kind": kind}
        refused: set[str] = set()
        if kind == "exposed":
            values["cards"] = self.choose(data, ["7d", "Jk", "7d 2c"], "cards")
        else:
            values |= {
                "consequence": "foul",
                "seat": self.choose(data, [deal.button, *self.life.to_set(deal)], "position"),
            }
            refused = {"no-such-foul"} if kind == "bet-removed" else set()
        if self.ask("incident.add", self.floor, refused, session_id=self.life.session, hand_id=deal.id, **values):
            deal.fouls |= {values["seat"]} if "seat" in values else set()


def shares_of(bank: Sequence[Stake]) -> list[dict[str, Any]]:
    """A bank as it is sent."""
    return [{"sitting": str(stake.person.sitting), "amount_cents": stake.cents} for stake in bank]
