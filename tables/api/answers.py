"""What every verb answers, in JSON Schema. Amounts are in cents, instants in UTC."""

from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]

ID: Schema = {"type": "string", "format": "uuid"}
TEXT: Schema = {"type": "string"}
INSTANT: Schema = {"type": "string", "format": "date-time"}
NUMBER: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
OBJECT: Schema = {"type": "object", "additionalProperties": True}


def answer(also: Mapping[str, Schema] | None = None, /, **properties: Schema) -> dict[str, Any]:
    """An object with these properties and no others; ``also`` are those that are there in some cases only."""
    return {
        "type": "object",
        "properties": {**properties, **(also or {})},
        "required": sorted(properties),
        "additionalProperties": False,
    }


def maybe(schema: Schema) -> Schema:
    """The same, or null."""
    return {**schema, "type": [schema["type"], "null"]}


def several(schema: Schema) -> Schema:
    """A list of them."""
    return {"type": "array", "items": schema}


def by_name(schema: Schema) -> Schema:
    """One for each name."""
    return {"type": "object", "additionalProperties": schema}


_STACK = {"sitting": ID, "stack_cents": NUMBER}
_BANK = answer(
    hand_number=NUMBER,
    round=NUMBER,
    seat=maybe(NUMBER),
    sitting=maybe(ID),
    has_accepted=FLAG,
    passed_by=several(answer(seat=NUMBER, why=TEXT)),
    waits_because=TEXT,
    minutes_left=maybe(NUMBER),
)
_WAGERS = {
    "hand": ID,
    "wagers": several(TEXT),
    "no_action_cents": by_name(NUMBER),
    "put_down_by_dealer": several(TEXT),
    "handlers": by_name(ID),
}
_OVER = {"hand": ID, "number": NUMBER, "status": TEXT}
_MARKED = {"hand": ID, "stage": TEXT, "seat": NUMBER}
_SET = {"hand": ID, "stage": TEXT, "not_set": several(NUMBER)}
_RULED = {"in_window": FLAG, "moved_cents": NUMBER, "limit_cents": NUMBER}

ANSWERS: Mapping[str, Schema] = {
    "session.open": answer(session=ID, table=ID, sheet=TEXT, sheet_sha256=TEXT),
    "session.close": answer(session=ID, closed=FLAG),
    "session.deal_in": answer(session=ID, dealer=TEXT),
    "session.deal_out": answer(session=ID, dealer=TEXT),
    "session.correct_button": answer(session=ID, before=maybe(NUMBER), button=NUMBER, reason=TEXT),
    "seat.hold": answer(seat=NUMBER, patron=TEXT, until=INSTANT),
    "seat.release": answer(seat=NUMBER, patron=TEXT),
    "sitting.start": answer(sitting=ID, seat=maybe(NUMBER), patron=TEXT),
    "sitting.buy_in": answer(**_STACK, short=FLAG),
    "sitting.absent": answer(sitting=ID, is_absent=FLAG),
    "sitting.return": answer(sitting=ID, is_absent=FLAG),
    "sitting.move": answer(**_STACK, seat=NUMBER, **{"from": ID}),
    "sitting.colour_up": answer(**_STACK, money_behind_cents=NUMBER),
    "sitting.put_back": answer(**_STACK, money_behind_cents=NUMBER),
    "sitting.cash_out": answer(sitting=ID, paid_cents=NUMBER),
    "bank.offer": _BANK,
    "bank.answer": _BANK,
    "hand.start": answer({"first_hand": NUMBER}, hand=ID, number=NUMBER, button=NUMBER),
    "hand.wager": answer(**_WAGERS),
    "hand.bank": answer(hand=ID, bank_cents=NUMBER),
    "hand.take_back_wager": answer(**_WAGERS, returned_cents=NUMBER),
    "hand.take_back_bank": answer(hand=ID, returned_cents=NUMBER),
    "hand.open_dice": answer(**_WAGERS),
    "hand.close_wagers": answer(**_WAGERS),
    "hand.record": answer(hand=ID, revision=NUMBER, verdict=OBJECT),
    "hand.settle": answer({"exception": ID}, **_OVER, revision=NUMBER, sheet=maybe(TEXT)),
    "hand.void": answer(hand=ID, status=TEXT),
    "hand.deliver": answer(hand=ID, stage=TEXT, pile=maybe(NUMBER)),
    "hand.mark_set": answer(**_SET),
    "hand.set_by_clock": answer(**_SET),
    "hand.mark_left": answer(**_MARKED),
    "hand.declare": answer(**_MARKED, declares=TEXT),
    "hand.surrender": answer(**_MARKED, surrenders=FLAG),
    "hand.ask_house_way": answer(**_MARKED, house_way=FLAG),
    "hand.withdraw_mark": answer(**_MARKED),
    "hand.open": answer(hand=ID, stage=TEXT),
    "hand.misdeal": answer(**_OVER, reason=OBJECT),
    "hand.resettle": answer(**_OVER, revision=NUMBER, sheet=maybe(TEXT), **_RULED),
    "clock.call": answer(hand=ID, seat=NUMBER, expires_at=INSTANT),
    "clock.stop": answer(hand=ID, seat=NUMBER),
    "incident.add": answer(incident=ID, hand=maybe(ID), consequence=TEXT),
    "deck.request": answer(session=ID, hand=maybe(ID), what=TEXT),
    "transaction.reverse": answer(**_STACK, transaction=ID, is_seated=FLAG, **_RULED),
    "collection.waive": answer(hand=ID, sitting=ID, payer=TEXT, waived_cents=NUMBER),
    "dispute.raise": answer(dispute=ID, hand=ID, number=NUMBER),
    "dispute.rule": answer(dispute=ID, hand=ID, outcome=TEXT, rule=TEXT),
    "exception.raise": answer(exception=ID, session=ID),
    "exception.decide": answer(exception=ID, outcome=TEXT),
    "exception.take": answer(exception=ID, taken_by=TEXT),
    "exception.give_back": answer(exception=ID, given_back=FLAG),
    "dispute.take": answer(dispute=ID, taken_by=TEXT),
    "dispute.give_back": answer(dispute=ID, given_back=FLAG),
    "floor.call": answer(call=ID, session=ID, reason=TEXT),
    "floor.answer": answer(call=ID, answered_by=TEXT),
    "floor.close": answer(call=ID, closed=FLAG),
    "hand.ask_undo": answer(exception=ID, hand=ID, number=NUMBER),
    "patron.bar": answer(patron=ID, kind=TEXT, until_date=TEXT, restriction=NUMBER),
    "patron.erase": answer(patron=ID, number=NUMBER, label=TEXT),
    "patron.lift_bar": answer(patron=ID, lifted=NUMBER, is_restricted=FLAG),
    "staff.come_on": answer(duty=ID, dealer=TEXT),
    "staff.go_off": answer(duty=ID, dealer=TEXT),
    "staff.break_start": answer(duty=ID, dealer=TEXT, due_back=INSTANT),
    "staff.break_end": answer(duty=ID, dealer=TEXT),
    "waiting.add": answer(entry=ID, list=ID, patron=TEXT),
    "waiting.call": answer(entry=ID, patron=TEXT, until=INSTANT, seat=maybe(NUMBER)),
    "waiting.seat": answer(entry=ID, sitting=ID, seat=NUMBER, patron=TEXT),
    "waiting.put_last": answer(entry=ID, patron=TEXT),
    "waiting.remove": answer(entry=ID, patron=TEXT, why=TEXT),
    "schedule.add": answer(schedule=TEXT, rates=NUMBER),
    "sheet.post": answer(rules=TEXT, sheet=TEXT, sheet_sha256=TEXT),
    "jackpot.open": answer(jackpot=ID, slug=TEXT),
    "jackpot.close": answer(jackpot=ID, closed=FLAG),
    "audit.note": answer(note=ID, key=TEXT, name=TEXT, query=TEXT),
    "audit.answer": answer(note=ID, answer=ID),
    "audit.close": answer(note=ID, closed=FLAG),
    "jackpot.award": answer(jackpot=ID, hand=ID, sitting=ID, paid_cents=NUMBER),
}
