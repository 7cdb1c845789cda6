"""People who come, go, and stay away; disputes, exceptions, collections and closing: what happens beside the hands."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from hypothesis import strategies as st

from casino.staff.actor import Actor
from tables.models import TableException
from tests.tables.whole_life import Life
from tests.tables.whole_life_pieces import HOLD_MINUTES, Person
from tests.tables.whole_life_pressing import (
    Pressing,
    action,
    always,
    amounts,
    cards_of,
    has_dealt,
    means,
    somebody,
)


class People(Pressing):
    """What happens beside the hands, in either game."""

    @action(always, card=cards_of, data=st.data())
    def somebody_sits_down(self, card: str, data: st.DataObject) -> None:
        seats = [None, *range(1, self.life.seat_count + 1)]
        self.sit_down(card, self.choose(data, seats, "seat"))

    def sit_down(self, card: str, seat: int | None) -> Person | None:
        """Somebody sits down, if the model lets them."""
        refused = self.life.refuses_to_sit(card, seat, self.barred)
        values = {"session_id": self.life.session, "seat": seat, "patron_number": card}
        answer = self.ask("sitting.start", self.dealer, refused, **values)
        return self.life.sit(card, UUID(answer["sitting"]), seat) if answer else None

    @action(somebody, data=st.data(), cents=amounts, how=means)
    def somebody_buys_in(self, data: st.DataObject, cents: int, how: str) -> None:
        self.bring(self.person(data), cents, how)

    def bring(self, person: Person, cents: int, how: str) -> None:
        """Chips come into play, if the model lets them."""
        refused = {"sitting-ended"} if person.has_left else self.life.refuses_buy_in(person, cents)
        values = {"sitting_id": person.sitting, "amount_cents": cents, "means": how}
        if answer := self.ask("sitting.buy_in", self.dealer, refused, **values):
            person.bought.append(self.life.moved(self.command, person, "bought", how, cents))
            assert answer["stack_cents"] == person.stack

    @action(somebody, data=st.data(), comes_back=st.booleans())
    def somebody_is_away(self, data: st.DataObject, comes_back: bool) -> None:
        person = self.person(data)
        verb = "sitting.return" if comes_back else "sitting.absent"
        refused = {"sitting-ended"} if person.has_left else set()
        if comes_back:
            refused |= {"not-absent"} if not person.is_absent else set()
            refused |= {"patron-restricted"} if person.card in self.barred else set()
        else:
            refused |= {"no-seat"} if person.seat is None else set()
            refused |= {"absent-already"} if person.is_absent else set()
        if self.ask(verb, self.dealer, refused, sitting_id=person.sitting):
            person.is_absent = not comes_back

    @action(always, card=cards_of, data=st.data(), release=st.booleans())
    def a_seat_is_held(self, card: str, data: st.DataObject, release: bool) -> None:
        seat = self.choose(data, range(1, self.life.seat_count + 1), "seat")
        if release:
            refused = set() if seat in self.life.held else {"not-held"}
            if self.ask("seat.release", self.floor, refused, session_id=self.life.session, seat=seat):
                del self.life.holds[seat]
            return
        refused = self.life.refuses_seat(card, seat, self.barred)
        held = self.life.held
        refused |= {"seat-held"} if seat in held or card in held.values() else set()
        values = {"session_id": self.life.session, "seat": seat, "minutes": HOLD_MINUTES, "patron_number": card}
        if self.ask("seat.hold", self.dealer, refused, **values):
            self.life.hold(seat, card)

    @action(somebody, data=st.data(), back=st.booleans())
    def somebody_moves(self, data: st.DataObject, back: bool) -> None:
        left, to = (self.away, self.life) if back else (self.life, self.away)
        if not left.people:
            return
        person = left.people[self.choose(data, range(len(left.people)), "who")]
        seat = self.choose(data, range(1, to.seat_count + 1), "seat")
        refused = {"sitting-ended"} if person.has_left else to.refuses_to_sit(person.card, seat, self.barred)
        refused |= {"hand-out"} if left.is_in_hand(person) else set()
        values = {"sitting_id": person.sitting, "session_id": to.session, "seat": seat}
        answer = self.ask("sitting.move", self.floor, refused, **values)
        if answer is None:
            return
        stack = left.leave(person)
        assert answer["stack_cents"] == stack
        left.pay(person, "moved", stack)
        new = to.sit(person.card, UUID(answer["sitting"]), seat)
        new.bought, new.behind = person.bought, person.behind
        to.pay(new, "moved", -stack)
        person.behind = 0

    @action(somebody, data=st.data(), cents=amounts, how=means, back=st.booleans())
    def chips_go_behind(self, data: st.DataObject, cents: int, how: str, back: bool) -> None:
        person = self.person(data)
        if person.has_left:
            return
        if back:
            refused = self.life.refuses_put_back(person, cents)
            if self.ask("sitting.put_back", self.dealer, refused, sitting_id=person.sitting, amount_cents=cents):
                self.life.moved(self.command, person, "put-back", "chips", cents)
                person.behind -= cents
            return
        refused = self.life.refuses_colour_up(person, cents)
        values = {"sitting_id": person.sitting, "amount_cents": cents, "reason": "asked for it", "means": how}
        if self.ask("sitting.colour_up", self.floor, refused, **values):
            self.life.moved(self.command, person, "coloured-up", how, -cents)
            person.behind += cents

    @action(somebody, data=st.data(), how=means)
    def somebody_cashes_out(self, data: st.DataObject, how: str) -> None:
        self.cash_out(self.life, self.person(data), how)

    def cash_out(self, life: Life, person: Person, how: str = "chips") -> None:
        """Everything leaves the table, if the model lets it."""
        refused = {"sitting-ended"} if person.has_left and not person.stack else set()
        refused |= {"hand-out"} if life.is_in_hand(person) else set()
        if answer := self.ask(
            "sitting.cash_out",
            self.dealer if life is self.life else self.floor,
            refused,
            sitting_id=person.sitting,
            means=how,
        ):
            what = "owed" if person.has_left else "left"
            stack = life.leave(person)
            assert answer["paid_cents"] == stack
            if stack:
                life.moved(self.command, person, what, how, -stack)

    @action(always, card=cards_of, lift=st.booleans())
    def somebody_is_barred(self, card: str, lift: bool) -> None:
        if lift:
            refused = set() if card in self.barred else {"not-barred"}
            if self.ask("patron.lift_bar", self.manager, refused, patron_number=card, reason="apologised"):
                self.barred.discard(card)
            return
        self.must("patron.bar", self.floor, patron_number=card, kind="barred", reason="shouted")
        self.barred.add(card)

    # Disputes, exceptions, collections, closing.

    @action(has_dealt, data=st.data())
    def a_hand_is_disputed(self, data: st.DataObject) -> None:
        deal = self.some_deal(data)
        refused = set() if deal is self.life.deals[-1] else {"window-over"}
        if answer := self.ask("dispute.raise", self.dealer, refused, hand_id=deal.id, about="the middle"):
            self.life.disputes[answer["dispute"]] = (deal, True)

    @action(
        lambda self: self.life.disputes,
        data=st.data(),
        outcome=st.sampled_from(["stands", "stands", "voided", "resettled"]),
    )
    def floor_rules(self, data: st.DataObject, outcome: str) -> None:
        self.rule_on(self.choose(data, self.life.disputes, "dispute"), outcome)

    def rule_on(self, dispute: str, outcome: str) -> None:
        """Floor decides, once, and before the next hand."""
        deal, is_open = self.life.disputes[dispute]
        refused = set() if is_open else {"ruled-already"}
        refused |= {"not-voided"} if outcome == "voided" and deal.status != "void" else set()
        refused |= {"not-resettled"} if outcome == "resettled" and not deal.was_resettled else set()
        values = {"rule": "CP-30", "ruling": "as it lies", "error_by": "none", "outcome": outcome}
        if self.ask("dispute.rule", self.floor, refused, dispute_id=UUID(dispute), **values):
            self.life.disputes[dispute] = (deal, False)

    def left_without_ruling(self, disputed: Collection[str]) -> None:
        """Floor has dealt over disputes: each ends, and an exception of floor's own says so (PG-45)."""
        for dispute in disputed:
            self.life.disputes[dispute] = (self.life.disputes[dispute][0], False)
        if disputed:
            raised = TableException.objects.filter(session=self.life.session, kind="dispute-not-ruled")
            new = [str(pk) for pk in raised.filter(decision__isnull=True).values_list("pk", flat=True)]
            assert len(set(new) - self.life.exceptions.keys()) == len(disputed)
            self.life.exceptions |= dict.fromkeys(set(new) - self.life.exceptions.keys(), self.floor.badge_number)

    @action(always)
    def the_table_raises_an_exception(self) -> None:
        answer = self.must("exception.raise", self.dealer, session_id=self.life.session, words="a chip too many")
        self.life.exceptions[answer["exception"]] = self.dealer.badge_number

    @action(lambda self: self.life.exceptions, data=st.data(), by_manager=st.booleans())
    def floor_decides(self, data: st.DataObject, by_manager: bool) -> None:
        self.decide(self.choose(data, self.life.exceptions, "exception"), self.manager if by_manager else self.floor)

    def decide(self, exception: str, by: Actor) -> None:
        """Anybody of the floor but who raised it."""
        refused = {"own-exception"} if self.life.exceptions[exception] == by.badge_number else set()
        values = {"exception_id": UUID(exception), "outcome": "accepted", "reason": "seen"}
        if self.ask("exception.decide", by, refused, **values):
            del self.life.exceptions[exception]

    @action(
        lambda self: self.life.deals and self.life.people,
        data=st.data(),
        cents=st.sampled_from([None, None, 50, 10_000]),
        often=2,
    )
    def a_collection_is_waived(self, data: st.DataObject, cents: int | None) -> None:
        deal = self.some_deal(data)
        person = self.person(data)
        payer = "player" if self.is_chinese else self.choose(data, ["wager", "bank"], "payer")
        refused = self.life.refuses_waiver(deal, person, payer)
        left = 0 if refused else self.life.left_to_waive(deal, person, payer)
        refused |= {"out-of-range"} if not refused and cents is not None and cents > left else set()
        values = {"sitting_id": person.sitting, "payer": payer, "amount_cents": cents, "reason": "slow game"}
        if answer := self.ask("collection.waive", self.floor, refused, hand_id=deal.id, **values):
            assert answer["waived_cents"] == (left if cents is None else cents)
            self.life.waive(deal, person, payer, answer["waived_cents"])

    @action(always, data=st.data())
    def the_table_closes_and_opens_again(self, data: st.DataObject) -> None:
        refused = self.life.in_the_way()
        if self.ask("session.close", self.floor, refused, session_id=self.life.session):
            self.pool += self.life.pots["jackpot"]
            self.life = self.open_table(data)
