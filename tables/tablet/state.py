"""The state of a table as its tablet draws it: one JSON object with everything on the screen.

The tablet lays the presses that still wait on it and goes on without the network, so it holds what the rules ask for too.
Cents are integers, instants ISO 8601 in UTC. The number of queries is fixed for a table, whatever sits there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from casino.staff.actor import Actor
from ledger.rows import Composed
from ledger.selectors import balance_of
from tables.models import (
    BankShare,
    Command,
    DealerShift,
    Hand,
    HandEvent,
    Incident,
    Sitting,
    Table,
    TableSession,
    Wager,
)
from tables.models.rooms import SEATS, Room
from tables.rules.paigow.dice import count_out
from tables.rules.sentences import dollars
from tables.selectors.calls import OpenCall, is_undo_asked, may_ask_undo
from tables.selectors.jackpots import jackpot_feed
from tables.selectors.marks import SeatMarks, marks_of
from tables.selectors.schedules import player_charges
from tables.selectors.short_buys import LastBuy, last_buys, may_buy_short
from tables.selectors.table_state import HandState, Occupant, SeatState, TableState, state_version, table_state
from tables.services.players import Player, first_hand_seat
from tables.services.sittings import full_buy_in_cents
from tables.tablet.verdicts import Judged, verdict_shown
from tables.templatetags.table_tags import bank_fee, player_fee
from tables.wording import in_words, stakes_in_words

Shown = dict[str, Any]

LAST_PRESSES = 20
_ASKED_OF = ("hand", "sitting", "wagers", "revision", "call")


def tablet_state(at: Table, actor: Actor) -> Shown:
    """Everything that the tablet of a table shows, to whoever is signed in on it."""
    version = state_version(at)
    presses = _last_presses(at)
    now = timezone.now()
    state = table_state(at)
    return {
        "version": str(version),
        "now": _instant(now),
        "me": me(actor),
        "table": table_shown(at),
        "session": _session(state),
        "seats": _seats(state),
        "standing": [_standing(each) for each in state.standing],
        "hand": _hand(state, state.hand) if state.hand else None,
        "last_hand": _last_hand(state),
        "last_stakes": _last_stakes(state),
        "bank_turn": _bank_turn(state),
        "calls": [_call(call) for call in state.calls],
        "last_presses": presses,
    }


def _last_presses(at: Table) -> Mapping[str, Shown]:
    """The last commands by key, with what later presses may ask of their answers.

    They tell a tablet that never heard the answer that its press is in this state, so that it does not count it twice. A
    tablet sends its presses one by one, so a few commands back are enough.
    """
    answers = (
        (key, zip(_ASKED_OF, (text and json.loads(text) for text in texts), strict=True))
        for key, *texts in _LAST_ANSWERS(at.pk)
    )
    return {str(key): {name: value for name, value in answer if value is not None} for key, answer in answers}


_LAST_ANSWERS = Composed(
    lambda table: (
        Command.objects.filter(table=table)
        .order_by("-recorded_at", "-key")
        .values_list("key", *(f"answer__{each}" for each in _ASKED_OF))[:LAST_PRESSES]
    )
)


def me(actor: Actor) -> Shown:
    """Who is signed in."""
    return {
        "user_id": str(actor.user_id),
        "name": actor.name,
        "badge": actor.badge_number,
        "roles": sorted(actor.roles),
        "on_the_floor": actor.on_the_floor,
    }


def table_shown(at: Table) -> Shown:
    """Which table the tablet stands at."""
    room: Room = at.room
    return {
        "id": str(at.pk),
        "label": str(at),
        "game": at.game,
        "game_words": at.get_game_display(),
        "seats": SEATS[at.game],
        "room": room.name,
        "time_zone": room.time_zone,
    }


def _session(state: TableState) -> Shown | None:
    session = state.session
    if session is None:
        return None
    parameters = session.rules.parameters
    return {
        "id": str(session.pk),
        "rules": str(session.rules),
        "rules_title": session.rules.slug.replace("-", " ").capitalize(),
        "game_words": state.table.get_game_display(),
        "terms_words": stakes_in_words(session),
        "sheet_number": session.sheet_number,
        "point_value_cents": session.point_value_cents,
        "table_min_cents": session.table_min_cents,
        "table_max_cents": session.table_max_cents,
        "full_buy_in_cents": full_buy_in_cents(session),
        "chip_denominations": session.chip_denominations,
        "player_fee_words": player_fee(session),
        "bank_fee_words": None if state.is_chinese else bank_fee(session),
        "jackpot_words": _jackpot(session),
        "clock_seconds": session.clock_seconds,
        "dealer": _dealer(session),
        "parameters": parameters,
        "naturals": [
            {"kind": natural["kind"], "words": in_words(natural["kind"])}
            for natural in parameters.get("naturals") or []
        ],
        "may_surrender": parameters.get("surrender_points") is not None,
        "offers_required": session.offers_required,
    }


def _jackpot(session: TableSession) -> str | None:
    """What the pool that the table feeds holds, and what each hand puts in (CP-63): as it was when something last happened here.

    Other tables feed it too; a tablet that asked for all anew whenever one of them deals would never be done.
    """
    if session.jackpot_id is None:
        return None
    fee_cents, pool = jackpot_feed(session.jackpot_id)
    return _("Jackpot %(pool)s, fee %(fee)s") % {"pool": dollars(balance_of(pool)), "fee": dollars(fee_cents)}


def _dealer(session: TableSession) -> Shown | None:
    shift = DealerShift.objects.filter(session=session, ended_at__isnull=True).select_related("dealer").first()
    if shift is None:
        return None
    return {"user_id": str(shift.dealer_id), "name": shift.dealer.name, "since_at": _instant(shift.started_at)}


def _seats(state: TableState) -> list[Shown]:
    buys = last_buys(seat.occupant.sitting.pk for seat in state.seats if seat.occupant)
    full_cents = full_buy_in_cents(state.session) if state.session else None
    return [_seat(seat, buys, full_cents) for seat in state.seats]


def _seat(seat: SeatState, buys: Mapping[UUID, LastBuy], full_cents: int | None) -> Shown:
    occupant, held = seat.occupant, seat.held
    return {
        "number": seat.number,
        "sitting": str(occupant.sitting.pk) if occupant else None,
        "name": occupant.name if occupant else "",
        "stack_cents": occupant.stack_cents if occupant else 0,
        "money_behind_cents": occupant.sitting.money_behind_cents if occupant else 0,
        "is_new": occupant.sitting.is_new if occupant else False,
        "is_absent": occupant.is_absent if occupant else False,
        "in_hand": occupant.in_hand if occupant else False,
        "has_button": seat.has_button,
        "held_for": held.patron.name if held else None,
        "held_until_at": _instant(held.until) if held else None,
        "may_buy_short": occupant is not None and may_buy_short(buys.get(occupant.sitting.pk), full_cents),
    }


def _standing(occupant: Occupant) -> Shown:
    return {
        "sitting": str(occupant.sitting.pk),
        "name": occupant.name,
        "stack_cents": occupant.stack_cents,
        "in_hand": occupant.in_hand,
    }


def _hand(state: TableState, out: HandState) -> Shown:
    hand, record = out.hand, out.record
    throw = None if hand.dice is None else count_out(hand.button_seat, sum(hand.dice))
    first_hand = _first_hand(state, out) if state.is_chinese else throw and throw.first_hand
    return {
        "id": str(hand.pk),
        "number": hand.number,
        "stage": hand.stage,
        "stage_words": hand.get_stage_display(),
        "started_at": _instant(hand.started_at),
        "button": hand.button_seat,
        "positions": deal_order(out),
        "first_hand": first_hand,
        "action": throw and throw.action_order[0],
        "collection_words": _collection(state, out),
        "wagers_open": out.wagers_open,
        "wagers": [
            {
                "id": wager.reference,
                "position": wager.position,
                "sitting": str(wager.sitting_id),
                "name": wager.sitting.patron.name,
                "amount_cents": wager.amount_cents,
                "by_dealer": wager.put_down_by_dealer,
            }
            for wager in out.wagers
        ],
        "bank": [
            {"sitting": str(each.sitting_id), "name": each.sitting.patron.name, "amount_cents": each.amount_cents}
            for each in out.bank
        ],
        "dice": hand.dice,
        "incidents": [_incident(incident) for incident in hand.incidents.order_by("recorded_at", "pk")],
        "marks": [mark for seat in marks_of(hand).values() for mark in _marks(seat)],
        "revision": record.revision if record else 0,
        "entered": record.data["seats" if state.is_chinese else "hands"] if record else [],
        "verdict": _verdict(state, out),
        "is_waiting": False,
    }


def deal_order(out: HandState) -> list[int]:
    """Seats in the order in which hands are opened: from the left of the button, the button or Player/Dealer last."""
    button = out.hand.button_seat
    return sorted(out.positions, key=lambda number: (number <= button, number))


def _first_hand(state: TableState, out: HandState) -> int:
    """The seat that the first hand of Chinese Poker goes to (CP-62): nobody leaves or stops being new before it is over."""
    sittings = {each.sitting.pk: each.sitting for each in state.occupants}
    seats = [seat for seat in out.hand.seats.all() if seat.sitting_id in sittings]
    players = [Player(sittings[seat.sitting_id], seat.number, seat.stack_cents) for seat in seats]
    return first_hand_seat(out.hand.button_seat, players)


def _collection(state: TableState, out: HandState) -> str:
    """What the hand that is out collects (CP-65, PG-04)."""
    session = out.hand.session
    if not state.is_chinese:
        return _("%(wager)s a wager, %(bank)s the bank") % {"wager": player_fee(session), "bank": bank_fee(session)}
    dealt_in = {seat.sitting_id for seat in out.hand.seats.all()}
    charges = player_charges(session, [each.sitting for each in state.occupants if each.sitting.pk in dealt_in])
    return _("%(amount)s each") % {"amount": dollars(charges[0].amount_cents if charges else 0)}


def _marks(marks: SeatMarks) -> list[Shown]:
    """What was marked at a seat or position, each mark of its own, and the time that was called there."""
    kinds = HandEvent.Kind
    found = [(marks.set_as, ""), (marks.announced, marks.declares), (kinds.LEFT if marks.has_left else "", "")]
    shown = [
        {
            "seat": marks.seat,
            "kind": str(kind),
            "value": value,
            "words": in_words(value) if value else str(kinds(kind).label),
            "until_at": None,
        }
        for kind, value in found
        if kind
    ]
    if marks.time_until is not None:
        called = kinds.CLOCK_CALLED
        until = _instant(marks.time_until)
        shown.append(
            {"seat": marks.seat, "kind": str(called), "value": "", "words": str(called.label), "until_at": until}
        )
    return shown


def _incident(incident: Incident) -> Shown:
    """What somebody saw of the hand."""
    return {
        "kind": incident.kind,
        "seat": incident.seat,
        "cards": incident.cards,
        "count": incident.count,
        "words": incident.get_kind_display(),
    }


def _verdict(state: TableState, out: HandState) -> Shown | None:
    if out.record is None or out.verdict is None:
        return None
    names = {seat.number: seat.occupant.name for seat in state.seats if seat.occupant}
    return verdict_shown(Judged(out.hand, out.record, out.verdict, names, state.names, out.wagers))


def _last_hand(state: TableState) -> Shown | None:
    hand = state.last_hand
    if hand is None:
        return None
    return {
        "id": str(hand.pk),
        "number": hand.number,
        "status": hand.status,
        "status_words": hand.get_status_display(),
        "misdeal_words": in_words(hand.misdeal_code) if hand.misdeal_code else "",
        "undo_asked": is_undo_asked(hand),
        "may_ask_undo": state.hand is None and may_ask_undo(hand),
    }


def _last_stakes(state: TableState) -> Mapping[str, Sequence[Shown]]:
    """The wagers and the bank of the last settled hand of Pai Gow Poker, as far as who made them is still there."""
    if state.session is None or state.is_chinese:
        return {"wagers": [], "bank": []}
    settled = state.session.hands.filter(status=Hand.Status.SETTLED).order_by("-number").values("pk")[:1]
    there = {UUID(pk) for pk in state.names}
    wagers = Wager.not_withdrawn.filter(hand=settled).order_by("ordinal")
    shares = BankShare.not_withdrawn.filter(hand=settled).order_by("ordinal")
    return {
        "wagers": [
            {"position": each.position, "sitting": str(each.sitting_id), "amount_cents": each.amount_cents}
            for each in wagers
            if each.sitting_id in there
        ],
        "bank": [
            {"sitting": str(each.sitting_id), "amount_cents": each.amount_cents}
            for each in shares
            if each.sitting_id in there
        ],
    }


def _bank_turn(state: TableState) -> Shown | None:
    turn = state.bank_turn
    if turn is None:
        return None
    sitting: Sitting | None = turn.sitting
    return {
        "seat": turn.seat,
        "sitting": str(sitting.pk) if sitting else None,
        "name": sitting.patron.name if sitting else "",
        "has_accepted": turn.has_accepted,
        "is_offered": turn.open_offer is not None,
        "waits_because": turn.waits_because,
        "passed_by": [{"seat": seat, "words": str(skip.label)} for seat, skip in turn.passes_by],
        "in_use": turn.in_use,
        "due_at": _instant(turn.due_at) if turn.due_at else None,
        "minutes_left": turn.minutes_left,
    }


def _call(call: OpenCall) -> Shown:
    return {
        "id": str(call.id),
        "reason": call.reason,
        "reason_words": call.reason_words,
        "note": call.note,
        "called_at": _instant(call.called_at),
        "called_by": call.called_by,
        "answered_at": _instant(call.answered_at) if call.answered_at else None,
        "answered_by": call.answered_by,
    }


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()
