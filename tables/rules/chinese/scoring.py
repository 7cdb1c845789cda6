"""Points between two hands, each explained by a line with its rule (CP-10 to CP-36)."""

from collections.abc import Sequence
from typing import TypedDict

from tables.rules.chinese.hands import FOUL, REGULAR, SURRENDERED, Hand
from tables.rules.chinese.parameters import SEGMENTS, Terms

_DRAGON = "dragon"


class Line(TypedDict):
    """Points above 0 that a seat gains from the other of a pair, and why; as it stands in the verdict."""

    kind: str
    seat: int
    segment: str | None
    points: int
    rule: str


class Pair(TypedDict):
    """Two seats, the lower first, as they stand in the verdict. ``points``, the lower's gain, is what the lines add to."""

    seats: list[int]
    points: int
    lines: list[Line]


def _line(kind: str, seat: int, segment: str | None, points: int, rule: str) -> Line:
    return {"kind": kind, "seat": seat, "segment": segment, "points": points, "rule": rule}


def score(hands: Sequence[Hand], terms: Terms) -> list[Pair]:
    """Every pair of the hands, which come in seat order."""
    super_seat = _super_bonus_seat(hands, terms)
    pairs: list[Pair] = []
    for index, one in enumerate(hands, start=1):
        for other in hands[index:]:
            lines = _compare(one, other, terms, super_seat)
            points = 0
            for line in lines:
                points += line["points"] if line["seat"] == one.seat else -line["points"]
            pairs.append({"seats": [one.seat, other.seat], "points": points, "lines": lines})
    return pairs


def _compare(one: Hand, other: Hand, terms: Terms, super_seat: int) -> list[Line]:
    statuses = (one.status, other.status)
    if statuses == (REGULAR, REGULAR):
        return _compare_segments(one, other, terms, super_seat)
    if SURRENDERED in statuses:
        return _compare_surrendered(one, other, terms)
    if one.natural is not None:
        return _compare_natural(one.seat, one.natural, other, terms)
    if other.natural is not None:
        return _compare_natural(other.seat, other.natural, one, terms)
    if statuses == (FOUL, FOUL):
        return []  # CP-32
    return _collect_foul(one if other.status == FOUL else other, terms, super_seat)


def _compare_surrendered(one: Hand, other: Hand, terms: Terms) -> list[Line]:
    """CP-35, CP-36: a surrendered hand pays whoever neither surrendered nor fouled."""
    gainer = other if one.status == SURRENDERED else one
    if gainer.status in (SURRENDERED, FOUL) or terms.surrender_points is None:
        return []
    return [_line("surrender", gainer.seat, None, terms.surrender_points, "CP-35")]


def _compare_natural(seat: int, kind: str, other: Hand, terms: Terms) -> list[Line]:
    """An automatic win against any hand that was not surrendered (CP-22, CP-23, CP-33)."""
    if other.natural is not None:
        return _contest(seat, kind, other.seat, other.natural, terms)
    points = terms.naturals[kind]
    if other.status != FOUL:
        return [_line("automatic-win", seat, None, points, "CP-22")]
    if terms.foul_pays_larger and terms.foul_points > points:
        return [_line("foul", seat, None, terms.foul_points, "CP-33")]
    return [_line("automatic-win", seat, None, points, "CP-33")]


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
    return [_line("automatic-win", gainer, None, terms.naturals[winner], "CP-23")]


def _collect_foul(hand: Hand, terms: Terms, super_seat: int) -> list[Line]:
    """CP-30: a regular hand collects the foul points, or its super bonus, and every bonus its segments hold."""
    seat = hand.seat
    lines = []
    if seat == super_seat and terms.super_bonus_points is not None:
        lines.append(_line("super-bonus", seat, None, terms.super_bonus_points, "CP-13"))
    elif terms.foul_points:
        lines.append(_line("foul", seat, None, terms.foul_points, "CP-30"))
    left = terms.bonus_cap
    for segment, strength, bonuses in zip(SEGMENTS, hand.strengths, terms.bonuses, strict=True):
        bonus = bonuses.get(strength >> 20, 0)
        if left is not None:
            bonus = min(bonus, left)
            left -= bonus
        if bonus:
            lines.append(_line("bonus", seat, segment, bonus, "CP-30"))
    return lines


def _compare_segments(one: Hand, other: Hand, terms: Terms, super_seat: int) -> list[Line]:
    """Two regular hands, segment against like segment (CP-10 to CP-17)."""
    lines: list[Line] = []
    seat, other_seat = one.seat, other.seat
    points = terms.segment_points
    wins = other_wins = 0
    collected = {seat: 0, other_seat: 0}
    for segment, strength, weaker, bonuses in zip(SEGMENTS, one.strengths, other.strengths, terms.bonuses, strict=True):
        if strength > weaker:
            winner = seat
            wins += 1
        elif strength < weaker:
            winner = other_seat
            other_wins += 1
            strength, weaker = weaker, strength
        else:
            continue
        category = strength >> 20
        bonus = bonuses.get(category, 0)
        if bonus:
            bonus = _payable_bonus(bonus, weaker >> 20 == category, collected[winner], terms)
            collected[winner] += bonus
        # A bonus that the cap cut below the segment's own points does not take their place (CP-15, CP-17).
        if points and not (terms.bonus_replaces and bonus >= points):
            lines.append(_line("segment", winner, segment, points, "CP-10"))
            if terms.bonus_replaces:
                continue
        if bonus:
            lines.append(_line("bonus", winner, segment, bonus, "CP-14"))
    if wins >= 2:
        _add_totals(lines, seat, wins, terms, super_seat)
    elif other_wins >= 2:
        _add_totals(lines, other_seat, other_wins, terms, super_seat)
    return lines


def _payable_bonus(bonus: int, over_same: bool, collected: int, terms: Terms) -> int:
    """A bonus after doubling over the same type (CP-16) and under the cap, of which some is used already (CP-17)."""
    if over_same and terms.bonus_doubles_over_same:
        bonus *= 2
    return bonus if terms.bonus_cap is None else min(bonus, terms.bonus_cap - collected)


def _add_totals(lines: list[Line], seat: int, wins: int, terms: Terms, super_seat: int) -> None:
    """What winning two or three segments adds to the segments' own points (CP-11, CP-12, CP-13)."""
    if wins == 3:
        segments = 3 * terms.segment_points
        if seat == super_seat and terms.super_bonus_points is not None:
            kind, extra, rule = "super-bonus", terms.super_bonus_points - segments, "CP-13"
        else:
            kind, extra, rule = "sweep", terms.sweep_points - segments, "CP-12"
        if extra:
            lines.append(_line(kind, seat, None, extra, rule))
    if terms.majority_points:
        lines.append(_line("majority", seat, None, terms.majority_points, "CP-11"))


def _super_bonus_seat(hands: Sequence[Hand], terms: Terms) -> int:
    """The seat that beats three opponents in all segments, or 0 (CP-13)."""
    if terms.super_bonus_points is None or len(hands) != 4:
        return 0
    beatable = (REGULAR, FOUL) if terms.super_bonus_counts_fouls else (REGULAR,)
    for hand in hands:
        if hand.status == REGULAR:
            others = [other for other in hands if other is not hand]
            if all(other.status in beatable and _beats_all(hand, other) for other in others):
                return hand.seat
    return 0


def _beats_all(hand: Hand, other: Hand) -> bool:
    """Whether every segment wins; against a fouled hand it does."""
    if other.status == FOUL:
        return True
    front, middle, back = hand.strengths
    other_front, other_middle, other_back = other.strengths
    return front > other_front and middle > other_middle and back > other_back
