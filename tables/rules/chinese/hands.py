"""What each seat's hand counts as: regular, an automatic win, fouled or surrendered (CP-02, CP-20, CP-27, CP-31)."""

from collections.abc import Sequence
from typing import NamedTuple

from tables.rules.chinese.naturals import bears
from tables.rules.chinese.parameters import Terms
from tables.rules.chinese.record import Seat
from tables.rules.ranking import FIVE_RANKERS, describe, rank_front

REGULAR = "regular"
AUTOMATIC_WIN = "automatic-win"
FOUL = "foul"
SURRENDERED = "surrendered"

# The strength of a segment that has the wrong number of cards, or was not set.
UNRANKED = -1

_NOT_SET = (UNRANKED, UNRANKED, UNRANKED)
NO_BONUSES = (0, 0, 0)


class Hand(NamedTuple):
    """A seat's hand after judgement.

    ``natural`` is the automatic win that counts, ``fouls`` the codes in order; ``strengths`` are those of front, middle
    and back, and ``bonuses`` the points each of the three holds, whether it wins them or not (CP-14).
    """

    seat: int
    status: str
    natural: str | None
    fouls: tuple[str, ...]
    is_set: bool
    strengths: tuple[int, int, int]
    bonuses: tuple[int, int, int]


def in_words(strength: int) -> str | None:
    """What a segment makes, in words; ``None`` for one of the wrong size."""
    return None if strength == UNRANKED else describe(strength)


def judge_seats(seats: Sequence[Seat], terms: Terms) -> list[Hand]:
    """Judge every hand of a record."""
    surrendered = sum([seat.surrenders for seat in seats])
    return [judge(seat, terms, opponent_surrendered=surrendered > seat.surrenders) for seat in seats]


def judge(seat: Seat, terms: Terms, *, opponent_surrendered: bool) -> Hand:
    """Judge one hand of thirteen cards.

    ``opponent_surrendered`` makes a false declaration void where the rules say so, and the hand plays as set (CP-27).
    """
    is_set = seat.segments is not None
    strengths = segment_strengths(*seat.segments, terms) if seat.segments is not None else _NOT_SET
    front, middle, back = strengths
    front_bonuses, middle_bonuses, back_bonuses = terms.bonuses
    bonuses = (
        front_bonuses.get(front >> 20, 0),
        middle_bonuses.get(middle >> 20, 0),
        back_bonuses.get(back >> 20, 0),
    )
    if seat.surrenders:
        return Hand(seat.number, SURRENDERED, None, (), is_set, strengths, bonuses)
    is_void = is_set and opponent_surrendered and terms.false_declaration_void_on_surrender
    natural = _natural(seat, terms, falls_back=is_void)
    if natural is not None:
        return Hand(seat.number, AUTOMATIC_WIN, natural, (), is_set, strengths, bonuses)
    fouls = setting_fouls(strengths, terms) if is_set else ()
    if seat.declares is not None and not is_void:
        fouls = (*fouls, "false-declaration")
    return Hand(seat.number, FOUL if fouls else REGULAR, None, fouls, is_set, strengths, bonuses)


def _natural(seat: Seat, terms: Terms, *, falls_back: bool) -> str | None:
    """The automatic win that counts: the one declared, or the best where it need not be declared (CP-20, CP-27).

    ``falls_back`` says that a false declaration is as good as none.
    """
    if seat.declares is not None:
        if bears(seat.declares, seat.cards):
            return seat.declares
        if not falls_back:
            return None
    if terms.naturals_optional:
        return None
    cards = seat.cards
    return next((kind for kind in terms.naturals if bears(kind, cards)), None)


def segment_strengths(
    front: Sequence[int], middle: Sequence[int], back: Sequence[int], terms: Terms
) -> tuple[int, int, int]:
    """The strengths of three segments, ``UNRANKED`` for one that has not its number of cards (RK-01 to RK-04)."""
    rank_five = FIVE_RANKERS[terms.wheel]
    return (
        rank_front(front) if len(front) == 3 else UNRANKED,
        rank_five(middle) if len(middle) == 5 else UNRANKED,
        rank_five(back) if len(back) == 5 else UNRANKED,
    )


def setting_fouls(strengths: tuple[int, int, int], terms: Terms) -> tuple[str, ...]:
    """The fouls of a setting, in the order of the codes: sizes, front against middle, middle against back (CP-31)."""
    front, middle, back = strengths
    if UNRANKED in strengths:
        return ("segment-size",)
    fouls: tuple[str, ...] = ("front-beats-middle",) if front > middle else ()
    if middle > back:
        return (*fouls, "middle-beats-back")
    if middle == back and not terms.middle_may_equal_back:
        return (*fouls, "middle-equals-back")
    return fouls
