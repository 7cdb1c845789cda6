"""The bank between two hands of Pai Gow Poker: who is offered it, who was passed by and why, and why the table waits."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, Max, Min, OuterRef, Subquery
from django.utils.translation import gettext as _

from ledger.rows import Composed, ComposedModels
from ledger.selectors import balances_of
from tables.models import BankAnswer, BankOffer, Hand, HandSeat, Sitting, TableSession, Wager
from tables.selectors.restrictions import restrictions_of
from tables.selectors.rotation import (
    PEOPLE_TO_BANK,
    Candidate,
    Held,
    Passed,
    Turn,
    barred_seats,
    hands_in_a_row,
    next_turn,
    rotation_due_at,
)

Skip = BankOffer.Skip

_LIMIT = 2
COUNTED = (Hand.Status.OUT, Hand.Status.SETTLED)
"""The hands that count as banked for the timed rotation."""

_SEATED = ComposedModels(
    lambda session_id: (
        Sitting.objects.filter(session=session_id, ended_at__isnull=True, seat__isnull=False)
        .select_related("seat", "patron")
        .order_by("seat__number")
    )
)
_OFFERS = Composed(
    lambda session_id: (
        BankOffer.objects.filter(session=session_id, hand_number=F("session__hands_dealt") + 1)
        .order_by("pk")
        .values_list(
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


@cache
def _last_hands(limit: int) -> Composed:
    """The settled hands of a session, newest first; a misdeal or a void hand is no hand that somebody held."""
    banker = HandSeat.objects.filter(hand=OuterRef("pk"), number=OuterRef("button_seat"))
    return Composed(
        lambda session_id: (
            Hand.objects.filter(session=session_id, status=Hand.Status.SETTLED)
            .order_by("-number")
            .values_list(
                "button_seat",
                Subquery(banker.values("sitting__patron__provider")[:1]),
                ArraySubquery(Wager.not_withdrawn.filter(hand=OuterRef("pk")).values("position")),
            )[:limit]
        )
    )


@dataclass(frozen=True, slots=True)
class Offer:
    """A row of the log of offers: a seat that was asked, or passed by; ``accepts`` is ``None`` without an answer."""

    id: int
    round: int
    seat: int
    sitting_id: UUID
    skipped: str
    offered_at: datetime
    accepts: bool | None


@dataclass(frozen=True, slots=True)
class BankTurn:
    """Where the offer of the bank for the next hand stands.

    ``seat`` and ``sitting`` are whose turn it is, or who has accepted (``has_accepted``); both ``None`` while the table waits.
    ``sittings`` is who sits where, ``offers`` the log of this round; ``passes_by`` are the seats passed by in it, with the
    reason. ``holder`` held the bank last, for ``hands_in_a_row`` of at most ``limit`` hands. ``in_use``: the next hand begins
    with who accepted, and nobody else. ``due_at`` is when a timed game ends unless somebody else banks, if one runs.
    """

    hand_number: int
    round: int
    turn: Turn
    sittings: Mapping[int, Sitting]
    offers: Sequence[Offer]
    passes_by: Sequence[tuple[int, Skip]]
    holder: int | None
    hands_in_a_row: int
    limit: int
    in_use: bool
    now: datetime
    due_at: datetime | None

    @property
    def seat(self) -> int | None:
        """Whose turn it is, or who has accepted."""
        return self.turn.seat

    @property
    def sitting(self) -> Sitting | None:
        """Who that is."""
        return self.sittings[self.seat] if self.seat is not None else None

    @property
    def has_accepted(self) -> bool:
        """Whether the next hand has its Player/Dealer."""
        return self.turn.has_accepted

    @property
    def open_offer(self) -> Offer | None:
        """The offer that was answered by an acceptance, or waits for an answer."""
        return self.offers[-1] if self.turn.is_offered else None

    @property
    def waits_because(self) -> str:
        """Why no hand can begin, in words; empty where somebody is being asked or has accepted."""
        if self.seat is not None:
            return ""
        if any(not offer.skipped for offer in self.offers):
            return _("Waiting for a bank: nobody accepted it in this round. Offer it again.")
        return _("Waiting for a bank: nobody at the table may take it now.")

    @property
    def minutes_left(self) -> int | None:
        """Whole minutes until a timed game ends, begun ones counted; ``None`` where none runs."""
        return None if self.due_at is None else max(math.ceil((self.due_at - self.now) / timedelta(minutes=1)), 0)


def bank_turn(session: TableSession, now: datetime, *, anew: bool = False) -> BankTurn:
    """Where the offer of the bank stands, worked out from the rows; with ``anew`` as it would after one more round began."""
    sittings = {sitting.seat.number: sitting for sitting in _seated(session, now) if sitting.seat}
    stacks = balances_of([sitting.stack_id for sitting in sittings.values()])
    candidates = [candidate_of(each, number, stacks[each.stack_id]) for number, each in sittings.items()]
    held = last_hands(session)
    offers = offers_of_next_hand(session)
    number = offers[-1].round if offers else 1
    if anew:
        offers, number = [], number + 1
    barred = barred_seats(candidates, held, limit=bank_limit(session), is_timed=session.rotation_pack)
    turn = turn_of(session, candidates, barred, offers)
    passed_by = [(offer.seat, Skip(offer.skipped)) for offer in offers if offer.skipped]
    return BankTurn(
        hand_number=session.hands_dealt + 1,
        round=number,
        turn=turn,
        sittings=sittings,
        offers=offers,
        passes_by=[*passed_by, *turn.passes_by],
        holder=held[0].seat if held else None,
        hands_in_a_row=hands_in_a_row(held),
        limit=bank_limit(session),
        in_use=offers_in_use(session, offers),
        now=now,
        due_at=rotation_due(session),
    )


def player_dealer_seat(session: TableSession, hand: Hand | None, now: datetime) -> int | None:
    """Whose the bank is: of the hand that is out, or who accepted that of the next; with no offers in use, whose it was last."""
    if hand is not None:
        return hand.button_seat
    turn = bank_turn(session, now)
    if not turn.in_use:
        return session.button_seat
    return turn.seat if turn.has_accepted else None


def turn_of(
    session: TableSession, candidates: Collection[Candidate], barred: dict[int, Skip], offers: Sequence[Offer]
) -> Turn:
    """Where a round of offers stands. It begins at the seat that has the bank: for its second hand that comes first."""
    first_seat = session.button_seat or min((each.seat for each in candidates), default=1)
    passed = [Passed(each.seat, each.sitting_id, each.skipped, each.accepts) for each in offers]
    return next_turn(first_seat, candidates, barred, passed)


def offers_of_next_hand(session: TableSession) -> list[Offer]:
    """The offers of the last round for the hand that has not begun yet, in the order they were made."""
    offers = [Offer(*row) for row in _OFFERS(session.pk)]
    return [offer for offer in offers if offer.round == offers[-1].round]


def offers_in_use(session: TableSession, offers: Sequence[Offer]) -> bool:
    """Whether the next hand goes by its offers: where the session asks for them, or the room has begun to make them."""
    return session.offers_required or session.rotation_pack or bool(offers)


def last_hands(session: TableSession) -> list[Held]:
    """The last settled hands of a session, newest first: as many as the limit counts."""
    rows = _last_hands(bank_limit(session))(session.pk)
    return [Held(seat, provider or "", frozenset({seat, *spots})) for seat, provider, spots in rows]


def bank_limit(session: TableSession) -> int:
    """For how many hands in a row a seat may hold the bank (PG-02)."""
    return int(session.rules.parameters.get("max_consecutive_banks", _LIMIT))


def candidate_of(sitting: Sitting, seat: int, stack_cents: int) -> Candidate:
    """Somebody in a seat, as far as the bank goes."""
    return Candidate(
        seat,
        sitting.pk,
        provider=sitting.patron.provider,
        is_absent=sitting.absent_at is not None,
        has_chips=stack_cents > 0,
    )


def _seated(session: TableSession, now: datetime) -> list[Sitting]:
    """The seated, without those who may not play at all; nobody at the table is told of them."""
    seated = _SEATED(session.pk)
    restricted = restrictions_of([sitting.patron for sitting in seated], session.table.room, now)
    barred = {restriction.patron_id for restriction in restricted}
    return [sitting for sitting in seated if sitting.patron_id not in barred]


def rotation_due(session: TableSession) -> datetime | None:
    """When a timed game ends unless another person banks; ``None`` without the timing, and before the first hand."""
    if not session.rotation_pack:
        return None
    banked = HandSeat.objects.filter(hand__session=session, hand__status__in=COUNTED, number=F("hand__button_seat"))
    first_hand_at = banked.aggregate(first=Min("hand__started_at"))["first"]
    if first_hand_at is None:
        return None
    own = banked.filter(sitting__patron__provider="").values("sitting__patron").annotate(at=Max("hand__started_at"))
    return rotation_due_at(first_hand_at, list(own.order_by("-at").values_list("at", flat=True)[:PEOPLE_TO_BANK]))
