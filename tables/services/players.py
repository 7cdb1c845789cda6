"""Who plays the next hand, who has the button, and who is new at the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db.models import Exists, F, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.errors import Malformed, Refusal
from ledger.rows import Composed, ComposedModels, update
from tables.models import Hand, HandSeat, Restriction, Sitting, TableSession
from tables.models.rooms import SEATS, Game
from tables.selectors.restrictions import restrictions_of
from tables.selectors.schedules import able_to_pay


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who is dealt in: their seat, and what they play with in cents before the collection.

    That is the chips in front of them and the money behind (CP-61).
    """

    sitting: Sitting
    number: int
    stack_cents: int


_IN_SEATS = ComposedModels(
    lambda session_id: (
        Sitting.objects.filter(session=session_id, ended_at__isnull=True, seat__isnull=False)
        .select_related("seat", "patron")
        .annotate(stack_cents=F("stack__balance__balance_cents"))
        .annotate(was_restricted=Exists(Restriction.objects.filter(patron=OuterRef("patron"), lift__isnull=True)))
        .order_by("seat__number")
    )
)


def players_of(session: TableSession) -> list[Player]:
    """The seated with chips to play for, in seat order. Raises ``Refusal`` with fewer than two of them.

    Who is barred or self-restricted is left out, in Chinese Poker also who is absent. In Pai Gow Poker the spot of
    somebody absent goes on for the wagers of others.
    """
    chinese = session.table.game == Game.CHINESE_POKER
    sittings = [sitting for sitting in _IN_SEATS(session.pk) if not (chinese and sitting.absent_at)]
    if any(sitting.was_restricted for sitting in sittings):
        patrons = [sitting.patron for sitting in sittings]
        restricted = {each.patron_id for each in restrictions_of(patrons, session.table.room, timezone.now())}
        sittings = [sitting for sitting in sittings if sitting.patron_id not in restricted]
    stacks = {sitting.stack_id: sitting.stack_cents for sitting in sittings}
    stacks_by_sitting = {sitting.pk: stacks[sitting.stack_id] for sitting in sittings}
    able = (
        able_to_pay(session, stacks_by_sitting) if chinese else {pk for pk, cents in stacks_by_sitting.items() if cents}
    )
    players = [
        Player(sitting, sitting.seat.number, stacks[sitting.stack_id] + sitting.money_behind_cents)
        for sitting in sittings
        if sitting.seat is not None and sitting.pk in able
    ]
    if len(players) < 2:
        raise Refusal(
            "too-few-players", _("A hand needs two players with chips. Seat them and buy them in."), status=409
        )
    return players


def button_of(session: TableSession, players: Sequence[Player], asked: int | None) -> int:
    """The seat that has the button in the next hand of Chinese Poker. ``asked`` is the first one, as the dealer named it.

    Raises ``Malformed`` for a seat nobody plays in, and ``Refusal`` for naming what moves by itself (CP-66).
    """
    seats = [player.number for player in players]
    if session.button_seat is not None:
        if asked not in (None, session.button_seat):
            message = _("The button moves one seat after each settled hand.")
            raise Refusal("button-moves-by-itself", message, rule="CP-66")
        return session.button_seat
    if asked is not None and asked not in seats:
        message = _("Nobody in play sits in seat %(number)s.") % {"number": asked}
        raise Malformed("out-of-range", message, fields={"button_seat": message})
    return seats[0] if asked is None else asked


def first_hand_seat(button: int, players: Iterable[Player]) -> int:
    """The seat that is delivered the first hand: the first one clockwise of the button that is not a new player's.

    Where all are new, the rule gives way (CP-62).
    """
    is_new = {player.number: player.sitting.is_new for player in players}
    around = clockwise(button, SEATS[Game.CHINESE_POKER])
    return _first(around, [lambda seat: is_new.get(seat) is False, is_new.__contains__])


def clockwise(seat: int, seats: int) -> list[int]:
    """All seats of a table clockwise from the one after ``seat``, which comes last."""
    return [(seat - 1 + step) % seats + 1 for step in range(1, seats + 1)]


def _first(seats: Sequence[int], wishes: Iterable[Callable[[int], bool]]) -> int:
    """The first seat that grants the first wish that any seat grants; the last seat where none does."""
    return next((seat for wish in wishes for seat in seats if wish(seat)), seats[-1])


class Seated(NamedTuple):
    """Somebody in a seat while a hand ends. ``in_hand`` says whether they were dealt in."""

    number: int
    sitting_id: UUID
    stack_id: UUID
    is_new: bool
    is_absent: bool
    money_behind_cents: int
    in_hand: bool


_SEATED = Composed(
    lambda session_id, hand_id: (
        Sitting.objects.filter(session=session_id, ended_at__isnull=True, seat__isnull=False)
        .annotate(in_hand=Exists(HandSeat.objects.filter(hand=hand_id, sitting=OuterRef("pk"))))
        .values_list("seat__number", "pk", "stack_id", "is_new", "absent_at", "money_behind_cents", "in_hand")
    ),
    ids=2,
)


def seated_at_the_end(hand: Hand) -> list[Seated]:
    """Everybody in a seat, read when a hand ends."""
    return [
        Seated(number, sitting, stack, is_new, absent_at is not None, behind, in_hand)
        for number, sitting, stack, is_new, absent_at, behind, in_hand in _SEATED(hand.session_id, hand.pk)
    ]


def move_on(hand: Hand, seated: Sequence[Seated]) -> None:
    """After a settled hand nobody who was in it is new any more, and the button moves (CP-62, CP-66).

    It goes clockwise to the next player in a seat who is neither new nor absent; where all others are new, the rule gives
    way, and it rests where nobody is there to take it.
    """
    known = [each.sitting_id for each in seated if each.is_new and each.in_hand]
    if known:
        Sitting.objects.filter(pk__in=known).update(is_new=False)
    session = hand.session
    present = {each.number: each.is_new and not each.in_hand for each in seated if not each.is_absent}
    around = clockwise(hand.button_seat, SEATS[session.table.game])
    session.button_seat = _first(around, [lambda seat: present.get(seat) is False, present.__contains__])
    update(session, "button_seat")


def move_back(hand: Hand) -> None:
    """After a settled hand became a misdeal the button is where it was, and who had played no other hand is new again."""
    session = hand.session
    session.button_seat = hand.button_seat
    update(session, "button_seat")
    first = session.hands.order_by("number").values_list("started_at", flat=True)[:1]
    settled = HandSeat.objects.filter(hand__status=Hand.Status.SETTLED, sitting=OuterRef("pk")).exclude(hand=hand)
    in_hand = hand.seats.values("sitting")
    late = Sitting.objects.filter(~Exists(settled), pk__in=in_hand, started_at__gt=first)
    late.update(is_new=True)


def check_may_have_button(session: TableSession, number: int) -> None:
    """Raise ``Refusal`` for a new player's seat while somebody else could have the button (CP-62)."""
    seated = session.sittings.filter(ended_at__isnull=True, seat__isnull=False)
    if not seated.filter(seat__number=number, is_new=True).exists():
        return
    if seated.filter(is_new=False, absent_at__isnull=True).exists():
        message = _("Who sits in seat %(number)s is new and gets the button after a hand.") % {"number": number}
        raise Refusal("new-player", message, rule="CP-62", fields={"seat": message})
