"""Which tables of Pai Gow Poker wait because nobody has the next bank: for a whole floor at once, as ``bank_turn`` for one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import groupby
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, Max, Min, OuterRef, Subquery, Window
from django.db.models.functions import RowNumber

from ledger.rows import Composed, ComposedModels, any_of
from ledger.selectors import balances_of
from tables.models import BankAnswer, BankOffer, Hand, HandSeat, Sitting, TableSession, Wager
from tables.selectors.banking import COUNTED, Offer, bank_limit, candidate_of, offers_in_use, turn_of
from tables.selectors.restrictions import restrictions_of
from tables.selectors.rotation import PEOPLE_TO_BANK, Held, barred_seats, rotation_due_at


def waiting_for_bank(sessions: Collection[TableSession], now: datetime) -> set[UUID]:
    """Those of some sessions between two hands at which no seat can be offered the bank any more (PG-02).

    The sessions come with table, room and rules. The number of queries does not grow with theirs.
    """
    offers = _offers(sessions)
    in_use = [each for each in sessions if offers_in_use(each, offers[each.pk])]
    if not in_use:
        return set()
    seated = _seated(in_use, now)
    held = _last_hands(in_use)
    stacks = balances_of(sitting.stack_id for sittings in seated.values() for sitting in sittings)
    waiting = set()
    for session in in_use:
        candidates = [
            candidate_of(each, each.seat.number, stacks[each.stack_id]) for each in seated[session.pk] if each.seat
        ]
        limit = bank_limit(session)
        barred = barred_seats(candidates, held[session.pk][:limit], limit=limit, is_timed=session.rotation_pack)
        if turn_of(session, candidates, barred, offers[session.pk]).seat is None:
            waiting.add(session.pk)
    return waiting


def rotations_due(sessions: Collection[TableSession]) -> dict[UUID, datetime]:
    """When each timed game among some sessions ends unless another person banks, as ``rotation_due`` for one, in one query."""
    timed = [session.pk for session in sessions if session.rotation_pack]
    if not timed:
        return {}
    due = {}
    for session, rows in groupby(_BANKED(timed), key=lambda row: row[0]):
        turns = list(rows)
        own = [last for *_, provider, _first, last in turns if not provider][:PEOPLE_TO_BANK]
        due[session] = rotation_due_at(min(first for *_, first, _last in turns), own)
    return due


_BANKED = Composed(
    lambda sessions: (
        HandSeat.objects.filter(
            hand__session__in=any_of(sessions), hand__status__in=COUNTED, number=F("hand__button_seat")
        )
        .values_list("hand__session", "sitting__patron", "sitting__patron__provider")
        .annotate(first=Min("hand__started_at"), last=Max("hand__started_at"))
        .order_by("hand__session", "-last")
    )
)
_OFFERS = Composed(
    lambda sessions: (
        BankOffer.objects.filter(session__in=any_of(sessions), hand_number=F("session__hands_dealt") + 1)
        .order_by("pk")
        .values_list(
            "session",
            "pk",
            "round",
            "seat",
            "sitting_id",
            "skipped",
            "offered_at",
            Subquery(BankAnswer.objects.filter(offer=OuterRef("pk")).order_by("-pk").values("accepts")[:1]),
        )
    )
)
_SEATED = ComposedModels(
    lambda sessions: (
        Sitting.objects.filter(session__in=any_of(sessions), ended_at__isnull=True, seat__isnull=False)
        .select_related("seat", "patron")
        .order_by("seat__number")
    )
)


@cache
def _last(most: int) -> Composed:
    banker = HandSeat.objects.filter(hand=OuterRef("pk"), number=OuterRef("button_seat"))
    return Composed(
        lambda sessions: (
            Hand.objects.filter(session__in=any_of(sessions), status=Hand.Status.SETTLED)
            .annotate(back=Window(RowNumber(), partition_by="session", order_by="-number"))
            .filter(back__lte=most)
            .order_by("back")
            .values_list(
                "session",
                "button_seat",
                Subquery(banker.values("sitting__patron__provider")[:1]),
                ArraySubquery(Wager.not_withdrawn.filter(hand=OuterRef("pk")).values("position")),
            )
        )
    )


def _offers(sessions: Collection[TableSession]) -> Mapping[UUID, list[Offer]]:
    """The offers of the last round for each session's next hand, in the order they were made."""
    found: dict[UUID, list[Offer]] = defaultdict(list)
    for session, *row in _OFFERS([session.pk for session in sessions]) if sessions else ():
        found[session].append(Offer(*row))
    return defaultdict(
        list, {key: [each for each in offers if each.round == offers[-1].round] for key, offers in found.items()}
    )


def _seated(sessions: Sequence[TableSession], now: datetime) -> Mapping[UUID, list[Sitting]]:
    """Who sits at each, without those who may not play at all."""
    rows: list[Sitting] = _SEATED([session.pk for session in sessions])
    patrons = [sitting.patron for sitting in rows]
    barred = {
        restriction.patron_id
        for room in {session.table.room for session in sessions}
        for restriction in restrictions_of([each for each in patrons if each.room_id == room.pk], room, now)
    }
    found: dict[UUID, list[Sitting]] = defaultdict(list)
    for sitting in rows:
        if sitting.patron_id not in barred:
            found[sitting.session_id].append(sitting)
    return found


def _last_hands(sessions: Sequence[TableSession]) -> Mapping[UUID, list[Held]]:
    """The last settled hands of each session, newest first: as many as the highest limit counts."""
    read = _last(max(map(bank_limit, sessions)))
    found: dict[UUID, list[Held]] = defaultdict(list)
    for session, seat, provider, spots in read([session.pk for session in sessions]):
        found[session].append(Held(seat, provider or "", frozenset({seat, *spots})))
    return found
