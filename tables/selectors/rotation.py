"""Whose turn it is to be Player/Dealer: clockwise, and for at most so many hands in a row (PG-02, PG-03, PG-51). Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tables.models import BankOffer
from tables.models.rooms import SEATS, Game

POSITIONS = SEATS[Game.PAI_GOW_POKER]
Skip = BankOffer.Skip

# What the timed rotation asks for: so many people other than a provider's in any so long.
PEOPLE_TO_BANK = 2
ROTATION = timedelta(minutes=40)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody in a seat. ``provider`` is the third-party provider whose player they are, empty for everybody else."""

    seat: int
    sitting_id: object
    provider: str = ""
    is_absent: bool = False
    has_chips: bool = True


@dataclass(frozen=True, slots=True)
class Held:
    """A settled hand: who was Player/Dealer, and the spots that had a part in it, the Player/Dealer's own among them."""

    seat: int
    provider: str
    spots: frozenset[int]


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat that the offer has come to in this round: passed by, or asked with this answer; ``None`` while it is out."""

    seat: int
    sitting_id: object
    skipped: str = ""
    accepts: bool | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """Where the offer stands: the seat that has accepted, or the one whose turn it is, after those passed by on the way.

    With neither the table waits. ``is_offered``: the seat has been asked already.
    """

    seat: int | None = None
    has_accepted: bool = False
    is_offered: bool = False
    passes_by: tuple[tuple[int, Skip], ...] = ()


def hands_in_a_row(held: Sequence[Held]) -> int:
    """For how many of the settled hands, newest first, the last Player/Dealer's seat has held the bank without a break."""
    return next((count for count, hand in enumerate(held) if hand.seat != held[0].seat), len(held))


def barred_seats(
    candidates: Collection[Candidate], held: Sequence[Held], *, limit: int, is_timed: bool
) -> dict[int, Skip]:
    """The seats that may not take the next bank, with the reason. ``held`` are the settled hands, newest first.

    The limit is the seat's, whoever sits there or is a partner (PG-51). A spot without a wager in the hand before is barred
    (PG-03) as long as a spot that had one is left to take the bank: else nobody could, as at the first hand.
    ``is_timed``: a provider does not take the turn after its own, either.
    """
    barred: dict[int, Skip] = {}
    for each in candidates:
        if held and each.seat == held[0].seat and hands_in_a_row(held) >= limit:
            barred[each.seat] = Skip.LIMIT
        elif each.is_absent:
            barred[each.seat] = Skip.ABSENT
        elif not each.has_chips:
            barred[each.seat] = Skip.NO_CHIPS
        elif is_timed and each.provider and held and _is_anothers_turn(each, held[0]):
            barred[each.seat] = Skip.PROVIDER
    left = {each.seat for each in candidates} - barred.keys()
    if held and left & held[0].spots:
        barred |= dict.fromkeys(left - held[0].spots, Skip.NO_WAGER)
    return barred


def _is_anothers_turn(candidate: Candidate, last: Held) -> bool:
    """Whether the provider had the last turn: in the same seat the turn may go on, elsewhere it would be the next one."""
    return candidate.provider == last.provider and candidate.seat != last.seat


def next_turn(
    first_seat: int, candidates: Collection[Candidate], barred: Mapping[int, Skip], passed: Sequence[Passed]
) -> Turn:
    """Where the offer stands in a round that begins at ``first_seat``, after what has ``passed`` in it.

    An offer, and an acceptance, ends when its person leaves the seat or may not take the bank any more.
    """
    ring = [(first_seat - 1 + step) % POSITIONS + 1 for step in range(POSITIONS)]
    there = {each.seat: each.sitting_id for each in candidates}
    if passed:
        last = passed[-1]
        stands = not last.skipped and there.get(last.seat) == last.sitting_id and last.seat not in barred
        if stands and last.accepts is not False:
            return Turn(last.seat, has_accepted=last.accepts is True, is_offered=True)
        ring = ring[ring.index(last.seat) + 1 :]
    passes_by: list[tuple[int, Skip]] = []
    for seat in (seat for seat in ring if seat in there):
        if seat not in barred:
            return Turn(seat, passes_by=tuple(passes_by))
        passes_by.append((seat, barred[seat]))
    return Turn(passes_by=tuple(passes_by))


def rotation_due_at(first_hand_at: datetime, last_turns: Sequence[datetime]) -> datetime:
    """When the game ends unless somebody else has banked by then.

    ``last_turns``: for each person other than a provider's the start of the last hand they banked, newest first.
    """
    enough = len(last_turns) >= PEOPLE_TO_BANK
    return (last_turns[PEOPLE_TO_BANK - 1] if enough else first_hand_at) + ROTATION
