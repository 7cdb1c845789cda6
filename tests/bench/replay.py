"""The speed of a replay, beside reading and decoding the records alone. The hands are made once and kept in var/bench/."""

import hashlib
import json
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.db import connection, transaction

from ledger.kinds import AccountKind, TransactionKind
from ledger.services import Posting, account_open, post
from tables.models import BankShare, Command, Hand, HandRecord, HandSeat, Patron, Room, Sitting, TableSession, Verdict
from tables.models import Wager as PlacedWager
from tables.rules import canonical_json, canonical_record, read_record, settle_record
from tables.selectors.replays import outcome_of, parts_to_do
from tables.services.postings import move
from tables.services.replay_here import replay_parts_here
from tables.services.replays import replay_ask
from tests.bench.database import open_database
from tests.bench.measuring import Measurement, medians
from tests.people import make_cast
from tests.tables import play
from tests.tables.rules.dealt_records import dealt_record
from tests.tables.rules.paigow_hands import any_record

HANDS = 12_000
HANDS_AT_ONCE = 50
DAY = date(2026, 11, 29)
NOON = datetime(2026, 11, 29, 20, tzinfo=UTC)
RICH_CENTS = 10**9
GOAL = 4


def measure_replay() -> Iterator[Measurement]:
    """A day's hands of both games settled again by all cores, per hand, against one process that only reads the records.

    Once as the hand records that they are, with every fault looked for, and once as JSON (docs/decisions.md, 58).
    """
    open_database("replay")
    if Hand.objects.count() != HANDS:
        open_database("replay", afresh=True)
        _build()
    room = Room.objects.get(slug="one")
    for name, decode, goal in (("replay", _decode_record, GOAL), ("replay-vs-json", json.loads, None)):
        ours_s, theirs_s = medians(partial(_replay, room), partial(_read_records, room, decode))
        figures = (("hands a second", HANDS / ours_s), ("cores", len(os.sched_getaffinity(0))))
        yield Measurement(name, "seconds a hand", ours_s / HANDS, theirs_s / HANDS, goal, figures)


def _replay(room: Room) -> float:
    """What `manage.py replay --here` does, from asking to the outcome. In seconds."""
    start = time.perf_counter()
    run = replay_ask(room=room, day=DAY, asked_by="bench")
    for _part in replay_parts_here(parts_to_do(run)):
        pass
    outcome = outcome_of(run)
    seconds = time.perf_counter() - start
    if run.hands != HANDS or outcome.differences:
        raise RuntimeError(f"{run.hands} hands replayed, with differences: {outcome.differences[:2]}")
    return seconds


def _decode_record(text: str) -> object:
    return read_record(json.loads(text))


def _read_records(room: Room, decode: Callable[[str], object]) -> float:
    """One process that reads the records of the same hands and decodes them. In seconds."""
    start = time.perf_counter()
    records = HandRecord.objects.filter(
        hand__session__table__room=room, hand__started_at__gte=NOON, hand__started_at__lt=NOON + timedelta(hours=12)
    )
    read = sum(1 for text in records.values_list("text", flat=True).iterator() if decode(text))
    if read != HANDS:
        raise RuntimeError(f"{read} records read")
    return time.perf_counter() - start


@dataclass(frozen=True)
class _Table:
    """A session in play, and who sits in each seat."""

    session: TableSession
    sittings: Sequence[Sitting]


@dataclass(frozen=True)
class _Played:
    """A hand with everything that is stored of it."""

    hand: Hand
    record: HandRecord
    verdict: Verdict
    rows: Sequence[HandSeat | PlacedWager | BankShare]
    postings: Sequence[Posting]


def _build() -> None:
    """Both tables with seven rich patrons, then the hands with their ledger rows, without a command for each."""
    print(f"Making {HANDS} hands, once.", flush=True)
    cast = make_cast()
    for number in range(5, 8):
        Patron.objects.create(room=cast.room, number=f"P{number}", name=f"Patron {number}")
    tables = []
    for session, seats in ((play.open_chinese(cast), 4), (play.open_pai_gow(cast), 7)):
        sittings = [play.sit(cast, session, seat, f"P{seat}", RICH_CENTS) for seat in range(1, seats + 1)]
        tables.append(_Table(session, sittings))
    command = Command.objects.order_by("pk")[0]
    dealer = random.Random(29)
    for first in range(0, HANDS, HANDS_AT_ONCE):
        for table, game in zip(tables, (_chinese, _pai_gow), strict=True):
            numbers = range(first // 2 + 1, (first + HANDS_AT_ONCE) // 2 + 1)
            _store(table.session, [game(dealer, table, number) for number in numbers], command)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _store(session: TableSession, played: Sequence[_Played], command: Command) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT nextval('tables_handrecord_id_seq') FROM generate_series(1, %s)", [len(played)])
        for each, (record_id,) in zip(played, cursor.fetchall(), strict=True):
            each.record.pk = each.verdict.record_id = each.hand.final_record_id = record_id
            each.record.command = command
        Hand.objects.bulk_create(each.hand for each in played)
        HandRecord.objects.bulk_create(each.record for each in played)
        Verdict.objects.bulk_create(each.verdict for each in played)
        for model in (HandSeat, PlacedWager, BankShare):
            model.objects.bulk_create(row for each in played for row in each.rows if isinstance(row, model))
        post(
            book=session.book,
            postings=[posting for each in played for posting in each.postings],
            command=uuid4(),
            actor="bench",
            device="",
            occurred_at=NOON,
        )


def _chinese(dealer: random.Random, table: _Table, number: int) -> _Played:
    data = dealt_record(dealer, "cardroom-mandarin", overrides={})
    hand = _hand(table, number, data["button"])
    stacks = {entry["seat"]: table.sittings[entry["seat"] - 1].stack_id for entry in data["seats"]}
    fee = table.session.collection_cents
    rows = [
        HandSeat(hand=hand, number=seat, sitting=table.sittings[seat - 1], stack_cents=0) for seat in sorted(stacks)
    ]
    record, verdict, settled = _judged(hand, data)
    moves = []
    if settled["status"] == "settled":
        moves = [
            (TransactionKind.COLLECTION, stacks[seat], table.session.drop_account_id, fee) for seat in sorted(stacks)
        ]
        moves += [
            (TransactionKind.PAYMENT, stacks[payment["payer"]], stacks[payment["payee"]], payment["paid"])
            for payment in settled["payments"]
        ]
    return _Played(hand, record, verdict, rows, _postings(hand, moves))


def _pai_gow(dealer: random.Random, table: _Table, number: int) -> _Played:
    data = any_record(dealer) | {"rules": "capitol", "overrides": {}}
    hand = _hand(table, number, data["player_dealer"])
    betters = [dealer.choice(table.sittings) for _ in data["wagers"]]
    bankers = dealer.sample(table.sittings, len(data["bank"]))
    for wager, sitting in zip(data["wagers"], betters, strict=True):
        wager["patron"] = str(sitting.pk)
    for share, sitting in zip(data["bank"], bankers, strict=True):
        share["patron"] = str(sitting.pk)
    wagers = [
        PlacedWager(
            hand=hand,
            ordinal=int(wager["id"][1:]) + 1,
            position=wager["position"],
            sitting=sitting,
            amount_cents=wager["amount"],
        )
        for wager, sitting in zip(data["wagers"], betters, strict=True)
    ]
    shares = [
        BankShare(hand=hand, ordinal=ordinal, sitting=sitting, amount_cents=share["amount"])
        for ordinal, (share, sitting) in enumerate(zip(data["bank"], bankers, strict=True), 1)
    ]
    for wager, row in zip(data["wagers"], wagers, strict=True):
        wager["id"] = row.reference
    seats = [
        HandSeat(hand=hand, number=number, sitting=sitting, stack_cents=0)
        for number, sitting in enumerate(table.sittings, 1)
    ]
    record, verdict, settled = _judged(hand, data)
    moves = _pai_gow_moves(table.session, hand, wagers, shares, settled) if settled["status"] == "settled" else []
    return _Played(hand, record, verdict, [*seats, *wagers, *shares], _postings(hand, moves))


Move = tuple[TransactionKind, UUID, UUID, int]


def _pai_gow_moves(
    session: TableSession,
    hand: Hand,
    wagers: Sequence[PlacedWager],
    shares: Sequence[BankShare],
    settled: dict[str, Any],
) -> list[Move]:
    hand.action_account = account_open(kind=AccountKind.HAND_ACTION, name=f"Action of hand {hand.number}")
    action, drop = hand.action_account.pk, session.drop_account_id
    staked = {wager.reference: wager for wager in wagers}
    partners = {str(share.sitting_id): share for share in shares}
    moves = [(TransactionKind.COLLECTION, wager.sitting.stack_id, drop, session.collection_cents) for wager in wagers]
    moves.append((TransactionKind.COLLECTION, shares[0].sitting.stack_id, drop, session.bank_collection_cents))
    moves += [(TransactionKind.WAGER, wager.sitting.stack_id, action, wager.amount_cents) for wager in wagers]
    moves += [(TransactionKind.BANK, share.sitting.stack_id, action, share.amount_cents) for share in shares]
    results = [(staked[line["id"]], line["net"]) for line in sorted(settled["wagers"], key=lambda line: line["order"])]
    results += [(partners[memo["patron"]], memo["net"]) for memo in settled["bank"]["shares"]]
    return moves + [
        (TransactionKind.SETTLEMENT, action, row.sitting.stack_id, row.amount_cents + net) for row, net in results
    ]


def _hand(table: _Table, number: int, button: int) -> Hand:
    started_at = NOON + timedelta(seconds=number)
    return Hand(
        session=table.session,
        number=number,
        rules=table.session.rules,
        button_seat=button,
        started_at=started_at,
        ended_at=started_at,
    )


def _judged(hand: Hand, data: dict[str, Any]) -> tuple[HandRecord, Verdict, dict[str, Any]]:
    record = read_record(data)
    settled = settle_record(record)
    hand.status = settled["status"]
    text, verdict = canonical_json(canonical_record(record)), canonical_json(settled)
    return (
        HandRecord(hand=hand, revision=1, text=text, sha256=hashlib.sha256(text.encode()).digest()),
        Verdict(text=verdict, sha256=hashlib.sha256(verdict.encode()).digest()),
        settled,
    )


def _postings(hand: Hand, moves: Sequence[Move]) -> list[Posting]:
    reference = f"hand:{hand.pk}"
    return [move(kind, reference, source, target, cents) for kind, source, target, cents in moves if cents]
