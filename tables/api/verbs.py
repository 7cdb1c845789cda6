"""Every verb that can be asked for over HTTP: its service, and how its values are read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tables.api.parsing import Parser, a_flag, a_number, a_text, a_uuid, an_instant, numbers, objects, uuids
from tables.services.banking import bank_answer, bank_offer
from tables.services.behind import sitting_colour_up, sitting_put_back
from tables.services.calls import floor_answer, floor_call, floor_close, hand_ask_undo
from tables.services.clock import clock_call, clock_stop, hand_set_by_clock
from tables.services.corrections import hand_resettle, transaction_reverse
from tables.services.decks import deck_request
from tables.services.disputes import dispute_give_back, dispute_raise, dispute_rule, dispute_take
from tables.services.erasures import patron_erase
from tables.services.exceptions import exception_decide, exception_give_back, exception_raise, exception_take
from tables.services.hands import hand_start, hand_void
from tables.services.incidents import incident_add
from tables.services.jackpots import jackpot_award, jackpot_close, jackpot_open
from tables.services.line_up import staff_break_end, staff_break_start, staff_come_on, staff_go_off
from tables.services.looked_at import audit_answer, audit_close, audit_note
from tables.services.marks import (
    hand_ask_house_way,
    hand_declare,
    hand_deliver,
    hand_mark_left,
    hand_mark_set,
    hand_open,
    hand_surrender,
    hand_withdraw_mark,
)
from tables.services.misdeals import hand_misdeal
from tables.services.moves import sitting_move
from tables.services.records import hand_record_enter
from tables.services.restrictions import patron_bar, patron_lift_bar
from tables.services.schedules import schedule_add
from tables.services.seats import seat_hold, seat_release, session_correct_button
from tables.services.sessions import session_close, session_deal_in, session_deal_out, session_open
from tables.services.settling import hand_settle
from tables.services.sheets import sheet_post
from tables.services.sittings import (
    sitting_absent,
    sitting_buy_in,
    sitting_cash_out,
    sitting_return,
    sitting_start,
)
from tables.services.wagers import (
    hand_bank,
    hand_close_wagers,
    hand_open_dice,
    hand_take_back_bank,
    hand_take_back_wager,
    hand_wager,
)
from tables.services.waiting import waiting_add, waiting_call, waiting_put_last, waiting_remove, waiting_seat
from tables.services.waivers import collection_waive


@dataclass(frozen=True, slots=True)
class Verb:
    """A service and the parsers of its values. ``two_people``: a second person may give badge and PIN with it."""

    service: Callable[..., dict[str, Any]]
    required: Mapping[str, Parser]
    optional: Mapping[str, Parser] = field(default_factory=dict)
    two_people: bool = False


VERBS = {
    "session.open": Verb(
        session_open,
        {"table_id": a_uuid, "rules": a_text},
        {
            "point_value_cents": a_number,
            "table_min_cents": a_number,
            "table_max_cents": a_number,
            "collection_cents": a_number,
            "bank_collection_cents": a_number,
            "schedule": a_text,
            "chip_denominations": numbers,
            "clock_seconds": a_number,
            "offers_required": a_flag,
            "rotation_pack": a_flag,
        },
    ),
    "session.close": Verb(session_close, {"session_id": a_uuid}),
    "session.deal_in": Verb(session_deal_in, {"session_id": a_uuid}),
    "session.deal_out": Verb(session_deal_out, {"session_id": a_uuid}),
    "session.correct_button": Verb(session_correct_button, {"session_id": a_uuid, "seat": a_number, "reason": a_text}),
    "seat.hold": Verb(
        seat_hold,
        {"session_id": a_uuid, "seat": a_number, "minutes": a_number},
        {"patron_number": a_text, "description": a_text},
    ),
    "seat.release": Verb(seat_release, {"session_id": a_uuid, "seat": a_number}),
    "sitting.start": Verb(
        sitting_start, {"session_id": a_uuid}, {"seat": a_number, "patron_number": a_text, "description": a_text}
    ),
    "sitting.buy_in": Verb(sitting_buy_in, {"sitting_id": a_uuid, "amount_cents": a_number}, {"means": a_text}),
    "sitting.absent": Verb(sitting_absent, {"sitting_id": a_uuid}),
    "sitting.return": Verb(sitting_return, {"sitting_id": a_uuid}),
    "sitting.move": Verb(sitting_move, {"sitting_id": a_uuid, "session_id": a_uuid, "seat": a_number}),
    "sitting.colour_up": Verb(
        sitting_colour_up, {"sitting_id": a_uuid, "amount_cents": a_number, "reason": a_text}, {"means": a_text}
    ),
    "sitting.put_back": Verb(sitting_put_back, {"sitting_id": a_uuid, "amount_cents": a_number}),
    "sitting.cash_out": Verb(sitting_cash_out, {"sitting_id": a_uuid}, {"means": a_text}),
    "bank.offer": Verb(bank_offer, {"session_id": a_uuid}),
    "bank.answer": Verb(bank_answer, {"session_id": a_uuid, "seat": a_number, "accepts": a_flag}),
    "hand.start": Verb(hand_start, {"session_id": a_uuid}, {"button_seat": a_number}),
    "hand.wager": Verb(
        hand_wager,
        {"hand_id": a_uuid, "position": a_number, "sitting_id": a_uuid, "amount_cents": a_number},
        {"put_down_by_dealer": a_flag, "partners": uuids},
    ),
    "hand.bank": Verb(hand_bank, {"hand_id": a_uuid, "shares": objects}),
    "hand.take_back_wager": Verb(hand_take_back_wager, {"hand_id": a_uuid, "wager": a_text}),
    "hand.take_back_bank": Verb(hand_take_back_bank, {"hand_id": a_uuid}),
    "hand.open_dice": Verb(hand_open_dice, {"hand_id": a_uuid, "dice": numbers}),
    "hand.close_wagers": Verb(
        hand_close_wagers, {"hand_id": a_uuid, "wagers": objects, "bank": objects, "dice": numbers}
    ),
    "hand.record": Verb(hand_record_enter, {"hand_id": a_uuid, "hands": objects}, {"incidents": objects}),
    "hand.settle": Verb(hand_settle, {"hand_id": a_uuid, "revision": a_number}, {"paid": objects, "note": a_text}),
    "hand.void": Verb(hand_void, {"hand_id": a_uuid, "reason": a_text}),
    "hand.deliver": Verb(hand_deliver, {"hand_id": a_uuid}, {"pile": a_number}),
    "hand.mark_set": Verb(hand_mark_set, {"hand_id": a_uuid, "seat": a_number}, {"sitting_id": a_uuid}),
    "hand.set_by_clock": Verb(hand_set_by_clock, {"hand_id": a_uuid, "seat": a_number}),
    "hand.mark_left": Verb(hand_mark_left, {"hand_id": a_uuid, "seat": a_number}),
    "hand.declare": Verb(hand_declare, {"hand_id": a_uuid, "seat": a_number, "natural": a_text}),
    "hand.surrender": Verb(hand_surrender, {"hand_id": a_uuid, "seat": a_number}),
    "hand.ask_house_way": Verb(hand_ask_house_way, {"hand_id": a_uuid, "seat": a_number}),
    "hand.withdraw_mark": Verb(hand_withdraw_mark, {"hand_id": a_uuid, "seat": a_number, "mark": a_text}),
    "hand.open": Verb(hand_open, {"hand_id": a_uuid}),
    "hand.misdeal": Verb(
        hand_misdeal,
        {"hand_id": a_uuid, "code": a_text},
        {"seat": a_number, "cards": a_text, "count": a_number, "note": a_text},
    ),
    "clock.call": Verb(clock_call, {"hand_id": a_uuid, "seat": a_number}),
    "clock.stop": Verb(clock_stop, {"hand_id": a_uuid, "seat": a_number}),
    "incident.add": Verb(
        incident_add,
        {"session_id": a_uuid, "kind": a_text},
        {
            "hand_id": a_uuid,
            "seat": a_number,
            "sitting_ids": uuids,
            "cards": a_text,
            "count": a_number,
            "note": a_text,
            "consequence": a_text,
            "happened_at": an_instant,
        },
        two_people=True,
    ),
    "deck.request": Verb(deck_request, {"session_id": a_uuid, "sitting_id": a_uuid, "what": a_text}),
    "hand.resettle": Verb(
        hand_resettle,
        {"hand_id": a_uuid, "base_revision": a_number, "hands": objects, "reason_code": a_text, "reason": a_text},
        {"incidents": objects},
        two_people=True,
    ),
    "patron.bar": Verb(
        patron_bar,
        {"patron_number": a_text, "kind": a_text, "reason": a_text},
        {"until_date": a_text, "room": a_text},
    ),
    "patron.lift_bar": Verb(
        patron_lift_bar, {"patron_number": a_text, "reason": a_text}, {"room": a_text}, two_people=True
    ),
    "patron.erase": Verb(patron_erase, {"patron_id": a_uuid, "asked_date": a_text, "reason": a_text}, two_people=True),
    "transaction.reverse": Verb(
        transaction_reverse,
        {"transaction_id": a_uuid, "reason_code": a_text, "reason": a_text},
        two_people=True,
    ),
    "dispute.raise": Verb(dispute_raise, {"hand_id": a_uuid, "about": a_text}, {"sitting_id": a_uuid}),
    "dispute.rule": Verb(
        dispute_rule, {"dispute_id": a_uuid, "rule": a_text, "ruling": a_text, "error_by": a_text, "outcome": a_text}
    ),
    "exception.raise": Verb(
        exception_raise, {"session_id": a_uuid, "words": a_text}, {"hand_id": a_uuid, "kind": a_text}
    ),
    "exception.decide": Verb(exception_decide, {"exception_id": a_uuid, "outcome": a_text, "reason": a_text}),
    "exception.take": Verb(exception_take, {"exception_id": a_uuid}),
    "exception.give_back": Verb(exception_give_back, {"exception_id": a_uuid}),
    "dispute.take": Verb(dispute_take, {"dispute_id": a_uuid}),
    "dispute.give_back": Verb(dispute_give_back, {"dispute_id": a_uuid}),
    "floor.call": Verb(floor_call, {"session_id": a_uuid, "reason": a_text}, {"note": a_text, "hand_id": a_uuid}),
    "floor.answer": Verb(floor_answer, {"call_id": a_uuid}),
    "floor.close": Verb(floor_close, {"call_id": a_uuid}, two_people=True),
    "hand.ask_undo": Verb(hand_ask_undo, {"hand_id": a_uuid, "reason": a_text}),
    "waiting.add": Verb(
        waiting_add,
        {"room": a_text, "game": a_text},
        {
            "point_value_cents": a_number,
            "table_min_cents": a_number,
            "table_max_cents": a_number,
            "patron_number": a_text,
            "description": a_text,
        },
    ),
    "waiting.call": Verb(
        waiting_call, {"entry_id": a_uuid}, {"minutes": a_number, "session_id": a_uuid, "seat": a_number}
    ),
    "waiting.seat": Verb(waiting_seat, {"entry_id": a_uuid, "session_id": a_uuid, "seat": a_number}),
    "waiting.put_last": Verb(waiting_put_last, {"entry_id": a_uuid}),
    "waiting.remove": Verb(waiting_remove, {"entry_id": a_uuid, "why": a_text}, {"words": a_text}),
    "staff.come_on": Verb(staff_come_on, {"room": a_text, "badge": a_text}),
    "staff.go_off": Verb(staff_go_off, {"duty_id": a_uuid}),
    "staff.break_start": Verb(staff_break_start, {"duty_id": a_uuid}, {"minutes": a_number}),
    "staff.break_end": Verb(staff_break_end, {"duty_id": a_uuid}),
    "schedule.add": Verb(
        schedule_add,
        {
            "room": a_text,
            "slug": a_text,
            "version": a_number,
            "game": a_text,
            "title": a_text,
            "rates": objects,
            "reason": a_text,
        },
    ),
    "sheet.post": Verb(sheet_post, {"room": a_text, "rules": a_text, "reason": a_text}),
    "collection.waive": Verb(
        collection_waive,
        {"hand_id": a_uuid, "sitting_id": a_uuid, "reason": a_text},
        {"payer": a_text, "amount_cents": a_number},
    ),
    "jackpot.open": Verb(
        jackpot_open,
        {
            "room": a_text,
            "game": a_text,
            "slug": a_text,
            "title": a_text,
            "fee_cents": a_number,
            "qualifying": objects,
        },
    ),
    "jackpot.close": Verb(jackpot_close, {"jackpot_id": a_uuid}),
    "audit.note": Verb(
        audit_note,
        {"kind": a_text, "about": a_text, "key": a_text},
        {"words": a_text, "query": a_text, "figures_sha256": a_text},
    ),
    "audit.answer": Verb(audit_answer, {"question_id": a_uuid, "words": a_text}),
    "audit.close": Verb(audit_close, {"question_id": a_uuid}, {"words": a_text}),
    "jackpot.award": Verb(
        jackpot_award, {"hand_id": a_uuid, "place": a_number, "amount_cents": a_number}, two_people=True
    ),
}
