"""The whole life of a Chinese table: what only happens there."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from tables.demo.cards import deal as deal_cards
from tables.demo.cards import set_thirteen
from tables.models import HandRecord, TableSession
from tables.models.rooms import Game
from tables.rules.cards import cards_text
from tables.selectors.rules import rule_set_of
from tests.tables.rules.plain_hands import CATEGORIES, Strength, cards_of, strength
from tests.tables.whole_life import Life
from tests.tables.whole_life_machine import WholeLife
from tests.tables.whole_life_pieces import (
    BEFORE_ALL_SET,
    BEFORE_OPEN,
    CLOCK_SECONDS,
    POINT_VALUE,
    Deal,
    Payment,
    Person,
    Terms,
)
from tests.tables.whole_life_pressing import action, always, has_dealt, is_out, seeds

CARDS = 13
QUALIFYING = "flush"
STANDING = ("regular", "automatic-win")
RULE_SETS = {"cardroom-mandarin": ("six-pairs", False), "future-western": ("three-flushes", True)}
KINDS = st.sampled_from(["set", "set", "set", "foul", "short"])


def has_payments(machine: ChineseLife) -> bool:
    """Whether a hand is judged and something is to be paid."""
    return bool(machine.life.deal and machine.life.deal.verdict.get("payments"))


class ChineseLife(WholeLife):
    """Four seats, the button, marks and payments from stack to stack."""

    is_chinese = True
    accepted = Counter()
    game = Game.CHINESE_POKER
    fee = 100
    qualifying = ({"segment": "back", "category": QUALIFYING},)
    posted_rates = (
        (("player", 1, 2, 300), ("player", 3, None, 400)),
        (("player", 1, None, 200),),
        (("player", 2, 2, 500), ("player", 3, 3, 100), ("player", 4, None, 700)),
    )

    def open_table(self, data: st.DataObject) -> Life:
        rules = data.draw(st.sampled_from(sorted(RULE_SETS)), label="rules")
        chips = data.draw(st.sampled_from([[], [100, 500]]), label="chips")
        collections, rates = self.drawn_rates(data, {"player": self.choose(data, [0, 400], "collection")})
        answer = self.must(
            "session.open",
            self.floor,
            table_id=self.cast.chinese.pk,
            rules=rules,
            point_value_cents=POINT_VALUE,
            chip_denominations=chips,
            clock_seconds=CLOCK_SECONDS,
            **collections,
        )
        session = TableSession.objects.select_related("rules").get(pk=answer["session"])
        self.rules = rule_set_of(session.rules)
        natural, has_surrender = RULE_SETS[rules]
        least = min(chips, default=0)
        terms = Terms(rates, self.fee_now, least, natural=natural, has_surrender=has_surrender)
        return Life(session.pk, terms, self.clock, is_chinese=True)

    @action(always, by_floor=st.booleans(), named=st.sampled_from([None, None, None, 1, 4]), often=3)
    def a_hand_is_dealt(self, by_floor: bool, named: int | None) -> None:
        self.start(by_floor, named)

    def start(self, by_floor: bool, named: int | None) -> None:
        """Deal, if the model lets it."""
        life = self.life
        players = life.players(self.barred)
        seats = [person.seat for person in players]
        disputed = [dispute for dispute, (_deal, is_open) in life.disputes.items() if is_open]
        refused = {"hand-out"} if life.deal else set()
        refused |= {"dispute-open"} if disputed and not by_floor else set()
        refused |= {"too-few-players"} if len(players) < 2 else set()
        if life.button is None:
            refused |= {"out-of-range"} if named and named not in seats else set()
        else:
            refused |= {"button-moves-by-itself"} if named not in (None, life.button) else set()
        actor = self.floor if by_floor else self.dealer
        answer = self.ask("hand.start", actor, refused, session_id=life.session, button_seat=named)
        if answer is None:
            return
        assert answer["button"] == (life.button or named or seats[0])
        life.begin(UUID(answer["hand"]), answer["number"], answer["button"], players)
        self.check_first_hand(life.deals[-1], answer["first_hand"])
        self.left_without_ruling(disputed)

    def check_first_hand(self, deal: Deal, seat: int) -> None:
        """A new player gets the first hand only where all are new (CP-62)."""
        assert not deal.seats[seat].is_new or all(person.is_new for person in deal.seats.values())

    @action(always, data=st.data(), often=3)
    def floor_moves_the_button(self, data: st.DataObject) -> None:
        seat = self.choose(data, range(1, 5), "seat")
        person = self.life.in_seat(seat)
        refused = {"hand-out"} if self.life.deal else set()
        refused |= {"empty-seat"} if person is None else set()
        others = any(not each.is_new and not each.is_absent and each.seat for each in self.life.there)
        refused |= {"new-player"} if person is not None and person.is_new and others else set()
        values = {"session_id": self.life.session, "seat": seat, "reason": "it stood wrong"}
        if self.ask("session.correct_button", self.floor, refused, **values):
            self.life.button = seat

    # What is said of the hands before they are opened.

    @action(is_out, often=3)
    def the_cards_are_out(self) -> None:
        deal = self.life.deals[-1]
        refused = set() if deal.stage == "collected" else {"dealt-already"}
        if self.ask("hand.deliver", self.dealer, refused, hand_id=deal.id):
            deal.stage = "dealt"

    @action(is_out, data=st.data(), all_of_them=st.booleans(), often=3)
    def a_seat_has_set(self, data: st.DataObject, all_of_them: bool) -> None:
        deal = self.life.deals[-1]
        for seat in sorted(deal.seats) if all_of_them else [self.choose(data, range(1, 5), "seat")]:
            self.mark_set(deal, seat)

    def mark_set(self, deal: Deal, seat: int) -> None:
        refused = set() if deal.stage in BEFORE_ALL_SET else {"hands-open"}
        refused |= {"set-already"} if deal.mark(seat).set_as else set()
        refused |= {"not-in-hand"} if seat not in deal.seats else set()
        if self.ask("hand.mark_set", self.dealer, refused, hand_id=deal.id, seat=seat):
            self.is_set(deal, seat, "set")

    def begin_to_set(self, data: st.DataObject) -> Deal | None:
        if self.life.deal is None:
            self.start(True, None)
        deal = self.life.deal
        return deal if deal and deal.stage in BEFORE_ALL_SET else None

    @action(
        is_out, data=st.data(), verb=st.sampled_from(["hand.declare", "hand.surrender"]), wrong=st.booleans(), often=3
    )
    def a_seat_announces(self, data: st.DataObject, verb: str, wrong: bool) -> None:
        self.say(self.life.deals[-1], self.choose(data, range(1, 5), "seat"), verb, wrong=wrong)

    def announce(self, deal: Deal, seat: int) -> None:
        can_surrender = self.life.terms.has_surrender and seat == min(deal.seats)
        self.say(deal, seat, "hand.surrender" if can_surrender else "hand.declare")

    def say(self, deal: Deal, seat: int, verb: str, *, wrong: bool = False) -> None:
        """A seat declares an automatic win, one the rules do not offer where it is ``wrong``, or surrenders (CP-20, CP-35)."""
        terms = self.life.terms
        refused = set() if deal.stage in BEFORE_OPEN else {"hands-open"}
        refused |= {"not-in-hand"} if seat not in deal.seats else set()
        values: dict[str, Any] = {}
        if verb == "hand.surrender":
            refused |= set() if terms.has_surrender else {"not-offered"}
        else:
            values["natural"] = "royal-hearts" if wrong else terms.natural
            refused |= {"not-offered"} if wrong else set()
        if self.ask(verb, self.dealer, refused, hand_id=deal.id, seat=seat, **values):
            mark = deal.mark(seat)
            mark.announced = "declared" if values else "surrendered"
            mark.declares = values.get("natural", "")

    # The cards, and what they pay.

    def entered(self, deal: Deal, seed: int, kind: str) -> list[dict[str, Any]]:
        hands = []
        for seat, cards in deal_cards(Random(seed), sorted(deal.seats), CARDS).items():
            mark = deal.mark(seat)
            hand = set_thirteen(seat, cards, self.rules)
            if deal.status == "out" and mark.set_as == "set-by-clock":
                hand = {"seat": seat, "cards": cards_text(cards)}
            elif kind == "foul" and seat == min(deal.seats):
                hand["middle"], hand["back"] = hand["back"], hand["middle"]
            if deal.status == "out":
                hand |= {"declares": mark.declares} if mark.declares else {}
                hand |= {"surrenders": True} if mark.announced == "surrendered" else {}
            hands.append(hand)
        if kind == "short":
            last = "back" if "back" in hands[0] else "cards"
            hands[0][last] = hands[0][last].rpartition(" ")[0]
        return hands

    @action(has_dealt, seed=seeds, kind=KINDS, often=3)
    def the_cards_are_entered(self, seed: int, kind: str) -> None:
        self.record(self.life.deals[-1], seed, kind, ("collected", "dealt", "all-set", "opened"))

    @action(is_out, seed=seeds, kind=KINDS, often=3)
    def the_hand_goes_to_its_end(self, seed: int, kind: str) -> None:
        deal = self.life.deals[-1]
        self.record(deal, seed, kind, ("collected", "dealt", "all-set", "opened"))
        self.settle(deal)

    @action(always, seed=seeds, often=3)
    def a_whole_hand_is_played(self, seed: int) -> None:
        self.start(True, None)
        if self.life.deal:
            self.the_hand_goes_to_its_end(seed, "set")

    def payments_of(self, deal: Deal, verdict: dict[str, Any]) -> list[Payment]:
        assert sum(seat["net"] for seat in verdict["seats"]) == 0
        return [(deal.seats[each["payer"]], deal.seats[each["payee"]], each["paid"]) for each in verdict["payments"]]

    def plays(self, deal: Deal, place: int) -> Person | None:
        return deal.seats.get(place)

    def qualified(self, deal: Deal) -> dict[int, Strength]:
        record = HandRecord.objects.get(hand=deal.id, revision=deal.revision).data
        stands = {seat["seat"] for seat in deal.verdict["seats"] if seat["status"] in STANDING}
        made = {
            entry["seat"]: strength(cards_of(entry["back"]), "lowest")
            for entry in record["seats"]
            if entry["seat"] in stands and "back" in entry
        }
        return {seat: hand for seat, hand in made.items() if hand[0] >= CATEGORIES.index(QUALIFYING)}

    def paid_verdict(self, deal: Deal, paid: dict[str, Any]) -> dict[str, Any]:
        really = {(line["payer"], line["payee"]): line["paid_cents"] for line in paid.get("paid", [])}
        payments = [
            {**each, "paid": really.get((each["payer"], each["payee"]), each["paid"])}
            for each in deal.verdict["payments"]
        ]
        return deal.verdict | {"payments": payments}

    @action(has_payments, data=st.data(), cents=st.sampled_from([0, 50, 30_000]), often=3)
    def a_payment_is_made_otherwise(self, data: st.DataObject, cents: int) -> None:
        deal = self.life.deals[-1]
        line = self.choose(data, deal.verdict["payments"], "payment")
        paid = {"payer": line["payer"], "payee": line["payee"], "paid_cents": cents}
        values = {"paid": [paid], "note": "counted wrong"}
        held = {person: person.stack + person.behind for person in deal.seats.values()}
        for payer, payee, amount in self.payments_of(deal, self.paid_verdict(deal, values)):
            assert payer is not None
            if amount > held[payer]:
                self.ask(
                    "hand.settle", self.dealer, {"chips-not-there"}, hand_id=deal.id, revision=deal.revision, **values
                )
                return
            held[payer] -= amount
            held[payee] += amount
        if cents != line["paid"]:
            self.settle(deal, **values)

    # What goes wrong.

    @action(is_out, data=st.data(), count=st.sampled_from([12, 13, 14]), often=3)
    def a_misdeal_is_called(self, data: st.DataObject, count: int) -> None:
        deal = self.life.deals[-1]
        seat = self.choose(data, sorted(deal.seats), "seat")
        refused = {"no-misdeal"} if count == CARDS else set()
        if self.ask("hand.misdeal", self.dealer, refused, hand_id=deal.id, code="wrong-count", seat=seat, count=count):
            deal.was_called = True
            self.life.end(deal, "misdeal")

    @action(is_out, data=st.data(), kind=st.sampled_from(["dealer-exposed", "wrong-seat", "shown", "foul"]), often=3)
    def something_is_noted(self, data: st.DataObject, kind: str) -> None:
        deal = self.life.deals[-1]
        values: dict[str, Any] = {"kind": kind, "seat": self.choose(data, sorted(deal.seats), "seat")}
        refused: set[str] = set()
        if kind == "dealer-exposed":
            values["count"] = self.choose(data, [1, 5], "how many")
        if kind == "foul":
            values |= {"kind": "switched", "consequence": "foul"}
            refused = {"no-such-foul"}
        self.ask("incident.add", self.floor, refused, session_id=self.life.session, hand_id=deal.id, **values)
