"""Hands as auditors read them: lists, and one hand whole with its record, verdict and the ledger behind it.

Every read takes the actor and finds only what is theirs to read; anything else is ``NotThere``. The number of queries of
each is fixed, whatever the hand holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import NotThere
from casino.staff.actor import Actor
from casino.staff.models import User
from ledger.canonical import transaction_digest
from ledger.models import Entry, Transaction
from ledger.selectors import transactions_of_reference
from tables.access import check_reads_all
from tables.models import BankShare, Command, Hand, HandEvent, HandRecord, Incident, Resettlement, Room, Wager
from tables.models.rooms import Game
from tables.rules.called import called_verdict
from tables.rules.explain import Line, explain
from tables.selectors.corrections import ResettlementRow, Window, resettlement_rows, ruling_window
from tables.selectors.rulings import HandRulings, hand_rulings

HANDS_A_PAGE = 25
JUDGED = (Hand.Status.SETTLED, Hand.Status.MISDEAL)

# A command's instant is taken before it waits for the table, so it can lie a little outside the hand's own.
_WAIT = timedelta(minutes=1)


def rooms_read_by(actor: Actor) -> QuerySet[Room]:
    """The rooms whose history the actor reads: all of them, or for floor those they work in. Raises ``Forbidden``."""
    check_reads_all(actor)
    rooms = Room.objects.order_by("name", "pk")
    return rooms if actor.reads_all else rooms.filter(staff__user_id=actor.user_id)


def hands_read_by(actor: Actor) -> QuerySet[Hand]:
    """The hands the actor reads, newest first, each with ``is_corrected``, whether it was settled again."""
    return (
        Hand.objects.filter(session__table__room__in=rooms_read_by(actor))
        .select_related("session__table__room", "rules")
        .annotate(is_corrected=Exists(Resettlement.objects.filter(hand=OuterRef("pk"))))
        .order_by("-started_at", "-pk")
    )


@dataclass(frozen=True, slots=True)
class Segment:
    """Some cards of a hand, under the record's name for them, and what the verdict says they are."""

    name: str
    cards: str
    words: str | None = None
    result: str | None = None


@dataclass(frozen=True, slots=True)
class SetHand:
    """A hand at a seat or position as it was entered, beside what the verdict says of it.

    ``arranged`` are its segments where the house way set them. ``judged`` is empty when nothing was judged, as in a misdeal.
    """

    place: int
    name: str
    has_button: bool
    segments: Sequence[Segment]
    arranged: Sequence[Segment]
    entered: Mapping[str, Any]
    judged: Mapping[str, Any]

    @property
    def fouls(self) -> list[str]:
        """The codes of its fouls, in the verdict's order."""
        return list(self.judged.get("fouls", ()))


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment of Chinese Poker between two seats, in its place in the paying order (CP-51)."""

    order: int
    payer: int
    payee: int
    points: int
    owed_cents: int
    paid_cents: int

    @property
    def unpaid_cents(self) -> int:
        """What the stacks did not allow (CP-52); it is not owed afterwards (CP-53)."""
        return self.owed_cents - self.paid_cents


@dataclass(frozen=True, slots=True)
class WagerResult:
    """A wager of Pai Gow Poker with its line of the verdict, empty before there is one."""

    wager: Wager
    line: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ShareResult:
    """A share of the bank and what it won or lost in cents; ``None`` before there is a verdict."""

    share: BankShare
    net_cents: int | None


@dataclass(frozen=True, slots=True)
class Revision:
    """A record as entered, and whether record and verdict still have the digests stored with them."""

    record: HandRecord
    record_matches: bool
    verdict_matches: bool


@dataclass(frozen=True, slots=True)
class Posted:
    """A ledger transaction with its entries and its command, what took it back, and whether its content makes its digest."""

    transaction: Transaction
    entries: Sequence[Entry]
    command: Command | None
    taken_back_by: Transaction | None
    matches: bool


@dataclass(frozen=True, slots=True)
class HandPage:
    """Everything about one hand. ``names`` says who is behind a seat's number and behind a sitting's id.

    ``explained`` is the verdict in words; empty where the stored verdict no longer has its digest. ``window`` says how long
    it can be ruled on, and is ``None`` for a hand that cannot be settled again. ``marks`` and ``incidents`` are what was marked
    and noted of it, in that order.
    """

    hand: Hand
    gaming_day: date
    names: Mapping[str, str]
    record: HandRecord | None
    entered: Mapping[str, Any]
    verdict: Mapping[str, Any]
    explained: Sequence[Line]
    hands: Sequence[SetHand]
    payments: Sequence[Payment]
    wagers: Sequence[WagerResult]
    bank: Sequence[ShareResult]
    revisions: Sequence[Revision]
    commands: Sequence[Command]
    posted: Sequence[Posted]
    resettlements: Sequence[ResettlementRow]
    rulings: HandRulings
    marks: Sequence[HandEvent]
    incidents: Sequence[Incident]
    window: Window | None

    @property
    def is_chinese(self) -> bool:
        """Whether it is a hand of Chinese Poker."""
        return self.hand.session.table.game == Game.CHINESE_POKER

    @property
    def is_as_stored(self) -> bool:
        """Whether the last record and its verdict still have the digests stored with them."""
        return bool(self.revisions) and self.revisions[-1].record_matches and self.revisions[-1].verdict_matches

    @property
    def dealer(self) -> User | None:
        """Who dealt it, which need not be who deals at the table now."""
        return next((command.actor for command in self.commands if command.verb == "hand.start"), None)


def hand_page(actor: Actor, hand_id: UUID) -> HandPage:
    """One hand for its page. Raises ``Forbidden`` for who reads no history, ``NotThere`` where there is none to read."""
    hand = (
        hands_read_by(actor)
        .filter(pk=hand_id)
        .select_related("session__table__room", "session__sheet", "rules", "action_account")
        .defer("session__sheet__content")
        .prefetch_related("seats__sitting__patron", "records__verdict", "records__command__actor")
        .prefetch_related("records__command__device", "wagers__sitting__patron", "bank_shares__sitting__patron")
        .prefetch_related("resettlements__command__actor", "resettlements__approver")
        .prefetch_related("resettlements__before__verdict", "resettlements__after__verdict")
        .prefetch_related("events", "incidents__people__sitting__patron", "incidents__command__actor")
        .prefetch_related("resettlements__before__paid_differently__wager")
        .prefetch_related("resettlements__before__paid_differently__share", "resettlements__after__paid_differently")
        .first()
    )
    if hand is None:
        raise NotThere("no-such-hand", _("There is no such hand in the rooms you read."))
    records = sorted(hand.records.all(), key=lambda record: record.revision)
    record = records[-1] if records else None
    entered = record.data if record else {}
    called = _called(hand)
    verdict = called or (record.verdict.data if record else {})
    revisions = [_revision(each) for each in records]
    rulings = hand_rulings(hand)
    commands = _commands(hand, rulings)
    names = names_of(hand)
    return HandPage(
        hand=hand,
        gaming_day=hand.session.table.room.gaming_day(hand.started_at),
        names=names,
        record=record,
        entered=entered,
        verdict=verdict,
        explained=explain(called) if called else _explained(revisions, names),
        hands=_set_hands(hand, names, entered, verdict),
        payments=_payments(verdict),
        wagers=_wagers(hand, verdict),
        bank=_bank(hand, verdict),
        revisions=revisions,
        commands=commands,
        posted=_posted(hand, commands),
        resettlements=resettlement_rows(list(hand.resettlements.all()), names),
        rulings=rulings,
        marks=sorted(hand.events.all(), key=lambda event: event.pk),
        incidents=sorted(hand.incidents.all(), key=lambda incident: incident.recorded_at),
        window=ruling_window(hand) if hand.status in JUDGED and not called else None,
    )


def _called(hand: Hand) -> dict[str, Any]:
    """The misdeal that was called without the cards, as a verdict has it; empty where none was."""
    if not hand.misdeal_code:
        return {}
    return called_verdict(hand.rules.game, str(hand.rules), hand.misdeal_code, hand.misdeal_seat)


def _commands(hand: Hand, rulings: HandRulings) -> list[Command]:
    """What people did about a hand. Bounded in time first, since the log's index is by table and time; then what came later."""
    until = (hand.ended_at or timezone.now()) + _WAIT
    at_the_time = Q(
        table=hand.session.table, recorded_at__range=(hand.started_at - _WAIT, until), answer__hand=str(hand.pk)
    )
    later = Q(pk__in=[*(each.command_id for each in hand.resettlements.all()), *rulings.commands()])
    return list(
        Command.objects.filter(at_the_time | later)
        .select_related("actor", "approver", "device")
        .order_by("recorded_at", "key")
    )


def names_of(hand: Hand) -> dict[str, str]:
    """Who is behind a seat's number and behind a sitting's id in a hand's record."""
    seats = {str(seat.number): seat.sitting for seat in hand.seats.all()}
    sittings = [*seats.values(), *(wager.sitting for wager in hand.wagers.all())]
    sittings += [share.sitting for share in hand.bank_shares.all()]
    names = {str(sitting.pk): sitting.patron.name for sitting in sittings}
    return names | {number: sitting.patron.name for number, sitting in seats.items()}


def _set_hands(
    hand: Hand, names: Mapping[str, str], entered: Mapping[str, Any], verdict: Mapping[str, Any]
) -> list[SetHand]:
    """The hands in seat order, those with fouls before the others."""
    chinese = "seats" in entered
    place_key, hands_key = ("seat", "seats") if chinese else ("position", "hands")
    judged = {item[place_key]: item for item in verdict.get(hands_key, ())}
    found = [
        SetHand(
            place=item[place_key],
            name=names.get(str(item[place_key]), ""),
            has_button=item[place_key] == hand.button_seat,
            segments=_segments(item, judged.get(item[place_key], {})),
            arranged=_arranged(judged.get(item[place_key], {})),
            entered=item,
            judged=judged.get(item[place_key], {}),
        )
        for item in entered.get(hands_key, ())
    ]
    return sorted(found, key=lambda each: (not each.fouls, each.place))


def _segments(entered: Mapping[str, Any], judged: Mapping[str, Any]) -> list[Segment]:
    words = judged.get("hands") or {}
    return [
        Segment(
            name,
            entered[name],
            words.get(name) or judged.get(f"{name}_hand"),
            judged.get(f"{name}_result"),
        )
        for name in ("cards", "front", "middle", "back")
        if name in entered
    ]


def _arranged(judged: Mapping[str, Any]) -> list[Segment]:
    if judged.get("status") not in ("house-way", "reset-house-way"):
        return []
    return [
        Segment(name, judged[name], judged[f"{name}_hand"], judged.get(f"{name}_result")) for name in ("front", "back")
    ]


def _payments(verdict: Mapping[str, Any]) -> list[Payment]:
    return [
        Payment(item["order"], item["payer"], item["payee"], item["points"], item["owed"], item["paid"])
        for item in sorted(verdict.get("payments", ()), key=lambda item: int(item["order"]))
    ]


def _wagers(hand: Hand, verdict: Mapping[str, Any]) -> list[WagerResult]:
    """In the order of action (PG-31); in that of placing while there is no verdict."""
    lines = {line["id"]: line for line in verdict.get("wagers", ())}
    found = [WagerResult(wager, lines.get(wager.reference, {})) for wager in hand.wagers.all()]
    return sorted(found, key=lambda each: (each.line.get("order", 0), each.wager.ordinal))


def _bank(hand: Hand, verdict: Mapping[str, Any]) -> list[ShareResult]:
    nets = {share["patron"]: share["net"] for share in verdict.get("bank", {}).get("shares", ())}
    shares = sorted(hand.bank_shares.all(), key=lambda share: share.ordinal)
    return [ShareResult(share, nets.get(str(share.sitting_id))) for share in shares]


def _revision(record: HandRecord) -> Revision:
    return Revision(
        record=record,
        record_matches=_makes(record.text, record.sha256),
        verdict_matches=_makes(record.verdict.text, record.verdict.sha256),
    )


def _explained(revisions: Sequence[Revision], names: Mapping[str, str]) -> list[Line]:
    """The last verdict in words; none of a verdict that is not what was stored, whose page must still be shown."""
    if not revisions or not revisions[-1].verdict_matches:
        return []
    last = revisions[-1]
    return explain(last.record.verdict.data, last.record.data if last.record_matches else None, names)


def _makes(text: str, sha256: bytes | memoryview) -> bool:
    return hashlib.sha256(text.encode()).digest() == bytes(sha256)


def _posted(hand: Hand, commands: Sequence[Command]) -> list[Posted]:
    by_key = {command.key: command for command in commands}
    transactions = list(transactions_of_reference(f"hand:{hand.pk}"))
    takes_back = {each.reverses_id: each for each in transactions if each.reverses_id}
    found = []
    for transaction in transactions:
        entries = list(transaction.entries.all())
        matches = transaction_digest(transaction.content(entries)) == bytes(transaction.digest)
        command, reversal = by_key.get(transaction.command), takes_back.get(transaction.pk)
        found.append(Posted(transaction, entries, command, reversal, matches))
    return found
