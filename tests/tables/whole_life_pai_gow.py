"""The whole life of a Pai Gow table: what only happens there."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from hypothesis import strategies as st

from tables.demo.cards import deal as deal_cards
from tables.demo.cards import fouled_seven, pile, set_seven
from tables.models import TableSession
from tables.models.rooms import Game
from tables.selectors.rules import rule_set_of
from tests.tables.rules.plain_paigow import CATEGORIES, JOKERS, House, Strength, strength_of_back
from tests.tables.whole_life import Life
from tests.tables.whole_life_bank import BankLife
from tests.tables.whole_life_pieces import (
    CLOCK_SECONDS,
    DELIVERED,
    TABLE_MAX,
    TABLE_MIN,
    Deal,
    Payment,
    Person,
    Stake,
    Terms,
)
from tests.tables.whole_life_pressing import action, always, has_dealt, is_out, seeds
from tests.tables.whole_life_wagers import BANKS, Wagering, positions

CARDS = 7
QUALIFYING = "three of a kind"
READY = ("dice-open", "dealt", "all-set", "opened")
KINDS = st.sampled_from(["set", "set", "set", "pile", "foul", "short"])


def has_lone_bank(machine: PaiGowLife) -> bool:
    """Whether a hand is judged, against a bank of one share: what the bank comes to is then the rest."""
    deal = machine.life.deal
    return bool(deal and deal.verdict.get("wagers") and len(deal.bank) == 1)


class PaiGowLife(Wagering):
    """Seven positions, whose hands are set against the Player/Dealer's."""

    is_chinese = False
    accepted = Counter()
    game = Game.PAI_GOW_POKER
    fee = 50
    qualifying = ({"segment": "back", "category": QUALIFYING.replace(" ", "-")},)
    posted_rates = (
        (("wager", 1, 4_999, 100), ("wager", 5_000, None, 200), ("bank", 1, 9_999, 100), ("bank", 10_000, None, 300)),
        (("wager", 1, None, 50),),
        (("bank", 1, None, 250),),
    )

    def open_table(self, data: st.DataObject) -> Life:
        chips = data.draw(st.sampled_from([[], [50, 500]]), label="chips")
        wager, bank = self.choose(data, [(0, 0), (100, 300), (100, 0)], "collections")
        collections, rates = self.drawn_rates(data, {"wager": wager, "bank": bank})
        offers_required, is_timed = self.choose(
            data, [(False, False), (False, False), (True, False), (False, True)], "offers required, timed"
        )
        rules = self.choose(data, sorted(JOKERS), "rules")
        answer = self.must(
            "session.open",
            self.floor,
            table_id=self.cast.pai_gow.pk,
            rules=rules,
            table_min_cents=TABLE_MIN,
            table_max_cents=TABLE_MAX,
            chip_denominations=chips,
            offers_required=offers_required,
            rotation_pack=is_timed,
            clock_seconds=CLOCK_SECONDS,
            **collections,
        )
        session = TableSession.objects.select_related("rules").get(pk=answer["session"])
        self.rules = rule_set_of(session.rules)
        self.joker = JOKERS[rules]
        terms = Terms(rates, self.fee_now, min(chips, default=0), offers_required, is_timed)
        return BankLife(session.pk, terms, self.clock)

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
        for position in self.life.to_set(deal) if deal.stage in DELIVERED else []:
            if not deal.mark(position).set_as:
                self.mark_set(deal, position)

    def mark_set(self, deal: Deal, seat: int) -> None:
        self.must("hand.mark_set", self.dealer, hand_id=deal.id, seat=seat)
        self.is_set(deal, seat, "set")

    @action(is_out, position=positions, often=3)
    def the_house_way_is_asked_for(self, position: int) -> None:
        self.announce(self.life.deals[-1], position)

    def announce(self, deal: Deal, seat: int) -> None:
        refused = set() if deal.stage in (*DELIVERED, "all-set") else {"not-to-be-set"}
        refused |= {"not-in-hand", "own-hand"} if seat not in self.life.to_set(deal) else set()
        if self.ask("hand.ask_house_way", self.dealer, refused, hand_id=deal.id, seat=seat):
            deal.mark(seat).announced = "house-way"

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

    @action(always, seed=seeds, data=st.data(), named=st.sampled_from([None, 1, 2, 3]), kind=KINDS, often=6)
    def a_whole_hand_is_played(self, seed: int, data: st.DataObject, named: int | None, kind: str) -> None:
        if self.up_to_the_dice(data, named):
            self.the_hand_goes_to_its_end(seed, kind)

    def begin_to_set(self, data: st.DataObject) -> Deal | None:
        if self.life.deal is None and not self.up_to_the_dice(data, None):
            return None
        deal = self.life.deals[-1]
        if deal.stage == "dice-open":
            self.the_hands_are_delivered(1)
        return deal if deal.stage in ("dealt", "setting") else None

    def up_to_the_dice(self, data: st.DataObject, named: int | None) -> bool:
        """Bank offered, hand dealt, a wager on every other seat, dice opened; whether it came so far."""
        if self.life.deal is None:
            if self.life.goes_by_offers() and not self.life.offer_stands(self.barred):
                self.the_bank_is_offered()
            if self.life.offer_stands(self.barred) and self.life.offered and not self.life.offered[2]:
                self.answer_offer(self.life.offered[0], True)
            self.start(True, None if self.life.goes_by_offers() else named)
        deal = self.life.deal
        if deal is None or deal.stage != "collected":
            return False
        others = [person for person in self.life.there if person.seat not in (None, deal.button)]
        holder = self.life.in_seat(deal.button)
        wagers = [Stake(person.seat or 0, person, TABLE_MIN) for person in others]
        if holder and wagers:
            self.close_wagers(deal, wagers, [Stake(0, holder, self.choose(data, BANKS, "bank"))], [1, 2, 6])
        return deal.stage == "dice-open"

    def plays(self, deal: Deal, place: int) -> Person | None:
        return self.life.handler(deal, place)

    def qualified(self, deal: Deal) -> dict[int, Strength]:
        house = House(self.joker, "lowest", "single-use")
        made = {
            hand["position"]: strength_of_back(hand["back"].split(), house)
            for hand in deal.verdict["hands"]
            if hand["status"] != "foul"
        }
        return {position: hand for position, hand in made.items() if hand[0] >= CATEGORIES.index(QUALIFYING)}

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
