"""Who plays the next hand, and who has the button."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from casino.errors import Malformed, Refusal
from ledger.rows import Composed, update
from ledger.selectors import balances_of
from tables.models import Hand, Sitting, TableSession
from tables.models.rooms import SEATS, Game

_OCCUPIED = Composed(
    lambda session_id: Sitting.objects.filter(
        session=session_id, ended_at__isnull=True, seat__isnull=False
    ).values_list("seat__number")
)


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who is dealt in: their seat, and the chips in front of them in cents before the collection."""

    sitting: Sitting
    number: int
    stack_cents: int


def players_of(session: TableSession) -> list[Player]:
    """The seated with chips to play for, in seat order. Raises ``Refusal`` with fewer than two of them."""
    seated = list(
        session.sittings.filter(ended_at__isnull=True, seat__isnull=False)
        .select_related("seat", "patron")
        .order_by("seat__number")
    )
    stacks = balances_of([sitting.stack_id for sitting in seated])
    chinese = session.table.game == Game.CHINESE_POKER
    least = session.collection_cents if chinese else 0
    players = [
        Player(sitting, sitting.seat.number, stacks[sitting.stack_id])
        for sitting in seated
        if sitting.seat is not None and stacks[sitting.stack_id] > least
    ]
    if len(players) < 2:
        raise Refusal(
            "too-few-players", _("A hand needs two players with chips. Seat them and buy them in."), status=409
        )
    return players


def button_of(session: TableSession, players: Sequence[Player], asked: int | None) -> int:
    """The seat that has the button, or the bank, in the next hand. ``asked`` is the seat that the dealer named.

    Raises ``Malformed`` for a seat nobody plays in, ``Refusal`` for naming what moves by itself (CP-66) and for a bank
    that nobody holds (PG-02).
    """
    seats = [player.number for player in players]
    chinese = session.table.game == Game.CHINESE_POKER
    if asked is not None and (session.button_seat is None or not chinese):
        if asked not in seats:
            message = _("Nobody in play sits in seat %(number)s.") % {"number": asked}
            raise Malformed("out-of-range", message, fields={"button_seat": message})
        return asked
    if asked is not None and asked != session.button_seat:
        raise Refusal("button-moves-by-itself", _("The button moves one seat after each settled hand."), rule="CP-66")
    if session.button_seat is None:
        return seats[0]
    if not chinese and session.button_seat not in seats:
        raise Refusal(
            "no-player-dealer", _("Offer the bank: nobody sits in the Player/Dealer's position."), rule="PG-02"
        )
    return session.button_seat


def move_button(hand: Hand) -> None:
    """One seat clockwise to the next player in a seat; it rests where nobody else is there to take it (CP-66)."""
    session = hand.session
    occupied = {seat for (seat,) in _OCCUPIED(session.pk)}
    seats = SEATS[session.table.game]
    clockwise = [(hand.button_seat - 1 + step) % seats + 1 for step in range(1, seats + 1)]
    session.button_seat = next((seat for seat in clockwise if seat in occupied), hand.button_seat)
    update(session, "button_seat")
