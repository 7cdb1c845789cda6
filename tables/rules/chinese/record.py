"""The hand record of Chinese Poker: reading it, and writing it in canonical form."""

from typing import Any, NamedTuple

from tables.rules.cards import cards_text
from tables.rules.chinese.parameters import SEGMENTS, Terms, terms_of
from tables.rules.faults import (
    CONFLICT,
    DUPLICATE_SEAT,
    MISSING,
    NOT_OFFERED,
    OUT_OF_RANGE,
    Fields,
    Keys,
    Reader,
    record_keys,
)
from tables.rules.rulesets import RuleSet

MAX_SEATS = 4
HAND_SIZE = 13
DEALER_EXPOSED = "dealer-exposed"
WRONG_SEAT = "wrong-seat"

_RECORD_KEYS = record_keys("point_value", "button", "seats")
_SEAT_KEYS = Keys(("seat", "stack"), (*SEGMENTS, "cards", "declares", "surrenders"))
_INCIDENT_KEYS = {DEALER_EXPOSED: Keys(("kind", "seat", "cards")), WRONG_SEAT: Keys(("kind", "seat", "set"))}
# Of an incident of an unknown kind whatever any has is let pass.
_ANY_INCIDENT_KEYS = Keys(("kind",), ("seat", "cards", "set"))
_MAX_INCIDENTS = 50

Cards = tuple[int, ...]


class Seat(NamedTuple):
    """A seat in play. ``pile`` holds the cards of a hand that was not set, else ``segments`` does.

    ``stack_cents`` ``None`` caps nothing.
    """

    number: int
    stack_cents: int | None
    pile: Cards
    segments: tuple[Cards, Cards, Cards] | None
    declares: str | None
    surrenders: bool

    @property
    def cards(self) -> Cards:
        """All cards of the hand, set or not."""
        if self.segments is None:
            return self.pile
        front, middle, back = self.segments
        return front + middle + back

    @property
    def card_count(self) -> int:
        """How many cards the hand has, set or not."""
        if self.segments is None:
            return len(self.pile)
        front, middle, back = self.segments
        return len(front) + len(middle) + len(back)


class Incident(NamedTuple):
    """An irregularity at a seat: cards the dealer exposed (CP-40), or a hand at the wrong player (CP-42)."""

    kind: str
    seat: int
    cards_exposed: int
    was_set: bool


class ChineseRecord(NamedTuple):
    """A hand of Chinese Poker as it lay on the table; seats in order of their numbers."""

    rule_set: RuleSet
    point_value_cents: int
    button: int
    seats: tuple[Seat, ...]
    incidents: tuple[Incident, ...]


def read(reader: Reader, rule_set: RuleSet) -> ChineseRecord:
    """Read a record. Faults are noted with the reader; the caller must ask it before using the result."""
    fields = reader.record(_RECORD_KEYS)
    point_value_cents = fields.cents("point_value", 1)
    button = fields.integer("button", 1, MAX_SEATS)
    terms = terms_of(rule_set)
    seats: dict[int, Seat] = {}
    for seat_fields in fields.objects("seats", 2, MAX_SEATS, _SEAT_KEYS):
        seat = _read_seat(seat_fields, terms)
        if seat.number in seats:
            seat_fields.fault("seat", DUPLICATE_SEAT, f"Seat {seat.number} is there twice; correct one of them.")
        elif seat.number:
            seats[seat.number] = seat
    incidents = _read_incidents(fields, seats) if "incidents" in fields else ()
    ordered = tuple(seats[number] for number in sorted(seats))
    return ChineseRecord(rule_set, point_value_cents, button, ordered, incidents)


def _read_seat(fields: Fields, terms: Terms) -> Seat:
    values = fields.values
    stack_cents = None if values.get("stack") is None else fields.cents("stack")
    surrenders = fields.boolean("surrenders", False)
    declares = None
    if values.get("declares") is not None:
        declares = fields.choice("declares", tuple(terms.naturals), NOT_OFFERED)
    if surrenders and terms.surrender_points is None:
        fields.fault("surrenders", NOT_OFFERED, "These rules have no surrender; remove it.")
    if surrenders and declares is not None:
        fields.fault("declares", CONFLICT, "A seat cannot both surrender and declare; keep one.")
    segments = _read_segments(fields, may_be_unset=surrenders or declares is not None)
    pile = fields.cards("cards") if segments is None else ()
    number = fields.integer("seat", 1, MAX_SEATS, stand_in=0)
    return Seat(number, stack_cents, pile, segments, declares or None, surrenders)


def _read_segments(fields: Fields, *, may_be_unset: bool) -> tuple[Cards, Cards, Cards] | None:
    """The set segments; ``None`` where the seat has all its cards in one pile instead."""
    values = fields.values
    if "cards" not in values:
        for segment in SEGMENTS:
            if segment not in values:
                fields.fault(segment, MISSING, f"{segment} is missing; give front, middle and back.")
    elif any(segment in values for segment in SEGMENTS):
        fields.fault("cards", CONFLICT, "Give front, middle and back, or all cards as cards; not both.")
    else:
        if not may_be_unset:
            message = "Only a seat that declares or surrenders may leave its hand unset; give front, middle and back."
            fields.fault("cards", CONFLICT, message)
        return None
    return fields.cards("front"), fields.cards("middle"), fields.cards("back")


def _read_incidents(fields: Fields, seats: dict[int, Seat]) -> tuple[Incident, ...]:
    incidents = []
    path = fields.at("incidents")
    for index, value in enumerate(fields.items("incidents", 0, _MAX_INCIDENTS)):
        kind = value.get("kind") if isinstance(value, dict) else None
        keys = _INCIDENT_KEYS.get(kind) if isinstance(kind, str) else None
        entry = fields.reader.fields(value, f"{path}/{index}", keys or _ANY_INCIDENT_KEYS)
        kind = entry.choice("kind", tuple(_INCIDENT_KEYS))
        seat = entry.integer("seat", 1, MAX_SEATS, stand_in=0)
        if seat and seat not in seats:
            entry.fault("seat", OUT_OF_RANGE, f"Seat {seat} is not in play; name one that is.")
        exposed = entry.integer("cards", 1, HAND_SIZE) if kind == DEALER_EXPOSED else 0
        was_set = entry.boolean("set", False) if kind == WRONG_SEAT else False
        incidents.append(Incident(kind, seat, exposed, was_set))
    return tuple(sorted(incidents))


def to_data(record: ChineseRecord) -> dict[str, Any]:
    """The record as a canonical JSON object, which reads back as itself."""
    data: dict[str, Any] = {"game": record.rule_set.game, "rules": record.rule_set.name}
    if record.rule_set.overrides:
        data["overrides"] = dict(record.rule_set.overrides)
    data["point_value"] = record.point_value_cents
    data["button"] = record.button
    data["seats"] = [_seat_data(seat) for seat in record.seats]
    if record.incidents:
        data["incidents"] = [_incident_data(incident) for incident in record.incidents]
    return data


def _seat_data(seat: Seat) -> dict[str, Any]:
    data: dict[str, Any] = {"seat": seat.number, "stack": seat.stack_cents}
    if seat.segments is None:
        data["cards"] = cards_text(seat.cards)
    else:
        for name, cards in zip(SEGMENTS, seat.segments, strict=True):
            data[name] = cards_text(cards)
    if seat.declares is not None:
        data["declares"] = seat.declares
    if seat.surrenders:
        data["surrenders"] = True
    return data


def _incident_data(incident: Incident) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": incident.kind, "seat": incident.seat}
    if incident.kind == DEALER_EXPOSED:
        data["cards"] = incident.cards_exposed
    else:
        data["set"] = incident.was_set
    return data
