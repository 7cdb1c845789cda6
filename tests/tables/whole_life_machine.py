"""What both games' machines do: press verbs, hold the answers against the model, and in the end close the table."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from hypothesis import strategies as st

from tables.models import Hand, Verdict
from tests.ledger.clean import assert_clean
from tests.tables.replaying import replay
from tests.tables.whole_life_house import House
from tests.tables.whole_life_pieces import BEFORE_OPEN, CLOCK_SECONDS, DELIVERED, Deal, Payment, Person
from tests.tables.whole_life_pressing import MARKS, action, always, has_dealt, is_out, seeds

WAYS = ("alone", "announced", "left", "clock", "withdrawn")


class WholeLife(House):
    """A table from its opening to its closing, in a database that is empty but for the cast."""

    @action(is_out, often=3)
    def the_hand_is_voided(self) -> None:
        deal = self.life.deals[-1]
        self.must("hand.void", self.floor, hand_id=deal.id, reason="wrong deck")
        self.life.end(deal, "void")

    @action(has_dealt, data=st.data(), seed=seeds, off=st.integers(0, 5), often=3)
    def the_hand_is_settled(self, data: st.DataObject, seed: int, off: int) -> None:
        self.settle(self.life.deals[-1], off=1 if off == 5 else 0)

    def settle(self, deal: Deal, off: int = 0, **paid: Any) -> None:
        """Confirm the last record, or one that is not there."""
        refused = set()
        if deal.status != "out":
            refused = {"hand-over"}
        elif deal.stage != "opened" or not deal.revision:
            refused = {"not-recorded" if deal.stage == "opened" else "not-opened"}
        elif off:
            refused = {"record-changed"}
        values = {"hand_id": deal.id, "revision": deal.revision + off, **paid}
        answer = self.ask("hand.settle", self.dealer, refused, **values)
        if answer is None:
            return
        if "exception" in answer:
            self.life.exceptions[answer["exception"]] = self.dealer.badge_number
        if deal.verdict["status"] == "misdeal":
            self.life.end(deal, "misdeal")
        else:
            self.life.settle(deal, self.payments_of(deal, self.paid_verdict(deal, paid)))

    def paid_verdict(self, deal: Deal, paid: dict[str, Any]) -> dict[str, Any]:
        """The verdict with what was paid otherwise in the place of what was due."""
        raise NotImplementedError

    def payments_of(self, deal: Deal, verdict: dict[str, Any]) -> list[Payment]:
        """What a verdict pays, in order; in Pai Gow Poker out of the action. It has to add up."""
        raise NotImplementedError

    def entered(self, deal: Deal, seed: int, kind: str) -> list[dict[str, Any]]:
        """Cards for everybody in the hand."""
        raise NotImplementedError

    def record(self, deal: Deal, seed: int, kind: str, stages: Collection[str]) -> None:
        """Enter cards; ``stages`` are those in which nobody is left to be marked."""
        refused = set() if deal.stage in stages else {"not-all-set"}
        if deal.status != "out":
            refused = {"hand-over"}
        hands = self.entered(deal, seed, kind)
        if answer := self.ask("hand.record", self.dealer, refused, hand_id=deal.id, hands=hands):
            deal.stage, deal.revision, deal.verdict = "opened", answer["revision"], answer["verdict"]

    def is_set(self, deal: Deal, seat: int, kind: str, by: Person | None = None) -> None:
        """A hand was set; with the last one all are."""
        mark = deal.mark(seat)
        mark.set_as, mark.set_by, mark.clock_until = kind, by, None
        left = [each for each in self.life.to_set(deal) if not deal.mark(each).set_as]
        deal.stage = "setting" if left else "all-set"

    def refuses_unset(self, deal: Deal, seat: int) -> set[str]:
        """Why nothing is done about a seat that is still to be set."""
        too_late, stages = "not-to-be-set", (*DELIVERED, "all-set")
        if self.is_chinese:
            too_late, stages = "hands-open", BEFORE_OPEN
        refused = set() if deal.stage in stages else {too_late}
        refused |= {"not-in-hand", "own-hand"} if seat not in self.life.to_set(deal) else set()
        return refused | ({"set-already"} if deal.mark(seat).set_as else set())

    @action(
        is_out,
        data=st.data(),
        what=st.sampled_from(["hand.mark_left", "clock.call", "clock.stop", "hand.set_by_clock"]),
    )
    def a_seat_takes_long(self, data: st.DataObject, what: str) -> None:
        deal = self.life.deals[-1]
        self.take_long(deal, self.choose(data, range(1, self.life.seat_count + 1), "seat"), what)

    def take_long(self, deal: Deal, seat: int, what: str) -> None:
        """Time is called, or stopped, or up; or the player has left (CP-64)."""
        mark, refused = deal.mark(seat), self.refuses_unset(deal, seat)
        has_clock = mark.clock_until is not None
        if what == "hand.mark_left":
            refused |= {"left-already"} if mark.has_left else set()
        elif what == "clock.call":
            refused |= {"clock-running"} if has_clock else set()
        elif what == "clock.stop":
            refused |= set() if has_clock else {"no-clock"}
        else:
            time_left = mark.clock_until is not None and self.clock.seconds < mark.clock_until
            refused |= {"no-clock"} if not has_clock and not mark.has_left else set()
            refused |= {"time-left"} if time_left and not mark.has_left else set()
            refused |= {"announced"} if mark.announced in ("declared", "surrendered") else set()
        if not self.ask(what, self.floor, refused, hand_id=deal.id, seat=seat):
            return
        if what == "hand.set_by_clock":
            self.is_set(deal, seat, "set-by-clock")
        elif what == "hand.mark_left":
            mark.has_left = True
        else:
            mark.clock_until = self.clock.seconds + CLOCK_SECONDS if what == "clock.call" else None

    @action(lambda self: self.life.deal and self.life.deal.marks, data=st.data(), kind=st.sampled_from(MARKS))
    def a_mark_is_withdrawn(self, data: st.DataObject, kind: str) -> None:
        deal = self.life.deals[-1]
        self.withdraw(deal, self.choose(data, sorted(deal.marks), "seat"), kind)

    def withdraw(self, deal: Deal, seat: int, kind: str) -> None:
        """A mark that was made by mistake goes, if the model lets it."""
        mark = deal.marks[seat]
        is_set = kind in ("set", "set-by-clock")
        stages = ("setting", "all-set") if is_set else BEFORE_OPEN if self.is_chinese else (*DELIVERED, "all-set")
        refused = set() if deal.stage in stages else {"hands-open" if self.is_chinese else "not-to-be-set"}
        stands = kind in (mark.set_as, mark.announced) or (kind == "left" and mark.has_left)
        refused |= set() if stands else {"no-such-mark"}
        if not self.ask("hand.withdraw_mark", self.dealer, refused, hand_id=deal.id, seat=seat, mark=kind):
            return
        if is_set:
            deal.stage, mark.set_as, mark.set_by = "setting", "", None
        elif kind == "left":
            mark.has_left = False
        else:
            mark.announced = mark.declares = ""

    def mark_set(self, deal: Deal, seat: int) -> None:
        """A seat has set."""
        raise NotImplementedError

    def announce(self, deal: Deal, seat: int) -> None:
        """A seat says what it says before the hands are opened, if the game has anything."""
        raise NotImplementedError

    def begin_to_set(self, data: st.DataObject) -> Deal | None:
        """Bring the table to a hand whose cards are out and not set, where that can be done."""
        raise NotImplementedError

    @action(always, data=st.data(), seed=seeds, ways=st.lists(st.sampled_from(WAYS), min_size=7, max_size=7), often=4)
    def a_hand_is_played_mark_by_mark(self, data: st.DataObject, seed: int, ways: list[str]) -> None:
        deal = self.begin_to_set(data)
        if deal is None:
            return
        for seat, way in zip(self.life.to_set(deal), ways, strict=False):
            self.set_by(deal, seat, way)
        for seat in self.life.to_set(deal):
            if not deal.mark(seat).set_as:
                self.mark_set(deal, seat)
        self.the_hands_are_opened()
        self.record(deal, seed, "set", ("opened",))
        self.settle(deal)

    def set_by(self, deal: Deal, seat: int, way: str) -> None:
        """A seat sets by itself, or it is done for it when its time is up or its player has left (CP-64)."""
        if way == "announced":
            self.announce(deal, seat)
        elif way == "left":
            self.take_long(deal, seat, "hand.mark_left")
            self.take_long(deal, seat, "hand.set_by_clock")
        elif way == "clock":
            self.take_long(deal, seat, "clock.call")
            self.take_long(deal, seat, "hand.set_by_clock")
            self.clock.seconds += CLOCK_SECONDS
            self.take_long(deal, seat, "hand.set_by_clock")
        elif way == "withdrawn":
            self.mark_set(deal, seat)
            self.withdraw(deal, seat, "set")

    @action(is_out, often=3)
    def the_hands_are_opened(self) -> None:
        deal = self.life.deals[-1]
        refused = set() if deal.stage == "all-set" else {"not-all-set"}
        if self.ask("hand.open", self.dealer, refused, hand_id=deal.id):
            deal.stage = "opened"

    @action(has_dealt, data=st.data(), seed=seeds, kind=st.sampled_from(["set", "set", "foul", "short"]))
    def a_hand_is_settled_again(self, data: st.DataObject, seed: int, kind: str) -> None:
        deal = self.some_deal(data)
        refused: set[str] | None = set()
        if deal.status == "out" or (self.is_chinese and self.life.deal):
            refused = {"hand-out", "hand-void", "hand-misdealt"}
        elif deal.status == "void":
            refused = {"hand-void"}
        elif deal.was_called:
            refused = {"hand-misdealt"}
        hands = [] if refused else self.entered(deal, seed, kind)
        values = {"base_revision": max(deal.revision, 1), "reason_code": "cards", "reason": "misread"}
        # Only whoever has no longer what would be taken back stands in the way of the others.
        answer = self.ask("hand.resettle", self.manager, refused or None, hand_id=deal.id, hands=hands, **values)
        if answer is None:
            return
        deal.revision = answer["revision"]
        deal.verdict = Verdict.objects.get(record__hand=deal.id, record__revision=deal.revision).data
        payments = self.payments_of(deal, deal.verdict) if answer["status"] == "settled" else []
        self.life.judge_again(deal, payments, answer["status"])

    def teardown(self) -> None:
        """From wherever it is, a table can be closed; and then everything is explained."""
        try:
            if hasattr(self, "away"):
                self.close_everything()
                self.chips_are_where_the_model_has_them()
                self.everything_is_explained()
        finally:
            self.patched.undo()

    def close_everything(self) -> None:
        """Settle or void what is out, decide on what is open, pay everybody out, close the tables and an empty jackpot."""
        life, deal = self.life, self.life.deal
        if deal is not None and deal.stage == "opened" and deal.revision:
            self.settle(deal)
        elif deal is not None:
            self.must("hand.void", self.floor, hand_id=deal.id, reason="the room closes")
            life.end(deal, "void")
        for dispute in [each for each, (_deal, is_open) in life.disputes.items() if is_open]:
            self.rule_on(dispute, "stands")
        for exception, raised_by in list(life.exceptions.items()):
            self.decide(exception, self.floor if raised_by != self.floor.badge_number else self.manager)
        for each in (life, self.away):
            for person in [person for person in each.people if not person.has_left or person.stack]:
                self.cash_out(each, person)
            assert self.must("session.close", self.floor, session_id=each.session)["closed"]
        if self.jackpot is not None:
            self.close_jackpot(is_fed=False)

    def everything_is_explained(self) -> None:
        """No check finds anything, and every hand comes out the same when it is played again."""
        assert_clean()
        for day in {
            self.cast.room.gaming_day(began_at) for began_at in Hand.objects.values_list("started_at", flat=True)
        }:
            status, printed = replay("--day", day, "--room", self.cast.room.slug, "--here")
            assert status == 0, printed
