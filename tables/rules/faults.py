"""What is wrong with a hand record, and the reader that finds all of it.

A record that cannot be read is *invalid*: a mistake of entry, never a foul (hand-record format, error codes). The
:class:`Reader` walks the record and notes every fault with its path and goes on, with a harmless stand-in for the
value it could not use, so that whoever entered the record sees everything there is to mend at once.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from tables.rules.cards import CARD_TEXTS, CARDS_BY_TEXT, JOKER, parse_card

NOT_JSON = "not-json"
TOO_LARGE = "too-large"
MISSING = "missing"
UNKNOWN_KEY = "unknown-key"
WRONG_TYPE = "wrong-type"
OUT_OF_RANGE = "out-of-range"
UNKNOWN_CARD = "unknown-card"
DUPLICATE_CARD = "duplicate-card"
CARD_NOT_IN_GAME = "card-not-in-game"
DUPLICATE_SEAT = "duplicate-seat"
UNKNOWN_RULES = "unknown-rules"
UNKNOWN_PARAMETER = "unknown-parameter"
NOT_OFFERED = "not-offered"
BANK_TOO_SMALL = "bank-too-small"
BELOW_MINIMUM = "below-minimum"
CONFLICT = "conflict"

# Far above any stack of chips, and low enough that sums of points and chips fit a 64-bit column.
MAX_CENTS = 10**15
# A record with so many faults is no record; reading stops, so that nonsense cannot fill the memory.
MAX_FAULTS = 100
_MAX_QUOTE = 40
_MAX_TEXT = 1_000

COMMON_KEYS = ("game", "rules")
COMMON_OPTIONAL_KEYS = ("overrides", "incidents")

_card_of = CARDS_BY_TEXT.__getitem__


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a record: where (``seats/2/front``), a code, and what to do about it in words."""

    path: str
    code: str
    message: str

    def to_data(self) -> dict[str, str]:
        return {"path": self.path, "code": self.code, "message": self.message}


class InvalidRecord(Exception):
    """A record that cannot be settled. ``faults`` holds all that was found, in the order of reading."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(f"{fault.path or 'record'}: {fault.message}" for fault in faults))
        self.faults = faults


def refuse(path: str, code: str, message: str) -> NoReturn:
    """Raise :class:`InvalidRecord` for a single fault that leaves nothing else to read."""
    raise InvalidRecord([Fault(path, code, message)])


def quote(value: object) -> str:
    """A value as shown in a message: short, whatever was sent."""
    text = value if isinstance(value, str) else _json_word(value)
    return repr(text if len(text) <= _MAX_QUOTE else text[: _MAX_QUOTE - 1] + "…")


def _json_word(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**_MAX_QUOTE else "a huge number"
    if isinstance(value, float):
        return str(value)
    return "an object" if isinstance(value, Mapping) else "a list"


def short(name: object) -> str:
    """A name from a record as part of a path: short and printable, whatever was sent."""
    text = str(name)[:_MAX_QUOTE]
    return text if text.isprintable() else ascii(text)[1:-1]


def join(path: str, key: object) -> str:
    """The path of a key or an index below another path."""
    return f"{path}/{key}" if path else str(key)


class Keys:
    """The keys of an object: those it must have, in the order in which a missing one is told, and those it may have."""

    __slots__ = ("known", "needed", "required")

    def __init__(self, required: Iterable[str], optional: Iterable[str] = ()) -> None:
        self.required = tuple(required)
        self.needed = frozenset(self.required)
        self.known = self.needed.union(optional)


def record_keys(*required: str) -> Keys:
    """The keys of a hand record: what every game has, and what the one has besides."""
    return Keys(COMMON_KEYS + required, COMMON_OPTIONAL_KEYS)


class Reader:
    """Reads one record and gathers its faults. Call :meth:`finish` when done."""

    def __init__(self, data: object) -> None:
        self.data = data
        self.faults: list[Fault] = []
        # Every place with cards, none of which another place may have; :meth:`finish` checks it.
        self.cards_read: list[tuple[str, str, tuple[int, ...]]] = []

    def fault(self, path: str, code: str, message: str) -> None:
        """Note a fault. Raises :class:`InvalidRecord` at once when there are too many to be worth listing."""
        self.faults.append(Fault(path, code, message))
        if len(self.faults) >= MAX_FAULTS:
            raise InvalidRecord(self.faults)

    def finish(self) -> None:
        """Raise :class:`InvalidRecord` when anything was wrong, a card that was read twice among it."""
        places = [cards for _path, _key, cards in self.cards_read]
        if len(set().union(*places)) != sum(map(len, places)):
            self._note_cards_read_twice()
        if self.faults:
            raise InvalidRecord(self.faults)

    def record(self, keys: Keys) -> "Fields":
        """The record itself."""
        return self.fields(self.data, "", keys)

    def fields(self, value: object, path: str, keys: Keys) -> "Fields":
        """An object, checked for missing and unknown keys. What is no object is noted and read as empty."""
        if not isinstance(value, dict):
            self.fault(path, WRONG_TYPE, f"{quote(value)} stands where an object with named values belongs.")
            return Fields(self, path, {})
        if not keys.needed <= value.keys() <= keys.known:
            for key in keys.required:
                if key not in value:
                    self.fault(join(path, key), MISSING, f"{key} is missing; add it.")
            for key in value:
                if key not in keys.known:
                    self.fault(join(path, short(key)), UNKNOWN_KEY, f"{quote(key)} is not known here; remove it.")
        return Fields(self, path, value)

    def _note_cards_read_twice(self) -> None:
        places: dict[int, str] = {}
        for path, key, cards in self.cards_read:
            place = join(path, key)
            for card in cards:
                if card in places:
                    text = f"{CARD_TEXTS[card]} is in the record twice, first in {places[card]}; correct one of them."
                    self.fault(place, DUPLICATE_CARD, text)
                else:
                    places[card] = place


@dataclass(slots=True)
class Fields:
    """The values of one object of a record, each read with its type checked.

    A getter returns a stand-in where the value is missing or wrong; the fault has then been noted.
    """

    reader: Reader
    path: str
    values: Mapping[str, Any]

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def at(self, key: str) -> str:
        """The path of a key of this object."""
        return f"{self.path}/{key}" if self.path else key

    def fault(self, key: str, code: str, message: str) -> None:
        """Note a fault of this object's key."""
        self.reader.fault(self.at(key), code, message)

    def integer(self, key: str, low: int, high: int, *, stand_in: int = 1) -> int:
        """A whole number from ``low`` to ``high``; ``true`` is none."""
        value = self.values.get(key)
        if type(value) is int and low <= value <= high:
            return value
        if type(value) is int:
            self.fault(key, OUT_OF_RANGE, f"{key} is {quote(value)}; give a number from {low} to {high}.")
        elif key in self.values:
            self.fault(key, WRONG_TYPE, f"{key} is {quote(value)}; give a whole number.")
        return stand_in

    def integers(self, key: str, count: int, low: int, high: int) -> tuple[int, ...]:
        """A list of ``count`` whole numbers from ``low`` to ``high``. The stand-in is what there is of it."""
        values = self.items(key, count, count)
        if all(type(value) is int and low <= value <= high for value in values):
            return tuple(values)
        entries = Fields(self.reader, self.at(key), {str(index): value for index, value in enumerate(values)})
        return tuple(entries.integer(index, low, high) for index in entries.values)

    def cents(self, key: str, low: int = 0) -> int:
        """An amount of money in cents."""
        return self.integer(key, low, MAX_CENTS)

    def boolean(self, key: str, default: bool) -> bool:
        value = self.values.get(key, default)
        if type(value) is not bool:
            self.fault(key, WRONG_TYPE, f"{key} is {quote(value)}; give true or false.")
            return default
        return value

    def text(self, key: str, max_length: int = _MAX_TEXT) -> str:
        """A printable text that is not empty. The stand-in is empty."""
        value = self.values.get(key)
        if value is None and key not in self.values:
            return ""
        if not isinstance(value, str):
            self.fault(key, WRONG_TYPE, f"{key} is {quote(value)}; give a text.")
            return ""
        if not 0 < len(value) <= max_length:
            self.fault(key, OUT_OF_RANGE, f"{key} has {len(value)} characters; give 1 to {max_length}.")
            return ""
        if not value.isprintable():
            self.fault(key, OUT_OF_RANGE, f"{key} is {quote(value)}; leave out what cannot be printed.")
            return ""
        return value

    def choice(self, key: str, choices: tuple[str, ...], code: str = OUT_OF_RANGE) -> str:
        """One of several texts. The stand-in is empty, which none of them is."""
        value = self.values.get(key)
        if isinstance(value, str) and value in choices:
            return value
        if isinstance(value, str):
            self.fault(key, code, f"{key} is {quote(value)}; use one of: {', '.join(choices) or 'none offered'}.")
        elif key in self.values:
            self.fault(key, WRONG_TYPE, f"{key} is {quote(value)}; give a text.")
        return ""

    def items(self, key: str, low: int, high: int) -> list[Any]:
        """A list of ``low`` to ``high`` items, empty where it is left out. The stand-in is what there is of it."""
        value = self.values.get(key)
        if value is None and key not in self.values:
            return []
        if not isinstance(value, list):
            self.fault(key, WRONG_TYPE, f"{key} is {quote(value)}; give a list.")
            return []
        if not low <= len(value) <= high:
            self.fault(key, OUT_OF_RANGE, f"{key} has {len(value)} entries; give {low} to {high}.")
        return value[:high]

    def objects(self, key: str, low: int, high: int, keys: Keys) -> Iterator["Fields"]:
        """The objects of a list, one by one."""
        path = self.at(key)
        for index, value in enumerate(self.items(key, low, high)):
            yield self.reader.fields(value, f"{path}/{index}", keys)

    def cards(self, key: str, *, joker: bool = False) -> tuple[int, ...]:
        """Cards separated by blanks, in the order given; each may stand in the record only once.

        ``joker`` says whether the game has one. Unknown and foreign cards are noted and left out.
        """
        value = self.values.get(key, "")
        if not isinstance(value, str) or len(value) > _MAX_TEXT:
            self._refuse_cards(key, value)
            return ()
        try:
            cards = tuple(map(_card_of, value.split()))
        except KeyError:
            path = self.at(key)
            cards = tuple(card for card in (self._card(word, path) for word in value.split()) if card >= 0)
        if not joker and JOKER in cards:
            self.fault(key, CARD_NOT_IN_GAME, "This game has no joker; enter the card that was dealt.")
            cards = tuple(card for card in cards if card != JOKER)
        self.reader.cards_read.append((self.path, key, cards))
        return cards

    def named_cards(self, texts: list[Any], path: str, *, joker: bool = False) -> tuple[int, ...]:
        """Cards given as a list of texts, which may stand elsewhere in the record too, as in an incident."""
        cards = []
        for index, text in enumerate(texts):
            place = f"{path}/{index}"
            if not isinstance(text, str):
                self.reader.fault(place, WRONG_TYPE, f"{quote(text)} stands where a card such as Th belongs.")
                continue
            card = self._card(text, place)
            if card == JOKER and not joker:
                self.reader.fault(place, CARD_NOT_IN_GAME, "This game has no joker; enter the card that was seen.")
            elif card >= 0:
                cards.append(card)
        return tuple(sorted(cards))

    def _refuse_cards(self, key: str, value: object) -> None:
        if isinstance(value, str):
            self.fault(key, OUT_OF_RANGE, f"{key} is too long to be cards; give at most 13.")
        else:
            self.fault(key, WRONG_TYPE, f"{key} is {quote(value)}; give cards as a text, such as 'Ah Kd 2c'.")

    def _card(self, text: str, path: str) -> int:
        try:
            return parse_card(text)
        except KeyError:
            self.reader.fault(path, UNKNOWN_CARD, f"{quote(text)} is no card; write rank and suit, such as Th or 2c.")
            return -1
