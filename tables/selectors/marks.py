"""What was marked in a hand that is out: who has set, declared, surrendered, asked for the house way, or run out of time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from tables.models import Hand, HandEvent
from tables.models.rooms import Game

Kind = HandEvent.Kind

SET = (Kind.SET, Kind.SET_BY_CLOCK)
ANNOUNCEMENTS = (Kind.DECLARED, Kind.SURRENDERED, Kind.HOUSE_WAY)


@dataclass(slots=True)
class SeatMarks:
    """How things stand at a seat or position.

    ``set_as`` says how the hand was set, ``set_at`` since when; ``announced`` what was said of it, with the automatic win in
    ``declares``. ``time_until`` is when the time that floor has called runs out.
    """

    seat: int
    set_as: str = ""
    set_at: datetime | None = None
    announced: str = ""
    declares: str = ""
    has_left: bool = False
    time_until: datetime | None = None

    @property
    def is_set(self) -> bool:
        """Whether the hand is set, by its player or for them."""
        return bool(self.set_as)

    def has(self, kind: str) -> bool:
        """Whether a mark stands and could be taken back."""
        return bool(kind) and (kind in (self.set_as, self.announced) or (kind == Kind.LEFT and self.has_left))

    def add(self, event: HandEvent) -> None:
        """Take in the next event of the seat."""
        if event.kind == Kind.WITHDRAWN:
            self._take_back(event.value)
        elif event.kind in SET:
            self.set_as, self.set_at, self.time_until = event.kind, event.at, None
        elif event.kind in ANNOUNCEMENTS:
            self.announced, self.declares = event.kind, event.value
        elif event.kind == Kind.LEFT:
            self.has_left = True
        else:
            self.time_until = event.expires_at

    def _take_back(self, kind: str) -> None:
        if kind in SET:
            self.set_as, self.set_at = "", None
        elif kind in ANNOUNCEMENTS:
            self.announced, self.declares = "", ""
        else:
            self.has_left = False


def marks_of(hand: Hand) -> dict[int, SeatMarks]:
    """The marks of a hand by seat or position; of a seat that nothing was marked for there are none."""
    return marks_from(hand.events.order_by("pk"))


def marks_from(events: Iterable[HandEvent]) -> dict[int, SeatMarks]:
    """The marks that a hand's events, in their order, come to."""
    marks: dict[int, SeatMarks] = {}
    for event in events:
        marks.setdefault(event.seat, SeatMarks(event.seat)).add(event)
    return marks


def seats_to_set(hand: Hand) -> list[int]:
    """The seats or positions whose hands are marked as they are set, in order.

    In Pai Gow Poker those with a wager; the Player/Dealer's own is set after it was opened, so it is not among them (PG-23).
    """
    if hand.session.table.game == Game.CHINESE_POKER:
        return list(hand.seats.order_by("number").values_list("number", flat=True))
    return list(hand.wagers.order_by("position").values_list("position", flat=True).distinct())


def not_set(seats: Sequence[int], marks: Mapping[int, SeatMarks]) -> list[int]:
    """The seats that nobody has marked as set."""
    return [seat for seat in seats if seat not in marks or not marks[seat].is_set]
