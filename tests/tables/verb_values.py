"""For every verb a press that whoever may does: what the tests generated from the verbs send.

Each entry makes the state that its verb needs, at a table of the cast, and returns what is sent. A verb without an entry fails
those tests, and says that it belongs here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from casino.staff.actor import Actor
from casino.staff.models import Role, User
from ledger.models import Transaction
from tables.api.verbs import VERBS
from tables.models import Patron, Sitting, Table, TableSession
from tests.people import PIN, Cast, hire, order
from tests.tables import fees, play


@dataclass(frozen=True)
class Press:
    """What is sent, by whom, and about which table; ``table`` is ``None`` for what belongs to no table."""

    by: User
    table: Table | None
    values: dict[str, Any]

    @property
    def alone(self) -> dict[str, Any]:
        """The same without a second person."""
        return {name: value for name, value in self.values.items() if not name.startswith("approver_")}


Made = Callable[[Cast], Press]

REASON = {"reason_code": "cards", "reason": "because"}
FIVE_A_POINT = {"room": "one", "game": "chinese-poker", "point_value_cents": 500}


def done(verb: str, actor: Actor, **values: Any) -> dict[str, Any]:
    """Something that has to be done first."""
    return VERBS[verb].service(order(actor), **values)


def second_person(cast: Cast) -> dict[str, str]:
    """Max, who agrees."""
    return {"approver_badge": cast.max.badge_number, "approver_pin": PIN}


def at_chinese(cast: Cast, **values: Any) -> Press:
    """Ada presses, about the Chinese table."""
    return Press(cast.ada, cast.chinese, values)


def at_pai_gow(cast: Cast, **values: Any) -> Press:
    """Ada presses, about the Pai Gow table."""
    return Press(cast.ada, cast.pai_gow, values)


def of_no_table(cast: Cast, **values: Any) -> Press:
    """Ada presses, about what belongs to no table."""
    return Press(cast.ada, None, values)


# What most verbs need: an open table, somebody seated there, a hand that is out.


def on_open_table(**values: Any) -> Made:
    return lambda cast: at_chinese(cast, session_id=play.open_chinese(cast).pk, **values)


def of_lin(**values: Any) -> Made:
    return lambda cast: at_chinese(cast, sitting_id=seat_lin(cast).pk, **values)


def of_a_hand_out(**values: Any) -> Made:
    return lambda cast: at_chinese(cast, hand_id=play.deal_chinese(cast)[3], **values)


def of_a_pai_gow_hand(**values: Any) -> Made:
    """One whose wagers are closed."""
    return lambda cast: at_pai_gow(cast, hand_id=play.deal_pai_gow(cast)[3], **values)


def seat_lin(cast: Cast) -> Sitting:
    """At the Chinese table."""
    return play.sit(cast, play.open_chinese(cast), 1, "P1", 11_000)


def seat_pai_gow(cast: Cast) -> tuple[TableSession, Sitting, Sitting]:
    """Lin in 1 and Park in 2 at the Pai Gow table."""
    session = play.open_pai_gow(cast)
    return session, play.sit(cast, session, 1, "P1", 50_000), play.sit(cast, session, 2, "P2", 20_000)


def open_for_wagers(cast: Cast) -> tuple[UUID, Sitting, Sitting]:
    """A Pai Gow hand before its wagers, with Lin as Player/Dealer, and Park."""
    session, lin, park = seat_pai_gow(cast)
    hand = done("hand.start", cast.pai_gow_dealer, session_id=session.pk, button_seat=1)
    return UUID(hand["hand"]), lin, park


# Sessions and seats.


def session_open(cast: Cast) -> Press:
    return at_chinese(cast, table_id=cast.chinese.pk, rules="cardroom-mandarin", point_value_cents=500)


def session_deal_out(cast: Cast) -> Press:
    session = play.open_chinese(cast)
    done("session.deal_in", cast.dealer, session_id=session.pk)
    return at_chinese(cast, session_id=session.pk)


def session_correct_button(cast: Cast) -> Press:
    session, *_people, hand = play.deal_chinese(cast)
    play.settle(cast, hand, play.CHINESE_HANDS)
    return at_chinese(cast, session_id=session.pk, seat=2, reason="because")


def seat_release(cast: Cast) -> Press:
    session = play.open_chinese(cast)
    done("seat.hold", cast.dealer, session_id=session.pk, seat=3, minutes=20, patron_number="P3")
    return at_chinese(cast, session_id=session.pk, seat=3)


def sitting_return(cast: Cast) -> Press:
    lin = seat_lin(cast)
    done("sitting.absent", cast.dealer, sitting_id=lin.pk)
    return at_chinese(cast, sitting_id=lin.pk)


def sitting_move(cast: Cast) -> Press:
    return at_chinese(cast, sitting_id=seat_lin(cast).pk, session_id=play.open_pai_gow(cast).pk, seat=3)


def sitting_put_back(cast: Cast) -> Press:
    lin = seat_lin(cast)
    done("sitting.colour_up", cast.floor, sitting_id=lin.pk, amount_cents=5_000, reason="too many chips")
    return at_chinese(cast, sitting_id=lin.pk, amount_cents=5_000)


# The bank and the wagers.


def bank_offer(cast: Cast) -> Press:
    return at_pai_gow(cast, session_id=seat_pai_gow(cast)[0].pk)


def bank_answer(cast: Cast) -> Press:
    session, *_people = seat_pai_gow(cast)
    offered = done("bank.offer", cast.pai_gow_dealer, session_id=session.pk)
    return at_pai_gow(cast, session_id=session.pk, seat=offered["seat"], accepts=True)


def hand_wager(cast: Cast) -> Press:
    hand, _lin, park = open_for_wagers(cast)
    return at_pai_gow(cast, hand_id=hand, position=2, sitting_id=park.pk, amount_cents=5_000)


def hand_bank(cast: Cast) -> Press:
    hand, lin, _park = open_for_wagers(cast)
    return at_pai_gow(cast, hand_id=hand, shares=[{"sitting": str(lin.pk), "amount_cents": 20_000}])


def wagered(cast: Cast) -> UUID:
    """A Pai Gow hand with a wager and a bank, before the dice."""
    hand, lin, park = open_for_wagers(cast)
    done("hand.wager", cast.pai_gow_dealer, hand_id=hand, position=2, sitting_id=park.pk, amount_cents=5_000)
    shares = [{"sitting": str(lin.pk), "amount_cents": 20_000}]
    done("hand.bank", cast.pai_gow_dealer, hand_id=hand, shares=shares)
    return hand


def hand_close_wagers(cast: Cast) -> Press:
    hand, lin, park = open_for_wagers(cast)
    wagers = [{"position": 2, "sitting": str(park.pk), "amount_cents": 5_000}]
    bank = [{"sitting": str(lin.pk), "amount_cents": 20_000}]
    return at_pai_gow(cast, hand_id=hand, wagers=wagers, bank=bank, dice=[1, 2, 6])


def deck_request(cast: Cast) -> Press:
    _hand, lin, _park = open_for_wagers(cast)
    return at_pai_gow(cast, session_id=lin.session_id, sitting_id=lin.pk, what="extra-shuffle")


# The life of a hand.


def hand_start(cast: Cast) -> Press:
    session = play.open_chinese(cast)
    for seat, patron in enumerate(("P1", "P2"), 1):
        play.sit(cast, session, seat, patron, 11_000)
    return at_chinese(cast, session_id=session.pk)


def hand_settle(cast: Cast) -> Press:
    *_table, hand = play.deal_chinese(cast)
    play.record(cast, hand, play.CHINESE_HANDS)
    return at_chinese(cast, hand_id=hand, revision=1)


def delivered(cast: Cast) -> UUID:
    """A Chinese hand whose cards are out."""
    hand = play.deal_chinese(cast)[3]
    done("hand.deliver", cast.dealer, hand_id=hand)
    return hand


def of_a_delivered_hand(**values: Any) -> Made:
    return lambda cast: at_chinese(cast, hand_id=delivered(cast), **values)


def hand_open(cast: Cast) -> Press:
    hand = delivered(cast)
    for seat in (1, 2):
        done("hand.mark_set", cast.dealer, hand_id=hand, seat=seat)
    return at_chinese(cast, hand_id=hand)


def hand_set_by_clock(cast: Cast) -> Press:
    hand = delivered(cast)
    done("hand.mark_left", cast.dealer, hand_id=hand, seat=1)
    return at_chinese(cast, hand_id=hand, seat=1)


def hand_withdraw_mark(cast: Cast) -> Press:
    hand = delivered(cast)
    done("hand.mark_set", cast.dealer, hand_id=hand, seat=1)
    return at_chinese(cast, hand_id=hand, seat=1, mark="set")


def hand_surrender(cast: Cast) -> Press:
    values = {"rules": "future-western", "point_value_cents": 500}
    session = TableSession.objects.get(
        pk=done("session.open", cast.floor, table_id=cast.chinese.pk, **values)["session"]
    )
    for seat in (1, 2):
        play.sit(cast, session, seat, f"P{seat}", 11_000)
    hand = done("hand.start", cast.dealer, session_id=session.pk)
    return at_chinese(cast, hand_id=hand["hand"], seat=1)


def clock_stop(cast: Cast) -> Press:
    hand = delivered(cast)
    done("clock.call", cast.floor, hand_id=hand, seat=1)
    return at_chinese(cast, hand_id=hand, seat=1)


# Corrections, disputes, exceptions.


def hand_resettle(cast: Cast) -> Press:
    *_table, hand = play.deal_chinese(cast)
    play.settle(cast, hand, play.CHINESE_HANDS)
    values = {"hand_id": hand, "base_revision": 1, "hands": play.FOULED_HANDS}
    return at_chinese(cast, **values, **REASON, **second_person(cast))


def transaction_reverse(cast: Cast) -> Press:
    seat_lin(cast)
    bought = Transaction.objects.get(kind="buy-in")
    return at_chinese(cast, transaction_id=bought.pk, **REASON | {"reason_code": "amount"}, **second_person(cast))


def collection_waive(cast: Cast) -> Press:
    _session, lin, _park, hand = play.deal_chinese(cast)
    return at_chinese(cast, hand_id=hand, sitting_id=lin.pk, reason="because")


def disputed(cast: Cast) -> str:
    """A dispute about a hand of the Chinese table."""
    return str(done("dispute.raise", cast.dealer, hand_id=play.deal_chinese(cast)[3], about="the middle")["dispute"])


def dispute_rule(cast: Cast) -> Press:
    values = {"rule": "CP-30", "ruling": "it lies as it was set", "error_by": "none", "outcome": "stands"}
    return at_chinese(cast, dispute_id=disputed(cast), **values)


def dispute_give_back(cast: Cast) -> Press:
    dispute = disputed(cast)
    done("dispute.take", cast.floor, dispute_id=dispute)
    return at_chinese(cast, dispute_id=dispute)


def raised(cast: Cast) -> str:
    """An exception of the Chinese table."""
    session = play.open_chinese(cast)
    return str(done("exception.raise", cast.dealer, session_id=session.pk, words="a chip too many")["exception"])


def exception_decide(cast: Cast) -> Press:
    return at_chinese(cast, exception_id=raised(cast), outcome="accepted", reason="because")


def exception_give_back(cast: Cast) -> Press:
    exception = raised(cast)
    done("exception.take", cast.floor, exception_id=exception)
    return at_chinese(cast, exception_id=exception)


# Floor called, and asked to take back a hand.


def called(cast: Cast) -> str:
    """A call for floor from the Chinese table."""
    call = done("floor.call", cast.dealer, session_id=play.open_chinese(cast).pk, reason="decision")
    return str(call["call"])


def hand_ask_undo(cast: Cast) -> Press:
    *_table, hand = play.deal_chinese(cast)
    play.settle(cast, hand, play.CHINESE_HANDS)
    return at_chinese(cast, hand_id=hand, reason="because")


# What belongs to no table.


def patron_lift_bar(cast: Cast) -> Press:
    done("patron.bar", cast.floor, patron_number="P4", kind="barred", reason="because")
    return of_no_table(cast, patron_number="P4", reason="because", **second_person(cast))


def patron_erase(cast: Cast) -> Press:
    """Mia asks for it, of compliance, and Max agrees."""
    mia = hire("4501", "Mia", Role.COMPLIANCE, room=cast.room)
    lin = Patron.objects.get(number="P1")
    values = {"patron_id": str(lin.pk), "asked_date": "2026-11-30", "reason": "asked by letter"}
    return Press(mia, None, {**values, **second_person(cast)})


def schedule_add(cast: Cast) -> Press:
    values = {"room": "one", "slug": "day", "version": 1, "title": "By day", "reason": "as posted"}
    return of_no_table(cast, game="chinese-poker", rates=fees.CHINESE_RATES, **values)


def sheet_post(cast: Cast) -> Press:
    return of_no_table(cast, room="one", rules="cardroom@1", reason="the first table of the evening")


def jackpot_open(cast: Cast) -> Press:
    values = {"room": "one", "slug": "flush", "title": "Straight flush", "fee_cents": 100}
    return of_no_table(cast, game="chinese-poker", qualifying=fees.STRAIGHT_FLUSH, **values)


def jackpot_close(cast: Cast) -> Press:
    return of_no_table(cast, jackpot_id=fees.open_jackpot(cast, "chinese-poker").pk)


def jackpot_award(cast: Cast) -> Press:
    flush = [{"segment": "back", "category": "flush"}]
    fees.open_jackpot(cast, "chinese-poker", qualifying=flush)
    *_table, hand = play.deal_chinese(cast)
    play.settle(cast, hand, play.CHINESE_HANDS)
    return at_chinese(cast, hand_id=hand, place=1, amount_cents=100, **second_person(cast))


# Waiting lists.


def on_duty(cast: Cast) -> UUID:
    """Ben has come on."""
    return UUID(done("staff.come_on", cast.floor, room="one", badge="2001")["duty"])


def on_a_break(cast: Cast) -> UUID:
    """Ben has come on and is on a break."""
    duty = on_duty(cast)
    done("staff.break_start", cast.floor, duty_id=duty)
    return duty


def waiting(cast: Cast) -> UUID:
    """Lin, on the list of the Chinese table's stake."""
    return UUID(done("waiting.add", cast.floor, **FIVE_A_POINT, patron_number="P1")["entry"])


def looked(cast: Cast, kind: str) -> dict[str, Any]:
    """What is said of the Chinese table's session, just opened."""
    return {"kind": kind, "about": "session", "key": str(play.open_chinese(cast).pk), "words": "who opened it?"}


def audit_note(cast: Cast) -> Press:
    return Press(cast.cleo, None, looked(cast, "note"))


def asked(cast: Cast) -> UUID:
    """A question of Cleo's."""
    return UUID(done("audit.note", Actor.of(cast.cleo), **looked(cast, "question"))["note"])


PRESSES: dict[str, Made] = {
    "session.open": session_open,
    "session.close": on_open_table(),
    "session.deal_in": on_open_table(),
    "session.deal_out": session_deal_out,
    "session.correct_button": session_correct_button,
    "seat.hold": on_open_table(seat=3, minutes=20, patron_number="P3"),
    "seat.release": seat_release,
    "sitting.start": on_open_table(seat=1, patron_number="P1"),
    "sitting.buy_in": of_lin(amount_cents=10_000),
    "sitting.absent": of_lin(),
    "sitting.return": sitting_return,
    "sitting.move": sitting_move,
    "sitting.colour_up": of_lin(amount_cents=5_000, reason="too many chips"),
    "sitting.put_back": sitting_put_back,
    "sitting.cash_out": of_lin(),
    "bank.offer": bank_offer,
    "bank.answer": bank_answer,
    "hand.start": hand_start,
    "hand.wager": hand_wager,
    "hand.bank": hand_bank,
    "hand.take_back_wager": lambda cast: at_pai_gow(cast, hand_id=wagered(cast), wager="w1"),
    "hand.take_back_bank": lambda cast: at_pai_gow(cast, hand_id=wagered(cast)),
    "hand.open_dice": lambda cast: at_pai_gow(cast, hand_id=wagered(cast), dice=[1, 2, 6]),
    "hand.close_wagers": hand_close_wagers,
    "hand.record": of_a_hand_out(hands=play.CHINESE_HANDS),
    "hand.settle": hand_settle,
    "hand.void": of_a_hand_out(reason="because"),
    "hand.deliver": of_a_hand_out(),
    "hand.mark_set": of_a_delivered_hand(seat=1),
    "hand.set_by_clock": hand_set_by_clock,
    "hand.mark_left": of_a_delivered_hand(seat=1),
    "hand.declare": of_a_delivered_hand(seat=1, natural="six-pairs"),
    "hand.surrender": hand_surrender,
    "hand.ask_house_way": of_a_pai_gow_hand(seat=2),
    "hand.withdraw_mark": hand_withdraw_mark,
    "hand.open": hand_open,
    "hand.misdeal": of_a_hand_out(code="wrong-count", seat=1, count=12),
    "hand.resettle": hand_resettle,
    "clock.call": of_a_delivered_hand(seat=1),
    "clock.stop": clock_stop,
    "incident.add": on_open_table(kind="other", note="a glass fell over"),
    "deck.request": deck_request,
    "transaction.reverse": transaction_reverse,
    "collection.waive": collection_waive,
    "dispute.raise": of_a_hand_out(about="the middle"),
    "dispute.rule": dispute_rule,
    "exception.raise": on_open_table(words="a chip too many"),
    "exception.decide": exception_decide,
    "exception.take": lambda cast: at_chinese(cast, exception_id=raised(cast)),
    "exception.give_back": exception_give_back,
    "dispute.take": lambda cast: at_chinese(cast, dispute_id=disputed(cast)),
    "dispute.give_back": dispute_give_back,
    "floor.call": on_open_table(reason="decision"),
    "floor.answer": lambda cast: at_chinese(cast, call_id=called(cast)),
    "floor.close": lambda cast: at_chinese(cast, call_id=called(cast)),
    "hand.ask_undo": hand_ask_undo,
    "patron.bar": lambda cast: of_no_table(cast, patron_number="P4", kind="barred", reason="because"),
    "patron.erase": patron_erase,
    "patron.lift_bar": patron_lift_bar,
    "staff.come_on": lambda cast: of_no_table(cast, room="one", badge="2001"),
    "staff.go_off": lambda cast: of_no_table(cast, duty_id=on_duty(cast)),
    "staff.break_start": lambda cast: of_no_table(cast, duty_id=on_duty(cast), minutes=15),
    "staff.break_end": lambda cast: of_no_table(cast, duty_id=on_a_break(cast)),
    "waiting.add": lambda cast: of_no_table(cast, **FIVE_A_POINT, patron_number="P1"),
    "waiting.call": lambda cast: of_no_table(cast, entry_id=waiting(cast)),
    "waiting.seat": lambda cast: at_chinese(
        cast, entry_id=waiting(cast), session_id=play.open_chinese(cast).pk, seat=1
    ),
    "waiting.put_last": lambda cast: of_no_table(cast, entry_id=waiting(cast)),
    "waiting.remove": lambda cast: of_no_table(cast, entry_id=waiting(cast), why="gave-up"),
    "schedule.add": schedule_add,
    "sheet.post": sheet_post,
    "jackpot.open": jackpot_open,
    "jackpot.close": jackpot_close,
    "jackpot.award": jackpot_award,
    "audit.note": audit_note,
    "audit.answer": lambda cast: Press(cast.cleo, None, {"question_id": asked(cast), "words": "Ada did"}),
    "audit.close": lambda cast: Press(cast.cleo, None, {"question_id": asked(cast)}),
}
