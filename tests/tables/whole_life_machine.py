"""What both games' machines do: press verbs, hold the answers against the model, and in the end close the table."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from hypothesis import strategies as st

from tables.models import Verdict
from tests.ledger.clean import assert_clean
from tests.tables.whole_life import BEFORE_OPEN, DELIVERED, Deal, Payment, Person
from tests.tables.whole_life_people import People
from tests.tables.whole_life_pressing import (
    MARKS,
    action,
    has_dealt,
    is_out,
    seeds,
)


class WholeLife(People):
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
        mark.set_as, mark.set_by, mark.has_clock = kind, by, False
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
        seat = self.choose(data, range(1, self.life.seat_count + 1), "seat")
        mark, refused = deal.mark(seat), self.refuses_unset(deal, seat)
        if what == "hand.mark_left":
            refused |= {"left-already"} if mark.has_left else set()
        elif what == "clock.call":
            refused |= {"clock-running"} if mark.has_clock else set()
        elif what == "clock.stop":
            refused |= set() if mark.has_clock else {"no-clock"}
        else:
            refused |= {"time-left" if mark.has_clock else "no-clock"} if not mark.has_left else set()
            refused |= {"announced"} if mark.announced in ("declared", "surrendered") else set()
        if not self.ask(what, self.floor, refused, hand_id=deal.id, seat=seat):
            return
        if what == "hand.set_by_clock":
            self.is_set(deal, seat, "set-by-clock")
        elif what == "hand.mark_left":
            mark.has_left = True
        else:
            mark.has_clock = what == "clock.call"

    @action(lambda self: self.life.deal and self.life.deal.marks, data=st.data(), kind=st.sampled_from(MARKS))
    def a_mark_is_withdrawn(self, data: st.DataObject, kind: str) -> None:
        deal = self.life.deals[-1]
        seat = self.choose(data, sorted(deal.marks), "seat")
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

    @action(is_out, often=3)
    def the_hands_are_opened(self) -> None:
        deal = self.life.deals[-1]
        refused = set() if deal.stage == "all-set" else {"not-all-set"}
        if self.ask("hand.open", self.dealer, refused, hand_id=deal.id):
            deal.stage = "opened"

    @action(has_dealt, data=st.data(), seed=seeds, kind=st.sampled_from(["set", "set", "foul", "short"]))
    def a_hand_is_settled_again(self, data: st.DataObject, seed: int, kind: str) -> None:
        judged = self.life.deals
        deal = judged[self.choose(data, range(len(judged)), "hand")]
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
        if not hasattr(self, "away"):
            return
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
        self.chips_are_where_the_model_has_them()
        assert_clean()
