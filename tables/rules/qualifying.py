"""Which hands of a record qualify for something, by what they make in a segment; and which of several is the highest (CP-63)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tables.rules.cards import RANKS
from tables.rules.chinese.hands import FOUL, SURRENDERED, judge_seats
from tables.rules.chinese.parameters import SEGMENTS, terms_of
from tables.rules.chinese.record import ChineseRecord
from tables.rules.faults import OUT_OF_RANGE, InvalidRecord, Keys, Reader
from tables.rules.paigow.hands import FOUL as PAI_GOW_FOUL
from tables.rules.paigow.settling import settle
from tables.rules.ranking import ACE, Category, pack
from tables.rules.record import Record
from tables.rules.rulesets import CHINESE_POKER

ROYAL_FLUSH = "royal-flush"
CATEGORIES = {category.name.lower().replace("_", "-"): category for category in Category} | {
    ROYAL_FLUSH: Category.STRAIGHT_FLUSH
}
PAI_GOW_SEGMENTS = ("front", "back")
MOST_CLASSES = 20
_KEYS = Keys(("segment", "category"), ("min_ranks",))


class QualifyingClass(NamedTuple):
    """A segment and the least that it has to make: a category, with ``min_ranks`` such as ``KQ`` for kings over queens."""

    segment: str
    least: int


class Qualified(NamedTuple):
    """A hand that qualifies: its seat or position, and the strength that counts."""

    place: int
    strength: int


def read_classes(game: str, data: Sequence[Any]) -> list[QualifyingClass]:
    """Qualifying classes from data. Raises ``InvalidRecord`` with every fault by its path."""
    reader = Reader(list(data))
    if not 1 <= len(data) <= MOST_CLASSES:
        reader.fault("", OUT_OF_RANGE, f"Give at least one qualifying hand, and at most {MOST_CLASSES}.")
    segments = SEGMENTS if game == CHINESE_POKER else PAI_GOW_SEGMENTS
    classes = []
    for place, each in enumerate(data[:MOST_CLASSES]):
        fields = reader.fields(each, str(place), _KEYS)
        segment = fields.choice("segment", segments, OUT_OF_RANGE)
        name = fields.choice("category", tuple(CATEGORIES), OUT_OF_RANGE)
        ranks = _ranks(fields.values.get("min_ranks", ""))
        if ranks is None:
            fault = (
                "min_ranks are ranks such as A or KQ, those that make the hand first; correct them or leave them out."
            )
            fields.fault("min_ranks", OUT_OF_RANGE, fault)
        elif segment and name in CATEGORIES:
            least = (ACE,) if name == ROYAL_FLUSH else ranks
            classes.append(QualifyingClass(segment, pack(CATEGORIES[name], least)))
    if reader.faults:
        raise InvalidRecord(reader.faults)
    return classes


def _ranks(text: object) -> tuple[int, ...] | None:
    if not isinstance(text, str) or len(text) > 5 or any(rank not in RANKS for rank in text):
        return None
    return tuple(RANKS.index(rank) + 2 for rank in text)


def qualified(record: Record, classes: Sequence[QualifyingClass]) -> list[Qualified]:
    """The hands that stand and reach one of the classes, the highest first; of equal ones the lower place first."""
    found = []
    for place, strengths in _strengths(record):
        reached = [strengths[wanted.segment] for wanted in classes if strengths.get(wanted.segment, -1) >= wanted.least]
        if reached:
            found.append(Qualified(place, max(reached)))
    return sorted(found, key=lambda each: (-each.strength, each.place))


def _strengths(record: Record) -> Iterator[tuple[int, Mapping[str, int]]]:
    """The strengths of every hand that neither fouled nor surrendered, by segment."""
    if isinstance(record, ChineseRecord):
        for hand in judge_seats(record.seats, terms_of(record.rule_set)):
            if hand.status not in (FOUL, SURRENDERED):
                yield hand.seat, dict(zip(SEGMENTS, hand.strengths, strict=True))
        return
    for arranged, _outcome in settle(record).hands:
        if arranged.status != PAI_GOW_FOUL and arranged.strengths is not None:
            yield arranged.position, dict(zip(PAI_GOW_SEGMENTS, arranged.strengths, strict=True))
