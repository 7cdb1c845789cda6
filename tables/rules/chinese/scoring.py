"""Points between two hands, each explained by a line with its rule (CP-10 to CP-36)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from tables.rules.chinese.hands import FOUL, NO_BONUSES, REGULAR, SURRENDERED, Hand
from tables.rules.chinese.parameters import SEGMENTS, Terms
from tables.rules.text import canonical_json

_DRAGON = "dragon"

# Hands by the thousand come to a few hundred outcomes and explanations, so each is worked out and written down once.
# More than an evening has; an explanation takes about a kilobyte.
_OUTCOMES_KEPT = 8_192
_PAIRS_KEPT = 8_192


class Line(NamedTuple):
    """Points above 0 that ``seat`` gains from the other of a pair, and why; as it stands in the verdict."""

    kind: str
    seat: int
    segment: str | None
    points: int
    rule: str


@dataclass(frozen=True)
class Pair:
    """Two seats, the lower first. ``points``, the lower's gain, is what the lines add up to."""

    seats: tuple[int, int]
    points: int
    lines: tuple[Line, ...]

    @cached_property
    def text(self) -> str:
        """The pair as it stands in the verdict, in canonical JSON."""
        return canonical_json(self.to_data())

    def to_data(self) -> dict[str, Any]:
        """The pair as it stands in the verdict."""
        return {"seats": list(self.seats), "points": self.points, "lines": [line.copy() for line in self._lines_data]}

    @cached_property
    def _lines_data(self) -> list[dict[str, Any]]:
        return [line._asdict() for line in self.lines]


def score(hands: Sequence[Hand], terms: Terms) -> list[Pair]:
    """Every pair of the hands, which come in seat order."""
    super_seat = _super_bonus_seat(hands, terms)
    return [_compare(one, other, terms, super_seat) for one, other in combinations(hands, 2)]


def _compare(one: Hand, other: Hand, terms: Terms, super_seat: int) -> Pair:
    if one.status == REGULAR and other.status == REGULAR:
        return _regular_pair(one.seat, other.seat, *_outcome(one, other, terms), terms, super_seat)
    return _pair(one.seat, other.seat, tuple(_compare_irregular(one, other, terms, super_seat)))


@lru_cache(maxsize=_PAIRS_KEPT)
def _pair(seat: int, other_seat: int, lines: tuple[Line, ...]) -> Pair:
    points = sum(line.points if line.seat == seat else -line.points for line in lines)
    return Pair((seat, other_seat), points, lines)


def _compare_irregular(one: Hand, other: Hand, terms: Terms, super_seat: int) -> list[Line]:
    """Two hands of which one at least is an automatic win, fouled or surrendered."""
    if SURRENDERED in (one.status, other.status):
        return _compare_surrendered(one, other, terms)
    if one.natural is not None:
        return _compare_natural(one.seat, one.natural, other, terms)
    if other.natural is not None:
        return _compare_natural(other.seat, other.natural, one, terms)
    if one.status == other.status:
        return []  # CP-32
    return _collect_foul(one if other.status == FOUL else other, terms, super_seat)


def _compare_surrendered(one: Hand, other: Hand, terms: Terms) -> list[Line]:
    """CP-35, CP-36: a surrendered hand pays whoever neither surrendered nor fouled."""
    gainer = other if one.status == SURRENDERED else one
    if gainer.status in (SURRENDERED, FOUL) or terms.surrender_points is None:
        return []
    return [Line("surrender", gainer.seat, None, terms.surrender_points, "CP-35")]


def _compare_natural(seat: int, kind: str, other: Hand, terms: Terms) -> list[Line]:
    """An automatic win against any hand that was not surrendered (CP-22, CP-23, CP-33)."""
    if other.natural is not None:
        return _contest(seat, kind, other.seat, other.natural, terms)
    points = terms.naturals[kind]
    if other.status != FOUL:
        return [Line("automatic-win", seat, None, points, "CP-22")]
    if terms.foul_pays_larger and terms.foul_points > points:
        return [Line("foul", seat, None, terms.foul_points, "CP-33")]
    return [Line("automatic-win", seat, None, points, "CP-33")]


def _contest(seat: int, kind: str, other_seat: int, other_kind: str, terms: Terms) -> list[Line]:
    """CP-23: two automatic wins. Ranked, the higher collects; else only a dragon does, from any other kind."""
    if kind == other_kind:
        return []
    if terms.naturals_ranked:
        winner = next(name for name in terms.naturals if name in (kind, other_kind))
    elif _DRAGON in (kind, other_kind):
        winner = _DRAGON
    else:
        return []
    gainer = seat if winner == kind else other_seat
    return [Line("automatic-win", gainer, None, terms.naturals[winner], "CP-23")]


def _collect_foul(hand: Hand, terms: Terms, super_seat: int) -> list[Line]:
    """CP-30: a regular hand collects the foul points, or its super bonus, and every bonus its segments hold."""
    seat = hand.seat
    lines = []
    if seat == super_seat and terms.super_bonus_points is not None:
        lines.append(Line("super-bonus", seat, None, terms.super_bonus_points, "CP-13"))
    elif terms.foul_points:
        lines.append(Line("foul", seat, None, terms.foul_points, "CP-30"))
    collected = 0
    for segment, bonus in zip(SEGMENTS, hand.bonuses, strict=True):
        payable = _under_cap(bonus, collected, terms)
        collected += payable
        if payable:
            lines.append(Line("bonus", seat, segment, payable, "CP-30"))
    return lines


def _outcome(one: Hand, other: Hand, terms: Terms) -> list[int]:
    """Front, middle and back of two regular hands: 0 where they tie, else 1 and the bonus, doubled where it is over
    the same type (CP-16), of whoever wins; negative where the other does."""
    outcome = [
        (strength > weaker) - (strength < weaker)
        for strength, weaker in zip(one.strengths, other.strengths, strict=True)
    ]
    if one.bonuses != NO_BONUSES or other.bonuses != NO_BONUSES:
        for place, sign in enumerate(outcome):
            bonus = one.bonuses[place] if sign > 0 else other.bonuses[place]
            if terms.bonus_doubles_over_same and _same_type(one.strengths[place], other.strengths[place]):
                bonus *= 2
            outcome[place] += sign * bonus
    return outcome


def _same_type(strength: int, other_strength: int) -> bool:
    return strength >> 20 == other_strength >> 20


@lru_cache(maxsize=_OUTCOMES_KEPT)
def _regular_pair(
    seat: int, other_seat: int, front: int, middle: int, back: int, terms: Terms, super_seat: int
) -> Pair:
    """Two regular hands, segment against like segment, by their outcome (CP-10 to CP-17)."""
    lines: list[Line] = []
    outcomes = (front, middle, back)
    collected = {seat: 0, other_seat: 0}
    for segment, outcome in zip(SEGMENTS, outcomes, strict=True):
        if not outcome:
            continue
        winner = seat if outcome > 0 else other_seat
        bonus = _under_cap(abs(outcome) - 1, collected[winner], terms)
        if terms.bonus_replaces and bonus < terms.segment_points:
            bonus = 0  # Cut by the cap below the segment's own points it does not take their place (CP-15, CP-17).
        collected[winner] += bonus
        lines += _segment_lines(winner, segment, bonus, terms)
    wins = sum(outcome > 0 for outcome in outcomes)
    losses = sum(outcome < 0 for outcome in outcomes)
    if wins >= 2:
        lines += _total_lines(seat, wins, terms, super_seat)
    elif losses >= 2:
        lines += _total_lines(other_seat, losses, terms, super_seat)
    return _pair(seat, other_seat, tuple(lines))


def _under_cap(bonus: int, collected: int, terms: Terms) -> int:
    """A bonus as far as the cap leaves room for it, of which some is used already (CP-17)."""
    return bonus if terms.bonus_cap is None else min(bonus, terms.bonus_cap - collected)


def _segment_lines(seat: int, segment: str, bonus: int, terms: Terms) -> list[Line]:
    """A won segment: its points, its bonus, or both (CP-10, CP-14, CP-15)."""
    lines = []
    if terms.segment_points and not (bonus and terms.bonus_replaces):
        lines.append(Line("segment", seat, segment, terms.segment_points, "CP-10"))
    if bonus:
        lines.append(Line("bonus", seat, segment, bonus, "CP-14"))
    return lines


def _total_lines(seat: int, wins: int, terms: Terms, super_seat: int) -> list[Line]:
    """What winning two or three segments adds to the segments' own points (CP-11, CP-12, CP-13)."""
    lines = []
    if wins == 3:
        segments = 3 * terms.segment_points
        if seat == super_seat and terms.super_bonus_points is not None:
            kind, extra, rule = "super-bonus", terms.super_bonus_points - segments, "CP-13"
        else:
            kind, extra, rule = "sweep", terms.sweep_points - segments, "CP-12"
        if extra:
            lines.append(Line(kind, seat, None, extra, rule))
    if terms.majority_points:
        lines.append(Line("majority", seat, None, terms.majority_points, "CP-11"))
    return lines


def _super_bonus_seat(hands: Sequence[Hand], terms: Terms) -> int:
    """The seat that beats three opponents in all segments, or 0 (CP-13)."""
    if terms.super_bonus_points is None or len(hands) != 4:
        return 0
    regular = [hand for hand in hands if hand.status == REGULAR]
    fouled = sum(hand.status == FOUL for hand in hands) if terms.super_bonus_counts_fouls else 0
    if not regular or len(regular) + fouled != 4:
        return 0
    strongest = max(regular, key=_back_strength)
    return strongest.seat if all(hand is strongest or _is_swept(hand, strongest) for hand in regular) else 0


def _back_strength(hand: Hand) -> int:
    return hand.strengths[2]


def _is_swept(hand: Hand, by: Hand) -> bool:
    """Whether every segment loses to the other's."""
    front, middle, back = hand.strengths
    stronger_front, stronger_middle, stronger_back = by.strengths
    return front < stronger_front and middle < stronger_middle and back < stronger_back
