"""What the house does beside the hands: collection schedules, jackpots, calls for floor; and time goes by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from uuid import UUID

from hypothesis import strategies as st

from ledger.models import Transaction
from tables.models import Jackpot
from tables.selectors.corrections import OF_A_SITTING
from tests.tables.whole_life_people import People
from tests.tables.whole_life_pieces import Deal, Person, Rate, when
from tests.tables.whole_life_pressing import action, always, has_dealt

HALF_A_ROTATION = 25 * 60
MORE_THAN_THE_CLOCK = 700


def has_jackpot(machine: House) -> bool:
    """Whether a jackpot was ever opened."""
    return machine.jackpot is not None


class House(People):
    """What happens between floor and the house, in either game."""

    game: ClassVar[str]
    fee: ClassVar[int]
    qualifying: ClassVar[Sequence[Mapping[str, str]]]
    posted_rates: ClassVar[Sequence[tuple[Rate, ...]]]

    # Collections.

    def open_house(self, data: st.DataObject) -> None:
        self.schedules: list[tuple[Rate, ...]] = []
        self.jackpot: Jackpot | None = None
        self.is_fed, self.pool = False, 0
        if data.draw(st.booleans(), label="jackpot"):
            self.a_jackpot_is_opened()
        if data.draw(st.booleans(), label="schedule"):
            self.a_schedule_is_posted(data, 0)

    @action(always, data=st.data(), off=st.sampled_from([0, 0, 0, -1, 1]))
    def a_schedule_is_posted(self, data: st.DataObject, off: int) -> None:
        rates = self.choose(data, self.posted_rates, "rates")
        sent = [{"payer": payer, "from": low, "to": high, "amount_cents": cents} for payer, low, high, cents in rates]
        refused = {"version-exists", "version-too-early"} if off else set()
        values = {"slug": "day", "version": len(self.schedules) + 1 + off, "title": "By day", "reason": "as posted"}
        if self.ask("schedule.add", self.floor, refused, room="one", game=self.game, rates=sent, **values):
            self.schedules.append(rates)

    def drawn_rates(self, data: st.DataObject, flat: Mapping[str, int]) -> tuple[dict[str, Any], tuple[Rate, ...]]:
        """What a session opens with: flat amounts by payer, or a version of the schedule, the newest or an older one."""
        versions = {f"day@{number}": rates for number, rates in enumerate(self.schedules, 1)}
        if versions:
            versions["day"] = self.schedules[-1]
        name = self.choose(data, ["", *versions], "schedule")
        if name:
            return {"schedule": name}, versions[name]
        keys = {"player": "collection_cents", "wager": "collection_cents", "bank": "bank_collection_cents"}
        values = {keys[payer]: cents for payer, cents in flat.items()}
        return values, tuple((payer, 1, None, cents) for payer, cents in flat.items())

    # Jackpots.

    @action(always)
    def a_jackpot_is_opened(self) -> None:
        refused = {"jackpot-open", "slug-used"} if self.jackpot else set()
        values = {"slug": "flush", "title": "High hand", "fee_cents": self.fee, "qualifying": self.qualifying}
        if answer := self.ask("jackpot.open", self.floor, refused, room="one", game=self.game, **values):
            self.jackpot, self.is_fed = Jackpot.objects.get(pk=answer["jackpot"]), True

    @property
    def fee_now(self) -> int:
        """The fee that a table takes which opens now."""
        return self.fee if self.is_fed else 0

    @action(has_jackpot)
    def the_jackpot_is_closed(self) -> None:
        self.close_jackpot(is_fed=bool(self.life.terms.fee or self.away.terms.fee))

    def close_jackpot(self, *, is_fed: bool) -> None:
        """An empty one can be closed that no table feeds."""
        assert self.jackpot is not None
        refused = when(
            ("jackpot-closed", not self.is_fed),
            ("jackpot-fed", is_fed),
            ("jackpot-holds-money", self.pool + self.life.pots["jackpot"]),
        )
        if self.ask("jackpot.close", self.floor, refused, jackpot_id=self.jackpot.pk):
            self.is_fed = False

    def plays(self, deal: Deal, place: int) -> Person | None:
        """Who plays the cards of a seat or position."""
        raise NotImplementedError

    def qualified(self, deal: Deal) -> dict[int, Any]:
        """The hands that qualify for the jackpot, with what they make."""
        raise NotImplementedError

    @action(has_dealt, data=st.data(), by_person=st.booleans(), alone=st.sampled_from([False, False, True]))
    def a_jackpot_is_voided(self, data: st.DataObject, by_person: bool, alone: bool) -> None:
        deal = self.some_deal(data)
        seat = self.choose(data, list(deal.seats), "seat")
        who: dict[str, Any] = {"seat": seat}
        places = {seat}
        if by_person:
            person = deal.seats[seat]
            who = {"sitting_ids": [person.sitting]}
            places |= {place for place in range(1, self.life.seat_count + 1) if self.plays(deal, place) is person}
        values = {"kind": "shown", "consequence": "jackpot-void", "note": "shown to a neighbour", **who}
        press = {"session_id": self.life.session, "hand_id": deal.id}
        refused = {"second-person"} if alone else set()
        if self.ask("incident.add", self.floor if alone else self.manager, refused, **press, **values):
            deal.void_places |= places

    @action(
        has_dealt,
        data=st.data(),
        cents=st.sampled_from([None, 100, 250]),
        people=st.sampled_from(["both", "both", "both", "manager", "floor"]),
        often=2,
    )
    def a_jackpot_is_paid(self, data: st.DataObject, cents: int | None, people: str) -> None:
        deal = self.some_deal(data)
        free = self.life.free_in_pool(self.pool)
        qualified = self.qualified(deal) if deal.status == "settled" else {}
        place = self.choose(data, [*qualified] or range(1, self.life.seat_count + 1), "place")
        amount = (free if free > 0 else 100) if cents is None else cents
        refused = self.refuses_award(deal, place, qualified) | when(
            ("pool-too-small", amount > free), ("second-person", people != "both")
        )
        by = self.floor if people == "floor" else self.manager
        press = {"hand_id": deal.id, "place": place, "amount_cents": amount}
        if self.ask("jackpot.award", by, refused, alone=people != "both", **press):
            person = self.plays(deal, place)
            assert person is not None
            self.life.award(deal, place, person, amount)

    def refuses_award(self, deal: Deal, place: int, qualified: Mapping[int, Any]) -> set[str]:
        """Why a hand is not paid out of the jackpot (CP-63)."""
        person = self.plays(deal, place)
        standing = {each: strength for each, strength in qualified.items() if each not in deal.void_places}
        return when(
            ("no-jackpot", not self.life.terms.fee),
            ("not-settled", deal.status != "settled"),
            ("no-such-place", person is None),
            ("not-qualified", place not in qualified),
            ("jackpot-void", place in deal.void_places),
            ("lower-hand", place in standing and standing[place] < max(standing.values())),
            ("awarded-already", place in deal.awards),
            ("patron-restricted", person and person.card in self.barred),
            ("sitting-ended", person and person.has_left),
            ("hand-out", person and self.is_chinese and self.life.is_in_hand(person)),
        )

    # Time, and the people of the house.

    @action(always, seconds=st.sampled_from([MORE_THAN_THE_CLOCK, MORE_THAN_THE_CLOCK, HALF_A_ROTATION]))
    def time_goes_by(self, seconds: int) -> None:
        self.clock.seconds += seconds

    @action(always, data=st.data(), what=st.sampled_from(["floor.call", "floor.answer", "floor.close"]))
    def floor_is_called(self, data: st.DataObject, what: str) -> None:
        calls = self.life.calls
        reason = self.choose(data, ["decision", "fill"], "reason")
        if what == "floor.call":
            refused = {"called-already"} if reason in calls else set()
            if answer := self.ask(what, self.dealer, refused, session_id=self.life.session, reason=reason):
                calls[reason] = answer["call"], False
        elif reason in calls:
            call, is_answered = calls[reason]
            self.end_call(what, reason, UUID(call), is_answered=is_answered)

    def end_call(self, what: str, reason: str, call: UUID, *, is_answered: bool) -> None:
        """Floor answers once; the dealer ends a call that was answered."""
        answers = what == "floor.answer"
        refused = when(("answered-already", answers and is_answered), ("not-answered", not answers and not is_answered))
        if not self.ask(what, self.floor if answers else self.dealer, refused, call_id=call):
            return
        if answers:
            self.life.calls[reason] = str(call), True
        else:
            del self.life.calls[reason]

    @action(always, comes=st.booleans())
    def the_dealer_changes(self, comes: bool) -> None:
        verb, by = ("session.deal_in", self.dealer) if comes else ("session.deal_out", self.floor)
        refused = set() if comes or self.life.has_dealer else {"no-dealer"}
        if self.ask(verb, by, refused, session_id=self.life.session):
            self.life.has_dealer = comes

    @action(has_dealt, data=st.data())
    def the_dealer_asks_for_an_undo(self, data: st.DataObject) -> None:
        deal = self.some_deal(data)
        refused = when(
            ("hand-out", deal.status == "out"),
            ("hand-voided", deal.status == "void"),
            ("window-over", deal is not self.life.deals[-1]),
            ("undo-asked", deal.undo_asked in self.life.exceptions),
        )
        if answer := self.ask("hand.ask_undo", self.dealer, refused, hand_id=deal.id, reason="wrong seat paid"):
            deal.undo_asked = answer["exception"]
            self.life.exceptions[deal.undo_asked] = self.dealer.badge_number

    @action(lambda self: self.life.chips, data=st.data(), alone=st.booleans(), often=2)
    def chips_are_taken_back(self, data: st.DataObject, alone: bool) -> None:
        chips = self.life.chips[self.choose(data, [-1, *range(len(self.life.chips))], "which")]
        by = self.floor if alone else self.manager
        refused = self.life.refuses_reversal(chips, by_one=alone)
        values = {"reason_code": "amount", "reason": "counted again"}
        posted = Transaction.objects.get(command=chips.command, kind__in=OF_A_SITTING)
        if answer := self.ask("transaction.reverse", by, refused, transaction_id=posted.pk, **values):
            self.life.reverse(chips, self.barred)
            assert answer["stack_cents"] == chips.person.stack
            assert answer["is_seated"] is not chips.person.has_left
