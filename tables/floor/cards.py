"""The form of a hand's cards: filled from a record, read from a request, handed to the services as they take it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tables.models import Hand, HandRecord
from tables.models.rooms import Game
from tables.selectors.rules import rule_set_of

Typed = Mapping[str, str]
SEGMENTS = {True: ("front", "middle", "back"), False: ("front", "back")}
SWITCHES = {True: "surrenders", False: "looked_at"}


@dataclass(frozen=True, slots=True)
class Segment:
    """A field for some cards of a hand: its name in the request, the record's word for it, and what is typed."""

    field: str
    name: str
    value: str
    faults: Sequence[str]


@dataclass(frozen=True, slots=True)
class Place:
    """The fields of one seat or position. ``pile`` takes all cards of a hand that was not set."""

    number: int
    name: str
    has_button: bool
    segments: Sequence[Segment]
    pile: Segment
    declares: str
    switch: bool
    faults: Sequence[str]


@dataclass(frozen=True, slots=True)
class Incident:
    """An incident of the record, and whether it stays."""

    field: str
    data: Mapping[str, Any]
    stays: bool


@dataclass(frozen=True, slots=True)
class CardsForm:
    """What is typed about a hand that is settled again. ``values`` are the fields, to be sent on as they are."""

    is_chinese: bool
    naturals: Sequence[str]
    offers_switch: bool
    values: Typed
    places: Sequence[Place]
    incidents: Sequence[Incident]

    @property
    def has_faults(self) -> bool:
        """Whether something is said beside a field."""
        return any(place.faults or any(each.faults for each in (*place.segments, place.pile)) for place in self.places)

    @property
    def switch(self) -> str:
        """What the tick box of a place says in the record."""
        return SWITCHES[self.is_chinese]

    def hands(self) -> list[dict[str, Any]]:
        """The hands as ``hand.resettle`` takes them; which fields belong together is for the rules to judge."""
        return [self._hand(place) for place in self.places]

    def _hand(self, place: Place) -> dict[str, Any]:
        hand: dict[str, Any] = {"seat" if self.is_chinese else "position": place.number}
        if place.pile.value:
            fields: Iterable[Segment] = (place.pile, *(each for each in place.segments if each.value))
        else:
            fields = place.segments
        hand |= {each.name: each.value for each in fields}
        if place.declares:
            hand["declares"] = place.declares
        if place.switch:
            hand[self.switch] = True
        return hand

    def kept_incidents(self) -> list[Mapping[str, Any]]:
        """The incidents that stay."""
        return [each.data for each in self.incidents if each.stays]


def cards_form(
    hand: Hand, record: HandRecord, names: Mapping[str, str], typed: Typed | None, faults: Mapping[str, str]
) -> CardsForm:
    """The form as it was typed, or as the record has it. ``faults`` are those of the hands, by their path in the record."""
    chinese = hand.session.table.game == Game.CHINESE_POKER
    data = record.data
    entries = data["seats" if chinese else "hands"]
    values = _values(data, entries, chinese) if typed is None else typed
    parameters = rule_set_of(hand.rules).parameters
    numbers = [entry["seat" if chinese else "position"] for entry in entries]
    said = {path: _with_numbers(message, numbers) for path, message in faults.items()}
    places = [_place(values, number, index, hand, names, said) for index, number in enumerate(numbers)]
    return CardsForm(
        is_chinese=chinese,
        naturals=[each["kind"] for each in parameters.get("naturals") or ()],
        offers_switch=not chinese or parameters.get("surrender_points") is not None,
        values={name: values[name] for name in _fields(places, data) if name in values},
        places=places,
        incidents=[
            Incident(f"incident-{index}", each, f"incident-{index}" in values)
            for index, each in enumerate(data.get("incidents", ()))
        ],
    )


def _values(data: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], chinese: bool) -> dict[str, str]:
    """The fields as a browser would send them for what the record says."""
    values = {f"incident-{index}": "on" for index, _each in enumerate(data.get("incidents", ()))}
    for entry in entries:
        number = entry["seat" if chinese else "position"]
        for name in (*SEGMENTS[chinese], "cards", "declares"):
            values[f"{name}-{number}"] = entry.get(name) or ""
        if entry.get(SWITCHES[chinese]):
            values[f"switch-{number}"] = "on"
    return values


def _with_numbers(message: str, numbers: Sequence[int]) -> str:
    """A fault's message with the seat or position a person knows in the place of the record's path to it."""
    for index, number in enumerate(numbers):
        message = message.replace(f"seats/{index}/", _("seat %(number)s, ") % {"number": number})
        message = message.replace(f"hands/{index}/", _("position %(number)s, ") % {"number": number})
    return message


def _place(
    values: Typed, number: int, index: int, hand: Hand, names: Mapping[str, str], faults: Mapping[str, str]
) -> Place:
    chinese = hand.session.table.game == Game.CHINESE_POKER
    path = f"{'seats' if chinese else 'hands'}/{index}"

    def segment(name: str) -> Segment:
        field = f"{name}-{number}"
        said = [faults[f"{path}/{name}"]] if f"{path}/{name}" in faults else []
        return Segment(field, name, values.get(field, "").strip(), said)

    segments = [segment(name) for name in SEGMENTS[chinese]]
    pile = segment("cards")
    shown = {f"{path}/{each.name}" for each in (*segments, pile)}
    return Place(
        number=number,
        name=names.get(str(number), ""),
        has_button=number == hand.button_seat,
        segments=segments,
        pile=pile,
        declares=values.get(f"declares-{number}", ""),
        switch=f"switch-{number}" in values,
        faults=[message for place, message in faults.items() if place.startswith(path) and place not in shown],
    )


def _fields(places: Sequence[Place], data: Mapping[str, Any]) -> list[str]:
    incidents = [f"incident-{index}" for index, _each in enumerate(data.get("incidents", ()))]
    cards = [each.field for place in places for each in (*place.segments, place.pile)]
    rest = [f"{name}-{place.number}" for place in places for name in ("declares", "switch")]
    return [*incidents, *cards, *rest]
