"""What becomes of each hand on the table: set, set the house way, fouled or reset, and what it makes in words."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from tables.rules.joker import rank_five_with_joker, rank_front_with_joker
from tables.rules.paigow.house_way import set_by_chart
from tables.rules.paigow.parameters import Terms
from tables.rules.paigow.record import HAND_SIZE, Hand
from tables.rules.ranking import describe

FRONT_SIZE = 2
BACK_SIZE = 5

FRONT_BEATS_BACK = "front-beats-back"
SEGMENT_SIZE = "segment-size"
CARD_SWITCHING_FOUL = "card-switching"

SET = "set"
HOUSE_WAY = "house-way"
FOUL = "foul"
RESET_HOUSE_WAY = "reset-house-way"

STATUS_RULES = {SET: "PG-20", HOUSE_WAY: "PG-22", FOUL: "PG-21", RESET_HOUSE_WAY: "PG-46"}
"""The rule that gives a hand its status."""


class Arranged(NamedTuple):
    """A hand as it counts. Segments are ``None`` in a fouled pile; ``row`` is the line of the house way that set it.

    ``strengths`` are those of front and back, ``None`` where these have not two and five cards.
    """

    position: int
    status: str
    front: tuple[int, ...] | None
    back: tuple[int, ...] | None
    strengths: tuple[int, int] | None
    fouls: tuple[str, ...]
    row: str | None


def arrange(hand: Hand, terms: Terms, *, switched: bool, is_player_dealer: bool) -> Arranged:
    """How a hand counts: as set, as the house way sets it (PG-22), or as a foul (PG-21).

    ``switched`` says that its cards were switched, passed or held out. The Player/Dealer's own hand never stands as a
    foul: it is reset the house way (PG-46). A hand of the wrong number of cards must have been dealt with before,
    except a player's that fouls for it.
    """
    front, back = hand.segments or (None, None)
    strengths = None if front is None or back is None else segment_strengths(front, back, terms)
    fouls = _fouls_of_hand(hand, strengths, switched)
    if fouls and not is_player_dealer:
        return Arranged(hand.position, FOUL, front, back, strengths, fouls, None)
    if front is not None and not fouls:
        return Arranged(hand.position, SET, front, back, strengths, (), None)
    setting = set_by_chart(terms.chart, hand.cards, terms.joker, terms.wheel)
    status = RESET_HOUSE_WAY if fouls else HOUSE_WAY
    strengths = segment_strengths(setting.front, setting.back, terms)
    return Arranged(hand.position, status, setting.front, setting.back, strengths, fouls, setting.row)


def segment_strengths(front: Sequence[int], back: Sequence[int], terms: Terms) -> tuple[int, int] | None:
    """Strengths of front and back; ``None`` where they have not two and five cards (RK-06 to RK-08)."""
    if len(front) != FRONT_SIZE or len(back) != BACK_SIZE:
        return None
    return rank_front_with_joker(front, terms.joker), rank_five_with_joker(back, terms.joker, terms.wheel)


def segment_fouls(front: Sequence[int], back: Sequence[int], terms: Terms) -> tuple[str, ...]:
    """The fouls in the way a hand is set: its segments' sizes, or a front that outranks the back (PG-20, PG-21)."""
    return _fouls_of_strengths(segment_strengths(front, back, terms))


def _fouls_of_strengths(strengths: tuple[int, int] | None) -> tuple[str, ...]:
    if strengths is None:
        return (SEGMENT_SIZE,)
    front, back = strengths
    return (FRONT_BEATS_BACK,) if front > back else ()


def front_in_words(front: Collection[int] | None, terms: Terms) -> str | None:
    """What a front makes, ``king-nine``; nothing for one that has not two cards."""
    if front is None or len(front) != FRONT_SIZE:
        return None
    return describe(rank_front_with_joker(tuple(front), terms.joker))


def back_in_words(back: Collection[int] | None, terms: Terms) -> str | None:
    """What a back makes, ``two pair: aces and nines``; nothing for one that has not five cards."""
    if back is None or len(back) != BACK_SIZE:
        return None
    return describe(rank_five_with_joker(tuple(back), terms.joker, terms.wheel), royal=True)


def arranged_in_words(hand: Arranged, terms: Terms) -> tuple[str | None, str | None]:
    """What front and back of a hand make."""
    if hand.strengths is None:
        return front_in_words(hand.front, terms), back_in_words(hand.back, terms)
    front, back = hand.strengths
    return describe(front), describe(back, royal=True)


def _fouls_of_hand(hand: Hand, strengths: tuple[int, int] | None, switched: bool) -> tuple[str, ...]:
    is_pile_of_seven = hand.segments is None and hand.card_count == HAND_SIZE
    fouls = () if is_pile_of_seven else _fouls_of_strengths(strengths)
    return (*fouls, CARD_SWITCHING_FOUL) if switched else fouls
