"""Entering a hand as it was set: the hand record, and what the rules make of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, OuterRef
from django.utils.translation import gettext as _

from casino.errors import Malformed
from ledger.rows import Composed, insert, insert_numbered, update
from tables.models import Hand, HandEvent, HandRecord, HandSeat, Incident, Verdict
from tables.models.rooms import Game
from tables.rules import InvalidRecord, canonical_json, canonical_record, read_record, settle_record
from tables.selectors.rules import rule_set_of
from tables.selectors.wagers import shares_of, wagers_of
from tables.services.commands import Answer, Work, command
from tables.services.hands import lock_hand
from tables.services.marked_records import with_notes
from tables.services.marks import seats_missing
from tables.services.stages import RECORD, step

# How often a hand was entered before; whether anything was marked in it; whether any incident was noted.
_BEFORE = Composed(
    lambda hand_id: Hand.objects.filter(pk=hand_id).values_list(
        Count("records"),
        Exists(HandEvent.objects.filter(hand=OuterRef("pk"))),
        Exists(Incident.objects.filter(hand=OuterRef("pk"))),
    )
)


_STACKS = Composed(lambda hand_id: HandSeat.objects.filter(hand=hand_id).values_list("number", "stack_cents"))


@command("hand.record")
def hand_record_enter(
    work: Work, *, hand_id: UUID, hands: Sequence[Mapping[str, Any]], incidents: Sequence[Mapping[str, Any]] = ()
) -> Answer:
    """Store a hand as it was set, and its verdict; nothing is paid yet. Entering again makes the next revision.

    ``hands`` is what the hand record calls ``seats`` (Chinese Poker) or ``hands`` (Pai Gow Poker), without stacks;
    everything else of the record comes from the table, the incidents that were noted among it. The cards of a seat whose
    time was up are set here (CP-64). Raises ``Malformed`` with every fault by its path, and ``Refusal`` before the dice are
    open, before all are set, and where a hand is not as it was announced.
    """
    hand = lock_hand(work, hand_id)
    if step(hand, RECORD, missing=lambda: seats_missing(hand)):
        update(hand, "stage")
    ((entered_before, is_marked, has_incidents),) = _BEFORE(hand.pk)
    if is_marked or has_incidents:
        check_objects(hands)
        hands, incidents = with_notes(hand, hands, incidents)
    record_text, verdict = judge(hand, record_data(hand, hands, incidents))
    record = keep_record(work, hand, entered_before + 1, record_text, verdict)
    return {"hand": str(hand.pk), "revision": record.revision, "verdict": verdict}


def keep_record(work: Work, hand: Hand, revision: int, record_text: str, verdict: Mapping[str, Any]) -> HandRecord:
    """Store the next revision of a hand's record, and its verdict, with the command."""
    record = HandRecord(
        hand=hand,
        revision=revision,
        text=record_text,
        sha256=_sha256(record_text),
        command_id=work.order.key,
    )
    insert_numbered(record)
    verdict_text = canonical_json(verdict)
    insert([Verdict(record=record, text=verdict_text, sha256=_sha256(verdict_text))])
    work.records.append(record)
    return record


def judge(hand: Hand, data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The canonical text of a record and its verdict under the hand's own rules. Raises ``Malformed`` with all faults."""
    rules = rule_set_of(hand.rules)
    find = {rules.name: rules}.get
    try:
        record = read_record(data, find)
    except InvalidRecord as error:
        first = error.faults[0]
        fields = {fault.path: fault.message for fault in error.faults}
        raise Malformed(first.code, first.message, fields=fields) from error
    return canonical_json(canonical_record(record)), settle_record(record)


def record_data(
    hand: Hand, hands: Sequence[Mapping[str, Any]], incidents: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The hand record: the cards as entered, with seats, stacks, wagers and terms as the table has them."""
    check_objects(hands)
    record: dict[str, Any] = {"game": hand.session.table.game, "rules": str(hand.rules)}
    if incidents:
        record["incidents"] = [dict(incident) for incident in incidents]
    if hand.session.table.game == Game.CHINESE_POKER:
        return record | _chinese(hand, hands)
    return record | _pai_gow(hand, hands)


def check_objects(hands: Sequence[Mapping[str, Any]]) -> None:
    """Raise ``Malformed`` where something else stands in the place of a hand."""
    if not all(isinstance(item, Mapping) for item in hands):
        raise Malformed("wrong-type", _("Each hand is an object with a seat and its cards."))


def _chinese(hand: Hand, hands: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    stacks = dict(_STACKS(hand.pk))
    entered = [item.get("seat") for item in hands]
    missing = [number for number in sorted(stacks) if number not in entered]
    unknown = [number for number in entered if number not in stacks]
    if missing or unknown:
        _wrong_seats(missing, unknown)
    return {
        "point_value": hand.session.point_value_cents,
        "button": hand.button_seat,
        "seats": [dict(item) | {"stack": stacks[item["seat"]]} for item in hands],
    }


def _pai_gow(hand: Hand, hands: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    if hand.dice is None:
        raise RuntimeError(f"{hand.pk} has no dice")
    wagers = wagers_of(hand)
    entered = [item.get("position") for item in hands]
    needed = sorted({wager.position for wager in wagers} | {hand.button_seat})
    missing = [position for position in needed if position not in entered]
    if missing:
        _wrong_seats(missing, [])
    return {
        "table_min": hand.session.table_min_cents,
        "table_max": hand.session.table_max_cents,
        "player_dealer": hand.button_seat,
        "dice": list(hand.dice),
        "bank": [{"patron": str(share.sitting_id), "amount": share.amount_cents} for share in shares_of(hand)],
        "hands": [dict(item) for item in hands],
        "wagers": [
            {
                "id": wager.reference,
                "position": wager.position,
                "patron": str(wager.sitting_id),
                "amount": wager.amount_cents,
                "seated": wager.sitting.seat is not None and wager.sitting.seat.number == wager.position,
            }
            for wager in wagers
        ],
    }


def _wrong_seats(missing: Sequence[object], unknown: Sequence[object]) -> None:
    if missing:
        numbers = ", ".join(str(number) for number in missing)
        raise Malformed("missing", _("Enter the cards of seat %(numbers)s too.") % {"numbers": numbers})
    numbers = ", ".join(str(number) for number in unknown)
    raise Malformed("out-of-range", _("Seat %(numbers)s was not dealt into this hand.") % {"numbers": numbers})


def _sha256(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
